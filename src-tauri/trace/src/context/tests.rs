//! Context at every step of a run, finished or not.

use serde_json::{Value, json};

use super::super::open_run::OpenRun;
use super::super::{FinishReason, RunStatus, SkillInContext, StepKind, fold, sample};
use super::*;

/// The context at a step, from all of the record.
fn context_at(events: &[Event], step: u32) -> Option<ContextAtStep> {
    OpenRun::of(events).context_among(step, events)
}

/// The same, put together without any checkpoint.
pub(crate) fn plainly(events: &[Event], step: u32) -> Option<ContextAtStep> {
    let mut fold = fold::Fold::new();
    let mut begun = Vec::new();
    for (place, event) in events.iter().enumerate() {
        fold.apply(event);
        begun.resize(fold.steps().len(), place);
    }
    let here = &events[*begun.get(step as usize)?];
    let own: Vec<&Event> = events.iter().filter(|event| event.within == here.within).collect();
    let place = own.iter().position(|event| event.seq == here.seq)?;
    let begun = match &events.first()?.kind {
        EventKind::Started { setup } => Some((events[0].seq, setup)),
        _ => None,
    };
    let imported = begun.is_some_and(|(_, setup)| setup.imported.is_some());
    let further = events.iter().filter_map(|event| match &event.kind {
        EventKind::Continued { setup } | EventKind::Forked { setup, .. } => Some((event.seq, setup)),
        _ => None,
    });
    let ours = further.clone().find(|(_, setup)| setup.imported.is_none());
    let sent = if imported { ours.map_or(u32::MAX, |(seq, _)| seq) } else { 0 };
    let context = View::at(&own, place).against(View::before(&own, place), step, sent);
    let mut skills: Vec<SkillInContext> = Vec::new();
    for loaded in fold.steps().iter().take(step as usize + 1).filter(|step| step.within == here.within) {
        let StepKind::Tool { call, disclosed, reply: Some(reply), wire, .. } = &loaded.kind else { continue };
        let harness::Disclosure::Instructions { skill } = disclosed else { continue };
        let is_there = |message: &ContextMessage| {
            message.call_id.as_ref() == Some(&call.id) && skills::holds(&message.text, reply, wire.as_deref())
        };
        let load = SkillInContext {
            skill: skill.clone(),
            since: loaded.index,
            tokens: loaded.added_tokens,
            compacted: !context.messages.iter().any(is_there),
        };
        match skills.iter_mut().find(|known| known.skill == *skill) {
            Some(known) if known.compacted => *known = load,
            Some(_) => {}
            None => skills.push(load),
        }
    }
    let leads = |setup: &RunSetup| setup.forked.is_some() || (imported && setup.imported.is_none());
    let led = begun.into_iter().chain(further.filter(|(_, setup)| leads(setup))).rfind(|(seq, _)| *seq <= here.seq);
    let groups = led.map(|(_, setup)| groups(&setup.groups, &context.tools)).unwrap_or_default();
    Some(ContextAtStep { groups, skills, ..context })
}

fn message(role: Role, text: &str, origin: Option<Origin>, tokens: u32) -> ContextMessage {
    let end = text.encode_utf16().count();
    let mark = origin.map(|origin| OriginMark { span: Span::new(0, end), origin });
    ContextMessage {
        images: Vec::new(),
        documents: Vec::new(),
        role,
        text: text.into(),
        calls: Vec::new(),
        call_id: None,
        marks: Vec::from_iter(mark),
        tokens,
        added: false,
        reconstructed: false,
        cache_point: false,
    }
}

fn reply(call_id: &str, text: &str) -> ContextMessage {
    let origin = Origin::Tool { tool: "tool".into() };
    let sent = message(Role::Tool, &sample::json_string(text), Some(origin), 20);
    ContextMessage { call_id: Some(call_id.into()), ..sent }
}

fn ask(call: &ToolCall) -> ContextMessage {
    ContextMessage { calls: vec![call.clone()], ..message(Role::Assistant, "", None, 10) }
}

