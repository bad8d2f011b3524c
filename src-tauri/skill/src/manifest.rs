//! `SKILL.md` taken apart, and everything the spec has to say against it. Works on text alone, so that it serves the
//! file on disk and the one being edited alike.

use std::collections::HashSet;
use std::sync::Arc;

use super::frontmatter::{self, Split};
use super::{Field, Frontmatter, Heading, Manifest, Problem, ProblemKind, YamlValue, body};
use crate::source::{Newline, READ_LIMIT, SourceText, Span};

/// The file's name, as frameworks look for it.
pub const FILE_NAME: &str = "SKILL.md";
/// Characters in a `name`.
pub const NAME_LIMIT: usize = 64;
/// Characters in a `description`.
pub const DESCRIPTION_LIMIT: usize = 1024;
/// Characters in `compatibility`.
pub const COMPATIBILITY_LIMIT: usize = 500;

impl Manifest {
    /// Reads a `SKILL.md`. The folder's name, which must be the skill's, is taken from the path.
    pub fn parse(source: Arc<SourceText>) -> Self {
        let mut findings = Findings { source: &source, problems: Vec::new() };
        findings.check_source();
        let text = source.text.as_str();
        let (frontmatter, body) = match frontmatter::split(text) {
            Split::Closed(block) => {
                let (frontmatter, error) = frontmatter::parse(text, block);
                findings.check_fields(&frontmatter, error.is_none());
                if let Some(error) = error {
                    findings.add(error.kind, Some(error.span));
                }
                if block.body.of(text).trim().is_empty() {
                    findings.add(ProblemKind::BodyEmpty, Some(block.body));
                }
                (Some(frontmatter), block.body)
            }
            Split::Unclosed(opening) => {
                findings.add(ProblemKind::FrontmatterUnclosed, Some(opening));
                (None, Span::new(0, text.len()))
            }
            Split::Missing => {
                if !text.trim().is_empty() {
                    findings.add(ProblemKind::FrontmatterMissing, Some(first_line(text)));
                }
                (None, Span::new(0, text.len()))
            }
        };
        let mut problems = findings.problems;
        problems.sort_by_key(|problem| problem.span.map(|span| span.start));
        Self { frontmatter, body, problems, source }
    }

    /// The outline of the instructions.
    pub fn headings(&self) -> Vec<Heading> {
        body::headings(&self.source.text, self.body)
    }
}

/// Whether a name is one by the spec: `a-z`, `0-9` and single hyphens between them, at most [`NAME_LIMIT`] characters.
pub fn is_valid_name(name: &str) -> bool {
    name.len() <= NAME_LIMIT && has_valid_characters(name)
}

fn has_valid_characters(name: &str) -> bool {
    name.split('-')
        .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()))
}

struct Findings<'a> {
    source: &'a SourceText,
    problems: Vec<Problem>,
}

