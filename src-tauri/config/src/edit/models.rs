//! Adds, changes and removes an entry of a `models.yaml`.

use std::ops::Range;

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::{Map, Value};

use super::lines::{Lines, has_content, indent, is_entry, split};
use crate::{ConfigError, Models};
use model::entry::ModelEntry;
use wording::{Message, message};

/// How a file begins that was not there.
pub const NEW_MODELS_FILE: &str = "\
# The models that Skill Workbench can ask. `skillbench models` and the settings change this file too, and keep what else
# is in it. Keys are never in here: an entry names the environment variable or the keyring's entry that holds one, or the
# command that prints it.
#
# Skill Workbench 可以询问的模型。`skillbench models` 和设置也会更改此文件，其余内容保持不变。密钥从不写在这里：
# 每一项只写存放密钥的环境变量、密钥环中的条目，或打印密钥的命令。
";

/// Why a file was left as it is.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.worded().en)]
pub enum EditError {
    Config(#[from] ConfigError),
    Taken {
        id: String,
    },
    Unknown {
        id: String,
    },
    /// The fields to be written are not a valid model.
    Entry {
        reason: Message,
    },
    /// `line` counts from 1.
    Risky {
        path: Utf8PathBuf,
        line: usize,
    },
}

impl EditError {
    /// What keeps `models.yaml` from being edited.
    pub fn worded(&self) -> Message {
        match self {
            Self::Config(error) => error.worded(),
            Self::Taken { id } => message!("there is already a model `{id}`", "已有模型 `{id}`"),
            Self::Unknown { id } => message!("there is no model `{id}`", "没有模型 `{id}`"),
            Self::Entry { reason } => reason.clone(),
            Self::Risky { path, line } => message!(
                "{path}:{line}: this is written in a way that cannot be changed here without risk to the rest",
                "{path}:{line}：此处的写法无法在这里修改而不影响其余内容"
            ),
        }
    }
}

/// The text with one more model, behind the others. `path` is for errors only.
pub fn add_model(path: &Utf8Path, text: &str, entry: &ModelEntry) -> Result<String, EditError> {
    let mut wanted = Models::parse(path, text)?;
    free(&wanted, &entry.id)?;
    wanted.models.push(checked(entry)?);
    let lines = Lines::of(text);
    let at = lines.key("models", 0..lines.0.len());
    confirmed(path, added(&lines, at, &entry.written()), &wanted, at)
}

/// The text with the model `id` changed to `entry`, which may have another id. Lines of what stays the same stay.
pub fn change_model(path: &Utf8Path, text: &str, id: &str, entry: &ModelEntry) -> Result<String, EditError> {
    let mut wanted = Models::parse(path, text)?;
    let place = place(&wanted, id)?;
    if entry.id != id {
        free(&wanted, &entry.id)?;
    }
    let before = std::mem::replace(&mut wanted.models[place], checked(entry)?).written();
    let lines = Lines::of(text);
    let item = item(&lines, place, wanted.models.len());
    let at = item.as_ref().map(|item| item.start).or_else(|| lines.key("models", 0..lines.0.len()));
    let changed = item.and_then(|item| with_entry(&lines, &item, &before, &entry.written()));
    confirmed(path, changed, &wanted, at)
}

/// The text without the model `id`. Comments in its lines go with it, those around it stay.
pub fn remove_model(path: &Utf8Path, text: &str, id: &str) -> Result<String, EditError> {
    let mut wanted = Models::parse(path, text)?;
    let place = place(&wanted, id)?;
    let lines = Lines::of(text);
    let item = item(&lines, place, wanted.models.len());
    let at = item.as_ref().map(|item| item.start).or_else(|| lines.key("models", 0..lines.0.len()));
    wanted.models.remove(place);
    let changed = item.and_then(|item| {
        let without = lines.replaced(item, &[]);
        if wanted.models.is_empty() { with_empty_list(&without) } else { Some(without) }
    });
    confirmed(path, changed, &wanted, at)
}

fn free(models: &Models, id: &str) -> Result<(), EditError> {
    match place(models, id) {
        Ok(_) => Err(EditError::Taken { id: id.to_owned() }),
        Err(_) => Ok(()),
    }
}

fn place(models: &Models, id: &str) -> Result<usize, EditError> {
    let place = models.models.iter().position(|model| model.id == id);
    place.ok_or_else(|| EditError::Unknown { id: id.to_owned() })
}

fn checked(entry: &ModelEntry) -> Result<ModelEntry, EditError> {
    crate::checked_model(&Value::Object(entry.written())).map_err(|reason| EditError::Entry { reason })
}

/// Only the parsed result decides, not what the lines looked like.
fn confirmed(
    path: &Utf8Path,
    changed: Option<String>,
    wanted: &Models,
    at: Option<usize>,
) -> Result<String, EditError> {
    let changed = changed.filter(|changed| Models::parse(path, changed).is_ok_and(|models| models == *wanted));
    changed.ok_or_else(|| EditError::Risky { path: path.to_owned(), line: at.unwrap_or(0) + 1 })
}

/// The lines of entry `place` of `count`.
fn item(lines: &Lines, place: usize, count: usize) -> Option<Range<usize>> {
    let at = lines.key("models", 0..lines.0.len())?;
    let items = lines.entries(&lines.below(at));
    if items.len() == count { items.into_iter().nth(place) } else { None }
}

/// `at` is the line of `models`, if there is one.
fn added(lines: &Lines, at: Option<usize>, fields: &Map<String, Value>) -> Option<String> {
    let Some(at) = at else {
        let mut list = vec!["models:".to_owned()];
        list.extend(entry_lines(fields, 2)?);
        return Some(lines.inserted(lines.0.len(), &list));
    };
    let items = lines.entries(&lines.below(at));
    let Some(last) = items.last() else {
        let line = lines.0[at].trim_end();
        let value = value(line, line.find(':')? + 1)?;
        let list = match &line[value.clone()] {
            "" => line.to_owned(),
            "[]" => [line[..value.start].trim_end(), &line[value.end..]].concat(),
            _ => return None,
        };
        return Some(lines.replaced(at..at + 1, &[vec![list], entry_lines(fields, indent(line) + 2)?].concat()));
    };
    let mut entry = entry_lines(fields, indent(lines.0[last.start]))?;
    let is_spaced = items.len() > 1 && lines.0[last.start - 1].trim().is_empty();
    if is_spaced {
        entry.insert(0, String::new());
    }
    Some(lines.inserted(last.end, &entry))
}

fn with_empty_list(text: &str) -> Option<String> {
    let lines = Lines::of(text);
    let at = lines.key("models", 0..lines.0.len())?;
    let line = lines.0[at].trim_end();
    let (before, after) = line.split_at(line.find(':')? + 1);
    Some(lines.replaced(at..at + 1, &[format!("{before} []{after}")]))
}

/// The text with one entry of the list changed.
fn with_entry(
    lines: &Lines,
    item: &Range<usize>,
    before: &Map<String, Value>,
    after: &Map<String, Value>,
) -> Option<String> {
    let first = lines.0[item.start];
    let dash = indent(first);
    let rest = &first[dash + 1..];
    let around = |entry: &str| [&lines.0[..item.start].concat(), entry, &lines.0[item.end..].concat()].concat();
    let below = lines.0[item.start + 1..item.end].concat();
    if rest.trim_start().starts_with('{') {
        let written = first.trim_end();
        let value = value(written, dash + 1).filter(|_| below.is_empty())?;
        let end = &first[written.len()..];
        let flow = flow(&Value::Object(after.clone()));
        return Some(around(&[&first[..value.start], &flow, &written[value.end..], end].concat()));
    }
    if !has_content(rest) {
        return Some(around(&[first, &with_fields(&below, before, after)?].concat()));
    }
    // With a blank in place of the dash the entry is a map like any other.
    let map = [&first[..dash], " ", rest, &below].concat();
    let mut map = with_fields(&map, before, after)?;
    let dash = first_content(&map)? + dash;
    if map.get(dash..=dash) != Some(" ") {
        return None;
    }
    map.replace_range(dash..=dash, "-");
    Some(around(&map))
}

/// Where the first line begins that is not empty or a comment.
fn first_content(text: &str) -> Option<usize> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if has_content(line) {
            return Some(start);
        }
        start += line.len();
    }
    None
}

