//! The rehearsal model: plays a screenplay, or walks a skill by fixed rules. It needs no network and no key and gives
//! the same answers every time. It is not a real model and never claims to be one.

use std::time::Duration;

use futures::StreamExt;
use futures::stream::{self, BoxStream};

use super::skill_match::best_match;
use config::{Screenplay, ScreenplayStep};
use harness::{Catalog, CatalogSkill, Expressed, Harness, Session};
use model::{
    ChatModel, FinishReason, Message, ModelError, ModelEvent, ModelRequest, Part, Role, Sampling, ToolCall,
    WireRequest, openai,
};
use wording::{Language, Wording, message};

/// Plays one turn of the user, an answer for each request. It remembers nothing: how far it has come is what the request
/// shows.
pub struct Rehearsal {
    screenplay: Option<Screenplay>,
    /// Which turn of the user is played, if not the first, and what the user says in it.
    turn: Option<(usize, String)>,
    harness: &'static dyn Harness,
    catalog: Catalog,
    /// Between two pieces of text; `None`: no pause.
    pace: Option<Duration>,
}

impl Rehearsal {
    /// Without a screenplay: activates the skill whose name and description share most words with the prompt, reads the
    /// first resource its instructions mention, and says what it did.
    pub fn new(
        screenplay: Option<Screenplay>,
        harness: &'static dyn Harness,
        catalog: Catalog,
        pace: Option<Duration>,
    ) -> Self {
        Self { screenplay, turn: None, harness, catalog, pace }
    }
}

impl Rehearsal {
    /// Plays a further turn of the user, from 1, in which the user says this.
    pub fn further(self, turn: usize, prompt: &str) -> Self {
        Self { turn: Some((turn, prompt.to_owned())), ..self }
    }
}

impl ChatModel for Rehearsal {
    fn label(&self) -> &str {
        LABEL
    }

    fn encode(&self, request: &ModelRequest) -> WireRequest {
        encoded(request)
    }

    fn send(&self, _wire: &WireRequest, request: &ModelRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let (before, since) = self.since_prompt(&request.messages);
        let number = self.turn.as_ref().map_or(0, |(number, _)| *number);
        let (known, steps) = match &self.screenplay {
            Some(screenplay) => {
                let turns = screenplay.turns();
                let known = turns.iter().take(number).flat_map(|turn| turn.steps).cloned().collect();
                (known, turns.get(number).map_or_else(Vec::new, |turn| turn.steps.to_vec()))
            }
            None => (Vec::new(), self.walk(since)),
        };
        // A framework may send the text and the calls of an answer as two messages, and add empty ones.
        let said: Vec<&Message> = since.iter().filter(|message| !is_empty(message)).collect();
        let is_answer = |said: &&[&Message]| said.first().is_some_and(|message| message.role == Role::Assistant);
        let answers = said.chunk_by(|a, b| a.role == b.role).filter(is_answer).count();
        let calls = before.iter().map(|message| message.calls().count()).sum();
        let language = language(since);
        let turns = self.turns(&known, &steps, calls, language);
        let mut turn = turns.into_iter().nth(answers).unwrap_or_else(|| Turn::the_end(language));
        if self.screenplay.is_some() && turn.call.is_none() && ends_in_failure(since) {
            turn.text = format!("{}\n\n{}", UNDONE.text(language), quoted(&turn.text));
        }
        let pace = self.pace;
        stream::iter(turn.into_events())
            .then(move |event| async move {
                if let (Some(pace), ModelEvent::Text { .. }) = (pace, &event) {
                    tokio::time::sleep(pace).await;
                }
                Ok(event)
            })
            .boxed()
    }
}

/// Answers the other conversations of a rehearsal: sub-agents and summaries. It plays nothing; it says that no model
/// was asked, and what the request was for.
pub(super) struct Understudy;

impl ChatModel for Understudy {
    fn label(&self) -> &str {
        LABEL
    }

    fn encode(&self, request: &ModelRequest) -> WireRequest {
        encoded(request)
    }

    fn send(&self, _wire: &WireRequest, request: &ModelRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let task = task(&request.messages);
        let text = message!(
            "This is a rehearsal: no model was asked. The task began: {task}",
            "这是排练，没有询问任何模型。任务的开头：{task}"
        );
        let text = text.text(language(&request.messages)).to_owned();
        stream::iter(Turn { text, call: None }.into_events().into_iter().map(Ok)).boxed()
    }
}

const LABEL: &str = "rehearsal";

/// A request as it would look to an OpenAI-compatible endpoint.
fn encoded(request: &ModelRequest) -> WireRequest {
    let body = openai::encode(LABEL, request, true, &Sampling::default());
    WireRequest { url: None, body: body.into(), streamed: true }
}

