//! A run as a file: one event a line, to keep and to share; a screenplay, to rehearse it; messages of protocols, for other
//! programs; a document, to read.

mod markdown;
mod messages;

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::clock::Millis;
use super::lines::{Lines, PACE, empty, refuse, unreadable};
use super::review::Review;
use super::spool::Spool;
use super::{Decision, Event, EventKind, RunId, RunSetup, StepKind, TraceError, fold};
use config::{Screenplay, ScreenplayStep};
use harness::Disclosure;
use model::{Image, ToolCall};
use wording::message;

pub use self::markdown::to_markdown;
pub(crate) use self::messages::definition;
pub use self::messages::{to_anthropic, to_inspect, to_openai};

const FORMAT: &str = "skill-workbench-trace";
/// Version 1 knew one conversation in a run, and wrote the origins of every message with every request. Version 2 knew
/// one message of the user, so runs with only one are written as version 2. Version 3 knew no runs that other programs
/// recorded. Version 4 knew no runs that were forked off in the middle of a turn.
const VERSION: u32 = 5;
const VERSION_WITHOUT_FORKS: u32 = 4;
const VERSION_OF_OWN_RUNS: u32 = 3;
const VERSION_OF_ONE_TURN: u32 = 2;

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
    run: RunId,
    /// The user's review of the run. Older versions of this program read the run without it.
    #[serde(default, deserialize_with = "super::if_known", skip_serializing_if = "Option::is_none")]
    review: Option<Review>,
}

/// Whether a text begins as [`to_jsonl`] writes it, whatever its version. The first few hundred bytes are enough: the first
/// line may be long.
pub fn is_own(text: &str) -> bool {
    let first = text.trim_start_matches('\u{feff}').trim_start().lines().next().unwrap_or_default();
    let named = || {
        let rest = first.strip_prefix('{')?.trim_start().strip_prefix("\"format\"")?;
        rest.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?.strip_prefix(FORMAT)?.strip_prefix('"')
    };
    named().is_some() || serde_json::from_str::<Value>(first).is_ok_and(|header| header["format"] == FORMAT)
}

/// A header line, then one event a line.
pub fn to_jsonl(run: RunId, events: &[Event], review: &Review) -> String {
    let words = events.iter().map(|event| event.kind.word()).collect();
    let mut text = jsonl_head(run, &words, review);
    for event in events {
        text.push_str(&jsonl_line(event));
    }
    text
}

/// The first line of [`to_jsonl`]. `words`: those of the kinds of all events.
pub fn jsonl_head(run: RunId, words: &HashSet<&str>, review: &Review) -> String {
    let version = match (words.contains("source"), words.contains("continued")) {
        _ if words.contains("forked") => VERSION,
        (true, _) => VERSION_WITHOUT_FORKS,
        (false, true) => VERSION_OF_OWN_RUNS,
        (false, false) => VERSION_OF_ONE_TURN,
    };
    line(&Header {
        format: FORMAT.into(),
        version,
        run,
        review: Some(review.clone()).filter(|review| !review.is_empty()),
    })
}

/// The line of an event in [`to_jsonl`].
pub fn jsonl_line(event: &Event) -> String {
    line(event)
}

/// The file that a run was imported from, as far as it is about this run; `None` for runs of our own.
pub fn to_source(events: &[Event]) -> Option<String> {
    let lines = events.iter().filter_map(|event| match &event.kind {
        EventKind::Source { text, .. } => Some(text.as_str()),
        _ => None,
    });
    let text: String = lines.flat_map(|line| [line, "\n"]).collect();
    (!text.is_empty()).then_some(text)
}

/// A run as it was read from a file.
#[derive(Debug, PartialEq)]
pub struct Read {
    pub run: RunId,
    pub events: Vec<Event>,
    pub review: Review,
    /// In place of so many events there are notes: they cannot be read.
    pub unreadable: usize,
}

/// What [`to_jsonl`] wrote, as [`read_jsonl`] reads it.
pub fn from_jsonl(text: &str) -> Result<(RunId, Vec<Event>), TraceError> {
    read_jsonl(text).map(|Read { run, events, .. }| (run, events))
}

