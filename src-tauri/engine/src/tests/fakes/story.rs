//! Events in lines that a person can read.

use serde_json::Value;

use super::model::plain;
use harness::Effect;
use trace::{Event, EventKind};

/// One line an event. `Streamed` events that follow one another are one line, since where they are cut depends on
/// timing. The first event and the time a script took are left out.
pub(in crate::tests) fn story(events: &[Event]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut streams = false;
    for event in &events[1..] {
        // The result for the framework is in the reply.
        if matches!(&event.kind, EventKind::Performed { output: None, files, .. } if files.is_empty()) {
            continue;
        }
        if matches!(event.kind, EventKind::Left { .. }) {
            continue;
        }
        let goes_on = streams;
        streams = matches!(event.kind, EventKind::Streamed { .. });
        if let (EventKind::Streamed { text, .. }, Some(last), true) = (&event.kind, lines.last_mut(), goes_on) {
            last.push_str(text);
            continue;
        }
        let within = event.within.as_ref().map(|within| format!("{within}> ")).unwrap_or_default();
        lines.push(within + &line(&event.kind));
    }
    lines
}

fn line(event: &EventKind) -> String {
    match event {
        EventKind::Started { .. } => "started".into(),
        EventKind::Continued { setup } => format!("said: {}", setup.prompt),
        EventKind::Forked { .. } => "forked".into(),
        EventKind::Requested { turn, body, .. } => format!("requested {turn}: {}", readable(body)),
        EventKind::Streamed { turn, text, .. } => format!("streamed {turn}: {text}"),
        EventKind::Answered { turn, message, finish, .. } => {
            format!("answered {turn}: {} ({finish:?})", plain(message))
        }
        EventKind::Failed { turn, message, raw, .. } => format!("failed {turn}: {message} [{raw}]"),
        EventKind::Called { turn, call, .. } => format!("called {turn}: {} {}{}", call.id, call.name, call.arguments),
        EventKind::ApprovalAsked { call_id, effect: Effect::RunScript { script, arguments, .. }, .. } => {
            format!("asked {call_id}: {script} {}", arguments.join(" "))
        }
        EventKind::ApprovalAsked { call_id, effect, .. } => format!("asked {call_id}: {effect:?}"),
        EventKind::ApprovalGiven { call_id, decision } => format!("given {call_id}: {decision:?}"),
        EventKind::Agreed { call_id, effect: Effect::RunScript { script, arguments, .. }, .. } => {
            format!("agreed {call_id}: {script} {}", arguments.join(" "))
        }
        EventKind::Agreed { call_id, effect, .. } => format!("agreed {call_id}: {effect:?}"),
        EventKind::Remembered { call_id, standing, decision, .. } => {
            format!("remembered {call_id}: {standing:?} {decision:?}")
        }
        EventKind::CutAsked { turn } => format!("asked about answer {turn}"),
        EventKind::CutSettled { turn, choice } => format!("settled {turn}: {choice:?}"),
        EventKind::Performed { call_id, output, files, .. } => {
            let files: Vec<_> = files.iter().map(|file| format!("{}:{}", file.path, file.size)).collect();
            let mut output = serde_json::to_value(output).unwrap();
            if let Some(output) = output.as_object_mut() {
                output.remove("took");
            }
            format!("performed {call_id}: {output} {files:?}")
        }
        EventKind::Replied { call_id, text, is_error, .. } => {
            format!("{} {call_id}: {text}", if *is_error { "replied with error" } else { "replied" })
        }
        EventKind::Noted { text, .. } => format!("noted: {text}"),
        EventKind::Left { left } => format!("left {:?}", left.files),
        EventKind::Source { line, .. } => format!("line {line}"),
        EventKind::Shown { message, .. } => format!("shown: {}", message.text()),
        EventKind::Ended { status, error: None, .. } => format!("ended {status:?}"),
        EventKind::Ended { status, error: Some(error), .. } => format!("ended {status:?}: {error}"),
    }
}

/// The body of a rehearsal's request as the fake model would write it.
fn readable(body: &str) -> String {
    let Ok(body) = serde_json::from_str::<Value>(body) else { return body.to_owned() };
    let message = |message: &Value| {
        let content = message["content"].as_str().filter(|text| !text.is_empty()).map(String::from);
        let calls = message["tool_calls"].as_array().into_iter().flatten().map(|call| {
            let text = |key: &str| call["function"][key].as_str().unwrap();
            format!("{}{}", text("name"), text("arguments"))
        });
        content.into_iter().chain(calls).collect::<Vec<_>>().join("; ")
    };
    body["messages"].as_array().unwrap().iter().map(message).collect::<Vec<_>>().join(" / ")
}