/// The first line of the last message.
fn task(messages: &[Message]) -> String {
    let text =
        |message: &Message| message.results().map(|result| result.text.clone()).chain([message.text()]).collect();
    let said = messages.iter().rev().map(text).find(|text: &String| !text.trim().is_empty()).unwrap_or_default();
    let line = said.trim_start().lines().next().unwrap_or_default();
    match line.char_indices().nth(TASK_WIDTH) {
        Some((cut, _)) => format!("{}…", &line[..cut]),
        None => line.to_owned(),
    }
}

/// Characters.
const TASK_WIDTH: usize = 200;

/// Characters of a piece of streamed text.
const PIECE: usize = 8;

/// What one answer says, and the call it ends with.
#[derive(Debug, Default, PartialEq)]
struct Turn {
    text: String,
    /// Its number among the screenplay's calls, from 1.
    call: Option<(usize, Expressed)>,
}

impl Turn {
    fn the_end(language: Language) -> Self {
        let text = Wording::new("(The screenplay ends here.)", "（剧本到此结束。）");
        Self { text: text.text(language).into(), call: None }
    }

    fn say(&mut self, text: &str) {
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        self.text.push_str(text);
    }

    fn into_events(self) -> Vec<ModelEvent> {
        let characters: Vec<char> = self.text.chars().collect();
        let pieces = characters.chunks(PIECE).map(|piece| ModelEvent::Text { delta: piece.iter().collect() });
        let mut events: Vec<_> = pieces.collect();
        let reason = match self.call {
            Some((number, Expressed { tool, arguments })) => {
                events.push(ModelEvent::ToolCall {
                    index: 0,
                    id: Some(format!("call_{number}")),
                    name: Some(tool),
                    arguments: arguments.to_string(),
                });
                FinishReason::ToolCalls
            }
            None => FinishReason::Stop,
        };
        events.push(ModelEvent::Finish { reason });
        events
    }
}

impl Rehearsal {
    /// The messages before the user's prompt of this turn, and those from there on. If a framework has replaced the
    /// prompt, all messages count as this turn's.
    fn since_prompt<'a>(&self, messages: &'a [Message]) -> (&'a [Message], &'a [Message]) {
        let Some((_, prompt)) = &self.turn else { return (&[], messages) };
        let is_prompt = |message: &Message| message.role == Role::User && message.text() == *prompt;
        messages.split_at(messages.iter().rposition(is_prompt).unwrap_or_default())
    }

    /// Splits steps into answers. Each call ends an answer; text before it belongs to the same one. `known`: the steps
    /// of the turns before; `calls`: the number of calls in them.
    fn turns(&self, known: &[ScreenplayStep], steps: &[ScreenplayStep], calls: usize, language: Language) -> Vec<Turn> {
        let mut session = Session::default();
        for step in known {
            self.pass(step, &mut session);
        }
        let mut turns = Vec::new();
        let mut turn = Turn::default();
        for step in steps {
            if let ScreenplayStep::Say { say } = step {
                turn.say(say);
                continue;
            }
            match self.pass(step, &mut session) {
                Some(expressed) => {
                    turn.call = Some((calls + turns.len() + 1, expressed));
                    turns.push(std::mem::take(&mut turn));
                }
                None => {
                    let step = shown(step);
                    let text = message!(
                        "(This framework has no tool for the step `{step}`.)",
                        "（该框架没有用于步骤 `{step}` 的工具。）"
                    );
                    turn.say(text.text(language));
                }
            }
        }
        if !turn.text.is_empty() {
            turns.push(turn);
        }
        turns
    }

    /// A step expressed as a call of the framework; updates the session accordingly.
    fn pass(&self, step: &ScreenplayStep, session: &mut Session) -> Option<Expressed> {
        let expressed = self.harness.express(step, &self.catalog, session);
        if let Some(expressed) = &expressed {
            self.foresee(expressed, session);
        }
        if let ScreenplayStep::Activate { activate } = step {
            session.activate(&self.id_of(activate));
        }
        expressed
    }

    /// Puts the session into the state that the call will leave, as far as that can be known without performing
    /// anything: later steps may use tools that the call makes available.
    fn foresee(&self, expressed: &Expressed, session: &mut Session) {
        let call = ToolCall::new("", expressed.tool.clone(), expressed.arguments.to_string());
        self.harness.serve(&call, &self.catalog, session);
    }

    /// The name for the skill in calls; an unknown name stays as it is, and the framework reports its error.
    fn id_of(&self, name: &str) -> String {
        let skill = self.catalog.skills.iter().find(|skill| skill.id == name || skill.name == name);
        skill.map_or_else(|| name.to_owned(), |skill| skill.id.clone())
    }

    /// The fixed walk, as steps.
    fn walk(&self, messages: &[Message]) -> Vec<ScreenplayStep> {
        let Some(skill) = best_match(&prompt(messages), &self.catalog.skills) else {
            return vec![ScreenplayStep::Say { say: NO_MATCH.text(language(messages)).into() }];
        };
        let mut steps = vec![ScreenplayStep::Activate { activate: skill.name.clone() }];
        let resource = first_mentioned(skill);
        steps.extend(resource.map(|name| ScreenplayStep::Read { read: name.to_owned() }));
        steps.push(ScreenplayStep::Say { say: summary(skill, resource, messages) });
        steps
    }
}