/// What [`to_jsonl`] wrote. Blank lines and a byte order mark do no harm, and an event that cannot be read is a note in
/// its place. A text that is not a complete trace is refused with its line, from 1.
pub fn read_jsonl(text: &str) -> Result<Read, TraceError> {
    let mut reading = Reading::default();
    let mut lines = Lines::of(text.as_bytes());
    while let Some((line, text)) = next_line(&mut lines)? {
        reading.take(line, &text)?;
    }
    let Spooled { run, events, review, unreadable } = reading.end(lines.number)?;
    Ok(Read { run, events: events.into_vec()?, review, unreadable })
}

/// A run as it was read from a file of any size.
#[derive(Debug)]
pub struct Spooled {
    pub run: RunId,
    pub events: Spool,
    pub review: Review,
    /// In place of so many events there are notes: they cannot be read.
    pub unreadable: usize,
}

/// As [`read_jsonl`], of a file that is never in memory as a whole. `went` gets the number of bytes read so far, and
/// returns whether to go on. `None`: it said no.
pub fn spool_jsonl(
    input: impl std::io::Read,
    went: &mut dyn FnMut(u64) -> bool,
) -> Result<Option<Spooled>, TraceError> {
    let mut reading = Reading::default();
    let mut lines = Lines::of(input);
    let mut told = 0;
    while let Some((line, text)) = next_line(&mut lines)? {
        reading.take(line, &text)?;
        reading.events.relieve();
        if lines.bytes - told >= PACE {
            told = lines.bytes;
            if !went(told) {
                return Ok(None);
            }
        }
    }
    if !went(lines.bytes) {
        return Ok(None);
    }
    reading.end(lines.number).map(Some)
}

fn next_line(lines: &mut Lines<impl std::io::Read>) -> Result<Option<(usize, String)>, TraceError> {
    let next = lines.next();
    let line = lines.number as usize;
    let text = next.map_err(|error| unreadable(line + 1, &error))?;
    text.transpose().map(|text| text.map(|text| (line, text))).map_err(|reason| refuse(line, reason))
}

/// A file of ours whose lines come one after the other.
#[derive(Default)]
struct Reading {
    header: Option<Header>,
    events: Spool,
    unreadable: usize,
    /// Number and time of the last event.
    last: Option<(u32, Millis)>,
}

impl Reading {
    fn take(&mut self, line: usize, text: &str) -> Result<(), TraceError> {
        if self.header.is_none() {
            self.header = Some(header(line, text)?);
            return Ok(());
        }
        let event = serde_json::from_str(text);
        self.unreadable += usize::from(event.is_err());
        let event: Event = event.unwrap_or_else(|error| stand_in(text, self.last, &error));
        let is_started = matches!(event.kind, EventKind::Started { .. });
        match self.last {
            None if !is_started => {
                return Err(refuse(line, message!("the first event must be `started`", "第一个事件必须是 `started`")));
            }
            Some(_) if is_started => {
                return Err(refuse(line, message!("the run starts a second time", "运行第二次开始")));
            }
            _ => {}
        }
        let count = self.events.len();
        if event.seq as usize != count {
            let reason =
                message!("expected event {count}, found event {}", "此处应是事件 {count}，却是事件 {}", event.seq);
            return Err(refuse(line, reason));
        }
        self.last = Some((event.seq, event.at));
        self.events.push(event);
        Ok(())
    }

    /// `line`: the last one.
    fn end(self, line: u32) -> Result<Spooled, TraceError> {
        let Self { header, events, unreadable, last: _ } = self;
        let Some(header) = header else { return Err(empty()) };
        if events.is_empty() {
            return Err(refuse(line as usize + 1, message!("the trace has no events", "轨迹中没有事件")));
        }
        Ok(Spooled { run: header.run, events, review: header.review.unwrap_or_default(), unreadable })
    }
}

fn header(line: usize, text: &str) -> Result<Header, TraceError> {
    let header: Header =
        serde_json::from_str(text).ok().filter(|header: &Header| header.format == FORMAT).ok_or_else(|| {
            let reason = message!(
                "this is not a trace: the first line must name the format {FORMAT}",
                "这不是轨迹：第一行必须写明格式 {FORMAT}"
            );
            refuse(line, reason)
        })?;
    if header.version > VERSION {
        let reason = message!(
            "the trace has version {}; this program reads up to {VERSION}",
            "轨迹的版本是 {}；本程序最高只能读取 {VERSION}",
            header.version
        );
        return Err(refuse(line, reason));
    }
    Ok(header)
}

