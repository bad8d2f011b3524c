//! Requirements that scripts declare for package managers: PEP 723 blocks, requirements files, `pyproject.toml`,
//! `package.json`, `deno.json`.

use camino::Utf8Path;

use super::{Code, Language, base_name};
use crate::texts::Texts;
use skill::source::Span;

/// A package that a script needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement<'a> {
    pub path: &'a Utf8Path,
    pub span: Span,
    /// In lower case.
    pub name: String,
    /// Some version is given.
    pub pinned: bool,
}

/// The packages that its Python scripts and its lists of packages name.
pub fn requirements<'a>(skill: &Texts<'a>, code: &Code<'a>) -> Vec<Requirement<'a>> {
    let mut found = Vec::new();
    for script in code.scripts.iter().filter(|script| script.language == Language::Python) {
        found.extend(in_script(&script.file.path, script.text()));
    }
    for file in &skill.skill.files {
        let name = base_name(&file.name);
        let is_list = name.starts_with("requirements") && matches!(Utf8Path::new(name).extension(), Some("txt" | "in"));
        if !is_list && !NAMES.contains(&name) {
            continue;
        }
        let Some(text) = skill.read(file).filter(|text| text.text().len() <= SIZE_LIMIT) else { continue };
        let text = text.text();
        found.extend(match name {
            "package.json" => in_package(&file.path, text),
            "pyproject.toml" => in_project(&file.path, text),
            _ if is_list => in_list(&file.path, text),
            // Named there is enough.
            _ => words(&file.path, text),
        });
    }
    found
}

const NAMES: [&str; 6] = ["pyproject.toml", "package.json", "environment.yml", "Pipfile", "deno.json", "deno.jsonc"];
const SIZE_LIMIT: usize = 1 << 20;

/// The block of PEP 723: TOML in comments between `# /// script` and `# ///`.
fn in_script<'a>(path: &'a Utf8Path, text: &str) -> Vec<Requirement<'a>> {
    // Checking that there is none is faster than searching for it.
    let start = text.contains("# /// script").then(|| text.find("# /// script")).flatten();
    let Some(start) = start else { return Vec::new() };
    let end = text[start..]
        .find("\n# ///\n")
        .or_else(|| text[start..].find("\n# ///\r"))
        .map_or(text.len(), |end| start + end);
    let lines = text[start..end].lines().skip(1);
    let toml: String = lines.map(|line| line.trim_start_matches('#').trim_start().to_owned() + "\n").collect();
    let Ok(table) = toml.parse::<toml::Table>() else { return words(path, &text[start..end]) };
    python(path, text, Span::new(start, end), table.get("dependencies"))
}

fn in_project<'a>(path: &'a Utf8Path, text: &str) -> Vec<Requirement<'a>> {
    let Ok(table) = text.parse::<toml::Table>() else { return Vec::new() };
    let all = Span::new(0, text.len());
    let project = table.get("project");
    let mut found = python(path, text, all, project.and_then(|project| project.get("dependencies")));
    let optional = project.and_then(|project| project.get("optional-dependencies")).and_then(toml::Value::as_table);
    for group in optional.into_iter().chain(table.get("dependency-groups").and_then(toml::Value::as_table)) {
        group.values().for_each(|list| found.extend(python(path, text, all, Some(list))));
    }
    let poetry = table.get("tool").and_then(|tool| tool.get("poetry")).and_then(|poetry| poetry.get("dependencies"));
    for (name, version) in
        poetry.and_then(toml::Value::as_table).into_iter().flatten().filter(|(name, _)| *name != "python")
    {
        let pinned = version.as_str() != Some("*");
        found.push(Requirement { path, span: find(text, all, name), name: name.to_lowercase(), pinned });
    }
    found
}

fn python<'a>(path: &'a Utf8Path, text: &str, within: Span, list: Option<&toml::Value>) -> Vec<Requirement<'a>> {
    let list = list.and_then(toml::Value::as_array).into_iter().flatten();
    let texts = list.filter_map(toml::Value::as_str);
    texts.filter_map(|line| specified(path, line, find(text, within, line))).collect()
}

fn in_list<'a>(path: &'a Utf8Path, text: &str) -> Vec<Requirement<'a>> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let plain = line.split(" #").next().unwrap_or_default();
        let span = Span::new(start, start + plain.len()).trim(text);
        start += line.len();
        if !plain.trim_start().starts_with(['#', '-']) {
            found.extend(specified(path, plain.trim(), span));
        }
    }
    found
}

/// `name[extra]>=1 ; marker`
fn specified<'a>(path: &'a Utf8Path, line: &str, span: Span) -> Option<Requirement<'a>> {
    let end = line.find(|letter: char| !letter.is_ascii_alphanumeric() && !matches!(letter, '-' | '_' | '.'));
    let (name, rest) = line.split_at(end.unwrap_or(line.len()));
    let pinned = rest.split(';').next().unwrap_or_default().contains(['=', '<', '>', '~', '@', '/']);
    (!name.is_empty()).then(|| Requirement { path, span, name: name.to_lowercase().replace('_', "-"), pinned })
}

fn in_package<'a>(path: &'a Utf8Path, text: &str) -> Vec<Requirement<'a>> {
    let Ok(package) = serde_json::from_str::<serde_json::Value>(text) else { return Vec::new() };
    let mut found = Vec::new();
    for key in ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"] {
        let Some(list) = package.get(key).and_then(serde_json::Value::as_object) else { continue };
        let from = text.find(&format!("\"{key}\"")).unwrap_or_default();
        for (name, version) in list {
            let version = version.as_str().unwrap_or_default();
            let pinned = !matches!(version, "*" | "latest" | "" | "x" | "next");
            let span = find(text, Span::new(from, text.len()), &format!("\"{name}\""));
            found.push(Requirement { path, span, name: name.to_lowercase(), pinned });
        }
    }
    found
}

/// Every word as if it were a requirement with a version.
fn words<'a>(path: &'a Utf8Path, text: &str) -> Vec<Requirement<'a>> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && !matches!(letter, '-' | '_'));
    let words = words.filter(|word| !word.is_empty());
    words.map(|word| Requirement { path, span: Span::new(0, 0), name: word.to_lowercase(), pinned: true }).collect()
}

fn find(text: &str, within: Span, wanted: &str) -> Span {
    within.of(text).find(wanted).map_or(Span::new(within.start, within.start), |at| {
        Span::new(within.start + at, within.start + at + wanted.len())
    })
}
