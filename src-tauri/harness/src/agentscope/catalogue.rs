//! Tier 1: how the skills are advertised. Python writes its own.

use super::java::JavaValue;
use super::{Variant, detail, from_skill, has_code_execution, python, text};
use crate::{Catalog, CatalogSkill, Marked, Origin, Session, markup};

/// The system message: the agent's own instructions and the catalogue; with the seed, the catalogue comes elsewhere.
pub fn instructions(catalog: &Catalog, session: &Session) -> Option<Marked> {
    let mut out = Marked::default();
    out.push(session.agent_instructions.as_deref().unwrap_or_default(), Origin::User);
    let prompt = match Variant::of(catalog) {
        Variant::Seed | Variant::First => None,
        Variant::Java => prompt(catalog, session),
        Variant::Python => python::prompt(catalog),
    };
    if let Some(prompt) = prompt {
        if !out.text.is_empty() {
            out.push("\n", Origin::Framework);
        }
        append(&mut out, &prompt);
    }
    (!out.text.is_empty()).then_some(out)
}

/// `AgentSkillPromptProvider.getSkillSystemPrompt`; `None` without skills.
pub fn prompt(catalog: &Catalog, session: &Session) -> Option<Marked> {
    if catalog.skills.is_empty() {
        return None;
    }
    let mut out = Marked::default();
    match Variant::of(catalog) {
        Variant::Seed | Variant::Python => {
            out.push(text(SEED), Origin::Framework);
            catalog.skills.iter().for_each(|skill| push_seed(&mut out, skill));
        }
        Variant::First => {
            out.push(FIRST, Origin::Framework);
            catalog.skills.iter().for_each(|skill| push_first(&mut out, skill));
            return Some(out);
        }
        Variant::Java => {
            out.push(text(NEWEST), Origin::Framework);
            catalog.skills.iter().for_each(|skill| push_newest(&mut out, skill, catalog));
        }
    }
    out.push("</available_skills>", Origin::Framework);
    if Variant::of(catalog) == Variant::Java && has_code_execution(catalog) {
        push_code_execution(&mut out, catalog, session);
    }
    Some(out)
}

pub fn append(out: &mut Marked, more: &Marked) {
    for mark in &more.marks {
        out.push(mark.span.of(&more.text), mark.origin.clone());
    }
}

const SEED: &str = include_str!("templates/seed.txt");
const FIRST: &str = include_str!("templates/first.txt");
const NEWEST: &str = include_str!("templates/newest.txt");
const CODE_PER_SKILL: &str = include_str!("templates/code_per_skill.txt");
const CODE_UPLOAD: &str = include_str!("templates/code_upload.txt");

/// `String.format`: nothing is escaped.
fn push_seed(out: &mut Marked, skill: &CatalogSkill) {
    out.push("<skill>\n<name>", Origin::Framework);
    out.push(&skill.name, from_skill(skill, "name"));
    out.push("</name>\n<description>", Origin::Framework);
    out.push(&skill.description, from_skill(skill, "description"));
    out.push("</description>\n<skill-id>", Origin::Framework);
    push_id(out, skill);
    out.push("</skill-id>\n</skill>\n\n", Origin::Framework);
}

/// Markdown, with the id for a heading. Nothing is escaped here either.
fn push_first(out: &mut Marked, skill: &CatalogSkill) {
    out.push("### ", Origin::Framework);
    push_id(out, skill);
    out.push("\n", Origin::Framework);
    out.push(&skill.description, from_skill(skill, "description"));
    out.push("\ncheck \"SKILL.md\" for how to use this skill\n", Origin::Framework);
}

fn push_id(out: &mut Marked, skill: &CatalogSkill) {
    let source = skill.id.strip_prefix(&skill.name).unwrap_or_default();
    out.push(&skill.name, from_skill(skill, "name"));
    out.push(source, Origin::Framework);
}