fn added(message: ContextMessage) -> ContextMessage {
    ContextMessage { added: true, ..message }
}

fn tool(added: bool) -> ContextTool {
    let body: Value = serde_json::from_str(&sample::body(&[])).unwrap();
    ContextTool { name: "load_skill".into(), json: format!("{:#}", body["tools"][0]), added, cache_point: false }
}

/// The skill that the third of the seven messages brings.
fn loaded() -> SkillInContext {
    SkillInContext { skill: "unit-converter".into(), since: 2, tokens: 20, compacted: false }
}

/// The bodies of the requests of the seven messages.
fn bodies(events: &[Event]) -> Vec<String> {
    let body = |event: &Event| match &event.kind {
        EventKind::Requested { body, .. } => Some(body.clone()),
        _ => None,
    };
    events.iter().filter_map(body).collect()
}

/// System, user, and then the calls with their replies, as the requests of the seven messages have them.
fn history() -> Vec<ContextMessage> {
    let events = sample::seven_messages();
    let calls: Vec<_> = events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::Called { call, .. } => Some(call.clone()),
            _ => None,
        })
        .collect();
    vec![
        message(Role::System, sample::CATALOGUE, Some(Origin::Framework), 100),
        message(Role::User, sample::PROMPT, Some(Origin::User), 5),
        ask(&calls[0]),
        reply("call_1", sample::INSTRUCTIONS),
        ask(&calls[1]),
        reply("call_2", sample::TABLE),
        ask(&calls[2]),
        reply("call_3", sample::PRINTED),
    ]
}

#[test]
fn every_step_of_the_seven_messages_shows_recorded_bytes() {
    let events = sample::seven_messages();
    let bodies = bodies(&events);
    // Of each step: its request, how many messages of it, from which on they are new, tokens.
    let expected = [
        (0, 2, 0, 105),
        (0, 2, 0, 105),
        (1, 4, 2, 135),
        (1, 4, 2, 135),
        (2, 6, 4, 165),
        (2, 6, 4, 165),
        (3, 8, 6, 195),
        (3, 8, 6, 195),
    ];
    for (step, (request, shown, new, tokens)) in (0..).zip(expected) {
        let messages = history().into_iter().take(shown).enumerate();
        let expected = ContextAtStep {
            step,
            groups: Vec::new(),
            body: Some(bodies[request].clone()),
            exact: true,
            tools: vec![tool(request == 0)],
            messages: messages.map(|(place, sent)| if place < new { sent } else { added(sent) }).collect(),
            skills: if step < 2 { Vec::new() } else { vec![loaded()] },
            tokens,
        };
        assert_eq!(context_at(&events, step), Some(expected), "step {step}");
    }
    assert_eq!(context_at(&events, 8), None);
}

#[test]
fn what_no_request_holds_yet_is_marked_reconstructed() {
    let mut events = sample::seven_messages();
    let second = events.iter().rposition(|event| matches!(event.kind, EventKind::Requested { turn: 1, .. })).unwrap();
    events.truncate(second);
    let mut messages = history();
    messages.truncate(4);
    messages[2] = ContextMessage { tokens: 9, reconstructed: true, ..added(messages[2].clone()) };
    messages[3] = ContextMessage { reconstructed: true, ..added(messages[3].clone()) };
    messages[3].marks[0].origin = Origin::Tool { tool: "load_skill".into() };
    let expected = ContextAtStep {
        step: 2,
        groups: Vec::new(),
        body: bodies(&events).pop(),
        exact: false,
        tools: vec![tool(false)],
        messages,
        skills: vec![loaded()],
        tokens: 134,
    };
    assert_eq!(context_at(&events, 2), Some(expected));
}

#[test]
fn before_the_first_request_there_is_only_the_prompt() {
    let prompt = message(Role::User, sample::PROMPT, Some(Origin::User), 0);
    let expected = ContextAtStep {
        step: 0,
        groups: Vec::new(),
        body: None,
        exact: false,
        tools: Vec::new(),
        messages: vec![ContextMessage { reconstructed: true, ..added(prompt) }],
        skills: Vec::new(),
        tokens: 100,
    };
    assert_eq!(context_at(&sample::seven_messages()[..1], 0), Some(expected));
}

