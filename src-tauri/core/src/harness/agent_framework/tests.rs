use std::sync::Arc;

use camino::Utf8PathBuf;
use serde_json::json;

use super::*;
use crate::config::{InlineResource, InlineScript, InlineScriptBody, InlineSkill};
use crate::harness::{Effect, Origin, ReplyAuthor, ScriptOutput};
use crate::skill::{Entry, File, Folder, Link, Root};
use crate::source::SourceText;

/// A root `/skills` with these files; a text that starts with `->` is a link.
fn disk(files: &[(&str, &str)]) -> SkillSet {
    let mut tree = folder("skills", "/skills");
    for (path, text) in files {
        put(&mut tree, path, text);
    }
    SkillSet { roots: vec![Root { path: tree.path.clone(), tree }], problems: Vec::new() }
}

fn folder(name: &str, path: &str) -> Folder {
    Folder { name: name.into(), path: path.into(), link: None, listed: true, entries: Vec::new() }
}

fn put(into: &mut Folder, path: &str, text: &str) {
    let Some((first, rest)) = path.split_once('/') else {
        let path = into.path.join(path);
        let link = text.strip_prefix("->").map(|target| Link { target: target.into(), broken: false });
        let source =
            SourceText { path: path.clone(), text: text.into(), bom: false, invalid_at: None, truncated_from: None };
        let name = path.file_name().unwrap().to_owned();
        let source = name.eq_ignore_ascii_case("SKILL.md").then(|| Arc::new(source));
        into.entries.push(Entry::File(File { name, path, size: text.len() as u64, link, source }));
        return;
    };
    let known = into.entries.iter().position(|entry| matches!(entry, Entry::Folder(inner) if inner.name == first));
    let index = known.unwrap_or_else(|| {
        let path = into.path.join(first);
        into.entries.push(Entry::Folder(folder(first, path.as_str())));
        into.entries.len() - 1
    });
    if let Entry::Folder(inner) = &mut into.entries[index] {
        put(inner, rest, text);
    }
}

fn manifest(name: &str) -> String {
    format!("---\nname: {name}\ndescription: About {name}\n---\nBody of {name}.\n")
}

fn inline(name: &str) -> InlineSkill {
    InlineSkill {
        name: name.into(),
        description: "Written <in> the project".into(),
        instructions: "Say \"hi\" & stop.".into(),
        license: None,
        compatibility: None,
        allowed_tools: None,
        metadata: Default::default(),
        resources: Vec::new(),
        scripts: Vec::new(),
    }
}

fn select(found: &SkillSet, settings: AgentFrameworkOptions, inline_skills: Vec<InlineSkill>) -> Catalog {
    let mut options = Options { inline_skills, ..Options::default() };
    options.settings.agent_framework = settings;
    AgentFramework.select(found, &options)
}

fn names(catalog: &Catalog) -> Vec<&str> {
    catalog.skills.iter().map(|skill| skill.name.as_str()).collect()
}

fn serve(catalog: &Catalog, name: &str, arguments: &str) -> Served {
    let call = ToolCall { id: "1".into(), name: name.into(), arguments: arguments.into() };
    AgentFramework.serve(&call, catalog, &mut Session::default())
}

fn settle(catalog: &Catalog, done: Performed) -> ToolReply {
    let call = ToolCall { id: "1".into(), name: "run_skill_script".into(), arguments: "{}".into() };
    AgentFramework.settle(&call, done, catalog, &mut Session::default())
}

fn ran(stdout: &str, exit_code: i32) -> Performed {
    Performed::Ran(ScriptOutput {
        stdout: stdout.into(),
        stderr: "a warning".into(),
        exit_code: Some(exit_code),
        timed_out: false,
        truncated: false,
        took: 1,
    })
}

#[test]
fn is_found_by_its_id() {
    assert_eq!(crate::harness::find("agent-framework").map(|found| found.profile().title), Some(PROFILE.title));
    assert!(crate::harness::find("Agent-Framework").is_none());
}