/// For an event that cannot be read: a note of its number, as far as its line tells one.
fn stand_in(text: &str, before: Option<(u32, Millis)>, error: &serde_json::Error) -> Event {
    let told = serde_json::from_str(text).unwrap_or(Value::Null);
    let number = told["seq"].as_u64().and_then(|seq| u32::try_from(seq).ok());
    let seq = number.unwrap_or_else(|| before.map_or(0, |(seq, _)| seq.saturating_add(1)));
    let at = told["at"].as_i64().unwrap_or_else(|| before.map_or(0, |(_, at)| at));
    let within = told["within"].as_str().map(str::to_owned);
    Event { seq, at, within, kind: EventKind::unreadable(seq, &wording::refusal(&error.to_string())) }
}

/// The run in words that every harness can play: what was disclosed, in order, and the last answer, turn by turn. Calls
/// that disclose nothing of a skill cannot be written that way and are left out, and so are sub-agents' steps. Pictures
/// of the user are in it as `data:` addresses.
pub fn to_screenplay(events: &[Event], setup: &RunSetup) -> Screenplay {
    let mut activated: Option<String> = None;
    let mut last_words = None;
    let mut steps = Vec::new();
    for step in fold::steps(events).into_iter().filter(|step| step.within.is_none()) {
        match step.kind {
            StepKind::Answer { text, .. } => last_words = Some(text),
            StepKind::Tool { call, disclosure, decision, .. } => match disclosure {
                Disclosure::Instructions { skill } => {
                    activated = Some(skill.clone());
                    steps.push(ScreenplayStep::Activate { activate: skill });
                }
                Disclosure::Resource { skill, resource } => {
                    steps.push(ScreenplayStep::Read { read: within(activated.as_deref(), &skill, resource) });
                }
                Disclosure::Script { skill, script } => {
                    let run = within(activated.as_deref(), &skill, script);
                    steps.push(ScreenplayStep::Run { run, with: script_arguments(&call, decision.as_ref()) });
                }
                Disclosure::None => {}
            },
            StepKind::Prompt { .. } if step.index == 0 => {}
            StepKind::Prompt { text, images, .. } => {
                steps.extend(answer(last_words.take()));
                steps.push(ScreenplayStep::Prompt { prompt: text, images: addresses(&images) });
            }
            StepKind::Note { .. } | StepKind::End { .. } => {}
        }
    }
    steps.extend(answer(last_words));
    Screenplay { prompt: setup.prompt.clone(), images: addresses(&setup.images), title: None, steps }
}

fn addresses(images: &[Image]) -> Vec<String> {
    images.iter().map(Image::data_url).collect()
}

fn answer(last_words: Option<String>) -> Option<ScreenplayStep> {
    last_words.filter(|text| !text.is_empty()).map(|say| ScreenplayStep::Say { say })
}

fn line(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string(value).expect("events and headers hold nothing that JSON cannot");
    text.push('\n');
    text
}

/// How a screenplay names a file.
fn within(activated: Option<&str>, skill: &str, file: String) -> String {
    if activated == Some(skill) { file } else { format!("{skill}/{file}") }
}

