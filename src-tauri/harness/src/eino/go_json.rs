//! A tool call's arguments as Go's `encoding/json` reads them into a struct: the whole text is checked first, names
//! match in any case, `null` leaves a field as it is, the last of two equal names counts.

mod scan;
mod text;

use std::cell::RefCell;

/// An object's members, still to be read one by one.
#[derive(Debug)]
pub struct Arguments<'a> {
    /// In order.
    members: Vec<(String, &'a str)>,
    /// The struct, without its package.
    struct_name: &'static str,
    mismatch: RefCell<Option<String>>,
}

impl<'a> Arguments<'a> {
    /// `package` and `name` are the struct's. `Err` is Go's message, without what the caller puts in front.
    pub fn parse(json: &'a str, package: &str, name: &'static str) -> Result<Self, String> {
        let members = scan::members(json)?;
        let first = json.trim_start_matches([' ', '\t', '\r', '\n']);
        let mismatch = match kind(first) {
            "object" | "null" => None,
            other => Some(format!("json: cannot unmarshal {other} into Go value of type {package}.{name}")),
        };
        let members = members.into_iter().map(|(key, value)| (text::unquote(key), value)).collect();
        Ok(Self { members, struct_name: name, mismatch: RefCell::new(mismatch) })
    }

    /// Empty if it is missing.
    pub fn text(&self, field: &str) -> String {
        self.read(field, "string", |raw| (kind(raw) == "string").then(|| text::unquote(raw))).unwrap_or_default()
    }

    pub fn integer(&self, field: &str) -> Option<i64> {
        self.read(field, "int", |raw| raw.parse().ok())
    }

    pub fn flag(&self, field: &str) -> Option<bool> {
        self.read(field, "bool", |raw| raw.parse().ok())
    }

    /// Whether all that was read so far had the type it must have; `Err` is Go's message about the first that had not.
    pub fn check(&self) -> Result<(), String> {
        self.mismatch.borrow().clone().map_or(Ok(()), Err)
    }

    fn read<T>(&self, field: &str, go_type: &str, convert: impl Fn(&str) -> Option<T>) -> Option<T> {
        let mut last = None;
        for (_, raw) in self.members.iter().filter(|(key, _)| folds_to(key, field)) {
            if *raw == "null" {
                continue;
            }
            match convert(raw) {
                Some(value) => last = Some(value),
                None => self.note(field, go_type, raw),
            }
        }
        last
    }

    fn note(&self, field: &str, go_type: &str, raw: &str) {
        let mut first = self.mismatch.borrow_mut();
        if first.is_some() {
            return;
        }
        let given = match kind(raw) {
            "number" if go_type == "int" => format!("number {raw}"),
            other => other.to_owned(),
        };
        let name = self.struct_name;
        *first = Some(format!("json: cannot unmarshal {given} into Go struct field {name}.{field} of type {go_type}"));
    }
}

/// What Go calls a value, by its first letter.
fn kind(raw: &str) -> &'static str {
    match raw.as_bytes().first() {
        Some(b'{') => "object",
        Some(b'[') => "array",
        Some(b'"') => "string",
        Some(b't' | b'f') => "bool",
        Some(b'n') => "null",
        _ => "number",
    }
}

/// `strings.EqualFold` for names in ASCII: two letters beyond it fold into it.
fn folds_to(key: &str, field: &str) -> bool {
    let folded = |letter: char| match letter {
        '\u{17F}' => 's',
        '\u{212A}' => 'k',
        _ => letter.to_ascii_lowercase(),
    };
    key.chars().map(folded).eq(field.chars().map(folded))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skill(json: &str) -> Result<String, String> {
        let arguments = Arguments::parse(json, "skill", "inputArguments")?;
        let name = arguments.text("skill");
        arguments.check().map(|()| name)
    }

    #[test]
    fn reads_a_field_as_go_does() {
        let read = |json| skill(json).unwrap();
        assert_eq!(read(r#" {"skill": "pdf"} "#), "pdf");
        assert_eq!(read(r#"{"SKILL":"a","other":{"skill":1},"Skill":"b"}"#), "b");
        assert_eq!(read(r#"{"skill":"a","skill":null}"#), "a");
        assert_eq!(read("null"), "");
        assert_eq!(read("{}"), "");
        assert_eq!(read(r#"{"skill":"\u4e2d\ud83d\ude00\ud800\n\/"}"#), "中😀\u{fffd}\n/");
    }

    #[test]
    fn says_what_has_the_wrong_type_in_gos_words() {
        let field = "into Go struct field inputArguments.skill of type string";
        for (json, given) in
            [("5", "number"), ("true", "bool"), ("[1]", "array"), (r#"{"a":"b"}"#, "object"), ("-1.5e3", "number")]
        {
            let error = skill(&format!("{{\"skill\":{json}}}")).unwrap_err();
            assert_eq!(error, format!("json: cannot unmarshal {given} {field}"));
        }
        for (json, given) in [(r#"["pdf"]"#, "array"), ("5", "number"), (r#""pdf""#, "string"), ("true", "bool")] {
            let wanted = format!("json: cannot unmarshal {given} into Go value of type skill.inputArguments");
            assert_eq!(skill(json), Err(wanted));
        }
    }

    #[test]
    fn whole_numbers_and_flags() {
        let read = |json| {
            let arguments = Arguments::parse(json, "filesystem", "readFileArgs").unwrap();
            let read = (arguments.integer("offset"), arguments.flag("all"));
            arguments.check().map(|()| read)
        };
        assert_eq!(read(r#"{"offset":12,"all":true}"#), Ok((Some(12), Some(true))));
        assert_eq!(read("{}"), Ok((None, None)));
        let wrong =
            |given| format!("json: cannot unmarshal {given} into Go struct field readFileArgs.offset of type int");
        assert_eq!(read(r#"{"offset":1.5}"#), Err(wrong("number 1.5")));
        assert_eq!(read(r#"{"offset":"1"}"#), Err(wrong("string")));
    }

    #[test]
    fn a_very_deep_text_is_an_error() {
        assert_eq!(skill(&"[".repeat(1_000_000)), Err("exceeded max depth".into()));
    }
}