#[test]
fn calls_of_one_answer_add_their_replies_one_by_one() {
    let (first, second) = (sample::call("a", "load_skill", "{}"), sample::call("b", "load_skill", "{}"));
    let both = serde_json::json!({"role": "assistant", "content": "", "tool_calls": [
        {"id": "a", "function": {"name": "load_skill", "arguments": "{}"}},
        {"id": "b", "function": {"name": "load_skill", "arguments": "{}"}},
    ]});
    let start = vec![sample::system(), sample::user()];
    let sent = [start.clone(), vec![both, sample::result("a", "one"), sample::result("b", "two")]].concat();
    let mut events = sample::events_of([
        EventKind::Started { setup: sample::setup() },
        sample::requested(0, &start),
        sample::answered(0, "", &[&first, &second]),
        sample::called(0, &first, harness::Disclosure::None),
        sample::replied("a", "one"),
        sample::called(0, &second, harness::Disclosure::None),
        sample::replied("b", "two"),
        sample::requested(1, &sent),
        EventKind::noted(wording::Message::quoted("nothing new")),
    ]);
    let brief = |events: &[Event], step| {
        let context = context_at(events, step).unwrap();
        let messages = context.messages.iter().map(|message| message.added).collect::<Vec<_>>();
        (messages, context.exact, context.tokens)
    };
    assert_eq!(brief(&events, 2), (vec![false, false, true, true], true, 135));
    assert_eq!(brief(&events, 3), (vec![false, false, false, false, true], true, 155));
    assert_eq!(brief(&events, 4), (vec![false, false, true, true, true], true, 155));
    assert_eq!(brief(&events, 5), (vec![false; 5], true, 155), "a note adds nothing");

    events.truncate(7);
    assert_eq!(brief(&events, 2), (vec![false, false, true, true], false, 134));
    assert_eq!(brief(&events, 3), (vec![false, false, false, false, true], false, 154));
}

#[test]
fn marks_count_utf16_units_and_stay_within_the_text() {
    let text = "a公😀b";
    let mark = |start, end| OriginMark { span: Span { start, end }, origin: Origin::User };
    let bytes = [mark(0, 1), mark(1, 4), mark(4, 8), mark(8, 99), mark(2, 8), mark(50, 60), mark(9, 3)];
    assert_eq!(in_utf16(&bytes, text), [mark(0, 1), mark(1, 2), mark(2, 4), mark(4, 5), mark(1, 4)]);
}

#[test]
fn an_end_shows_the_context_it_found() {
    let mut events = sample::seven_messages();
    events.truncate(2);
    let kind = EventKind::Ended { status: RunStatus::Stopped, error: None, zh: None, reached: None };
    events.push(Event { seq: 2, at: sample::STARTED_AT + 20, within: None, kind });
    let steps = fold::steps(&events);
    assert_eq!(
        steps[2].kind,
        StepKind::End { status: RunStatus::Stopped, error: None, why: None, zh: None, reached: None }
    );
    let answer = context_at(&events, 1).unwrap();
    let mut expected = ContextAtStep { step: 2, ..answer };
    expected.messages.iter_mut().for_each(|message| message.added = false);
    expected.tools.iter_mut().for_each(|tool| tool.added = false);
    assert_eq!(context_at(&events, 2), Some(expected));
}

#[test]
fn an_answer_without_calls_is_not_in_its_own_context() {
    let said = Message { role: Role::Assistant, parts: vec![Part::Text { text: "hello".into() }] };
    let events = sample::events_of([
        sample::requested(0, &[sample::user()]),
        EventKind::Answered { turn: 0, message: said, usage: None, finish: FinishReason::Stop, tokens: 0 },
    ]);
    let messages = context_at(&events, 0).unwrap().messages;
    assert_eq!(messages, [added(message(Role::User, sample::PROMPT, Some(Origin::User), 5))]);
}

