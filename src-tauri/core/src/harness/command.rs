//! Command lines as a model would write them for a POSIX shell.

use std::borrow::Cow;

use serde_json::Value;

use super::interpreter;

/// What runs a script with these arguments, e.g. `python3 /skills/a/scripts/b.py --value 1`. A map gives `--key value`
/// words: `true` is a bare `--key`, `false` and `null` are left out. A list gives its items, text the text itself. A
/// script that no known program runs is called by its path.
pub fn script_line(path: &str, with: Option<&Value>) -> String {
    let extension = path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map_or("", |(_, ending)| ending);
    let mut words: Vec<Cow<str>> = interpreter(extension).into_iter().map(Cow::Borrowed).collect();
    words.push(quoted(path));
    match with {
        Some(Value::Object(map)) => {
            for (key, value) in map {
                match value {
                    Value::Null | Value::Bool(false) => {}
                    Value::Bool(true) => words.push(quoted(&format!("--{key}")).into_owned().into()),
                    value => {
                        words.push(quoted(&format!("--{key}")).into_owned().into());
                        words.push(quoted(&word(value)).into_owned().into());
                    }
                }
            }
        }
        Some(Value::Array(items)) => words.extend(items.iter().map(|item| quoted(&word(item)).into_owned().into())),
        Some(Value::String(text)) => words.push(text.as_str().into()),
        Some(Value::Null) | None => {}
        Some(scalar @ (Value::Bool(_) | Value::Number(_))) => words.push(scalar.to_string().into()),
    }
    words.join(" ")
}

/// A word that a shell reads as this text.
pub fn quoted(text: &str) -> Cow<'_, str> {
    let safe = |letter: char| letter.is_ascii_alphanumeric() || "@%_-+=:,./".contains(letter);
    if !text.is_empty() && text.chars().all(safe) {
        return text.into();
    }
    format!("'{}'", text.replace('\'', r#"'"'"'"#)).into()
}

fn word(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn writes_arguments_as_words() {
        let line = |with: Value| script_line("/s/convert.py", Some(&with));
        assert_eq!(
            line(json!({"value": 1, "factor": 2.20462, "dry": true, "no": false, "none": null, "to": "a b's"})),
            r#"python3 /s/convert.py --value 1 --factor 2.20462 --dry --to 'a b'"'"'s'"#
        );
        assert_eq!(line(json!(["-x", 1, ""])), "python3 /s/convert.py -x 1 ''");
        assert_eq!(line(json!("--raw $HOME")), "python3 /s/convert.py --raw $HOME");
        assert_eq!(script_line("/my skills/run.sh", None), "bash '/my skills/run.sh'");
        assert_eq!(script_line("/s.d/tool", None), "/s.d/tool");
    }
}
