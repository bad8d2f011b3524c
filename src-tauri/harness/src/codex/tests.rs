//! What the recordings do not show, and the steps between a call and its answer.

use serde_json::json;

use super::Codex;
use crate::sample::{disk, manifest};
use crate::{
    Catalog, Disclosure, Effect, Harness, Options, Origin, Performed, QuirkKind, ScriptOutput, Served, Session,
};
use config::ScreenplayStep;
use config::options::CodexOptions;
use model::{Message, Role, ToolCall};

fn catalog_with(files: &[(&str, &str)], set: impl FnOnce(&mut CodexOptions)) -> Catalog {
    let mut options = Options::default();
    set(&mut options.settings.codex);
    Codex.select(&disk(files), &options)
}

fn catalog(files: &[(&str, &str)]) -> Catalog {
    catalog_with(files, |_| {})
}

/// The lines of the list, with the roots before them.
fn list(catalog: &Catalog) -> Vec<String> {
    let mut history = vec![Message::user("hi")];
    Codex.before_request(&mut history, None, catalog, &mut Session::default());
    let text = history[0].text();
    let lines = text.lines().filter(|line| line.starts_with("- `r") || line.contains("(file: "));
    lines.map(str::to_owned).collect()
}

fn quirks(catalog: &Catalog) -> Vec<(QuirkKind, String)> {
    catalog.quirks.iter().map(|quirk| (quirk.kind, quirk.detail.clone())).collect()
}

fn reasons(catalog: &Catalog) -> Vec<(String, String)> {
    catalog.skipped.iter().map(|skipped| (skipped.path.clone(), skipped.reason.en.clone())).collect()
}

#[test]
fn newer_models_have_one_tool_for_programs_and_older_ones_those_that_programs_call() {
    let shown = |model: &str| {
        let catalog = catalog_with(&[], |options| options.model = model.to_owned());
        let tools = Codex.present(&catalog, &Session::default()).tools;
        assert!(tools.iter().all(|tool| !tool.compared));
        let withheld = |mark: &crate::Mark| match mark.origin {
            Origin::Withheld { characters, .. } => characters,
            _ => None,
        };
        let of = |tool: &crate::PresentedTool| {
            let own = tool.marks.iter().filter_map(withheld).sum::<u32>();
            let ours: usize = tool
                .marks
                .iter()
                .filter(|mark| withheld(mark).is_none())
                .map(|mark| mark.span.of(&tool.definition.description).chars().count())
                .sum();
            (tool.definition.name.clone(), own, ours)
        };
        (tools.iter().map(of).collect::<Vec<_>>(), Codex.dialect(&catalog).freeform.map(|freeform| freeform.tool))
    };
    let exec = |own: u32, all: usize| (vec![("exec".to_owned(), own, all - own as usize)], Some("exec"));
    // As long as the client's own text is.
    assert_eq!(shown("gpt-6-sol"), exec(7_933, 13_438));
    assert_eq!(shown("gpt-5.6-terra"), exec(7_642, 13_147));
    let plain = |name: &str, length| (name.to_owned(), 0, length);
    assert_eq!(shown("gpt-5.5"), (vec![plain("exec_command", 47), plain("view_image", 20)], None));
}

#[test]
fn looks_six_folders_deep_and_not_into_hidden_ones_or_through_linked_files() {
    let deep = manifest("deep");
    let found = catalog(&[
        ("SKILL.md", &manifest("root")),
        ("1/2/3/4/5/6/SKILL.md", &deep),
        ("1/2/3/4/5/6/7/SKILL.md", &deep),
        (".hidden/inner/SKILL.md", &deep),
        ("linked/SKILL.md", "->../elsewhere/SKILL.md"),
        ("lower/skill.md", &deep),
    ]);
    assert_eq!(
        list(&found),
        [
            "- `r0` = `/skills`",
            "- deep: About deep (file: r0/1/2/3/4/5/6/SKILL.md)",
            "- root: About root (file: r0/SKILL.md)"
        ]
    );
    let reason = |path: &str, reason: &str| (format!("/skills/{path}"), reason.to_owned());
    assert_eq!(
        reasons(&found),
        [
            reason(".hidden/inner/SKILL.md", "lies in a folder whose name begins with a dot"),
            reason("linked/SKILL.md", "the file is a link; Codex follows links to folders only"),
            reason("lower/skill.md", "the file must be called SKILL.md, not skill.md"),
            reason("1/2/3/4/5/6/7/SKILL.md", "lies more than six folders below the folder of skills"),
        ]
    );
}