/// The script's arguments: the `arguments` or `args` of the call, as edited by the user if they did.
fn script_arguments(call: &ToolCall, decision: Option<&Decision>) -> Option<Value> {
    let written = match decision {
        Some(Decision::Allow { arguments: Some(edited), .. }) => edited,
        Some(Decision::Allow { arguments: None, .. } | Decision::Deny { .. } | Decision::Stub { .. }) | None => {
            &call.arguments
        }
    };
    let mut parsed: Value = serde_json::from_str(written).ok()?;
    let given = ["arguments", "args"].into_iter().find_map(|key| parsed.get_mut(key).map(Value::take));
    given.filter(|value| !value.is_null())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::sample;
    use super::*;
    use crate::review::{Judged, StepNote, Verdict};
    use model::image::ImageKind;

    fn refused(text: &str) -> String {
        from_jsonl(text).unwrap_err().to_string()
    }

    #[test]
    fn a_run_comes_back_as_it_was_written() {
        let events = sample::seven_messages();
        let text = to_jsonl(sample::run_id(), &events, &Review::default());
        assert_eq!(from_jsonl(&text).unwrap(), (sample::run_id(), events.clone()));
        let by_another_editor = format!("\u{feff}{}\r\n\r\n", text.replace('\n', "\r\n"));
        assert_eq!(from_jsonl(&by_another_editor).unwrap(), (sample::run_id(), events));
    }

    #[test]
    fn a_file_of_any_size_says_how_far_it_is_read_and_can_be_stopped() {
        let note =
            |number: usize| EventKind::noted(wording::Message::quoted(format!("{number} {}", "words ".repeat(1000))));
        let begun = [EventKind::Started { setup: sample::setup() }];
        let events = sample::events_of(begun.into_iter().chain((0..1000).map(note)));
        let text = to_jsonl(sample::run_id(), &events, &Review::default());
        let mut told = Vec::new();
        let mut tell = |read| {
            told.push(read);
            true
        };
        let Spooled { run, events: read, unreadable, .. } = spool_jsonl(text.as_bytes(), &mut tell).unwrap().unwrap();
        assert_eq!((run, read.into_vec().unwrap(), unreadable), (sample::run_id(), events, 0));
        assert!(told.is_sorted() && told.len() > 5 && told.last() == Some(&(text.len() as u64)), "{told:?}");
        let mut reports = 0;
        let mut stop = |_| {
            reports += 1;
            reports < 3
        };
        assert!(spool_jsonl(text.as_bytes(), &mut stop).unwrap().is_none());
        assert_eq!(reports, 3, "nothing is read after that");
    }

    #[test]
    fn what_was_said_about_a_run_goes_with_it() {
        let note = StepNote { event: 3, text: "看这里".into(), bookmark: true, changed_at: 7 };
        let verdict = Verdict { judged: Judged::Fail, line: "wrong unit".into(), changed_at: 8 };
        let review = Review { verdict: Some(verdict), notes: vec![note] };
        let text = to_jsonl(sample::run_id(), &sample::seven_messages(), &review);
        assert!(text.starts_with(r#"{"format":"skill-workbench-trace","version":2,"#), "older programs read the run");
        assert_eq!(read_jsonl(&text).unwrap().review, review);
        let of_another_kind = text.replace("\"fail\"", "\"splendid\"");
        let read = read_jsonl(&of_another_kind).unwrap();
        assert_eq!((read.review, read.events), (Review::default(), sample::seven_messages()));
    }

    #[test]
    fn a_wrong_line_is_named() {
        let text = to_jsonl(sample::run_id(), &sample::seven_messages(), &Review::default());
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(refused(""), "line 1: the file is empty");
        assert_eq!(
            refused("{}"),
            "line 1: this is not a trace: the first line must name the format skill-workbench-trace"
        );
        assert_eq!(
            refused(&lines[0].replace("\"version\":2", "\"version\":9")),
            "line 1: the trace has version 9; this program reads up to 5"
        );
        assert_eq!(refused(lines[0]), "line 2: the trace has no events");
        assert_eq!(refused(&[lines[0], lines[2]].join("\n")), "line 2: the first event must be `started`");
        assert_eq!(refused(&[lines[0], lines[1], lines[3]].join("\n")), "line 3: expected event 1, found event 2");
        assert_eq!(refused(&[lines[0], lines[1], "", lines[1]].join("\n")), "line 4: the run starts a second time");
        assert_eq!(
            refused(&[lines[0], &lines[1].replace("\"started\"", "\"dreamt\"")].join("\n")),
            "line 2: the first event must be `started`"
        );
    }

    #[test]
    fn an_event_that_cannot_be_read_is_a_note_in_its_place() {
        let events = sample::seven_messages();
        let text = to_jsonl(sample::run_id(), &events, &Review::default());
        let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
        lines[4] = "{\"seq\":3,".into();
        lines[5] = lines[5].replacen("\"type\":\"", "\"type\":\"dreamt", 1);
        let Read { run, events: read, unreadable, .. } = read_jsonl(&lines.join("\n")).unwrap();
        assert_eq!((run, unreadable), (sample::run_id(), 2));
        let mut whole = events.clone();
        for (place, reason) in [(3, "EOF while parsing"), (4, "unknown variant `dreamt")] {
            whole[place] = read[place].clone();
            let EventKind::Noted { text, .. } = &read[place].kind else { panic!("{:?}", read[place]) };
            let begin = format!("event {place} of this run cannot be read and is left out: {reason}");
            assert!(text.starts_with(&begin), "{text}");
        }
        assert_eq!(read, whole, "the rest is as it was");
        assert_eq!((read[4].at, read[4].within.clone()), (events[4].at, events[4].within.clone()));
    }

    #[test]
    fn seven_messages_are_a_screenplay_of_four_steps() {
        let expected = Screenplay {
            prompt: sample::PROMPT.into(),
            images: Vec::new(),
            title: None,
            steps: vec![
                ScreenplayStep::Activate { activate: "unit-converter".into() },
                ScreenplayStep::Read { read: "references/conversion-table.md".into() },
                ScreenplayStep::Run {
                    run: "scripts/convert.py".into(),
                    with: Some(json!({"value": 1, "factor": 2.20462})),
                },
                ScreenplayStep::Say { say: sample::ANSWER.into() },
            ],
        };
        assert_eq!(to_screenplay(&sample::seven_messages(), &sample::setup()), expected);
    }

    #[test]
    fn what_the_user_said_further_is_in_both_forms() {
        let mut events = sample::seven_messages();
        let first = to_screenplay(&events, &sample::setup()).steps;
        let image = Image { media_type: ImageKind::Png, data: "AAAA".into() };
        let next = [
            EventKind::Continued {
                setup: RunSetup { prompt: "and 2 kg?".into(), images: vec![image.clone()], ..sample::setup() },
            },
            sample::requested(4, &[]),
            sample::answered(4, "4.4 lb", &[]),
        ];
        let from = events.len() as u32;
        events.extend((from..).zip(next).map(|(seq, kind)| Event { seq, at: 0, within: None, kind }));
        let text = to_jsonl(sample::run_id(), &events, &Review::default());
        assert!(
            text.starts_with(r#"{"format":"skill-workbench-trace","version":3,"#),
            "programs that know one turn say so"
        );
        assert_eq!(from_jsonl(&text).unwrap(), (sample::run_id(), events.clone()));
        let more = [
            ScreenplayStep::Prompt { prompt: "and 2 kg?".into(), images: vec![image.data_url()] },
            ScreenplayStep::Say { say: "4.4 lb".into() },
        ];
        assert_eq!(to_screenplay(&events, &sample::setup()).steps, [&first[..], &more].concat());
    }

    #[test]
    fn a_file_of_a_skill_that_is_not_the_last_one_keeps_its_skill() {
        let edited = r#"{"skillName":"b","scriptName":"go.py","args":["x"]}"#;
        let run = sample::call("c", "run_skill_script", r#"{"skillName":"b","scriptName":"go.py"}"#);
        let events = sample::events_of([
            sample::called(0, &run, Disclosure::Resource { skill: "a".into(), resource: "t.md".into() }),
            sample::called(0, &run, Disclosure::None),
            EventKind::noted(wording::Message::quoted("left out")),
            sample::replied("c", ""),
            sample::replied("c", ""),
            sample::called(0, &run, Disclosure::Script { skill: "b".into(), script: "go.py".into() }),
            EventKind::ApprovalGiven {
                call_id: "c".into(),
                decision: Decision::Allow { arguments: Some(edited.into()), for_run: true },
            },
        ]);
        let steps = vec![
            ScreenplayStep::Read { read: "a/t.md".into() },
            ScreenplayStep::Run { run: "b/go.py".into(), with: Some(json!(["x"])) },
        ];
        let expected = Screenplay { prompt: sample::PROMPT.into(), images: Vec::new(), title: None, steps };
        assert_eq!(to_screenplay(&events, &sample::setup()), expected);
    }
}
