//! Tier 1: the demo lists the skills in the description of its tool, the plugin in the system prompt.

use super::python;
use super::variant::Variant;
use crate::{Catalog, Marked, Origin, Session};

/// The system prompt; `None` if there is none. Blocks are joined by one line feed.
pub fn instructions(catalog: &Catalog, session: &Session) -> Option<Marked> {
    let mut out = Marked::default();
    for (index, block) in system_texts(catalog, session).into_iter().enumerate() {
        if index > 0 {
            out.push("\n", Origin::Framework);
        }
        append(&mut out, &block);
    }
    (!out.text.is_empty()).then_some(out)
}

/// The bytes of the system prompt that a cache point follows: its end if the model caches prompts, and in a list of
/// blocks the end of the agent's own.
pub fn cache_points(catalog: &Catalog, session: &Session) -> Vec<usize> {
    let texts = system_texts(catalog, session);
    let end = texts.iter().map(|text| text.text.len() + 1).sum::<usize>().checked_sub(1);
    let own = texts.first().map(|first| first.text.len()).filter(|_| texts.len() > 1);
    let options = &catalog.options.strands;
    let of_own = own.filter(|_| options.system_cache_point);
    let caches = options.cache_prompt.unwrap_or(Variant::of(catalog) != Variant::Vended);
    of_own.into_iter().chain(end.filter(|end| caches && *end > 0)).collect()
}

/// The system prompt's text blocks.
pub fn system_texts(catalog: &Catalog, session: &Session) -> Vec<Marked> {
    let agent = session.agent_instructions.as_deref().filter(|text| !text.is_empty()).map(|text| {
        let mut own = Marked::default();
        own.push(text, Origin::User);
        own
    });
    match Variant::of(catalog) {
        Variant::Seed => agent.or_else(|| demo_prompt(SEED_PROMPT, catalog, session)).into_iter().collect(),
        Variant::DemoRepo => agent.or_else(|| demo_prompt(REPO_PROMPT, catalog, session)).into_iter().collect(),
        Variant::Vended => agent.into_iter().chain([skills_xml(catalog)]).collect(),
    }
}

/// The description of the demo's tool `Skill`: its template with the list in it, as the `tool` decorator takes it from a
/// docstring. That expands tabs, and drops everything from a line that begins like a section of arguments up to the next
/// line that begins like another section.
pub fn tool_description(catalog: &Catalog) -> Marked {
    let mut doc = Marked::default();
    doc.push(TEMPLATE.trim_end_matches('\n'), Origin::Framework);
    doc.push("\n", Origin::Framework);
    for skill in &catalog.skills {
        let field = |field: &str| Origin::Skill { skill: skill.id.clone(), field: field.into() };
        doc.push("\n<skill>\n<name>\n", Origin::Framework);
        doc.push(&skill.name, field("name"));
        doc.push("\n</name>\n<description>\n", Origin::Framework);
        doc.push(&skill.description, field("description"));
        doc.push("\n</description>\n</skill>", Origin::Framework);
    }
    doc.push("\n<available_skills>\n", Origin::Framework);
    described(&doc)
}

/// Whether a line of a docstring keeps what follows it out of the description.
pub fn cuts(line: &str) -> bool {
    begins(line, &["args:", "arguments:", "parameters:", "param:", "params:"])
}

/// `xml.sax.saxutils.escape`.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('>', "&gt;").replace('<', "&lt;")
}