#[test]
fn a_project_has_two_folders_and_skills_elsewhere_are_named() {
    let files = [
        (".codex/skills/a/SKILL.md", &*manifest("a")),
        (".codex/skills/.system/s/SKILL.md", &manifest("s")),
        (".agents/skills/b/SKILL.md", &manifest("b")),
        (".claude/skills/c/SKILL.md", &manifest("c")),
    ];
    let found = catalog(&files);
    assert_eq!(
        list(&found),
        [
            "- `r0` = `/skills/.codex/skills`",
            "- `r1` = `/skills/.agents/skills`",
            "- a: About a (file: r0/a/SKILL.md)",
            "- b: About b (file: r1/b/SKILL.md)"
        ]
    );
    assert_eq!(found.skipped.len(), 2);
    let home = catalog_with(&files, |options| options.home = Some("/skills".into()));
    assert_eq!(
        list(&home),
        [
            "- `r0` = `/skills/.codex/skills`",
            "- `r1` = `/skills/.agents/skills`",
            "- `r2` = `/skills/.codex/skills/.system`",
            "- s: About s (file: r2/s/SKILL.md)",
            "- a: About a (file: r0/a/SKILL.md)",
            "- b: About b (file: r1/b/SKILL.md)"
        ],
        "its own skills come first in the list and their root last"
    );
}

#[test]
fn one_folder_by_two_ways_is_one_skill() {
    let mut set = disk(&[("a/SKILL.md", &manifest("a"))]);
    let mut again = set.roots[0].tree.folders().next().unwrap().clone();
    again.name = "z".into();
    again.link = Some(skill::Link::to("a"));
    set.roots[0].tree.entries.push(skill::Entry::Folder(again));
    let found = Codex.select(&set, &Options::default());
    assert_eq!(list(&found).len(), 2);
    assert_eq!(
        reasons(&found),
        [("/skills/a/SKILL.md".to_owned(), "is the same file as /skills/a/SKILL.md".to_owned())]
    );
}

#[test]
fn descriptions_are_shortened_in_turn_and_then_lines_are_left_out() {
    let skill = |name: &str, description: &str| format!("---\nname: {name}\ndescription: {description}\n---\nBody.\n");
    let (long, short) = (skill("long", &"é".repeat(100)), skill("short", "abc"));
    let files = [("long/SKILL.md", &*long), ("short/SKILL.md", &*short)];
    // 34 tokens, of which each bare line takes 9.
    let found = catalog_with(&files, |options| options.context_window = 1700);
    let lines = list(&found);
    assert_eq!(lines[2], "- short: abc (file: r0/short/SKILL.md)");
    assert_eq!(lines[1], format!("- long: {} (file: r0/long/SKILL.md)", "é".repeat(31)));
    assert_eq!(quirks(&found), [(QuirkKind::DescriptionShortened, "31".to_owned())]);
    // 9 tokens have room for one bare line.
    let found = catalog_with(&files, |options| options.context_window = 480);
    assert_eq!(list(&found)[1..], ["- long: (file: r0/long/SKILL.md)"]);
    assert_eq!(
        quirks(&found),
        [(QuirkKind::DescriptionLeftOut, "2".to_owned()), (QuirkKind::NoRoomInList, "2".to_owned())]
    );
}

#[test]
fn a_name_that_no_prompt_can_say_is_a_quirk() {
    let found = catalog(&[
        ("a/SKILL.md", &manifest("twin")),
        ("b/SKILL.md", &manifest("twin")),
        ("c/SKILL.md", &manifest("技能")),
        ("d/SKILL.md", &manifest("path")),
        ("e/SKILL.md", &manifest("plain")),
    ]);
    let not = |name: &str| (QuirkKind::NotByMention, format!("${name}"));
    assert_eq!(quirks(&found), [not("path"), not("twin"), not("twin"), not("技能")]);
}