fn push_newest(out: &mut Marked, skill: &CatalogSkill, catalog: &Catalog) {
    out.push("<skill>\n", Origin::Framework);
    let metadata = detail(skill).map(|detail| detail.metadata.as_slice()).unwrap_or_default();
    if catalog.options.agentscope.expose_all_metadata {
        for (key, value) in metadata {
            push_field(out, key, value, 1, &from_skill(skill, key));
        }
    } else {
        for (key, text) in [("name", &skill.name), ("description", &skill.description)] {
            push_field(out, key, &JavaValue::Text(text.clone()), 1, &from_skill(skill, key));
        }
    }
    out.push("  <skill-id>", Origin::Framework);
    let source = skill.id.strip_prefix(&skill.name).unwrap_or_default();
    out.push(&escape(&skill.name), from_skill(skill, "name"));
    out.push(&escape(source), Origin::Framework);
    out.push("</skill-id>\n", Origin::Framework);
    if let Some(folder) = skill.path.as_ref().filter(|_| has_code_execution(catalog)) {
        out.push(&format!("  <files-root>{}</files-root>\n", escape(folder.as_str())), Origin::Framework);
    }
    out.push("</skill>\n\n", Origin::Framework);
}

fn is_core(key: &str) -> bool {
    matches!(key, "name" | "description")
}

/// An element for a value, with one for each value in it. A key that cannot be an element's name becomes an attribute.
fn push_field(out: &mut Marked, key: &str, value: &JavaValue, level: usize, origin: &Origin) {
    let tag = |out: &mut Marked, before: &str, key: &str, after: &str| {
        out.push(before, Origin::Framework);
        // The names of the fields that every skill has are the framework's.
        out.push(key, if is_core(key) || key == ITEM { Origin::Framework } else { origin.clone() });
        out.push(after, Origin::Framework);
    };
    let indent = INDENT.repeat(level);
    let named = is_element(key);
    let open = |out: &mut Marked, end: &str| match named {
        true => tag(out, &format!("{indent}<"), key, &format!(">{end}")),
        false => tag(out, &format!("{indent}<entry key=\""), &escape(key), &format!("\">{end}")),
    };
    let close = |out: &mut Marked, indent: &str| match named {
        true => tag(out, &format!("{indent}</"), key, ">\n"),
        false => out.push(&format!("{indent}</entry>\n"), Origin::Framework),
    };
    match value {
        JavaValue::Null => {}
        JavaValue::Text(text) | JavaValue::Scalar(text) => {
            open(out, "");
            out.push(&escape(text), origin.clone());
            close(out, "");
        }
        JavaValue::Map(pairs) => {
            open(out, "\n");
            for (key, value) in pairs {
                push_field(out, key, value, level + 1, origin);
            }
            close(out, &indent);
        }
        JavaValue::List(items) => {
            open(out, "\n");
            for item in items {
                push_field(out, ITEM, item, level + 1, origin);
            }
            close(out, &indent);
        }
    }
}

const INDENT: &str = "  ";
const ITEM: &str = "item";

/// `[A-Za-z_][A-Za-z0-9_.-]*`
fn is_element(key: &str) -> bool {
    key.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && key.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.' | '-'))
}

fn escape(text: &str) -> String {
    markup::escape(text, "&apos;")
}

/// How to run scripts: from each skill's own folder if all have one, else from where they are uploaded to. Nothing if
/// that is not known.
fn push_code_execution(out: &mut Marked, catalog: &Catalog, session: &Session) {
    if catalog.skills.iter().all(|skill| skill.path.is_some()) {
        out.push(text(CODE_PER_SKILL), Origin::Framework);
        return;
    }
    let set = catalog.options.agentscope.work_dir.as_deref();
    let Some(folder) = set.or(session.working_directory.as_ref().map(|folder| folder.as_str())) else { return };
    let uploads = format!("{}/skills", folder.trim_end_matches('/'));
    for (index, piece) in text(CODE_UPLOAD).split("%s").enumerate() {
        if index > 0 {
            out.push(&uploads, Origin::User);
        }
        out.push(piece, Origin::Framework);
    }
}
