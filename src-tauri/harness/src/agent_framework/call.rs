//! A tool call's arguments, bound to the tool's parameters as the framework does it.

use super::arguments::Arguments;
use super::python::{self, Value};
use super::tools::{Parameters, Tool};
use super::variant::{Language, Variant};

/// What a call says.
#[derive(Debug, PartialEq)]
pub struct Bound {
    pub skill: String,
    /// The resource or script; empty for load_skill.
    pub file: String,
}

/// Why a tool gives no result.
#[derive(Debug, PartialEq, Eq)]
pub enum Stop {
    /// In the tool's own words, which the framework takes for a result.
    Says(String),
    /// The message of an exception.
    Throws(String),
    /// Python's message about arguments that do not fit the schema.
    Mismatch(String),
}

/// All required arguments are bound before the tool looks at any of them.
pub fn bind(tool: Tool, arguments: &Arguments, variant: Variant) -> Result<Bound, Stop> {
    let parameters = Parameters::of(variant.language());
    let required = [Some(parameters.skill), parameters.file(tool)];
    match variant.language() {
        Language::DotNet => {
            let text = |name: Option<&str>| name.map_or(Ok(String::new()), |name| arguments.text(name));
            Ok(Bound {
                skill: text(required[0]).map_err(Stop::Throws)?,
                file: text(required[1]).map_err(Stop::Throws)?,
            })
        }
        Language::Python => {
            check(tool, &required, arguments, variant)?;
            let text = |name: Option<&str>| name.and_then(|name| arguments.text(name).ok()).unwrap_or_default();
            Ok(Bound { skill: text(required[0]), file: text(required[1]) })
        }
    }
}

/// The words about names that are blank. The skill comes first.
pub fn check_filled(tool: Tool, bound: &Bound, language: Language) -> Result<(), Stop> {
    let is_blank = |text: &str| match language {
        Language::DotNet => text.trim().is_empty(),
        Language::Python => python::strip(text).is_empty(),
    };
    let blank = match tool {
        _ if is_blank(&bound.skill) => "Skill",
        Tool::ReadResource if is_blank(&bound.file) => "Resource",
        Tool::RunScript if is_blank(&bound.file) => "Script",
        Tool::LoadSkill | Tool::ReadResource | Tool::RunScript => return Ok(()),
    };
    Err(Stop::Says(format!("Error: {blank} name cannot be empty.")))
}

/// `_validate_arguments_against_schema`: missing arguments, then unknown ones, then types in the order of the call.
fn check(tool: Tool, required: &[Option<&str>], arguments: &Arguments, variant: Variant) -> Result<(), Stop> {
    let name = tool.name();
    let listed = |mut names: Vec<&str>| {
        names.sort_unstable();
        names.join(", ")
    };
    let required: Vec<&str> = required.iter().copied().flatten().collect();
    let missing: Vec<&str> = required.iter().copied().filter(|wanted| arguments.get(wanted).is_none()).collect();
    if !missing.is_empty() {
        return Err(Stop::Mismatch(format!("Missing required argument(s) for '{name}': {}", listed(missing))));
    }
    let optional = (tool == Tool::RunScript).then_some(Parameters::of(Language::Python).arguments);
    let more: Vec<&str> =
        arguments.names().filter(|given| !required.contains(given) && optional != Some(*given)).collect();
    if variant == Variant::Python123 && !more.is_empty() {
        return Err(Stop::Mismatch(format!("Unexpected argument(s) for '{name}': {}", listed(more))));
    }
    for given in arguments.names().filter(|given| required.contains(given)) {
        let value = python::value(arguments.get(given).unwrap_or("null"));
        if !matches!(value, Value::Text(_)) {
            let kind = value.type_name();
            return Err(Stop::Mismatch(format!("Invalid type for '{given}' in '{name}': expected string, got {kind}")));
        }
    }
    // Before 1.23 nothing looks at further arguments; the other two functions take them and let them be.
    match more.first() {
        Some(first) if tool == Tool::LoadSkill => Err(Stop::Throws(format!(
            "SkillsProvider._create_tools.<locals>._load() got an unexpected keyword argument '{first}'"
        ))),
        Some(_) | None => Ok(()),
    }
}
