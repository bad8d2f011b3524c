//! The options of a harness as a form shows them: made from their types, so that an option cannot be in one and not in the
//! other. What they mean is said by their comments, in Chinese by `chinese`.

mod chinese;

use serde_json::Value;
use wording::Message;

use super::HarnessOptions;

/// One option.
#[derive(Debug, Clone, PartialEq)]
pub struct OptionInfo {
    /// As in `workbench.yaml`, with a dot between nested names: `compaction.threshold`.
    pub name: String,
    pub kind: OptionKind,
    /// It may also be `null`, which its help explains.
    pub nullable: bool,
    pub default: Value,
    pub help: Message,
}

#[derive(Debug, Clone, PartialEq)]
pub enum OptionKind {
    Flag,
    Choice(Vec<OptionChoice>),
    Whole,
    Number,
    Text,
    /// A list of texts.
    Texts,
    /// Anything else, written as YAML.
    Other,
}

#[derive(Debug, Clone, PartialEq)]
pub struct OptionChoice {
    pub value: String,
    pub help: Option<Message>,
}

/// The options of the harness with this id, in the order of their types; none if it is not known.
pub fn described(harness: &str) -> Vec<OptionInfo> {
    let schema = schemars::schema_for!(HarnessOptions).to_value();
    let reader = Reader { harness, definitions: &schema["$defs"] };
    let mut found = Vec::new();
    let (options, _) = reader.shape(&schema["properties"][harness]);
    reader.properties(options, "", &Value::Null, &mut found);
    found
}

struct Reader<'a> {
    harness: &'a str,
    definitions: &'a Value,
}

impl Reader<'_> {
    /// `given`: defaults that the option has in which these are.
    fn properties(&self, schema: &Value, within: &str, given: &Value, found: &mut Vec<OptionInfo>) {
        let Some(properties) = schema["properties"].as_object() else { return };
        for (name, property) in properties {
            let full = format!("{within}{name}");
            let default = given.get(name).unwrap_or(&property["default"]);
            let (shape, nullable) = self.shape(property);
            if shape.get("properties").is_some() && !nullable {
                self.properties(shape, &format!("{full}."), default, found);
                continue;
            }
            let place = format!("{}.{full}", self.harness);
            found.push(OptionInfo {
                kind: self.kind(shape, &place),
                nullable,
                default: default.clone(),
                help: help(property, &place).unwrap_or_else(|| Message::quoted(&full)),
                name: full,
            });
        }
    }

    /// Its type if it is not `null`.
    fn shape<'a>(&'a self, property: &'a Value) -> (&'a Value, bool) {
        if let Some(either) = property["anyOf"].as_array()
            && let [one, other] = either.as_slice()
            && other["type"] == "null"
        {
            return (self.resolved(one), true);
        }
        let nullable = property["type"].as_array().is_some_and(|types| types.iter().any(|each| each == "null"));
        (self.resolved(property), nullable)
    }

    fn resolved<'a>(&'a self, schema: &'a Value) -> &'a Value {
        let name = schema["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/"));
        name.map_or(schema, |name| &self.definitions[name])
    }

    fn kind(&self, shape: &Value, place: &str) -> OptionKind {
        if let Some(choices) = choices(shape, place) {
            return OptionKind::Choice(choices);
        }
        let kind = match &shape["type"] {
            Value::Array(types) => types.iter().find(|each| *each != "null").cloned().unwrap_or_default(),
            other => other.clone(),
        };
        match kind.as_str() {
            Some("boolean") => OptionKind::Flag,
            Some("integer") => OptionKind::Whole,
            Some("number") => OptionKind::Number,
            Some("string") => OptionKind::Text,
            Some("array")
                if self.resolved(&shape["items"])["type"] == "string"
                    && !has_choices(self.resolved(&shape["items"])) =>
            {
                OptionKind::Texts
            }
            _ => OptionKind::Other,
        }
    }
}

fn has_choices(shape: &Value) -> bool {
    shape.get("enum").is_some() || shape.get("oneOf").is_some()
}