/// The lines of a map, with what differs between `before` and `after` changed.
pub(super) fn with_fields(text: &str, before: &Map<String, Value>, after: &Map<String, Value>) -> Option<String> {
    let mut text = text.to_owned();
    for (name, value) in after.iter().filter(|(name, value)| before.get(*name) != Some(value)) {
        text = with_field(&text, name, before.get(name), value)?;
    }
    for name in before.keys().filter(|name| !after.contains_key(*name)) {
        let lines = Lines::of(&text);
        let at = lines.key(name, 0..lines.0.len())?;
        text = lines.replaced(at..lines.below(at).end, &[]);
    }
    Some(text)
}

fn with_field(text: &str, name: &str, before: Option<&Value>, after: &Value) -> Option<String> {
    let lines = Lines::of(text);
    let all = 0..lines.0.len();
    let margin = lines.indent_in(&all)?;
    let Some(at) = lines.key(name, all) else {
        let end = lines.0.iter().rposition(|line| has_content(line))? + 1;
        return Some(lines.inserted(end, &field_lines(name, after, margin)?));
    };
    let below = lines.below(at);
    let (_, rest) = split(lines.0[at])?;
    if lines.contents(&below) > 0 {
        if let (Some(Value::Object(before)), Value::Object(after)) = (before, after)
            && !has_content(rest)
            && !is_entry(lines.0[below.clone()].iter().find(|line| has_content(line))?)
        {
            let inner = with_fields(&lines.0[below.clone()].concat(), before, after)?;
            return Some([&lines.0[..below.start].concat(), &*inner, &lines.0[below.end..].concat()].concat());
        }
        return Some(lines.replaced(at..below.end, &field_lines(name, after, margin)?));
    }
    let line = lines.0[at].trim_end();
    let colon = line.find(':')? + 1;
    let value = value(line, colon)?;
    let is_flow = line[value.clone()].starts_with(['{', '[']);
    if is_flow || !(after.is_object() || after.is_array()) {
        let written = if is_flow { flow(after) } else { scalar(after) };
        let changed = if value.is_empty() {
            format!("{} {written}{}", &line[..colon], &line[colon..])
        } else {
            [&line[..value.start], &written, &line[value.end..]].concat()
        };
        return Some(lines.replaced(at..at + 1, &[changed]));
    }
    let mut added = field_lines(name, after, margin)?;
    added[0] = [line[..value.start].trim_end(), &line[value.end..]].concat();
    Some(lines.replaced(at..at + 1, &added))
}

