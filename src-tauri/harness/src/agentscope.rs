//! AgentScope: `SkillBox` of AgentScope-Java, as of 1.0.5 (the three tools that seed 004 calls its old version), as of 1.0.8
//! (which the seed describes: the seed prints three texts otherwise) and as of 2.0.3, and the `Skill` tool of AgentScope
//! Python 2.0.11, which is a design of its own.

mod allowed;
mod arguments;
mod catalogue;
mod discover;
mod ended;
mod first;
mod groups;
mod java;
mod loaded;
mod markdown;
mod order;
mod python;
mod quirks;
pub mod registry;
mod serve;
mod shell;
mod tools;
mod uploads;
mod validate;

pub use java::JavaValue;
pub use markdown::Markdown;

use super::{
    Catalog, CatalogSkill, Disclosure, Expressed, Group, GroupState, Harness, Limits, Options, Performed, Prepared,
    Presentation, Profile, Served, Session, TurnEnd, VariantInfo, turns,
};
use config::ScreenplayStep;
use config::options::Deactivation;
use model::{Dialect, Message, Part, Role, Silent, ToolCall};
use serde_json::{Map, Value};
use skill::SkillSet;
use wording::Wording;

/// The agent's name in the framework's documents; here it has no other.
const AGENT: &str = "Friday";

/// `ReActAgent.handleInterrupt`.
const INTERRUPTED: &str = "I noticed that you have interrupted me. What can I do for you?";

const LOAD: &str = "load_skill_through_path";

const MANIFEST: &str = "SKILL.md";

pub struct AgentScope;

/// What it remembers of one conversation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Memory {
    /// Ids of the skills that are active: a tool has loaded something of them since they were last deactivated.
    active: Vec<String>,
    /// Ids of the skills whose tool groups are active.
    open: Vec<String>,
    /// Those of 1.0.5 that the request under way tells the model of: it lists the tools before the hook opens more.
    told: Vec<String>,
    uploads: uploads::Uploads,
}

/// Facts about a skill that only this harness needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Detail {
    /// Its number among the skills in the order of registration.
    pub registered: usize,
    /// The second half of its id.
    pub source: String,
    /// The frontmatter, in order, with the values that SnakeYAML gives.
    pub metadata: Vec<(String, JavaValue)>,
    /// Files that were read while loading, in the order of their hashes.
    pub loaded: Vec<String>,
    /// Files that are found in the skill's folder when the model asks for one that was not loaded.
    pub on_disk: Vec<String>,
}

impl Detail {
    pub(super) fn kept(&self) -> Map<String, Value> {
        let metadata = self.metadata.iter().map(|(key, value)| (key.clone(), value.to_json()));
        let names = |names: &[String]| Value::from(names.to_vec());
        [
            ("source".to_owned(), Value::from(self.source.as_str())),
            ("metadata".to_owned(), Value::Object(metadata.collect())),
            ("loaded".to_owned(), names(&self.loaded)),
            ("onDisk".to_owned(), names(&self.on_disk)),
        ]
        .into_iter()
        .collect()
    }
}

static PROFILE: Profile = Profile {
    id: "agentscope",
    title: "AgentScope",
    group: Group::Framework,
    runs: true,
    variants: &[
        VariantInfo {
            id: SEED,
            title: Wording::new("Java, January 2026", "Java，2026 年 1 月"),
            source: Wording::new(
                "\"AgentScope Skill System 调用树分析\" v2.0, 2026-01-26",
                "《AgentScope Skill System 调用树分析》v2.0，2026-01-26",
            ),
            verified: false,
            limits: JAVA_LIMITS,
        },
        VariantInfo {
            id: FIRST,
            title: Wording::name("Java 1.0.5"),
            source: Wording::new(
                "AgentScope-Java 1.0.5, December 2025, run from its sources; version 1.0 in the seed",
                "AgentScope-Java 1.0.5，2025 年 12 月，由源码运行；即文章中的 1.0 版",
            ),
            verified: true,
            limits: JAVA_LIMITS,
        },
        VariantInfo {
            id: SECOND,
            title: Wording::name("Java 1.0.8"),
            source: Wording::new(
                "AgentScope-Java 1.0.8, January 2026, run from its sources; the version that the seed describes",
                "AgentScope-Java 1.0.8，2026 年 1 月，由源码运行；即文章描述的版本",
            ),
            verified: true,
            limits: JAVA_LIMITS,
        },
        VariantInfo {
            id: JAVA,
            title: Wording::name("Java 2.0.3"),
            source: Wording::new(
                "AgentScope-Java 2.0.3-SNAPSHOT: SkillBox, run without the agent around it",
                "AgentScope-Java 2.0.3-SNAPSHOT：单独运行 SkillBox，不含外层智能体",
            ),
            verified: true,
            limits: JAVA_LIMITS,
        },
        VariantInfo {
            id: PYTHON,
            title: Wording::name("Python 2.0.11"),
            source: Wording::new("agentscope 2.0.11 from PyPI, run", "PyPI 上的 agentscope 2.0.11，实际运行"),
            verified: true,
            limits: Limits { iterations: Some(50), failed_rounds: None },
        },
    ],
};