impl Findings<'_> {
    fn add(&mut self, kind: ProblemKind, span: Option<Span>) {
        self.problems.push(Problem { kind, path: self.source.path.clone(), span });
    }

    fn check_source(&mut self) {
        let source = self.source;
        if let Some(found) = source.path.file_name().filter(|name| *name != FILE_NAME) {
            self.add(ProblemKind::ManifestMiscased { found: found.to_owned() }, None);
        }
        if let Some(size) = source.truncated_from {
            self.add(ProblemKind::TooLarge { size, limit: READ_LIMIT }, None);
        }
        if let Some(offset) = source.invalid_at {
            self.add(ProblemKind::NotUtf8 { offset }, source.invalid_span());
        }
        if source.bom {
            self.add(ProblemKind::Bom, None);
        }
        if source.newline() == Newline::Mixed {
            self.add(ProblemKind::MixedNewlines, None);
        }
        if source.text.trim().is_empty() {
            self.add(ProblemKind::Empty, None);
        }
    }

    /// `complete`: all fields could be read, so one that is not there is missing.
    fn check_fields(&mut self, frontmatter: &Frontmatter, complete: bool) {
        let fields = &frontmatter.fields;
        let mut seen = HashSet::new();
        for field in fields {
            if !seen.insert(field.key.as_str()) {
                self.add(ProblemKind::KeyDuplicate { key: field.key.clone() }, Some(field.key_span));
            }
        }
        let find = |key: &str| fields.iter().find(|field| field.key == key);
        for (key, limit) in [("name", NAME_LIMIT), ("description", DESCRIPTION_LIMIT)] {
            match find(key) {
                Some(field) => self.check_text(field, limit),
                None if complete => {
                    let opening = Span::new(frontmatter.block.start, frontmatter.yaml.start).trim(&self.source.text);
                    self.add(ProblemKind::KeyMissing { key: key.to_owned() }, Some(opening));
                }
                None => {}
            }
        }
        if let Some(field) = find("compatibility") {
            self.check_text(field, COMPATIBILITY_LIMIT);
        }
        if let Some(field) = find("name") {
            self.check_name(field);
        }
    }

    fn check_text(&mut self, field: &Field, limit: usize) {
        let key = field.key.clone();
        let place = if field.value_span.is_empty() { field.key_span } else { field.value_span };
        match &field.value {
            YamlValue::Null => self.add(ProblemKind::KeyEmpty { key }, Some(place)),
            YamlValue::List(_) | YamlValue::Map(_) => self.add(ProblemKind::KeyNotText { key }, Some(place)),
            YamlValue::Scalar { text, .. } if text.trim().is_empty() => {
                self.add(ProblemKind::KeyEmpty { key }, Some(place));
            }
            YamlValue::Scalar { text, .. } => {
                let length = text.chars().count();
                if length > limit {
                    self.add(ProblemKind::KeyTooLong { key, length, limit }, Some(place));
                }
            }
        }
    }

    fn check_name(&mut self, field: &Field) {
        let Some(name) = field.value.as_str().filter(|name| !name.trim().is_empty()) else { return };
        if !has_valid_characters(name) {
            self.add(ProblemKind::NameInvalid, Some(field.value_span));
        }
        let folder = self.source.path.parent().and_then(|folder| folder.file_name());
        if let Some(folder) = folder.filter(|folder| *folder != name) {
            let kind = ProblemKind::NameNotFolder { name: name.to_owned(), folder: folder.to_owned() };
            self.add(kind, Some(field.value_span));
        }
    }
}

