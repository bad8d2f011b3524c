//! How pydantic converts a tool's input in its lax mode, and its errors.

use std::borrow::Cow;

use crate::python::Value;

/// What a parameter may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    Text,
    /// May be missing, but not `None`.
    GivenText,
    /// `None` too, and may be missing.
    OptionalText,
    /// Text, a whole number or `None`.
    OptionalLine,
    /// May be missing, but not `None`.
    Flag,
    /// A whole number; may be missing, but not `None`.
    Number,
    /// A text, or a list of texts and objects.
    Commands,
    /// A list of whole numbers or `None`.
    OptionalLines,
}

/// The only parameter of a tool, a text; `Err` is the text of the exception.
pub fn text_parameter<'a>(tool: &str, name: &str, input: &'a Value) -> Result<&'a str, String> {
    check(tool, &[(name, ParameterKind::Text)], input)?;
    Ok(input.get(name).and_then(Value::as_text).unwrap_or_default())
}

/// `Err` is the text of the exception for an input that does not fit a tool's parameters. Others are ignored.
pub fn check(tool: &str, parameters: &[(&str, ParameterKind)], input: &Value) -> Result<(), String> {
    let model = format!("{}Tool", capitalize(tool));
    let Value::Dict(_) = input else {
        let given = input.type_name();
        return Err(format!("strands.tools.decorator.{model}() argument after ** must be a mapping, not {given}"));
    };
    let mut faults = Vec::new();
    for (name, kind) in parameters {
        match (input.get(name), kind) {
            (None, ParameterKind::Text | ParameterKind::Commands) => {
                faults.push(fault(name, "Field required", "missing", input))
            }
            (None, _) => {}
            (Some(value), kind) => check_value(name, *kind, value, &mut faults),
        }
    }
    match faults.len() {
        0 => Ok(()),
        1 => Err(format!("1 validation error for {model}\n{}", faults[0])),
        count => Err(format!("{count} validation errors for {model}\n{}", faults.join("\n"))),
    }
}

/// A whole number, as pydantic makes one of a JSON value.
pub fn whole_number(value: &Value) -> Result<i64, (&'static str, &'static str)> {
    match value {
        Value::Bool(flag) => Ok(i64::from(*flag)),
        // No line has a number that does not fit.
        Value::Int(digits) => Ok(digits.parse().unwrap_or(if digits.starts_with('-') { i64::MIN } else { i64::MAX })),
        Value::Float(float) if !float.is_finite() => Err(("Input should be a finite number", "finite_number")),
        #[expect(clippy::cast_possible_truncation, reason = "it has no fraction, and no line has such a number")]
        Value::Float(float) if float.fract() == 0.0 => Ok(*float as i64),
        Value::Float(_) => {
            Err(("Input should be a valid integer, got a number with a fractional part", "int_from_float"))
        }
        Value::Text(text) => text
            .trim()
            .parse()
            .map_err(|_| ("Input should be a valid integer, unable to parse string as an integer", "int_parsing")),
        Value::None | Value::List(_) | Value::Dict(_) => Err(("Input should be a valid integer", "int_type")),
    }
}

/// A truth value, as pydantic makes one of a JSON value.
pub fn flag(value: &Value) -> Result<bool, (&'static str, &'static str)> {
    const UNCLEAR: (&str, &str) = ("Input should be a valid boolean, unable to interpret input", "bool_parsing");
    match value {
        Value::Bool(flag) => Ok(*flag),
        Value::Int(digits) if digits == "0" => Ok(false),
        Value::Int(digits) if digits == "1" => Ok(true),
        Value::Float(0.0) => Ok(false),
        Value::Float(1.0) => Ok(true),
        Value::Int(_) | Value::Float(_) => Err(UNCLEAR),
        Value::Text(text) => match text.to_ascii_lowercase().as_str() {
            "0" | "off" | "f" | "false" | "n" | "no" => Ok(false),
            "1" | "on" | "t" | "true" | "y" | "yes" => Ok(true),
            _ => Err(UNCLEAR),
        },
        Value::None | Value::List(_) | Value::Dict(_) => Err(("Input should be a valid boolean", "bool_type")),
    }
}

const NOT_TEXT: (&str, &str) = ("Input should be a valid string", "string_type");

