//! Files the user writes for the workbench: `workbench.yaml` next to the skills, screenplays, and `models.yaml` in the
//! user's configuration folder. Each is parsed whole; a mistake names the file, the place and what is allowed. Rules of
//! one framework, such as how a file ending looks, are checked by its harness.

mod check;
mod edit;
mod load;
mod models;
pub mod options;
mod presets;
mod weight;

pub use edit::{EditError, NEW_MODELS_FILE, add_model, change_model, remove_model, set_option, set_profile, set_rule};
pub use load::{BYTE_LIMIT, ConfigError, PROJECT_FILE, SCREENPLAY_FOLDER, checked_model, screenplays};
pub use models::Models;
pub use options::HarnessOptions;
pub use presets::{FRESH_DAYS, ModelPreset, PRESETS, Placeholder, PresetModel};

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use ts_rs::TS;
use wording::{Wording, message};

/// The id of the model that plays screenplays, which is always there.
pub const REHEARSAL: &str = "rehearsal";

/// A model id that begins with this means a recorded run; the run's id follows.
pub const RECORDED: &str = "recorded:";

/// `workbench.yaml`. Everything is optional.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    default,
    expecting = "⟪the settings of a project, e.g. `roots: [..]`‖项目的设置，例如 `roots: [..]`⟫"
)]
pub struct Project {
    /// Further folders of skills, relative to the file.
    #[serde(deserialize_with = "check::list")]
    pub roots: Vec<String>,
    /// The agent's own instructions, which come before the framework's.
    pub agent_instructions: Option<String>,
    /// Id of the model that Run offers first.
    pub model: Option<String>,
    /// Id of the harness that Inspect and Run offer first.
    pub harness: Option<String>,
    pub harnesses: HarnessOptions,
    #[serde(deserialize_with = "check::list")]
    pub inline_skills: Vec<InlineSkill>,
    #[serde(deserialize_with = "check::list")]
    pub tool_groups: Vec<ToolGroup>,
    pub limits: RunLimits,
    pub sandbox: Policy,
    /// Whether runs show skills at `/skills` and their folder at `/workspace`.
    pub neutral_paths: bool,
    pub lint: LintSettings,
}

/// What `skillbench lint` and the editor look for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    default,
    expecting = "⟪settings of the linter, e.g. `rules: {todo-left: off}`‖检查的设置，例如 `rules: {todo-left: off}`⟫"
)]
pub struct LintSettings {
    pub profile: Profile,
    /// By the id of a rule or of a group.
    pub rules: BTreeMap<String, Setting>,
    /// The clients and frameworks that the skills are for, e.g. `claude-code`; empty: all.
    #[serde(deserialize_with = "check::list")]
    pub clients: Vec<String>,
}

/// Which lint rules are on by default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Profile {
    /// What the reference validator of the specification refuses.
    Spec,
    /// Rules that were right nearly always on real skills.
    #[default]
    Recommended,
    /// What could do harm.
    Security,
    /// Every rule, also those that are a matter of taste.
    All,
}

impl Profile {
    pub const ALL: [Self; 4] = [Self::Spec, Self::Recommended, Self::Security, Self::All];

    /// As settings and the command line name it.
    pub fn id(self) -> &'static str {
        match self {
            Self::Spec => "spec",
            Self::Recommended => "recommended",
            Self::Security => "security",
            Self::All => "all",
        }
    }
}

/// `off`, or how much the findings of a lint rule weigh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Setting {
    Off,
    /// Users call it a hint.
    #[serde(alias = "hint")]
    Info,
    Warning,
    Error,
}

/// A skill defined in the project file instead of a folder, as frameworks let code define them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "⟪a skill with `name`, `description` and `instructions`‖带有 `name`、`description` 和 `instructions` 的技能⟫"
)]
pub struct InlineSkill {
    /// How code defines it.
    #[serde(default)]
    pub kind: InlineKind,
    pub name: String,
    pub description: String,
    pub instructions: String,
    #[serde(default)]
    pub license: Option<String>,
    #[serde(default)]
    pub compatibility: Option<String>,
    #[serde(default)]
    pub allowed_tools: Option<String>,
    #[serde(default)]
    #[ts(type = "Record<string, unknown>")]
    pub metadata: BTreeMap<String, Value>,
    #[serde(default)]
    pub resources: Vec<InlineResource>,
    #[serde(default)]
    pub scripts: Vec<InlineScript>,
}

/// How the application makes it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum InlineKind {
    /// Put together by calls, e.g. `AgentInlineSkill`.
    #[default]
    Inline,
    /// A class whose members are the resources and scripts, e.g. `AgentClassSkill`. No two may have one name.
    Class,
}

