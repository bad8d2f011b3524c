//! Tests that hold for every rule.

mod gates;
mod misread;
mod precision;
mod verdict;

use std::collections::BTreeSet;
use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use tempfile::TempDir;

use super::probe::{End, Probe};
use super::runs::{RUNS_NEEDED, Usage};
use super::*;
use config::Setting;
use skill::{Severity, Skill};

/// What an example gives when it is on disk; only rules that are on, and `also`.
pub(crate) fn findings(example: &Example, also: &str) -> Vec<Finding> {
    let (_folder, root) = written(example.folder, example.files);
    let set = skill::load(std::slice::from_ref(&root));
    let skills = skill::skills(&set);
    let mut options = with_taste();
    options.rules.extend(find(also).filter(|rule| !rule.on).map(switched_on));
    // Runs in which nothing was read and nothing run.
    let idle = |skill: &Skill| (skill.path.clone(), Usage { runs: RUNS_NEEDED, ..Usage::default() });
    options.usage = skills.iter().map(idle).collect();
    options.probes = skills.iter().flat_map(probes).collect();
    Linter::new(options).all(&set, &skills, &Disk)
}

/// The usual rules, and those of `all` whose tests are written as if they were.
pub(crate) fn with_taste() -> LintOptions {
    let mut options = with_weak();
    options.rules.extend(TASTE.into_iter().filter_map(find).map(switched_on));
    options
}

/// The usual rules, those of security named one by one, so that they also list findings that are weak by themselves.
pub(crate) fn with_weak() -> LintOptions {
    let of_security = rules().filter(|rule| rule.on && rule.group == Group::Security);
    LintOptions { rules: of_security.map(switched_on).collect(), ..LintOptions::default() }
}

fn switched_on(rule: &'static Rule) -> (String, Setting) {
    let setting = match rule.severity {
        Severity::Info => Setting::Info,
        Severity::Warning => Setting::Warning,
        Severity::Error => Setting::Error,
    };
    (rule.id.into(), setting)
}

const TASTE: [&str; 65] = [
    "import-not-found",
    "field-unsupported-by-client",
    "fork-needs-conversation",
    "evals-json-invalid",
    "shadowed-by-scope",
    "hidden-executable",
    "lockfile-mismatch",
    "link-escapes-skill",
    "loader-sees-different-value",
    "undeclared-import",
    "hard-coded-path",
    "absolute-link",
    "benchmark-layout-not-aggregated",
    "misleading-offline-claim",
    "unread-file",
    "path-traversal",
    "cloud-metadata",
    "suspicious-url",
    "skill-md-missing",
    "declared-exceeds-use",
    "network-host-undeclared",
    "assertion-quotes-prompt",
    "contradiction",
    "dead-step",
    "plugin-manifest-mismatch",
    "unpinned-runner",
    "heaviest-path-tokens",
    "fence-does-not-parse",
    "no-set-e",
    "stdout-mixed-diagnostics",
    "failure-exits-zero",
    "writes-outside-workdir",
    "auxiliary-document",
    "too-many-files",
    "autonomy-abuse",
    "catalogue-tokens",
    "catalogue-over-budget",
    "names-missing-skill",
    "time-sensitive",
    "instructions-too-many",
    "must-read-tokens",
    "tls-check-off",
    "name-vague",
    "generic-pointer",
    "keyword-baiting",
    "loader-dir-not-scanned",
    "too-deep-to-discover",
    "nesting-too-deep",
    "emphasis-overused",
    "endless-repeat",
    "options-too-many",
    "directive-repeated",
    "heading-jump",
    "reference-copied",
    "own-path-hard-coded",
    "shared-content-drift",
    "description-overlap",
    "dead-section",
    "duplicate-file",
    "argument-hint-missing",
    "trigger-too-generic",
    "body-should-split",
    "code-block-lines",
    "negative-scope-missing",
    "step-number-wrong",
];

