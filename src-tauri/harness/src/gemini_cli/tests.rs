//! What the recordings do not show, and the steps between a call and its answer.

use serde_json::json;

use super::*;
use crate::sample::{disk, manifest};
use crate::{Effect, QuirkKind};
use config::options::{GeminiApproval, GeminiCliOptions};

fn catalog_of(files: &[(&str, &str)], set: impl FnOnce(&mut GeminiCliOptions)) -> Catalog {
    let mut options = Options::default();
    set(&mut options.settings.gemini_cli);
    GeminiCli.select(&disk(files), &options)
}

fn catalog(files: &[(&str, &str)]) -> Catalog {
    catalog_of(files, |_| {})
}

fn call(name: &str) -> ToolCall {
    ToolCall::new("call_1", "activate_skill", json!({"name": name}).to_string())
}

fn replied(served: Served) -> (String, bool) {
    match served {
        Served::Reply(reply) => (reply.text, reply.is_error),
        other => panic!("{other:?}"),
    }
}

fn names(catalog: &Catalog) -> Vec<&str> {
    catalog.skills.iter().map(|skill| skill.name.as_str()).collect()
}

fn skipped(catalog: &Catalog) -> Vec<(&str, &str)> {
    catalog.skipped.iter().map(|skipped| (skipped.path.as_str(), skipped.reason.en.as_str())).collect()
}

fn kinds(catalog: &Catalog) -> Vec<(QuirkKind, &str)> {
    let quirks = catalog.quirks.iter().filter(|quirk| quirk.path.is_some());
    quirks.map(|quirk| (quirk.kind, quirk.detail.as_str())).collect()
}

#[test]
fn the_user_is_asked_before_a_skill_is_loaded() {
    let catalog = catalog(&[("demo/SKILL.md", &manifest("demo"))]);
    let mut session = Session::default();
    let asked = GeminiCli.serve(&call("demo"), &catalog, &mut session);
    assert_eq!(asked, Served::Perform(Effect::Disclose { skill: "demo".into(), resource: None }));
    let (text, is_error) = replied(GeminiCli.settle(&call("demo"), Performed::Agreed, &catalog, &mut session));
    assert_eq!((text.as_str(), is_error), (catalog.skills[0].content.as_str(), false));
    assert_eq!(session.activated, ["demo"]);
    let denied = Performed::Denied { reason: None };
    let denied = replied(GeminiCli.settle(&call("demo"), denied, &catalog, &mut session));
    assert_eq!(denied, ("[Operation Cancelled] Reason: User denied execution.".into(), true));
}

#[test]
fn without_a_user_the_skills_are_listed_and_the_tool_is_not_there() {
    let catalog = catalog_of(&[("demo/SKILL.md", &manifest("demo"))], |options| {
        options.approval = GeminiApproval::Headless;
    });
    let shown = GeminiCli.present(&catalog, &Session::default());
    assert!(shown.instructions.as_ref().unwrap().text.contains("<name>demo</name>"));
    assert_eq!(
        shown.definitions().iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(),
        ["read_file", "run_shell_command"]
    );
    assert_eq!(catalog.quirks.iter().map(|quirk| quirk.kind).collect::<Vec<_>>(), [QuirkKind::ToolNotOffered]);
    let step = ScreenplayStep::Activate { activate: "demo".into() };
    assert_eq!(GeminiCli.express(&step, &catalog, &Session::default()), None);
}