/// Where the value that begins after `from` is, without a comment at its end. `None`: it continues on the next lines.
fn value(line: &str, from: usize) -> Option<Range<usize>> {
    let start = line.len() - line[from..].trim_start().len();
    let (mut end, mut quote, mut is_escaped, mut previous) = (start, None, false, ' ');
    for (offset, char) in line[start..].char_indices() {
        match quote {
            Some('"') if is_escaped => is_escaped = false,
            Some('"') if char == '\\' => is_escaped = true,
            Some(open) if char == open => quote = None,
            Some(_) => {}
            None if char == '#' && previous.is_whitespace() => break,
            None if matches!(char, '"' | '\'') && (previous.is_whitespace() || "[{,:".contains(previous)) => {
                quote = Some(char);
            }
            None => {}
        }
        if !char.is_whitespace() {
            end = start + offset + char.len_utf8();
        }
        previous = char;
    }
    quote.is_none().then_some(start..end)
}

/// The lines of a new entry whose dash is after `margin` blanks.
fn entry_lines(fields: &Map<String, Value>, margin: usize) -> Option<Vec<String>> {
    let mut lines = Vec::new();
    for (name, value) in fields {
        lines.extend(field_lines(name, value, margin + 2)?);
    }
    lines.first_mut()?.replace_range(margin..=margin, "-");
    Some(lines)
}