fn check_value(name: &str, kind: ParameterKind, value: &Value, faults: &mut Vec<String>) {
    let mut push = |place: &str, (problem, kind): (&str, &str), value: &Value| {
        faults.push(fault(place, problem, kind, value));
    };
    match (kind, value) {
        (
            ParameterKind::Text
            | ParameterKind::GivenText
            | ParameterKind::OptionalText
            | ParameterKind::OptionalLine
            | ParameterKind::Commands,
            Value::Text(_),
        )
        | (ParameterKind::OptionalText | ParameterKind::OptionalLine | ParameterKind::OptionalLines, Value::None) => {}
        (ParameterKind::Text | ParameterKind::GivenText | ParameterKind::OptionalText, value) => {
            push(name, NOT_TEXT, value)
        }
        (ParameterKind::OptionalLine, value) => {
            if let Err(problem) = whole_number(value) {
                push(&format!("{name}.str"), NOT_TEXT, value);
                push(&format!("{name}.int"), problem, value);
            }
        }
        (ParameterKind::Flag, value) => {
            if let Err(problem) = flag(value) {
                push(name, problem, value);
            }
        }
        (ParameterKind::Number, value) => {
            if let Err(problem) = whole_number(value) {
                push(name, problem, value);
            }
        }
        (ParameterKind::Commands, Value::List(items)) => {
            let is_command = |item: &Value| matches!(item, Value::Text(_) | Value::Dict(_));
            if items.iter().all(is_command) {
                return;
            }
            push(&format!("{name}.str"), NOT_TEXT, value);
            for (index, item) in items.iter().enumerate().filter(|(_, item)| !is_command(item)) {
                let place = format!("{name}.list[union[str,dict[str,any]]].{index}");
                push(&format!("{place}.str"), NOT_TEXT, item);
                push(&format!("{place}.dict[str,any]"), ("Input should be a valid dictionary", "dict_type"), item);
            }
        }
        (ParameterKind::Commands, value) => {
            push(&format!("{name}.str"), NOT_TEXT, value);
            let place = format!("{name}.list[union[str,dict[str,any]]]");
            push(&place, ("Input should be a valid list", "list_type"), value);
        }
        (ParameterKind::OptionalLines, Value::List(items)) => {
            for (index, item) in items.iter().enumerate() {
                if let Err(problem) = whole_number(item) {
                    push(&format!("{name}.{index}"), problem, item);
                }
            }
        }
        (ParameterKind::OptionalLines, value) => push(name, ("Input should be a valid list", "list_type"), value),
    }
}

fn fault(place: &str, problem: &str, kind: &str, value: &Value) -> String {
    format!(
        "{place}\n  {problem} [type={kind}, input_value={}, input_type={}]\n    For further information visit \
         https://errors.pydantic.dev/2.14/v/{kind}",
        shortened(&value.to_repr()),
        value.type_name()
    )
}

/// Of long values pydantic shows the beginning and the end.
fn shortened(repr: &str) -> Cow<'_, str> {
    const LIMIT: usize = 50;
    const HEAD: usize = 25;
    const TAIL: usize = 24;
    if repr.len() <= LIMIT {
        return repr.into();
    }
    let (head, tail) = (repr.floor_char_boundary(HEAD), repr.ceil_char_boundary(repr.len() - TAIL));
    format!("{}...{}", &repr[..head], &repr[tail..]).into()
}

/// `str.capitalize` of a tool's name.
fn capitalize(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect::<String>())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::python::loads;

    fn of_command(value: serde_json::Value) -> String {
        let input = loads(&json!({"command": value}).to_string()).unwrap();
        text_parameter("Skill", "command", &input).unwrap_err()
    }

    #[test]
    fn shortens_long_values_in_the_middle() {
        assert_eq!(
            of_command(json!(vec![1; 100])),
            "1 validation error for SkillTool\ncommand\n  Input should be a valid string [type=string_type, \
             input_value=[1, 1, 1, 1, 1, 1, 1, 1, ... 1, 1, 1, 1, 1, 1, 1, 1], input_type=list]\n    For further \
             information visit https://errors.pydantic.dev/2.14/v/string_type"
        );
        assert!(of_command(json!(["中".repeat(40)])).contains("..."), "a character is never cut");
    }

    #[test]
    fn tells_everything_that_does_not_fit() {
        let parameters = [
            ("command", ParameterKind::Text),
            ("path", ParameterKind::Text),
            ("file_text", ParameterKind::OptionalText),
            ("insert_line", ParameterKind::OptionalLine),
            ("fuzzy", ParameterKind::Flag),
            ("view_range", ParameterKind::OptionalLines),
        ];
        let faults = |input: serde_json::Value| check("editor", &parameters, &loads(&input.to_string()).unwrap());
        let error =
            faults(json!({"command": 1, "insert_line": [1], "fuzzy": "x", "view_range": [1, "x"]})).unwrap_err();
        let places: Vec<&str> = error.lines().filter(|line| !line.starts_with(' ')).collect();
        let expected = [
            "6 validation errors for EditorTool",
            "command",
            "path",
            "insert_line.str",
            "insert_line.int",
            "fuzzy",
            "view_range.1",
        ];
        assert_eq!(places, expected);
        let fits = json!({"command": "a", "path": "b", "file_text": null, "insert_line": 1.0, "fuzzy": "yes", "x": 1});
        assert_eq!(faults(fits), Ok(()));
    }
}