#[test]
fn a_project_says_where_its_skills_lie() {
    let files = [
        (".agents/skills/twin/SKILL.md", manifest("twin")),
        (".gemini/skills/twin/SKILL.md", manifest("twin")),
        (".gemini/skills/.hidden/SKILL.md", manifest("hidden")),
        (".gemini/skills/a/b/SKILL.md", manifest("deep")),
        ("skills/top/SKILL.md", manifest("top")),
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let found = catalog(&files);
    assert_eq!(names(&found), ["twin"]);
    assert_eq!(found.skills[0].path.as_deref().unwrap(), "/skills/.agents/skills/twin");
    assert_eq!(
        skipped(&found),
        [
            (
                "/skills/skills/top/SKILL.md",
                "lies outside of .gemini/skills, .agents/skills and extensions, where Gemini CLI looks"
            ),
            ("/skills/.gemini/skills/a/b/SKILL.md", "lies more than one level below the folder of skills"),
            (
                "/skills/.gemini/skills/.hidden/SKILL.md",
                "Gemini CLI does not look into folders whose names begin with a dot"
            ),
            (
                "/skills/.gemini/skills/twin/SKILL.md",
                "/skills/.agents/skills/twin/SKILL.md has the same name and overrides it"
            ),
        ]
    );
    let untrusted = catalog_of(&files, |options| options.trusted = false);
    assert_eq!(names(&untrusted), [""; 0]);
    let home = catalog_of(&files, |options| {
        options.trusted = false;
        options.home = Some("/skills".into());
    });
    assert_eq!(names(&home), ["twin"], "what is the user's is loaded anyway");
}

#[test]
fn names_that_differ_in_case_alone_are_listed_both_and_load_the_first() {
    let lower = manifest("demo").replace("Body of", "Lower");
    let catalog = catalog_of(&[("b/SKILL.md", &manifest("Demo")), ("a/SKILL.md", &lower)], |options| {
        options.approval = GeminiApproval::Yolo;
    });
    assert_eq!(names(&catalog), ["demo", "Demo"]);
    let (text, _) = replied(GeminiCli.serve(&call("Demo"), &catalog, &mut Session::default()));
    assert!(text.starts_with("<activated_skill name=\"Demo\">\n  <instructions>\n    Lower"), "{text}");
}

#[test]
fn says_what_is_read_otherwise_than_it_is_written() {
    let files = [
        ("a/SKILL.md", "---\nname: a/b\ndescription: Use when: 'asked'\n---\nDo it.\n"),
        ("b/SKILL.md", "---\nname: b\ndescription: a < b\n----\nDo it.\n"),
        ("c/SKILL.md", "---\nname: c\ndescription: >\n  one\n  two\n---\n"),
    ];
    let found = catalog(&files);
    assert_eq!(
        kinds(&found),
        [
            (QuirkKind::NoInstructions, ""),
            (QuirkKind::NotEscaped, "a < b"),
            (QuirkKind::InstructionsLost, ""),
            (QuirkKind::ReadDifferently, "a-b"),
            (QuirkKind::ReadDifferently, "Use when: 'asked'"),
        ]
    );
}

#[test]
fn a_skill_of_the_user_takes_the_place_of_one_of_the_clients_own() {
    let catalog =
        catalog_of(&[("x/SKILL.md", &manifest("skill-creator")), ("y/SKILL.md", &manifest("y"))], |options| {
            options.builtin_skills = true;
            options.approval = GeminiApproval::Yolo;
        });
    let tool = GeminiCli.present(&catalog, &Session::default()).definitions().swap_remove(2);
    assert_eq!(tool.parameters["properties"]["name"]["enum"], json!(["skill-creator", "antigravity-support", "y"]));
    let (text, _) = replied(GeminiCli.serve(&call("antigravity-support"), &catalog, &mut Session::default()));
    assert!(text.contains("[Gemini CLI's own text, not reproduced]"), "{text}");
    let (text, _) = replied(GeminiCli.serve(&call("skill-creator"), &catalog, &mut Session::default()));
    assert!(text.contains("Body of skill-creator."), "{text}");
}

#[test]
fn what_the_client_says_of_the_project_has_its_place_once() {
    let catalog = catalog(&[]);
    let mut session = Session::default();
    let mut history = vec![Message::user("hi")];
    for _ in 0..2 {
        assert_eq!(GeminiCli.before_request(&mut history, None, &catalog, &mut session), Prepared::Send);
    }
    assert_eq!(history[0].parts.len(), 2);
    assert_eq!(session.injected.len(), 1);
}

const EXTENSION: &str = r#"{"name": "kit", "version": "1.0.0"}"#;

#[test]
fn skills_of_extensions_come_before_those_of_the_user_and_have_variables() {
    let greeter = "---\nname: greeter\ndescription: Of ${extensionPath}\n---\nRun ${extensionPath}${/}x.py in ${workspacePath}, not ${x}.\n";
    let files: [(&str, &str); 7] = [
        (".gemini/extensions/kit/gemini-extension.json", EXTENSION),
        (".gemini/extensions/kit/skills/greeter/SKILL.md", greeter),
        (".gemini/extensions/kit/skills/twin/SKILL.md", &manifest("twin")),
        (".gemini/extensions/none/skills/lost/SKILL.md", &manifest("lost")),
        (".gemini/extensions/bad/gemini-extension.json", r#"{"name": "a b", "version": "1"}"#),
        (".gemini/extensions/bad/skills/bad/SKILL.md", &manifest("bad")),
        (".gemini/skills/twin/SKILL.md", &manifest("twin")),
    ];
    let found = catalog_of(&files, |options| options.home = Some("/skills".into()));
    assert_eq!(names(&found), ["twin", "greeter"]);
    let greeter = &found.skills[1];
    assert_eq!(greeter.description, "Of /skills/.gemini/extensions/kit");
    assert!(greeter.content.contains("Run /skills/.gemini/extensions/kit/x.py in ${workspacePath}, not ${x}."));
    assert_eq!(found.skills[0].path.as_deref().unwrap(), "/skills/.gemini/skills/twin");
    let reasons: Vec<&str> = skipped(&found).into_iter().map(|(_, reason)| reason).collect();
    assert_eq!(
        reasons,
        [
            "lies outside of .gemini/skills, .agents/skills and extensions, where Gemini CLI looks",
            "the name of its extension has other characters than letters, digits and dashes",
            "/skills/.gemini/skills/twin/SKILL.md has the same name and overrides it",
        ]
    );
    let project = catalog(&files);
    assert_eq!(names(&project), ["twin"], "a project has no extensions");
}

#[test]
fn an_opened_extension_is_as_if_it_were_installed() {
    let found = catalog(&[("gemini-extension.json", EXTENSION), ("skills/greeter/SKILL.md", &manifest("greeter"))]);
    assert_eq!(names(&found), ["greeter"]);
    let broken = catalog(&[("gemini-extension.json", "{"), ("skills/greeter/SKILL.md", &manifest("greeter"))]);
    assert_eq!(names(&broken), Vec::<&str>::new());
    assert_eq!(skipped(&broken)[0].1, "gemini-extension.json of its extension is not valid JSON");
}