#[test]
fn a_step_of_a_sub_agent_shows_the_sub_agents_request() {
    let events = sample::delegated();
    let brief = |step| {
        let context = context_at(&events, step).unwrap();
        let messages = context.messages.into_iter().map(|message| (message.text, message.tokens, message.added));
        (messages.collect::<Vec<_>>(), context.exact, context.tokens)
    };
    let message = |text: &str, tokens, added| (text.to_owned(), tokens, added);
    let seven = sample::json_string("7");
    assert_eq!(brief(3), (vec![message("Count.", 5, true)], true, 5), "its first request");
    let replied = vec![message("Count.", 5, false), message("", 10, true), message(&seven, 20, true)];
    assert_eq!(brief(4), (replied.clone(), true, 35));
    assert_eq!(brief(5), (replied, true, 35));

    let outer = vec![
        message(sample::CATALOGUE, 100, false),
        message(sample::PROMPT, 5, false),
        message("", 10, true),
        message(&sample::json_string("Seven."), 20, true),
    ];
    assert_eq!(brief(2), (outer.clone(), true, 135), "the call that delegates is about the run's own conversation");
    assert_eq!(brief(7), (outer, true, 135));
}

#[test]
fn origins_that_a_request_keeps_are_those_of_the_requests_before() {
    let mut messages = vec![sample::system(), sample::user()];
    let mut kinds = vec![sample::requested(0, &messages)];
    for turn in 1..4 {
        let kept = messages.len();
        messages.push(sample::result("a", &turn.to_string()));
        kinds.push(sample::kept(u32::try_from(kept).unwrap(), sample::requested(turn, &messages)));
    }
    // The framework summed up all but the first message.
    let short = vec![sample::system(), serde_json::json!({"role": "user", "content": "summary"})];
    kinds.push(sample::kept(1, sample::requested(4, &short)));
    let kept = sample::events_of(kinds);
    for (step, messages) in [(3, &messages), (4, &short)] {
        let whole = sample::events_of([sample::requested(step, messages)]);
        let shown = |events, step| {
            let context = context_at(events, step).unwrap();
            context.messages.into_iter().map(|message| (message.marks, message.tokens)).collect::<Vec<_>>()
        };
        assert_eq!(shown(&kept, step), shown(&whole, 0));
    }
}

#[test]
fn origins_are_found_in_a_protocol_that_moves_and_leaves_out_messages() {
    use model::protocol::Protocol;
    use model::{ModelRequest, Sampling, ToolResult, tokens};

    let calls = ["a", "b"].map(|id| sample::call(id, "load_skill", "{ }"));
    let result = |id: &str, text: &str| {
        Message::tool_result(ToolResult { call_id: id.into(), text: text.into(), wire: None, is_error: false })
    };
    let history = vec![
        Message::system("Help."),
        Message::user("hi"),
        Message::tool_calls(calls.clone()),
        result("a", "one"),
        result("b", "two"),
        Message::assistant(" "),
        Message::system("Be brief."),
    ];
    let origins = history.iter().map(|message| {
        let text = message.results().next().map_or_else(|| message.text(), |result| result.text.clone());
        let called: u32 = message.calls().map(|it| tokens::count(&it.name) + tokens::count(&it.arguments)).sum();
        let span = Span::new(0, text.len());
        let marks =
            if message.role == Role::Assistant { vec![] } else { vec![OriginMark { span, origin: Origin::User }] };
        MessageOrigin { role: message.role, marks, tokens: tokens::count(&text) + called }
    });
    let origins: Vec<_> = origins.collect();
    let request = ModelRequest { messages: history, ..ModelRequest::default() };
    let body = Protocol::Anthropic.encode("m", &request, true, &Sampling::default());
    let sent = EventKind::Requested {
        turn: 0,
        body,
        kept: 0,
        origins: origins.clone(),
        tokens: 9,
        model: None,
        agents: Vec::new(),
    };
    let messages = context_at(&sample::events_of([sent]), 0).unwrap().messages;
    let of = |role, text: &str, place: usize| {
        let origin = (role != Role::Assistant).then_some(Origin::User);
        added(message(role, text, origin, origins[place].tokens))
    };
    let replied =
        |id: &str, text: &str, place| ContextMessage { call_id: Some(id.into()), ..of(Role::Tool, text, place) };
    assert_eq!(
        messages,
        [
            of(Role::System, "Help.", 0),
            of(Role::User, "hi", 1),
            ContextMessage { calls: calls.to_vec(), ..of(Role::Assistant, "", 2) },
            replied("a", "one", 3),
            replied("b", "two", 4),
            of(Role::User, "Be brief.", 6),
        ]
    );
}