#[test]
fn the_first_source_wins_where_names_collide_in_any_case() {
    let found = disk(&[("greeter/SKILL.md", &manifest("greeter"))]);
    let files_first = select(&found, AgentFrameworkOptions::default(), vec![inline("greeter"), inline("other")]);
    assert_eq!(names(&files_first), ["greeter", "other"]);
    assert_eq!(files_first.skills[0].path.as_deref(), Some("/skills/greeter".into()));
    assert_eq!(
        files_first.log,
        ["Duplicate skill name 'greeter': subsequent skill skipped in favor of first occurrence"]
    );

    let inline_first = AgentFrameworkOptions {
        sources: vec![SkillSource::Inline, SkillSource::Files],
        ..AgentFrameworkOptions::default()
    };
    let catalog = select(&found, inline_first, vec![inline("greeter")]);
    assert_eq!(catalog.skills[0].path, None);
    assert_eq!(catalog.skipped[0].path, "/skills/greeter/SKILL.md");
}

#[test]
fn the_filter_comes_before_de_duplication() {
    let found = disk(&[("a/SKILL.md", &manifest("a")), ("b/SKILL.md", &manifest("b"))]);
    let only_b = AgentFrameworkOptions { filter: Some(vec!["b".into()]), ..AgentFrameworkOptions::default() };
    let catalog = select(&found, only_b, vec![inline("a")]);
    assert_eq!(names(&catalog), ["b"]);
    assert_eq!(catalog.log, Vec::<String>::new(), "what the filter drops is no duplicate");
    let reason = "Skill 'a' excluded by filter predicate".to_owned();
    assert_eq!(
        catalog.skipped,
        [Skipped { path: "/skills/a/SKILL.md".into(), reason: reason.clone() }, Skipped { path: "a".into(), reason }]
    );
}

#[test]
fn a_root_may_itself_be_a_skill() {
    let found = disk(&[("SKILL.md", &manifest("skills")), ("inner/SKILL.md", &manifest("inner"))]);
    let catalog = select(&found, AgentFrameworkOptions::default(), Vec::new());
    assert_eq!(names(&catalog), ["skills"]);
    assert_eq!(
        catalog.skipped,
        [Skipped { path: "/skills/inner/SKILL.md".into(), reason: "lies inside the skill /skills".into() }]
    );
}

#[test]
fn says_of_skills_where_it_does_not_look_that_they_are_left_out() {
    let found = disk(&[
        ("a/b/c/SKILL.md", &manifest("c")),
        ("lower/skill.md", &manifest("lower")),
        ("linked/SKILL.md", "->../elsewhere/SKILL.md"),
    ]);
    let catalog = select(&found, AgentFrameworkOptions::default(), Vec::new());
    let unsafe_path = "symbolic link or reparse point detected, or path could not be inspected";
    assert_eq!(names(&catalog), Vec::<&str>::new());
    assert_eq!(
        catalog.skipped,
        [
            ("/skills/a/b/c/SKILL.md", "lies more than 2 levels below the folder"),
            ("/skills/lower/skill.md", "the file must be called SKILL.md, not skill.md"),
            ("/skills/linked/SKILL.md", unsafe_path),
        ]
        .map(|(path, reason)| Skipped { path: path.into(), reason: reason.into() })
    );
    assert_eq!(catalog.log, [format!("Skipping skill discovery path '/skills/linked/SKILL.md': {unsafe_path}")]);
}

#[test]
fn extensions_decide_what_is_a_resource_and_what_a_script() {
    let files = ["a/SKILL.md", "a/x.RB", "a/x.md", "a/.rb", "a/end.", "a/plain"];
    let text = manifest("a");
    let found = disk(&files.map(|file| (file, text.as_str())));
    let settings = AgentFrameworkOptions {
        allowed_resource_extensions: Some(vec![".MD".into()]),
        allowed_script_extensions: Some(vec![".rb".into(), ".md".into()]),
        ..AgentFrameworkOptions::default()
    };
    let catalog = select(&found, settings, Vec::new());
    let listed = |files: &[crate::harness::CatalogFile]| files.iter().map(|f| f.name.clone()).collect::<Vec<_>>();
    assert_eq!(listed(&catalog.skills[0].resources), ["x.md"], "SKILL.md is never a resource");
    assert_eq!(listed(&catalog.skills[0].scripts), ["SKILL.md", "x.RB", "x.md", ".rb"], "but may be a script");
}

