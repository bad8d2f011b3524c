//! A small framework; tests choose the effects of its calls.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use camino::Utf8Path;
use serde_json::{Value, json};

use super::model::plain;
use config::{HarnessOptions, ScreenplayStep};
use harness::{
    Catalog, CatalogBody, CatalogFile, CatalogSkill, Detail, Disclosure, Effect, Expressed, FailedRounds, Harness,
    Limits, Marked, Options, Origin, Performed, Prepared, Presentation, PresentedTool, Profile, ReplyAuthor, Served,
    Session, ToolReply, VariantInfo,
};
use model::{Message, ToolCall, ToolDef};
use skill::SkillSet;
use wording::Wording;

/// Tools: `load {skill}`, `read {path}`, `run {path, arguments}`, `copy {from, to}`, `do {effects}`, `model {name}`, `quit`.
#[derive(Default)]
pub(in crate::tests) struct Fake {
    /// What it does before requests, one after the other; then it sends.
    pub(in crate::tests) before: Mutex<Vec<Before>>,
    /// The results of the current call's effects, and of those before requests.
    done: Mutex<Vec<String>>,
    pub(in crate::tests) prepared: Mutex<Vec<String>>,
    pub(in crate::tests) asks_outside: AtomicBool,
}

/// Changes the history and says how to go on.
pub(in crate::tests) type Before = Box<dyn FnOnce(&mut Vec<Message>, &mut Session) -> Prepared + Send>;

static PROFILE: Profile = Profile {
    id: "fake",
    title: "Fake Framework",
    group: harness::Group::Framework,
    runs: true,
    variants: &[VariantInfo {
        id: "only",
        title: Wording::name("Only"),
        source: Wording::name("here"),
        verified: true,
        limits: LIMITS,
    }],
};
const LIMITS: Limits = Limits { iterations: Some(6), failed_rounds: Some(FailedRounds::EndAfter(2)) };

fn thrown(text: &str) -> ToolReply {
    ToolReply::error(text).by(ReplyAuthor::Exception)
}

impl Harness for Fake {
    fn profile(&self) -> &Profile {
        &PROFILE
    }

    fn asks_outside(&self) -> bool {
        self.asks_outside.load(Ordering::Relaxed)
    }

    fn select(&self, _found: &SkillSet, _options: &Options) -> Catalog {
        catalog()
    }

    fn present(&self, catalog: &Catalog, _session: &Session) -> Presentation {
        let mut instructions = Marked::default();
        instructions.push("Skills: ", Origin::Framework);
        for skill in &catalog.skills {
            instructions.push(&skill.name, Origin::Skill { skill: skill.name.clone(), field: "name".into() });
        }
        let load = ToolDef { name: "load".into(), description: "Loads".into(), parameters: json!({}) };
        Presentation {
            instructions: Some(instructions),
            tools: vec![PresentedTool::plain(load)],
            ..Presentation::default()
        }
    }

    fn serve(&self, call: &ToolCall, catalog: &Catalog, session: &mut Session) -> Served {
        let Ok(arguments) = serde_json::from_str::<Value>(&call.arguments) else {
            return Served::Reply(thrown("Error: bad arguments."));
        };
        let text = |key: &str| arguments[key].as_str().unwrap_or_default().to_owned();
        match call.name.as_str() {
            "load" => match catalog.skills.iter().find(|skill| skill.id == text("skill")) {
                Some(skill) => {
                    session.activated.push(skill.id.clone());
                    Served::Reply(ToolReply::ok(&skill.content))
                }
                None => Served::Reply(ToolReply::error("Error: no such skill.")),
            },
            "read" => Served::Perform(Effect::ReadFile { path: text("path").into(), approval: false }),
            "run" => Served::Perform(run_script(Utf8Path::new(&text("path")), &text("arguments"))),
            "copy" => {
                session.activate(&text("from"));
                Served::Perform(Effect::ReadFile { path: text("from").into(), approval: false })
            }
            "do" => self.next(&arguments),
            "model" => {
                session.model = arguments["name"].as_str().map(String::from);
                Served::Reply(ToolReply::ok("switched"))
            }
            "marked" => {
                let mut text = Marked::default();
                text.push("framework ", Origin::Framework);
                text.push("skill", Origin::Skill { skill: "demo".into(), field: "body".into() });
                Served::Reply(ToolReply::marked(text))
            }
            "join" => Served::Reply(ToolReply::ok(text("a") + &text("b"))),
            "quit" => Served::Abort("the framework quits".into()),
            name => Served::Reply(ToolReply::error(format!("Error: no tool {name}."))),
        }
    }

    fn settle(&self, call: &ToolCall, done: Performed, _catalog: &Catalog, session: &mut Session) -> Served {
        if let ("copy", Performed::Read { bytes }) = (call.name.as_str(), &done) {
            let to = serde_json::from_str::<Value>(&call.arguments).unwrap()["to"].as_str().unwrap().into();
            let text = String::from_utf8_lossy(bytes).into_owned();
            return Served::Perform(Effect::WriteFile { path: to, text });
        }
        if call.name == "do" {
            self.done.lock().unwrap().push(shown(&done));
            return self.next(&serde_json::from_str(&call.arguments).unwrap());
        }
        Served::Reply(match done {
            Performed::Read { bytes } => ToolReply::ok(String::from_utf8_lossy(&bytes)),
            Performed::Stubbed { text } => ToolReply::ok(text),
            Performed::Wrote => ToolReply::ok(format!("wrote what was in {}", session.activated.join(", "))),
            Performed::Ran(output) if output.timed_out => ToolReply::error("Error: timed out."),
            Performed::Ran(output) => ToolReply::ok(output.stdout.trim()),
            Performed::Denied { reason } => ToolReply::error(format!("Error: denied: {reason:?}.")),
            _ => ToolReply::error("Error: failed."),
        })
    }

