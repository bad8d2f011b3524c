//! Conversations of several turns that `cargo xtask record` had with the real Python frameworks, played by the engine: the
//! same user, the same edits between the turns, the same answers of the model, and each request as it goes over the wire.

use std::collections::VecDeque;
use std::fs;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use api::dto::{ContinueArgs, ExportArgs, RunExport, RunMeans, RunRequest};
use camino::{Utf8Path, Utf8PathBuf};
use config::SandboxMode;
use serde_json::{Map, Value, json};
use skillbench_tests::GOLDEN;
use skillbench_tests::conformance::Suite;
use trace::{Decision, RunId};
use wiremock::matchers::method;
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

use super::agentscope;
use crate::examples::Bench;
use crate::turns::says;

/// Folders of recordings, and the harness and variant that imitate what was recorded.
const RECORDED: [(&str, &str, &str); 9] = [
    ("agentscope-java-1.0.5", "agentscope", "java-1.0.5"),
    ("agentscope-java-1.0.8", "agentscope", "java-1.0.8"),
    ("agentscope-java-1.0.8", "agentscope", "seed"),
    ("agentscope-python-2.0.11", "agentscope", "python-2.0.11"),
    ("learn-claude-code-seed002", "learn-claude-code", "seed"),
    ("maf-dotnet-1.17.0", "agent-framework", "dotnet-1.17"),
    ("maf-python-1.13.0", "agent-framework", "python-1.13"),
    ("maf-python-1.23.0", "agent-framework", "python-1.23"),
    ("strands-vended-1.62.0", "strands", "vended-1.62"),
];

/// Requests that are others on purpose: from this one of the turn on, both counted from zero.
struct Meant {
    file: &'static str,
    turn: usize,
    request: usize,
    why: &'static str,
}

impl Meant {
    fn is(&self, file: &str, turn: usize, request: usize) -> bool {
        self.file == file && (turn, request) >= (self.turn, self.request)
    }
}

const MEANT: [Meant; 7] = [
    Meant { file: "agentscope-java-1.0.5/turns_many_rounds.json", turn: 0, request: 10, why: SUMMARY },
    Meant { file: "agentscope-java-1.0.8/turns_many_rounds.json", turn: 0, request: 10, why: SUMMARY },
    Meant { file: "agentscope-java-1.0.5/turns_broken_arguments_whole.json", turn: 1, request: 1, why: LOST },
    Meant { file: "agentscope-java-1.0.8/turns_broken_arguments_whole.json", turn: 1, request: 1, why: LOST },
    Meant {
        file: "agentscope-python-2.0.11/turns_runtime_state.json",
        turn: 0,
        request: 0,
        why: "AgentScope tells the model the time, which differs with every run and is left out here; all other recordings \
              are made with `inject_runtime_state` off",
    },
    Meant { file: "maf-dotnet-1.17.0/turns_said_with_calls.json", turn: 1, request: 1, why: EMPTY },
    Meant { file: "maf-dotnet-1.17.0/turns_said_with_calls_approvals.json", turn: 1, request: 1, why: EMPTY },
];

const SUMMARY: &str = "After ten rounds AgentScope asks the model for a summary, without tools; here the run ends there, \
                       and says why";

const LOST: &str = "If the model does not stream, AgentScope loses a call whose arguments are not JSON and ends the turn; \
                    here the tool answers as it does if the model streams";

const EMPTY: &str =
    "An answer that says an empty text with its calls is one that says nothing here; .NET sends the empty text again";

pub fn compare(suite: &mut Suite) {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    for (folder, harness, variant) in RECORDED {
        for file in suite.files(folder, "turns_") {
            let mut expected = suite.recorded(&file);
            if (harness, variant) == ("agentscope", "seed") {
                expected = agentscope::as_the_seed_prints(&expected);
            }
            let seen = runtime.block_on(play(harness, variant, &expected, Utf8Path::new(GOLDEN), None));
            compare_turns(suite, &file, variant, &seen, &expected);
        }
    }
}

/// Folders of `cargo xtask record chance`, and the harness and variant that imitate them.
const OF_CHANCE: [(&str, &str, &str); 4] = [
    ("agent-framework-1.13", "agent-framework", "python-1.13"),
    ("agent-framework-1.23", "agent-framework", "python-1.23"),
    ("agentscope", "agentscope", "python-2.0.11"),
    ("strands", "strands", "vended-1.62"),
];

