//! How a framework reads, presents and serves skills: one implementation of [`Harness`] for each, reproducing its
//! framework byte for byte. Pure: no I/O, no clock. Effects are returned, and the engine performs them.

mod agent_framework;
mod agent_skills;
mod agentscope;
mod catalog;
mod claude_code;
mod codex;
mod command;
mod deepagents;
mod eino;
mod fields;
mod gemini_cli;
mod javascript;
mod learn_claude_code;
mod markup;
mod opencode;
mod paths;
mod presentation;
mod python;
mod quirk;
mod reasons;
mod replacing;
#[cfg(test)]
pub(crate) mod sample;
mod serving;
mod session;
mod strands;
mod turns;
mod yaml;

pub use agentscope::{Detail as AgentScopeDetail, JavaValue as AgentScopeValue, Markdown as AgentScopeMarkdown};
pub use catalog::{Catalog, CatalogBody, CatalogFile, CatalogSkill, Detail, Skipped, link_outside};
use catalog::{Loaded, not_entered, scripts_and_others};
pub use claude_code::Detail as ClaudeCodeDetail;
pub use codex::Detail as CodexDetail;
pub use opencode::Detail as OpenCodeDetail;
pub use presentation::{Mark, Marked, Origin, Presentation, PresentedTool};
pub use quirk::{Quirk, QuirkKind};
pub use serving::{
    Delegated, Delegation, DelegationEnd, Disclosure, Effect, Expressed, FailureKind, FileHistory, FileRevision,
    Finished, FoundLine, ListedEntry, NewFile, Performed, Prepared, ReplyAuthor, ScriptOutput, Served, ToolReply,
};
pub use session::{Memory, Session};
pub use strands::bedrock;
pub use turns::TurnEnd;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use config::{HarnessOptions, InlineSkill, ScreenplayStep, ToolGroup};
use model::{Dialect, Message, ToolCall};
use skill::SkillSet;
use wording::Wording;

/// Every harness, in the order lists show them: the frameworks, then the clients.
pub fn all() -> &'static [&'static dyn Harness] {
    &[
        &agent_framework::AgentFramework,
        &eino::Eino,
        &learn_claude_code::LearnClaudeCode,
        &strands::Strands,
        &agentscope::AgentScope,
        &agent_skills::AgentSkills,
        &claude_code::ClaudeCode,
        &codex::Codex,
        &deepagents::DeepAgents,
        &gemini_cli::GeminiCli,
        &opencode::OpenCode,
    ]
}

/// Those of a group, in their order.
pub fn of(group: Group) -> impl Iterator<Item = &'static dyn Harness> {
    all().iter().copied().filter(move |harness| harness.profile().group == group)
}

/// By its id, e.g. `eino`.
pub fn find(id: &str) -> Option<&'static dyn Harness> {
    all().iter().copied().find(|harness| harness.profile().id == id)
}

