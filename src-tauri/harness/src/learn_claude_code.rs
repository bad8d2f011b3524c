//! The OpenAI loop of seed 002, "Learn Claude Code", and the course it retells (variant `upstream`).
//!
//! `seed` is the seed's code; parts that it only names (the main loop, the body of `bash`, the words of the reminder,
//! `SUBAGENT_SYSTEM`) are as in the recorded runs of that code. `seed-s06` adds the three layers of its last chapter,
//! and sends answers back as the article's logs show them: `model_dump()`, reasoning and all. `upstream` joins the
//! chapters s03 to s06 of `shareAI-lab/learn-claude-code` in one loop: their tools, the system prompt of s05, and the
//! results as they read on an OpenAI-compatible wire.
//!
//! Transcripts are numbered, while Python uses the time, so that the same run writes the same files.

mod catalogue;
mod compaction;
mod discover;
mod files;
mod frontmatter;
mod rounds;
mod serve;
mod shell;
mod todo;
mod tool;
mod tools;

use super::{
    Catalog, Disclosure, Expressed, Group, Harness, Limits, Marked, Options, Performed, Prepared, Presentation,
    PresentedTool, Profile, Served, Session, TurnEnd, VariantInfo, turns,
};
use config::ScreenplayStep;
use model::{Dialect, Message, Silent, ToolCall, ToolChoice};
use skill::SkillSet;
use wording::Wording;

pub struct LearnClaudeCode;

/// What it remembers of one conversation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Memory {
    todos: Vec<todo::Todo>,
    rounds: rounds::Rounds,
    /// What the tools of this round answered, by the ids of their calls.
    replied: Vec<(String, Marked)>,
    compaction: compaction::State,
}

/// Facts about a skill that only this harness needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Detail {
    /// The frontmatter as read, each key once: the seed's lines, nested ones too, or the course's values as `str` shows them.
    pub meta: Vec<(String, String)>,
    /// The course's, if they count as true.
    pub tags: String,
    /// The type of a name that is not a text; no call can ask for it.
    pub unaskable: Option<&'static str>,
    /// The instructions.
    pub body: String,
}

impl Detail {
    fn meta(&self, key: &str) -> Option<&str> {
        self.meta.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }
}

static PROFILE: Profile = Profile {
    id: "learn-claude-code",
    title: "Learn Claude Code",
    group: Group::Framework,
    runs: true,
    variants: &[
        VariantInfo {
            id: "seed",
            title: Wording::new("OpenAI loop", "OpenAI 循环"),
            source: Wording::new(
                "\"Learn Claude Code\", seed 002, s01 to s06; its code was run",
                "《Learn Claude Code》文章 002，s01 至 s06；运行过其代码",
            ),
            verified: true,
            limits: UNLIMITED,
        },
        VariantInfo {
            id: "seed-s06",
            title: Wording::new("OpenAI loop with compaction", "带压缩的 OpenAI 循环"),
            source: Wording::new(
                "\"Learn Claude Code\", seed 002, with the three layers of s06 and the messages of its logs",
                "《Learn Claude Code》文章 002，含 s06 的三层压缩及其日志中的消息",
            ),
            verified: false,
            limits: UNLIMITED,
        },
        VariantInfo {
            id: "upstream",
            title: Wording::new("Course, s03 to s06", "课程 s03 至 s06"),
            source: Wording::new(
                "shareAI-lab/learn-claude-code, agents/s03_todo_write.py to agents/s06_context_compact.py at commit b7de911 \
                 (August 2026); the chapters were run",
                "shareAI-lab/learn-claude-code，agents/s03_todo_write.py 至 agents/s06_context_compact.py，提交 b7de911（2026 年 \
                 8 月）；运行过各章代码",
            ),
            verified: true,
            limits: UNLIMITED,
        },
    ],
};

/// `while True`.
const UNLIMITED: Limits = Limits { iterations: None, failed_rounds: None };

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Variant {
    Seed,
    Upstream,
}

impl Variant {
    fn of(catalog: &Catalog) -> Self {
        Self::called(catalog.variant)
    }

