//! What the rules on frontmatter and file form report, and what they do not.

use crate::fix::{applied, edits};
use crate::tests::findings;
use crate::{Applicability, Example, Finding, Group};

fn of_skill(text: &str) -> Vec<Finding> {
    findings(&example("demo", text), "")
}

fn example(folder: &'static str, text: &str) -> Example {
    let file: (&str, &str) = ("SKILL.md", text.to_owned().leak());
    Example { folder, files: vec![file].leak() }
}

/// What rules of this group report.
fn ids(findings: &[Finding]) -> Vec<&'static str> {
    findings.iter().map(|finding| finding.rule).filter(|rule| rule.group == Group::Form).map(|rule| rule.id).collect()
}

/// The frontmatter's lines around which everything is as it should be.
fn with(lines: &str) -> String {
    format!("---\nname: demo\ndescription: Runs a small demo program. Use when asked for a demo.\n{lines}---\nDo it.\n")
}

/// The text with all fixes applied, and the rules that still report something.
fn fixed(text: &str) -> (String, Vec<&'static str>) {
    let found = of_skill(text);
    let (mut edits, _) = edits(&found, Applicability::Unsafe, |_| true);
    let fixed = applied(text, &edits.pop_first().map(|(_, edits)| edits).unwrap_or_default());
    let left = ids(&of_skill(&fixed));
    (fixed, left)
}

#[test]
fn fields_of_clients_are_known() {
    let lines = "license: MIT\ncontext: fork_with_context\nagent: critic\nmodel: fast\nallowed-tools: [Read, Grep]\n\
                 argument-hint: \"[file]\"\nuser-invocable: false\ndisable-model-invocation: true\nhooks:\n  Stop: []\n\
                 paths: src/**\nx-mine: 1\nmcp:\n  a: b\n";
    assert_eq!(ids(&of_skill(&with(lines))), Vec::<&str>::new());
}

#[test]
fn brackets_of_tools_have_others() {
    for tools in
        ["Bash(git add:*", "Read Bash(a)) Grep", "[\"Bash(git add:*\", Read]", "[Bash(git add:*, commit:*), Read]"]
    {
        assert_eq!(ids(&of_skill(&with(&format!("allowed-tools: {tools}\n")))), ["allowed-tools-bracket"], "{tools}");
    }
    for tools in
        ["Bash(git add:*) Read", "Bash(grep \"(\":*), Read", "Bash(a \\(:*)", "[\"Bash(a (b) c)\", Read]", "Read"]
    {
        assert_eq!(ids(&of_skill(&with(&format!("allowed-tools: {tools}\n")))), [""; 0], "{tools}");
    }
}

#[test]
fn an_unknown_field_is_renamed_to_what_was_meant() {
    for (key, meant) in [
        ("verson", "version"),
        ("allowed_tools", "allowed-tools"),
        ("Licence", "license"),
        ("compatability", "compatibility"),
    ] {
        let text = with(&format!("{key}: x\n"));
        let found = of_skill(&text);
        assert_eq!(ids(&found), ["unknown-field"], "{key}");
        assert_eq!(fixed(&text).0, with(&format!("{meant}: x\n")));
    }
    assert_eq!(ids(&of_skill(&with("frobnicate: x\n"))), ["field-belongs-in-metadata"]);
    let twice =
        of_skill("---\nname: demo\ndescription: Runs a small demo. Use when asked.\nDescription: x\n---\nDo it.\n");
    assert!(twice[0].fix.is_none(), "a fix would make a second description");
}

#[test]
fn moves_what_is_about_the_skill_into_metadata() {
    let (text, left) = fixed(&with("version: 1.2.0\nlicense: MIT\nauthor: me # and you\n"));
    assert_eq!(text, with("metadata:\n  version: 1.2.0\n  author: me # and you\nlicense: MIT\n"));
    assert_eq!(left, Vec::<&str>::new());
    let (text, _) = fixed(&with("metadata:\n    a: b\nversion: 1.2.0\ntags: x\n"));
    assert_eq!(text, with("metadata:\n    a: b\n    version: 1.2.0\n    tags: x\n"));
    let found = of_skill(&with("tags: [a, b]\n"));
    assert_eq!(ids(&found), ["field-belongs-in-metadata"]);
    assert!(found[0].fix.is_none(), "a list would not be text in metadata either");
}

