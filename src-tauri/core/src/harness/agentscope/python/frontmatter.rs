//! `frontmatter.loads` of python-frontmatter.

use super::super::yaml::{self, Limits, Node, Tabs};
use super::values;

/// What the loader takes from a `SKILL.md`. A field is `None` where it is missing, or false to Python.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Post {
    pub name: Option<String>,
    pub description: Option<String>,
    pub content: String,
}

/// `text` is without its byte order mark. `Err` is why nothing could be read.
pub fn parse(text: &str) -> Result<Post, String> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text = strip(&text);
    let (block, content) = match boundaries(text, is_dashes) {
        Some((block, content)) => (block.to_owned(), content),
        None => match boundaries(text, |line| matches!(line, "{" | "}")) {
            Some((block, content)) => (json(block)?, content),
            None => return Ok(Post { content: text.to_owned(), ..Post::default() }),
        },
    };
    let content = strip(content).to_owned();
    let Some(node) = yaml::parse(&block, LIMITS)? else { return Ok(Post { content, ..Post::default() }) };
    values::check_keys(&node)?;
    let field = |node: &Node, name| values::field(node, name);
    Ok(Post { name: field(&node, "name")?, description: field(&node, "description")?, content })
}

const LIMITS: Limits = Limits { depth: 100, aliases: usize::MAX, tabs: Tabs::WithinLine };

/// What stands between a first line of this kind and the next one, and what comes after that.
fn boundaries(text: &str, is_boundary: fn(&str) -> bool) -> Option<(&str, &str)> {
    let first = text.split('\n').next().filter(|line| is_boundary(line))?.len();
    let mut at = first + 1;
    for line in text.get(at..)?.split('\n') {
        if is_boundary(line) {
            return Some((&text[first..at], &text[at + line.len()..]));
        }
        at += line.len() + 1;
    }
    None
}

fn is_dashes(line: &str) -> bool {
    let rest = line.trim_start_matches('-');
    line.len() - rest.len() >= 3 && rest.chars().all(is_space)
}

/// JSON is read as the YAML that it is too.
fn json(block: &str) -> Result<String, String> {
    let whole = format!("{{{block}}}");
    let checked: Result<serde_json::Value, _> = serde_json::from_str(&whole);
    checked.map(|_| whole).map_err(|error| error.to_string())
}

fn strip(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// `str.isspace`.
fn is_space(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\x1C'..='\x1F')
}
