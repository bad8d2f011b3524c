//! Completions at the caret: fields, values and tools in the frontmatter, paths of files and names of skills in the
//! instructions. They depend only on the text and the files around it; the window and the language server offer the
//! same.

use std::collections::BTreeSet;

use camino::Utf8Path;

use crate::analysis::client::{self, Client, SPECIFIED};
use crate::analysis::tool_names::{TOOLS, USUAL};
use crate::references::relative;
use skill::Skill;
use skill::source::Span;
use wording::{Message, message};

/// The caret and its text.
#[derive(Debug, Clone, Copy)]
pub struct Cursor<'a> {
    pub path: &'a Utf8Path,
    pub text: &'a str,
    /// In bytes.
    pub at: usize,
    /// That the file belongs to.
    pub skill: Option<&'a Skill>,
    /// All that are open.
    pub skills: &'a [Skill],
}

/// The texts that can replace what is typed already.
#[derive(Debug, Clone, PartialEq)]
pub struct Completions {
    pub span: Span,
    pub items: Vec<Completion>,
}

/// A text that fits at a place.
#[derive(Debug, Clone, PartialEq)]
pub struct Completion {
    pub kind: CompletionKind,
    /// As it is listed.
    pub label: String,
    /// The text to insert, if it is more than the label.
    pub insert: Option<String>,
    pub detail: Option<Message>,
}

/// The kind of a completion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompletionKind {
    Field,
    Value,
    Tool,
    File,
    Skill,
}

/// `None`: there is nothing to offer at this place.
pub fn complete(cursor: Cursor<'_>) -> Option<Completions> {
    let before = cursor.text.get(..cursor.at)?;
    let found = match frontmatter(cursor.text) {
        Some(block) if is_manifest(cursor.path) && block.start <= cursor.at && cursor.at <= block.end => {
            in_frontmatter(cursor, before, block)
        }
        _ if is_markdown(cursor.path) => in_body(cursor, before),
        _ => None,
    };
    found.filter(|found| !found.items.is_empty())
}

/// Between the lines of `---`; up to the end if the second one is missing.
fn frontmatter(text: &str) -> Option<Span> {
    let is_line = |line: &str| line.trim_end() == "---";
    let first = text.split_inclusive('\n').next().filter(|line| is_line(line))?;
    let mut at = first.len();
    for line in text[at..].split_inclusive('\n') {
        if is_line(line) {
            return Some(Span::new(first.len(), at));
        }
        at += line.len();
    }
    Some(Span::new(first.len(), text.len()))
}

fn in_frontmatter(cursor: Cursor<'_>, before: &str, block: Span) -> Option<Completions> {
    let line = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
    let key = line;
    if key.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_')) {
        let there: BTreeSet<&str> = block.of(cursor.text).lines().filter_map(key_of).collect();
        let items = fields().filter(|(field, _)| !there.contains(field) || *field == key);
        let item = |(field, detail): (&str, Message)| Completion {
            kind: CompletionKind::Field,
            label: field.to_owned(),
            insert: Some(format!("{field}: ")),
            detail: Some(detail),
        };
        return Some(Completions {
            span: Span::new(cursor.at - key.len(), cursor.at),
            items: items.map(item).collect(),
        });
    }
    let (key, value) = match line.split_once(':') {
        Some((key, value)) if key_of(line) == Some(key) => (key, value.trim_start()),
        // An entry of a list below its key.
        _ => {
            let entry = line.trim_start().strip_prefix("- ")?;
            let above = block.start..cursor.at - line.len();
            let key = cursor.text[above].lines().rev().find_map(key_of)?;
            (key, entry.trim_start())
        }
    };
    if matches!(key, "allowed-tools" | "disallowed-tools" | "tools") {
        return Some(tools(cursor.at, value));
    }
    let values = values(key, cursor)?;
    let items = values.into_iter().map(|(label, detail)| Completion {
        kind: CompletionKind::Value,
        label,
        insert: None,
        detail,
    });
    Some(Completions { span: Span::new(cursor.at - value.len(), cursor.at), items: items.collect() })
}

