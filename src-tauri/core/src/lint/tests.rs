//! What holds for every rule.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use camino::Utf8Path;

use super::*;
use crate::harness::sample::disk;
use crate::skill::{self, SkillSet};
use crate::source::SourceText;

/// The files of an example.
struct Memory(BTreeMap<String, &'static str>);

impl Files for Memory {
    fn text(&self, path: &Utf8Path) -> Option<Arc<SourceText>> {
        let text = self.0.get(path.as_str()).filter(|text| !text.contains('\0'))?;
        Some(Arc::new(SourceText::of_text(path.to_owned(), (*text).to_owned())))
    }

    fn start(&self, path: &Utf8Path) -> Option<Vec<u8>> {
        self.0.get(path.as_str()).map(|text| text.as_bytes().to_vec())
    }

    fn exists(&self, path: &Utf8Path) -> bool {
        self.0.keys().any(|known| Utf8Path::new(known).starts_with(path))
    }

    fn is_executable(&self, path: &Utf8Path) -> bool {
        self.0.get(path.as_str()).is_some_and(|text| text.starts_with("#!"))
    }
}

/// What an example gives; only rules that are on, and `also`.
fn findings(example: &Example, also: &str) -> Vec<Finding> {
    let files: Vec<(String, &str)> = example.files.iter().map(|(path, text)| (place(example, path), *text)).collect();
    let set: SkillSet = disk(&files.iter().map(|(path, text)| (path.as_str(), *text)).collect::<Vec<_>>());
    let skills = skill::skills(&set);
    let mut options = LintOptions::default();
    if let Some(rule) = find(also).filter(|rule| !rule.on) {
        let setting = match rule.severity {
            Severity::Info => Setting::Info,
            Severity::Warning => Setting::Warning,
            Severity::Error => Setting::Error,
        };
        options.rules.insert(rule.id.into(), setting);
    }
    let memory = Memory(files.iter().map(|(path, text)| (format!("/skills/{path}"), *text)).collect());
    Linter::new(options).all(&set, &skills, &memory)
}

/// A path that starts with `/` lies beside the skill's folder.
fn place(example: &Example, path: &str) -> String {
    path.strip_prefix('/').map_or_else(|| format!("{}/{path}", example.folder), str::to_owned)
}

fn said(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(|finding| format!("{} {}: {}", finding.path, finding.rule.id, finding.message)).collect()
}

#[test]
fn every_rule_fires_on_its_bad_example_and_not_on_its_good_one() {
    let mut wrong = Vec::new();
    for rule in rules() {
        let (bad, good) = (findings(&rule.bad, rule.id), findings(&rule.good, rule.id));
        if !bad.iter().any(|finding| finding.rule.id == rule.id) {
            wrong.push(format!("{} does not fire on its bad example; it gives {:?}", rule.id, said(&bad)));
        }
        let loud: Vec<Finding> = good
            .into_iter()
            .filter(|finding| finding.rule.id == rule.id || finding.severity == Severity::Error)
            .collect();
        if !loud.is_empty() {
            wrong.push(format!("the good example of {} gives {:?}", rule.id, said(&loud)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn rules_have_names_of_their_own_and_say_everything() {
    let mut ids = BTreeSet::new();
    let mut wrong = Vec::new();
    for rule in rules() {
        if !ids.insert(rule.id) {
            wrong.push(format!("there are two rules {}", rule.id));
        }
        let texts = [rule.title, rule.title_zh, rule.what, rule.why, rule.source];
        if texts.iter().any(|text| text.trim().is_empty()) || rule.title.ends_with('.') {
            wrong.push(format!("{} leaves something unsaid, or its title ends in a full stop", rule.id));
        }
        if !rule.id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-') {
            wrong.push(format!("{} is not in kebab case", rule.id));
        }
        if let Check::Pattern(patterns) = &rule.check {
            for pattern in patterns.patterns {
                if regex::Regex::new(pattern.expression).is_err() {
                    wrong.push(format!("{}: {} is no expression", rule.id, pattern.expression));
                }
                if pattern.literals.is_empty() || pattern.literals.iter().any(|literal| literal.len() < 3) {
                    wrong.push(format!("{}: {} needs literals of three bytes or more", rule.id, pattern.expression));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
