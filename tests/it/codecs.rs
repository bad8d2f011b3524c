//! A fuzzer of the codecs: recorded answers, mutated and cut anywhere, must not panic, must mean the same in any chunks,
//! and must not grow. A short run of it, always the same, is one of the tests; `cargo xtask fuzz codecs` runs on.

use std::collections::HashSet;
use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use model::answer::Answer;
use model::protocol::Protocol;
use model::{Message, ModelError, ModelEvent, ModelRequest, Sampling, ToolResult};
use serde_json::{Value, json};

const WIRE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/wire");
const PROTOCOLS: [(Protocol, &str); Protocol::ALL.len()] = [
    (Protocol::OpenAi, "openai"),
    (Protocol::OpenAiResponses, "responses"),
    (Protocol::Anthropic, "anthropic"),
    (Protocol::Bedrock, "bedrock"),
];

/// How long to go on, in seconds; without it the run ends after [`SHORT`] inputs.
const SECONDS: &str = "SKILLBENCH_FUZZ_SECONDS";
const SHORT: u64 = 1_500;
/// For one input, however it is cut. What takes longer does not take linear time.
const PATIENCE: Duration = Duration::from_secs(10);

#[test]
fn mutated_answers_are_read_the_same_in_any_chunks_and_never_panic() {
    let seconds = std::env::var(SECONDS).ok().map(|seconds| seconds.parse().expect("a number of seconds"));
    let corpus = Corpus::read();
    let start = Instant::now();
    let mut tally = Tally::default();
    let go_on = |inputs: u64| match seconds {
        Some(seconds) => start.elapsed() < Duration::from_secs(seconds),
        None => inputs < SHORT,
    };
    // Long runs begin elsewhere every time.
    let mut seed = seconds.map_or(0, |_| u64::from(std::process::id()) << 32);
    while go_on(tally.inputs) {
        let (protocol, input) = corpus.input(&mut Random(seed));
        let outcome = panic::catch_unwind(AssertUnwindSafe(|| check(protocol, &input, &mut Random(!seed), &mut tally)));
        if let Err(reason) = outcome {
            let kept = keep(&input, seed);
            eprintln!("{protocol:?}, seed {seed}: the input is kept in {kept}");
            panic::resume_unwind(reason);
        }
        seed += 1;
    }
    if seconds.is_some() {
        println!("{tally:?} in {:.0?}", start.elapsed());
    }
}

#[test]
fn recorded_answers_are_read() {
    for (protocol, name, bytes) in Corpus::read().recordings {
        // These inputs are not answers.
        let is_refused =
            ["overloaded.sse", "overloaded.eventstream", "proxy.json", "refused.json"].contains(&name.as_str());
        let answer = if name.ends_with(".json") { whole(protocol, &bytes) } else { streamed(protocol, [&bytes[..]]) };
        assert_eq!(answer.error.is_some(), is_refused, "{protocol:?} {name}: {:?}", answer.error);
    }
}

#[test]
fn eight_times_the_payloads_take_about_eight_times_as_long() {
    let took = |protocol, many: fn(Protocol, u64) -> Value, count: u64| {
        let payloads: Vec<String> = (0..count).map(|number| many(protocol, number).to_string()).collect();
        let start = Instant::now();
        let mut answer = Answer::new(0);
        decoded(protocol, &payloads).iter().for_each(|event| answer.push(event));
        answer.finish();
        start.elapsed()
    };
    for (protocol, name) in PROTOCOLS {
        for (way, many) in LONG {
            // Other programs may get in between; not every time.
            let growth = || took(protocol, many, 8_000).as_secs_f64() / took(protocol, many, 1_000).as_secs_f64();
            assert!((0..3).any(|_| growth() < 14.0), "{name}: {way} take longer the more there are");
        }
    }
}

