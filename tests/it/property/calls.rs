//! Possible calls of a model, their results, and contents of project files.

use config::{
    GroupTool, InlineResource, InlineResourceBody, InlineScript, InlineScriptBody, InlineSkill, ScreenplayStep,
    ToolGroup,
};
use harness::{
    Catalog, Delegated, DelegationEnd, Effect, FailureKind, FileHistory, FileRevision, Finished, FoundLine,
    ListedEntry, Memory, Performed, ScriptOutput,
};
use model::{Message, ToolCall, ToolDef};
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Map, Value, json};

/// A call before it is known which tools and skills there are.
#[derive(Debug, Clone)]
pub struct AnyCall {
    tool: Tool,
    arguments: Arguments,
}

#[derive(Debug, Clone)]
enum Tool {
    Offered(Index),
    Named(String),
}

#[derive(Debug, Clone)]
enum Arguments {
    /// JSON or not.
    Text(String),
    Object(Vec<(Key, AnyValue)>),
}

#[derive(Debug, Clone)]
enum Key {
    /// A parameter of the tool.
    Offered(Index),
    Named(String),
}

#[derive(Debug, Clone)]
enum AnyValue {
    /// A name, id, path or file of a skill.
    Known(Index),
    Json(Value),
}

pub fn any_call() -> impl Strategy<Value = AnyCall> {
    let tool = prop_oneof![
        6 => any::<Index>().prop_map(Tool::Offered),
        1 => tool_name().prop_map(Tool::Named),
    ];
    let key = prop_oneof![
        6 => any::<Index>().prop_map(Key::Offered),
        1 => ".{0,4}".prop_map(Key::Named),
    ];
    let value = prop_oneof![4 => any::<Index>().prop_map(AnyValue::Known), 3 => any_json().prop_map(AnyValue::Json)];
    let arguments = prop_oneof![
        8 => vec((key, value), 0..5).prop_map(Arguments::Object),
        1 => ".{0,12}".prop_map(Arguments::Text),
        1 => any_json().prop_map(|value| Arguments::Text(value.to_string())),
    ];
    (tool, arguments).prop_map(|(tool, arguments)| AnyCall { tool, arguments })
}

impl AnyCall {
    /// The call, with names that exist.
    pub fn addressed(&self, tools: &[ToolDef], catalog: &Catalog) -> ToolCall {
        let tool = match &self.tool {
            Tool::Offered(index) if !tools.is_empty() => Some(index.get(tools)),
            Tool::Offered(_) | Tool::Named(_) => None,
        };
        let name = match (&self.tool, tool) {
            (_, Some(tool)) => tool.name.clone(),
            (Tool::Named(name), None) => name.clone(),
            (Tool::Offered(_), None) => "load_skill".to_owned(),
        };
        let parameters: Vec<&String> = tool
            .and_then(|tool| tool.parameters.get("properties")?.as_object())
            .map(|properties| properties.keys().collect())
            .unwrap_or_default();
        let known = known(catalog);
        let arguments = match &self.arguments {
            Arguments::Text(text) => text.clone(),
            Arguments::Object(pairs) => {
                let pairs = pairs.iter().map(|(key, value)| {
                    let key = match key {
                        Key::Offered(index) if !parameters.is_empty() => (*index.get(&parameters)).clone(),
                        Key::Offered(_) => "skill".to_owned(),
                        Key::Named(name) => name.clone(),
                    };
                    let value = match value {
                        AnyValue::Known(index) => Value::from(index.get(&known).as_str()),
                        AnyValue::Json(value) => value.clone(),
                    };
                    (key, value)
                });
                Value::Object(pairs.collect::<Map<_, _>>()).to_string()
            }
        };
        ToolCall::new("call_1", name, arguments)
    }
}

