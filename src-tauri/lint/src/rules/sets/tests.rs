//! What the rules on several skills report, and what they do not.

use crate::analysis::likeness::{self, Pair};
use crate::tests::findings;
use crate::{Example, Finding};

/// Skills by folder and description.
fn skills(all: &[(&str, &str)]) -> Vec<Finding> {
    let files: Vec<(&str, &str)> =
        all.iter().map(|(folder, description)| (path(folder), text(folder, description))).collect();
    findings(&Example { folder: "none", files: files.leak() }, "")
}

fn path(folder: &str) -> &'static str {
    format!("/{folder}/SKILL.md").leak()
}

fn text(folder: &str, description: &str) -> &'static str {
    let name = folder.rsplit('/').next().unwrap_or_default();
    format!("---\nname: {name}\ndescription: {description}\n---\nDo it.\n").leak()
}

fn ids(findings: &[Finding]) -> Vec<&'static str> {
    findings.iter().map(|finding| finding.rule.id).collect()
}

#[test]
fn neighbours_in_one_field_are_not_the_same() {
    let quiet = skills(&[
        ("pdf-fill", "Fills in PDF forms from a table of answers. Use when asked to complete a form."),
        ("pdf-merge", "Puts several PDF files together and numbers the pages. Use when asked to merge files."),
        ("docx-write", "Writes Word documents with headings and tables. Use when asked for a report or a letter."),
        ("poem-en", "将中文古典诗词翻译成地道的英文。当用户要求翻译诗词时使用。"),
        ("contract-en", "将中文合同条款逐句译成英文并标注术语。当用户上传合同时使用。"),
    ]);
    assert_eq!(ids(&quiet), Vec::<&str>::new());
}

#[test]
fn copies_for_two_clients_are_no_two_skills_of_one_name() {
    let does = "Fills in PDF forms from a table of answers. Use when asked to complete a form.";
    let of = |one: &str, other: &str| ids(&skills(&[(one, does), (other, does)]));
    assert_eq!(of("p/.agents/skills/pdf-fill", "p/.claude/skills/pdf-fill"), [""; 0]);
    assert_eq!(of("p/.claude/skills/pdf-fill", "q/.claude/skills/pdf-fill"), [""; 0], "two projects");
    assert_eq!(of("p/.claude/skills/pdf-fill", "p/skills/pdf-fill"), [""; 0], "a client's copy");
    assert_eq!(
        of("plugins/p/skills/pdf-fill", "plugins/q/skills/pdf-fill"),
        [""; 0],
        "plugins have names of their own"
    );
    assert_eq!(of("a/pdf-fill", "b/pdf-fill"), [""; 0], "two folders");
}

#[test]
fn tells_of_descriptions_that_are_the_same_in_other_words() {
    let found = skills(&[
        ("poem-en", "将中文古典诗词精确翻译成地道的英文，当用户要求翻译诗词时使用。"),
        ("verse-en", "当用户要求翻译诗词时使用：将中文古典诗词精确翻译成地道的英文。"),
    ]);
    assert_eq!(ids(&found), ["description-overlap"]);
    assert!(found[0].message.en.contains("`poem-en`"), "{}", found[0].message.en);
}

#[test]
fn two_thousand_equal_descriptions_are_compared_in_a_moment() {
    let root = skill::Root {
        path: "/skills".into(),
        tree: skill::Folder {
            name: "skills".into(),
            path: "/skills".into(),
            link: None,
            listed: true,
            entries: (0..2000)
                .map(|number| {
                    let path = camino::Utf8PathBuf::from(format!("/skills/s{number}"));
                    let text = format!("---\nname: s{number}\ndescription: Extracts tables from PDF invoices into spreadsheets.\n---\nDo.\n");
                    let file = skill::File {
                        name: "SKILL.md".into(),
                        path: path.join("SKILL.md"),
                        size: text.len() as u64,
                        is_regular: true,
                        seen: skill::Seen::default(),
                        link: None,
                        source: Some(std::sync::Arc::new(skill::source::SourceText::of_text(path.join("SKILL.md"), text))),
                    };
                    let entries = vec![skill::Entry::File(file)];
                    skill::Entry::Folder(skill::Folder { name: format!("s{number}"), path, link: None, listed: true, entries })
                })
                .collect(),
        },
    };
    let skills = skill::skills(&skill::SkillSet { roots: vec![root], problems: Vec::new() });
    let pairs = likeness::pairs(&skills);
    assert_eq!(pairs.len(), 1999, "each has an earlier one, and is told of one");
    assert!(pairs.iter().all(|Pair { share, .. }| *share >= 1.0));
}

#[test]
fn depth_counts_from_the_folder_of_skills() {
    let description = "Runs a small demo program. Use when asked for a demo.";
    for (folder, deep) in [
        ("demo", false),
        ("office/demo", false),
        ("office/pdf/demo", true),
        ("plugins/office/skills/demo", false),
        ("packages/office/dist/agent-skills/demo", false),
        ("plugins/office/skills/pdf/demo", false),
        (".claude/skills/demo", false),
        (".claude/skills/office/demo", true),
    ] {
        let expected: &[&str] = if deep { &["too-deep-to-discover"] } else { &[] };
        assert_eq!(ids(&skills(&[(folder, description)])), expected, "{folder}");
    }
}

#[test]
fn names_in_other_contexts_are_no_skills() {
    let body = |text: &str| {
        let first =
            format!("---\nname: demo\ndescription: Runs a small demo. Use when asked for a demo.\n---\n{text}\n");
        let second =
            "---\nname: tour\ndescription: Shows a house to its buyers. Use when asked for a tour.\n---\nDo it.\n";
        let files = vec![("SKILL.md", &*first.leak()), ("/tour/SKILL.md", second)].leak();
        ids(&findings(&Example { folder: "demo", files }, ""))
    };
    for quiet in [
        "Use the `tour` skill.",
        "- **Example:** use the `pdf-forms` skill.",
        "When building a `pdf-forms` skill, list the fields.",
        "Every skill `SKILL.md` has a name.",
        "Adapted from Ada's MIT-licensed `house-tour` skill.",
        "Write a `my-skill` skill.",
        "Put `name` in skill `frontmatter`.",
        "It takes `skill-name` skills.",
    ] {
        assert!(!body(quiet).contains(&"names-missing-skill"), "{quiet}");
    }
    for loud in ["Use the `house-tour` skill.", "Load the skill `house-tour` first.", "使用 `house-tour` 技能。"] {
        assert!(body(loud).contains(&"names-missing-skill"), "{loud}");
    }
}
