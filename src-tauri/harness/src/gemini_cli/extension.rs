//! An extension, whose skills come before those of the user: a folder with `gemini-extension.json`. Of that file only counts whether
//! the client takes it.

use std::sync::LazyLock;

use camino::Utf8Path;
use regex::{Captures, Regex};
use serde_json::Value;

use super::frontmatter::Parsed;
use crate::reasons;
use skill::{File, Folder};
use wording::{Message, Wording};

const FILE: &str = "gemini-extension.json";

/// The file that makes a folder an extension.
pub fn file(folder: &Folder) -> Option<&File> {
    folder.files().find(|file| file.name == FILE)
}

/// Why the client does not take an extension; `None`: it does.
pub fn refusal(file: &File) -> Option<Message> {
    let Some(source) = &file.source else { return Some(reasons::unread(file).into()) };
    let Ok(Value::Object(fields)) = serde_json::from_str(&source.text) else { return Some(NOT_JSON.into()) };
    let is_missing = |key: &str| match fields.get(key) {
        None | Some(Value::Null | Value::Bool(false)) => true,
        Some(Value::String(text)) => text.is_empty(),
        Some(Value::Number(number)) => number.as_f64() == Some(0.0),
        Some(_) => false,
    };
    if is_missing("name") || is_missing("version") {
        return Some(INCOMPLETE.into());
    }
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    let name = fields.get("name").and_then(Value::as_str);
    name.is_some_and(|name| !name.chars().all(is_letter)).then(|| WRONG_NAME.into())
}

const NOT_JSON: Wording = Wording::new(
    "gemini-extension.json of its extension is not valid JSON",
    "所属扩展的 gemini-extension.json 不是有效的 JSON",
);
const INCOMPLETE: Wording = Wording::new(
    "gemini-extension.json of its extension has no `name` or no `version`",
    "所属扩展的 gemini-extension.json 缺少 `name` 或 `version`",
);
const WRONG_NAME: Wording = Wording::new(
    "the name of its extension has other characters than letters, digits and dashes",
    "所属扩展的名称含有字母、数字和连字符以外的字符",
);

/// With what variables stand for. The place of the workspace is not known when skills are read, and stays as it is written.
pub fn hydrated(parsed: Parsed, extension: &Utf8Path) -> Parsed {
    let hydrate = |text: &str| {
        let value = |found: &Captures| match &found[1] {
            "extensionPath" => extension.to_string(),
            "/" | "pathSeparator" => "/".to_owned(),
            _ => found[0].to_owned(),
        };
        VARIABLE.replace_all(text, value).into_owned()
    };
    Parsed {
        name: hydrate(&parsed.name),
        description: hydrate(&parsed.description),
        body: hydrate(&parsed.body),
        ..parsed
    }
}

static VARIABLE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\$\{(.*?)\}").expect("the pattern is a constant"));
