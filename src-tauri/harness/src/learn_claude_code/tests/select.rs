//! What is loaded, the messages about the rest, and quirks.

use std::sync::Arc;

use super::*;
use crate::QuirkKind;
use skill::source::SourceText;
use skill::{Entry, Folder, Problem, ProblemKind};

fn quirks(found: &SkillSet) -> Vec<(QuirkKind, String, String)> {
    let catalog = catalog_of(found, "seed", |_| {});
    let shown = catalog.quirks.iter().map(|quirk| {
        let source = found.roots.iter().find_map(|root| source(&root.tree, quirk.path.as_ref()?.as_str()));
        let place = quirk.span.zip(source).map(|(span, source)| span.of(&source.text).to_owned());
        (quirk.kind, place.unwrap_or_default(), quirk.detail.clone())
    });
    shown.collect()
}

fn source(folder: &Folder, path: &str) -> Option<Arc<SourceText>> {
    folder.entries.iter().find_map(|entry| match entry {
        Entry::File(file) => file.source.clone().filter(|_| file.path == path),
        Entry::Folder(inner) => source(inner, path),
    })
}

fn with_source(change: impl FnOnce(&mut SourceText)) -> SkillSet {
    let mut found = disk(&[("a/SKILL.md", &manifest("a"))]);
    let Entry::Folder(folder) = &mut found.roots[0].tree.entries[0] else { panic!("there is a folder") };
    let Entry::File(file) = &mut folder.entries[0] else { panic!("there is a file") };
    change(Arc::make_mut(file.source.as_mut().unwrap()));
    found
}

#[test]
fn finds_skills_at_any_depth_and_sorts_them_by_the_parts_of_their_paths() {
    let (a, b, c, d) = (manifest("a"), manifest("b"), manifest("c"), manifest("d"));
    let mut found = disk(&[
        ("B/x/y/z/SKILL.md", b.as_str()),
        ("SKILL.md", a.as_str()),
        ("a-b/SKILL.md", c.as_str()),
        ("a/SKILL.md", d.as_str()),
    ]);
    fn sort(folder: &mut Folder) {
        let name = |entry: &Entry| match entry {
            Entry::File(file) => file.name.clone(),
            Entry::Folder(folder) => folder.name.clone(),
        };
        folder.entries.sort_by_key(name);
        folder.entries.iter_mut().for_each(|entry| {
            if let Entry::Folder(inner) = entry {
                sort(inner);
            }
        });
    }
    sort(&mut found.roots[0].tree);
    let catalog = catalog_of(&found, "seed", |_| {});
    let names: Vec<&str> = catalog.skills.iter().map(|skill| skill.name.as_str()).collect();
    assert_eq!(names, ["b", "a", "d", "c"], "`B` comes before `SKILL.md`, and `a` before `a-b`");
    assert_eq!(catalog.quirks, []);
}

#[test]
fn the_last_of_a_name_wins_in_the_place_of_the_first() {
    let other = "---\nname: one\ndescription: Other\n---\nOther body\n";
    let found = disk(&[("a/SKILL.md", &manifest("one")), ("b/SKILL.md", &manifest("two")), ("c/SKILL.md", other)]);
    let catalog = catalog_of(&found, "seed", |_| {});
    let skills: Vec<_> = catalog.skills.iter().map(|skill| (skill.id.as_str(), skill.description.as_str())).collect();
    assert_eq!(skills, [("one", "Other"), ("two", "About two")]);
    assert_eq!(catalog.skipped[0].path, "/skills/a/SKILL.md");
    assert_eq!(quirks(&found), [(QuirkKind::HiddenByDuplicate, String::new(), "/skills/c/SKILL.md".into())]);
}

#[test]
fn says_of_files_that_are_not_read_that_they_are_left_out() {
    let found = disk(&[("lower/skill.md", &manifest("lower")), ("broken/SKILL.md", "->gone")]);
    let catalog = catalog_of(&found, "seed", |_| {});
    assert_eq!(catalog.skipped.len(), 1, "the sample's links are not broken");
    assert_eq!(catalog.skipped[0].reason.en, "the file must be called SKILL.md, not skill.md");
}

#[test]
fn reports_values_that_yaml_reads_otherwise() {
    let quoted = "---\nname: \"a\"\ndescription: Use: this # now\n---\nx\n";
    let block = "---\nname: b\ndescription: >-\n  folded\nmetadata:\n  name: other\n---\nx\n";
    let plain = "---\nname: c\ndescription: 'quoted'\nlicense: \"MIT\"\n---\nx\n";
    let found = disk(&[("a/SKILL.md", quoted), ("b/SKILL.md", block), ("c/SKILL.md", plain)]);
    let misread = |place: &str, read: &str| (QuirkKind::ReadDifferently, place.to_owned(), read.to_owned());
    assert_eq!(
        quirks(&found),
        [
            misread("  name: other", "other"),
            misread("description: >-", ">-"),
            misread("description: 'quoted'", "'quoted'"),
        ],
        "what is no YAML at all is not compared with it"
    );
}

