//! An extension, whose skills come before those of the user: a folder with `gemini-extension.json`. Of that file, it
//! only matters whether the client accepts it. One that is installed may be a link, which a file in its folder says,
//! and may be switched off for some folders by a file next to it.

use std::collections::HashMap;
use std::sync::LazyLock;

use camino::{Utf8Path, Utf8PathBuf};
use regex::{Captures, Regex};
use serde::Deserialize;
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

/// The real path of an installed extension that is a link.
pub fn link(folder: &Folder) -> Option<Utf8PathBuf> {
    let said = json(folder, INSTALLED)?;
    let source = said.get("source").filter(|_| said.get("type").is_some_and(|kind| kind == "link"))?;
    Some(Utf8Path::new(source.as_str()?).components().collect())
}

const INSTALLED: &str = ".gemini-extension-install.json";

/// For which folders extensions are switched off.
#[derive(Debug, Default, Deserialize)]
pub struct Switches(HashMap<String, Switch>);

#[derive(Debug, Deserialize)]
struct Switch {
    overrides: Vec<String>,
}

impl Switches {
    /// `installed`: the folder of all extensions. A file that is not as it should be counts for nothing.
    pub fn of(installed: Option<&Folder>) -> Self {
        let said = installed.and_then(|folder| json(folder, "extension-enablement.json"));
        said.and_then(|said| serde_json::from_value(said).ok()).unwrap_or_default()
    }

    /// The last rule that fits the folder of the project decides.
    pub fn is_off(&self, name: &str, workspace: &Utf8Path) -> bool {
        let rules = self.0.get(name).into_iter().flat_map(|switch| &switch.overrides);
        rules.fold(false, |is_off, rule| {
            let (pattern, off) = rule.strip_prefix('!').map_or((rule.as_str(), false), |pattern| (pattern, true));
            if fits(pattern, workspace) { off } else { is_off }
        })
    }
}

/// A star matches anything; together with the slash before it, it also matches nothing.
fn fits(pattern: &str, folder: &Utf8Path) -> bool {
    let mut pieces = pattern.split('*').peekable();
    let mut expression = String::from("^");
    while let Some(piece) = pieces.next() {
        let bare = piece.strip_suffix('/').filter(|_| pieces.peek().is_some());
        expression.push_str(&regex::escape(bare.unwrap_or(piece)));
        if pieces.peek().is_some() {
            expression.push_str(if bare.is_some() { "(/.*)?" } else { "(.*)?" });
        }
    }
    let folder = format!("{}/", folder.as_str().trim_end_matches('/'));
    Regex::new(&format!("{expression}$")).is_ok_and(|expression| expression.is_match(&folder))
}

fn json(folder: &Folder, name: &str) -> Option<Value> {
    let file = folder.files().find(|file| file.name == name)?;
    serde_json::from_str(&file.source.as_ref()?.text).ok()
}

/// What `gemini-extension.json` calls it.
pub fn name(file: &File) -> Option<String> {
    let fields: Value = serde_json::from_str(&file.source.as_ref()?.text).ok()?;
    Some(fields.get("name")?.as_str()?.to_owned())
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

/// With variables replaced by their values. The variable for the project's folder stays if the folder is not known.
pub fn hydrated(parsed: Parsed, extension: &Utf8Path, workspace: Option<&Utf8Path>) -> Parsed {
    let hydrate = |text: &str| {
        let value = |found: &Captures| match &found[1] {
            "extensionPath" => extension.to_string(),
            "workspacePath" => workspace.map_or_else(|| found[0].to_owned(), Utf8Path::to_string),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_rule_that_fits_switches_an_extension_off_or_on() {
        let is_off = |overrides: &[&str]| {
            let switch = Switch { overrides: overrides.iter().map(|rule| (*rule).to_owned()).collect() };
            Switches(HashMap::from([("kit".to_owned(), switch)])).is_off("kit", Utf8Path::new("/home/u/p.x"))
        };
        assert!(is_off(&["!/*"]) && is_off(&["!/home/u/*"]) && is_off(&["!/home/u/p.x/"]) && is_off(&["!/h*/u/p.x*"]));
        assert!(!is_off(&[]) && !is_off(&["/*"]) && !is_off(&["!/home/u/"]) && !is_off(&["!/home/u/p+x/"]));
        assert!(!is_off(&["!/*", "/home/u/*"]) && is_off(&["/home/u/*", "!/*"]));
        assert!(!Switches::default().is_off("kit", Utf8Path::new("/")));
    }
}