fn first_line(text: &str) -> Span {
    Span::new(0, text.lines().next().unwrap_or_default().len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each problem's text and what it points at.
    fn problems_of(bytes: &[u8]) -> Vec<(String, Option<String>)> {
        problems_at("/skills/unit-converter/SKILL.md", bytes)
    }

    fn problems_at(path: &str, bytes: &[u8]) -> Vec<(String, Option<String>)> {
        let manifest = Manifest::parse(Arc::new(SourceText::decode(path.into(), bytes.to_vec(), None)));
        let text = &manifest.source.text;
        manifest
            .problems
            .iter()
            .map(|problem| (problem.kind.to_string(), problem.span.map(|span| span.of(text).to_owned())))
            .collect()
    }

    fn at(message: &str, source: &str) -> (String, Option<String>) {
        (message.to_owned(), Some(source.to_owned()))
    }

    fn whole(message: &str) -> (String, Option<String>) {
        (message.to_owned(), None)
    }

    const GOOD: &str = "---\nname: unit-converter\ndescription: Converts units.\n---\n\nMultiply.\n";

    #[test]
    fn a_good_skill_has_no_problems() {
        assert_eq!(problems_of(GOOD.as_bytes()), []);
        assert_eq!(problems_of(GOOD.replace('\n', "\r\n").as_bytes()), []);
        let chinese = "---\nname: unit-converter\ndescription: 换算单位。\n---\n\n# 用法\n\n相乘。\n";
        assert_eq!(problems_of(chinese.as_bytes()), []);
        let manifest =
            Manifest::parse(Arc::new(SourceText::of_text("/unit-converter/SKILL.md".into(), chinese.into())));
        assert_eq!(manifest.body.of(chinese), "\n# 用法\n\n相乘。\n");
        assert_eq!(manifest.headings()[0].span.of(chinese), "# 用法");
    }

    #[test]
    fn tells_of_a_byte_order_mark_and_mixed_lines() {
        let text = format!("\u{feff}{}", GOOD.replacen('\n', "\r\n", 2));
        let expected = [
            whole("the file starts with a byte order mark, which some frameworks do not accept"),
            whole("lines end both in LF and in CRLF"),
        ];
        assert_eq!(problems_of(text.as_bytes()), expected);
    }

    #[test]
    fn tells_where_the_text_is_not_utf8() {
        let mut bytes = GOOD.as_bytes().to_vec();
        let place = GOOD.find("Multiply").unwrap();
        bytes[place] = 0xFF;
        assert_eq!(problems_of(&bytes), [at(&format!("byte {place} is not valid UTF-8"), "\u{fffd}")]);
    }

    #[test]
    fn tells_what_is_wrong_with_the_frontmatter() {
        assert_eq!(problems_of(b""), [whole("the file is empty")]);
        assert_eq!(problems_of(b" \n"), [whole("the file is empty")]);
        assert_eq!(
            problems_of("# 标题\n\ntext\n".as_bytes()),
            [at("there is no frontmatter: the first line must be `---`", "# 标题")]
        );
        assert_eq!(
            problems_of(b"---\nname: unit-converter\n\ntext\n"),
            [at("the frontmatter is not closed: a line `---` must end it", "---")]
        );
        assert_eq!(
            problems_of("---\nname: unit-converter\ndescription: 用于: 换算\n---\nx\n".as_bytes()),
            [at(
                "the frontmatter is not valid YAML: `: ` inside a value that is not in quotes; put the value in quotes",
                ":"
            )]
        );
        assert_eq!(
            problems_of(b"---\njust words\n---\nx\n"),
            [at("the frontmatter must be a list of `key: value` lines", "just words")]
        );
    }

    #[test]
    fn tells_what_is_wrong_with_the_fields() {
        assert_eq!(
            problems_of(b"---\nlicense: MIT\n---\nx\n"),
            [at("`name` is missing", "---"), at("`description` is missing", "---")]
        );
        assert_eq!(
            problems_of(b"---\nname:\ndescription: [a]\ndescription: b\n---\n\n"),
            [
                at("`name` is empty", "name"),
                at("`description` must be text", "[a]"),
                at("`description` occurs twice", "description"),
                at("the instructions are empty", "\n"),
            ]
        );
        let long = format!("---\nname: {}\ndescription: {}\n---\nx\n", "a".repeat(65), "中".repeat(1025));
        assert_eq!(
            problems_at(&format!("/{}/SKILL.md", "a".repeat(65)), long.as_bytes()),
            [
                at("`name` has 65 characters; at most 64 are allowed", &"a".repeat(65)),
                at("`description` has 1025 characters; at most 1024 are allowed", &"中".repeat(1025)),
            ]
        );
    }

    #[test]
    fn tells_what_is_wrong_with_the_name() {
        assert_eq!(
            problems_of(GOOD.replace("unit-converter", "Unit--Converter").as_bytes()),
            [
                at("a name may only use a-z, 0-9 and single hyphens between them", "Unit--Converter"),
                at("the name `Unit--Converter` differs from the folder's name `unit-converter`", "Unit--Converter"),
            ]
        );
        assert_eq!(
            problems_at("/unit-converter/skill.md", GOOD.as_bytes()),
            [whole("the file is called `skill.md`; frameworks look for `SKILL.md`")]
        );
    }

    #[test]
    fn knows_valid_names() {
        for name in ["a", "unit-converter", "3d", &"a".repeat(64)] {
            assert!(is_valid_name(name), "{name}");
        }
        for name in ["", "-a", "a-", "a--b", "A", "a_b", "单位", "a b", &"a".repeat(65)] {
            assert!(!is_valid_name(name), "{name}");
        }
    }

    #[test]
    fn finds_the_key_that_is_there_twice_among_thousands() {
        let keys: String = (0..4_900).map(|number| format!("k{number}: v\n")).collect();
        let text = format!("---\nname: unit-converter\ndescription: d\n{keys}k7: again\n---\nDo it.\n");
        assert_eq!(problems_of(text.as_bytes()), [("`k7` occurs twice".to_owned(), Some("k7".to_owned()))]);
    }

    /// More keys than a file can give, since reading ends at `yaml::NODE_LIMIT` values. To compare each with all others, five
    /// thousand million pairs, would take minutes.
    #[test]
    fn the_time_to_check_fields_grows_with_their_number_and_no_faster() {
        let source = SourceText::decode("/skills/unit-converter/SKILL.md".into(), b"---\n---\n".to_vec(), None);
        let nowhere = Span::new(0, 0);
        let field = |key: String| Field { key, key_span: nowhere, value: YamlValue::Null, value_span: nowhere };
        let keys = (0..100_000).map(|number| format!("key-{number:06}"));
        let fields = keys.chain(["key-000007".to_owned()]).map(field).collect();
        let frontmatter = Frontmatter { fields, block: nowhere, yaml: nowhere };
        let mut findings = Findings { source: &source, problems: Vec::new() };
        findings.check_fields(&frontmatter, false);
        let kinds: Vec<_> = findings.problems.into_iter().map(|problem| problem.kind).collect();
        assert_eq!(kinds, [ProblemKind::KeyDuplicate { key: "key-000007".to_owned() }]);
    }
}