#[test]
fn puts_values_in_quotes_where_that_is_all_they_need() {
    for (value, quoted) in [
        ("Runs a demo: use when asked for a demo.", "\"Runs a demo: use when asked for a demo.\""),
        ("Says \"hi\": use when asked for a demo.", "'Says \"hi\": use when asked for a demo.'"),
        ("换算单位: 当用户要求换算长度或重量时使用", "\"换算单位: 当用户要求换算长度或重量时使用\""),
        (
            "Runs a demo.\n  Use for this: a small demo\n  of a program.",
            "\"Runs a demo. Use for this: a small demo of a program.\"",
        ),
        ("@demo runs a demo; use when asked for one", "\"@demo runs a demo; use when asked for one\""),
        ("*All* demos; use when asked for one of them", "\"*All* demos; use when asked for one of them\""),
        ("[one] [two] demos when asked", "\"[one] [two] demos when asked\""),
        ("\"Demo\" programs are run when asked", "'\"Demo\" programs are run when asked'"),
    ] {
        let text = format!("---\nname: demo\ndescription: {value}\nlicense: MIT\n---\nDo it.\n");
        let (now, left) = fixed(&text);
        assert_eq!(now, format!("---\nname: demo\ndescription: {quoted}\nlicense: MIT\n---\nDo it.\n"));
        assert_eq!(left, Vec::<&str>::new(), "{value}");
    }
}

#[test]
fn other_mistakes_in_yaml_get_no_quotes() {
    for value in ["[open", "\"open", "a: b # or a comment", "{a: b", "[a, [b], c", "[a], b", "\"a\": b", "\"a \"b\" c"]
    {
        let found = of_skill(&format!("---\nname: demo\ndescription: {value}\n---\nDo it.\n"));
        assert!(ids(&found).contains(&"yaml-invalid"), "{value}: {:?}", ids(&found));
    }
}

#[test]
fn a_field_that_is_indented_by_mistake_stays_a_field() {
    for lines in [
        "name: demo\n  description: Runs a demo. Use when asked for one.\n",
        "name: demo\n\tdescription: Runs a demo. Use when asked for one.\n",
        "name: demo\ndescription: Runs a demo. Use when asked for one.\n  license: MIT\n",
        "name: demo\ndescription: Runs a demo. Use when asked.\nmetadata:\n  author: me\n    version: \"1\"\n",
    ] {
        let text = format!("---\n{lines}---\nDo it.\n");
        let (now, left) = fixed(&text);
        assert_eq!(now, text, "{lines}");
        assert!(left.contains(&"yaml-invalid"), "{lines}: {left:?}");
    }
}

#[test]
fn tells_of_values_that_are_no_text_to_a_parser() {
    let (text, left) = fixed("---\nname: demo\ndescription: 2026-01-31\n---\nDo it.\n");
    assert!(text.contains("description: \"2026-01-31\""), "{text}");
    assert!(!left.contains(&"yaml-typed-text"));
    let differing = with("metadata:\n  a: yes\n  b: 1.10\n  c: 012\n  d: 12:30\n  e: 0o17\n");
    assert_eq!(ids(&of_skill(&differing)), ["yaml-value-differs"; 5]);
    let plain = with("metadata:\n  a: \"yes\"\n  b: 1.10.0\n  c: v1\n  d: no problem\n  e: 12-30\n");
    assert_eq!(ids(&of_skill(&plain)), Vec::<&str>::new());
    assert_eq!(ids(&of_skill(&with("metadata:\n  version: 1.0\n  n: 3\n"))), ["metadata-value-not-text"; 2]);
}

#[test]
fn marks_of_yaml_in_text_are_text() {
    let quiet = with("metadata:\n  a: R&D *and* more!\n  b: \"&x *y !z\"\n  c: |\n    &x *y !z\n");
    assert_eq!(ids(&of_skill(&quiet)), Vec::<&str>::new());
    let found = of_skill(&with("metadata:\n  a: !!str 12\n"));
    assert_eq!(ids(&found), ["yaml-anchor-or-tag"]);
    assert_eq!(found[0].message.en, "`!!str` is a YAML tag; write the value out");
}

#[test]
fn removes_what_comes_before_the_frontmatter() {
    let text = with("");
    let (now, left) = fixed(&format!("\n \n{text}"));
    assert_eq!((now, left), (text, vec![]));
}

#[test]
fn a_license_in_words_is_no_file() {
    for license in ["MIT License", "Apache-2.0. See the license of the project", "Proprietary", "MIT OR Apache-2.0"] {
        assert_eq!(ids(&of_skill(&with(&format!("license: {license}\n")))), Vec::<&str>::new(), "{license}");
    }
    for license in ["LICENSE", "Proprietary. LICENSE.txt has complete terms", "(see legal/COPYING)"] {
        assert_eq!(ids(&of_skill(&with(&format!("license: {license}\n")))), ["license-file-missing"], "{license}");
    }
}

#[test]
fn names_in_other_scripts_are_a_warning_and_the_rest_stays_an_error() {
    let named = |folder: &'static str| {
        let text =
            format!("---\nname: {folder}\ndescription: Runs a small demo. Use when asked for a demo.\n---\nDo it.\n");
        ids(&findings(&example(folder, &text), ""))
    };
    assert_eq!(named("单位换算"), ["name-non-ascii"]);
    assert_eq!(named("пример-2"), ["name-non-ascii"]);
    assert_eq!(named("单位_换算"), ["name-chars"]);
    assert_eq!(named("Пример"), ["name-chars"]);
}