/// Something that an answer can have many of, and how the payload with one of them looks.
type Many = (&'static str, fn(Protocol, u64) -> Value);

const LONG: [Many; 4] = [
    ("calls", |protocol, number| match protocol {
        Protocol::OpenAi => {
            let function = json!({"name": "f", "arguments": "{}"});
            json!({"choices": [{"delta": {"tool_calls": [{"index": number, "id": number.to_string(), "function": function}]}}]})
        }
        Protocol::OpenAiResponses => {
            let item =
                json!({"type": "function_call", "id": number.to_string(), "call_id": number.to_string(), "name": "f"});
            json!({"type": "response.output_item.added", "output_index": number, "item": item})
        }
        Protocol::Anthropic => {
            let block = json!({"type": "tool_use", "id": number.to_string(), "name": "f", "input": {}});
            json!({"type": "content_block_start", "index": number, "content_block": block})
        }
        Protocol::Bedrock => {
            let start = json!({"toolUse": {"toolUseId": number.to_string(), "name": "f"}});
            json!({"contentBlockStart": {"contentBlockIndex": number, "start": start}})
        }
    }),
    ("calls without an id", |protocol, number| match protocol {
        Protocol::OpenAi => {
            json!({"choices": [{"delta": {"tool_calls": [{"index": number, "function": {"name": "f"}}]}}]})
        }
        Protocol::OpenAiResponses => {
            let item = json!({"type": "function_call", "name": "f", "arguments": "{}"});
            json!({"type": "response.output_item.done", "item": item})
        }
        Protocol::Anthropic => {
            json!({"type": "content_block_start", "index": number, "content_block": {"type": "tool_use", "name": "f"}})
        }
        Protocol::Bedrock => {
            json!({"contentBlockStart": {"contentBlockIndex": number, "start": {"toolUse": {"name": "f"}}}})
        }
    }),
    ("pieces of arguments", |protocol, number| match protocol {
        Protocol::OpenAi => {
            json!({"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"}}]}}]})
        }
        Protocol::OpenAiResponses => {
            json!({"type": "response.function_call_arguments.delta", "item_id": "a", "delta": "{}"})
        }
        Protocol::Anthropic => {
            json!({"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": "{}"}})
        }
        Protocol::Bedrock if number == 0 => {
            json!({"contentBlockStart": {"contentBlockIndex": 0, "start": {"toolUse": {"toolUseId": "a", "name": "f"}}}})
        }
        Protocol::Bedrock => {
            json!({"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"toolUse": {"input": "{}"}}}})
        }
    }),
    ("thoughts", |protocol, number| match protocol {
        Protocol::OpenAi => json!({"choices": [{"delta": {"reasoning": number.to_string(), "content": "a"}}]}),
        Protocol::OpenAiResponses => {
            let item =
                json!({"type": "reasoning", "id": number.to_string(), "summary": ["a"], "encrypted_content": "b"});
            json!({"type": "response.output_item.done", "output_index": number, "item": item})
        }
        Protocol::Anthropic => {
            json!({"type": "content_block_start", "index": number, "content_block": {"type": "redacted_thinking", "data": "b"}})
        }
        Protocol::Bedrock => {
            let delta = json!({"reasoningContent": {"redactedContent": "YQ=="}});
            json!({"contentBlockDelta": {"contentBlockIndex": number, "delta": delta}})
        }
    }),
];

/// What a run has seen.
#[derive(Debug, Default)]
struct Tally {
    inputs: u64,
    bytes: usize,
    events: usize,
    /// Inputs that were an answer to the end.
    answers: u64,
    refused: u64,
    slowest: Duration,
}

fn check(protocol: Protocol, input: &[u8], random: &mut Random, tally: &mut Tally) {
    let start = Instant::now();
    let at_once = streamed(protocol, [input]);
    let chunks = random.cut(input);
    assert_eq!(streamed(protocol, chunks.iter().copied()), at_once, "chunks change nothing");
    assert_eq!(streamed(protocol, input.chunks(1)), at_once, "single bytes change nothing");
    for answer in [&at_once, &whole(protocol, input)] {
        let size = answer.events.iter().map(|event| json!(event).to_string().len()).sum::<usize>();
        // Each event is wrapped in JSON here, a byte that is not UTF-8 becomes three, a float gets all its digits, and a
        // thought comes as text and whole.
        assert!(size <= 4096 + input.len() * 40, "{size} bytes of events out of {}", input.len());
        assert!(answer.events.len() <= 2 + input.len(), "{} events", answer.events.len());
        fold(&answer.events);
        tally.events += answer.events.len();
    }
    let took = start.elapsed();
    assert!(took < PATIENCE, "{took:?} for {} bytes", input.len());
    tally.inputs += 1;
    tally.bytes += input.len();
    *if at_once.error.is_none() { &mut tally.answers } else { &mut tally.refused } += 1;
    tally.slowest = tally.slowest.max(took);
}

/// Folds the events into a message, which every protocol can send on.
fn fold(events: &[ModelEvent]) {
    let mut answer = Answer::new(0);
    events.iter().for_each(|event| answer.push(event));
    let sealed = events.iter().filter(|event| matches!(event, ModelEvent::Sealed { .. })).count();
    let (text, reasoning) = (answer.text().to_owned(), answer.reasoning().to_owned());
    let message = answer.finish().message;
    assert_eq!((message.text(), message.reasoning()), (text, reasoning));
    let blocks = message.parts.iter().filter(|part| json!(part)["block"].is_object()).count();
    assert!(blocks <= sealed, "{blocks} blocks of {sealed}");
    let ids: HashSet<&str> = message.calls().map(|call| call.id.as_str()).collect();
    assert_eq!(ids.len(), message.calls().count(), "every call has an id of its own");
    assert!(!ids.contains(""));
    let result = |id: &&str| ToolResult { call_id: (*id).into(), text: "x".into(), wire: None, is_error: false };
    let results: Vec<_> = ids.iter().map(result).map(Message::tool_result).collect();
    let request =
        ModelRequest { messages: [vec![Message::user("hi"), message], results].concat(), ..ModelRequest::default() };
    for (protocol, name) in PROTOCOLS {
        let body = protocol.encode("m", &request, true, &Sampling::default());
        assert!(serde_json::from_str::<Value>(&body).is_ok(), "{name}: {body}");
    }
}

