//! The frontmatter of a `SKILL.md`, as serde reads it from YAML: every scalar is a text, other fields are ignored.
//! Invalid YAML is repaired line by line and read again.

use crate::reasons::Refusal;
use crate::yaml::{self, Content, Dialect, Document, Id, Limits, Style};

/// The frontmatter of a file, as Codex reads it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Matter {
    /// On one line; `None` if the folder's name counts.
    pub name: Option<String>,
    /// On one line.
    pub description: String,
    /// `metadata.short-description`, on one line.
    pub short_description: Option<String>,
    /// Where the instructions begin in the text.
    pub body: usize,
}

/// `folder`: gives the skill its name if it has none.
pub fn read(text: &str, folder: &str) -> Result<Matter, Refusal> {
    let (yaml, body) = block(text).ok_or("missing YAML frontmatter delimited by ---")?;
    let read = fields(&yaml).or_else(|error| match repaired(&yaml) {
        Some(repaired) => fields(&repaired).map_err(|_| error),
        None => Err(error),
    });
    let [name, description, short_description] = read.map_err(|error| match error {
        Refusal::Theirs(error) => format!("invalid YAML: {error}").into(),
        Refusal::Ours(_) => error,
    })?;
    let single = |text: Option<String>| text.map(|text| one_line(&text)).filter(|text| !text.is_empty());
    let (name, description) = (single(name), single(description));
    if name.as_deref().unwrap_or(folder).chars().count() > NAME_LIMIT {
        return Err(format!("invalid name: exceeds maximum length of {NAME_LIMIT} characters").into());
    }
    let description = description.ok_or("missing field `description`")?;
    Ok(Matter { name, description, short_description: single(short_description), body })
}

/// White space between words becomes a blank.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

const NAME_LIMIT: usize = 64;

/// The lines between two lines of three hyphens, and where the text continues. There must be at least one.
fn block(text: &str) -> Option<(String, usize)> {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().filter(|line| line.trim() == FENCE)?;
    let mut at = first.len();
    let mut inside = Vec::new();
    for line in lines {
        at += line.len();
        if line.trim() == FENCE {
            return (!inside.is_empty()).then(|| (inside.join("\n"), at));
        }
        let line = line.strip_suffix('\n').unwrap_or(line);
        inside.push(line.strip_suffix('\r').unwrap_or(line));
    }
    None
}

const FENCE: &str = "---";

type Fields = [Option<String>; 3];

fn fields(yaml: &str) -> Result<Fields, Refusal> {
    let limits = Limits { depth: DEPTH, ..Limits::of(Dialect::C) };
    let document = yaml::compose(yaml, Dialect::C, limits).map_err(|failure| {
        let at = failure.at();
        let message = match failure.refusal() {
            Refusal::Theirs(message) => message,
            ours @ Refusal::Ours(_) => return ours,
        };
        // serde looks at the first value before it knows that the rest is not YAML.
        let first = yaml::leading_scalar(yaml, Dialect::C, limits).filter(|_| !message.ends_with(CONTROL));
        Refusal::Theirs(match first {
            Some(text) => format!("invalid type: string {text:?}, expected struct SkillFrontmatter"),
            None => as_libyaml_says(&message, at, yaml),
        })
    })?;
    let Some(document) = document else { return Ok(Fields::default()) };
    let reading = Reading { document: &document, yaml };
    let mut found: Fields = Default::default();
    for (place, value) in reading.known(document.root, ["name", "description", "metadata"], "", "SkillFrontmatter")? {
        match place {
            0 | 1 => found[place] = reading.text(value, ["name", "description"][place])?,
            _ => {
                let metadata = reading.known(value, ["short-description"], METADATA, "SkillFrontmatterMetadata")?;
                for (_, short) in metadata {
                    found[2] = reading.text(short, "metadata.short-description")?;
                }
            }
        }
    }
    Ok(found)
}

/// Values inside each other that serde reads.
const DEPTH: usize = 128;
const METADATA: &str = "metadata";

struct Reading<'a> {
    document: &'a Document,
    yaml: &'a str,
}

