//! Compares the linter with skills-ref, the reference library of the specification: differences are on purpose.

use std::collections::BTreeMap;

use config::Profile;
use lint::{Group, LintOptions, Linter};
use serde_json::Value;
use skill::Severity;

use crate::lint::{DEFAULT, Skills, at_least};

/// Cases of its own tests and further ones, with the result of `skills_ref.validate` of skills-ref 0.1.1 for each.
const CASES: &str = include_str!("../fixtures/lint/skills_ref_cases.json");

#[test]
#[cfg_attr(not(unix), ignore = "some folders have names that other systems do not take")]
fn differs_from_skills_ref_only_where_it_is_explained() {
    let cases: Vec<Value> = serde_json::from_str(CASES).unwrap();
    let differences: BTreeMap<&str, String> = cases.iter().filter_map(difference).collect();
    let explained: BTreeMap<&str, String> =
        EXPLAINED.iter().map(|(case, verdict, _)| (*case, (*verdict).to_owned())).collect();
    assert_eq!(differences, explained);
}

/// The profile `spec` refuses what the validator refuses, and nothing else.
#[test]
#[cfg_attr(not(unix), ignore = "some folders have names that other systems do not take")]
fn the_profile_of_the_specification_is_the_validators_verdict() {
    let cases: Vec<Value> = serde_json::from_str(CASES).unwrap();
    let spec = Linter::new(LintOptions { profile: Profile::Spec, ..LintOptions::default() });
    let differs = |case: &&Value| {
        let text = |key: &str| case[key].as_str().unwrap();
        // The validator gets each folder; the linter searches for skills, and an empty folder is not one.
        let Some(content) = case["text"].as_str() else { return false };
        let skills = Skills::with([] as [(&str, &str); 0]);
        skills.write(&format!("{}/{}", text("folder"), text("file")), content.as_bytes());
        let is_refused = !at_least(skills.lint(&spec), Severity::Error).is_empty();
        is_refused == case["errors"].as_array().unwrap().is_empty()
    };
    let different: Vec<&str> = cases.iter().filter(differs).map(|case| case["id"].as_str().unwrap()).collect();
    assert_eq!(different, [""; 0]);
}

/// A disagreement of the two, and what the linter reports.
fn difference(case: &Value) -> Option<(&str, String)> {
    let text = |key: &str| case[key].as_str().unwrap();
    let skills =
        Skills::with([("other/SKILL.md", "---\nname: other\ndescription: Use when asked for others.\n---\nDo it.\n")]);
    match case["text"].as_str() {
        Some(content) => skills.write(&format!("{}/{}", text("folder"), text("file")), content.as_bytes()),
        None => std::fs::create_dir(skills.root().join(text("folder"))).unwrap(),
    }
    let errors = at_least(skills.lint(&DEFAULT), Severity::Error);
    let rules: Vec<&str> = errors
        .iter()
        .filter(|finding| matches!(finding.rule.group, Group::Form | Group::Description))
        .map(|finding| finding.rule.id)
        .collect();
    let is_valid = case["errors"].as_array().unwrap().is_empty();
    (is_valid != rules.is_empty()).then(|| {
        let verdict = if rules.is_empty() { "no error".to_owned() } else { rules.join(", ") };
        (text("id"), verdict)
    })
}

/// The case, what the linter says, and why it differs.
const EXPLAINED: &[(&str, &str, &str)] = &[
    ("anchor", "no error", LEGAL_YAML),
    ("bom", "no error", "some frameworks read it and some do not: a warning that names them"),
    ("client-field", "no error", "a client documents the field; `field-unsupported-by-client` looks at who reads it"),
    ("compatibility-empty", "field-empty", "the specification wants 1 to 500 characters where the field is given"),
    ("lower-case-file", "file-name-case", "the specification says `SKILL.md`; most frameworks find nothing else"),
    ("metadata-flow-map", "no error", LEGAL_YAML),
    (
        "missing-skill-md",
        "no error",
        "an empty folder among skills is no skill; one with scripts or references is told of",
    ),
    ("name-number", "yaml-typed-text", TYPED),
    ("tag", "no error", LEGAL_YAML),
    ("tools-flow-list", "no error", LEGAL_YAML),
    ("unexpected-fields", "no error", FIELDS),
    ("version-field", "no error", FIELDS),
    ("yes-name", "yaml-typed-text", TYPED),
];

const LEGAL_YAML: &str = "legal YAML, which strictyaml refuses and nearly every client reads";
const TYPED: &str = "strictyaml reads all values as text; YAML reads a number or a boolean, which frameworks refuse";
const FIELDS: &str =
    "the specification does not forbid further fields: a warning or a hint, with the nearest known one";