#[test]
fn shows_where_cache_points_are() {
    let body = |first: bool| {
        let point = |is: bool| if is { json!({"type": "ephemeral"}) } else { json!(null) };
        json!({
            "tools": [{"name": "f", "input_schema": {}}, {"name": "g", "input_schema": {}, "cache_control": point(true)}],
            "system": [{"type": "text", "text": "Be brief.", "cache_control": point(true)}],
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "hi", "cache_control": point(first)}]},
                {"role": "assistant", "content": [{"type": "text", "text": "yes", "cache_control": point(!first)}]},
            ],
        })
        .to_string()
    };
    let sent = |turn: u32| EventKind::Requested {
        turn,
        body: body(turn == 0),
        kept: 0,
        origins: Vec::new(),
        tokens: 9,
        model: None,
        agents: Vec::new(),
    };
    let events = sample::events_of([EventKind::Started { setup: sample::setup() }, sent(0), sent(1)]);
    let points = |step: u32| {
        let context = context_at(&events, step).unwrap();
        let tools: Vec<bool> = context.tools.iter().map(|tool| tool.cache_point).collect();
        let messages: Vec<bool> = context.messages.iter().map(|message| message.cache_point).collect();
        let added = context.messages.iter().any(|message| message.added);
        (tools, messages, added)
    };
    assert_eq!(points(1), (vec![false, true], vec![true, true, false], true));
    assert_eq!(points(2), (vec![false, true], vec![true, false, true], false), "a point that moves adds no message");
}

#[test]
fn what_a_framework_puts_behind_the_last_reply_is_there_with_it() {
    let system = json!({"role": "system", "content": "Skills: a"});
    let prompt = json!({"role": "user", "content": "go"});
    let call = |id: &str| ToolCall::new(id, "load", "{}");
    let asked = json!({"role": "assistant", "content": null, "tool_calls": [
        {"id": "1", "type": "function", "function": {"name": "load", "arguments": "{}"}},
        {"id": "2", "type": "function", "function": {"name": "load", "arguments": "{}"}},
    ]});
    let reply = |id: &str| json!({"role": "tool", "tool_call_id": id, "content": id});
    let called = |id: &str| EventKind::Called { turn: 0, call: call(id), disclosure: harness::Disclosure::None };
    let replied = |id: &str| EventKind::Replied {
        images: Vec::new(),
        documents: Vec::new(),
        call_id: id.into(),
        text: id.into(),
        wire: None,
        is_error: false,
        tokens: 20,
    };
    let message = Message::tool_calls([call("1"), call("2")]);
    let answered = EventKind::Answered { turn: 0, message, usage: None, finish: FinishReason::ToolCalls, tokens: 10 };
    let first = [prompt.clone(), system.clone()];
    let second = [prompt, asked, reply("1"), reply("2"), system];
    let events = sample::events_of([
        EventKind::Started { setup: sample::setup() },
        sample::requested(0, &first),
        answered,
        called("1"),
        replied("1"),
        called("2"),
        replied("2"),
        sample::requested(1, &second),
    ]);
    let steps = fold::steps(&events);
    let at = |step: u32| {
        let context = context_at(&events, step).unwrap();
        (context.messages.len(), context.tokens)
    };
    let whole = 5 + 10 + 20 + 20 + 100;
    assert_eq!(at(2).0, 3, "the second reply is not there yet");
    assert_eq!((at(3), steps[3].context_tokens), ((5, whole), whole), "and the catalogue, which comes last");
}