/// The result of an input.
#[derive(Debug, PartialEq)]
struct Read {
    events: Vec<ModelEvent>,
    error: Option<ModelError>,
}

/// What a decoder makes of payloads, up to the first that it refuses.
fn decoded(protocol: Protocol, payloads: &[String]) -> Vec<ModelEvent> {
    let mut decoder = protocol.decoder();
    let mut events = Vec::new();
    for payload in payloads {
        match decoder.push(payload) {
            Ok(more) => events.extend(more),
            Err(_) => return events,
        }
    }
    events.extend(decoder.end().unwrap_or_default());
    events
}

/// The input as a stream, read until the decoder has enough or has had enough.
fn streamed<'a>(protocol: Protocol, chunks: impl IntoIterator<Item = &'a [u8]>) -> Read {
    let (mut reader, mut decoder, mut events) = (protocol.framing(), protocol.decoder(), Vec::new());
    let mut pushed = 0;
    for chunk in chunks {
        pushed += chunk.len();
        for payload in reader.push(chunk) {
            match payload.and_then(|payload| decoder.push(&payload)) {
                Ok(more) => events.extend(more),
                Err(error) => return Read { events, error: Some(error) },
            }
        }
        // A byte that is not UTF-8 becomes three.
        assert!(reader.pending() <= 3 * pushed);
    }
    let last = reader.finish().map_or(Ok(Vec::new()), |payload| decoder.push(&payload));
    let last = last.and_then(|last| {
        events.extend(last);
        decoder.end()
    });
    let error = last.map(|last| events.extend(last)).err();
    Read { events, error }
}

fn whole(protocol: Protocol, input: &[u8]) -> Read {
    match protocol.decode(&String::from_utf8_lossy(input)) {
        Ok(events) => Read { events, error: None },
        Err(error) => Read { events: Vec::new(), error: Some(error) },
    }
}

fn keep(input: &[u8], seed: u64) -> Utf8PathBuf {
    let folder = Utf8Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
    let file = folder.join(format!("{seed}.sse"));
    fs::create_dir_all(&folder).unwrap();
    fs::write(&file, input).unwrap();
    file
}

/// Recordings, by protocol, file and bytes.
struct Corpus {
    recordings: Vec<(Protocol, String, Vec<u8>)>,
}

impl Corpus {
    fn read() -> Self {
        let mut recordings = Vec::new();
        for (protocol, name) in PROTOCOLS {
            let folder = Utf8Path::new(WIRE).join(name);
            let mut files: Vec<_> = folder.read_dir_utf8().unwrap().map(|entry| entry.unwrap().into_path()).collect();
            files.sort();
            recordings.extend(files.into_iter().map(|file| {
                let bytes = fs::read(&file).unwrap();
                (protocol, file.file_name().unwrap().to_owned(), bytes)
            }));
        }
        Self { recordings }
    }

    /// A recording after a few mutations, and a protocol to read it by: its own, as a rule.
    fn input(&self, random: &mut Random) -> (Protocol, Vec<u8>) {
        let (own, _, bytes) = random.choose(&self.recordings);
        let protocol = if random.below(16) == 0 { random.choose(&PROTOCOLS).0 } else { *own };
        let mut input = bytes.clone();
        // Bytes at random seldom leave JSON behind; most inputs are to get further than its parser.
        let kinds = if random.below(4) == 0 { 0..12 } else { 7..12 };
        for _ in 0..random.below(6) {
            let kind = kinds.start + random.below(kinds.len());
            self.mutate(&mut input, kind, random);
            input.truncate(1 << 18);
        }
        (protocol, input)
    }

