//! Steps of whole runs, and of events that no run should send.

use super::super::{Decision, Departures, Enforcement, ForkedFrom, Layer, Reached, Subject, sample};
use super::*;
use harness::{Effect, ScriptOutput};
use model::{FinishReason, ModelError, Usage};

fn step(index: u32, at: Millis, took: Millis, turn: Option<u32>, tokens: (u32, u32), kind: StepKind) -> Step {
    Step {
        index,
        // Events are ten milliseconds apart.
        event: u32::try_from(at / 10).unwrap(),
        at: sample::STARTED_AT + at,
        took: Some(took),
        within: None,
        turn,
        state: StepState::Done,
        question: None,
        kind,
        added_tokens: tokens.0,
        context_tokens: tokens.1,
        brief: false,
    }
}

fn answer(text: &str, calls: &[ToolCall], first_token: Option<Millis>) -> StepKind {
    StepKind::Answer {
        text: text.into(),
        reasoning: String::new(),
        calls: calls.to_vec(),
        usage: Some(Usage { input: 1, output: 9, cached: 0, cache_written: 0 }),
        spent: Some(Spent { input: 1, output: 9, ..Spent::default() }),
        model: None,
        agents: Vec::new(),
        finish: Some(if calls.is_empty() { FinishReason::Stop } else { FinishReason::ToolCalls }),
        cut: None,
        first_token,
        error: None,
        hint: None,
        why: None,
        edited: false,
        raw: None,
    }
}

fn tool(call: &ToolCall, disclosure: Disclosure, reply: &str) -> StepKind {
    let StepKind::Tool { call, disclosure, asked, decision, output, files, .. } = unreplied(call, &disclosure) else {
        unreachable!("a tool step")
    };
    let (reply, wire) = (Some(reply.into()), Some(sample::json_string(reply)));
    let disclosed = disclosure.clone();
    StepKind::Tool {
        call,
        disclosure,
        disclosed,
        asked,
        ran: None,
        leads_to: None,
        digest: None,
        enforcement: None,
        skills: Vec::new(),
        decision,
        standing: None,
        output,
        files,
        reply,
        images: Vec::new(),
        documents: Vec::new(),
        wire,
    }
}