#[test]
fn three_hyphens_below_the_frontmatter_are_fine() {
    let quiet = format!("{}\n---\n\na --- b\n", with("metadata:\n  a: b--c\n"));
    assert_eq!(ids(&of_skill(&quiet)), Vec::<&str>::new());
    let (now, _) = fixed(&with("metadata:\n  a: b --- c\n"));
    assert_eq!(now, with("metadata:\n  a: b — c\n"));
}

#[test]
fn what_nobody_reads_under_any_name_is_not_misspelt() {
    assert_eq!(ids(&of_skill(&with("Keywords: a\n"))).iter().filter(|id| **id == "unknown-field").count(), 0);
    assert_eq!(ids(&of_skill(&with("user_invocable: true\n"))), ["unknown-field"]);
}

/// AgentScope for Java lists all fields: a model sees `<metadata>` around one that moves there.
#[test]
fn a_move_into_metadata_needs_review_because_a_model_sees_it() {
    let of = |lines: &str| {
        let found = of_skill(&with(lines));
        let fixes: Vec<_> =
            found.iter().filter_map(|finding| finding.fix.as_ref()).map(|fix| fix.applicability).collect();
        (fixes, fixed(&with(lines)).0)
    };
    let moved = |lines: &str| (vec![Applicability::Unsafe], with(&format!("metadata:\n{lines}")));
    assert_eq!(of("author: Ada\n"), moved("  author: Ada\n"));
    assert_eq!(of("version: 1.2.0\nauthor: Ada\n"), moved("  version: 1.2.0\n  author: Ada\n"));
    assert_eq!(of("version: 2\n"), moved("  version: \"2\"\n"), "metadata holds text");
    assert_eq!(of("version: \"2\"\n"), moved("  version: \"2\"\n"));
    assert_eq!(of("metadata:\n  team: web\nauthor: Ada\n"), moved("  team: web\n  author: Ada\n"));
}

#[test]
fn quotes_around_a_value_are_safe_if_every_framework_keeps_the_same_text() {
    let of = |value: &str| {
        let found = of_skill(&with(&format!("metadata:\n  a: {value}\n")));
        let fixes = found.iter().filter_map(|finding| finding.fix.as_ref()).map(|fix| fix.applicability);
        fixes.collect::<Vec<_>>()
    };
    for (value, safe) in [("3", true), ("2.5", true), ("true", false), ("[a, b]", false)] {
        let expected = if safe { Applicability::Safe } else { Applicability::Unsafe };
        assert_eq!(of(value), [expected], "{value}");
    }
}

#[test]
fn a_field_on_the_line_of_another_gets_its_own_line() {
    let of = |front: &str| {
        let text = format!("---\n{front}---\nDo it.\n");
        let found = of_skill(&text);
        let said: Vec<String> = found
            .iter()
            .filter(|finding| finding.rule.id == "yaml-unquoted-colon")
            .map(|finding| finding.message.en.split(';').take(2).collect::<Vec<_>>().join(";"))
            .collect();
        (said, fixed(&text).0)
    };
    let (said, now) = of("name: demo description: Runs a demo. Use when asked for one. license: MIT\n");
    let own_line =
        "`description:` is on the line of `name`, which makes the frontmatter invalid; put it on a line of its own";
    assert_eq!(said, [own_line]);
    assert_eq!(now, "---\nname: demo\ndescription: Runs a demo. Use when asked for one.\nlicense: MIT\n---\nDo it.\n");
    // A colon in prose.
    for description in
        ["Checks the license: use when asked for it.", "Use when asked: description: no.", "Takes the name: of a file."]
    {
        let (said, now) = of(&format!("name: demo\ndescription: {description}\n"));
        assert!(said.iter().all(|said| said.contains("put the value in quotes")) && said.len() == 1, "{said:?}");
        assert_eq!(now, format!("---\nname: demo\ndescription: \"{description}\"\n---\nDo it.\n"));
    }
}

#[test]
fn a_name_without_any_latin_letter_gets_no_empty_advice() {
    let text = "---\nname: 単位・換算\ndescription: Runs a small demo. Use when asked for a demo.\n---\nDo it.\n";
    let found = findings(&example("demo", text), "");
    let said = found.iter().find(|finding| finding.rule.id == "name-chars").map(|finding| finding.message.en.as_str());
    let expected = "`単位・換算` has `・`, which is not allowed; use lower-case letters a–z, digits and hyphens";
    assert!(said.is_some_and(|said| said.starts_with(expected)), "{said:?}");
}