/// A framework or client: how it reads skills, shows them to a model, and serves its calls.
pub trait Harness: Send + Sync {
    fn profile(&self) -> &Profile;
    /// The skills that this framework loads from the disk and the project file, and why the rest is left out.
    fn select(&self, found: &SkillSet, options: &Options) -> Catalog;
    /// Instructions and tool definitions as sent, with provenance.
    fn present(&self, catalog: &Catalog, session: &Session) -> Presentation;
    /// How the framework's client writes a request.
    fn dialect(&self, _catalog: &Catalog) -> Dialect {
        Dialect::default()
    }
    /// Whether the framework makes calls at all; `false`: an answer ends the turn, whatever it calls.
    fn makes_calls(&self, _catalog: &Catalog) -> bool {
        true
    }
    fn serve(&self, call: &ToolCall, catalog: &Catalog, session: &mut Session) -> Served;
    /// What follows from what an effect returned: the tool's reply, or the next effect.
    fn settle(&self, call: &ToolCall, done: Performed, catalog: &Catalog, session: &mut Session) -> Served;
    /// The reply's text as it goes over an OpenAI-compatible wire; `None`: as it is.
    fn wire(&self, _reply: &ToolReply, _catalog: &Catalog) -> Option<String> {
        None
    }
    /// What the framework does to the history before each model request. Asked until it says [`Prepared::Send`] or ends
    /// the run: first with `None`, then with the result of the effect it asked for.
    fn before_request(
        &self,
        _history: &mut Vec<Message>,
        _done: Option<Performed>,
        _catalog: &Catalog,
        _session: &mut Session,
    ) -> Prepared {
        Prepared::Send
    }
    /// How the framework changes the last turn of the user in the history when the next one begins. The engine handles
    /// state of one turn; the framework's other state stays.
    fn next_turn(&self, history: &mut Vec<Message>, _end: TurnEnd, _catalog: &Catalog, _session: &mut Session) {
        turns::close_calls(history, |_| turns::INTERRUPTED.to_owned());
    }
    /// Whether the framework reads its skills again for each turn of the user.
    fn reads_each_turn(&self, _catalog: &Catalog) -> bool {
        false
    }
    /// A screenplay step in this framework's words; `None` if the framework has no tool for it.
    fn express(&self, step: &ScreenplayStep, catalog: &Catalog, session: &Session) -> Option<Expressed>;
    /// How the instructions of a skill come into the conversation: through a tool that the model calls or, if it may
    /// not, through what the user types. `None`: in no way.
    fn loads_with(&self, skill: &CatalogSkill, catalog: &Catalog, session: &Session) -> Option<String> {
        let step = ScreenplayStep::Activate { activate: skill.id.clone() };
        self.express(&step, catalog, session).map(|expressed| expressed.tool)
    }
    /// Whether the framework itself asks the user before each call of a tool.
    fn asks(&self, _tool: &str, _catalog: &Catalog) -> bool {
        false
    }
    /// Whether the framework asks the user before it looks at files outside of the folders that the conversation is about.
    fn asks_outside(&self) -> bool {
        false
    }
    /// Who the application says that its agent is.
    fn agent(&self, _catalog: &Catalog) -> Option<Agent> {
        None
    }
    /// The groups of tools that can be active or not, with their tools.
    fn groups(&self, _catalog: &Catalog, _session: &Session) -> Vec<GroupState> {
        Vec::new()
    }
    /// Which tier of progressive disclosure a call reaches.
    fn disclosure(&self, call: &ToolCall, catalog: &Catalog) -> Disclosure;
}

/// A group of tools as a toolkit holds it. The model gets only the tools of active groups.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct GroupState {
    pub name: String,
    pub is_active: bool,
    pub tools: Vec<String>,
}

/// An agent as an application names it. Frameworks print the name with what it does; no model sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Agent {
    pub name: String,
    pub description: Option<String>,
}

/// How a harness matters to the author of a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, TS)]
#[ts(rename = "HarnessGroup")]
#[serde(rename_all = "camelCase")]
pub enum Group {
    /// Applications are built with it.
    Framework,
    /// People use it as it is.
    Client,
}

/// What a harness is, for lists and for the user's choice.
#[derive(Debug, Clone)]
pub struct Profile {
    pub id: &'static str,
    pub title: &'static str,
    pub group: Group,
    /// `false`: it only presents skills, and no model is asked under it.
    pub runs: bool,
    /// The first is the default.
    pub variants: &'static [VariantInfo],
}

impl Profile {
    /// The variant of this id; the default for `None` and for an id that is not known.
    pub fn variant(&self, id: Option<&str>) -> &'static VariantInfo {
        let variants = self.variants;
        variants.iter().find(|variant| Some(variant.id) == id).unwrap_or(&variants[0])
    }
}

/// A variant of it, for lists and for the user's choice.
#[derive(Debug, Clone, Copy)]
pub struct VariantInfo {
    pub id: &'static str,
    pub title: Wording,
    /// Where the behaviour was taken from.
    pub source: Wording,
    /// `false` if it was derived from source and never compared with a run.
    pub verified: bool,
    pub limits: Limits,
}

/// The framework's own caps on a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Model requests in one run; `None`: no cap.
    pub iterations: Option<u32>,
    pub failed_rounds: Option<FailedRounds>,
}

/// What the framework does about tools that keep failing. A round fails if a reply in it is by
/// [`ReplyAuthor::Exception`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "type", content = "rounds", rename_all = "camelCase")]
pub enum FailedRounds {
    /// More than so many in a row end the run with an error.
    EndAfter(u32),
    /// After this many in a row, one last request is sent in which the model may not call a tool.
    AnswerAfter(u32),
}

/// What the user set for a harness, after `workbench.yaml` and the command line.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// `None`: the default variant.
    pub variant: Option<String>,
    pub settings: HarnessOptions,
    pub inline_skills: Vec<InlineSkill>,
    pub tool_groups: Vec<ToolGroup>,
}