#[test]
fn seven_messages_are_eight_steps() {
    let load = sample::call("call_1", "load_skill", r#"{"skillName":"unit-converter"}"#);
    let read = sample::call(
        "call_2",
        "read_skill_resource",
        r#"{"skillName":"unit-converter","resourceName":"references/conversion-table.md"}"#,
    );
    let convert = sample::call(
        "call_3",
        "run_skill_script",
        r#"{"skillName":"unit-converter","scriptName":"scripts/convert.py","arguments":{"value":1,"factor":2.20462}}"#,
    );
    let skill = String::from("unit-converter");
    let mut ran = tool(
        &convert,
        Disclosure::Script { skill: skill.clone(), script: "scripts/convert.py".into() },
        sample::PRINTED,
    );
    if let StepKind::Tool { asked, decision, output, .. } = &mut ran {
        *asked = Some(Box::new(sample::script()));
        *decision = Some(Decision::Allow { arguments: None, for_run: false });
        *output = Some(Box::new(ScriptOutput {
            stdout: format!("{}\n", sample::PRINTED),
            stderr: String::new(),
            exit_code: Some(0),
            timed_out: false,
            truncated: false,
            took: 30,
        }));
    }
    let read_disclosure =
        Disclosure::Resource { skill: skill.clone(), resource: "references/conversion-table.md".into() };
    let expected = vec![
        step(
            0,
            0,
            0,
            None,
            (105, 105),
            StepKind::Prompt { text: sample::PROMPT.into(), images: Vec::new(), setup: None, skills: Vec::new() },
        ),
        step(1, 10, 10, Some(0), (10, 115), answer("", std::slice::from_ref(&load), None)),
        step(2, 30, 10, Some(0), (20, 135), tool(&load, Disclosure::Instructions { skill }, sample::INSTRUCTIONS)),
        step(3, 50, 10, Some(1), (10, 145), answer("", std::slice::from_ref(&read), None)),
        step(4, 70, 10, Some(1), (20, 165), tool(&read, read_disclosure, sample::TABLE)),
        step(5, 90, 10, Some(2), (10, 175), answer("", std::slice::from_ref(&convert), None)),
        step(6, 110, 40, Some(2), (20, 195), ran),
        step(7, 160, 30, Some(3), (9, 204), answer(sample::ANSWER, &[], Some(10))),
    ];
    let fold = replay(&sample::seven_messages());
    assert_eq!(fold.steps(), expected);
    let summary = RunSummary {
        id: sample::run_id(),
        setup: sample::setup(),
        status: RunStatus::Done,
        error: None,
        started_at: sample::STARTED_AT,
        ended_at: Some(sample::STARTED_AT + 200),
        steps: 8,
        prompts: 1,
        context_tokens: 195,
        spent: Spent { input: 4, output: 36, ..Spent::default() },
        departures: Departures::default(),
        bundled: false,
        verdict: None,
        pinned: false,
        unsaved: None,
    };
    assert_eq!(fold.summary(sample::run_id(), false), Some(summary));
}

#[test]
fn waits_while_the_user_is_asked() {
    let events = sample::seven_messages();
    let until = |kind: fn(&EventKind) -> bool| {
        let last = events.iter().position(|event| kind(&event.kind)).unwrap();
        let step = steps(&events[..=last]).pop().unwrap();
        (step.state, step.question.map(|number| events[number as usize].kind.word()))
    };
    assert_eq!(
        until(|kind| matches!(kind, EventKind::ApprovalAsked { .. })),
        (StepState::Waiting, Some("approvalAsked"))
    );
    assert_eq!(until(|kind| matches!(kind, EventKind::ApprovalGiven { .. })), (StepState::Running, None));
    assert_eq!(until(|kind| matches!(kind, EventKind::Performed { .. })), (StepState::Running, None));
}

#[test]
fn calls_that_did_something_else_than_the_model_asked_for_are_counted_as_they_were_decided_last() {
    let given = |decision: &Decision| {
        let mut events = sample::seven_messages();
        let at = events.iter().position(|event| matches!(event.kind, EventKind::ApprovalGiven { .. })).unwrap();
        if let EventKind::ApprovalGiven { decision: before, .. } = &mut events[at].kind {
            *before = decision.clone();
        }
        events.truncate(at + 1);
        events
    };
    let departures = |events: &[Event]| replay(events).summary(sample::run_id(), false).unwrap().departures;
    let allowed = |arguments: Option<&str>| Decision::Allow { arguments: arguments.map(str::to_owned), for_run: false };
    let (deny, stub) = (Decision::Deny { reason: None }, Decision::Stub { text: String::new() });
    for (decision, expected) in [
        (allowed(None), Departures::default()),
        (allowed(Some("{}")), Departures { edited: 1, ..Departures::default() }),
        (deny.clone(), Departures { denied: 1, ..Departures::default() }),
        (stub.clone(), Departures { stubbed: 1, ..Departures::default() }),
    ] {
        assert_eq!(departures(&given(&decision)), expected, "{decision:?}");
    }
    let mut twice = given(&stub);
    let (asked, answer) = (twice[twice.len() - 2].clone(), twice[twice.len() - 1].clone());
    twice.push(Event { seq: answer.seq + 1, ..asked });
    let EventKind::ApprovalGiven { call_id, .. } = answer.kind else { panic!("the last event is the answer") };
    twice.push(Event { seq: answer.seq + 2, kind: EventKind::ApprovalGiven { call_id, decision: deny }, ..answer });
    assert_eq!(departures(&twice), Departures { denied: 1, ..Departures::default() });
}

#[test]
fn an_interrupted_run_ended_with_its_last_event() {
    let mut events = sample::seven_messages();
    events.truncate(12);
    let last = events[11].at;
    let ended = EventKind::Ended { status: RunStatus::Interrupted, error: None, zh: None, reached: None };
    events.push(Event { seq: 12, at: last + 86_400_000, within: None, kind: ended });
    let fold = replay(&events);
    let summary = fold.summary(sample::run_id(), false).unwrap();
    assert_eq!((summary.status, summary.ended_at), (RunStatus::Interrupted, Some(last)));
    let tail: Vec<_> = fold.steps()[6..].iter().map(|step| (step.state, step.took, step.at)).collect();
    assert_eq!(tail, [(StepState::Stopped, Some(0), last), (StepState::Stopped, Some(0), last)]);
    assert_eq!(
        fold.steps()[7].kind,
        StepKind::End { status: RunStatus::Interrupted, error: None, why: None, zh: None, reached: None }
    );
}

#[test]
fn the_end_tells_which_limit_it_came_by() {
    let reached = Some(Reached::Seconds { seconds: 60 });
    let worded = reached.as_ref().map(Reached::worded);
    let ended = EventKind::ended(RunStatus::Limited, worded.clone(), reached.clone());
    let events = sample::events_of([EventKind::Started { setup: sample::setup() }, ended]);
    let (error, zh) = worded.map(|worded| (worded.en, worded.zh)).unzip();
    let end = StepKind::End { status: RunStatus::Limited, error, zh, why: None, reached };
    assert_eq!(replay(&events).steps().last().map(|step| &step.kind), Some(&end));
}

#[test]
fn a_failed_request_keeps_what_the_server_said() {
    let events = sample::events_of([
        EventKind::Started { setup: sample::setup() },
        sample::requested(0, &[sample::system(), sample::user()]),
        EventKind::Failed {
            turn: 0,
            message: "answered 401".into(),
            hint: Some("check the key".into()),
            raw: "{}".into(),
            why: Some(ModelError::Silent),
        },
        EventKind::Ended { status: RunStatus::Failed, error: Some("answered 401".into()), zh: None, reached: None },
    ]);
    let fold = replay(&events);
    let mut failed = unanswered();
    if let StepKind::Answer { error, hint, raw, why, .. } = &mut failed {
        *error = Some("answered 401".into());
        *hint = Some("check the key".into());
        *raw = Some("{}".into());
        *why = Some(Box::new(ModelError::Silent));
    }
    let kinds: Vec<_> = fold.steps().iter().map(|step| (step.state, step.kind.clone())).collect();
    let error = Some("answered 401".into());
    let end = StepKind::End {
        status: RunStatus::Failed,
        error,
        why: Some(Box::new(ModelError::Silent)),
        zh: None,
        reached: None,
    };
    let prompt = StepKind::Prompt { text: sample::PROMPT.into(), images: Vec::new(), setup: None, skills: Vec::new() };
    assert_eq!(kinds, [(StepState::Done, prompt), (StepState::Failed, failed), (StepState::Failed, end)]);
    assert_eq!(fold.error(), Some("answered 401"));
}

#[test]
fn replies_reach_calls_of_the_same_id_in_order() {
    let first = sample::call("call_0", "load_skill", "{}");
    let second = sample::call("call_0", "load_skill", r#"{"skillName":"b"}"#);
    let events = sample::events_of([
        sample::called(0, &first, Disclosure::None),
        sample::called(0, &second, Disclosure::None),
        sample::replied("call_0", "one"),
        sample::replied("call_0", "two"),
    ]);
    let expected = [tool(&first, Disclosure::None, "one"), tool(&second, Disclosure::None, "two")];
    assert_eq!(steps(&events).into_iter().map(|step| step.kind).collect::<Vec<_>>(), expected);
}

#[test]
fn nothing_happens_after_the_end() {
    let mut fold = replay(&sample::seven_messages());
    let before = fold.clone();
    let late = Event { seq: 99, at: 0, within: None, kind: EventKind::noted(wording::Message::quoted("late")) };
    assert_eq!((fold.apply(&late), fold), (vec![], before));
}

proptest::proptest! {
    #[test]
    fn a_view_patched_with_the_changed_steps_is_the_whole(events in sample::any_events()) {
        let mut fold = Fold::new();
        let mut view: Vec<Step> = Vec::new();
        for event in &events {
            for place in fold.apply(event) {
                let step = fold.steps()[place as usize].clone();
                match view.get_mut(place as usize) {
                    Some(shown) => *shown = step,
                    None => view.push(step),
                }
            }
        }
        proptest::prop_assert_eq!(&view, &steps(&events));
        proptest::prop_assert!(view.iter().zip(0..).all(|(step, place)| step.index == place));
    }
}

#[test]
fn an_approval_may_be_for_a_file() {
    let call = sample::call("call_1", "read", "{}");
    let effect = Effect::ReadFile { path: "/skills/a.md".into(), approval: false };
    let events = sample::events_of([
        sample::called(0, &call, Disclosure::None),
        EventKind::ApprovalAsked {
            call_id: "call_1".into(),
            effect: effect.clone(),
            subject: Subject {
                leads_to: Some("/private/a.md".into()),
                enforcement: Some(confined()),
                ..Subject::default()
            },
        },
        EventKind::ApprovalGiven { call_id: "call_1".into(), decision: Decision::Deny { reason: None } },
        EventKind::Replied {
            images: Vec::new(),
            documents: Vec::new(),
            call_id: "call_1".into(),
            text: "rejected".into(),
            wire: None,
            is_error: true,
            tokens: 2,
        },
    ]);
    let expected = Step {
        index: 0,
        event: 0,
        at: sample::STARTED_AT,
        took: Some(30),
        within: None,
        turn: Some(0),
        state: StepState::Failed,
        question: None,
        kind: StepKind::Tool {
            call,
            disclosure: Disclosure::None,
            disclosed: Disclosure::None,
            asked: Some(Box::new(effect)),
            ran: None,
            leads_to: Some("/private/a.md".into()),
            digest: None,
            enforcement: Some(Box::new(confined())),
            skills: Vec::new(),
            standing: None,
            decision: Some(Decision::Deny { reason: None }),
            output: None,
            files: Vec::new(),
            reply: Some("rejected".into()),
            images: Vec::new(),
            documents: Vec::new(),
            wire: None,
        },
        added_tokens: 2,
        context_tokens: 2,
        brief: false,
    };
    assert_eq!(steps(&events), [expected]);
}

#[test]
fn what_edited_arguments_came_to_is_kept_next_to_what_was_asked() {
    let call = sample::call("call_1", "run", "{}");
    let edited = Effect::Shell { command: "ls".into(), working_directory: None, timeout: None };
    let events = sample::events_of([
        sample::called(0, &call, Disclosure::None),
        sample::asked("call_1", sample::script()),
        EventKind::ApprovalGiven {
            call_id: "call_1".into(),
            decision: Decision::Allow { arguments: Some("{\"x\":1}".into()), for_run: false },
        },
        EventKind::Agreed { call_id: "call_1".into(), effect: edited.clone(), subject: Subject::default() },
        sample::replied("call_1", "done"),
    ]);
    let both = steps(&events).into_iter().map(|step| match step.kind {
        StepKind::Tool { asked, ran, .. } => (asked, ran),
        other => panic!("{other:?}"),
    });
    assert_eq!(both.collect::<Vec<_>>(), [(Some(Box::new(sample::script())), Some(Box::new(edited)))]);
}

#[test]
fn a_sub_agent_counts_its_own_turns_and_its_own_context() {
    let brief = |step: Step| {
        let name = match &step.kind {
            StepKind::Tool { call, reply, .. } => format!("{} {}", call.name, reply.as_deref().unwrap_or_default()),
            StepKind::Answer { text, .. } => format!("answer {text}"),
            StepKind::Note { text, .. } => text.clone(),
            StepKind::Prompt { .. } => "prompt".into(),
            StepKind::End { .. } => "end".into(),
        };
        let within = step.within.unwrap_or_default();
        (name, within, step.turn, step.added_tokens, step.context_tokens)
    };
    let found: Vec<_> = steps(&sample::delegated()).into_iter().map(brief).collect();
    let step = |name: &str, within: &str, turn, added, context| (name.into(), within.into(), turn, added, context);
    let expected: Vec<(String, String, Option<u32>, u32, u32)> = vec![
        step("prompt", "", None, 105, 105),
        step("answer ", "", Some(0), 10, 115),
        step("task Seven.", "", Some(0), 20, 135),
        step("answer ", "a", Some(0), 10, 15),
        step("bash 7", "a", Some(0), 20, 35),
        step("answer Seven.", "a", Some(1), 9, 44),
        step("counted", "a", Some(1), 0, 44),
        step("answer It is seven.", "", Some(1), 9, 144),
    ];
    assert_eq!(found, expected);
    let summary = replay(&sample::delegated()).summary(sample::run_id(), false).unwrap();
    assert_eq!(summary.context_tokens, 135, "of the run's own conversation");
}

#[test]
fn what_a_framework_says_behind_a_reply_counts_to_the_call() {
    let load = sample::call("call_1", "Skill", r#"{"command":"unit-converter"}"#);
    let sent = [sample::system(), sample::user(), sample::asks(&load), sample::result("call_1", "Launching")];
    let told = [&sent[..], &[sample::user()]].concat();
    let fold = replay(&sample::events_of([
        EventKind::Started { setup: sample::setup() },
        sample::requested(0, &sent[..2]),
        sample::answered(0, "", &[&load]),
        sample::called(0, &load, Disclosure::None),
        sample::replied("call_1", "Launching"),
        sample::requested(1, &told),
    ]));
    let tokens: Vec<(u32, u32)> = fold.steps().iter().map(|step| (step.added_tokens, step.context_tokens)).collect();
    assert_eq!(tokens, [(105, 105), (10, 115), (25, 140), (0, 140)]);
}

#[test]
fn what_stop_left_open_reads_stopped() {
    let mut events = sample::delegated();
    events.truncate(7);
    let kind = EventKind::Ended { status: RunStatus::Stopped, error: None, zh: None, reached: None };
    events.push(Event { seq: 7, at: sample::STARTED_AT + 70, within: None, kind });
    let states: Vec<_> = steps(&events).into_iter().map(|step| step.state).collect();
    let (done, stopped) = (StepState::Done, StepState::Stopped);
    assert_eq!(states, [done, done, stopped, done, stopped, stopped], "both calls, and how the run ended");
}

#[test]
fn only_a_reply_that_succeeds_discloses() {
    let disclosure = Disclosure::Instructions { skill: "a".into() };
    let disclosed = |between: Option<EventKind>, is_error: bool| {
        let call = sample::call("c", "load_skill", "{}");
        let kind = EventKind::Replied {
            images: Vec::new(),
            documents: Vec::new(),
            call_id: "c".into(),
            text: "x".into(),
            wire: None,
            is_error,
            tokens: 1,
        };
        let kinds = [sample::called(0, &call, disclosure.clone())].into_iter().chain(between).chain([kind]);
        let Some(StepKind::Tool { disclosed, .. }) = steps(&sample::events_of(kinds)).pop().map(|step| step.kind)
        else {
            panic!("a tool step")
        };
        disclosed
    };
    let decided = |decision| Some(EventKind::ApprovalGiven { call_id: "c".into(), decision });
    assert_eq!(disclosed(None, false), disclosure);
    assert_eq!(disclosed(decided(Decision::Allow { arguments: None, for_run: false }), false), disclosure);
    assert_eq!(disclosed(None, true), Disclosure::None);
    assert_eq!(disclosed(decided(Decision::Deny { reason: None }), false), Disclosure::None);
    assert_eq!(disclosed(decided(Decision::Stub { text: "x".into() }), false), Disclosure::None);
}

#[test]
fn what_the_framework_wants_before_a_request_is_a_step_that_waits() {
    let effect = Effect::WriteFile { path: "log".into(), text: "x".into() };
    let asked = |call_id: &str| sample::asked(call_id, effect.clone());
    let given = |call_id: &str, decision| EventKind::ApprovalGiven { call_id: call_id.into(), decision };
    let file = super::super::WrittenFile { path: "log".into(), size: 1 };
    let events = sample::events_of([
        EventKind::Started { setup: sample::setup() },
        asked("before-0"),
        given("before-0", Decision::Allow { arguments: None, for_run: false }),
        EventKind::Performed {
            call_id: "before-0".into(),
            output: None,
            files: vec![file.clone()],
            enforcement: None,
            outcome: None,
        },
        asked("before-1"),
        given("before-1", Decision::Deny { reason: None }),
        sample::requested(0, &[sample::user()]),
    ]);
    let state = |count: usize, step: usize| steps(&events[..count])[step].state;
    assert_eq!((state(2, 1), state(3, 1)), (StepState::Waiting, StepState::Running));
    let found = steps(&events);
    assert_eq!((found[1].state, found[2].state), (StepState::Done, StepState::Failed));
    let StepKind::Tool { call, asked, files, .. } = &found[1].kind else { panic!("a tool step") };
    assert_eq!((call.name.as_str(), asked, files), (FRAMEWORK, &Some(Box::new(effect.clone())), &vec![file]));
}

#[test]
fn an_answer_that_may_be_cut_off_is_over_once_the_user_has_chosen() {
    let state = |choice: Option<CutChoice>| {
        let mut kinds = vec![
            EventKind::Started { setup: sample::setup() },
            sample::requested(0, &[]),
            sample::perhaps_cut(0, "Half"),
        ];
        kinds.push(EventKind::CutAsked { turn: 0 });
        kinds.extend(choice.map(|choice| EventKind::CutSettled { turn: 0, choice }));
        let events: Vec<Event> = (0..).zip(kinds).map(|(seq, kind)| Event { seq, at: 0, within: None, kind }).collect();
        let step = steps(&events).pop().unwrap();
        let StepKind::Answer { text, cut, .. } = step.kind else { panic!("an answer") };
        assert_eq!((text.as_str(), cut), ("Half", choice));
        (step.state, step.question)
    };
    let choices = [None, Some(CutChoice::Keep), Some(CutChoice::AskAgain), Some(CutChoice::End)];
    let settled = [StepState::Done, StepState::Stopped, StepState::Failed].map(|state| (state, None));
    assert_eq!(choices.map(state)[0], (StepState::Waiting, Some(3)), "the number of the event that asked");
    assert_eq!(choices.map(state)[1..], settled);
}

fn confined() -> Enforcement {
    Enforcement::full(Layer::Bubblewrap, Some("/usr/bin/python3".into()))
}

#[test]
fn a_step_says_what_confined_what_ran() {
    let performed = EventKind::Performed {
        call_id: "call_3".into(),
        output: None,
        files: Vec::new(),
        enforcement: Some(confined()),
        outcome: None,
    };
    let mut fold = Fold::new();
    let events = sample::seven_messages();
    let place = events.iter().position(|event| matches!(event.kind, EventKind::Performed { .. })).unwrap();
    events[..place].iter().for_each(|event| drop(fold.apply(event)));
    let changed = fold.apply(&Event { kind: performed, ..events[place].clone() });
    let step = &fold.steps()[changed[0] as usize].kind;
    assert!(
        matches!(step, StepKind::Tool { enforcement, .. } if *enforcement == Some(Box::new(confined()))),
        "{step:?}"
    );
}

#[test]
fn token_counts_of_a_run_from_elsewhere_overflow_nothing() {
    let said = |role: &str| serde_json::json!({"role": role, "content": "x"});
    let mut asked = sample::requested(1, &["user", "assistant", "tool", "user", "user"].map(said));
    if let EventKind::Requested { origins, tokens, .. } = &mut asked {
        origins.iter_mut().for_each(|origin| origin.tokens = u32::MAX);
        *tokens = u32::MAX;
    }
    let call = sample::call("c", "load_skill", "{}");
    let events = sample::events_of([
        EventKind::Started { setup: sample::setup() },
        sample::requested(0, &["user"].map(said)),
        sample::answered(0, "", &[&call]),
        sample::called(0, &call, harness::Disclosure::None),
        sample::replied("c", ""),
        asked,
        sample::answered(1, "done", &[]),
    ]);
    assert!(steps(&events).iter().any(|step| step.context_tokens == u32::MAX));
}

/// If the last prompt and the last call were searched for from the end each time, this would take minutes.
#[test]
fn a_long_run_costs_no_more_than_its_length() {
    let said = [serde_json::json!({"role": "user", "content": "x"})];
    let mut kinds = vec![EventKind::Started { setup: sample::setup() }];
    for turn in 0..30_000 {
        kinds.extend([sample::requested(turn, &said), sample::answered(turn, "", &[])]);
    }
    let events = sample::events_of(kinds);
    let begun = std::time::Instant::now();
    assert_eq!(steps(&events).len(), 30_001);
    assert!(begun.elapsed() < std::time::Duration::from_secs(30), "{:?}", begun.elapsed());
}

#[test]
fn a_call_that_a_fork_answers_took_no_time_between_the_two_runs() {
    let call = sample::call("call_1", "search", "{}");
    let forked = ForkedFrom { run: RunId(uuid::Uuid::nil()), step: 1 };
    let setup = RunSetup { forked: Some(forked), ..sample::setup() };
    let edited = EditedResult { call_id: call.id.clone(), text: "other".into() };
    let kinds = [
        EventKind::Started { setup: sample::setup() },
        sample::called(0, &call, Disclosure::None),
        EventKind::noted(wording::Message::quoted("what was recorded last")),
        EventKind::Forked { setup, edited: Some(edited), answered: false },
        sample::replied(&call.id, "other"),
    ];
    let mut events = sample::events_of(kinds);
    for (event, at) in events.iter_mut().zip([0, 100, 130, 5_000_000, 5_000_007]) {
        event.at = at;
    }
    let steps = steps(&events);
    assert_eq!((steps[1].at, steps[1].took, steps[1].state), (4_999_970, Some(37), StepState::Done));
}

#[test]
fn an_answer_that_a_fork_gives_is_the_users_and_costs_nothing() {
    let forked = ForkedFrom { run: RunId(uuid::Uuid::nil()), step: 1 };
    let setup = RunSetup { forked: Some(forked), ..sample::setup() };
    let kinds = [
        EventKind::Started { setup: sample::setup() },
        sample::requested(0, &[]),
        EventKind::Forked { setup, edited: None, answered: true },
        sample::answered(0, "mine", &[]),
        sample::requested(1, &[]),
        sample::answered(1, "the model's", &[]),
    ];
    let told = steps(&sample::events_of(kinds)).into_iter().filter_map(|step| match step.kind {
        StepKind::Answer { text, edited, spent, .. } => Some((text, edited, spent.is_some())),
        _ => None,
    });
    let expected = [("mine".to_owned(), true, false), ("the model's".to_owned(), false, true)];
    assert_eq!(told.collect::<Vec<_>>(), expected);
}

#[test]
fn answers_name_the_model_that_the_user_chose_for_the_turn() {
    let mut events = sample::seven_messages();
    for model in ["another", sample::setup().model.as_str()] {
        let setup = RunSetup { prompt: "and 2 kg?".into(), model: model.into(), ..sample::setup() };
        for kind in [EventKind::Continued { setup }, sample::requested(0, &[]), sample::answered(0, "So many.", &[])] {
            let seq = u32::try_from(events.len()).unwrap();
            events.push(Event { seq, at: sample::STARTED_AT + i64::from(seq), within: None, kind });
        }
    }
    let named = steps(&events).into_iter().filter_map(|step| match step.kind {
        StepKind::Answer { model, .. } => Some(model),
        _ => None,
    });
    let expected = [None, None, None, None, Some("another".to_owned()), None];
    assert_eq!(named.collect::<Vec<_>>(), expected);
}