#[test]
fn refuses_to_start_with_a_wrong_option_or_an_impossible_skill() {
    let found = disk(&[("a/SKILL.md", &manifest("a"))]);
    let base = AgentFrameworkOptions::default;
    let extension =
        AgentFrameworkOptions { allowed_script_extensions: Some(vec![".py".into(), "sh".into()]), ..base() };
    let template = AgentFrameworkOptions { skills_instruction_prompt: Some("none".into()), ..base() };
    let long = format!("---\nname: a\ndescription: b\ncompatibility: {}\n---\n", "c".repeat(501));
    let refusals = [
        select(&found, extension, Vec::new()),
        select(&found, template, Vec::new()),
        select(&found, base(), vec![inline("No")]),
        select(&found, base(), vec![InlineSkill { instructions: " ".into(), ..inline("b") }]),
        select(&disk(&[("a/SKILL.md", &long)]), base(), Vec::new()),
    ];
    let messages: Vec<_> = refusals.iter().map(|catalog| catalog.refused.as_deref().unwrap_or("none")).collect();
    insta::assert_snapshot!(messages.join("\n"), @r"
    Each extension must start with '.'. Invalid value: 'sh'
    The custom prompt template must contain the '{skills}' placeholder for the generated skills list.
    Skill name must use only lowercase letters, numbers, and hyphens, and must not start or end with a hyphen or contain consecutive hyphens.
    Argument is whitespace (Parameter 'instructions')
    Skill compatibility must be 500 characters or fewer.
    ");
    for catalog in &refusals {
        assert_eq!(AgentFramework.present(catalog, &Session::default()).tools, Vec::new(), "nothing is offered");
    }
}

#[test]
fn an_inline_skill_is_xml() {
    let mut skill = inline("fake-skill");
    let bare = select(&SkillSet::default(), AgentFrameworkOptions::default(), vec![skill.clone()]);
    insta::assert_snapshot!(bare.skills[0].content, @r"
    <name>fake-skill</name>
    <description>Written &lt;in&gt; the project</description>

    <instructions>
    Say &quot;hi&quot; &amp; stop.
    </instructions>

    <available_resources />

    <available_scripts />
    ");

    skill.resources.push(InlineResource { name: "a&b".into(), description: Some("x".into()), value: "Text".into() });
    skill.scripts.push(script("canned", InlineScriptBody::Result("Done".into())));
    skill.scripts.push(script("file", InlineScriptBody::File("/project/tools/sum.js".into())));
    let full = select(&SkillSet::default(), AgentFrameworkOptions::default(), vec![skill]);
    insta::assert_snapshot!(full.skills[0].content, @r#"
    <name>fake-skill</name>
    <description>Written &lt;in&gt; the project</description>

    <instructions>
    Say &quot;hi&quot; &amp; stop.
    </instructions>

    <available_resources>
      <resource name="a&amp;b"/>
    </available_resources>

    <available_scripts>
      <script name="canned"/>
      <script name="file"/>
    </available_scripts>
    "#);
}

fn script(name: &str, body: InlineScriptBody) -> InlineScript {
    InlineScript { name: name.into(), description: None, body }
}

#[test]
fn inline_resources_and_canned_scripts_answer_at_once() {
    let mut skill = inline("fake");
    skill.resources.push(InlineResource { name: "table".into(), description: None, value: "1 = 1\n".into() });
    skill.scripts.push(script("canned", InlineScriptBody::Result("Done\n".into())));
    skill.scripts.push(script("nothing", InlineScriptBody::Result(String::new())));
    skill.scripts.push(script("file", InlineScriptBody::File("/project/sum.js".into())));
    let settings = AgentFrameworkOptions { script_approval: true, ..AgentFrameworkOptions::default() };
    let catalog = select(&SkillSet::default(), settings, vec![skill]);

    let read = serve(&catalog, "read_skill_resource", r#"{"skillName":"fake","resourceName":"table"}"#);
    assert_eq!(read, Served::Reply(ToolReply::ok("1 = 1\n")));
    let run =
        |name: &str| serve(&catalog, "run_skill_script", &json!({"skillName": "fake", "scriptName": name}).to_string());
    assert_eq!(run("canned"), Served::Reply(ToolReply::ok("Done\n")));
    assert_eq!(
        run("nothing"),
        Served::Reply(ToolReply {
            text: "Success: Function completed.".into(),
            is_error: false,
            author: ReplyAuthor::Caller
        })
    );
    assert_eq!(
        run("file"),
        Served::Perform(Effect::RunScript {
            skill: "fake".into(),
            script: "file".into(),
            path: "/project/sum.js".into(),
            interpreter: "node".into(),
            arguments: Vec::new(),
            approval: true,
            working_directory: None,
        })
    );
}

#[test]
fn each_ending_has_its_interpreter() {
    let programs = ["py", ".PY", "js", "sh", "ps1", "cs", ""].map(PROFILE.runner);
    assert_eq!(programs, [Some("python3"), Some("python3"), Some("node"), Some("bash"), Some("pwsh"), None, None]);
}

#[test]
fn the_catalogue_escapes_sorts_and_marks_where_each_byte_comes_from() {
    let inline_skills = vec![inline("zeta"), InlineSkill { description: "it's".into(), ..inline("alpha") }];
    let settings = AgentFrameworkOptions {
        skills_instruction_prompt: Some("Skills:\n{skills}\nUse {them}.".into()),
        ..AgentFrameworkOptions::default()
    };
    let catalog = select(&SkillSet::default(), settings, inline_skills);
    let session = Session { agent_instructions: Some("Be brief.".into()), ..Session::default() };
    let shown = AgentFramework.present(&catalog, &session).instructions.unwrap();
    let marked: Vec<String> = shown
        .marks
        .iter()
        .map(|mark| {
            let origin = match &mark.origin {
                Origin::Framework => "framework".into(),
                Origin::Skill { skill, field } => format!("{skill}.{field}"),
                Origin::User => "user".into(),
                Origin::Tool { tool } => tool.clone(),
            };
            format!("{origin}: {:?}", mark.span.of(&shown.text))
        })
        .collect();
    insta::assert_snapshot!(marked.join("\n"), @r#"
    user: "Be brief."
    framework: "\n"
    user: "Skills:\n"
    framework: "  <skill>\n    <name>"
    alpha.name: "alpha"
    framework: "</name>\n    <description>"
    alpha.description: "it&apos;s"
    framework: "</description>\n  </skill>\n  <skill>\n    <name>"
    zeta.name: "zeta"
    framework: "</name>\n    <description>"
    zeta.description: "Written &lt;in&gt; the project"
    framework: "</description>\n  </skill>"
    user: "\nUse {them}."
    "#);
}

#[test]
fn without_skills_only_the_agents_own_instructions_remain() {
    let catalog = select(&SkillSet::default(), AgentFrameworkOptions::default(), Vec::new());
    let session = Session { agent_instructions: Some("Be brief.".into()), ..Session::default() };
    let shown = AgentFramework.present(&catalog, &session);
    assert_eq!((shown.instructions.unwrap().text.as_str(), shown.tools), ("Be brief.", Vec::new()));
    assert_eq!(AgentFramework.present(&catalog, &Session::default()).instructions, None);
    assert_eq!(
        serve(&catalog, "load_skill", r#"{"skillName":"a"}"#),
        Served::Reply(ToolReply {
            text: "Error: Requested function \"load_skill\" not found.".into(),
            is_error: true,
            author: ReplyAuthor::Caller
        })
    );
}

#[test]
fn a_script_gives_its_trimmed_stdout_whatever_its_exit_code() {
    let catalog = select(&SkillSet::default(), AgentFrameworkOptions::default(), Vec::new());
    assert_eq!(settle(&catalog, ran("\u{3000} partial output\r\n\n", 3)), ToolReply::ok("partial output"));
    assert_eq!(settle(&catalog, ran("", 0)), ToolReply::ok(""));
    assert_eq!(settle(&catalog, Performed::Stubbed { text: " as is\n".into() }), ToolReply::ok(" as is\n"));
    assert_eq!(settle(&catalog, Performed::Read { text: "\u{FEFF}a\n".into() }), ToolReply::ok("a\n"));
}

#[test]
fn a_refused_call_says_so_and_nothing_else() {
    let catalog = select(&SkillSet::default(), AgentFrameworkOptions::default(), Vec::new());
    let denied = settle(&catalog, Performed::Denied { reason: Some("not today".into()) });
    assert_eq!(denied.text, "Error: Tool call invocation was rejected by user.");
    assert_eq!((denied.author, AgentFramework.wire(&denied, &catalog)), (ReplyAuthor::Caller, None));
}

#[test]
fn expresses_steps_in_its_own_tools() {
    let text = manifest("unit-converter");
    let found = disk(&[
        ("unit-converter/SKILL.md", text.as_str()),
        ("unit-converter/references/table.md", ""),
        ("unit-converter/scripts/convert.py", ""),
        ("references/SKILL.md", &manifest("references")),
    ]);
    let catalog = select(&found, AgentFrameworkOptions::default(), Vec::new());
    let active = Session { activated: vec!["unit-converter".into()], ..Session::default() };
    let steps = "
- activate: unit-converter
- read: references/table.md
- read: unit-converter/references/table.md
- read: references/none.md
- run: scripts/convert.py
  with: {value: 1, factor: 2.20462}
- run: scripts/convert.py
- say: done
";
    let steps: Vec<ScreenplayStep> = serde_yaml::from_str(steps).unwrap();
    let calls = steps.iter().map(|step| match AgentFramework.express(step, &catalog, &active) {
        Some(Expressed { tool, arguments }) => format!("{tool} {arguments}"),
        None => "-".into(),
    });
    insta::assert_snapshot!(calls.collect::<Vec<_>>().join("\n"), @r#"
    load_skill {"skillName":"unit-converter"}
    read_skill_resource {"skillName":"unit-converter","resourceName":"references/table.md"}
    read_skill_resource {"skillName":"unit-converter","resourceName":"references/table.md"}
    read_skill_resource {"skillName":"references","resourceName":"none.md"}
    run_skill_script {"skillName":"unit-converter","scriptName":"scripts/convert.py","arguments":{"value":1,"factor":2.20462}}
    run_skill_script {"skillName":"unit-converter","scriptName":"scripts/convert.py"}
    -
    "#);
}

#[test]
fn knows_what_a_call_discloses() {
    let text = manifest("a");
    let found = disk(&[("a/SKILL.md", text.as_str()), ("a/x.md", ""), ("a/x.py", "")]);
    let catalog = select(&found, AgentFrameworkOptions::default(), Vec::new());
    let of = |name: &str, arguments: &str| {
        let call = ToolCall { id: "1".into(), name: name.into(), arguments: arguments.into() };
        AgentFramework.disclosure(&call, &catalog)
    };
    let skill = || "a".to_owned();
    assert_eq!(of("load_skill", r#"{"skillName":"a"}"#), Disclosure::Instructions { skill: skill() });
    assert_eq!(
        of("read_skill_resource", r#"{"skillName":"a","resourceName":"x.md"}"#),
        Disclosure::Resource { skill: skill(), resource: "x.md".into() }
    );
    assert_eq!(
        of("run_skill_script", r#"{"skillName":"a","scriptName":"x.py"}"#),
        Disclosure::Script { skill: skill(), script: "x.py".into() }
    );
    assert_eq!(of("load_skill", r#"{"skillName":"A"}"#), Disclosure::None);
    assert_eq!(of("read_skill_resource", r#"{"skillName":"a","resourceName":"y.md"}"#), Disclosure::None);
    assert_eq!(of("load_skill", "{"), Disclosure::None);
}

#[test]
fn an_unreadable_manifest_ends_loading() {
    let mut found = disk(&[("a/SKILL.md", &manifest("a"))]);
    let Entry::Folder(folder) = &mut found.roots[0].tree.entries[0] else { unreachable!("it holds one folder") };
    let Entry::File(file) = &mut folder.entries[0] else { unreachable!("it holds one file") };
    file.source = None;
    let path = Utf8PathBuf::from("/skills/a/SKILL.md");
    assert_eq!(
        select(&found, AgentFrameworkOptions::default(), Vec::new()).refused,
        Some(format!("Access to the path '{path}' is denied."))
    );
}