const NO_MATCH: Wording = Wording::new(
    "This is a rehearsal: no model was asked. No skill's name or description shares a word with the prompt, so none was \
     loaded.",
    "这是排练，没有询问任何模型。没有哪个技能的名称或描述与提示词有相同的词，因此没有加载技能。",
);

/// The rehearsal answers in the language that the user speaks, as models do.
fn language(messages: &[Message]) -> Language {
    let han =
        |letter: char| matches!(letter, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{20000}'..='\u{3fffd}');
    if prompt(messages).contains(han) { Language::Chinese } else { Language::English }
}

fn shown(step: &ScreenplayStep) -> String {
    match step {
        ScreenplayStep::Activate { activate } => format!("activate: {activate}"),
        ScreenplayStep::Read { read } => format!("read: {read}"),
        ScreenplayStep::Run { run, .. } => format!("run: {run}"),
        ScreenplayStep::Call { call, .. } => format!("call: {call}"),
        ScreenplayStep::Say { .. } => "say".into(),
        ScreenplayStep::Prompt { .. } => "prompt".into(),
    }
}

/// Whether it is nothing but an empty text, which no answer of a rehearsal is.
fn is_empty(message: &Message) -> bool {
    !message.parts.is_empty() && message.parts.iter().all(|part| matches!(part, Part::Text { text } if text.is_empty()))
}

/// The first thing the user said.
fn prompt(messages: &[Message]) -> String {
    messages.iter().find(|message| message.role == Role::User).map(Message::text).unwrap_or_default()
}

fn first_mentioned(skill: &CatalogSkill) -> Option<&str> {
    let mentioned = skill.resources.iter().filter_map(|file| Some((skill.content.find(&file.name)?, &file.name)));
    mentioned.min().map(|(_, name)| name.as_str())
}

/// Used if a screenplay's answer would claim something that did not happen.
const UNDONE: Wording = Wording::new(
    "This is a rehearsal, and its last call failed or was not allowed, so what follows did not come about. The \
     screenplay's answer reads:",
    "这是排练，而且最后一次调用失败或未获允许，因此下面所说的并未发生。剧本中的回答是：",
);

fn ends_in_failure(messages: &[Message]) -> bool {
    messages.iter().flat_map(Message::results).last().is_some_and(|result| result.is_error)
}

fn quoted(text: &str) -> String {
    text.lines().map(|line| format!("> {line}")).collect::<Vec<_>>().join("\n")
}

/// What the walk did, after the tool replies in the request.
fn summary(skill: &CatalogSkill, resource: Option<&str>, messages: &[Message]) -> String {
    let name = &skill.name;
    let wanted = std::iter::once(message!("the instructions of `{name}`", "技能 `{name}` 的指令"))
        .chain(resource.map(|name| message!("its resource `{name}`", "它的资源 `{name}`")));
    let results = messages.iter().flat_map(Message::results);
    let mut lines = vec![message!("This is a rehearsal: no model was asked.\n", "这是排练，没有询问任何模型。\n")];
    for (what, result) in wanted.zip(results) {
        lines.push(match result.is_error {
            false => message!("- Loaded {what}.", "- 加载了{what}。"; what),
            true => {
                let answer = wording::Message::quoted(&result.text);
                message!("- Asked for {what}; the answer was: {answer}", "- 请求了{what}，得到的回答是：{answer}"; what, answer)
            }
        });
    }
    if let Some(script) = skill.scripts.first() {
        let script = &script.name;
        lines.push(message!(
            "- Did not run `{script}`: without a screenplay there are no arguments to give it.",
            "- 没有运行 `{script}`：没有剧本就没有可以给它的参数。"
        ));
    }
    let language = language(messages);
    lines.iter().map(|line| line.text(language)).collect::<Vec<_>>().join("\n")
}
