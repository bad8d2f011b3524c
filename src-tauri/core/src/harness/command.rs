//! Command lines for `sh`, as a model would write them.

use std::borrow::Cow;

use camino::Utf8Path;
use serde_json::Value;

use super::interpreter;

/// The line that runs a script: `python3 /skills/a/convert.py --value 1`. A map of arguments becomes `--key value` pairs
/// without those that are `null`, a list becomes words. A file that nothing is known to run is run itself.
pub fn run(script: &Utf8Path, arguments: Option<&Value>) -> String {
    let mut words: Vec<String> = Vec::new();
    words.extend(script.extension().and_then(interpreter).map(str::to_owned));
    words.push(script.to_string());
    words.extend(arguments.map(spread).unwrap_or_default());
    let quoted: Vec<Cow<str>> = words.iter().map(|word| quote(word)).collect();
    quoted.join(" ")
}

/// The word as `sh` reads it back; in single quotes only where it needs them.
pub fn quote(word: &str) -> Cow<'_, str> {
    let is_plain = |letter: char| letter.is_alphanumeric() || "_-./:=@%+,".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return Cow::Borrowed(word);
    }
    Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
}

fn spread(arguments: &Value) -> Vec<String> {
    match arguments {
        Value::Null => Vec::new(),
        Value::Object(pairs) => {
            let given = pairs.iter().filter(|(_, value)| !value.is_null());
            given.flat_map(|(key, value)| [format!("--{key}"), word(value)]).collect()
        }
        Value::Array(words) => words.iter().map(word).collect(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => vec![word(arguments)],
    }
}

fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn writes_the_line_that_runs_a_script() {
        let line = |path: &str, with: Value| run(path.into(), Some(&with));
        assert_eq!(
            line("/s/convert.py", json!({"value": 1, "factor": 2.20462, "unit": null})),
            "python3 /s/convert.py --value 1 --factor 2.20462"
        );
        assert_eq!(line("/s/my tools/a.sh", json!(["it's", "", 3])), r"bash '/s/my tools/a.sh' 'it'\''s' '' 3");
        assert_eq!(run("/s/tool".into(), None), "/s/tool");
    }

    #[test]
    fn quotes_what_a_shell_would_read_otherwise() {
        let quoted = ["a b", "$HOME", "a;b", "千克", "*", "~/x"].map(|word| quote(word).into_owned());
        assert_eq!(quoted, ["'a b'", "'$HOME'", "'a;b'", "千克", "'*'", "'~/x'"]);
    }
}
