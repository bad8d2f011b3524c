//! What the recordings do not show, and the steps between a call and its answer.

use serde_json::json;

use super::*;
use crate::sample::{disk, manifest};
use crate::{Effect, QuirkKind};
use config::options::{OpenCodeOptions, PermissionAction, SkillPermission};

fn catalog_of(files: &[(&str, &str)], set: impl FnOnce(&mut OpenCodeOptions)) -> Catalog {
    let mut options = Options::default();
    set(&mut options.settings.opencode);
    OpenCode.select(&disk(files), &options)
}

fn catalog(files: &[(&str, &str)]) -> Catalog {
    catalog_of(files, |_| {})
}

fn rule(pattern: &str, action: PermissionAction) -> SkillPermission {
    SkillPermission { pattern: pattern.into(), action }
}

fn call(name: &str) -> ToolCall {
    ToolCall::new("call_1", "skill", json!({"name": name}).to_string())
}

fn replied(served: Served) -> String {
    match served {
        Served::Reply(reply) => reply.text,
        other => panic!("{other:?}"),
    }
}

fn names(catalog: &Catalog) -> Vec<&str> {
    catalog.skills.iter().map(|skill| skill.name.as_str()).collect()
}

fn kinds(catalog: &Catalog) -> Vec<(QuirkKind, &str)> {
    catalog.quirks.iter().map(|quirk| (quirk.kind, quirk.detail.as_str())).collect()
}