const SEED: &str = "seed";
const FIRST: &str = "java-1.0.5";
const SECOND: &str = "java-1.0.8";
const JAVA: &str = "java-2.0.3";
const PYTHON: &str = "python-2.0.11";

/// `maxIters` of `ReActAgent.Builder`.
const JAVA_LIMITS: Limits = Limits { iterations: Some(10), failed_rounds: None };

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Variant {
    /// The seed, and Java 1.0.8, which it describes.
    Seed,
    /// Java 1.0.5.
    First,
    /// Java 2.0.3.
    Java,
    Python,
}

impl Variant {
    fn of(catalog: &Catalog) -> Self {
        Self::named(catalog.variant)
    }

    fn named(id: &str) -> Self {
        match id {
            FIRST => Self::First,
            JAVA => Self::Java,
            PYTHON => Self::Python,
            _ => Self::Seed,
        }
    }

    /// Java 1.0.
    fn is_old(self) -> bool {
        matches!(self, Self::Seed | Self::First)
    }
}

/// Whether the words are those that the seed prints, where 1.0.8 has others.
fn is_seed(catalog: &Catalog) -> bool {
    catalog.variant == SEED
}

impl Harness for AgentScope {
    fn profile(&self) -> &Profile {
        &PROFILE
    }

    fn select(&self, found: &SkillSet, options: &Options) -> Catalog {
        let variant = Variant::named(PROFILE.variant(options.variant.as_deref()).id);
        let loaded = match variant {
            Variant::Seed | Variant::First | Variant::Java => discover::load(found, options, variant),
            Variant::Python => python::load(found, &options.settings.agentscope),
        };
        let mut catalog = loaded.into_catalog(&PROFILE, found, options);
        tools::find_scripts(&mut catalog);
        quirks::of_the_whole(&mut catalog);
        catalog
    }

    fn present(&self, catalog: &Catalog, session: &Session) -> Presentation {
        Presentation {
            instructions: catalogue::instructions(catalog, session),
            tools: match Variant::of(catalog) {
                _ if catalog.refused.is_some() => Vec::new(),
                Variant::Seed | Variant::First | Variant::Java => tools::presented(catalog, session),
                Variant::Python => python::tools(catalog),
            },
            cache_points: Vec::new(),
        }
    }

    fn dialect(&self, catalog: &Catalog) -> Dialect {
        match Variant::of(catalog) {
            Variant::Java => Dialect::default(),
            // `OpenAIMessageConverter`: only the agent has a name, and nothing is said of an empty content.
            Variant::Seed | Variant::First => {
                Dialect { assistant_name: Some(AGENT), silent: Silent::Absent, ..Dialect::default() }
            }
            // `OpenAIChatFormatter`: whoever speaks is named.
            Variant::Python => Dialect {
                system_parts: true,
                user_parts: true,
                assistant_parts: true,
                named_roles: true,
                named_results: true,
                assistant_name: Some(AGENT),
                ..Dialect::default()
            },
        }
    }

    fn serve(&self, call: &ToolCall, catalog: &Catalog, session: &mut Session) -> Served {
        match Variant::of(catalog) {
            Variant::Seed | Variant::First | Variant::Java => serve::serve(call, catalog, session),
            Variant::Python => python::serve(call, catalog, session),
        }
    }

    fn settle(&self, call: &ToolCall, done: Performed, catalog: &Catalog, session: &mut Session) -> Served {
        Served::Reply(serve::settle(call, done, catalog, session))
    }

    /// The hook of the seed and of 1.0.5 puts the catalogue behind all messages of each request, and the memory never sees
    /// it. In 1.0.5 it is also what opens and closes tool groups.
    fn before_request(
        &self,
        history: &mut Vec<Message>,
        done: Option<Performed>,
        catalog: &Catalog,
        session: &mut Session,
    ) -> Prepared {
        if Variant::of(catalog) == Variant::First {
            session.memory.agentscope.tell();
        }
        if Variant::of(catalog) == Variant::Python {
            for part in history.iter_mut().flat_map(|message| &mut message.parts) {
                if let Part::ToolCall(call) = part {
                    call.name = python::named(&call.name).to_owned();
                }
            }
        }
        if Variant::of(catalog).is_old() {
            // The memory has neither the catalogue of the last request nor an answer without anything in it.
            let is_empty = |message: &Message| message.calls().next().is_none() && message.text().is_empty();
            history.retain(|message| match message.role {
                Role::System => false,
                Role::Assistant => !is_empty(message),
                Role::User | Role::Tool => true,
            });
            if let Some(end) = ended::before_request(history, catalog) {
                return end;
            }
            for part in history.iter_mut().flat_map(|message| &mut message.parts) {
                if let Part::ToolCall(call) = part {
                    call.arguments = arguments::again(&call.arguments, Variant::of(catalog));
                }
            }
            if let Some(prompt) = catalogue::prompt(catalog, session) {
                history.push(Message::system(&prompt.text));
                if !session.injected.contains(&prompt) {
                    session.injected.push(prompt);
                }
            }
        }
        uploads::next(done, catalog, session).map_or(Prepared::Send, Prepared::Perform)
    }