/// What the scripts of an example would do with `--help`, judged from their text. If there is a sandbox, a test in
/// `api::probes` really runs them.
fn probes(skill: &Skill) -> Vec<(Utf8PathBuf, Probe)> {
    let scripts = probe::candidates(skill).map(|candidate| &candidate.file.path);
    scripts.map(|path| (path.clone(), pretended(&fs::read_to_string(path).unwrap_or_default()))).collect()
}

fn pretended(script: &str) -> Probe {
    let quiet = Probe { end: End::Exit(0), printed: 60, errors: String::new(), wrote: Vec::new(), asked: false };
    let has = |part| script.contains(part);
    match script {
        _ if has("argparse") || has("--help") => quiet,
        _ if has("input(") => Probe { asked: true, ..quiet },
        _ if has("while True") => Probe { end: End::TimedOut(5), ..quiet },
        _ if has("exit 2") => Probe { end: End::Exit(2), errors: "error: there is no file --help\n".into(), ..quiet },
        _ if has("range(2000)") => Probe { printed: 70_000, ..quiet },
        _ if has("> report.md") => Probe { wrote: vec!["report.md".into()], ..quiet },
        _ => quiet,
    }
}

/// A text that starts with `->` is a link; one that starts with `#!` may be executed; `=>5000` is a file of so many
/// bytes. U+FFFD is written as a byte that is not UTF-8. `{1-9}` in a path makes a file for each number.
pub(crate) fn written(folder_name: &str, files: &[(&str, &str)]) -> (TempDir, Utf8PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap().join("skills");
    fs::create_dir(&root).unwrap();
    for (path, text) in files {
        for path in numbered(path) {
            write(&root.join(place(folder_name, &path)), text);
        }
    }
    (folder, root)
}

fn write(path: &Utf8Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    if let Some(target) = text.strip_prefix("->") {
        link(Utf8Path::new(target), path);
    } else if let Some(size) = text.strip_prefix("=>") {
        fs::File::create(path).unwrap().set_len(size.parse().unwrap()).unwrap();
    } else if text == "|named pipe" {
        assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
    } else {
        fs::write(path, bytes(text)).unwrap();
    }
    if text.starts_with("#!") {
        make_executable(path);
    }
}

fn numbered(path: &str) -> Vec<String> {
    let parts = path.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
    let Some((before, (range, after))) = parts else { return vec![path.to_owned()] };
    let (first, last) = range.split_once('-').unwrap();
    let numbers = first.parse::<u32>().unwrap()..=last.parse().unwrap();
    numbers.map(|number| format!("{before}{number}{after}")).collect()
}

fn bytes(text: &str) -> Vec<u8> {
    let parts: Vec<&[u8]> = text.split(char::REPLACEMENT_CHARACTER).map(str::as_bytes).collect();
    parts.join(&0xFF)
}

#[cfg(unix)]
fn link(target: &Utf8Path, path: &Utf8Path) {
    std::os::unix::fs::symlink(target, path).unwrap();
}

#[cfg(not(unix))]
fn link(_target: &Utf8Path, _path: &Utf8Path) {}

#[cfg(unix)]
fn make_executable(path: &Utf8Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(not(unix))]
fn make_executable(_path: &Utf8Path) {}

/// A path that starts with `/` is next to the skill's folder.
fn place(folder: &str, path: &str) -> String {
    path.strip_prefix('/').map_or_else(|| format!("{folder}/{path}"), str::to_owned)
}

/// The findings in files in a folder `skills`.
pub fn findings_of(files: &[(&str, &str)], options: &LintOptions) -> Vec<Finding> {
    let (_folder, root) = written("", files);
    let set = skill::load(std::slice::from_ref(&root));
    Linter::new(options.clone()).all(&set, &skill::skills(&set), &Disk)
}

/// The findings in files in a folder `skills`, as `rule: message`.
pub fn said_of(files: &[(&str, &str)], options: &LintOptions) -> Vec<String> {
    said_with(files, |_| options.clone())
}