/// Words, one of which it is.
fn choices(shape: &Value, place: &str) -> Option<Vec<OptionChoice>> {
    let one = |schema: &Value| -> Option<Vec<OptionChoice>> {
        let words = match (schema.get("const"), schema.get("enum")) {
            (Some(word), _) => vec![word.as_str()?],
            (None, Some(words)) => words.as_array()?.iter().filter_map(Value::as_str).collect(),
            (None, None) => return None,
        };
        let choice =
            |word: &str| OptionChoice { value: word.to_owned(), help: help(schema, &format!("{place}={word}")) };
        Some(words.into_iter().map(choice).collect())
    };
    match shape["oneOf"].as_array() {
        Some(several) => several.iter().map(one).collect::<Option<Vec<_>>>().map(|found| found.concat()),
        None => one(shape),
    }
}

fn help(schema: &Value, place: &str) -> Option<Message> {
    let en = schema["description"].as_str()?.replace('\n', " ");
    let zh = chinese::of(place).map_or_else(|| en.clone(), str::to_owned);
    Some(Message { en, zh })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HarnessOptions;

    const HARNESSES: [&str; 9] = [
        "agent-framework",
        "eino",
        "learn-claude-code",
        "strands",
        "agentscope",
        "claude-code",
        "codex",
        "gemini-cli",
        "opencode",
    ];

    fn option(harness: &str, name: &str) -> OptionInfo {
        described(harness).into_iter().find(|option| option.name == name).unwrap()
    }

    #[test]
    fn each_option_has_the_default_of_its_type_and_nothing_is_left_out() {
        let defaults = serde_json::to_value(HarnessOptions::default()).unwrap();
        for harness in HARNESSES {
            let options = described(harness);
            let wanted = &defaults[harness];
            for option in &options {
                let found = option.name.split('.').try_fold(wanted, |value, part| value.get(part));
                assert_eq!(found, Some(&option.default), "{harness}.{}", option.name);
            }
            let within = |name: &String| options.iter().any(|option| option.name.split('.').next() == Some(name));
            assert!(wanted.as_object().unwrap().keys().all(within), "{harness}");
        }
    }

    #[test]
    fn kinds_follow_the_types() {
        let kind = |harness: &str, name: &str| (option(harness, name).kind, option(harness, name).nullable);
        assert_eq!(kind("agent-framework", "scriptApproval"), (OptionKind::Flag, false));
        assert_eq!(kind("agent-framework", "skillsInstructionPrompt"), (OptionKind::Text, true));
        assert_eq!(kind("agent-framework", "allowedResourceExtensions"), (OptionKind::Texts, true));
        assert_eq!(kind("agent-framework", "folders"), (OptionKind::Other, false));
        assert_eq!(kind("agent-framework", "sources"), (OptionKind::Other, false));
        assert_eq!(kind("learn-claude-code", "compaction.threshold"), (OptionKind::Whole, false));
        assert_eq!(kind("claude-code", "skillListingBudgetFraction"), (OptionKind::Number, false));
        assert_eq!(kind("strands", "editor"), (OptionKind::Flag, true));
        let OptionKind::Choice(choices) = option("agentscope", "deactivate").kind else { panic!("two words") };
        let words: Vec<&str> = choices.iter().map(|choice| &*choice.value).collect();
        assert_eq!(words, ["skills", "groups"]);
        assert!(option("eino", "language").help.en.starts_with("`adk.SetLanguage`"));
    }

    #[test]
    fn every_option_and_choice_is_explained_in_chinese_and_no_other() {
        let mut wanted: Vec<String> = Vec::new();
        for harness in HARNESSES {
            for option in described(harness) {
                let place = format!("{harness}.{}", option.name);
                if let OptionKind::Choice(choices) = option.kind {
                    let explained = choices.iter().filter(|choice| choice.help.is_some());
                    wanted.extend(explained.map(|choice| format!("{place}={}", choice.value)));
                }
                wanted.push(place);
            }
        }
        let mut known: Vec<&str> = chinese::TEXTS.iter().map(|(place, _)| *place).collect();
        known.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(known, wanted);
    }
}