    fn wire(&self, reply: &ToolReply, _catalog: &Catalog) -> Option<String> {
        reply.marks.is_empty().then(|| format!("<{}>", reply.text))
    }

    fn before_request(
        &self,
        history: &mut Vec<Message>,
        done: Option<Performed>,
        _catalog: &Catalog,
        session: &mut Session,
    ) -> Prepared {
        self.prepared.lock().unwrap().extend(done.as_ref().map(shown));
        let mut before = self.before.lock().unwrap();
        if before.is_empty() { Prepared::Send } else { before.remove(0)(history, session) }
    }

    fn express(&self, step: &ScreenplayStep, _catalog: &Catalog, session: &Session) -> Option<Expressed> {
        match step {
            ScreenplayStep::Activate { activate } => {
                Some(Expressed { tool: "load".into(), arguments: json!({ "skill": activate }) })
            }
            ScreenplayStep::Read { read } => {
                let path = format!("{}/{read}", session.activated.last()?);
                Some(Expressed { tool: "read".into(), arguments: json!({ "path": path }) })
            }
            ScreenplayStep::Call { call, with } => {
                Some(Expressed { tool: call.clone(), arguments: with.clone().unwrap_or_default() })
            }
            ScreenplayStep::Run { .. } | ScreenplayStep::Say { .. } | ScreenplayStep::Prompt { .. } => None,
        }
    }

    fn disclosure(&self, call: &ToolCall, _catalog: &Catalog) -> Disclosure {
        match call.name.as_str() {
            "load" => Disclosure::Instructions { skill: "demo".into() },
            "read" => Disclosure::Resource { skill: "demo".into(), resource: "notes.md".into() },
            "run" => Disclosure::Script { skill: "demo".into(), script: "run.sh".into() },
            _ => Disclosure::None,
        }
    }
}

impl Fake {
    /// The effect of the call that comes next, or the reply once all are done. `again` repeats the last one forever.
    fn next(&self, arguments: &Value) -> Served {
        let mut done = self.done.lock().unwrap();
        let effects = arguments["effects"].as_array().unwrap();
        let wanted = if arguments["again"] == true { effects.last() } else { effects.get(done.len()) };
        match wanted {
            Some(effect) => Served::Perform(serde_json::from_value(effect.clone()).unwrap()),
            None => Served::Reply(ToolReply::ok(std::mem::take(&mut *done).join("; "))),
        }
    }
}

/// The result of an effect, in short.
fn shown(done: &Performed) -> String {
    match done {
        Performed::Read { bytes } => format!("read {}", String::from_utf8_lossy(bytes)),
        Performed::Ran(output) => format!("ran {:?} {}", output.exit_code, output.stdout.trim()),
        Performed::RanTogether { outputs } => {
            let each = |ended: &harness::Finished| {
                (ended.command, ended.output.exit_code, ended.output.stdout.trim().to_owned())
            };
            format!("together {:?}", outputs.iter().map(each).collect::<Vec<_>>())
        }
        Performed::Listed { entries } => {
            format!("listed {:?}", entries.iter().filter_map(|entry| entry.path.file_name()).collect::<Vec<_>>())
        }
        Performed::Found { lines } => {
            format!("found {:?}", lines.iter().map(|line| format!("{}:{}", line.line, line.text)).collect::<Vec<_>>())
        }
        Performed::Delegated(done) => {
            format!("delegated {:?}: {}", done.end, done.messages.iter().map(plain).collect::<Vec<_>>().join(" / "))
        }
        Performed::Failed { kind, .. } => format!("failed {kind:?}"),
        other => format!("{other:?}"),
    }
}

pub(in crate::tests) fn run_script(path: &Utf8Path, arguments: &str) -> Effect {
    Effect::RunScript {
        skill: "demo".into(),
        script: "run.sh".into(),
        path: path.to_owned(),
        interpreter: "sh".into(),
        arguments: arguments.split_whitespace().map(str::to_owned).collect(),
        approval: false,
        working_directory: None,
    }
}

pub(in crate::tests) fn catalog() -> Catalog {
    let file = |name: &str| CatalogFile { name: name.into(), description: None, body: CatalogBody::Text(name.into()) };
    let demo = CatalogSkill {
        id: "demo".into(),
        name: "demo".into(),
        description: "Shows conversions".into(),
        path: None,
        content: "# Demo: see notes.md".into(),
        resources: vec![file("unused.md"), file("notes.md")],
        scripts: vec![file("run.sh")],
        detail: Detail::None,
    };
    Catalog {
        harness: "fake",
        variant: "only",
        limits: LIMITS,
        roots: Vec::new(),
        skills: vec![demo],
        skipped: Vec::new(),
        log: Vec::new(),
        quirks: Vec::new(),
        refused: None,
        options: HarnessOptions::default(),
        tool_groups: Vec::new(),
    }
}