    fn called(id: &str) -> Self {
        if id == "upstream" { Self::Upstream } else { Self::Seed }
    }

    /// Whether all layers of compaction are on: the course at its last chapter.
    fn compacts(catalog: &Catalog) -> bool {
        matches!(catalog.variant, "upstream" | "seed-s06")
    }
}

impl Harness for LearnClaudeCode {
    fn profile(&self) -> &Profile {
        &PROFILE
    }

    fn select(&self, found: &SkillSet, options: &Options) -> Catalog {
        let variant = PROFILE.variant(options.variant.as_deref());
        let mut loaded = discover::load(found, Variant::called(variant.id));
        for skill in &options.inline_skills {
            loaded.skip(&skill.name, crate::reasons::FOLDERS_ONLY);
        }
        loaded.into_catalog(&PROFILE, found, options)
    }

    /// If loading ends in an exception, nothing is ever sent.
    fn present(&self, catalog: &Catalog, session: &Session) -> Presentation {
        if catalog.refused.is_some() {
            return Presentation::default();
        }
        let variant = Variant::of(catalog);
        let offered = tools::offered(catalog, session.delegated).into_iter();
        Presentation {
            instructions: Some(catalogue::instructions(catalog, session)),
            tools: offered.map(|tool| PresentedTool::plain(tools::definition(tool, variant))).collect(),
            cache_points: Vec::new(),
        }
    }

    fn dialect(&self, catalog: &Catalog) -> Dialect {
        dialect(catalog)
    }

    fn serve(&self, call: &ToolCall, catalog: &Catalog, session: &mut Session) -> Served {
        remember(call, serve::serve(call, catalog, session), session)
    }

    fn settle(&self, call: &ToolCall, done: Performed, catalog: &Catalog, session: &mut Session) -> Served {
        remember(call, serve::settle(call, done, catalog, session), session)
    }

    /// The end of a round, and then what comes before each model call: the reminder, and compaction. A sub-agent's loop
    /// has neither.
    fn before_request(
        &self,
        history: &mut Vec<Message>,
        done: Option<Performed>,
        catalog: &Catalog,
        session: &mut Session,
    ) -> Prepared {
        if session.delegated {
            return Prepared::Send;
        }
        match done {
            None => {
                rounds::end(history, catalog, session);
                session.memory.learn_claude_code.replied.clear();
                compaction::begin(history, catalog, session)
            }
            Some(done) => compaction::go_on(history, done, catalog, session),
        }
    }

    /// The list of todos, the transcripts' number and the skills outlive a turn; a compaction that broke off does not.
    fn next_turn(&self, history: &mut Vec<Message>, _end: TurnEnd, _catalog: &Catalog, session: &mut Session) {
        turns::close_calls(history, |_| turns::INTERRUPTED.to_owned());
        session.memory.learn_claude_code.compaction.break_off();
    }

    fn express(&self, step: &ScreenplayStep, catalog: &Catalog, session: &Session) -> Option<Expressed> {
        tools::express(step, catalog, session)
    }

    fn disclosure(&self, call: &ToolCall, catalog: &Catalog) -> Disclosure {
        tools::disclosure(call, catalog)
    }
}

fn dialect(catalog: &Catalog) -> Dialect {
    let dumped = catalog.options.learn_claude_code.empty_fields.unwrap_or(catalog.variant == "seed-s06");
    match Variant::of(catalog) {
        Variant::Seed => {
            Dialect { tool_choice: Some(ToolChoice::Auto), silent: Silent::Absent, dumped, ..Dialect::default() }
        }
        Variant::Upstream => Dialect { dumped, ..Dialect::default() },
    }
}

/// Remembers who wrote a reply until the end of its round, when a reminder may be added to it.
fn remember(call: &ToolCall, served: Served, session: &mut Session) -> Served {
    if let Served::Reply(reply) = &served {
        let marked = Marked { text: reply.text.clone(), marks: reply.marks.clone() };
        session.memory.learn_claude_code.replied.push((call.id.clone(), marked));
    }
    served
}

#[cfg(test)]
mod tests;