/// With `SKILLBENCH_CHANCE` set to the folder that `cargo xtask record chance` wrote: each conversation there, and what differs.
/// None begins after `SKILLBENCH_CHANCE_SECONDS`.
#[tokio::test(flavor = "multi_thread")]
async fn conversations_of_chance_are_as_the_real_frameworks_had_them() {
    let Some(folder) = std::env::var("SKILLBENCH_CHANCE").ok().map(Utf8PathBuf::from) else { return };
    let seconds = std::env::var("SKILLBENCH_CHANCE_SECONDS").ok().and_then(|seconds| seconds.parse().ok());
    let (begun, most) = (Instant::now(), seconds.map_or(Duration::MAX, Duration::from_secs));
    let (mut all, mut left, mut other) = (0, 0, Vec::new());
    for (name, harness, variant) in OF_CHANCE {
        let Ok(files) = folder.join(name).read_dir_utf8() else { continue };
        let mut files: Vec<Utf8PathBuf> = files.map(|file| file.unwrap().into_path()).collect();
        files.sort();
        let count = files.len();
        for (number, file) in files.into_iter().enumerate() {
            if begun.elapsed() > most {
                left += count - number;
                break;
            }
            let expected: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
            let played = tokio::time::timeout(STUCK, play(harness, variant, &expected, &folder, OPEN)).await;
            all += 1;
            if (number + 1) % 10 == 0 || number + 1 == count {
                println!("Skill Workbench, {name}: {} of {count}, {} s", number + 1, begun.elapsed().as_secs());
            }
            let Ok(seen) = played else {
                other.push(format!("{file}\nit did not end in {} s", STUCK.as_secs()));
                continue;
            };
            if let Some(difference) = first_difference(&seen, &expected) {
                other.push(format!("{file}\n{difference}"));
            }
        }
    }
    assert!(other.is_empty(), "{} of {all} differ:\n\n{}", other.len(), other.join("\n\n"));
    assert!(all > 0, "{folder} has no conversation");
    let rest = if left > 0 { format!(" {left} were left out: the time was over.") } else { String::new() };
    println!("None of {all} conversations differs.{rest}");
}

/// Nothing confines the real frameworks: their commands see folders outside of skills, which our sandbox hides.
const OPEN: Option<SandboxMode> = Some(SandboxMode::Off);

/// No conversation takes so long, whatever is in it.
const STUCK: Duration = Duration::from_secs(120);

fn first_difference(seen: &[Turn], expected: &Value) -> Option<String> {
    for (number, (seen, expected)) in seen.iter().zip(expected["turns"].as_array().unwrap()).enumerate() {
        let requests = expected["requests"].as_array().unwrap();
        for (index, expected) in requests.iter().enumerate() {
            let (seen, expected) = (seen.requests.get(index).unwrap_or(&Value::Null), without_stream(expected));
            if *seen != expected {
                return Some(format!("turn {}, request {}:\n  {seen}\n  {expected}", number + 1, index + 1));
            }
        }
        let (requests, failed) = (requests.len(), !expected["error"].is_null());
        if (seen.requests.len(), seen.failed) != (requests, failed) {
            let counts = (seen.requests.len(), requests, seen.failed, &expected["error"]);
            return Some(format!("turn {}: requests and end are {counts:?}", number + 1));
        }
    }
    None
}

fn compare_turns(suite: &mut Suite, file: &str, variant: &str, seen: &[Turn], expected: &Value) {
    for (number, (seen, expected)) in seen.iter().zip(expected["turns"].as_array().unwrap()).enumerate() {
        let requests = expected["requests"].as_array().unwrap();
        let of = if file.starts_with(agentscope::SECOND) { format!("{variant}, ") } else { String::new() };
        let name = |part: &str| format!("{of}turn {} {part}", number + 1);
        for (index, expected) in requests.iter().enumerate() {
            let seen = seen.requests.get(index).unwrap_or(&Value::Null);
            let (name, expected) = (name(&format!("request {}", index + 1)), without_stream(expected));
            let (seen, expected) = match file.starts_with(agentscope::SECOND) {
                true => (&agentscope::problems_in_order(seen), agentscope::problems_in_order(&expected)),
                false => (seen, expected),
            };
            match MEANT.iter().find(|meant| meant.is(file, number, index)) {
                Some(meant) => suite.deviates(file, &name, seen, &expected, meant.why),
                // Keys of a message come in the order of our own codec.
                None => suite.equal_in_any_order(file, &name, seen, &expected),
            }
        }
        let counts = (json!(seen.requests.len()), json!(requests.len()));
        match MEANT.iter().find(|meant| meant.is(file, number, requests.len())) {
            Some(meant) if counts.0 != counts.1 => {
                suite.deviates(file, &name("requests"), &counts.0, &counts.1, meant.why);
            }
            _ => suite.equal(file, &name("requests"), &counts.0, &counts.1),
        }
        let ends = (json!(seen.failed), json!(!expected["error"].is_null()));
        match MEANT.iter().find(|meant| meant.is(file, number, requests.len())) {
            Some(meant) if ends.0 != ends.1 => {
                suite.deviates(file, &name("ends with an error"), &ends.0, &ends.1, meant.why);
            }
            _ => suite.equal(file, &name("ends with an error"), &ends.0, &ends.1),
        }
    }
}