fn known(catalog: &Catalog) -> Vec<String> {
    let mut known = vec!["".to_owned(), "a".into(), "SKILL.md".into(), "../..".into(), "/etc/hostname".into()];
    for skill in &catalog.skills {
        known.extend([skill.id.clone(), skill.name.clone()]);
        let files = skill.resources.iter().chain(&skill.scripts);
        known.extend(files.map(|file| file.name.clone()));
        if let Some(path) = &skill.path {
            known.extend([path.to_string(), path.join("SKILL.md").into(), format!("cat {path}/SKILL.md")]);
            known.extend(skill.scripts.iter().map(|file| format!("python3 {path}/{} --value 1", file.name)));
        }
    }
    known
}

fn tool_name() -> impl Strategy<Value = String> {
    const KNOWN: [&str; 19] = [
        "load_skill",
        "read_skill_resource",
        "run_skill_script",
        "skill",
        "Skill",
        "bash",
        "todo",
        "task",
        "read_file",
        "write_file",
        "edit_file",
        "glob",
        "grep",
        "ls",
        "execute",
        "file_read",
        "shell",
        "editor",
        "load_skill_through_path",
    ];
    prop_oneof![3 => proptest::sample::select(&KNOWN[..]).prop_map(str::to_owned), 1 => ".{0,8}"]
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
        "[ \t\n\u{3000}]{0,3}".prop_map(Value::from),
        Just(json!([{ "id": "1", "text": "t", "status": "in_progress", "content": "c", "activeForm": "f" }])),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            btree_map(".{0,4}", inner, 0..4).prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// The result of an effect of any kind.
#[derive(Debug, Clone)]
pub enum AnyOutcome {
    /// It works, and this is what there is to read or to see.
    Works {
        bytes: Vec<u8>,
        lines: Vec<String>,
        number: u32,
    },
    Fails(FailureKind),
    Denied(Option<String>),
    Stubbed(String),
}

pub fn any_outcome() -> impl Strategy<Value = AnyOutcome> {
    let failure = proptest::sample::select(vec![
        FailureKind::NotFound,
        FailureKind::NoPermission,
        FailureKind::IsFolder,
        FailureKind::NotFolder,
        FailureKind::BadPattern,
        FailureKind::Other,
    ]);
    let bytes = prop_oneof![vec(any::<u8>(), 0..40), ".{0,40}".prop_map(String::into_bytes)];
    prop_oneof![
        5 => (bytes, vec(".{0,20}", 0..4), any::<u32>())
            .prop_map(|(bytes, lines, number)| AnyOutcome::Works { bytes, lines, number }),
        1 => failure.prop_map(AnyOutcome::Fails),
        1 => option::of(".{0,8}").prop_map(AnyOutcome::Denied),
        1 => ".{0,8}".prop_map(AnyOutcome::Stubbed),
    ]
}

impl AnyOutcome {
    /// Of the kind that the effect has.
    pub fn of(&self, effect: &Effect) -> Performed {
        let (bytes, lines, number) = match self {
            Self::Works { bytes, lines, number } => (bytes, lines, *number),
            Self::Fails(kind) => return Performed::failed(*kind, "it cannot be done"),
            Self::Denied(reason) => return Performed::Denied { reason: reason.clone() },
            Self::Stubbed(text) => return Performed::Stubbed { text: text.clone() },
        };
        let text = || String::from_utf8_lossy(bytes).into_owned();
        let output = || ScriptOutput {
            stdout: text(),
            stderr: lines.join("\n"),
            exit_code: i32::try_from(number % 3).ok().filter(|code| *code < 2),
            timed_out: number % 5 == 0,
            truncated: number % 7 == 0,
            took: number,
        };
        match effect {
            Effect::Disclose { .. } => Performed::Agreed,
            Effect::ReadFile { .. } => Performed::Read { bytes: bytes.clone() },
            Effect::RunScript { .. } | Effect::Shell { .. } => Performed::Ran(output()),
            Effect::Shells { .. } => {
                // A place that may not exist.
                let ended = |command| Finished { command, output: output() };
                Performed::RanTogether { outputs: (0..lines.len()).rev().map(ended).collect() }
            }
            Effect::WriteFile { .. } | Effect::WriteFiles { .. } => Performed::Wrote,
            Effect::FileHistory { .. } => Performed::History(match number % 4 {
                0 => FileHistory::NoRepository,
                1 => FileHistory::NoGit,
                2 => FileHistory::Disk {
                    size: number.into(),
                    changed: text(),
                    modified: "2026-11-26T10:47:09".into(),
                    accessed: String::new(),
                    owner: number,
                    permissions: number,
                },
                _ => FileHistory::Git {
                    revisions: lines
                        .iter()
                        .map(|line| FileRevision {
                            id: line.clone(),
                            author: text(),
                            ago: line.clone(),
                            subject: line.clone(),
                            patch: text(),
                        })
                        .collect(),
                    tracked: number % 3 == 0,
                    path: text(),
                },
            }),
            Effect::ListFolder { path, .. } | Effect::FindFiles { path, .. } => {
                let entries = lines.iter().map(|name| ListedEntry {
                    path: path.join(name),
                    folder: number % 2 == 0,
                    size: number.into(),
                });
                Performed::Listed { entries: entries.collect() }
            }
            Effect::SearchFiles { path, .. } => {
                let found = lines.iter().map(|text| FoundLine { path: path.clone(), line: number, text: text.clone() });
                Performed::Found { lines: found.collect() }
            }
            Effect::Delegate(_) => Performed::Delegated(Delegated {
                messages: lines.iter().map(Message::assistant).collect(),
                end: match number % 3 {
                    0 => DelegationEnd::Done,
                    1 => DelegationEnd::Limited,
                    _ => DelegationEnd::Failed(text()),
                },
                memory: Memory::default(),
            }),
            Effect::AskModel { .. } => Performed::Agreed,
            Effect::Summarise { .. } => Performed::Summarised { text: text() },
        }
    }
}

pub fn any_step() -> impl Strategy<Value = ScreenplayStep> {
    let name = || prop_oneof![Just("a".to_owned()), Just("a/x.py".to_owned()), Just("x.py".to_owned()), ".{0,6}"];
    prop_oneof![
        name().prop_map(|activate| ScreenplayStep::Activate { activate }),
        name().prop_map(|read| ScreenplayStep::Read { read }),
        (name(), option::of(any_json())).prop_map(|(run, with)| ScreenplayStep::Run { run, with }),
        (tool_name(), option::of(any_json())).prop_map(|(call, with)| ScreenplayStep::Call { call, with }),
        name().prop_map(|say| ScreenplayStep::Say { say }),
    ]
}

pub fn any_inline_skill() -> impl Strategy<Value = InlineSkill> {
    let name = prop_oneof![Just("a".to_owned()), "[a-z-]{1,4}", ".{0,4}"];
    (name, ".{0,12}", ".{0,30}", ".{0,6}", any::<bool>()).prop_map(|(name, description, instructions, other, file)| {
        let body =
            if file { InlineScriptBody::File(format!("/{other}.py")) } else { InlineScriptBody::Result(other.clone()) };
        InlineSkill {
            kind: Default::default(),
            name,
            description,
            instructions,
            license: None,
            compatibility: Some(other.clone()),
            allowed_tools: None,
            metadata: [(other.clone(), Value::from(1))].into(),
            resources: vec![InlineResource {
                name: other.clone(),
                description: None,
                body: InlineResourceBody::Value(other.clone()),
            }],
            scripts: vec![InlineScript { name: other, description: None, parameters: None, body }],
        }
    })
}

pub fn any_tool_group() -> impl Strategy<Value = ToolGroup> {
    let tool = (".{0,6}", ".{0,12}", any_json(), option::of("x.py|.{0,6}")).prop_map(
        |(name, description, parameters, script)| GroupTool {
            name,
            description,
            parameters,
            result: script.is_none().then(|| "done".to_owned()),
            script,
        },
    );
    (prop_oneof![Just("a".to_owned()), ".{0,4}"], vec(tool, 0..3)).prop_map(|(skill, tools)| ToolGroup { skill, tools })
}
