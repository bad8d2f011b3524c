//! Changes one option of a harness in a `workbench.yaml`.

use camino::Utf8Path;
use serde_json::{Map, Value};

use super::lines::{Lines, has_content};
use super::models::{field_lines, with_fields};
use crate::{ConfigError, Project};

/// The text with the option set under `harnesses` and the harness's id, or with the option removed, so that its default
/// applies. Dots in `name` separate nested options. `None`: the text is written in a way that cannot be changed without
/// risk to the rest of it. `path` is for errors only.
pub fn set_option(
    path: &Utf8Path,
    text: &str,
    harness: &str,
    name: &str,
    value: Option<Value>,
) -> Result<Option<String>, ConfigError> {
    Project::parse(path, text)?;
    let Some(before) = raw(text) else { return Ok(None) };
    let mut wanted = before.clone();
    let keys: Vec<&str> = ["harnesses", harness].into_iter().chain(name.split('.')).collect();
    if set(&mut wanted, &keys, value).is_none() {
        return Ok(None);
    }
    if wanted == before {
        return Ok(Some(text.to_owned()));
    }
    let Some(changed) = rewritten(text, &before, &wanted) else { return Ok(None) };
    // Only the parsed result decides, not what the lines looked like.
    if raw(&changed).as_ref() != Some(&wanted) {
        return Ok(None);
    }
    Project::parse(path, &changed)?;
    Ok(Some(changed))
}

fn rewritten(text: &str, before: &Map<String, Value>, wanted: &Map<String, Value>) -> Option<String> {
    if text.lines().any(has_content) {
        return with_fields(text, before, wanted);
    }
    // Nothing but comments.
    let lines = Lines::of(text);
    let mut added = Vec::new();
    for (name, value) in wanted {
        added.extend(field_lines(name, value, 0)?);
    }
    Some(lines.inserted(lines.0.len(), &added))
}

/// As it is written. `None`: it is not a map, or has keys that are not strings.
fn raw(text: &str) -> Option<Map<String, Value>> {
    match serde_yaml::from_str(text).ok()? {
        Value::Null => Some(Map::new()),
        Value::Object(fields) => Some(fields),
        _ => None,
    }
}

/// Sets the value at these keys, or removes it together with maps that become empty. `None`: a value on the way is not
/// a map.
fn set(map: &mut Map<String, Value>, keys: &[&str], value: Option<Value>) -> Option<()> {
    let (first, rest) = keys.split_first()?;
    if rest.is_empty() {
        match value {
            Some(value) => map.insert((*first).to_owned(), value),
            None => map.shift_remove(*first),
        };
        return Some(());
    }
    if value.is_none() && !map.contains_key(*first) {
        return Some(());
    }
    let below = map.entry((*first).to_owned()).or_insert_with(|| Value::Object(Map::new()));
    let below = below.as_object_mut()?;
    set(below, rest, value)?;
    if below.is_empty() {
        map.shift_remove(*first);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn edited(text: &str, harness: &str, name: &str, value: Value) -> Option<String> {
        let value = (!value.is_null()).then_some(value);
        set_option("workbench.yaml".into(), text, harness, name, value).unwrap()
    }

    #[test]
    fn an_option_is_written_changed_and_taken_back_and_the_rest_stays() {
        let text = "# mine\nmodel: m   # the model\n";
        let set = edited(text, "eino", "language", json!("zh")).unwrap();
        assert_eq!(set, "# mine\nmodel: m   # the model\nharnesses:\n  eino:\n    language: zh\n");
        let more = edited(&set, "eino", "shell", json!(false)).unwrap();
        assert_eq!(more, format!("{set}    shell: false\n"));
        let changed = edited(&more, "eino", "language", json!("en")).unwrap();
        assert_eq!(changed, more.replace("zh", "en"));
        let back = edited(&changed, "eino", "language", Value::Null).unwrap();
        assert_eq!(edited(&back, "eino", "shell", Value::Null).unwrap(), text, "with what held nothing else");
        assert_eq!(edited(text, "eino", "shell", Value::Null).unwrap(), text);
    }

    #[test]
    fn comments_and_other_harnesses_stay_where_they_are() {
        let text = "harnesses:\n  # the first\n  agent-framework:\n    scriptRunner: byEnding   # not python3\n#     filter: null\n  strands:\n    strict: true\nlimits:\n  turns: 3\n";
        let set = edited(text, "agent-framework", "scriptApproval", json!(true)).unwrap();
        assert_eq!(set, text.replace("# not python3\n", "# not python3\n    scriptApproval: true\n"));
        let within = edited(&set, "learn-claude-code", "compaction.threshold", json!(9)).unwrap();
        let added = "    strict: true\n  learn-claude-code:\n    compaction:\n      threshold: 9\n";
        assert_eq!(within, set.replace("    strict: true\n", added));
    }

    #[test]
    fn a_new_file_and_one_of_comments_alone_get_the_option() {
        let wanted = "harnesses:\n  codex:\n    model: gpt-6\n";
        assert_eq!(edited("", "codex", "model", json!("gpt-6")).as_deref(), Some(wanted));
        assert_eq!(
            edited("# mine\r\n", "codex", "model", json!("gpt-6")).unwrap(),
            format!("# mine\n{wanted}").replace('\n', "\r\n")
        );
    }

    #[test]
    fn a_list_a_map_and_null_are_written_as_they_are() {
        let set = edited("model: m\n", "agent-framework", "filter", json!(["a", { "license": "MIT*" }])).unwrap();
        assert_eq!(
            Project::parse("w".into(), &set).unwrap().harnesses.agent_framework.filter.map(|list| list.len()),
            Some(2)
        );
        let never = set_option("w".into(), "model: m\n", "eino", "readLimit", Some(Value::Null)).unwrap().unwrap();
        assert_eq!(Project::parse("w".into(), &never).unwrap().harnesses.eino.read_limit, None);
    }

    #[test]
    fn a_value_that_the_option_cannot_have_is_an_error_with_its_place() {
        let error = set_option("w".into(), "model: m\n", "eino", "language", Some(json!("fr"))).unwrap_err();
        assert!(matches!(error, ConfigError::Invalid { line: 4, .. }), "{error}");
        assert!(set_option("w".into(), "model: m\n", "eino", "nope", Some(json!(1))).is_err());
    }

    #[test]
    fn a_text_that_cannot_be_changed_safely_is_left_alone() {
        let aliased = "harnesses:\n  eino: &one\n    language: zh\n  strands: {strict: true}\n";
        assert!(edited(aliased, "strands", "strict", json!(false)).is_some(), "a map in braces can be");
        assert_eq!(edited("{model: m}\n", "eino", "shell", json!(false)), None);
    }
}
