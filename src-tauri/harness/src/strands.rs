//! Strands Agents: the re-implementation of seed 003 (a `Skill` tool made at start-up, and hooks that put a skill's
//! text into the message with the tool's result), the same as its repository has it, and the official plugin.
//!
//! Not here: the demo's `SummarizingConversationManager`, which acts when a model refuses a request for its length, and
//! its tools `AskUserQuestion` and `tavily`.

pub mod bedrock;
mod catalogue;
mod demo;
mod editor;
mod file_read;
mod hooks;
mod manifest;
mod pydantic;
mod python;
mod quirks;
mod serve;
mod shell;
mod time_machine;
mod tools;
mod variant;
mod vended;

pub use hooks::Memory;
pub use vended::Detail;

use self::variant::{PROFILE, Variant};
use super::{
    Catalog, Disclosure, Expressed, Harness, Options, Performed, Prepared, Presentation, Profile, Served, Session,
    TurnEnd,
};
use config::ScreenplayStep;
use model::{Dialect, Message, Silent, ToolCall};
use skill::SkillSet;

pub struct Strands;

impl Harness for Strands {
    fn profile(&self) -> &Profile {
        &PROFILE
    }

    fn select(&self, found: &SkillSet, options: &Options) -> Catalog {
        let variant = PROFILE.variant(options.variant.as_deref());
        let loaded = match Variant::named(variant.id) {
            Variant::Seed | Variant::DemoRepo => demo::load(found, &options.inline_skills),
            Variant::Vended => vended::load(found, &options.inline_skills, &options.settings.strands),
        };
        loaded.into_catalog(&PROFILE, found, options)
    }

    fn present(&self, catalog: &Catalog, session: &Session) -> Presentation {
        Presentation {
            instructions: catalogue::instructions(catalog, session),
            cache_points: catalogue::cache_points(catalog, session),
            tools: tools::presented(catalog),
        }
    }

    fn dialect(&self, catalog: &Catalog) -> Dialect {
        Dialect {
            user_parts: true,
            assistant_parts: true,
            silent: Silent::Absent,
            cache_tools: catalog.options.strands.cache_tools.unwrap_or(Variant::of(catalog) != Variant::Vended),
            ..Dialect::default()
        }
    }

    fn serve(&self, call: &ToolCall, catalog: &Catalog, session: &mut Session) -> Served {
        serve::serve(call, catalog, session)
    }

    fn settle(&self, call: &ToolCall, done: Performed, catalog: &Catalog, session: &mut Session) -> Served {
        serve::settle(call, done, catalog, session)
    }

    fn before_request(
        &self,
        history: &mut Vec<Message>,
        _done: Option<Performed>,
        catalog: &Catalog,
        session: &mut Session,
    ) -> Prepared {
        if Variant::of(catalog) == Variant::Vended
            && let Some(half) = hooks::half_called(history)
        {
            return Prepared::Abort(format!(
                "EventLoopException: 'utf-8' codec can't encode character '\\u{half:04x}': surrogates not allowed"
            ));
        }
        hooks::before_request(history, catalog, session);
        Prepared::Send
    }

    /// Messages are kept as they come, but results only when all of a round are there: a turn that ended before is closed
    /// with a result for each of its calls once the user says more.
    fn next_turn(&self, history: &mut Vec<Message>, _end: TurnEnd, catalog: &Catalog, session: &mut Session) {
        hooks::next_turn(history, catalog, session);
    }

    fn express(&self, step: &ScreenplayStep, catalog: &Catalog, session: &Session) -> Option<Expressed> {
        tools::express(step, catalog, session)
    }

    fn disclosure(&self, call: &ToolCall, catalog: &Catalog) -> Disclosure {
        tools::disclosure(call, catalog)
    }
}

#[cfg(test)]
mod tests;
