//! YAML as strictyaml 1.7.3 reads it, on ruamel.yaml (both MIT License, see NOTICE): every value is a text, a list or a map,
//! and what it thinks confusing is refused: flow style, anchors, tags, keys that are there twice, and maps in a map that are
//! not indented alike.

use super::mark::{LINE_ENDS, Mistake, ScanPlace, Stage};
use super::{Content, Dialect, Document, Failure, Id, Limits, Style, compose_as};
use wording::message;

/// A value of YAML in which all is text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Strict {
    Text(String),
    List(Vec<Strict>),
    /// In order.
    Map(Vec<(String, Strict)>),
}

/// What `strictyaml.load(yaml).data` is. A text that is neither a list nor a map stays as it is written.
pub fn strict(yaml: &str) -> Result<Strict, Failure> {
    let read = compose_as(yaml, Dialect::Python, Limits::of(Dialect::Python), true).and_then(|document| {
        let Some(document) = document else { return Ok(None) };
        match document.node(document.root).content {
            Content::Scalar { .. } | Content::Alias { .. } => Ok(None),
            Content::List(_) | Content::Map(_) => document.strict(document.root).map(Some),
        }
    });
    match read {
        Ok(value) => Ok(value.unwrap_or_else(|| Strict::Text(yaml.to_owned()))),
        Err(Failure::Yaml { message, at }) => Err(Failure::Yaml { message: with_lines(&message), at }),
        Err(Failure::Raised(message)) => Err(Failure::Raised(with_lines(&message))),
        Err(ours @ Failure::Ours(_)) => Err(ours),
    }
}

impl Strict {
    /// The text of a scalar; `None` for lists and maps.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::List(_) | Self::Map(_) => None,
        }
    }
}

impl Document {
    fn strict(&self, id: Id) -> Result<Strict, Failure> {
        match &self.node(id).content {
            // Marks of YAML 1.1, for a merge and a default value, which come out as nothing.
            Content::Scalar { text, style: Style::Plain, .. } if text == "<<" || text == "=" => {
                Ok(Strict::Text(String::new()))
            }
            Content::Scalar { text, .. } => Ok(Strict::Text(text.clone())),
            Content::Alias { .. } => Err(Failure::ours(&message!("aliases", "别名"))),
            Content::List(items) => {
                Ok(Strict::List(items.iter().map(|item| self.strict(*item)).collect::<Result<_, _>>()?))
            }
            Content::Map(pairs) => self.strict_map(pairs).map(Strict::Map),
        }
    }

    fn strict_map(&self, pairs: &[(Id, Id)]) -> Result<Vec<(String, Strict)>, Failure> {
        let mut known = std::collections::HashSet::new();
        let mut map = Vec::new();
        for (key, value) in pairs {
            let Content::Scalar { text, .. } = &self.node(*key).content else {
                return Err(Failure::ours(&message!("keys that are lists or maps", "以列表或映射作为键的内容")));
            };
            let value = self.strict(*value)?;
            if !known.insert(text.as_str()) {
                return Err(self.confusing(*key, &format!("Duplicate key '{text}' found")));
            }
            map.push((text.clone(), value));
        }
        let maps = pairs.iter().map(|(_, value)| *value);
        let mut maps = maps.filter(|value| matches!(self.node(*value).content, Content::Map(_)));
        let first = maps.next().map(|value| self.column(value));
        match maps.find(|value| Some(self.column(*value)) != first) {
            Some(odd) => Err(self.confusing(odd, "Found mapping with indentation inconsistent with previous mapping")),
            None => Ok(map),
        }
    }

    fn column(&self, id: Id) -> usize {
        let before = &self.text[..self.node(id).start.index];
        before.iter().rev().take_while(|letter| !LINE_ENDS.contains(letter)).count()
    }

    fn confusing(&self, id: Id, problem: &str) -> Failure {
        let node = self.node(id);
        let at = ScanPlace { index: node.range().end, ..node.start };
        let context = Some(("While parsing".to_owned(), Some(node.start)));
        let mistake = Mistake { stage: Stage::Composer, context, problem: problem.to_owned(), at };
        let message = mistake.by_ruamel(&self.text);
        Failure::Yaml { message, at: Some(node.start.index) }
    }
}

/// ruamel.yaml puts the line's number behind the caret as well.
fn with_lines(message: &str) -> String {
    let mut number = "";
    let line = |line| {
        if let Some(place) = str::strip_prefix(line, "  in \"<unicode string>\", line ") {
            number = place.split(',').next().unwrap_or_default();
        }
        if line.trim_start() == "^" { format!("{line} (line: {number})") } else { line.to_owned() }
    };
    message.split('\n').map(line).collect::<Vec<_>>().join("\n")
}