#[test]
fn a_prompt_loads_a_skill_once_and_in_each_turn() {
    let found = catalog(&[("a/SKILL.md", &manifest("a"))]);
    let mut session = Session::default();
    let mut history = vec![Message::user("Use $a.")];
    Codex.before_request(&mut history, None, &found, &mut session);
    Codex.before_request(&mut history, None, &found, &mut session);
    let given = "<skill>\n<name>a</name>\n<path>/skills/a/SKILL.md</path>\n---\nname: a\ndescription: About a\n---\nBody of a.\n\n</skill>";
    let roles = |history: &[Message]| history.iter().map(|message| message.role).collect::<Vec<_>>();
    assert_eq!(roles(&history), [Role::System, Role::User, Role::User]);
    assert_eq!((history[2].text().as_str(), &session.activated), (given, &vec!["a".to_owned()]));
    history.extend([Message::assistant("Done."), Message::user("Again: [$a](/skills/a/SKILL.md)")]);
    Codex.before_request(&mut history, None, &found, &mut session);
    assert_eq!((history.len(), history[5].text().as_str()), (6, given));
}

#[test]
fn the_shell_reads_and_runs_what_a_skill_has() {
    let text = manifest("a");
    let found = catalog(&[("a/SKILL.md", &text), ("a/scripts/x.py", "")]);
    let mut session = Session { working_directory: Some("/work".into()), ..Session::default() };
    let step = ScreenplayStep::Activate { activate: "a".into() };
    let expressed = Codex.express(&step, &found, &session).unwrap();
    assert_eq!(expressed.arguments, json!({"cmd": "cat /skills/a/SKILL.md"}));
    let call = |arguments: serde_json::Value| ToolCall::new("c1", "exec_command", arguments.to_string());
    let load = call(expressed.arguments);
    assert_eq!(Codex.disclosure(&load, &found), Disclosure::Instructions { skill: "a".into() });
    let printed = ScriptOutput {
        stdout: text.clone(),
        stderr: String::new(),
        exit_code: Some(0),
        timed_out: false,
        truncated: false,
        took: 12,
    };
    let Served::Reply(reply) = Codex.settle(&load, Performed::Ran(printed), &found, &mut session) else { panic!() };
    let (head, shown) = reply.text.split_once("Output:\n").unwrap();
    assert!(head.starts_with("Chunk ID: ") && head.contains("Wall time: 0.0000 seconds\nProcess exited with code 0\n"));
    assert_eq!((shown, &session.activated), (&*text, &vec!["a".to_owned()]));
    let run = call(json!({"cmd": "python3 scripts/x.py", "workdir": "/skills/a"}));
    assert_eq!(Codex.disclosure(&run, &found), Disclosure::Script { skill: "a".into(), script: "scripts/x.py".into() });
    let shell = |folder: Option<&str>| {
        let working_directory = folder.map(Into::into);
        Served::Perform(Effect::Shell { command: "ls".into(), working_directory, timeout: None })
    };
    assert_eq!(Codex.serve(&call(json!({"cmd": "ls"})), &found, &mut session), shell(None));
    assert_eq!(Codex.serve(&call(json!({"cmd": "ls", "workdir": "x"})), &found, &mut session), shell(Some("/work/x")));
}

/// The catalog of a model that writes programs.
fn for_programs(files: &[(&str, &str)]) -> Catalog {
    catalog_with(files, |options| options.model = "gpt-6-sol".to_owned())
}

fn program(text: &str) -> ToolCall {
    ToolCall::new("c1", "exec", json!({"input": text}).to_string())
}

fn printed(stdout: &str) -> Performed {
    let (stdout, stderr) = (stdout.to_owned(), String::new());
    Performed::Ran(ScriptOutput { stdout, stderr, exit_code: Some(0), timed_out: false, truncated: false, took: 12 })
}

fn shell(command: &str) -> Served {
    Served::Perform(Effect::Shell { command: command.into(), working_directory: None, timeout: None })
}

#[test]
fn a_program_loads_a_skill_and_runs_its_script() {
    let text = manifest("a");
    let found = for_programs(&[("a/SKILL.md", &text), ("a/scripts/x.py", "")]);
    let mut session = Session::default();
    let step = ScreenplayStep::Activate { activate: "a".into() };
    let expressed = Codex.express(&step, &found, &session).unwrap();
    let written =
        "const result = await tools.exec_command({\"cmd\":\"cat /skills/a/SKILL.md\"});\ntext(result.output);\n";
    assert_eq!((expressed.tool.as_str(), &expressed.arguments), ("exec", &json!({"input": written})));
    let load = program(written);
    assert_eq!(Codex.disclosure(&load, &found), Disclosure::Instructions { skill: "a".into() });
    assert_eq!(Codex.serve(&load, &found, &mut session), shell("cat /skills/a/SKILL.md"));
    let Served::Reply(reply) = Codex.settle(&load, printed(&text), &found, &mut session) else { panic!() };
    let head = "Script completed\nWall time 0.0 seconds\nOutput:\n";
    assert_eq!((reply.text.as_str(), reply.is_error), (format!("{head}{text}").as_str(), false));
    let items = json!([{"type": "input_text", "text": head}, {"type": "input_text", "text": text}]);
    assert_eq!(Codex.wire(&reply, &found).unwrap(), items.to_string());
    assert_eq!(session.activated, ["a"]);
    let two = program(
        "for (const cmd of [`python3 scripts/x.py`]) {\n  const r = await tools.exec_command({ workdir: '/skills/a', cmd: 'python3 scripts/x.py' });\n}",
    );
    assert_eq!(Codex.disclosure(&two, &found), Disclosure::Script { skill: "a".into(), script: "scripts/x.py".into() });
    assert_eq!(Codex.disclosure(&program("text(1)"), &found), Disclosure::None);
}