/// The key of a line that begins with one.
fn key_of(line: &str) -> Option<&str> {
    let (key, rest) = line.split_once(':')?;
    let is_key = !key.is_empty() && key.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter));
    (is_key && (rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n']))).then_some(key)
}

/// Those of the specification first, then those that clients read.
fn fields() -> impl Iterator<Item = (&'static str, Message)> {
    let specified = SPECIFIED.iter().map(|field| (*field, message!("specification", "规范")));
    let of_clients: BTreeSet<&str> = client::ALL.iter().flat_map(|client| client.fields).copied().collect();
    let others = of_clients.into_iter().filter(|field| !SPECIFIED.contains(field));
    specified.chain(others.map(|field| {
        let reads = |client: &&&Client| client.fields.contains(&field);
        (field, client::titles(client::ALL.iter().filter(reads).copied()))
    }))
}

/// The word after the last blank or comma. Brackets may contain anything.
fn tools(at: usize, value: &str) -> Completions {
    let typed = &value[value.rfind([' ', ',', '[', '"', '\'']).map_or(0, |at| at + 1)..];
    let is_open = value.matches('(').count() > value.matches(')').count();
    let others = TOOLS.iter().filter(|tool| !USUAL.contains(tool));
    let all = if is_open { Vec::new() } else { USUAL.iter().chain(others).collect() };
    let item = |tool: &&str| Completion {
        kind: CompletionKind::Tool,
        label: (*tool).to_owned(),
        insert: None,
        detail: (!USUAL.contains(tool)).then(|| Message::quoted("Claude Code")),
    };
    Completions { span: Span::new(at - typed.len(), at), items: all.into_iter().map(item).collect() }
}

fn values(key: &str, cursor: Cursor<'_>) -> Option<Vec<(String, Option<Message>)>> {
    let plain = |words: &[&str]| Some(words.iter().map(|word| ((*word).to_owned(), None)).collect());
    match key {
        "name" => {
            let folder = cursor.path.parent()?.file_name()?;
            Some(vec![(
                folder.to_owned(),
                Some(message!("the folder's name, which it must be", "文件夹的名称，两者必须一致")),
            )])
        }
        "license" => {
            plain(&["Apache-2.0", "BSD-3-Clause", "CC-BY-4.0", "GPL-3.0-only", "MIT", "MPL-2.0", "Proprietary"])
        }
        "context" => plain(&["fork", "fork_with_context"]),
        "model" => plain(&["haiku", "inherit", "opus", "sonnet"]),
        "effort" => plain(&["low", "medium", "high", "max"]),
        "shell" => plain(&["bash", "powershell"]),
        "agent" => plain(&["Explore", "Plan", "general-purpose"]),
        "disable-model-invocation" | "user-invocable" | "background" | "default-enabled" | "enabled" | "disabled" => {
            plain(&["true", "false"])
        }
        _ => None,
    }
}

fn in_body(cursor: Cursor<'_>, before: &str) -> Option<Completions> {
    let line = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
    let from = line.rfind(|letter: char| letter.is_whitespace() || "`(\"'<>[]|，。；：（".contains(letter));
    let (edge, typed) = match from {
        Some(at) => {
            let letter = line[at..].chars().next()?;
            (Some(letter), &line[at + letter.len_utf8()..])
        }
        None => (None, line),
    };
    let in_link = edge == Some('(') && line[..line.len() - typed.len()].ends_with("](");
    let in_code = line.matches('`').count() % 2 == 1;
    // In plain prose nothing is offered until a path begins.
    if !(in_link || in_code || typed.contains('/')) || typed.contains("://") {
        return None;
    }
    let folder = if in_link {
        cursor.path.parent()?
    } else {
        cursor.skill.map(|skill| &*skill.path).or(cursor.path.parent())?
    };
    let typed_path = typed.strip_prefix("./").unwrap_or(typed);
    let mut items: Vec<Completion> = Vec::new();
    for file in cursor.skill.map(|skill| &*skill.files).unwrap_or_default() {
        if file.outside || file.path == cursor.path {
            continue;
        }
        let Some(label) = relative(folder, &file.path) else { continue };
        items.push(Completion { kind: CompletionKind::File, label, insert: None, detail: None });
    }
    if in_code && edge == Some('`') && !typed.contains('/') {
        let own = cursor.skill.map(Skill::name);
        let names: BTreeSet<&str> = cursor.skills.iter().map(Skill::name).filter(|name| Some(*name) != own).collect();
        let name = |name: &str| Completion {
            kind: CompletionKind::Skill,
            label: name.to_owned(),
            insert: None,
            detail: Some(message!("skill", "技能")),
        };
        items.extend(names.into_iter().map(name));
    }
    Some(Completions { span: Span::new(cursor.at - typed_path.len(), cursor.at), items })
}

fn is_manifest(path: &Utf8Path) -> bool {
    path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md"))
}

fn is_markdown(path: &Utf8Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("md") || ending.eq_ignore_ascii_case("markdown"))
}