/// What runs scripts of this file ending, with or without its dot; `None`: nothing does.
pub fn interpreter(extension: &str) -> Option<&'static str> {
    match extension.trim_start_matches('.').to_ascii_lowercase().as_str() {
        "py" => Some("python3"),
        "js" => Some("node"),
        "sh" => Some("bash"),
        "ps1" => Some("pwsh"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The harnesses and variants of which only we do not read a skill with this frontmatter: they skip it for a reason
    /// that says so in each language, and nothing else of them is different.
    fn beyond_our_limits(frontmatter: &str) -> Vec<String> {
        let text = format!("---\nname: big\ndescription: b\n{frontmatter}\n---\nBody.\n");
        let found = sample::disk(&[("big/SKILL.md", &text), ("good/SKILL.md", &sample::manifest("good"))]);
        let mut told = Vec::new();
        for harness in all() {
            for variant in harness.profile().variants {
                let name = format!("{} {}", harness.profile().id, variant.id);
                let options = Options { variant: Some(variant.id.to_owned()), ..Options::default() };
                let catalog = harness.select(&found, &options);
                let others = format!("{:?} {:?} {:?}", catalog.refused, catalog.log, catalog.quirks);
                assert!(!others.contains("Workbench"), "{name}: {others}");
                let skipped = catalog.skipped.iter().find(|skipped| skipped.path.ends_with("big/SKILL.md"));
                let Some(Skipped { reason, .. }) = skipped.filter(|skipped| skipped.reason.en.contains("Workbench"))
                else {
                    continue;
                };
                assert!(reason.en.starts_with("Skill Workbench does not read "), "{name}: {reason:?}");
                assert!(reason.zh.starts_with("Skill Workbench 不读取"), "{name}: {reason:?}");
                assert_eq!(catalog.refused, None, "{name}");
                assert!(catalog.skills.iter().any(|skill| skill.name == "good"), "{name}");
                told.push(name);
            }
        }
        told
    }

    /// No framework is said to have been refused what it would wait for, or not look at.
    #[cfg(unix)]
    #[test]
    fn a_pipe_is_no_skill_and_fails_no_other() {
        let guard = tempfile::tempdir().unwrap();
        let root = camino::Utf8PathBuf::from_path_buf(guard.path().canonicalize().unwrap()).unwrap();
        let (good, pipe) = (root.join("good"), root.join("pipe/SKILL.md"));
        std::fs::create_dir_all(pipe.parent().unwrap()).unwrap();
        std::fs::create_dir(&good).unwrap();
        std::fs::write(good.join("SKILL.md"), sample::manifest("good")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let found = skill::load(std::slice::from_ref(&root));
        for harness in all() {
            for variant in harness.profile().variants {
                let name = format!("{} {}", harness.profile().id, variant.id);
                let options = Options { variant: Some(variant.id.to_owned()), ..Options::default() };
                let catalog = harness.select(&found, &options);
                let told = format!("{:?} {:?} {:?}", catalog.skipped, catalog.log, catalog.quirks);
                let denied = ["denied", "Errno"].iter().any(|word| told.to_lowercase().contains(&word.to_lowercase()));
                assert!(!denied, "{name}: {told}");
                assert_eq!(catalog.refused, None, "{name}");
            }
        }
    }

    #[test]
    fn a_limit_of_ours_is_no_refusal_of_a_framework() {
        let long = format!("license: {}", "x".repeat(skill::yaml::BYTE_LIMIT));
        insta::assert_snapshot!(beyond_our_limits(&long).join("\n"), @"
        agent-framework python-1.23
        eino seed
        eino newest
        learn-claude-code upstream
        strands vended-1.62
        agentscope java-1.0.5
        agent-skills 0.1.1
        claude-code 2.1.330
        claude-code 2.1.197
        codex 0.169
        deepagents 0.7
        gemini-cli 0.61
        opencode 1.18
        ");
        for levels in [300, 450, 1100] {
            let deep = format!("metadata: {}{}", "[".repeat(levels), "]".repeat(levels));
            assert!(!beyond_our_limits(&deep).is_empty(), "{levels}");
        }
    }

    #[test]
    fn each_ending_has_its_interpreter() {
        let programs = ["py", ".PY", "js", "sh", "ps1", "cs", ""].map(interpreter);
        assert_eq!(programs, [Some("python3"), Some("python3"), Some("node"), Some("bash"), Some("pwsh"), None, None]);
    }
}
