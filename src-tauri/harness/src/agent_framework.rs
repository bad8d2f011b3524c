//! Microsoft Agent Framework's `AgentSkillsProvider` (.NET, after seed 000 and in release 1.17) and `SkillsProvider`
//! (Python, releases 1.13 and 1.23). The releases were compared with recorded runs; behaviour after the seed is derived
//! from it and the framework's sources.
//!
//! The pipeline is the framework's: sources, aggregated in order, then the filter, then de-duplication. Its cache is
//! not here: an agent that caches selects once, one with `disableCaching` before each of its runs, which is a turn of
//! the user here. The messages of a run enter the session's history only if the run completes.

mod arguments;
mod call;
mod catalogue;
mod content;
mod discover;
mod files;
mod filter;
mod format;
mod frontmatter;
mod inline;
mod lookup;
mod pipeline;
pub(super) mod python;
mod quirks;
mod runner;
mod sent;
mod serve;
mod stops;
mod tools;
mod variant;
mod wire;

use serde_json::{Map, Value};

use super::{
    Catalog, Disclosure, Expressed, Harness, Mark, Options, Performed, Prepared, Presentation, PresentedTool, Profile,
    Served, Session, ToolReply, TurnEnd, turns,
};
use config::ScreenplayStep;
use config::options::SkillSource;
use model::{Dialect, Message, Part, Role, Silent, ToolCall, ToolChoice};
use pipeline::{Loaded, Pipeline};
use skill::SkillSet;
use variant::{PROFILE, Variant};

pub use frontmatter::Frontmatter;

const MANIFEST: &str = "SKILL.md";

pub struct AgentFramework;

/// Facts about a skill that only this harness needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Detail {
    pub frontmatter: Frontmatter,
    /// Of the text that loading the skill gives.
    pub marks: Vec<Mark>,
}

impl Detail {
    pub(super) fn kept(&self) -> Map<String, Value> {
        let Frontmatter { license, compatibility, allowed_tools, metadata, .. } = &self.frontmatter;
        let texts = [("license", license), ("compatibility", compatibility), ("allowedTools", allowed_tools)];
        let texts = texts.into_iter().filter_map(|(key, text)| Some((key.to_owned(), Value::from(text.as_deref()?))));
        let metadata = metadata.iter().map(|pairs| {
            let pairs = pairs.iter().map(|(key, value)| (key.clone(), Value::from(value.as_str())));
            ("metadata".to_owned(), Value::Object(pairs.collect()))
        });
        texts.chain(metadata).collect()
    }
}

/// python-1.13 sends the text and the calls of an answer as two messages. The reasoning goes with the calls.
fn split_answers(history: &mut Vec<Message>) {
    let mut place = 0;
    while let Some(message) = history.get_mut(place) {
        place += 1;
        let is_call = |part: &Part| matches!(part, Part::ToolCall(_));
        let is_text = |part: &Part| matches!(part, Part::Text { text } if !text.is_empty());
        let Some(first) = message.parts.iter().position(is_call) else { continue };
        if message.role != Role::Assistant || !message.parts[..first].iter().any(is_text) {
            continue;
        }
        let before: Vec<Part> = message.parts.drain(..first).collect();
        let (said, thought): (Vec<Part>, Vec<Part>) = before.into_iter().partition(is_text);
        message.parts.splice(..0, thought);
        history.insert(place - 1, Message { role: Role::Assistant, parts: said });
        place += 1;
    }
}

/// How many messages at the head of a turn python-1.23 takes for a repetition of earlier ones and drops
/// (`filter_new_messages`). Answers that are not streamed have no id to distinguish them.
fn known_again(before: &[Message], turn: &[Message]) -> usize {
    let [.., last] = before else { return 0 };
    let is_prompt_alone = |length: usize| length == 1 && last.role == Role::User;
    if let Some(place) = turn.windows(before.len()).position(|window| window == before)
        && !(place == 0 && is_prompt_alone(before.len()))
    {
        return place + before.len();
    }
    let lengths = (1..=before.len().min(turn.len())).rev();
    let repeats = |length: &usize| before[before.len() - length..] == turn[..*length] && !is_prompt_alone(*length);
    lengths.into_iter().find(repeats).unwrap_or_default()
}

/// python-1.23 loses what it says of a tool that is not there if another call of the same answer asks the user.
fn lose_results(history: &mut Vec<Message>, catalog: &Catalog) {
    let asking = serve::asking(&catalog.options.agent_framework);
    let mut place = turns::begun(history);
    while let Some(message) = history.get(place) {
        place += 1;
        if message.role != Role::Assistant || !message.calls().any(|call| asking.contains(&call.name.as_str())) {
            continue;
        }
        let unknown = message.calls().filter(|call| tools::Tool::find(&call.name, catalog).is_none());
        let unknown: Vec<String> = unknown.map(|call| call.id.clone()).collect();
        while let Some(answer) = history.get(place).filter(|message| message.role == Role::Tool) {
            let is_lost = answer.results().all(|result| unknown.contains(&result.call_id));
            if is_lost {
                history.remove(place);
            } else {
                place += 1;
            }
        }
    }
}

/// A run of the framework that begins with results has had one failed round at most.
fn begin_again(session: &mut Session) {
    session.failed_rounds = session.failed_rounds.min(1);
}