/// A client that does not stream sets this to `false`, or leaves it out.
fn without_stream(request: &Value) -> Value {
    let mut request = request.clone();
    if request["stream"] == false {
        request.as_object_mut().unwrap().shift_remove("stream");
    }
    request
}

/// The outcome of a turn of the user.
struct Turn {
    /// As recorded: each without what it repeats of the one before.
    requests: Vec<Value>,
    failed: bool,
}

async fn play(
    harness: &str,
    variant: &str,
    recorded: &Value,
    golden: &Utf8Path,
    sandbox: Option<SandboxMode>,
) -> Vec<Turn> {
    let home = tempfile::tempdir().unwrap();
    let fixtures = Utf8PathBuf::try_from(home.path().canonicalize().unwrap()).unwrap();
    let below = recorded["root"].as_str().unwrap();
    let root = fixtures.join(below);
    copy(&golden.join(below), &root);
    let mut project =
        json!({"agentInstructions": recorded["instructions"], "harnesses": {harness: recorded["settings"]}});
    if let Some(groups) = recorded.get("toolGroups") {
        project["toolGroups"] = groups.clone();
    }
    fs::write(root.join("workbench.yaml"), project.to_string()).unwrap();

    let model = Model::start().await;
    let bench = Bench::on(&root).await;
    let streams = recorded["turns"][0]["requests"][0]["stream"] == true;
    let config = bench.home.path().join("config");
    fs::create_dir_all(&config).unwrap();
    let entry = format!(
        "models:\n- {{id: mock, provider: openAi, baseUrl: \"{}/v1\", model: fake, stream: {streams}}}\n",
        model.server.uri()
    );
    fs::write(config.join("models.yaml"), entry).unwrap();

    let variant = recorded["variant"].as_str().unwrap_or(variant);
    let decision = match recorded["user"].as_str() {
        Some("refuses") => Decision::Deny { reason: None },
        _ => Decision::Allow { arguments: None, for_run: false },
    };
    let mut turns = Vec::new();
    let mut run = None;
    let mut before = Value::Null;
    for turn in recorded["turns"].as_array().unwrap() {
        edit(&root, &turn["edit"]);
        let answers = turn["answers"].to_string().replace("{FIXTURES}", fixtures.as_str());
        model.says(&serde_json::from_str(&answers).unwrap());
        let prompt = turn["prompt"].as_str().unwrap();
        let started = match run {
            None => bench.bench.run_start(first(harness, variant, prompt, sandbox)).await.unwrap(),
            Some(run) => bench.bench.run_continue(more(run, prompt, sandbox)).await.unwrap(),
        };
        run = Some(started);
        let (_, status, _) = bench.to_end_deciding(started, &decision).await;
        let working = working_folder(&bench, started).await;
        let neutral = |body: &String| -> Value {
            let body = body.replace(&working, "{WORKING}").replace(fixtures.as_str(), "{FIXTURES}");
            without_stream(&serde_json::from_str(&body).unwrap())
        };
        let bodies: Vec<Value> = model.heard().iter().map(neutral).collect();
        let mut requests = Vec::new();
        for body in bodies {
            requests.push(without_repeated(&body, &before));
            before = body;
        }
        turns.push(Turn { requests, failed: status != trace::RunStatus::Done });
    }
    turns
}

fn edit(root: &Utf8Path, edit: &Value) {
    let Some(path) = edit["path"].as_str() else { return };
    let path = root.join(path);
    let text = fs::read_to_string(&path).unwrap();
    let edited = text.replace(edit["replace"].as_str().unwrap(), edit["with"].as_str().unwrap());
    assert_ne!(text, edited, "{path} holds what is replaced");
    fs::write(path, edited).unwrap();
}