    fn mutate(&self, input: &mut Vec<u8>, kind: usize, random: &mut Random) {
        let range = random.range(input.len());
        match kind {
            0 => input.truncate(range.start),
            1 => drop(input.drain(range)),
            2 => {
                let repeated = input[range.clone()].repeat(1 + random.below(20));
                drop(input.splice(range, repeated));
            }
            3 => input[range].iter_mut().for_each(|byte| *byte = byte.wrapping_add(random.below(256) as u8)),
            4 => drop(input.splice(range.start..range.start, random.choose(&SNIPPETS).bytes())),
            5 => {
                let other = &random.choose(&self.recordings).2;
                let part = random.range(other.len());
                drop(input.splice(range, other[part].iter().copied()));
            }
            6 => {
                let end = *random.choose(&["\r\n", "\r", "\n\n", ""]);
                *input = String::from_utf8_lossy(input).replace('\n', end).into();
            }
            7 => blocks(input, |blocks| {
                let (one, other) = (random.below(blocks.len()), random.below(blocks.len()));
                match random.below(4) {
                    0 => blocks.swap(one, other),
                    1 => drop(blocks.remove(one)),
                    2 => blocks.insert(other, blocks[one].clone()),
                    _ => blocks[one.min(other)..one.max(other)].reverse(),
                }
            }),
            _ => lines(input, random),
        }
    }
}

/// Pieces that mean something to a reader or to a decoder.
const SNIPPETS: [&str; 20] = [
    "\n\ndata: ",
    "\r\n\r\n",
    "data: [DONE]\n\n",
    "\n: comment\n\n",
    "\u{feff}",
    "null",
    "{}",
    "[]",
    "\"\"",
    "-1",
    "18446744073709551616",
    "1e999",
    r"\ud83d",
    r"\ude42",
    r"\u0000",
    r#"{"error":{"message":"x"}}"#,
    r#""index":0,"#,
    r#""output_index":0,"#,
    "{\"a\":",
    "\u{10fffd}",
];

/// Changes the blocks that empty lines part.
fn blocks(input: &mut Vec<u8>, change: impl FnOnce(&mut Vec<String>)) {
    let mut blocks: Vec<String> = String::from_utf8_lossy(input).split("\n\n").map(str::to_owned).collect();
    change(&mut blocks);
    *input = blocks.join("\n\n").into();
}

/// Changes a value in one of the lines that are JSON.
fn lines(input: &mut Vec<u8>, random: &mut Random) {
    let text = String::from_utf8_lossy(input).into_owned();
    let mut lines: Vec<String> = match serde_json::from_str::<Value>(&text) {
        Ok(value) => vec![value.to_string()],
        Err(_) => text.split('\n').map(str::to_owned).collect(),
    };
    let at = random.below(lines.len());
    let (field, json) = lines[at].split_at(if lines[at].starts_with("data: ") { 6 } else { 0 });
    if let Ok(mut value) = serde_json::from_str::<Value>(json) {
        change(&mut value, random);
        lines[at] = format!("{field}{value}");
    }
    *input = lines.join("\n").into();
}

fn change(value: &mut Value, random: &mut Random) {
    let here = random.below(4) == 0;
    match value {
        Value::Array(values) if !here && !values.is_empty() => {
            let at = random.below(values.len());
            match random.below(6) {
                0 => drop(values.remove(at)),
                1 => values.push(values[at].clone()),
                _ => change(&mut values[at], random),
            }
        }
        Value::Object(entries) if !here && !entries.is_empty() => {
            let key = entries.keys().nth(random.below(entries.len())).unwrap().clone();
            match random.below(6) {
                0 => drop(entries.shift_remove(&key)),
                1 => {
                    let moved = entries.values().nth(random.below(entries.len())).unwrap().clone();
                    entries.insert(key, moved);
                }
                _ => change(&mut entries[&key], random),
            }
        }
        Value::String(text) if random.below(2) == 0 => {
            let half = text.chars().take(random.below(text.chars().count() + 1)).collect();
            *text = if random.below(2) == 0 { half } else { text.repeat(3) };
        }
        Value::Number(_) if random.below(2) == 0 => *value = json!(random.below(4)),
        value => {
            let odd = [
                json!(null),
                json!(""),
                json!([]),
                json!({}),
                json!(0),
                json!(-1.5),
                json!(true),
                json!("x"),
                json!([null]),
            ];
            *value = random.choose(&odd).clone();
        }
    }
}

/// SplitMix64: the same numbers for the same seed, everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    fn choose<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// Of places up to `end`; short ones more often.
    fn range(&mut self, end: usize) -> std::ops::Range<usize> {
        let start = self.below(end + 1);
        let longest = [2, 40, end][self.below(3)];
        start..(start + self.below(longest + 1)).min(end)
    }

    fn cut<'a>(&mut self, mut bytes: &'a [u8]) -> Vec<&'a [u8]> {
        let longest = [3, 30, 3_000][self.below(3)];
        let mut chunks = Vec::new();
        while !bytes.is_empty() {
            let (chunk, rest) = bytes.split_at((1 + self.below(longest)).min(bytes.len()));
            chunks.push(chunk);
            bytes = rest;
        }
        chunks
    }
}
