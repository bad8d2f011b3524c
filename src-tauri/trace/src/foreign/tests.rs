use std::fs;
use std::io::Cursor;

use proptest::prelude::*;

use super::*;
use crate::context::tests::plainly;
use crate::open_run::OpenRun;
use crate::{ContextAtStep, Event, RunStatus, Step, StepKind, fold};
use harness::Disclosure;

mod odd;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/foreign");
const AT: Millis = 1_700_000_000_000;

struct Taken {
    foreign: Foreign,
    report: Report,
    runs: Vec<(RunId, Vec<Event>)>,
}

fn bytes(name: &str) -> Vec<u8> {
    fs::read(format!("{FIXTURES}/{name}")).unwrap()
}

fn read_all(bytes: Vec<u8>, from: Option<Foreign>) -> Result<Taken, TraceError> {
    let mut runs = Vec::new();
    let (foreign, report) = read(Cursor::new(bytes), from, AT, &Scrubber::default(), &mut |found| {
        if let Found::Run(id, events) = found {
            runs.push((id, events.into_vec().unwrap()));
        }
        true
    })?;
    Ok(Taken { foreign, report, runs })
}

fn taken(name: &str) -> Taken {
    read_all(bytes(name), None).unwrap()
}

fn told(text: &str) -> Taken {
    read_all(text.as_bytes().to_vec(), None).unwrap()
}

/// A step in a line.
fn gist(step: &Step) -> String {
    let within = if step.within.is_some() { "  " } else { "" };
    match &step.kind {
        StepKind::Prompt { text, .. } => format!("{within}prompt {text}"),
        StepKind::Answer { text, calls, .. } => format!("{within}answer {text}[{}]", calls.len()),
        StepKind::Tool { call, disclosed, .. } => {
            let disclosed = match disclosed {
                Disclosure::Instructions { skill } => skill.clone(),
                Disclosure::Resource { skill, resource } => format!("{skill}/{resource}"),
                Disclosure::Script { skill, script } => format!("{skill}!{script}"),
                Disclosure::None => String::new(),
            };
            format!("{within}tool {} {disclosed}", call.name)
        }
        StepKind::Note { text, .. } => format!("note {text}"),
        StepKind::End { status, .. } => format!("end {}", status.word()),
    }
}

fn gists(events: &[Event]) -> Vec<String> {
    fold::steps(events).iter().map(gist).collect()
}

/// The runs in every fixture.
const STORY: [&str; 8] = [
    "prompt How many pounds is 1 kilogram?",
    "answer [1]",
    "tool load_skill unit-converter",
    "answer [1]",
    "tool read_skill_resource unit-converter/references/table.md",
    "answer [1]",
    "tool run_skill_script unit-converter!scripts/convert.py",
    "answer 1 kilogram is about 2.20462 pounds.[0]",
];

const TOLD: [(&str, Foreign); 10] = [
    ("openai-chat.jsonl", Foreign::OpenaiChat),
    ("openai-responses.jsonl", Foreign::OpenaiResponses),
    ("anthropic-messages.json", Foreign::AnthropicMessages),
    ("otlp-genai.jsonl", Foreign::Otlp),
    ("otlp-openinference.json", Foreign::Otlp),
    ("inspect.json", Foreign::Inspect),
    ("inspect.eval", Foreign::Inspect),
    ("inspect-zstd.eval", Foreign::Inspect),
    ("otlp-genai.binpb", Foreign::Otlp),
    ("otlp-openinference.binpb", Foreign::Otlp),
];

#[test]
fn every_format_tells_the_same_story() {
    for (name, foreign) in TOLD {
        let Taken { foreign: found, report, runs } = taken(name);
        assert_eq!((found, &report.unread), (foreign, &Vec::new()), "{name}");
        let steps = gists(&runs[0].1);
        assert_eq!(steps[..8], STORY, "{name}");
        let summary = fold::replay(&runs[0].1).summary(runs[0].0, false).unwrap();
        assert_eq!((summary.status, &*summary.setup.harness), (RunStatus::Done, foreign.id()), "{name}");
        assert_eq!(summary.setup.skills, ["unit-converter"], "{name}");
    }
}