    /// The agent's memory stays, and groups stay active. The exceptions are 1.0.5, whose hook closes them before and
    /// after each turn, and applications that deactivate skills themselves. A turn that broke off ends like an
    /// interruption: its open calls get results that say so, and in Java the agent has a message for the user.
    fn next_turn(&self, history: &mut Vec<Message>, end: TurnEnd, catalog: &Catalog, session: &mut Session) {
        let memory = &mut session.memory.agentscope;
        match (Variant::of(catalog), catalog.options.agentscope.deactivate) {
            (Variant::First, _) | (Variant::Seed | Variant::Java, Some(Deactivation::Groups)) => {
                memory.deactivate();
                memory.sync();
            }
            (Variant::Seed | Variant::Java, Some(Deactivation::Skills)) => memory.deactivate(),
            (Variant::Seed | Variant::Java, None) | (Variant::Python, _) => {}
        }
        // The hook's own message is never remembered.
        history.retain(|message| message.role != Role::System);
        match Variant::of(catalog) {
            Variant::Seed | Variant::First if ended::next_turn(history, end, catalog) => {}
            Variant::Seed | Variant::First | Variant::Java => {
                turns::close_calls(history, |call| {
                    format!("[ERROR] Tool execution was interrupted before it could run. Tool: {}", call.name)
                });
                if end == TurnEnd::Broken {
                    history.push(Message::assistant(INTERRUPTED));
                }
            }
            Variant::Python => turns::close_calls(history, |_| {
                "<system-reminder>The tool call has been interrupted by the user.</system-reminder>".to_owned()
            }),
        }
    }

    /// `LocalSkillLoader` reads a skill again when its file's time has changed; Java reads its skills once.
    fn reads_each_turn(&self, catalog: &Catalog) -> bool {
        Variant::of(catalog) == Variant::Python
    }

    fn express(&self, step: &ScreenplayStep, catalog: &Catalog, session: &Session) -> Option<Expressed> {
        match Variant::of(catalog) {
            Variant::Seed | Variant::First | Variant::Java => tools::express(step, catalog, session),
            Variant::Python => python::express(step, catalog),
        }
    }

    fn groups(&self, catalog: &Catalog, session: &Session) -> Vec<GroupState> {
        match Variant::of(catalog) {
            Variant::Seed | Variant::First | Variant::Java => session.memory.agentscope.groups(catalog),
            Variant::Python => Vec::new(),
        }
    }

    fn disclosure(&self, call: &ToolCall, catalog: &Catalog) -> Disclosure {
        match Variant::of(catalog) {
            Variant::Seed | Variant::First | Variant::Java => tools::disclosure(call, catalog),
            Variant::Python => python::disclosure(call, catalog),
        }
    }
}

fn detail(skill: &CatalogSkill) -> Option<&Detail> {
    match &skill.detail {
        super::Detail::AgentScope(detail) => Some(detail),
        _ => None,
    }
}

#[cfg(test)]
mod tests;

/// Version 1.0 has none.
fn has_code_execution(catalog: &Catalog) -> bool {
    matches!(Variant::of(catalog), Variant::Seed | Variant::Java) && catalog.options.agentscope.code_execution
}

/// The skill counts as active from here on. In 1.0.5 the hook opens its tools with the next request, which lists its tools
/// first: the model hears of them with the one after it. Later they can be called at once, and the next request has them.
fn activate(skill: &CatalogSkill, catalog: &Catalog, session: &mut Session) {
    session.activate(&skill.id);
    let memory = &mut session.memory.agentscope;
    memory.activate(&skill.id);
    if Variant::of(catalog) != Variant::First {
        memory.open(&skill.id);
    }
}

/// A template without the line feed that its file ends in.
fn text(template: &'static str) -> &'static str {
    template.strip_suffix('\n').unwrap_or(template)
}

fn from_skill(skill: &CatalogSkill, field: &str) -> crate::Origin {
    crate::Origin::Skill { skill: skill.id.clone(), field: field.into() }
}