#[test]
fn a_program_goes_on_with_what_came_of_each_call() {
    let found = for_programs(&[]);
    let mut session = Session::default();
    let call = program(
        "const all = await Promise.all(['one', 'two'].map(cmd => tools.exec_command({cmd})));\nstore('n', all.length);\nfor (const {output} of all) text(output);",
    );
    assert_eq!(Codex.serve(&call, &found, &mut session), shell("one"));
    assert_eq!(Codex.settle(&call, printed("1\n"), &found, &mut session), shell("two"));
    let Served::Reply(reply) = Codex.settle(&call, printed("2\n"), &found, &mut session) else { panic!() };
    assert_eq!(reply.text, "Script completed\nWall time 0.0 seconds\nOutput:\n1\n2\n");
    assert_eq!(reply.marks.len(), 3);
    // A command that the user refuses is an error in the program, and the stored values are there for the next program.
    let next = program("text(load('n')); await tools.exec_command({cmd: 'three'})");
    assert_eq!(Codex.serve(&next, &found, &mut session), shell("three"));
    let denied = Performed::Denied { reason: Some("no".into()) };
    let Served::Reply(reply) = Codex.settle(&next, denied, &found, &mut session) else { panic!() };
    let failed =
        "Script failed\nWall time 0.0 seconds\nOutput:\n2Script error:\nexec_command failed: rejected by user: no";
    assert_eq!((reply.text.as_str(), reply.is_error), (failed, true));
}

#[test]
fn pictures_that_a_call_or_a_program_views_are_shown() {
    let (old, new) = (catalog(&[]), for_programs(&[]));
    let mut session = Session { working_directory: Some("/work".into()), ..Session::default() };
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x02";
    let reads = Served::Perform(Effect::ReadFile { path: "/work/a.png".into(), approval: false });
    let view = ToolCall::new("c1", "view_image", json!({"path": "a.png"}).to_string());
    assert_eq!(Codex.serve(&view, &old, &mut session), reads);
    let read = || Performed::Read { bytes: png.to_vec() };
    let Served::Reply(reply) = Codex.settle(&view, read(), &old, &mut session) else { panic!() };
    let image = model::Image::of(png).unwrap();
    assert_eq!((reply.text.as_str(), &reply.images), ("", &vec![image.clone()]));
    let call = program("const picture = await tools.view_image({path: 'a.png'}); text('Here:'); image(picture)");
    assert_eq!(Codex.serve(&call, &new, &mut session), reads);
    let Served::Reply(reply) = Codex.settle(&call, read(), &new, &mut session) else { panic!() };
    assert_eq!((reply.text.lines().last(), &reply.images), (Some("Here:"), &vec![image]));
    let no_image = Performed::Read { bytes: b"text".to_vec() };
    let Served::Reply(reply) = Codex.settle(&view, no_image, &old, &mut session) else { panic!() };
    assert_eq!(reply.text, "unable to process image: invalid or unsupported image data");
}

#[test]
fn a_wrong_call_is_answered() {
    let found = catalog(&[]);
    let answered = |name: &str, arguments: &str| match Codex.serve(
        &ToolCall::new("c1", name, arguments),
        &found,
        &mut Session::default(),
    ) {
        Served::Reply(reply) => reply.text,
        other => panic!("{other:?}"),
    };
    assert_eq!(answered("skill", "{}"), "unsupported call: skill");
    assert_eq!(answered("exec", "{}"), "unsupported call: exec");
    assert_eq!(
        answered("exec_command", "{}"),
        "failed to parse function arguments: missing field `cmd` at line 1 column 2"
    );
}