pub(super) fn field_lines(name: &str, value: &Value, margin: usize) -> Option<Vec<String>> {
    let field = Map::from_iter([(name.to_owned(), value.clone())]);
    let written = serde_yaml::to_string(&field).ok()?;
    let indented = |line: &str| if line.is_empty() { String::new() } else { format!("{:margin$}{line}", "") };
    Some(written.lines().map(indented).collect())
}

/// A value in one line, as it is in brackets.
fn flow(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| format!("{}: {}", flow_text(name), flow(value)));
            format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
        }
        Value::Array(values) => format!("[{}]", values.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Value::String(text) => flow_text(text),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

/// Without quotes if none are needed.
fn flow_text(text: &str) -> String {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-./".contains(&byte));
    let scalar = scalar(&Value::from(text));
    if is_plain && scalar == text { scalar } else { Value::from(text).to_string() }
}

/// A value in one line.
fn scalar(value: &Value) -> String {
    let written = serde_yaml::to_string(value).unwrap_or_default();
    let written = written.trim_end_matches('\n');
    // JSON's escapes are YAML's.
    if written.is_empty() || written.contains('\n') { value.to_string() } else { written.to_owned() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use model::entry::{Prices, Timeouts};
    use model::protocol::Protocol;
    use model::secret::KeyRef;

    const FILE: &str = "models.yaml";

    const TEXT: &str = "\
# mine
models:
  # the small one
  - id: small   # fast
    provider: openAi
    baseUrl: \"http://localhost:8080/v1\" # this machine
    model: 'q # 1'

    # what it costs
    prices:
      input: 1 # guessed
      output: 2
  - {id: large, provider: anthropic, baseUrl: 'http://x', model: c} # in one line
# the rest
network:
  proxy: none
";

    fn entry(id: &str) -> ModelEntry {
        ModelEntry::new(id, Protocol::OpenAi, "http://localhost:8080/v1", "m")
    }

    fn found(text: &str, id: &str) -> ModelEntry {
        let models = Models::parse(FILE.into(), text).unwrap().models;
        models.into_iter().find(|model| model.id == id).unwrap()
    }

    fn add(text: &str, entry: &ModelEntry) -> String {
        add_model(FILE.into(), text, entry).unwrap()
    }

    fn change(text: &str, id: &str, change: impl FnOnce(&mut ModelEntry)) -> Result<String, String> {
        let mut entry = found(text, id);
        change(&mut entry);
        change_model(FILE.into(), text, id, &entry).map_err(|error| error.to_string())
    }

    fn remove(text: &str, id: &str) -> String {
        remove_model(FILE.into(), text, id).unwrap()
    }

    #[test]
    fn a_model_is_added_behind_the_others_without_what_goes_without_saying() {
        let made = "models:\n  - id: a\n    provider: openAi\n    baseUrl: http://localhost:8080/v1\n    model: m\n";
        assert_eq!(add("", &entry("a")), made);
        assert_eq!(add(NEW_MODELS_FILE, &entry("a")), format!("{NEW_MODELS_FILE}{made}"));
        assert_eq!(add("network: {proxy: none}", &entry("a")), format!("network: {{proxy: none}}\n{made}"));
        assert_eq!(add("models: [] # none yet\n", &entry("a")), made.replace("models:", "models: # none yet"));
        let whole = ModelEntry {
            key: Some(KeyRef::Keyring("openai".into())),
            stream: false,
            context: Some(8000),
            prices: Some(Prices { input: 10.0, output: 0.5, cached: None, cache_written: None }),
            timeouts: Timeouts { idle: 7, ..Timeouts::default() },
            body: Map::from_iter([("stop".to_owned(), json!(["a: b", "c"]))]),
            ..entry("whole")
        };
        let fields = "  - id: whole\n    provider: openAi\n    baseUrl: http://localhost:8080/v1\n    model: m\n    key:\n      \
                      keyring: openai\n    stream: false\n    body:\n      stop:\n      - 'a: b'\n      - c\n    \
                      context: 8000\n    prices:\n      input: 10\n      output: 0.5\n    timeouts:\n      idle: 7\n";
        assert_eq!(add(TEXT, &whole), TEXT.replace("# the rest\n", &format!("{fields}# the rest\n")));
    }

    #[test]
    fn the_files_own_margins_and_blank_lines_are_kept_up() {
        let one = "- id: a\n  provider: openAi\n  baseUrl: http://x\n  model: m\n";
        let text = format!("models:\n{one}\n{}", one.replace("id: a", "id: b"));
        let next = "\n- id: c\n  provider: openAi\n  baseUrl: http://localhost:8080/v1\n  model: m\n";
        assert_eq!(add(&text, &entry("c")), format!("{text}{next}"));
        let crlf = text.replace('\n', "\r\n");
        assert_eq!(add(&crlf, &entry("c")), format!("{crlf}{}", next.replace('\n', "\r\n")));
    }

    #[test]
    fn only_the_lines_of_what_changes_change() {
        let price = |entry: &mut ModelEntry| entry.prices = Some(Prices { input: 3.0, ..entry.prices.unwrap() });
        assert_eq!(change(TEXT, "small", price), Ok(TEXT.replace("input: 1 #", "input: 3 #")));
        let address = |entry: &mut ModelEntry| entry.base_url = "http://y".into();
        assert_eq!(change(TEXT, "small", address), Ok(TEXT.replace("\"http://localhost:8080/v1\"", "http://y")));
        let name = |entry: &mut ModelEntry| entry.id = "tiny".into();
        assert_eq!(change(TEXT, "small", name), Ok(TEXT.replace("id: small ", "id: tiny ")));
        let key = |entry: &mut ModelEntry| entry.key = Some(KeyRef::Env("A_KEY".into()));
        assert_eq!(
            change(TEXT, "small", key),
            Ok(TEXT.replace("      output: 2\n", "      output: 2\n    key:\n      env: A_KEY\n"))
        );
        let free = |entry: &mut ModelEntry| entry.prices = None;
        assert_eq!(
            change(TEXT, "small", free),
            Ok(TEXT.replace("    prices:\n      input: 1 # guessed\n      output: 2\n", ""))
        );
        assert_eq!(change(TEXT, "small", |_| {}), Ok(TEXT.to_owned()));
    }

    #[test]
    fn an_entry_in_one_line_stays_in_one_line() {
        let change = |id: &str, key| change(TEXT, id, |entry| entry.key = Some(key));
        let line = "{ id: large, provider: anthropic, baseUrl: \"http://x\", model: c, key: { env: A_KEY } }";
        assert_eq!(
            change("large", KeyRef::Env("A_KEY".into())),
            Ok(TEXT.replace("{id: large, provider: anthropic, baseUrl: 'http://x', model: c}", line))
        );
    }

    #[test]
    fn a_command_is_a_list_in_the_files_own_style() {
        let key = |entry: &mut ModelEntry| {
            let command = ["vault", "read", "-field=key", "a b"].map(String::from).to_vec();
            entry.key = Some(KeyRef::Command { command, lifetime: Some(60) });
        };
        let lines = "    key:\n      command:\n      - vault\n      - read\n      - -field=key\n      - a b\n      \
                     lifetime: 60\n";
        let added = TEXT.replace("      output: 2\n", &format!("      output: 2\n{lines}"));
        assert_eq!(change(TEXT, "small", key), Ok(added));
        let flow = "key: { command: [vault, read, \"-field=key\", \"a b\"], lifetime: 60 } }";
        assert!(change(TEXT, "large", key).unwrap().contains(flow));
    }

    #[test]
    fn a_key_in_brackets_a_default_that_was_written_and_a_dash_alone_are_changed_in_place() {
        let text = "models:\n-\n  key: {env: OLD} # why\n  id: a\n  provider: openAi\n  baseUrl: http://x\n  model: m\n  \
                    stream: true # yes\n";
        let key = |entry: &mut ModelEntry| entry.key = Some(KeyRef::Keyring("a".into()));
        assert_eq!(change(text, "a", key), Ok(text.replace("{env: OLD}", "{ keyring: a }")));
        let stream = |entry: &mut ModelEntry| entry.stream = false;
        assert_eq!(change(text, "a", stream), Ok(text.replace("stream: true", "stream: false")));
        let first = text.replace("-\n  key", "- key");
        let none = |entry: &mut ModelEntry| entry.key = None;
        assert_eq!(change(&first, "a", none), Ok(first.replace("- key: {env: OLD} # why\n  id", "- id")));
    }

    #[test]
    fn a_model_is_removed_and_comments_around_it_stay() {
        let small = &TEXT[TEXT.find("  - id: small").unwrap()..TEXT.find("  - {id").unwrap()];
        let without = TEXT.replace(small, "");
        assert_eq!(remove(TEXT, "small"), without);
        let large = "  - {id: large, provider: anthropic, baseUrl: 'http://x', model: c} # in one line\n";
        assert_eq!(remove(&without, "large"), without.replace("models:", "models: []").replace(large, ""));
    }

    #[test]
    fn says_why_nothing_was_changed() {
        let error = |result: Result<String, EditError>| result.unwrap_err().to_string();
        let path = Utf8Path::new(FILE);
        assert_eq!(error(add_model(path, TEXT, &entry("small"))), "there is already a model `small`");
        assert_eq!(error(change_model(path, TEXT, "small", &entry("large"))), "there is already a model `large`");
        assert_eq!(error(change_model(path, TEXT, "other", &entry("other"))), "there is no model `other`");
        assert_eq!(error(remove_model(path, TEXT, "other")), "there is no model `other`");
        assert_eq!(
            error(add_model(path, TEXT, &ModelEntry { base_url: "x".into(), ..entry("a") })),
            "baseUrl: baseUrl must be an http or https address such as `http://localhost:8080/v1`, not `x`"
        );
        assert_eq!(
            error(add_model(path, TEXT, &entry("rehearsal"))),
            "`rehearsal` is the built-in model; choose another id"
        );
        let broken = error(add_model(path, "models:\n- id: [\n", &entry("a")));
        assert!(broken.starts_with("models.yaml:"), "{broken}");
        let brackets = "# one\n\nmodels: [{id: a, provider: openAi, baseUrl: 'http://x', model: m}]\n";
        for result in [
            add_model(path, brackets, &entry("b")),
            change_model(path, brackets, "a", &entry("a")),
            remove_model(path, brackets, "a"),
        ] {
            let risky = "models.yaml:3: this is written in a way that cannot be changed here without risk to the rest";
            assert_eq!(error(result), risky);
        }
    }

    /// An entry as users may write it, with comments wherever YAML allows them.
    fn written(id: usize) -> impl Strategy<Value = String> {
        let field = prop::sample::select(vec![
            "key: {env: A_KEY}",
            "key:\n    # inside\n    keyring: 'a'",
            "stream: true",
            "context: 1000",
            "prices: {input: 1.5, output: 2}",
            "prices:\n    input: 1.5 # low\n    # between\n    output: 2",
            "timeouts: {idle: 5}",
            "body:\n    stop:\n    - \"#\"\n    - b",
            "headers:\n    X-Title: 'it''s # here'",
        ]);
        let comment = prop::sample::select(vec!["", " # c1", "\n  # c2", "\n\n  # c3"]);
        prop::collection::vec((field, comment), 0..6).prop_map(move |fields| {
            let mut names = Vec::new();
            let mut out = format!("- id: m{id} # id\n  provider: openAi\n  baseUrl: http://x\n  model: m\n");
            for (field, comment) in fields {
                let name = field.split(':').next().unwrap();
                if !names.contains(&name) {
                    names.push(name);
                    out.push_str(&format!("  {field}{comment}\n"));
                }
            }
            out
        })
    }

    fn file() -> impl Strategy<Value = String> {
        let between = prop::sample::select(vec!["", "\n", "# between entries\n", "\n# own words\n\n"]);
        let entries = (written(0), written(1), written(2), prop::collection::vec(between, 4), 0..3usize);
        let layout = prop::sample::select(vec!["\n", "\r\n"]);
        (entries, layout).prop_map(|((a, b, c, between, margin), newline)| {
            let list = format!("{}{a}{}{b}{}{c}{}", between[0], between[1], between[2], between[3]);
            let indented = list.lines().map(|line| match line {
                "" => "\n".to_owned(),
                line => format!("{}{line}\n", " ".repeat(margin)),
            });
            format!("# head\nmodels: # list\n{}network: {{}} # end\n", indented.collect::<String>())
                .replace('\n', newline)
        })
    }

    /// The lines of a text in order, without those of entry `m1`.
    fn others(text: &str) -> Vec<&str> {
        let lines = Lines::of(text);
        let at = lines.key("models", 0..lines.0.len()).unwrap();
        let items = lines.entries(&lines.below(at));
        let one = items.into_iter().find(|item| lines.0[item.start].contains("m1")).unwrap_or(0..0);
        lines.0.iter().enumerate().filter(|(line, _)| !one.contains(line)).map(|(_, line)| *line).collect()
    }

    fn comments(text: &str) -> Vec<String> {
        let mut found: Vec<String> =
            text.lines().filter_map(|line| line.split_once(" #")).map(|(_, it)| it.to_owned()).collect();
        found.sort();
        found
    }

    proptest! {
        #[test]
        fn other_lines_stay_byte_for_byte(text in file()) {
            let path = Utf8Path::new(FILE);
            let before = others(&text);
            let removed = remove_model(path, &text, "m1").unwrap();
            prop_assert_eq!(&before, &others(&removed));
            let mut entry = found(&text, "m1");
            entry.model = "other".into();
            entry.key = Some(match entry.key {
                Some(KeyRef::Keyring(_)) => KeyRef::Keyring("b".into()),
                Some(KeyRef::Env(_) | KeyRef::Aws(_) | KeyRef::Command { .. }) | None => KeyRef::Env("B_KEY".into()),
            });
            entry.stream = false;
            entry.prices = Some(Prices { input: 9.0, output: 2.0, cached: None, cache_written: None });
            entry.timeouts = Timeouts { idle: 5, total: 50, ..Timeouts::default() };
            let changed = change_model(path, &text, "m1", &entry).unwrap();
            prop_assert_eq!(&before, &others(&changed));
            prop_assert_eq!(comments(&changed), comments(&text), "values change, and no comment");
            let added = add_model(path, &text, &ModelEntry { id: "m3".into(), ..entry }).unwrap();
            let kept: Vec<&str> = added.lines().collect();
            prop_assert!(text.lines().all(|line| kept.contains(&line)));
        }

        #[test]
        fn no_text_makes_it_panic(text in "([ \\-#:{}\\[\\]'\"|>&*!,a\r\n]|models:\n|- |id: a\n|  provider: openAi\n|  baseUrl: http://x\n|  model: m\n){0,40}") {
            let path = Utf8Path::new(FILE);
            let _ = add_model(path, &text, &entry("new"));
            let _ = change_model(path, &text, "a", &entry("b"));
            let _ = remove_model(path, &text, "a");
        }
    }
}