impl Harness for AgentFramework {
    fn profile(&self) -> &Profile {
        &PROFILE
    }

    fn select(&self, found: &SkillSet, options: &Options) -> Catalog {
        let settings = &options.settings.agent_framework;
        let variant = Variant::named(PROFILE.variant(options.variant.as_deref()).id);
        let mut pipeline = Pipeline::new(settings, variant);
        let loaded = sources(found, options, &mut pipeline)
            .and_then(|()| catalogue::check_template(settings, variant, &pipeline.skills));
        let refused = loaded.err();
        pipeline.end();
        let Pipeline { skills, skipped, log, quirks, .. } = pipeline;
        super::Loaded { skills, skipped, log, quirks, refused }.into_catalog(&PROFILE, found, options)
    }

    /// Without skills the framework adds neither instructions nor tools.
    fn present(&self, catalog: &Catalog, session: &Session) -> Presentation {
        let tools = if catalog.skills.is_empty() { Vec::new() } else { tools::definitions(Variant::of(catalog)) };
        Presentation {
            instructions: catalogue::instructions(catalog, session.agent_instructions.as_deref()),
            tools: tools.into_iter().map(PresentedTool::plain).collect(),
            cache_points: Vec::new(),
        }
    }

    fn dialect(&self, catalog: &Catalog) -> Dialect {
        match Variant::of(catalog) {
            Variant::Seed => Dialect::default(),
            Variant::DotNet117 => Dialect {
                tool_choice: Some(ToolChoice::Auto),
                silent: Silent::Absent,
                closed_parameters: true,
                ..Dialect::default()
            },
            // A message that was given back to the caller returns with the agent's name.
            Variant::Python113 | Variant::Python123 => Dialect {
                tool_choice: Some(ToolChoice::Auto),
                silent: Silent::Absent,
                assistant_name: Some("UnnamedAgent"),
                named_once_given: Some(serve::asking(&catalog.options.agent_framework)),
                ..Dialect::default()
            },
        }
    }

    /// Python makes calls only if there are tools, and without skills there are none. .NET tells the model that there is no such
    /// tool.
    fn makes_calls(&self, catalog: &Catalog) -> bool {
        !(Variant::of(catalog).is_python() && catalog.skills.is_empty())
    }

    fn before_request(
        &self,
        history: &mut Vec<Message>,
        _done: Option<Performed>,
        catalog: &Catalog,
        session: &mut Session,
    ) -> Prepared {
        match Variant::of(catalog) {
            Variant::Python113 => {
                if stops::before_request(history, catalog) {
                    begin_again(session);
                }
                split_answers(history);
            }
            Variant::Python123 => lose_results(history, catalog),
            Variant::DotNet117 => sent::before_request(history, catalog),
            Variant::Seed => {}
        }
        Prepared::Send
    }

    fn serve(&self, call: &ToolCall, catalog: &Catalog, session: &mut Session) -> Served {
        serve::serve(call, catalog, session)
    }

    fn settle(&self, call: &ToolCall, done: Performed, catalog: &Catalog, session: &mut Session) -> Served {
        serve::settle(call, done, catalog, session)
    }

    fn wire(&self, reply: &ToolReply, catalog: &Catalog) -> Option<String> {
        if Variant::of(catalog).is_python() { None } else { wire::encode(reply, &catalog.options.agent_framework) }
    }

    fn next_turn(&self, history: &mut Vec<Message>, end: TurnEnd, catalog: &Catalog, _session: &mut Session) {
        match end {
            TurnEnd::Done if Variant::of(catalog) == Variant::Python113 => stops::next_turn(history, catalog),
            TurnEnd::Done if Variant::of(catalog) == Variant::Python123 => {
                let begun = turns::begun(history);
                let known = known_again(&history[..begun], &history[begun..]);
                history.drain(begun..begun + known);
            }
            TurnEnd::Done => {}
            TurnEnd::Capped => turns::close_calls(history, |_| turns::INTERRUPTED.to_owned()),
            TurnEnd::Broken => history.truncate(turns::begun(history)),
        }
    }

    fn reads_each_turn(&self, catalog: &Catalog) -> bool {
        catalog.options.agent_framework.disable_caching
    }

    fn express(&self, step: &ScreenplayStep, catalog: &Catalog, session: &Session) -> Option<Expressed> {
        tools::express(step, catalog, session)
    }

    fn asks(&self, tool: &str, catalog: &Catalog) -> bool {
        tools::Tool::find(tool, catalog).is_some_and(|tool| serve::asks(tool, catalog))
    }

    fn disclosure(&self, call: &ToolCall, catalog: &Catalog) -> Disclosure {
        tools::disclosure(call, catalog)
    }
}

/// `Err` is the message of the exception that keeps the framework from starting.
fn sources(found: &SkillSet, options: &Options, pipeline: &mut Pipeline) -> Result<(), String> {
    let settings = &options.settings.agent_framework;
    for source in &settings.sources {
        match source {
            SkillSource::Files => discover::load(found, settings, pipeline)?,
            SkillSource::Inline => {
                for skill in &options.inline_skills {
                    let skill = inline::load(skill, pipeline.variant)?;
                    pipeline.offer(Loaded { path: skill.name.clone().into(), skill, quirks: Vec::new() });
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
