//! `skillbench` as a user starts it: output, exit codes and errors.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod terminal;

use std::collections::BTreeSet;
use std::io::Read;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::{Value, json};
use terminal::{Terminal, text};

impl Terminal {
    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).current_dir(root()).output().unwrap()
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["--format", "json"]].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

const SCENE: [&str; 10] = [
    "run",
    "skills",
    "--harness",
    "agent-framework",
    "--model",
    "rehearsal",
    "--prompt",
    "How many pounds is 1 kilogram?",
    "--approve",
    "always",
];

#[test]
fn plays_the_seven_messages_of_the_unit_converter_scene() {
    let run = Terminal::new().json(&SCENE);
    let skill = std::fs::read_to_string(root().join("skills/unit-converter/SKILL.md")).unwrap();
    let table = std::fs::read_to_string(root().join("skills/unit-converter/references/conversion-table.md")).unwrap();
    let call = |id: &str, name: &str, arguments: &str| {
        json!({ "role": "assistant", "content": null, "tool_calls": [
            { "id": id, "type": "function", "function": { "name": name, "arguments": arguments } }
        ] })
    };
    let reply = |id: &str, content: &str| json!({ "role": "tool", "tool_call_id": id, "content": content });
    let expected = json!([
        call("call_1", "load_skill", r#"{"skillName":"unit-converter"}"#),
        reply("call_1", &skill),
        call(
            "call_2",
            "read_skill_resource",
            r#"{"skillName":"unit-converter","resourceName":"references/conversion-table.md"}"#
        ),
        reply("call_2", &table),
        call(
            "call_3",
            "run_skill_script",
            r#"{"skillName":"unit-converter","scriptName":"scripts/convert.py","arguments":{"value":1,"factor":2.20462}}"#
        ),
        reply("call_3", r#"{"result": 2.20462, "value": 1.0, "factor": 2.20462}"#),
        { "role": "assistant", "content": "1 kg is about **2.20462 lb**." },
    ]);
    assert_eq!(run["status"], "done");
    assert_eq!(run["rehearsal"], true, "a rehearsal is never passed off as a model");
    assert_eq!(run["messages"], expected);
}

/// Strands puts the instructions of a skill behind the tool's reply, as the user's words.
#[test]
fn a_run_prints_what_the_framework_says_between_the_replies() {
    let scene = SCENE.map(|word| if word == "agent-framework" { "strands" } else { word });
    let run = Terminal::new().json(&scene);
    let messages = run["messages"].as_array().unwrap();
    let roles: Vec<&str> = messages.iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["assistant", "tool", "user", "assistant", "tool", "assistant", "tool", "assistant"]);
    let told = messages[2]["content"].as_str().unwrap();
    assert!(told.contains("Use this skill when the user asks to convert between units."), "{told}");
}

#[test]
fn one_harness_has_the_documented_shape_and_several_a_comparison() {
    let terminal = Terminal::new();
    let one = terminal.json(&["inspect", "skills", "--harness", "agent-framework@seed"]);
    let keys: Vec<&String> = one.as_object().unwrap().keys().collect();
    let documented = [
        "harness",
        "variant",
        "verified",
        "agent",
        "instructions",
        "tools",
        "groups",
        "skills",
        "skipped",
        "log",
        "quirks",
        "refused",
        "tokens",
        "providerTokens",
        "neutral",
    ];
    assert_eq!(keys, documented);
    let all = terminal.json(&["inspect", "skills", "--harness", "all"]);
    let columns: Vec<&Value> =
        all["columns"].as_array().unwrap().iter().map(|column| &column["inspection"]["harness"]).collect();
    let harnesses = terminal.json(&["harnesses"]);
    let frameworks = harnesses.as_array().unwrap().iter().filter(|harness| harness["group"] == "framework");
    let known: Vec<&Value> = frameworks.map(|harness| &harness["id"]).collect();
    assert_eq!(columns, known, "`all` is each framework in its default variant");
    assert_eq!(all["columns"][0]["inspection"]["instructions"]["text"], one["instructions"]);
}

#[test]
fn shows_harnesses_side_by_side_with_what_they_leave_out() {
    let terminal = Terminal::new();
    let root = terminal.home.path().join("skills");
    for (name, text) in [("good", "---\nname: good\ndescription: d\n---\nDo it.\n"), ("bad", "no frontmatter\n")] {
        std::fs::create_dir_all(root.join(name)).unwrap();
        std::fs::write(root.join(name).join("SKILL.md"), text).unwrap();
    }
    let both = "agent-framework,agent-framework@seed";
    let shown = terminal.run(&["inspect", root.to_str().unwrap(), "--harness", both]);
    let shown = text(&shown.stdout);
    let expected = "
Skill     1     2
bad       ✗     ✗
good   ✓ 13  ✓ 13
✓ loaded, with its tokens once activated   ≠ loaded with another name or description
✗ left out   · the framework does not look there

bad
  all        left out: does not contain valid YAML frontmatter delimited by '---'

Instructions: 1 agent-framework seed → 2 agent-framework seed
  the same to the byte
";
    assert!(shown.ends_with(expected), "{shown}");
}

#[test]
fn prints_the_steps_of_a_run_as_its_trace_has_them() {
    let terminal = Terminal::new();
    let printed = text(&terminal.run(&SCENE).stdout);
    let kept = text(&terminal.run(&["trace", "show", "last"]).stdout);
    let (_, kept) = kept.split_once('\n').unwrap();
    let (printed, _) = printed.split_once("\ndone  ").unwrap();
    assert_eq!(printed, kept.trim_end());
}

#[test]
fn a_run_goes_on_with_what_the_user_says_next() {
    let terminal = Terminal::new();
    let first = terminal.json(&SCENE);
    let run = first["run"].as_str().unwrap();
    let go_on = |run: &str, prompt: &str| {
        terminal.json(&["run", "skills", "--continue", run, "--prompt", prompt, "--approve", "always"])
    };
    let second = go_on("last", "How many kilograms is a pound?");
    let third = go_on(&run[..13], "Thanks.");
    let prompts = ["How many pounds is 1 kilogram?", "How many kilograms is a pound?", "Thanks."];
    assert_eq!((&second["run"], &third["run"]), (&first["run"], &first["run"]), "it is one run");
    assert_eq!((&third["status"], &third["prompts"]), (&json!("done"), &json!(prompts)));
    let said: Vec<&Value> =
        third["messages"].as_array().unwrap().iter().filter(|message| message["role"] == "user").collect();
    let user = |text: &str| json!({ "role": "user", "content": text });
    assert_eq!(said, [&user(prompts[1]), &user(prompts[2])], "behind the first, which the messages begin after");
    let shown = text(&terminal.run(&["trace", "show", "last"]).stdout);
    assert!(
        shown.starts_with("done         agent-framework seed · 3 turns, rehearsal: no model was asked\n"),
        "{shown}"
    );
    assert_eq!(shown.matches("user says more").count(), 2, "{shown}");

    let refused = terminal.run(&["run", "skills", "--continue", "last", "--harness", "eino", "--prompt", "x"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        text(&refused.stderr).contains("is one of `agent-framework` and cannot go on under `eino`"),
        "{}",
        text(&refused.stderr)
    );
    let unknown = terminal.run(&["run", "skills", "--continue", "zzz", "--prompt", "x"]);
    assert!(text(&unknown.stderr).contains("there is no run `zzz`"), "{}", text(&unknown.stderr));
}

/// Three turns of the user, in which the skill is loaded, a file of it is read, and a script of it runs.
const THREE_TURNS: &str = "\
prompt: How many pounds is 1 kilogram?
steps:
- activate: unit-converter
- read: references/conversion-table.md
- say: About 2.2.
- prompt: And how many kilometres is a mile?
- run: scripts/convert.py
  with: {value: 1, factor: 1.609344}
- say: 1.609344.
- prompt: Thanks.
- say: You are welcome.
";

#[test]
fn three_turns_run_under_every_harness_and_each_goes_on() {
    let terminal = Terminal::new();
    let scene = terminal.home.path().join("scene.yaml");
    std::fs::write(&scene, THREE_TURNS).unwrap();
    let known = terminal.json(&["harnesses"]);
    let runs: Vec<&str> =
        known.as_array().unwrap().iter().filter(|it| it["runs"] == true).map(|it| it["id"].as_str().unwrap()).collect();
    assert!(runs.len() >= 10, "{runs:?}");
    for harness in runs {
        let run = ["run", "skills", "--harness", harness, "--model", "rehearsal", "--approve", "always"];
        let scene = ["--screenplay", scene.to_str().unwrap()];
        let first = terminal.json(&[&run[..], &scene].concat());
        let prompts = ["How many pounds is 1 kilogram?", "And how many kilometres is a mile?", "Thanks."];
        assert_eq!((&first["status"], &first["prompts"]), (&json!("done"), &json!(prompts)), "{harness}");
        let shown = text(&terminal.run(&["trace", "show", "last"]).stdout);
        assert!(shown.contains("1.609344"), "{harness}: {shown}");
        assert!(shown.contains("You are welcome."), "{harness}: {shown}");

        let go_on = ["run", "skills", "--continue", "last", "--prompt", "And a stone?", "--approve", "always"];
        let more = terminal.json(&go_on);
        let more_prompts = [&prompts[..], &["And a stone?"]].concat();
        assert_eq!((&more["run"], &more["prompts"]), (&first["run"], &json!(more_prompts)), "{harness}");
        assert_eq!(more["status"], json!("done"), "{harness}");
        // The framework keeps what it sent before, so no difference is reported.
        let notes = text(&terminal.run(&["trace", "show", "last"]).stdout);
        assert!(!notes.contains("would be different now"), "{harness}: {notes}");
        assert!(!notes.contains("cannot be gone through"), "{harness}: {notes}");
    }
}

#[test]
fn rehearses_one_scene_under_several_harnesses() {
    let terminal = Terminal::new();
    let prompt = "How many pounds is 1 kilogram?";
    let names = ["--harness", "agent-framework,agent-framework@seed", "--approve", "always"];
    let found = terminal.json(&[&["run", "skills", "--prompt", prompt][..], &names].concat());
    let statuses: Vec<&Value> = found["runs"].as_array().unwrap().iter().map(|run| &run["summary"]["status"]).collect();
    assert_eq!(statuses, ["done", "done"]);
    let rows: Vec<Value> = (1..=8).map(|step| json!({ "steps": [step, step] })).collect();
    assert_eq!(found["rows"], Value::from(rows), "one harness twice goes the same way");

    let ids: Vec<&str> =
        found["runs"].as_array().unwrap().iter().map(|run| run["summary"]["id"].as_str().unwrap()).collect();
    let again = terminal.json(&["trace", "align", ids[0], ids[1]]);
    assert_eq!(again["rows"], found["rows"]);
    let shown = terminal.run(&["trace", "align", ids[0], ids[1]]);
    assert!(text(&shown.stdout).contains("\n  3.  all        load_skill {\"skillName\":\"unit-converter\"}  tier 2\n"));
}

/// All harnesses that load skills play the scene; the reference library only presents them, and is left out of a group.
#[test]
fn the_scene_runs_under_all_ten_that_load_skills() {
    let terminal = Terminal::new();
    let scene = ["run", "skills", "--prompt", "How many pounds is 1 kilogram?", "--approve", "always"];
    let found = terminal.json(&[&scene[..], &["--harness", "frameworks,clients"]].concat());
    let runs = found["runs"].as_array().unwrap();
    let ids: Vec<&str> = runs.iter().map(|run| run["summary"]["setup"]["harness"].as_str().unwrap()).collect();
    let frameworks = ["agent-framework", "eino", "learn-claude-code", "strands", "agentscope"];
    let clients = ["claude-code", "codex", "gemini-cli", "opencode", "deepagents"];
    let mut missing: BTreeSet<&str> = frameworks.into_iter().chain(clients).collect();
    assert!(ids.iter().all(|id| missing.remove(id)) && missing.is_empty(), "{ids:?}");
    for run in runs {
        assert_eq!(run["summary"]["status"], "done", "{run}");
        let tiers = run["steps"].to_string();
        assert!(tiers.contains("\"instructions\"") && tiers.contains("1 kg is about"), "{tiers}");
    }
    let refused = terminal.run(&[&scene[..], &["--harness", "agent-skills"]].concat());
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("only presents skills; it cannot run them"), "{}", text(&refused.stderr));
}

/// A folder with the bundled skill as we ship it, and a skill that leaves a mark if its script runs.
struct Skills {
    terminal: Terminal,
    skills: PathBuf,
    marker: PathBuf,
}

impl Skills {
    fn set_up() -> Self {
        let terminal = Terminal::new();
        let skills = terminal.home.path().join("skills");
        for name in ["SKILL.md", "references/conversion-table.md", "scripts/convert.py"] {
            let to = skills.join("unit-converter").join(name);
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            std::fs::copy(root().join("skills/unit-converter").join(name), &to).unwrap();
        }
        let marker = terminal.home.path().join("it-ran");
        let evil = skills.join("evil");
        std::fs::create_dir_all(evil.join("scripts")).unwrap();
        std::fs::write(evil.join("SKILL.md"), "---\nname: evil\ndescription: Use when asked.\n---\nRun it.\n").unwrap();
        std::fs::write(evil.join("scripts/pwn.sh"), format!("echo ran | tee {}\n", marker.display())).unwrap();
        by_ending(&skills);
        Self { terminal, skills, marker }
    }

    /// The results for the model in a run of one script.
    fn run(&self, harness: &str, script: &str, approve: &str) -> Value {
        let play = format!("prompt: convert\nsteps:\n- activate: unit-converter\n- run: {script}\n- say: done\n");
        let screenplay = self.terminal.home.path().join("scene.yaml");
        std::fs::write(&screenplay, play).unwrap();
        let [skills, screenplay] = [&self.skills, &screenplay].map(|path| path.to_str().unwrap());
        let run = ["run", skills, "--harness", harness, "--prompt", "convert", "--screenplay", screenplay];
        let output =
            self.terminal.run(&[&run[..], &["--approve", approve, "--sandbox", "off", "--format", "json"]].concat());
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

/// The runner of the article knows Python alone.
fn by_ending(skills: &Path) {
    let project = "harnesses:\n  agent-framework:\n    scriptRunner: byEnding\n";
    std::fs::write(skills.join("workbench.yaml"), project).unwrap();
}

#[test]
fn runs_no_script_when_nobody_can_be_asked() {
    let skills = Skills::set_up();
    for harness in ["agent-framework", "eino", "learn-claude-code", "strands", "agentscope"] {
        for approve in ["ask", "never"] {
            for script in ["../evil/scripts/pwn.sh", "evil/scripts/pwn.sh", "scripts/convert.py"] {
                let run = skills.run(harness, script, approve);
                assert!(!skills.marker.exists(), "{harness} --approve {approve}: {script}");
                let said = run["messages"].to_string();
                assert!(!said.contains("usage: convert.py") && !said.contains("Error: the following"), "{said}");
            }
        }
    }
    let run = skills.run("agent-framework", "evil/scripts/pwn.sh", "always");
    assert!(skills.marker.exists(), "and it can run, if that is wanted: {run}");
}

#[test]
fn a_project_reads_nothing_outside_of_its_folder_until_that_is_trusted() {
    let skills = Skills::set_up();
    let (terminal, evil) = (&skills.terminal, skills.skills.join("evil"));
    let project = terminal.home.path().join("project");
    std::fs::create_dir(&project).unwrap();
    let evil = evil.canonicalize().unwrap();
    std::fs::write(project.join("workbench.yaml"), format!("roots: ['{}', /proc/self]\n", evil.display())).unwrap();
    let (project, evil) = (project.to_str().unwrap(), evil.to_str().unwrap());
    let listed = || terminal.json(&["list", project])["skills"].as_array().unwrap().len();
    let state = || terminal.json(&["trust", "list", project]);
    assert_eq!(listed(), 0);
    assert_eq!(state()["trusted"], json!([]));
    assert_eq!(state()["waiting"].as_array().unwrap().len(), 2);
    assert!(terminal.run(&["trust", "add", evil]).status.success());
    assert_eq!((listed(), &state()["trusted"]), (1, &json!([evil])));
    let refused = terminal.run(&["trust", "add", "/proc/self"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("belongs to the system"), "{}", text(&refused.stderr));
    assert!(terminal.run(&["trust", "remove", evil]).status.success());
    assert_eq!(listed(), 0);
}

/// Each part of a path is one more level for what walks up it.
#[test]
fn a_path_of_thousands_of_parts_is_outside_and_ends_no_program() {
    let skills = Skills::set_up();
    let terminal = &skills.terminal;
    let project = terminal.home.path().join("project");
    std::fs::create_dir(&project).unwrap();
    let below = |levels: usize| format!("{}b", "a/".repeat(levels));
    let settings = format!("roots: ['{}', '/{}']\n", below(3000), below(2000));
    std::fs::write(project.join("workbench.yaml"), settings).unwrap();
    let project = project.to_str().unwrap();
    for command in [&["list"][..], &["lint"], &["trust", "list"]] {
        let output = terminal.run(&[command, &[project]].concat());
        assert!(output.status.code().is_some_and(|code| code <= 1), "{command:?}: {output:?}");
    }
    assert_eq!(terminal.json(&["trust", "list", project])["waiting"].as_array().unwrap().len(), 2);
    let calls = terminal.home.path().join("calls.json");
    let call = |levels| json!({ "name": "read_file", "arguments": { "file_path": format!("/{}", below(levels)) } });
    std::fs::write(&calls, json!([call(2000), call(3000), call(20_000)]).to_string()).unwrap();
    let run = ["call", project, "--harness", "eino", "--calls", calls.to_str().unwrap()];
    let output = terminal.run(&run);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[cfg(unix)]
#[test]
fn shows_a_model_no_skill_that_a_link_leads_to_until_that_is_trusted() {
    let skills = Skills::set_up();
    let terminal = &skills.terminal;
    let project = terminal.home.path().join("project");
    std::fs::create_dir(&project).unwrap();
    let real = skills.skills.join("unit-converter").canonicalize().unwrap();
    std::os::unix::fs::symlink(&real, project.join("unit-converter")).unwrap();
    let project = project.to_str().unwrap();
    let run = ["run", project, "--harness", "eino", "--prompt", "hello", "--approve", "always"];
    let refused = terminal.run(&run);
    assert_eq!(refused.status.code(), Some(2));
    let said = text(&refused.stderr);
    assert!(said.contains(&format!("skillbench trust add {}", real.display())), "{said}");
    assert!(terminal.run(&["trust", "add", real.to_str().unwrap()]).status.success());
    assert!(terminal.run(&run).status.success());
}

#[cfg(unix)]
#[test]
fn a_run_says_which_link_to_a_folder_of_skills_it_leaves_out() {
    let skills = Skills::set_up();
    let terminal = &skills.terminal;
    let project = terminal.home.path().join("project");
    std::fs::create_dir(&project).unwrap();
    let real = skills.skills.canonicalize().unwrap();
    let link = project.join("more");
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let shown = project.to_str().unwrap();
    let told = format!(
        "{}: the link leads to {}, outside of the opened folders; Skill Workbench does not read it until you trust it, and \
         the framework does (`skillbench trust add {}`)",
        link.display(),
        real.display(),
        real.display()
    );
    let run = ["run", shown, "--harness", "eino", "--prompt", "hello"];
    let said = || text(&terminal.run(&run).stdout);
    assert!(said().contains(&told), "{}", said());
    let inspected = text(&terminal.run(&["inspect", shown, "--harness", "eino"]).stdout);
    assert!(inspected.contains(told.split_once(": ").unwrap().1.split_once(" (`").unwrap().0), "{inspected}");
    assert!(terminal.run(&["trust", "add", real.to_str().unwrap()]).status.success());
    assert!(!said().contains("outside of the opened folders"), "{}", said());
}

#[cfg(unix)]
#[test]
fn names_nothing_behind_a_link_out_of_a_skill_until_that_is_trusted() {
    let skills = Skills::set_up();
    let terminal = &skills.terminal;
    let private = terminal.home.path().join("private");
    std::fs::create_dir(&private).unwrap();
    std::fs::write(private.join("diary.md"), "x").unwrap();
    let private = private.canonicalize().unwrap();
    std::os::unix::fs::symlink(&private, skills.skills.join("unit-converter/assets")).unwrap();
    let folder = skills.skills.to_str().unwrap();
    let of = |harness: &str, variant: &str| {
        let inspect = ["inspect", folder, "--harness", harness, "--variant", variant, "--format", "json"];
        text(&terminal.run(&inspect).stdout)
    };
    for (harness, variant) in [("strands", "vended-1.62"), ("agentscope", "java-2.0.3")] {
        let shown = of(harness, variant);
        assert!(!shown.contains("diary.md"), "{shown}");
        assert!(shown.contains(&format!("the link leads to {}, outside of the opened folders", private.display())));
    }
    let lint = || text(&terminal.run(&["lint", folder, "--select", "too-much-to-read", "--format", "json"]).stdout);
    assert!(lint().contains("nothing there is read until you trust it"), "{}", lint());
    assert!(text(&terminal.run(&["trust", "list", folder]).stdout).contains(private.to_str().unwrap()));
    assert!(terminal.run(&["trust", "add", private.to_str().unwrap()]).status.success());
    assert!(of("agentscope", "java-2.0.3").contains("diary.md"));
    assert!(!lint().contains("until you trust it"));
}

#[test]
fn keeps_the_run_as_a_trace_whose_context_is_what_was_sent() {
    let terminal = Terminal::new();
    let run = terminal.json(&SCENE);
    let id = run["run"].as_str().unwrap();
    let shown = terminal.json(&["trace", "show", id]);
    let kinds: Vec<&str> =
        shown["steps"].as_array().unwrap().iter().map(|step| step["kind"]["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["prompt", "answer", "tool", "answer", "tool", "answer", "tool", "answer"]);

    let last = terminal.json(&["trace", "step", "last", "8"]);
    let body: Value = serde_json::from_str(last["context"]["body"].as_str().unwrap()).unwrap();
    let roles: Vec<&str> =
        body["messages"].as_array().unwrap().iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool", "assistant", "tool", "assistant", "tool"]);
    assert_eq!(last["context"]["exact"], true);

    // The framework sends what tools return as JSON strings: they are printed as they read.
    let sent = |message: &Value| message["role"] == "tool" && message["content"].as_str().unwrap().contains("\\n");
    assert!(body["messages"].as_array().unwrap().iter().any(sent), "{body}");
    let printed = text(&terminal.run(&["trace", "step", "last", "8"]).stdout);
    let told = printed.split("sent as a JSON string, which says:\n    ---\n    name: unit-converter\n").count();
    assert_eq!((told, printed.contains("\\n")), (2, false), "{printed}");
}

#[test]
fn keeps_a_run_whose_process_was_killed_up_to_its_last_event() {
    let terminal = Terminal::new();
    // A server that takes the request and never answers.
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let config = terminal.home.path().join("config");
    std::fs::create_dir_all(&config).unwrap();
    let models = format!(
        "models:\n- id: silent\n  provider: openAi\n  baseUrl: http://{}/v1\n  model: m\n",
        server.local_addr().unwrap()
    );
    std::fs::write(config.join("models.yaml"), models).unwrap();
    let mut run = terminal.command(&["run", "skills", "--model", "silent", "--prompt", "hello"]);
    let mut child = run.current_dir(root()).spawn().unwrap();
    let (mut request, _) = server.accept().unwrap();
    request.read_exact(&mut [0; 4]).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();

    let runs = terminal.json(&["trace", "list"]);
    let run = &runs[0];
    assert_eq!((&run["status"], &run["setup"]["prompt"]), (&json!("interrupted"), &json!("hello")));
    let asked = terminal.json(&["trace", "step", "last", "2"]);
    let body: Value = serde_json::from_str(asked["context"]["body"].as_str().unwrap()).unwrap();
    assert_eq!(
        body["messages"][1],
        json!({ "role": "user", "content": "hello" }),
        "the request that went out is there"
    );
}

#[test]
fn exports_a_run_that_imports_and_rehearses_the_same() {
    let terminal = Terminal::new();
    let run = terminal.json(&SCENE);
    let id = run["run"].as_str().unwrap();
    let jsonl = terminal.home.path().join("run.jsonl");
    std::fs::write(&jsonl, terminal.run(&["trace", "export", id]).stdout).unwrap();
    let elsewhere = Terminal::new();
    let imported = elsewhere.run(&["trace", "import", jsonl.to_str().unwrap()]);
    assert_eq!(text(&imported.stdout).trim(), id);

    let screenplay = terminal.home.path().join("again.yaml");
    std::fs::write(&screenplay, terminal.run(&["trace", "export", id, "--format", "screenplay"]).stdout).unwrap();
    let again = terminal.json(&[&SCENE[..], &["--screenplay", screenplay.to_str().unwrap()]].concat());
    assert_eq!(again["messages"], run["messages"]);
    let diff = terminal.json(&["trace", "diff", id, "last"]);
    assert_eq!(diff["firstDivergence"], Value::Null);

    let scene = ["--screenplay", screenplay.to_str().unwrap(), "--approve", "always"];
    let once_more = terminal.json(&[&SCENE[..6], &scene].concat());
    assert_eq!(once_more["messages"], run["messages"], "the prompt is that of the screenplay");
}

#[test]
fn writes_an_export_to_a_file_and_the_pictures_of_a_screenplay_next_to_it() {
    let terminal = Terminal::new();
    let home = terminal.home.path();
    // The head of a PNG of one pixel.
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0";
    let (picture, scene) = (home.join("dot.png"), home.join("scene.yaml"));
    std::fs::write(&picture, png).unwrap();
    terminal.json(&[&SCENE[..], &["--image", picture.to_str().unwrap()]].concat());
    let saved = ["trace", "export", "last", "--format", "screenplay", "--output", scene.to_str().unwrap()];
    let output = terminal.run(&saved);
    assert_eq!(
        (output.status.code(), text(&output.stdout), text(&output.stderr)),
        (Some(0), String::new(), String::new())
    );
    assert!(std::fs::read_to_string(&scene).unwrap().contains("images:\n- scene-1.png\n"));
    assert_eq!(std::fs::read(home.join("scene-1.png")).unwrap(), png);

    let again =
        terminal.json(&[&SCENE[..6], &["--screenplay", scene.to_str().unwrap(), "--approve", "always"]].concat());
    let step = terminal.json(&["trace", "show", again["run"].as_str().unwrap()])["steps"][0]["kind"].clone();
    assert_eq!((&step["type"], step["images"].as_array().map(Vec::len)), (&json!("prompt"), Some(1)));

    for format in ["jsonl", "html"] {
        let file = home.join(format);
        let printed = terminal.run(&["trace", "export", "last", "--format", format]).stdout;
        let output = terminal.run(&["trace", "export", "last", "--format", format, "-o", file.to_str().unwrap()]);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), String::new()), "{format}");
        assert_eq!(std::fs::read_to_string(&file).unwrap().trim_end(), text(&printed).trim_end(), "{format}");
    }
}

#[test]
fn imports_a_session_of_another_program_and_exports_it_in_every_form() {
    let terminal = Terminal::new();
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/foreign");
    let file = format!("{fixtures}/codex.jsonl");
    let imported = terminal.run(&["trace", "import", &file]);
    assert_eq!(text(&imported.stderr), "kept with the run and not shown as steps: turn_diff (1)\n");
    let id = text(&imported.stdout).trim().to_owned();
    let run = terminal.json(&["trace", "show", &id]);
    assert_eq!(run["summary"]["setup"]["harness"], "codex");
    let export = |format: &str| terminal.run(&["trace", "export", &id, "--format", format]);
    assert_eq!(text(&export("source").stdout), std::fs::read_to_string(&file).unwrap());
    for (format, from) in [("openai", "openai-chat"), ("anthropic", "anthropic-messages"), ("inspect", "inspect")] {
        let path = terminal.home.path().join(format);
        std::fs::write(&path, export(format).stdout).unwrap();
        let again = terminal.run(&["trace", "import", path.to_str().unwrap(), "--from", from]);
        assert!(again.status.success(), "{format}: {}", text(&again.stderr));
        let again = terminal.json(&["trace", "show", text(&again.stdout).trim()]);
        assert_eq!(again["summary"]["setup"]["prompt"], run["summary"]["setup"]["prompt"], "{format}");
    }
    assert!(text(&export("markdown").stdout).starts_with("# How many pounds is 1 kilogram?\n"));
    let screenplay = terminal.home.path().join("scene.yaml");
    std::fs::write(&screenplay, export("screenplay").stdout).unwrap();
    let rehearsed = terminal.json(&[&SCENE[..], &["--screenplay", screenplay.to_str().unwrap()]].concat());
    assert_eq!(rehearsed["status"], "done", "a real run becomes a rehearsal");
}

#[test]
fn plays_calls_from_a_file() {
    let terminal = Terminal::new();
    let calls = terminal.home.path().join("calls.json");
    std::fs::write(
        &calls,
        r#"[{"name": "load_skill", "arguments": {"skillName": "nope"}}, {"name": "load_skill", "arguments": "not json"}]"#,
    )
    .unwrap();
    let played = terminal.json(&["call", "skills", "--harness", "agent-framework", "--calls", calls.to_str().unwrap()]);
    let tools = json!(["load_skill", "read_skill_resource", "run_skill_script"]);
    assert_eq!(
        played,
        json!([
            { "name": "load_skill", "arguments": { "skillName": "nope" }, "text": "Error: Skill 'nope' not found.",
              "isError": played[0]["isError"], "aborted": false, "injected": [], "toolsAfter": tools },
            { "name": "load_skill", "arguments": "not json", "text": "Error: Function failed.",
              "isError": true, "aborted": false, "injected": [], "toolsAfter": tools },
        ])
    );
}

#[test]
fn names_the_thing_and_the_next_step_when_it_cannot_do_it() {
    let terminal = Terminal::new();
    let harnesses = terminal.json(&["harnesses"]);
    let ids: Vec<&str> = harnesses.as_array().unwrap().iter().map(|harness| harness["id"].as_str().unwrap()).collect();
    let known = ids.join(", ");
    let cases: [(&[&str], &str); 10] = [
        (
            &["list", "nope"],
            "error: cannot open {root}/nope: no such file or folder\nhint: it may have been moved or deleted\n",
        ),
        (
            &["inspect", "README.md"],
            "error: {root}/README.md is a file, not a folder\nhint: open the folder that contains your skills\n",
        ),
        (
            &["call", "skills", "--calls", "skills"],
            "error: cannot read skills: it is a folder, not a file\nhint: name a file in it\n",
        ),
        (
            &["trace", "import", "README.md"],
            "error: README.md: line 1: this is not a trace that this program knows; name its format if it is one\n\
             hint: import a file that `trace export` wrote, or one of a format that `trace import --help` lists\n",
        ),
        (&["inspect", "skills", "--harness", "nope"], "error: there is no framework `nope`\nhint: known: {known}\n"),
        (
            &["list", "skills", "--harness", "all"],
            "error: this command takes one framework\n\
             hint: `skillbench inspect` and `skillbench run` take several\n",
        ),
        (
            &["inspect", "skills", "--harness", "all", "--variant", "seed"],
            "error: --variant cannot be used with several frameworks\n\
             hint: write the variant after its framework: agent-framework@python-1.23\n",
        ),
        (
            &["run", "skills", "--model", "nope", "--prompt", "x"],
            "error: there is no model `nope`\n\
             hint: `rehearsal` needs no set-up; add others with `skillbench models add`, or to {home}/config/models.yaml\n",
        ),
        (&["trace", "show", "nope"], "error: there is no run `nope`\nhint: `skillbench trace list` shows the runs\n"),
        (
            &["call", "skills", "--calls", "nope.json"],
            "error: cannot read nope.json: no such file or folder\nhint: it may have been moved or deleted\n",
        ),
    ];
    for (arguments, expected) in cases {
        let output = terminal.run(arguments);
        let stderr = text(&output.stderr).replace(terminal.home.path().to_str().unwrap(), "{home}");
        let stderr = stderr.replace(root().to_str().unwrap(), "{root}");
        let expected = expected.replace("{known}", &known);
        assert_eq!((output.status.code(), stderr), (Some(2), expected), "{arguments:?}");
    }
    assert!(!terminal.home.path().join("state/runs").exists(), "a run that could not start leaves nothing behind");
}

#[test]
fn lints_the_bundled_skills_clean_and_exits_1_on_errors() {
    let terminal = Terminal::new();
    let clean = terminal.run(&["lint", "skills"]);
    let told = text(&clean.stdout);
    // Two skills name a library of their scripts, which this framework does not list.
    let summary = told.lines().last().unwrap_or_default();
    assert_eq!(clean.status.code(), Some(0));
    assert!(summary.starts_with("6 skills, ") && summary.ends_with(", 2 quirks"), "{summary}");
    assert_eq!(told.matches("hint[agent-framework/file-not-offered]").count(), 2, "{told}");

    let broken = terminal.home.path().join("skills/broken");
    std::fs::create_dir_all(&broken).unwrap();
    std::fs::write(broken.join("SKILL.md"), "no frontmatter\n").unwrap();
    let found = terminal.run(&["lint", broken.parent().unwrap().to_str().unwrap()]);
    assert_eq!(found.status.code(), Some(1));
    assert!(text(&found.stdout).contains("there is no frontmatter"), "{}", text(&found.stdout));
}

#[test]
fn says_why_a_script_did_not_run() {
    let terminal = Terminal::new();
    let calls = terminal.home.path().join("calls.json");
    let script = r#"{"skillName": "unit-converter", "scriptName": "scripts/convert.py"}"#;
    std::fs::write(&calls, format!(r#"[{{"name": "run_skill_script", "arguments": {script}}}]"#)).unwrap();
    let played = terminal.run(&["call", "skills", "--calls", calls.to_str().unwrap()]);
    assert_eq!(
        text(&played.stderr),
        "warning: call 1 (run_skill_script): scripts are not run without --allow-scripts\n"
    );
}

#[test]
fn tells_of_a_framework_that_would_not_start() {
    let terminal = Terminal::new();
    let root = terminal.home.path().join("skills");
    std::fs::create_dir_all(&root).unwrap();
    let options = "harnesses:\n  agent-framework:\n    allowedScriptExtensions: [py]\n";
    std::fs::write(root.join("workbench.yaml"), options).unwrap();
    let listed = terminal.run(&["list", root.to_str().unwrap()]);
    let refused = "refused by agent-framework: Each extension must start with '.'. Invalid value: 'py'\n";
    assert_eq!((listed.status.code(), text(&listed.stdout).as_str()), (Some(1), refused));
}

#[test]
fn plays_no_other_scene_while_a_screenplay_cannot_be_read() {
    let terminal = Terminal::new();
    let root = terminal.home.path().join("skills");
    let file = root.join(".workbench/screenplays/scene.yaml");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, "prompt: x\n").unwrap();
    let output = terminal.run(&["run", root.to_str().unwrap(), "--prompt", "x"]);
    let expected =
        format!("error: {}:1:1: missing field `steps`\nhint: correct the file and try again\n", file.display());
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(2), expected));
}

#[test]
fn a_project_file_says_which_framework_and_model_to_begin_with() {
    let terminal = Terminal::new();
    let skills = terminal.home.path().join("skills");
    std::fs::create_dir_all(skills.join("demo")).unwrap();
    std::fs::write(skills.join("demo/SKILL.md"), "---\nname: demo\ndescription: Shows.\n---\nShow it.\n").unwrap();
    let project = "harness: agentscope@java-2.0.3\nmodel: nobody\n";
    std::fs::write(skills.join("workbench.yaml"), project).unwrap();
    let skills = skills.to_str().unwrap();

    let shown = terminal.json(&["inspect", skills]);
    assert_eq!((&shown["harness"], &shown["variant"]), (&json!("agentscope"), &json!("java-2.0.3")));
    let other = terminal.json(&["inspect", skills, "--variant", "seed"]);
    assert_eq!((&other["harness"], &other["variant"]), (&json!("agentscope"), &json!("seed")));
    let named = terminal.json(&["inspect", skills, "--harness", "eino"]);
    assert_eq!(named["harness"], "eino", "what is typed counts");

    let refused = terminal.run(&["run", skills, "--prompt", "Show it"]);
    assert!(text(&refused.stderr).contains("nobody"), "{}", text(&refused.stderr));
    let run = terminal.json(&["run", skills, "--prompt", "Show it", "--model", "rehearsal"]);
    assert_eq!((&run["harness"], &run["model"]), (&json!("agentscope"), &json!("rehearsal")));
}

#[test]
fn a_recorded_run_that_is_played_again_tells_which_results_are_others() {
    let terminal = Terminal::new();
    let skills = terminal.home.path().join("skills");
    let folder = skills.join("dice");
    std::fs::create_dir_all(folder.join("scripts")).unwrap();
    std::fs::write(folder.join("SKILL.md"), "---\nname: dice\ndescription: Rolls.\n---\nRoll.\n").unwrap();
    std::fs::write(folder.join("scripts/roll.sh"), "echo four; pwd\n").unwrap();
    by_ending(&skills);
    let play = terminal.home.path().join("play.yaml");
    let steps = "prompt: Roll\nsteps:\n- activate: dice\n- run: scripts/roll.sh\n- say: Done.\n";
    std::fs::write(&play, steps).unwrap();
    let (skills, play) = (skills.to_str().unwrap(), play.to_str().unwrap());
    terminal.json(&["run", skills, "--prompt", "Roll", "--screenplay", play, "--approve", "always"]);

    let again = ["run", skills, "--model", "recorded:last", "--approve", "always"];
    assert_eq!(terminal.json(&again)["changed"], json!([]), "each run has a folder of its own");
    std::fs::write(folder.join("scripts/roll.sh"), "echo five\n").unwrap();
    let output = terminal.run(&again);
    assert_eq!(output.status.code(), Some(1));
    let told = text(&output.stdout);
    assert!(told.contains("run_skill_script gave another result than in the recorded run"), "{told}");
    assert!(told.contains("now:      five"), "{told}");
}

#[test]
fn a_skill_is_told_with_all_that_its_framework_keeps() {
    let terminal = Terminal::new();
    let folder = terminal.home.path().join("skills/demo");
    std::fs::create_dir_all(&folder).unwrap();
    let manifest = "---\nname: demo\ndescription: Shows.\nlicense: MIT\ncompatibility: any\nallowed-tools: Read\n\
                    metadata:\n  team: docs\ncontext: fork\nagent: writer\nmodel: small\n---\nShow it.\n";
    std::fs::write(folder.join("SKILL.md"), manifest).unwrap();
    let skills = terminal.home.path().join("skills");
    let skills = skills.to_str().unwrap();
    let kept = |harness: &str| terminal.json(&["inspect", skills, "--harness", harness])["skills"][0]["kept"].clone();
    assert_eq!(
        kept("agent-framework"),
        json!({"license": "MIT", "compatibility": "any", "allowedTools": "Read", "metadata": {"team": "docs"}})
    );
    assert_eq!(kept("eino"), json!({"context": "fork", "agent": "writer", "model": "small"}));
    let java = kept("agentscope@java-2.0.3");
    assert_eq!((&java["metadata"]["metadata"]["team"], &java["loaded"]), (&json!("docs"), &json!([])));
    let listed = text(&terminal.run(&["list", skills]).stdout);
    assert!(listed.contains("license: MIT") && listed.contains("allowedTools: Read"), "{listed}");
}

#[test]
fn inspect_tells_which_tools_ask_and_which_groups_there_are() {
    let terminal = Terminal::new();
    let groups = terminal.json(&["inspect", "skills", "--harness", "agentscope"])["groups"].clone();
    assert_eq!(groups[0]["name"], "data-analysis_custom_skill_tools");
    assert_eq!((&groups[0]["isActive"], groups[0]["tools"].as_array().unwrap().len()), (&json!(false), 5));
    assert_eq!((&groups[1]["name"], &groups[1]["isActive"]), (&json!("skill-build-in-tools"), &json!(true)));

    let folder = terminal.home.path().join("skills/demo");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("SKILL.md"), "---\nname: demo\ndescription: Shows.\n---\nShow it.\n").unwrap();
    let root = terminal.home.path().join("skills");
    let options = "harnesses: {agent-framework: {scriptApproval: true}}\n";
    std::fs::write(root.join("workbench.yaml"), options).unwrap();
    let shown = terminal.json(&["inspect", root.to_str().unwrap()]);
    let asks: Vec<bool> = shown["tools"].as_array().unwrap().iter().map(|tool| tool["asks"] == true).collect();
    assert_eq!(asks, [false, false, true]);
}

#[test]
fn a_folder_whose_project_file_makes_skills_is_not_called_empty() {
    let terminal = Terminal::new();
    let root = terminal.home.path().join("skills");
    std::fs::create_dir_all(&root).unwrap();
    let memory = "harness: eino\nharnesses: {eino: {backend: memory}}\n";
    let inline = "inlineSkills:\n- {name: greeter, description: Greets., instructions: Say hello.}\n";
    let (folder, file) = (root.to_str().unwrap(), root.join("workbench.yaml"));
    for (project, empty) in [(memory.to_owned(), true), (format!("{memory}{inline}"), false)] {
        std::fs::write(&file, project).unwrap();
        for arguments in [&["inspect", folder][..], &["list", folder]] {
            let said = text(&terminal.run(arguments).stderr);
            let expected = format!("warning: {folder}: no folder with a SKILL.md was found here\n");
            assert_eq!(said, if empty { &*expected } else { "" }, "{arguments:?}");
        }
        let found = terminal.run(&["lint", folder, "--select", "no-skills", "--max-warnings", "0"]);
        assert_eq!(found.status.code(), Some(i32::from(empty)), "{}", text(&found.stdout));
    }
}

#[test]
fn played_calls_show_what_the_framework_puts_behind_them() {
    let terminal = Terminal::new();
    let calls = terminal.home.path().join("calls.json");
    std::fs::write(&calls, r#"[{"name": "Skill", "arguments": {"command": "translator"}}]"#).unwrap();
    let played = terminal.json(&["call", "skills", "--harness", "strands", "--calls", calls.to_str().unwrap()]);
    assert_eq!(played[0]["text"], "Launching skill: translator");
    let injected = played[0]["injected"].as_array().unwrap();
    assert!(injected[0].as_str().unwrap().contains("skill is running"), "{injected:?}");
    assert!(injected[1].as_str().unwrap().starts_with("Base directory for this skill: "), "{injected:?}");
}

#[test]
fn an_agent_has_a_name_and_a_description_that_its_steps_show() {
    let terminal = Terminal::new();
    let skills = terminal.home.path().join("skills");
    std::fs::create_dir_all(skills.join("demo")).unwrap();
    std::fs::write(skills.join("demo/SKILL.md"), "---\nname: demo\ndescription: Shows.\n---\nShow it.\n").unwrap();
    let other = "---\nname: other\ndescription: Helps.\ncontext: fork\nagent: helper\n---\nHelp.\n";
    std::fs::create_dir_all(skills.join("other")).unwrap();
    std::fs::write(skills.join("other/SKILL.md"), other).unwrap();
    let project = "harness: eino\nharnesses:\n  eino:\n    agentName: LogAnalysisAgent\n    agentDescription: An agent \
                   that can analyze logs\n    agents: {helper: {}}\n";
    std::fs::write(skills.join("workbench.yaml"), project).unwrap();
    let play = terminal.home.path().join("play.yaml");
    std::fs::write(&play, "prompt: Help\nsteps:\n- activate: other\n- say: Done.\n").unwrap();
    let (skills, play) = (skills.to_str().unwrap(), play.to_str().unwrap());

    let about = json!({"name": "LogAnalysisAgent", "description": "An agent that can analyze logs"});
    assert_eq!(terminal.json(&["inspect", skills])["agent"], about);
    let shown = text(&terminal.run(&["inspect", skills]).stdout);
    assert!(shown.contains("agent LogAnalysisAgent  An agent that can analyze logs"), "{shown}");
    let run = terminal.run(&["run", skills, "--prompt", "Help", "--screenplay", play, "--approve", "always"]);
    let printed = text(&run.stdout);
    assert!(printed.contains("assistant LogAnalysisAgent calls skill"), "{printed}");
    assert!(printed.contains("assistant LogAnalysisAgent › helper"), "the sub-agent's path: {printed}");
}

#[test]
fn a_run_is_forked_at_a_step_with_another_result_and_knows_its_parent() {
    let terminal = Terminal::new();
    let parent = terminal.json(&SCENE);
    let run = parent["run"].as_str().unwrap();
    let result = terminal.home.path().join("result.txt");
    std::fs::write(&result, "{\"result\": 3}").unwrap();
    let from_file = format!("@{}", result.display());
    for given in ["{\"result\": 3}", &from_file] {
        let fork = terminal.json(&["run", "skills", "--fork", run, "--at", "7", "--result", given]);
        assert_eq!((&fork["status"], &fork["forkedFrom"]), (&json!("done"), &json!({ "run": run, "step": 7 })));
        let (was, is) = (parent["messages"].as_array().unwrap(), fork["messages"].as_array().unwrap());
        assert_eq!((&is[..5], &is[5]["content"]), (&was[..5], &json!("{\"result\": 3}")));
        assert_eq!(is.len(), was.len(), "the rest of the scene is played");
    }
    let last = (parent["messages"].as_array().unwrap().len() + 1).to_string();
    let fork = terminal.json(&["run", "skills", "--fork", run, "--at", &last, "--answer", "About two."]);
    let is = fork["messages"].as_array().unwrap();
    assert_eq!((&fork["status"], &is[is.len() - 1]["content"]), (&json!("done"), &json!("About two.")));
    let shown = text(&terminal.run(&["trace", "show", fork["run"].as_str().unwrap()]).stdout);
    assert!(shown.contains("assistant  edited by the user"), "{shown}");

    let fork = terminal.json(&["run", "skills", "--fork", "last", "--at", "1", "--prompt", "And 2 kg?"]);
    assert_eq!((&fork["prompt"], &fork["forkedFrom"]["step"]), (&json!("And 2 kg?"), &json!(1)));

    let last = fork["run"].as_str().unwrap();
    for (arguments, place, step) in [
        (&["trace", "list"][..], "/0/setup/forked/step", 1),
        (&["trace", "show", last], "/summary/setup/forked/step", 1),
        (&["trace", "show", run], "/steps/6/step", 7),
        (&["trace", "step", run, "7"], "/step/step", 7),
        (&["trace", "step", run, "7"], "/context/step", 7),
        (&["trace", "step", run, "7"], "/context/skills/0/since", 3),
        (&["trace", "tree", run], "/runs/1/from/step", 7),
        (&["trace", "check", run], "/calls/0/step", 3),
        (&["trace", "diff", run, last], "/pairs/0/a", 1),
        (&["trace", "diff", run, last], "/firstDivergence", 1),
    ] {
        let told = terminal.json(arguments);
        assert_eq!(told.pointer(place), Some(&json!(step)), "{arguments:?} {place} {told}");
    }
    assert_eq!(terminal.json(&["trace", "show", run]).pointer("/steps/0/index"), None);

    let tree = text(&terminal.run(&["trace", "tree", run]).stdout);
    let lines: Vec<&str> = tree.lines().collect();
    assert!(lines[0].starts_with(&format!("› {run}  done")), "{tree}");
    assert_eq!((lines.len(), lines.iter().filter(|line| line.contains("step 7")).count()), (5, 2), "{tree}");
    let shown = text(&terminal.run(&["trace", "show", fork["run"].as_str().unwrap()]).stdout);
    assert!(shown.contains(", step 1\n"), "{shown}");

    let refused = terminal.run(&["run", "skills", "--fork", run, "--at", "2", "--result", "x"]);
    let said = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2));
    assert!(said.contains("cannot fork at step 2: it is not a tool call") && said.contains("hint:"), "{said}");
}

/// Not on Windows, which has no neutral paths.
#[cfg(unix)]
#[test]
fn inspect_and_run_show_neutral_paths_if_asked_to() {
    const HARNESS: [&str; 2] = ["--harness", "strands@vended-1.62"];
    let terminal = Terminal::new();
    let root = terminal.home.path().canonicalize().unwrap().join("ada/tools");
    std::fs::create_dir_all(root.join("place")).unwrap();
    let manifest = root.join("place/SKILL.md");
    std::fs::write(&manifest, "---\nname: place\ndescription: Says where it is.\n---\nHere.\n").unwrap();
    let (root, manifest) = (root.to_str().unwrap(), manifest.to_str().unwrap());
    let inspected = |flags: &[&str]| {
        let inspect = [&["inspect", root][..], &HARNESS, flags].concat();
        let output = terminal.run(&inspect);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let found = terminal.json(&inspect);
        let instructions = found["instructions"].as_str().unwrap().to_owned();
        let said = text(&output.stdout);
        assert_eq!(found["skills"][0]["path"], json!(format!("{root}/place")), "it is where it is");
        let neutral = instructions.contains("/skills/place/SKILL.md");
        assert_eq!(instructions.contains(manifest), !neutral, "{instructions}");
        assert_eq!(said.contains(&format!("neutral path /skills = {root}")), neutral, "{said}");
        assert_eq!(found["neutral"], if neutral { json!([{ "shown": "/skills", "real": root }]) } else { json!([]) });
        neutral
    };
    assert!(!inspected(&[]) && !inspected(&["--neutral-paths=false"]));
    assert!(inspected(&["--neutral-paths"]) && inspected(&["--neutral-paths=true"]));
    let compared = terminal.json(&["inspect", root, "--harness", "strands@vended-1.62,eino", "--neutral-paths"]);
    for column in compared["columns"].as_array().unwrap() {
        assert!(!column["inspection"]["request"].as_str().unwrap().contains(root), "{column}");
    }
    // The project's setting applies unless a flag overrides it.
    std::fs::write(format!("{root}/workbench.yaml"), "neutralPaths: true\n").unwrap();
    assert!(inspected(&[]) && !inspected(&["--neutral-paths=false"]));

    for (flag, neutral) in [("--neutral-paths", true), ("--neutral-paths=false", false)] {
        let run = terminal.run(&[&["run", root, "--prompt", "hi", flag][..], &HARNESS].concat());
        assert!(run.status.success(), "{}", text(&run.stderr));
        let trace = text(&terminal.run(&["trace", "export", "last"]).stdout);
        let sent = trace.lines().find(|line| line.contains("\"requested\"")).unwrap();
        assert_eq!((sent.contains("/skills/place/SKILL.md"), sent.contains(root)), (neutral, !neutral), "{sent}");
        let shown = text(&terminal.run(&["trace", "show", "last"]).stdout);
        assert_eq!(shown.contains(&format!("neutral path /skills = {root}")), neutral, "{shown}");
    }
}

#[test]
fn a_played_call_has_the_picture_that_the_tool_returns() {
    let terminal = Terminal::new();
    let skills = terminal.home.path().join("skills");
    std::fs::create_dir_all(skills.join("chart")).unwrap();
    std::fs::write(skills.join("chart/SKILL.md"), "---\nname: chart\ndescription: d\n---\nLook at it.\n").unwrap();
    let picture = skills.join("chart/chart.png");
    std::fs::write(&picture, b"\x89PNG\r\n\x1a\n").unwrap();
    let calls = terminal.home.path().join("calls.json");
    let call = json!([{ "name": "Read", "arguments": { "file_path": picture } }]);
    std::fs::write(&calls, call.to_string()).unwrap();
    let calls = calls.to_str().unwrap();
    let arguments = ["call", skills.to_str().unwrap(), "--harness", "claude-code", "--calls", calls];
    let played = terminal.json(&arguments);
    assert_eq!(played[0]["images"], json!([{ "mediaType": "image/png", "data": "iVBORw0KGgo=" }]));
    let shown = text(&terminal.run(&arguments).stdout);
    assert!(shown.contains("\n  [image: "), "{shown}");
    let chinese = text(&terminal.run(&[&arguments[..], &["--lang", "zh"]].concat()).stdout);
    assert!(chinese.contains("\n  [图片：") && chinese.contains("\n  框架加入：\n"), "{chinese}");
}