/// A resource of an inline skill: a fixed text, or what a script next to `workbench.yaml` prints each time it is read.
/// Written as one map: `name`, `description`, and either `value` or `file`.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct InlineResource {
    pub name: String,
    pub description: Option<String>,
    #[serde(flatten)]
    pub body: InlineResourceBody,
}

/// The text of its resource: here, or in a file.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum InlineResourceBody {
    Value(String),
    File(String),
}

impl<'de> Deserialize<'de> for InlineResource {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Written {
            name: String,
            description: Option<String>,
            value: Option<String>,
            file: Option<String>,
        }
        check::map(
            deserializer,
            Wording::new("a resource", "一个资源"),
            |Written { name, description, value, file }| {
                let body = match (value, file) {
                    (Some(value), None) => InlineResourceBody::Value(value),
                    (None, Some(file)) => InlineResourceBody::File(file),
                    (Some(_), Some(_)) => {
                        return Err(message!(
                            "resource `{name}` has both `value` and `file`; keep one",
                            "资源 `{name}` 同时有 `value` 和 `file`；请只保留一个"
                        ));
                    }
                    (None, None) => {
                        return Err(message!(
                            "resource `{name}` needs either `value` or `file`",
                            "资源 `{name}` 需要 `value` 或 `file`"
                        ));
                    }
                };
                Ok(Self { name, description, body })
            },
        )
    }
}

/// A script of an inline skill: a canned result, or a script file next to `workbench.yaml`. Written as one map: `name`,
/// `description`, `parameters`, and either `result` or `file`.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct InlineScript {
    pub name: String,
    pub description: Option<String>,
    /// A JSON Schema of the function's parameters.
    #[ts(type = "unknown")]
    pub parameters: Option<Value>,
    #[serde(flatten)]
    pub body: InlineScriptBody,
}

/// What its script gives: a text, or what a file prints.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum InlineScriptBody {
    Result(String),
    File(String),
}

impl<'de> Deserialize<'de> for InlineScript {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Written {
            name: String,
            description: Option<String>,
            parameters: Option<Value>,
            result: Option<String>,
            file: Option<String>,
        }
        check::map(
            deserializer,
            Wording::new("a script", "一个脚本"),
            |Written { name, description, parameters, result, file }| {
                let body = match (result, file) {
                    (Some(result), None) => InlineScriptBody::Result(result),
                    (None, Some(file)) => InlineScriptBody::File(file),
                    (Some(_), Some(_)) => {
                        return Err(message!(
                            "script `{name}` has both `result` and `file`; keep one",
                            "脚本 `{name}` 同时有 `result` 和 `file`；请只保留一个"
                        ));
                    }
                    (None, None) => {
                        return Err(message!(
                            "script `{name}` needs either `result` or `file`",
                            "脚本 `{name}` 需要 `result` 或 `file`"
                        ));
                    }
                };
                Ok(Self { name, description, parameters, body })
            },
        )
    }
}

/// Tools that belong to a skill and appear once it is activated, in harnesses that have them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields, expecting = "⟪a tool group‖一个工具组⟫")]
pub struct ToolGroup {
    /// Name of the skill.
    pub skill: String,
    pub tools: Vec<GroupTool>,
}

/// A tool with either a `script` or a `result`.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct GroupTool {
    pub name: String,
    pub description: String,
    /// A JSON Schema.
    #[ts(type = "unknown")]
    pub parameters: Value,
    /// Script of the skill that backs it, e.g. `scripts/load.py`.
    pub script: Option<String>,
    /// A canned result instead.
    pub result: Option<String>,
}

impl<'de> Deserialize<'de> for GroupTool {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Written {
            name: String,
            description: String,
            parameters: Value,
            script: Option<String>,
            result: Option<String>,
        }
        check::map(
            deserializer,
            Wording::new("a tool", "一个工具"),
            |Written { name, description, parameters, script, result }| match (&script, &result) {
                (Some(_), Some(_)) => Err(message!(
                    "tool `{name}` has both `script` and `result`; keep one",
                    "工具 `{name}` 同时有 `script` 和 `result`；请只保留一个"
                )),
                (None, None) => Err(message!(
                    "tool `{name}` needs either `script` or `result`",
                    "工具 `{name}` 需要 `script` 或 `result`"
                )),
                (Some(_), None) | (None, Some(_)) => Ok(Self { name, description, parameters, script, result }),
            },
        )
    }
}

