use serde_json::{Value, json};

use super::*;
use crate::sample::{disk, manifest};
use crate::{Effect, FailureKind, ListedEntry, QuirkKind, ScriptOutput};

fn select(files: &[(&str, &str)]) -> Catalog {
    DeepAgents.select(&disk(files), &Options::default())
}

fn reply(name: &str, arguments: &Value, done: Option<Performed>) -> String {
    let call = ToolCall::new("call_1", name, arguments.to_string());
    let catalog = select(&[("a/SKILL.md", &manifest("a"))]);
    let mut session = Session { working_directory: Some("/work".into()), ..Session::default() };
    let mut served = DeepAgents.serve(&call, &catalog, &mut session);
    let mut done = done.into_iter().chain([Performed::Wrote]);
    loop {
        served = match served {
            Served::Reply(reply) => return reply.text,
            Served::Perform(_) => DeepAgents.settle(&call, done.next().unwrap(), &catalog, &mut session),
            Served::Abort(error) => panic!("{error}"),
        }
    }
}

fn file(text: &str) -> Option<Performed> {
    Some(Performed::Read { bytes: text.into() })
}

#[test]
fn reads_a_hundred_lines_unless_it_is_asked_for_more() {
    let text: String = (1..=150).map(|line| format!("{line}\n")).collect();
    let read = |arguments| reply("read_file", &arguments, file(&text));
    assert!(read(json!({"file_path": "/x"})).starts_with("@@ lines 1-100 of 150 | next offset 100 @@\n1\n2\n"));
    assert!(read(json!({"file_path": "/x", "limit": 1000})).starts_with("@@ lines 1-150 of 150 @@\n1\n"));
    assert_eq!(
        read(json!({"file_path": "/x", "offset": 148, "limit": 1})),
        "@@ lines 149-149 of 150 | next offset 149 @@\n149"
    );
    assert_eq!(
        read(json!({"file_path": "/x", "offset": 150})),
        "Error: Line offset 150 exceeds file length (150 lines)"
    );
    assert!(read(json!({"file_path": "/x", "limit": 0})).starts_with("System reminder: no lines were read"));
    assert!(read(json!({"file_path": "/x", "offset": -1, "limit": 1})).starts_with("[Requested offset -1 is before"));
    assert_eq!(
        reply("read_file", &json!({"file_path": "/x"}), file(" \n")),
        "System reminder: File exists but has empty contents"
    );
}

#[test]
fn a_result_has_as_many_whole_lines_as_fit() {
    let notice = "[Output was truncated due to size limits. The file content is very large. Consider reformatting the file to make \
                  it easier to navigate. For example, if this is JSON, use execute(command='jq . /x') to pretty-print it with \
                  line breaks. For other formats, you can use appropriate formatting tools to split long lines.]\n";
    let line = "x".repeat(30_000);
    let text = format!("{line}\n{line}\n{line}\n");
    let shown = reply("read_file", &json!({"file_path": "/x"}), file(&text));
    let head = format!("{notice}@@ lines 1-2 of 3 | next offset 2 | truncated due to size @@\n");
    assert!(shown.starts_with(&head), "{}", &shown[..600]);
    assert_eq!(shown.len(), head.len() + 60_001);
    let shown = reply("read_file", &json!({"file_path": "/x"}), file(&"y".repeat(90_000)));
    // The number of shown characters has as many digits as that of all.
    let head = format!("{notice}@@ lines 1-1 of 1 | truncated mid-line | 79619 of 90000 chars @@\n");
    assert_eq!(shown, format!("{head}{}", "y".repeat(80_000 - head.len())));
    let clamped = reply("read_file", &json!({"file_path": "/x", "offset": -2}), file("a\u{85}b\u{c}\nc"));
    let head =
        "[Requested offset -2 is before the start of the file; read from line 1 instead.]\n@@ lines 1-4 of 4 @@\n";
    assert_eq!(clamped, format!("{head}a\u{85}b\u{c}\nc\n\n"), "as many rows as lines");
}

#[test]
fn the_last_skill_of_a_name_is_kept_in_the_place_of_the_first() {
    let named = |text: &str| format!("---\nname: same\ndescription: {text}\n---\nBody.\n");
    let catalog =
        select(&[("a/SKILL.md", &named("first")), ("b/SKILL.md", &manifest("b")), ("c/SKILL.md", &named("last"))]);
    let shown: Vec<_> = catalog.skills.iter().map(|skill| (&*skill.name, &*skill.description)).collect();
    assert_eq!(shown, [("same", "last"), ("b", "About b")]);
    assert!(catalog.quirks.iter().any(|quirk| quirk.kind == QuirkKind::HiddenByDuplicate));
}