/// The block that the plugin puts last into the system prompt, again with every prompt of the user.
fn skills_xml(catalog: &Catalog) -> Marked {
    let mut out = Marked::default();
    let framework = |out: &mut Marked, text: &str| out.push(text, Origin::Framework);
    framework(&mut out, "<available_skills>\n");
    for skill in &catalog.skills {
        let field = |field: &str| Origin::Skill { skill: skill.id.clone(), field: field.into() };
        framework(&mut out, "<skill>\n<name>");
        out.push(&escape(&skill.name), field("name"));
        framework(&mut out, "</name>\n<description>");
        out.push(&escape(&skill.description), field("description"));
        framework(&mut out, "</description>\n");
        if let Some(folder) = &skill.path {
            framework(&mut out, &format!("<location>{}</location>\n", escape(&format!("{folder}/SKILL.md"))));
        }
        framework(&mut out, "</skill>\n");
    }
    if catalog.skills.is_empty() {
        framework(&mut out, "No skills are currently available.\n");
    }
    framework(&mut out, "</available_skills>");
    out
}

/// Each ends in a line feed that is not part of it.
const TEMPLATE: &str = include_str!("templates/skill_tool.txt");
const SEED_PROMPT: &str = include_str!("templates/seed_prompt.txt");
const REPO_PROMPT: &str = include_str!("templates/repo_prompt.txt");

/// `main.py`'s system prompt for its two folders.
fn demo_prompt(template: &str, catalog: &Catalog, session: &Session) -> Option<Marked> {
    let options = &catalog.options.strands;
    if !options.demo_prompt {
        return None;
    }
    let above = || catalog.roots.first().and_then(|root| root.parent()).map_or_else(String::new, ToString::to_string);
    let root = options.project_root.clone().unwrap_or_else(above);
    let work = session.working_directory.as_ref();
    let work = work.map_or_else(|| python::join(&root, "workdir"), ToString::to_string);
    let text = template.strip_suffix('\n').unwrap_or(template);
    let mut out = Marked::default();
    out.push(&text.replace("{ROOT}", &root).replace("{WORK_ROOT}", &work), Origin::Framework);
    Some(out)
}

fn described(doc: &Marked) -> Marked {
    let mut out = Marked::default();
    let mut marks = doc.marks.iter().peekable();
    let mut start = 0;
    let mut skipping = false;
    for line in doc.text.split_inclusive('\n') {
        let end = start + line.len();
        let kept = if cuts(line) {
            skipping = true;
            false
        } else if begins(line, OTHER_SECTIONS) {
            skipping = false;
            true
        } else {
            !skipping
        };
        let mut column = 0;
        while let Some(mark) = marks.peek() {
            let (from, to) = (mark.span.start.max(start), mark.span.end.min(end));
            if kept && from < to {
                out.push(&expand_tabs(&doc.text[from..to], &mut column), mark.origin.clone());
            }
            if mark.span.end > end {
                break;
            }
            marks.next();
        }
        start = end;
    }
    trim_end(&mut out);
    out
}

const OTHER_SECTIONS: &[&str] = &[
    "returns:",
    "return:",
    "yields:",
    "yield:",
    "raises:",
    "raise:",
    "except:",
    "exceptions:",
    "examples:",
    "example:",
    "note:",
    "notes:",
    "see also:",
    "seealso:",
    "references:",
    "ref:",
];

fn begins(line: &str, words: &[&str]) -> bool {
    let line = python::strip(line);
    words.iter().any(|word| line.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word)))
}

/// `str.expandtabs`, from a column on.
fn expand_tabs(text: &str, column: &mut usize) -> String {
    const WIDTH: usize = 8;
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter == '\t' {
            let spaces = WIDTH - *column % WIDTH;
            out.extend(std::iter::repeat_n(' ', spaces));
            *column += spaces;
        } else {
            out.push(letter);
            *column += 1;
        }
    }
    out
}

fn trim_end(marked: &mut Marked) {
    let length = marked.text.trim_end_matches(python::is_space).len();
    marked.text.truncate(length);
    marked.marks.retain_mut(|mark| {
        mark.span.end = mark.span.end.min(length);
        mark.span.start < mark.span.end
    });
}

fn append(out: &mut Marked, other: &Marked) {
    for mark in &other.marks {
        out.push(mark.span.of(&other.text), mark.origin.clone());
    }
}