/// Limits of a run; the harness's own limits apply as well.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    default,
    expecting = "⟪limits, e.g. `turns: 10`‖上限，例如 `turns: 10`⟫"
)]
pub struct RunLimits {
    /// Model requests.
    #[serde(deserialize_with = "check::up_to::<1000, _>")]
    pub turns: u32,
    /// Seconds for one script.
    #[serde(deserialize_with = "check::up_to::<3600, _>")]
    pub script_seconds: u32,
    /// Bytes of a script's stdout and of its stderr that are kept; at most [`RunLimits::OUTPUT_BYTES`].
    #[serde(deserialize_with = "check::output_bytes")]
    pub output_bytes: u32,
    /// Tokens of all requests and answers together, as the provider counts them, else estimated.
    #[serde(deserialize_with = "model::entry::check::some_positive")]
    pub tokens: Option<u32>,
    /// Seconds for the whole run, without the time it waits for the user.
    #[serde(deserialize_with = "model::entry::check::some_positive")]
    pub seconds: Option<u32>,
    /// US dollars, by the prices of the model.
    #[serde(deserialize_with = "check::some_amount")]
    pub cost: Option<f64>,
}

impl RunLimits {
    /// No more of a script's output can be kept: a reply to a model is no longer than this either.
    pub const OUTPUT_BYTES: u32 = 4 << 20;
}

impl Default for RunLimits {
    fn default() -> Self {
        Self { turns: 40, script_seconds: 30, output_bytes: 1 << 20, tokens: None, seconds: None, cost: None }
    }
}

/// How what a model runs is confined. What the user chooses for a run comes first, and only there the sandbox can be
/// switched off: a project may come from anybody.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    default,
    expecting = "⟪a sandbox, e.g. `mode: require`‖沙箱的设置，例如 `mode: require`⟫"
)]
pub struct Policy {
    #[serde(deserialize_with = "check::sandbox_of_project")]
    pub mode: SandboxMode,
    pub limits: ProcessLimits,
    /// A Python environment (`python -m venv`) whose packages scripts may import, relative to the file.
    pub venv: Option<String>,
    /// The user's own choice for one run: no file can say it.
    #[serde(skip)]
    #[ts(skip)]
    pub network: Network,
    /// The user's own choice for one run: no file can say it.
    #[serde(skip)]
    #[ts(skip)]
    pub fidelity: Fidelity,
}

/// Whether a framework that would read outside of the folders that the user opened reads there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Fidelity {
    #[default]
    Off,
    /// It reads there, except for private files.
    On,
}

/// Whether what a model runs reaches the network.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Network {
    #[default]
    Denied,
    Allowed,
}

/// Whether what a model runs is confined. The stricter is the greater.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum SandboxMode {
    /// It has the user's rights.
    Off,
    /// Wherever this machine has a sandbox.
    #[default]
    Prefer,
    /// Without a sandbox, nothing runs.
    Require,
}

/// Limits of a confined script and all that it starts. Each has its own limit, since projects may come from anybody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    default,
    expecting = "⟪limits, e.g. `memoryMb: 512`‖上限，例如 `memoryMb: 512`⟫"
)]
pub struct ProcessLimits {
    /// Of processes and threads together.
    #[serde(deserialize_with = "check::up_to::<4096, _>")]
    pub processes: u32,
    /// For each process, in MiB.
    #[serde(deserialize_with = "check::up_to::<16384, _>")]
    pub memory_mb: u32,
    /// For each file, in MiB.
    #[serde(deserialize_with = "check::up_to::<8192, _>")]
    pub file_mb: u32,
    /// Of processor time, for each process.
    #[serde(deserialize_with = "check::up_to::<3600, _>")]
    pub cpu_seconds: u32,
    /// For each process.
    #[serde(deserialize_with = "check::up_to::<4096, _>")]
    pub open_files: u32,
    /// For all that is in the run's folder, in MiB.
    #[serde(deserialize_with = "check::up_to::<16384, _>")]
    pub folder_mb: u32,
}

impl Default for ProcessLimits {
    fn default() -> Self {
        Self { processes: 256, memory_mb: 2048, file_mb: 256, cpu_seconds: 120, open_files: 256, folder_mb: 1024 }
    }
}

/// A short script for the rehearsal model, in words that every harness can express.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "⟪a screenplay with `prompt` and `steps`‖带有 `prompt` 和 `steps` 的剧本⟫"
)]
pub struct Screenplay {
    pub prompt: String,
    /// The pictures that the user says it with: files, by their paths from the screenplay's folder, or `data:` addresses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub images: Vec<String>,
    #[serde(default)]
    pub title: Option<String>,
    pub steps: Vec<ScreenplayStep>,
}