/// The same, with options that depend on where the skills are.
pub fn said_with(files: &[(&str, &str)], options: impl FnOnce(&[Skill]) -> LintOptions) -> Vec<String> {
    let (_folder, root) = written("", files);
    let set = skill::load(std::slice::from_ref(&root));
    let skills = skill::skills(&set);
    let findings = Linter::new(options(&skills)).all(&set, &skills, &Disk);
    findings.iter().map(|finding| format!("{}: {}", finding.rule.id, finding.message.en)).collect()
}

fn said(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(|finding| format!("{} {}: {}", finding.path, finding.rule.id, finding.message.en)).collect()
}

#[test]
#[cfg_attr(not(unix), ignore = "some examples hold links")]
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
        let texts = [rule.title.en, rule.title.zh, rule.what.en, rule.what.zh, rule.why.en, rule.why.zh, rule.source];
        if texts.iter().any(|text| text.trim().is_empty()) || rule.title.en.ends_with('.') {
            wrong.push(format!("{} leaves something unsaid, or its title ends in a full stop", rule.id));
        }
        let file =
            format!("{}/src/rules/{}/{}.rs", env!("CARGO_MANIFEST_DIR"), rule.group.id(), rule.id.replace('-', "_"));
        if !Utf8Path::new(&file).exists() {
            wrong.push(format!("{} is not in the file that is called so: {file}", rule.id));
        }
        if !rule.id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-') {
            wrong.push(format!("{} is not in kebab case", rule.id));
        }
        if let Some(patterns) = rule.patterns() {
            for pattern in patterns.patterns {
                if regex::Regex::new(pattern.expression).is_err() {
                    wrong.push(format!("{}: {} is no expression", rule.id, pattern.expression));
                }
                if !super::plain::Plain::of(pattern.expression, super::plain::Lines::Text).is_original() {
                    wrong.push(format!("{}: {} has letters that are read as others", rule.id, pattern.expression));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `build.rs` reads declarations as text: if it does not recognise one, the rule would be missing silently.
#[test]
fn every_file_that_holds_a_rule_is_listed() {
    let listed: BTreeSet<String> =
        rules().map(|rule| format!("{}/{}", rule.group.id(), rule.id.replace('-', "_"))).collect();
    let folder = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules");
    let (mut held, mut left_out) = (0, Vec::new());
    for group in folder.read_dir_utf8().unwrap().map(Result::unwrap).filter(|entry| entry.path().is_dir()) {
        let modules = fs::read_to_string(group.path().with_extension("rs")).unwrap();
        for file in group.path().read_dir_utf8().unwrap().map(|entry| entry.unwrap().into_path()) {
            let name = file.file_stem().unwrap();
            // Whatever rules share is private to its group.
            let shown = modules.contains(&format!("\npub mod {name};"));
            if shown || declares_a_rule(&fs::read_to_string(&file).unwrap()) {
                held += 1;
                let path = format!("{}/{name}", group.file_name());
                if !listed.contains(&path) {
                    left_out.push(path);
                }
            }
        }
    }
    assert_eq!((held, left_out), (listed.len(), Vec::new()));
}

/// However it is written.
fn declares_a_rule(text: &str) -> bool {
    regex::Regex::new(r"\b(?:static|const)\s+\w+\s*:\s*(?:\w+\s*::\s*)*Rule\b").unwrap().is_match(text)
}

#[test]
fn a_rule_is_found_however_it_is_written() {
    for text in [
        "pub static RULE: Rule = Rule {",
        "pub(crate) static RULE : crate::rule::Rule = of(1);",
        "    pub const RULE:\n    Rule = Rule {",
    ] {
        assert!(declares_a_rule(text), "{text}");
    }
    assert!(!declares_a_rule(
        "use crate::Rule;\nfn of(rule: &'static Rule) -> Vec<Rule> {\nstatic ALL: &[&Rule] = &[];"
    ));
}