impl Reading<'_> {
    /// The values of the keys that are known, with their places in `keys`. An empty value is a map without any.
    fn known<const N: usize>(&self, id: Id, keys: [&str; N], path: &str, of: &str) -> Result<Vec<(usize, Id)>, String> {
        let found = match &self.document.node(id).content {
            Content::Map(pairs) => pairs,
            Content::Scalar { text, style: Style::Plain, .. } if text.is_empty() => return Ok(Vec::new()),
            other => return Err(self.wrong(id, path, &format!("invalid type: {}, expected struct {of}", kind(other)))),
        };
        let mut known: Vec<(usize, Id)> = Vec::new();
        for (key, value) in found {
            let Content::Scalar { text, .. } = &self.document.node(*key).content else { continue };
            let Some(place) = keys.iter().position(|known| known == text) else { continue };
            if known.iter().any(|(other, _)| *other == place) {
                return Err(self.wrong(id, path, &format!("duplicate field `{text}`")));
            }
            known.push((place, *value));
        }
        Ok(known)
    }

    /// `None`: null.
    fn text(&self, id: Id, path: &str) -> Result<Option<String>, String> {
        match &self.document.node(id).content {
            Content::Scalar { text, implicit: true, .. } if is_null(text) => Ok(None),
            Content::Scalar { text, .. } => Ok(Some(text.clone())),
            other => Err(self.wrong(id, path, &format!("invalid type: {}, expected a string", kind(other)))),
        }
    }

    /// With the path and, if it is not the very beginning, the place.
    fn wrong(&self, id: Id, path: &str, problem: &str) -> String {
        let before = if path.is_empty() { String::new() } else { format!("{path}: ") };
        let start = self.document.node(id).range().start;
        let (mut line, mut column) = (1, 1);
        for letter in self.yaml.chars().take(start) {
            (line, column) = if letter == '\n' { (line + 1, 1) } else { (line, column + 1) };
        }
        let place = if start == 0 { String::new() } else { format!(" at line {line} column {column}") };
        format!("{before}{problem}{place}")
    }
}

fn kind(content: &Content) -> String {
    match content {
        Content::Scalar { text, .. } => format!("string {text:?}"),
        Content::List(_) => "sequence".to_owned(),
        Content::Map(_) | Content::Alias { .. } => "map".to_owned(),
    }
}

fn is_null(text: &str) -> bool {
    matches!(text, "~" | "null" | "Null" | "NULL")
}

/// The problem first, then what was being read. Nothing is said if that is the whole text.
fn as_libyaml_says(message: &str, at: Option<usize>, yaml: &str) -> String {
    if let (true, Some(at)) = (message.ends_with(CONTROL), at) {
        let bytes: usize = yaml.chars().take(at).map(char::len_utf8).sum();
        return format!("{CONTROL} at position {bytes}");
    }
    let mut said: Vec<(String, String)> = Vec::new();
    for line in message.lines() {
        let line = if line.starts_with("found undefined alias ") { "unknown anchor" } else { line };
        match line.strip_prefix(IN) {
            Some(place) => {
                let place = format!(" at {}", place.replace(',', ""));
                if let Some(last) = said.last_mut() {
                    last.1 = place;
                }
            }
            None => said.push((line.to_owned(), String::new())),
        }
    }
    for (_, place) in said.iter_mut().rev().skip(1).filter(|(_, place)| place == BEGINNING) {
        place.clear();
    }
    said.reverse();
    said.iter().map(|(text, place)| format!("{text}{place}")).collect::<Vec<_>>().join(", ")
}

const IN: &str = "  in \"<unicode string>\", ";
const BEGINNING: &str = " at line 1 column 1";
const CONTROL: &str = "control characters are not allowed";

/// With the values in single quotes that YAML stumbles over: a second colon on the line, or a mark that begins what does
/// not follow. Block scalars and what has quotes stay. `None`: there is nothing to repair.
fn repaired(yaml: &str) -> Option<String> {
    let mut is_repaired = false;
    let mut block: Option<usize> = None;
    let mut lines = Vec::new();
    for line in yaml.lines() {
        let indent = line.len() - line.trim_start_matches(' ').len();
        if block.is_some_and(|block| line.trim().is_empty() || indent > block) {
            lines.push(line.to_owned());
            continue;
        }
        block = None;
        match value(line) {
            Some(value) if value.text.starts_with(['|', '>']) => block = Some(indent),
            Some(value) if value.stumbles() => {
                is_repaired = true;
                lines.push(value.quoted());
                continue;
            }
            Some(_) | None => {}
        }
        lines.push(line.to_owned());
    }
    is_repaired.then(|| lines.join("\n"))
}

/// A line of a key and a value.
struct Line<'a> {
    /// Up to the value.
    head: &'a str,
    text: &'a str,
    /// The blank before it included.
    comment: &'a str,
}

fn value(line: &str) -> Option<Line<'_>> {
    let (key, rest) = line.split_once(':')?;
    if key.trim().is_empty() || !rest.starts_with(char::is_whitespace) {
        return None;
    }
    let value = rest.trim_start();
    let head = &line[..line.len() - value.len()];
    let begins = |at: &usize| value[..*at].chars().next_back().is_none_or(char::is_whitespace);
    let comment = value.match_indices('#').map(|(at, _)| at).find(begins).unwrap_or(value.len());
    let text = value[..comment].trim_end();
    (!text.is_empty()).then(|| Line { head, text, comment: &value[text.len()..] })
}

