//! Places where AgentScope's reading hurts an author.

use camino::Utf8PathBuf;

use super::markdown::{CHARACTER_LIMIT, Reading, key_and_value};
use super::{JavaValue, Markdown, Variant, tools};
use crate::paths;
use crate::{Catalog, Quirk, QuirkKind};
use config::HarnessOptions;
use skill::source::{SourceText, Span};
use skill::{Entry, Folder, yaml};

/// For a `SKILL.md` in which the framework finds no name or description.
pub fn of_unread(source: &SourceText, markdown: &Markdown, out: &mut Vec<Quirk>) {
    let quirk = |kind, span, detail: String| Quirk { kind, skill: None, path: Some(source.path.clone()), span, detail };
    if source.bom {
        out.push(quirk(QuirkKind::ByteOrderMark, Some(Span::new(0, 0)), String::new()));
    } else if let Some(block) = &markdown.block {
        if let Some(detail) = cut(source, markdown) {
            out.push(quirk(QuirkKind::CutAtDashes, Some(block.closing), detail));
        }
        if markdown.frontmatter.reading == Reading::TooLong {
            out.push(quirk(QuirkKind::CutWhenLong, Some(block.text), CHARACTER_LIMIT.to_string()));
        }
    }
}

/// Of a skill that was loaded.
pub fn of_manifest(
    id: &str,
    source: &SourceText,
    markdown: &Markdown,
    variant: Variant,
    options: &HarnessOptions,
) -> Vec<Quirk> {
    let Some(block) = &markdown.block else { return Vec::new() };
    let mut out = Vec::new();
    let mut push = |kind, span, detail: String| {
        out.push(Quirk { kind, skill: Some(id.to_owned()), path: Some(source.path.clone()), span: Some(span), detail });
    };
    if let Some(detail) = cut(source, markdown) {
        push(QuirkKind::CutAtDashes, block.closing, detail);
    }
    let text = block.text.of(&source.text);
    let fields = &markdown.frontmatter.fields;
    if matches!(markdown.frontmatter.reading, Reading::Lines(_)) {
        for (span, value) in read_by_line(text, fields) {
            push(QuirkKind::ReadDifferently, span.shift(block.text.start), value);
        }
    }
    let kind_of = |key: &str, value: &JavaValue| match variant {
        Variant::Seed | Variant::First => (matches!(key, "name" | "description")
            && value.to_string().contains(['<', '>', '&']))
        .then_some(QuirkKind::NotEscaped),
        Variant::Java => (options.agentscope.expose_all_metadata && matches!(value, JavaValue::Scalar(_)))
            .then_some(QuirkKind::ReadDifferently),
        Variant::Python => None,
    };
    let hurt: Vec<(&str, &JavaValue, QuirkKind)> =
        fields.iter().filter_map(|(key, value)| Some((key.as_str(), value, kind_of(key, value)?))).collect();
    // The text is read for a second time only if something in it hurts.
    let written = if hurt.is_empty() { Vec::new() } else { yaml::parse(text).fields };
    for field in written {
        let Some((_, value, kind)) = hurt.iter().find(|(key, ..)| *key == field.key) else { continue };
        let span = field.value_span.shift(block.text.start);
        let shown = value.to_string();
        if *kind == QuirkKind::NotEscaped || shown != span.of(&source.text) {
            push(*kind, span, shown);
        }
    }
    out
}

/// Of links in a skill's folder that lead out of it, which the framework follows.
pub fn of_links(id: &str, skill: &Folder) -> Vec<Quirk> {
    fn walk(folder: &Folder, id: &str, root: &Folder, out: &mut Vec<Quirk>) {
        for entry in &folder.entries {
            let (path, link) = match entry {
                Entry::File(file) => (&file.path, &file.link),
                Entry::Folder(inner) => (&inner.path, &inner.link),
            };
            if let Some(link) = link.as_ref().filter(|link| !link.broken)
                && !paths::plain(&folder.path.join(&link.target)).starts_with(&root.path)
            {
                out.push(Quirk {
                    kind: QuirkKind::LinkLeavesSkill,
                    skill: Some(id.to_owned()),
                    path: Some(path.clone()),
                    span: None,
                    detail: link.target.to_string(),
                });
            }
            if let Entry::Folder(inner) = entry {
                walk(inner, id, root, out);
            }
        }
    }
    let mut out = Vec::new();
    walk(skill, id, skill, &mut out);
    out
}

/// For all loaded skills together.
pub fn of_the_whole(catalog: &mut Catalog) {
    let quirk = |kind, skill: Option<&str>, path: Option<Utf8PathBuf>, detail: String| Quirk {
        kind,
        skill: skill.map(str::to_owned),
        path,
        span: None,
        detail,
    };
    let mut found = Vec::new();
    let ids: Vec<&str> = catalog.skills.iter().map(|skill| skill.id.as_str()).collect();
    if Variant::of(catalog) != Variant::Python && !ids.is_sorted() {
        found.push(quirk(QuirkKind::OrderedByHash, None, None, ids.join(", ")));
    }
    for skill in &catalog.skills {
        let is_idle = |name: &str| tools::is_script(name) && !skill.scripts.iter().any(|script| script.name == name);
        let idle: Vec<&str> =
            skill.resources.iter().map(|file| file.name.as_str()).filter(|name| is_idle(name)).collect();
        if let Some(first) = idle.first() {
            let path = skill.path.as_ref().map(|folder| folder.join(first));
            found.push(quirk(QuirkKind::ScriptsCannotRun, Some(&skill.id), path, idle.join(", ")));
        }
    }
    catalog.quirks.extend(found);
}

/// The rest of the line on which the block ends, if the mark is not alone on it.
fn cut(source: &SourceText, markdown: &Markdown) -> Option<String> {
    let closing = markdown.block.as_ref()?.closing;
    let start = source.text[..closing.start].rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let rest = source.text[closing.end..].lines().next().unwrap_or_default();
    let alone = source.text[start..closing.start].trim().is_empty() && rest.trim().is_empty();
    (!alone).then(|| rest.trim().to_owned())
}

/// The fields that were read line by line and look like no YAML: with a colon, or with quotes that stay or go.
fn read_by_line(text: &str, fields: &[(String, JavaValue)]) -> Vec<(Span, String)> {
    let mut out = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let (at, line) = (start, line.trim_end_matches(['\n', '\r']));
        start = at + text[at..].find('\n').map_or(text.len() - at, |end| end + 1);
        let Some((key, value)) = key_and_value(line) else { continue };
        let is_odd = !yaml::parse(line).fields.iter().any(|field| field.value.as_str() == Some(value));
        let is_kept = fields.iter().any(|(known, kept)| known == key && kept.as_text() == Some(value));
        if is_odd && is_kept {
            let from = at + line.len() - line[line.find(':').map_or(0, |colon| colon + 1)..].trim_start().len();
            out.push((Span::new(from, at + line.trim_end().len()), value.to_owned()));
        }
    }
    out
}