#[test]
fn coding_agents_read_skills_by_their_own_tools() {
    let steps = gists(&taken("claude-code.jsonl").runs[0].1);
    let expected = [
        "prompt How many pounds is 1 kilogram?",
        "answer [1]",
        "tool Skill unit-converter",
        "answer I ask a helper for the table.[1]",
        "tool Task ",
        "  answer [1]",
        "  tool Read unit-converter/references/table.md",
        "  answer 2.20462[0]",
        "answer [1]",
        "tool Bash unit-converter!scripts/convert.py",
        "answer 1 kilogram is about 2.20462 pounds.[0]",
        "note kept with the run and not shown as steps: attachment (1), file-history-snapshot (1), queue-operation (1), summary (1)",
    ];
    assert_eq!(steps, expected);
    let steps = gists(&taken("codex.jsonl").runs[0].1);
    let expected = [
        "prompt How many pounds is 1 kilogram?",
        "answer [1]",
        "tool shell unit-converter",
        "answer [1]",
        "tool shell unit-converter/references/table.md",
        "answer [1]",
        "tool shell unit-converter!scripts/convert.py",
        "answer 1 kilogram is about 2.20462 pounds.[0]",
        "note kept with the run and not shown as steps: turn_diff (1)",
    ];
    assert_eq!(steps, expected);
}

fn at(name: &str, step: u32) -> ContextAtStep {
    let events = &taken(name).runs[0].1;
    let context = OpenRun::of(events).context_among(step, events).unwrap();
    assert_eq!(Some(&context), plainly(events, step).as_ref(), "{name} {step}");
    context
}

#[test]
fn the_context_at_a_step_is_what_happened_before_it_and_is_not_called_exact() {
    for name in
        ["openai-chat.jsonl", "anthropic-messages.json", "openai-responses.jsonl", "otlp-genai.jsonl", "inspect.json"]
    {
        let context = at(name, 7);
        let roles: Vec<_> = context.messages.iter().map(|message| format!("{:?}", message.role)).collect();
        let expected = ["System", "User", "Assistant", "Tool", "Assistant", "Tool", "Assistant", "Tool"];
        assert_eq!((roles, context.exact), (expected.map(String::from).to_vec(), false), "{name}");
        assert!(context.messages[3].text.contains("name: unit-converter"), "{name}");
        assert_eq!(context.messages[6].calls.len(), 1, "{name}");
    }
    let context = at("claude-code.jsonl", 10);
    let last: Vec<_> =
        context.messages.iter().map(|message| message.text.chars().take(15).collect::<String>()).collect();
    let expected = [
        "How many pounds",
        "",
        "Launching skill",
        "Base directory ",
        "I ask a helper ",
        "2.20462",
        "",
        "{\"result\": 2.20",
    ];
    assert_eq!(last, expected);
    assert_eq!(at("claude-code.jsonl", 7).messages.len(), 3, "the sub-agent has a context of its own");
    for step in 0..12 {
        at("claude-code.jsonl", step);
        at("codex.jsonl", step.min(8));
    }
}

/// Name and arguments of each call, as texts have them.
type Named = (String, String);

fn named(calls: &[model::ToolCall]) -> Vec<Named> {
    calls.iter().map(|call| (call.name.clone(), call.arguments.clone())).collect()
}

fn answered(events: &[Event]) -> Vec<Named> {
    let called = |step: Step| match step.kind {
        StepKind::Answer { calls, .. } => named(&calls),
        _ => Vec::new(),
    };
    fold::steps(events).into_iter().flat_map(called).collect()
}