/// One step: a map with exactly one verb.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(untagged)]
pub enum ScreenplayStep {
    /// Load a skill's instructions.
    Activate { activate: String },
    /// Read a file of the skill activated last, or `skill/path`.
    Read { read: String },
    /// Run a script of the skill activated last, or `skill/path`, with arguments.
    Run {
        run: String,
        #[ts(type = "unknown")]
        with: Option<Value>,
    },
    /// Call a tool by its own name, in the harnesses that have it.
    Call {
        call: String,
        #[ts(type = "unknown")]
        with: Option<Value>,
    },
    /// Answer.
    Say { say: String },
    /// The user says more, once the steps before it are done.
    Prompt {
        prompt: String,
        /// As those of [`Screenplay`].
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[ts(as = "Option<Vec<String>>", optional)]
        images: Vec<String>,
    },
}

/// What the user says in a screenplay, and the steps that follow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScreenplayTurn<'a> {
    pub prompt: &'a str,
    pub images: &'a [String],
    pub steps: &'a [ScreenplayStep],
}

impl<'de> Deserialize<'de> for ScreenplayStep {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Written {
            activate: Option<String>,
            read: Option<String>,
            run: Option<String>,
            with: Option<Value>,
            call: Option<String>,
            say: Option<String>,
            prompt: Option<String>,
            images: Option<Vec<String>>,
        }
        let expected = Wording::new("a step, such as `say: Hello`", "一个步骤，例如 `say: Hello`");
        check::map(deserializer, expected, |written: Written| {
            let with = written.with;
            if written.images.is_some() && written.prompt.is_none() {
                return Err(message!(
                    "`images` belongs to `prompt`, which is not in this step",
                    "`images` 属于 `prompt`，而这个步骤没有 `prompt`"
                ));
            }
            let images = written.images.unwrap_or_default();
            if with.is_some() && written.run.is_none() && written.call.is_none() {
                return Err(message!(
                    "`with` belongs to `run` or `call`, and neither is in this step",
                    "`with` 属于 `run` 或 `call`，而这个步骤两者都没有"
                ));
            }
            let verbs = [
                written.activate.map(|activate| Self::Activate { activate }),
                written.read.map(|read| Self::Read { read }),
                written.run.map(|run| Self::Run { run, with: with.clone() }),
                written.call.map(|call| Self::Call { call, with: with.clone() }),
                written.say.map(|say| Self::Say { say }),
                written.prompt.map(|prompt| Self::Prompt { prompt, images }),
            ];
            let mut found = verbs.into_iter().flatten();
            match (found.next(), found.next()) {
                (Some(step), None) => Ok(step),
                (None, _) => Err(message!(
                    "a step needs one of `activate`, `read`, `run`, `call`, `say` and `prompt`",
                    "步骤需要 `activate`、`read`、`run`、`call`、`say` 和 `prompt` 中的一个"
                )),
                (Some(first), Some(second)) => Err(message!(
                    "a step has only one of `activate`, `read`, `run`, `call`, `say` and `prompt`; this one has `{}` and \
                     `{}`",
                    "步骤只能有 `activate`、`read`、`run`、`call`、`say` 和 `prompt` 中的一个；这里有 `{}` 和 `{}`",
                    first.verb(),
                    second.verb()
                )),
            }
        })
    }
}

impl Screenplay {
    /// What the user says, turn by turn, each with the steps that follow.
    pub fn turns(&self) -> Vec<ScreenplayTurn<'_>> {
        let (mut prompt, mut images) = (self.prompt.as_str(), &self.images[..]);
        let mut turns = Vec::new();
        let mut rest = &self.steps[..];
        loop {
            let next = rest.iter().position(|step| matches!(step, ScreenplayStep::Prompt { .. }));
            let (steps, behind) = rest.split_at(next.unwrap_or(rest.len()));
            turns.push(ScreenplayTurn { prompt, images, steps });
            let [ScreenplayStep::Prompt { prompt: further, images: with }, behind @ ..] = behind else { return turns };
            (prompt, images, rest) = (further, with, behind);
        }
    }
}

impl ScreenplayStep {
    /// The key it is written under.
    pub fn verb(&self) -> &'static str {
        match self {
            Self::Activate { .. } => "activate",
            Self::Read { .. } => "read",
            Self::Run { .. } => "run",
            Self::Call { .. } => "call",
            Self::Say { .. } => "say",
            Self::Prompt { .. } => "prompt",
        }
    }
}