impl Line<'_> {
    fn stumbles(&self) -> bool {
        if self.text.starts_with(['\'', '"']) {
            return false;
        }
        let mut colons = self.text.match_indices(':');
        colons.any(|(at, _)| self.text[at + 1..].starts_with(char::is_whitespace))
            || (self.text.starts_with(['[', '{', '@', '`'])
                && yaml::compose(self.text, Dialect::C, Limits::of(Dialect::C)).is_err())
    }

    fn quoted(&self) -> String {
        format!("{}'{}'{}", self.head, self.text.replace('\'', "''"), self.comment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(yaml: &str) -> Result<(Option<String>, String), String> {
        let read = read(&format!("---\n{yaml}\n---\nBody.\n"), "folder");
        read.map(|matter| (matter.name, matter.description)).map_err(|refusal| refusal.message().en)
    }

    fn good(name: &str, description: &str) -> Result<(Option<String>, String), String> {
        Ok((Some(name.to_owned()).filter(|name| !name.is_empty()), description.to_owned()))
    }

    #[test]
    fn takes_a_file_apart_at_lines_of_three_hyphens() {
        let body = |text: &str| read(text, "f").map(|matter| text[matter.body..].to_owned());
        assert_eq!(body("---\ndescription: d\n---\nBody.\n"), Ok("Body.\n".into()));
        assert_eq!(body("--- \r\ndescription: d\r\n  ---\r\nBody.\r\n"), Ok("Body.\r\n".into()));
        assert_eq!(body("---\ndescription: d\n---"), Ok(String::new()));
        for text in ["", "Body.", "---\n---\nBody.", "---\ndescription: d\n", "\n---\ndescription: d\n---\n"] {
            assert_eq!(body(text), Err("missing YAML frontmatter delimited by ---".into()), "{text:?}");
        }
    }

    #[test]
    fn every_scalar_is_a_text_on_one_line() {
        assert_eq!(found("name: 1.10\ndescription: yes"), good("1.10", "yes"));
        assert_eq!(found("name: null\ndescription: 'null'"), good("", "null"));
        assert_eq!(found("name: ' '\ndescription: |\n  one\n\n  two"), good("", "one two"));
        assert_eq!(found("description: d\nname: a\nother: {x: [1]}"), good("a", "d"));
        let missing = Err("missing field `description`".to_owned());
        assert_eq!(
            ["name: a", "description:", "description: ~", "description: ' '", "", "# nothing"].map(found),
            [(); 6].map(|()| missing.clone())
        );
    }

    #[test]
    fn what_serde_does_not_take_is_named_with_its_place() {
        let wrong = |yaml: &str| found(yaml).unwrap_err();
        assert_eq!(
            wrong("name: a\ndescription: [b]"),
            "invalid YAML: description: invalid type: sequence, expected a string at line 2 column 14"
        );
        assert_eq!(wrong("name: a\nname: b\ndescription: d"), "invalid YAML: duplicate field `name`");
        assert_eq!(
            wrong("description: d\nmetadata: text"),
            "invalid YAML: metadata: invalid type: string \"text\", expected struct SkillFrontmatterMetadata at line 2 column 11"
        );
        assert_eq!(found("description: d\nmetadata:"), good("", "d"));
        assert_eq!(
            wrong("name: a\n\tdescription: b"),
            "invalid YAML: found a tab character that violates indentation at line 2 column 1, while scanning a plain scalar at line 1 column 7"
        );
        assert_eq!(
            wrong("name: a\ndescription: d\n- x"),
            "invalid YAML: did not find expected key at line 3 column 1, while parsing a block mapping"
        );
        assert_eq!(wrong("name: a\ndescription: *nope"), "invalid YAML: unknown anchor at line 2 column 14");
        assert_eq!(
            wrong("name: 中\ndescription: v\u{b}"),
            "invalid YAML: control characters are not allowed at position 24"
        );
        assert_eq!(
            wrong("name: a\ndescription: \"\\q\""),
            "invalid YAML: found unknown escape character at line 2 column 15, while parsing a quoted scalar at line 2 column 14"
        );
        assert_eq!(
            wrong("name: a\ndescription:d"),
            "invalid YAML: could not find expected ':' at line 3 column 1, while scanning a simple key at line 2 column 1"
        );
        let long = "n".repeat(65);
        assert_eq!(
            wrong(&format!("name: {long}\ndescription: d")),
            "invalid name: exceeds maximum length of 64 characters"
        );
    }

    #[test]
    fn a_second_colon_and_a_broken_start_are_repaired() {
        assert_eq!(found("name: a\ndescription: Use when: it's asked # now"), good("a", "Use when: it's asked"));
        assert_eq!(found("description: [d] and more\nargument-hint: <x: y>"), good("", "[d] and more"));
        assert_eq!(found("description: `x` does it"), good("", "`x` does it"));
        assert_eq!(found("description: >-\n  Use when: asked\nother: a: b"), good("", "Use when: asked"));
        assert_eq!(found("description: [use: when]"), good("", "[use: when]"), "also where only the type is wrong");
        assert_eq!(
            found("description: \"a\": b: c").unwrap_err(),
            "invalid YAML: mapping values are not allowed in this context at line 1 column 17"
        );
    }
}