#[test]
fn an_unquoted_colon_and_a_missing_end_drop_the_skill() {
    let catalog = select(&[
        ("colon/SKILL.md", "---\nname: colon\ndescription: use: when\n---\nBody.\n"),
        ("end/SKILL.md", "---\nname: end\ndescription: d\n---"),
        ("list/SKILL.md", "---\n- a\n---\nBody.\n"),
        ("null/SKILL.md", "---\nname: null\ndescription:\n---\nBody.\n"),
    ]);
    let kept: Vec<_> = catalog.skills.iter().map(|skill| (&*skill.name, &*skill.description)).collect();
    assert_eq!(kept, [("None", "None")], "values become texts");
    assert_eq!(catalog.skipped.len(), 3);
    let end = "WARNING: Skipping /skills/end/SKILL.md: no valid YAML frontmatter found".to_owned();
    assert!(catalog.log.contains(&end), "{:?}", catalog.log);
}

#[test]
fn the_prompt_names_sources_licences_and_tools() {
    let text =
        "---\nname: a\ndescription: d\nlicense: MIT\ncompatibility: Python\nallowed-tools: [x, 'y z', 3]\n---\nBody.\n";
    let catalog = select(&[("a/SKILL.md", text)]);
    let session = Session { agent_instructions: Some("Help.".into()), ..Session::default() };
    let shown = DeepAgents.present(&catalog, &session).instructions.unwrap().text;
    assert!(shown.starts_with("Help.\n\n## Skills System\n"));
    assert!(shown.contains("**Skills Skills**: `/skills` (higher priority)\n"), "a folder in the root keeps its name");
    let entry = "- **a**: d (License: MIT, Compatibility: Python)\n  -> Allowed tools: x, y z\n  -> Read `/skills/a/SKILL.md` for \
                 full instructions\n";
    assert!(shown.contains(entry), "{shown}");
    let none = DeepAgents.present(&select(&[]), &session).instructions.unwrap().text;
    assert!(none.contains("(No skills available yet. You can create skills in /skills)"));
}

#[test]
fn reading_a_file_discloses_it() {
    let catalog = select(&[("a/SKILL.md", &manifest("a")), ("a/b/c.md", "")]);
    let of = |path: &str| {
        let call = ToolCall::new("1", "read_file", json!({"file_path": path}).to_string());
        DeepAgents.disclosure(&call, &catalog)
    };
    assert_eq!(of("/skills/a/SKILL.md"), Disclosure::Instructions { skill: "a".into() });
    assert_eq!(of("/skills/./a//b/c.md"), Disclosure::Resource { skill: "a".into(), resource: "b/c.md".into() });
    assert_eq!([of("/skills"), of("a/SKILL.md"), of("/skills/../skills/a/SKILL.md")], [const { Disclosure::None }; 3]);
}

#[test]
fn files_are_written_edited_searched_and_deleted() {
    let path = json!({"file_path": "/w/x"});
    assert_eq!(
        reply("write_file", &json!({"file_path": "/w/x", "content": "c"}), Some(Performed::Wrote)),
        "Updated file /w/x"
    );
    let edit = json!({"file_path": "/w/x", "old_string": "b", "new_string": "d"});
    assert_eq!(reply("edit_file", &edit, file("abc")), "Successfully replaced the string in '/w/x'");
    assert_eq!(reply("edit_file", &edit, file("abcb")).lines().count(), 1);
    assert_eq!(reply("edit_file", &edit, file("x")), "Error: String not found in file: 'b'");
    let ran = ScriptOutput {
        stdout: String::new(),
        stderr: String::new(),
        exit_code: Some(0),
        timed_out: false,
        truncated: false,
        took: 0,
    };
    assert_eq!(reply("delete", &path, Some(Performed::Ran(ran))), "Deleted /w/x");
    let found = Performed::Found { lines: Vec::new() };
    assert_eq!(reply("grep", &json!({"pattern": "x"}), Some(found)), "No matches found");
    let entry = |path: &str| ListedEntry { path: path.into(), folder: false, size: 0 };
    let listed = Performed::Listed { entries: vec![entry("/work/.git/x"), entry("/work/it's")] };
    assert_eq!(reply("glob", &json!({"pattern": "**/*"}), Some(listed)), "[\"/work/it's\"]");
    let missing = Performed::failed(FailureKind::NotFound, "");
    assert_eq!(reply("ls", &json!({"path": "x"}), Some(missing)), "Error: Path '/x': path_not_found");
    assert!(reply("execute", &json!({"command": "ls"}), None).starts_with("Error: Execution not available."));
    assert!(reply("task", &json!({"description": "d", "subagent_type": "x"}), None).starts_with("We cannot invoke"));
}

#[test]
fn a_subagent_has_the_skills_and_no_further_one() {
    let call =
        ToolCall::new("1", "task", json!({"description": "Do it.", "subagent_type": "general-purpose"}).to_string());
    let catalog = select(&[("a/SKILL.md", &manifest("a"))]);
    let Served::Perform(Effect::Delegate(delegation)) = DeepAgents.serve(&call, &catalog, &mut Session::default())
    else {
        panic!("it is delegated")
    };
    assert!(delegation.messages[0].text().contains("- **a**: About a"));
    assert!(!delegation.tools.iter().any(|tool| tool.name == "task"));
    let mut session = Session { delegated: true, ..Session::default() };
    assert!(matches!(DeepAgents.serve(&call, &catalog, &mut session), Served::Reply(_)));
}