#[test]
fn folders_of_several_clients_are_read_at_any_depth() {
    let files = [
        (".claude/skills/.deep/er/one/SKILL.md", manifest("one")),
        (".opencode/skill/group/two/SKILL.md", manifest("two")),
        (".opencode/skills/.hidden/SKILL.md", manifest("hidden")),
        (".config/opencode/skills/three/SKILL.md", manifest("three")),
        (".agents/skills/SKILL.md", manifest("four")),
        ("skills/top/SKILL.md", manifest("top")),
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let found = catalog(&files);
    assert_eq!(names(&found), ["four", "one", "three", "two"]);
    let skipped: Vec<&str> = found.skipped.iter().map(|skipped| skipped.path.as_str()).collect();
    assert_eq!(skipped, ["/skills/skills/top/SKILL.md", "/skills/.opencode/skills/.hidden/SKILL.md"]);
}

#[test]
fn of_two_with_one_name_one_is_loaded_and_this_is_reported_as_chance() {
    let found = catalog(&[("a/SKILL.md", &manifest("twin")), ("b/SKILL.md", &manifest("twin"))]);
    assert_eq!(found.skills[0].path.as_deref().unwrap(), "/skills/b");
    assert_eq!(
        kinds(&found),
        [(QuirkKind::ChosenByChance, "/skills/b/SKILL.md"), (QuirkKind::ChosenByChance, "/skills/a/SKILL.md")]
    );
    assert_eq!(
        found.skipped[0].reason.en,
        "/skills/b/SKILL.md has the same name; which of them OpenCode loads is random"
    );
}

#[test]
fn a_skill_without_a_description_loads_and_is_not_listed() {
    let found = catalog(&[("a/SKILL.md", "---\nname: a\n---\nDo it.\n")]);
    let shown = OpenCode.present(&found, &Session::default()).instructions.unwrap().text;
    assert!(shown.ends_with("No skills are currently available."), "{shown}");
    assert_eq!(kinds(&found), [(QuirkKind::NotListed, "description")]);
    assert!(
        replied(OpenCode.serve(&call("a"), &found, &mut Session::default())).contains("\n\nDo it.\n\nBase directory")
    );
}

#[test]
fn a_skill_that_asks_is_loaded_once_the_user_agrees_and_else_ends_the_run() {
    let found = catalog_of(&[("a/SKILL.md", &manifest("a"))], |options| {
        options.permission = vec![rule("*", PermissionAction::Ask)];
    });
    let mut session = Session::default();
    let asked = OpenCode.serve(&call("a"), &found, &mut session);
    assert_eq!(asked, Served::Perform(Effect::Disclose { skill: "a".into(), resource: None }));
    let text = replied(OpenCode.settle(&call("a"), Performed::Agreed, &found, &mut session));
    assert_eq!(text, found.skills[0].content);
    let no = |reason: Option<&str>| Performed::Denied { reason: reason.map(str::to_owned) };
    let ended = OpenCode.settle(&call("a"), no(None), &found, &mut session);
    assert_eq!(ended, Served::Abort("The user rejected permission to use this specific tool call.".into()));
    let text = replied(OpenCode.settle(&call("a"), no(Some("use b")), &found, &mut session));
    assert!(text.ends_with("with the following feedback: use b"), "{text}");
}

#[test]
fn the_clients_own_skill_is_there_unless_it_is_denied() {
    let own = |catalog: &Catalog| {
        let shown = OpenCode.present(catalog, &Session::default()).instructions.unwrap().text;
        (shown.contains(OWN), replied(OpenCode.serve(&call(OWN), catalog, &mut Session::default())))
    };
    let (listed, said) = own(&catalog(&[]));
    assert!(!listed && said.starts_with("The user has specified a rule"), "{said}");
    let (listed, said) = own(&catalog_of(&[], |options| options.permission = Vec::new()));
    assert!(listed && said.contains("[OpenCode's own text, not reproduced]"), "{said}");
}

#[test]
fn ten_files_are_named_and_more_are_mentioned() {
    let mut files: Vec<(String, String)> = (0..12).map(|n| (format!("a/f{n:02}.md"), String::new())).collect();
    files.extend([("a/SKILL.md".into(), manifest("a")), ("a/link.md".into(), "->f00.md".into())]);
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let found = catalog(&files);
    assert_eq!(found.skills[0].content.matches("<file>").count(), 10);
    assert_eq!(kinds(&found), [(QuirkKind::FilesLeftOut, "10")]);
}

#[test]
fn files_that_are_ignored_are_not_named() {
    let files: [(&str, &str); 5] = [
        (".opencode/skills/a/SKILL.md", &manifest("a")),
        (".opencode/skills/a/x.py", ""),
        (".opencode/skills/a/x.pyc", ""),
        (".opencode/skills/a/out/y.md", ""),
        (".gitignore", "*.pyc\nout/\n"),
    ];
    let named = |catalog: &Catalog| catalog.skills[0].content.matches("<file>").count();
    assert_eq!(named(&catalog(&files)), 1);
    let at_home = catalog_of(&files, |options| options.home = Some("/skills".into()));
    assert_eq!(named(&at_home), 3, "the home folder is no repository");
}

#[test]
fn what_addresses_brought_is_read_last_if_there_are_any() {
    let files: [(&str, &str); 3] = [
        (".cache/opencode/skills/far/SKILL.md", &manifest("far")),
        (".cache/opencode/skills/SKILL.md", &manifest("top")),
        (".opencode/skills/near/SKILL.md", &manifest("near")),
    ];
    let of = |urls: bool| {
        catalog_of(&files, |options| {
            options.home = Some("/skills".into());
            options.urls = urls;
        })
    };
    assert_eq!(names(&of(true)), ["far", "near"]);
    let without = of(false);
    assert_eq!(names(&without), ["near"]);
    let skipped: Vec<&str> = without.skipped.iter().map(|skipped| skipped.path.as_str()).collect();
    assert!(skipped.contains(&"/skills/.cache/opencode/skills/far/SKILL.md"), "{skipped:?}");
}

#[test]
fn nothing_loads_what_is_denied_or_what_ripgrep_misses() {
    let loads = |set: fn(&mut OpenCodeOptions)| {
        let found = catalog_of(&[("a/SKILL.md", &manifest("a"))], set);
        OpenCode.loads_with(&found.skills[0], &found, &Session::default())
    };
    assert_eq!(loads(|_| {}).as_deref(), Some("skill"));
    assert_eq!(loads(|options| options.permission.push(rule("a", PermissionAction::Deny))), None);
    assert_eq!(loads(|options| options.ripgrep = false), None);
}

#[test]
fn the_client_leaves_out_what_it_keeps_in_its_own_folder() {
    let skill: [(&str, &str); 4] =
        [("a/SKILL.md", &manifest("a")), ("a/package.json", ""), ("a/.gitignore", ""), ("a/x.py", "")];
    let named = |folder: &str| {
        let files = skill.map(|(path, text)| (format!("{folder}/{path}"), text));
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        catalog(&files).skills[0].content.matches("<file>").count()
    };
    assert_eq!(named(".opencode/skills"), 1);
    assert_eq!(named(".claude/skills"), 3);
}

#[test]
fn what_only_we_do_not_read_is_no_mistake_in_the_file() {
    let (long, times) = ("k".repeat(900_000), 12);
    let merges: String = (0..times).map(|at| format!("m{at}: {{<<: *a}}\n")).collect();
    let merged = format!("? &k {long}\n: 1\na: &a {{*k : 1}}\n{merges}");
    let key = format!("a: &a {long}\n? [{}]\n: 1\n", vec!["*a"; times].join(", "));
    let skipped = [&merged, &key].map(|yaml| {
        let text = format!("---\nname: big\ndescription: b\n{yaml}---\nBody.\n");
        let found = catalog(&[(".opencode/skills/big/SKILL.md", &text)]);
        let [skipped] = &found.skipped[..] else { panic!("{:?}", found.skills) };
        [skipped.reason.en.clone(), skipped.reason.zh.clone()]
    });
    insta::assert_snapshot!(skipped.concat().join("\n"), @"
    Skill Workbench does not read maps that merge keys of more than 10 million characters
    Skill Workbench 不读取合并的键超过一千万个字符的映射
    Skill Workbench does not read a list of more than 10 million characters as a key
    Skill Workbench 不读取超过一千万个字符的列表作为键
    ");
}