#[test]
fn the_course_has_yaml_read_the_frontmatter() {
    let number = "---\nname: 12\ndescription: null\ntags: [a]\n---\nx\n";
    let broken = "---\nname: two\ndescription: Use when: always\n---\nx\n";
    let found = disk(&[("one/SKILL.md", number), ("b/SKILL.md", broken)]);
    let catalog = catalog_of(&found, "upstream", |_| {});
    let skills: Vec<_> = catalog.skills.iter().map(|skill| (skill.id.as_str(), skill.description.as_str())).collect();
    assert_eq!(skills, [("12", "None"), ("b", "")], "what is no YAML is no frontmatter");
    let quirks: Vec<_> = catalog.quirks.iter().map(|quirk| (quirk.kind, quirk.detail.as_str())).collect();
    assert_eq!(
        quirks,
        [
            (QuirkKind::ReadDifferently, "12"),
            (QuirkKind::ReadDifferently, "None"),
            (QuirkKind::ListedNameDoesNotLoad, ""),
            (QuirkKind::OfferedWithoutFrontmatter, ""),
        ]
    );
}

#[test]
fn reports_files_without_frontmatter_or_instructions() {
    let found = disk(&[("a/SKILL.md", "# A\nText\n"), ("b/SKILL.md", "---\nname: b\n---\n\n"), ("c/SKILL.md", "")]);
    assert_eq!(
        quirks(&found),
        [
            (QuirkKind::OfferedWithoutFrontmatter, "# A".into(), String::new()),
            (QuirkKind::NoInstructions, String::new(), String::new()),
            (QuirkKind::OfferedWithoutFrontmatter, String::new(), String::new()),
            (QuirkKind::NoInstructions, String::new(), String::new()),
        ]
    );
    let bom = with_source(|source| source.bom = true);
    assert_eq!(quirks(&bom), [(QuirkKind::ByteOrderMark, String::new(), String::new())]);
}

#[test]
fn reports_commands_that_bash_refuses() {
    let text = "---\nname: a\n---\nNo `rm` and no sudo in prose.\nRun `x 2> /dev/null` or `sudo y`.\n```sh\nsudo apt install\n```\nNever reboot.\n";
    let blocked = |what: &str| (QuirkKind::CommandBlocked, what.to_owned(), what.to_owned());
    assert_eq!(quirks(&disk(&[("a/SKILL.md", text)])), [blocked("> /dev/"), blocked("sudo")]);
}

#[test]
fn a_file_that_python_cannot_read_ends_the_program() {
    let found = with_source(|source| {
        source.text.push('\u{fffd}');
        source.invalid_at = Some(source.text.len() - 3);
    });
    let catalog = catalog_of(&found, "seed", |_| {});
    assert_eq!(catalog.skills, []);
    assert!(catalog.refused.as_ref().unwrap().starts_with("UnicodeDecodeError: 'utf-8' codec can't decode byte"));
    assert_eq!(catalog.quirks[0].kind, QuirkKind::OneBadSkillFailsAll);
    assert_eq!(LearnClaudeCode.present(&catalog, &session()), Presentation::default());
    let directory = catalog_of(&disk(&[("a/SKILL.md/x", "")]), "seed", |_| {});
    assert_eq!(
        directory.refused.as_deref(),
        Some("IsADirectoryError: [Errno 21] Is a directory: '/skills/a/SKILL.md'")
    );
}

#[test]
fn files_of_an_inner_skill_are_not_the_outer_ones() {
    let found =
        disk(&[("a/SKILL.md", &manifest("a")), ("a/x.md", ""), ("a/b/SKILL.md", &manifest("b")), ("a/b/y.py", "")]);
    let catalog = catalog_of(&found, "seed", |_| {});
    let files = |index: usize| {
        let skill = &catalog.skills[index];
        let names = |files: &[crate::CatalogFile]| files.iter().map(|file| file.name.clone()).collect::<Vec<_>>();
        (names(&skill.resources), names(&skill.scripts))
    };
    assert_eq!(files(0), (vec!["x.md".into()], vec![]));
    assert_eq!(files(1), (vec![], vec!["y.py".into()]));
}

#[test]
fn values_that_only_the_framework_reads_are_reported() {
    let mut found = disk(&[("a/SKILL.md", &manifest("a")), ("a/node_modules/x", ""), (".git/x", "")]);
    let unlisted = |folder: &mut Folder| {
        folder.listed = false;
        folder.entries.clear();
    };
    for entry in &mut found.roots[0].tree.entries {
        match entry {
            Entry::Folder(folder) if folder.name == ".git" => unlisted(folder),
            Entry::Folder(folder) => {
                let inner = folder.entries.iter_mut().find_map(|entry| match entry {
                    Entry::Folder(inner) => Some(inner),
                    Entry::File(_) => None,
                });
                unlisted(inner.unwrap());
            }
            Entry::File(_) => {}
        }
    }
    let kind = ProblemKind::NameNotUtf8 { shown: "caf\u{fffd}".into() };
    found.problems.push(Problem { kind, path: "/skills".into(), span: None });
    let catalog = catalog_of(&found, "seed", |_| {});
    let many = "this folder holds so many files that Skill Workbench does not look for skills in it; the framework does, \
                and loads those that it finds there";
    let folders = "Skill Workbench does not look into folders of this name; the framework does, and loads skills that it \
                   finds there";
    let names = "the name is not valid UTF-8; Skill Workbench does not read it, and the framework may";
    let skipped = |path: &str, reason: &str| (path.to_owned(), reason.to_owned());
    assert_eq!(
        catalog.skipped.iter().map(|skipped| (skipped.path.clone(), skipped.reason.en.clone())).collect::<Vec<_>>(),
        [
            skipped("/skills/a/node_modules", many),
            skipped("/skills/.git", folders),
            skipped("/skills/caf\u{fffd}", names)
        ]
    );
}