/// Links stay the text files that the repository keeps, as they were when this was recorded.
fn copy(from: &Utf8Path, to: &Utf8Path) {
    fs::create_dir_all(to).unwrap();
    for entry in from.read_dir_utf8().unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

fn first(harness: &str, variant: &str, prompt: &str, sandbox: Option<SandboxMode>) -> RunRequest {
    RunRequest {
        harness: harness.into(),
        variant: Some(variant.into()),
        model: "mock".into(),
        prompt: prompt.into(),
        means: many(sandbox),
        ..RunRequest::default()
    }
}

fn more(run: RunId, prompt: &str, sandbox: Option<SandboxMode>) -> ContinueArgs {
    ContinueArgs { means: many(sandbox), ..says(run, prompt) }
}

fn many(sandbox: Option<SandboxMode>) -> RunMeans {
    RunMeans { turns: Some(REQUESTS), sandbox, ..RunMeans::default() }
}

/// More than any recording has.
const REQUESTS: u32 = 100;

/// The working folder of the run's commands; texts of the conversation may name it.
async fn working_folder(bench: &Bench, run: RunId) -> String {
    let text = bench.bench.run_export(ExportArgs { run, format: RunExport::Jsonl }).await.unwrap();
    let (_, events) = trace::export::from_jsonl(&text).unwrap();
    let folder = events.iter().find_map(|event| match &event.kind {
        trace::EventKind::Started { setup } => Some(setup.working_directory.to_string()),
        _ => None,
    });
    folder.unwrap()
}

/// As the recorder writes it.
fn without_repeated(body: &Value, before: &Value) -> Value {
    let known = before["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let messages = body["messages"].as_array().unwrap();
    let same = known.iter().zip(messages).take_while(|(a, b)| a == b).count();
    let mut short = Map::new();
    short.insert("same_messages".into(), json!(same));
    short.insert("messages".into(), json!(messages[same..]));
    for (key, value) in body.as_object().unwrap() {
        if key != "messages" && before.get(key) != Some(value) {
            short.insert(key.clone(), value.clone());
        }
    }
    let before = before.as_object().into_iter().flatten();
    let mut gone: Vec<&String> = before.map(|(key, _)| key).filter(|key| body.get(key).is_none()).collect();
    gone.sort();
    if !gone.is_empty() {
        short.insert("without".into(), json!(gone));
    }
    Value::Object(short)
}

/// A server that says what it was given to say, one answer for each request.
struct Model {
    server: MockServer,
    answers: Arc<Mutex<VecDeque<Value>>>,
    bodies: Arc<Mutex<Vec<String>>>,
}

impl Model {
    async fn start() -> Self {
        let model = Self { server: MockServer::start().await, answers: Arc::default(), bodies: Arc::default() };
        let (answers, bodies) = (model.answers.clone(), model.bodies.clone());
        let respond = move |request: &Request| {
            let body = String::from_utf8(request.body.clone()).unwrap();
            let streams = serde_json::from_str::<Value>(&body).unwrap()["stream"] == true;
            bodies.lock().unwrap().push(body);
            let answer = answers.lock().unwrap().pop_front().unwrap_or(json!({"say": "Nothing is left to say."}));
            respond(&answer, streams)
        };
        Mock::given(method("POST")).respond_with(respond).mount(&model.server).await;
        model
    }

    fn says(&self, answers: &Value) {
        *self.answers.lock().unwrap() = answers.as_array().unwrap().iter().cloned().collect();
        self.bodies.lock().unwrap().clear();
    }

    fn heard(&self) -> Vec<String> {
        self.bodies.lock().unwrap().clone()
    }
}

fn respond(answer: &Value, streams: bool) -> ResponseTemplate {
    let calls = answer["calls"].as_array().map(Vec::as_slice).unwrap_or_default();
    let call = |(index, call): (usize, &Value)| {
        let function = json!({"name": call["name"], "arguments": call["arguments"]});
        json!({"index": index, "id": call["id"], "type": "function", "function": function})
    };
    let calls: Vec<Value> = calls.iter().enumerate().map(call).collect();
    let mut message = json!({"role": "assistant", "content": answer.get("say")});
    if !calls.is_empty() {
        message["tool_calls"] = json!(calls);
    }
    let finish = if calls.is_empty() { "stop" } else { "tool_calls" };
    if !streams {
        let choice = json!({"index": 0, "message": message, "finish_reason": finish});
        return ResponseTemplate::new(200).set_body_json(json!({"choices": [choice]}));
    }
    let chunks = [
        json!({"choices": [{"index": 0, "delta": message, "finish_reason": null}]}).to_string(),
        json!({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}).to_string(),
        "[DONE]".to_owned(),
    ];
    let body: String = chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).collect();
    ResponseTemplate::new(200).set_body_raw(body, "text/event-stream")
}