#[test]
fn contexts_have_the_names_and_arguments_of_all_calls() {
    let plain = r#"{"skillName":"unit-converter","scriptName":"scripts/convert.py"}"#;
    let with_values = plain.replace('}', r#","arguments":{"value":1,"factor":2.20462}}"#);
    for (name, script) in [("inspect.json", plain), ("inspect.eval", plain), ("inspect-zstd.eval", &with_values)] {
        let context = at(name, 7);
        let story = [
            ("load_skill", r#"{"skillName":"unit-converter"}"#),
            ("read_skill_resource", r#"{"skillName":"unit-converter","resourceName":"references/table.md"}"#),
            ("run_skill_script", script),
        ];
        let story = story.map(|(name, arguments)| (name.to_owned(), arguments.to_owned()));
        let called: Vec<Named> = context.messages.iter().flat_map(|message| named(&message.calls)).collect();
        assert_eq!(called, story, "{name}");
    }
    for name in TOLD.iter().map(|(name, _)| *name).chain(["claude-code.jsonl", "codex.jsonl"]) {
        for (_, events) in taken(name).runs {
            let answered = answered(&events);
            assert!(answered.iter().all(|(called, _)| !called.is_empty()), "{name}: {answered:?}");
            let open = OpenRun::of(&events);
            for step in 0..u32::try_from(fold::steps(&events).len()).unwrap() {
                let context = open.context_among(step, &events).unwrap();
                for called in context.messages.iter().flat_map(|message| named(&message.calls)) {
                    assert!(answered.contains(&called), "{name} {step}: {called:?} is none of {answered:?}");
                }
            }
        }
    }
}

#[test]
fn exports_of_a_log_of_inspect_name_its_calls() {
    let (run, events) = &taken("inspect.json").runs[0];
    let setup = &fold::replay(events).summary(*run, false).unwrap().setup;
    let called = |text: &str, pointer: &str| -> Vec<Value> {
        let whole: Value = serde_json::from_str(text).unwrap();
        let messages = whole.pointer(pointer).unwrap().as_array().unwrap().clone();
        messages.iter().flat_map(|message| message["tool_calls"].as_array().cloned().unwrap_or_default()).collect()
    };
    let names = ["load_skill", "read_skill_resource", "run_skill_script"];
    let openai = called(&crate::export::to_openai(events, setup), "/messages");
    assert_eq!(openai.iter().map(|call| &call["function"]["name"]).collect::<Vec<_>>(), names);
    let inspect = called(&crate::export::to_inspect(*run, events, setup), "/samples/0/messages");
    assert_eq!(inspect.iter().map(|call| &call["function"]).collect::<Vec<_>>(), names);
    assert_eq!(inspect[0]["arguments"], serde_json::json!({ "skillName": "unit-converter" }));
}

#[test]
fn what_providers_counted_is_kept_by_their_rules() {
    let usages = |name: &str| -> Vec<_> {
        let usage = |step: Step| match step.kind {
            StepKind::Answer { usage: Some(usage), .. } => Some((usage.input, usage.output, usage.cached)),
            _ => None,
        };
        fold::steps(&taken(name).runs[0].1).into_iter().filter_map(usage).collect()
    };
    assert_eq!(usages("claude-code.jsonl")[..2], [(130, 9, 100), (150, 20, 100)], "lines of one answer count once");
    assert_eq!(usages("codex.jsonl"), [(900, 30, 600), (900, 30, 600), (900, 30, 600), (990, 14, 900)]);
    assert_eq!(usages("openai-responses.jsonl"), [(410, 12, 128)]);
    assert_eq!(usages("otlp-genai.jsonl").len(), 4);
    assert_eq!(usages("inspect.json").len(), 4);
}

#[test]
fn lines_are_kept_as_they_are_but_for_keys() {
    let key = format!("sk-ant-api03-{}", "0123456789abcdef".repeat(2));
    let line =
        format!(r#"{{"messages":[{{"role":"user","content":"use\n{key}"}},{{"role":"assistant","content":"no"}}]}}"#);
    let Taken { report, runs, .. } = told(&line);
    let text = serde_json::to_string(&runs[0].1).unwrap();
    assert!(!text.contains(&key) && text.contains("[key]"), "{text}");
    assert_eq!(report.keys, 1);
    for name in ["openai-chat.jsonl", "claude-code.jsonl", "codex.jsonl"] {
        let text = String::from_utf8(bytes(name)).unwrap();
        let kept: Vec<_> = taken(name).runs.iter().flat_map(|(_, events)| crate::export::to_source(events)).collect();
        assert_eq!(kept.concat(), text, "{name}");
    }
}

/// Messages as their JSON files have them, one by one.
fn protobuf(name: &str) -> Vec<Vec<u8>> {
    use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
    use prost::Message as _;
    let text = String::from_utf8(bytes(name)).unwrap();
    let read = |line: &str| serde_json::from_str::<ExportTraceServiceRequest>(line).unwrap().encode_to_vec();
    text.lines().map(read).collect()
}

#[test]
fn spans_as_protobuf_are_the_spans_of_their_json_however_they_are_framed() {
    let plain = taken("otlp-genai.jsonl");
    let messages = protobuf("otlp-genai.jsonl");
    let of_protobuf = |message: &Vec<u8>| {
        let mut length = Vec::new();
        prost::encoding::encode_varint(message.len() as u64, &mut length);
        length.extend(message);
        length
    };
    let of_the_collector = |message: &Vec<u8>| {
        let length = u32::try_from(message.len()).unwrap().to_be_bytes();
        length.iter().chain(message).copied().collect::<Vec<u8>>()
    };
    let framed: [Vec<u8>; 3] = [
        messages.concat(),
        messages.iter().flat_map(of_protobuf).collect(),
        messages.iter().flat_map(of_the_collector).collect(),
    ];
    for bytes in framed {
        let Taken { foreign, report, runs } = read_all(bytes, None).unwrap();
        assert_eq!((foreign, report.unread), (Foreign::Otlp, Vec::new()));
        let told: Vec<_> = runs.iter().map(|(_, events)| gists(events)).collect();
        assert_eq!(told, plain.runs.iter().map(|(_, events)| gists(events)).collect::<Vec<_>>());
    }
    let kept = crate::export::to_source(&taken("otlp-genai.binpb").runs[0].1).unwrap();
    assert_eq!(gists(&told(&kept).runs[0].1), gists(&plain.runs[0].1), "what is kept can be imported too");
}

#[test]
fn a_broken_message_of_spans_is_reported_and_the_rest_is_imported() {
    let whole = bytes("otlp-openinference.binpb");
    let first = 4 + u32::from_be_bytes(*whole.first_chunk().unwrap()) as usize;
    let mut broken = whole.clone();
    broken[first + 4] = 0xff;
    let Taken { report, runs, .. } = read_all(broken, None).unwrap();
    assert_eq!(
        (report.unread_count, report.unread[0].line, &*report.unread[0].reason.en),
        (1, 2, "not a message of OTLP")
    );
    assert_eq!(runs.len(), 1);
    let Taken { report, .. } = read_all(whole[..whole.len() - 5].to_vec(), None).unwrap();
    assert_eq!(report.unread[0].reason.en, "the file ends 5 bytes too early");
    let refused = read_all(b"\x00\x01\x02 no spans".to_vec(), None).err().unwrap().to_string();
    assert!(refused.starts_with("line 1: "), "{refused}");
}

#[test]
fn a_log_of_inspect_that_it_wrote_itself_is_read_with_what_it_counted() {
    let Taken { report, runs, .. } = taken("inspect-zstd.eval");
    assert_eq!((report.unread, runs.len()), (Vec::new(), 1));
    let usages: Vec<_> = fold::steps(&runs[0].1)
        .into_iter()
        .filter_map(|step| match step.kind {
            StepKind::Answer { usage: Some(usage), .. } => Some((usage.input, usage.output)),
            _ => None,
        })
        .collect();
    assert_eq!(usages, [(100, 20), (150, 20), (200, 20), (250, 20)]);
    let kept = crate::export::to_source(&runs[0].1).unwrap();
    assert!(kept.starts_with('{') && kept.contains("\"epoch\":"), "the lines are text, not what they were packed as");
}

#[test]
fn what_is_kept_of_a_log_of_inspect_is_that_log() {
    for name in ["inspect.json", "inspect.eval", "inspect-zstd.eval"] {
        let (run, events) = &taken(name).runs[0];
        let kept = crate::export::to_source(events).unwrap();
        let log: Value = serde_json::from_str(&kept).unwrap();
        for field in ["version", "status", "eval", "plan", "results", "stats"] {
            assert!(!log[field].is_null(), "{name}: {field}");
        }
        let again = told(&kept);
        assert_eq!((again.foreign, &again.runs[0].0), (Foreign::Inspect, run), "{name}");
        assert_eq!(gists(&again.runs[0].1), gists(events), "{name}");
    }
    let written: Value = serde_json::from_slice(&bytes("inspect.json")).unwrap();
    let kept = crate::export::to_source(&taken("inspect.json").runs[0].1).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&kept).unwrap(), written);
}

#[test]
fn each_sample_of_a_log_keeps_its_head() {
    let sample = |id: u32| {
        let messages = [
            serde_json::json!({ "role": "user", "content": "hi" }),
            serde_json::json!({ "role": "assistant", "content": "ho" }),
        ];
        serde_json::json!({ "id": id, "epoch": 1, "messages": messages })
    };
    let log = serde_json::json!({ "version": 2, "eval": { "task": "t", "model": "m" }, "samples": [sample(1), sample(2)], "stats": { "a": 1 } });
    let Taken { runs, .. } = told(&log.to_string());
    let kept: Vec<Value> = runs
        .iter()
        .map(|(_, events)| serde_json::from_str(&crate::export::to_source(events).unwrap()).unwrap())
        .collect();
    let alone = |id: u32| {
        let mut alone = log.clone();
        alone["samples"] = vec![sample(id)].into();
        alone
    };
    assert_eq!(kept, [alone(1), alone(2)]);
}

#[test]
fn a_bad_line_is_reported_and_the_rest_is_imported() {
    let text = String::from_utf8(bytes("claude-code.jsonl")).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines.insert(4, "{\"type\":\"user\",");
    let Taken { report, runs, .. } = told(&lines.join("\n"));
    assert_eq!((report.unread_count, report.unread[0].line), (1, 5));
    assert_eq!(gists(&runs[0].1), gists(&taken("claude-code.jsonl").runs[0].1));
}

#[test]
fn a_result_that_comes_before_its_call_reaches_that_call() {
    let text = String::from_utf8(bytes("claude-code.jsonl")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let place = |part: &str| lines.iter().position(|line| line.contains(part)).unwrap();
    let result = |call: &str| place(&format!(r#""tool_use_id": "{call}""#));
    let called = place(r#""type": "tool_use", "id": "toolu_4""#);
    let expected = taken("claude-code.jsonl");
    let steps = fold::steps(&expected.runs[0].1);
    // Right before its call, before another result, and as the first line of all.
    for (result, to) in [(result("toolu_4"), called), (result("toolu_4"), called - 1), (result("toolu_1"), 0)] {
        let mut lines = lines.clone();
        let line = lines.remove(result);
        lines.insert(to, line);
        let Taken { runs, .. } = told(&lines.join("\n"));
        let mixed = fold::steps(&runs[0].1);
        assert_eq!(gists(&runs[0].1), gists(&expected.runs[0].1), "{to}");
        let replies = |steps: &[Step]| -> Vec<Option<String>> {
            let reply = |step: &Step| match &step.kind {
                StepKind::Tool { reply, .. } => reply.clone(),
                _ => None,
            };
            steps.iter().map(reply).collect()
        };
        assert_eq!(replies(&mixed), replies(&steps), "{to}");
    }
}

#[test]
fn a_result_of_a_call_that_never_comes_is_shown_where_it_is() {
    let lines = |messages: &[&str]| messages.join("\n");
    let [user, orphan, answer, more] = [
        r#"{"role":"user","content":"hi"}"#,
        r#"{"role":"tool","tool_call_id":"gone","content":"lost"}"#,
        r#"{"role":"assistant","content":"ho"}"#,
        r#"{"role":"user","content":"more"}"#,
    ];
    let shown = |text: &str, step: u32| {
        let context = plainly(&told(text).runs[0].1, step).unwrap();
        context.messages.into_iter().map(|message| message.text).collect::<Vec<_>>()
    };
    assert_eq!(shown(&lines(&[user, orphan, answer]), 1), ["hi", "lost"]);
    assert_eq!(shown(&lines(&[user, answer, orphan, more, answer]), 3), ["hi", "ho", "lost", "more"]);
}

#[test]
fn messages_that_are_no_list_are_refused_with_what_was_expected() {
    let refused = |text: &str| read_all(text.as_bytes().to_vec(), None).err().unwrap().to_string();
    let expected = "line 1: a list of messages was expected in the field `messages`";
    for messages in [r#""none""#, "{}", "7", "null"] {
        assert_eq!(refused(&format!(r#"{{"messages":{messages}}}"#)), expected);
    }
    let good = r#"{"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"ho"}]}"#;
    let Taken { report, runs, .. } = told(&format!("{good}\n{{\"messages\":\"none\"}}\n{good}"));
    assert_eq!((runs.len(), report.unread_count, report.unread[0].line), (2, 1, 2));
    assert_eq!(report.unknown, BTreeMap::new());
    let input = read_all(br#"{"input":7,"instructions":"x"}"#.to_vec(), None).err().unwrap().to_string();
    assert_eq!(input, "line 1: a text or a list of items was expected in the field `input`");
}

#[test]
fn half_a_character_costs_that_character_and_not_the_message() {
    let said = r"cut \ud83d, \ude00 and whole \ud83d\ude00, \\ud83d, \uD83D\uD83D\uDE00";
    let Taken { report, runs, .. } = told(&format!(
        r#"{{"messages":[{{"role":"user","content":"{said}"}},{{"role":"assistant","content":"yes"}}]}}"#
    ));
    assert_eq!(report.unread.len(), 0);
    assert_eq!(gists(&runs[0].1)[0], "prompt cut \u{fffd}, \u{fffd} and whole \u{1f600}, \\ud83d, \u{fffd}\u{1f600}");
}

#[test]
fn what_is_no_trace_is_refused_and_a_format_can_be_forced() {
    let refused = |text: &str| read_all(text.as_bytes().to_vec(), None).err().unwrap().to_string();
    assert_eq!(refused(""), "line 1: the file is empty");
    let unknown = "line 1: this is not a trace that this program knows; name its format if it is one";
    assert_eq!(refused("{\"a\": 1}\n"), unknown);
    assert!(refused("[{\"a\": 1}\n").starts_with("line 1: not valid JSON"));
    assert!(refused("not JSON\n").starts_with("line 1: "));
    let forced = r#"{"model":"m","input":"hi","output":[{"type":"message","role":"assistant","content":"ho"}]}"#;
    let Taken { runs, .. } = read_all(forced.as_bytes().to_vec(), Some(Foreign::OpenaiResponses)).unwrap();
    assert_eq!(gists(&runs[0].1), ["prompt hi", "answer ho[0]"]);
}

#[test]
fn the_same_file_is_the_same_run_and_reading_can_be_stopped() {
    assert_eq!(taken("codex.jsonl").runs, taken("codex.jsonl").runs);
    let mut runs = 0;
    let stopped = read(Cursor::new(bytes("openai-chat.jsonl")), None, AT, &Scrubber::default(), &mut |found| {
        runs += u32::from(matches!(found, Found::Run(..)));
        false
    });
    let (_, report) = stopped.unwrap();
    assert_eq!((report.stopped, report.runs, runs), (true, 1, 1));
}

#[test]
fn bare_messages_and_a_list_of_them_are_one_conversation() {
    let messages = [r#"{"role":"user","content":"hi"}"#, r#"{"role":"assistant","content":"ho"}"#];
    for text in [messages.join("\n"), format!("[\n{}\n]", messages.join(",\n")), format!("[{}]", messages.join(","))] {
        assert_eq!(gists(&told(&text).runs[0].1), ["prompt hi", "answer ho[0]"], "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn a_damaged_file_never_panics(
        which in 0..12_usize,
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0..6_u8, any::<u8>()), 1..6),
    ) {
        let names = ["claude-code.jsonl", "codex.jsonl"].into_iter().chain(TOLD.iter().map(|(name, _)| *name));
        let name = names.collect::<Vec<_>>()[which];
        let mut damaged = bytes(name);
        for (place, how, byte) in cuts {
            let at = place.index(damaged.len().max(1)).min(damaged.len().saturating_sub(1));
            let word: &[u8] = [&b"null"[..], b"{}", b"[]", b"-1e999", b"\"\\ud800\"", b"\n"][usize::from(how)];
            match byte % 3 {
                0 => damaged[at] = byte,
                1 => { damaged.splice(at..at, word.iter().copied()); }
                _ => { damaged.drain(at..damaged.len().min(at + usize::from(byte))); }
            }
            if damaged.is_empty() {
                break;
            }
        }
        if let Ok(Taken { runs, .. }) = read_all(damaged, None) {
            for (_, events) in runs {
                let steps = fold::steps(&events);
                let last = u32::try_from(steps.len()).unwrap().saturating_sub(1);
                OpenRun::of(&events).context_among(last, &events);
            }
        }
    }

    #[test]
    fn values_of_the_wrong_kind_never_panic(which in 0..8_usize, place in any::<prop::sample::Index>(), kind in 0..5_usize) {
        let names = ["claude-code.jsonl", "codex.jsonl"].into_iter().chain(TOLD[..6].iter().map(|(name, _)| *name));
        let name = names.collect::<Vec<_>>()[which];
        let text = String::from_utf8(bytes(name)).unwrap();
        let lines: Vec<String> = match serde_json::from_str::<Value>(&text) {
            Ok(whole) => vec![whole.to_string()],
            Err(_) => text.lines().map(str::to_owned).collect(),
        };
        let at = place.index(lines.len());
        let mut value: Value = serde_json::from_str(&lines[at]).unwrap();
        let mut places = Vec::new();
        pointers(&value, String::new(), &mut places);
        let wrong = [Value::Null, 7.into(), "x".into(), Value::Array(vec![1.into()]), serde_json::json!({"a": 1})];
        *value.pointer_mut(&places[place.index(places.len())]).unwrap() = wrong[kind].clone();
        let mut lines = lines;
        lines[at] = value.to_string();
        if let Ok(Taken { runs, .. }) = read_all(lines.join("\n").into_bytes(), None) {
            runs.iter().for_each(|(_, events)| drop(fold::steps(events)));
        }
    }
}

fn pointers(value: &Value, at: String, all: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(place, item)| pointers(item, format!("{at}/{place}"), all))
        }
        Value::Object(fields) => fields.iter().for_each(|(name, item)| {
            pointers(item, format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")), all);
        }),
        _ => {}
    }
    all.push(at);
}
