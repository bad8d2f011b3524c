//! Texts that other linters report wrongly, and real skills: only true findings are reported in them.

use camino::Utf8Path;
use skill::Severity;
use skillbench_tests::Golden;

use crate::lint::{ALL_RULES, DEFAULT, at_least, lint, said};

/// Lists of tools, tools of other frameworks, forks, e-mail addresses and `@names`, fields of clients, warnings that quote
/// what they warn of, Chinese, and skills like those of which scanners say most.
const LOOK_ALIKES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/lint/look-alikes");

#[test]
fn look_alikes_get_no_warning_but_for_attacks_that_they_speak_of() {
    let root = Utf8Path::new(LOOK_ALIKES);
    let (spoken_of, others): (Vec<String>, Vec<String>) =
        said(root, &lint(root, &DEFAULT)).into_iter().partition(|said| said.contains("(less severe here: "));
    let places = spoken_of.iter().map(|said| said.split(": ").take(2).collect::<Vec<_>>().join(": "));
    assert_eq!(
        places.collect::<Vec<_>>(),
        [
            "prompt-guide/SKILL.md: inject-ignore-instructions",
            "security-review/SKILL.md: destructive-command-named",
            "security-review/SKILL.md: inject-ignore-instructions",
            "security-review/SKILL.md: exec-fetch-pipe-shell",
            "security-review/SKILL.md: exec-fetch-pipe-shell",
            "security-review/SKILL.md: inject-jailbreak",
            "security-review/SKILL.md: exec-fetch-pipe-shell-plain",
        ]
    );
    assert_eq!(
        others,
        [
            "client-keys/SKILL.md: field-belongs-in-metadata: the specification has no `version`, `author`; move them into \
             `metadata`",
        ]
    );
}

#[test]
fn bundled_skills_and_look_alikes_get_no_error_from_any_rule() {
    for root in [LOOK_ALIKES, concat!(env!("CARGO_MANIFEST_DIR"), "/../skills")] {
        let root = Utf8Path::new(root).canonicalize_utf8().unwrap();
        assert_eq!(said(&root, &at_least(lint(&root, &ALL_RULES), Severity::Error)), [""; 0]);
    }
}

#[test]
fn bundled_skills_get_no_finding() {
    let root = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("../skills").canonicalize_utf8().unwrap();
    assert_eq!(said(&root, &lint(&root, &DEFAULT)), [""; 0]);
}

#[test]
#[cfg_attr(not(unix), ignore = "the fixtures hold links")]
fn recorded_skills_get_errors_for_what_was_broken_on_purpose() {
    let golden = Golden::copy();
    let root = golden.path().join("skills");
    let errors = at_least(lint(&root, &DEFAULT), Severity::Error);
    let places = errors.iter().map(|finding| {
        let path = finding.path.strip_prefix(&root).unwrap_or(&finding.path);
        (path.as_str(), finding.rule.id)
    });
    assert_eq!(
        places.collect::<Vec<_>>(),
        [
            ("Bad_Name/SKILL.md", "name-chars"),
            ("colon-desc/SKILL.md", "yaml-unquoted-colon"),
            ("dir-mismatch/SKILL.md", "name-dir-mismatch"),
            ("dup-b/SKILL.md", "name-dir-mismatch"),
            ("long-desc/SKILL.md", "field-too-long"),
            ("lower-case/skill.md", "file-name-case"),
            ("no-desc/SKILL.md", "description-missing"),
            ("no-frontmatter/SKILL.md", "frontmatter-missing"),
        ]
    );
}