#[cfg(test)]
mod tests {
    use camino::Utf8PathBuf;

    use super::*;

    struct Set {
        _folder: tempfile::TempDir,
        root: Utf8PathBuf,
        skills: Vec<Skill>,
    }

    fn set() -> Set {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
        let files = ["demo/SKILL.md", "demo/references/table.md", "demo/scripts/run.py", "other/SKILL.md"];
        for file in files {
            let path = root.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            let name = file.split('/').next().unwrap();
            std::fs::write(path, format!("---\nname: {name}\ndescription: d\n---\n")).unwrap();
        }
        let skills = skill::skills(&skill::load(std::slice::from_ref(&root)));
        Set { _folder: folder, root, skills }
    }

    /// What is offered at the `|` in a file of the skill `demo`, and what is replaced.
    fn offered(set: &Set, file: &str, marked: &str) -> Option<(String, Vec<String>)> {
        let at = marked.find('|').unwrap();
        let text = marked.replacen('|', "", 1);
        let path = set.root.join("demo").join(file);
        let skill = set.skills.iter().find(|skill| skill.name() == "demo");
        let found = complete(Cursor { path: &path, text: &text, at, skill, skills: &set.skills })?;
        Some((found.span.of(&text).to_owned(), found.items.into_iter().map(|item| item.label).collect()))
    }

    #[test]
    fn keys_that_are_not_there_yet_are_offered_those_of_the_specification_first() {
        let set = set();
        let (typed, keys) = offered(&set, "SKILL.md", "---\nname: demo\nli|\n---\n").unwrap();
        assert_eq!(
            (typed.as_str(), &keys[..3]),
            ("li", &["description", "license", "compatibility"].map(str::to_owned)[..])
        );
        assert!(!keys.contains(&"name".to_owned()) && keys.contains(&"user-invocable".to_owned()));
        assert!(offered(&set, "SKILL.md", "---\nna|").is_some(), "before the block is closed");
        assert_eq!(offered(&set, "references/table.md", "---\nna|\n---\n"), None);
    }

    #[test]
    fn values_and_tools_follow_their_key() {
        let set = set();
        let values = |marked| offered(&set, "SKILL.md", marked);
        assert_eq!(values("---\nname: |\n---\n").unwrap(), (String::new(), vec!["demo".to_owned()]));
        assert_eq!(values("---\nuser-invocable: t|\n---\n").unwrap().1, ["true", "false"]);
        let (typed, tools) = values("---\nallowed-tools: Read, Ba|\n---\n").unwrap();
        assert_eq!((typed.as_str(), tools[0].as_str()), ("Ba", "Bash"));
        assert_eq!(values("---\nallowed-tools: Bash(gi|\n---\n"), None, "what a pattern holds is not known");
        assert_eq!(values("---\nallowed-tools:\n  - Read\n  - W|\n---\n").unwrap().0, "W");
        assert_eq!(values("---\ndescription: a|\n---\n"), None);
    }

    #[test]
    fn files_are_offered_as_the_text_has_to_name_them() {
        let set = set();
        let body = |file, text: &str| offered(&set, file, &format!("---\nname: demo\n---\n{text}"));
        let files = vec!["references/table.md".to_owned(), "scripts/run.py".to_owned()];
        assert_eq!(body("SKILL.md", "See [it](ref|)").unwrap(), ("ref".to_owned(), files.clone()));
        assert_eq!(body("SKILL.md", "Run scripts/|").unwrap(), ("scripts/".to_owned(), files.clone()));
        let (_, coded) = body("SKILL.md", "Run `|").unwrap();
        assert_eq!(coded, [&files[..], &["other".to_owned()]].concat(), "and the names of other skills");
        assert_eq!(body("references/table.md", "[back](|").unwrap().1, ["../SKILL.md", "../scripts/run.py"]);
        for quiet in ["plain prose re|", "see https://example.org/a|"] {
            assert_eq!(body("SKILL.md", quiet), None, "{quiet}");
        }
    }

    #[test]
    fn any_place_in_any_text_is_looked_at_without_harm() {
        let set = set();
        let text = "---\nname: 演示\nallowed-tools: [Read\n---\n# 术语 `参考/|` ](é";
        let path = set.root.join("demo/SKILL.md");
        for at in 0..=text.len() + 2 {
            let _ = complete(Cursor { path: &path, text, at, skill: None, skills: &set.skills });
        }
    }
}
