//! Runs over HTTP against aimock, a scripted server by others that speaks all three protocols: under every harness the
//! conversation is the same one as with the rehearsal model.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use api::dto::{NoArgs, RunRequest, StepArgs};
use camino::Utf8Path;
use needed::require_or_skip;
use serde_json::{Value, json};
use trace::{RunStatus, Step, StepKind};

use crate::examples::{Bench, request, skills};

const PROMPT: &str = "How many pounds is 1 kilogram?";

/// What the scripted model thinks before its first answer, and what a provider signs it with.
const THOUGHT: &str = "The skill knows. 让我看看。";
const SIGNATURE: &str = "c2lnbmF0dXJl";

#[tokio::test(flavor = "multi_thread")]
async fn the_scene_is_the_same_over_every_protocol_under_every_harness() {
    let bench = Bench::on(&skills()).await;
    let mut harnesses = bench.bench.harness_list(NoArgs {}).await.unwrap();
    harnesses.retain(|harness| harness.runs);
    let mut scenes = Vec::new();
    let mut fixtures = Vec::new();
    for harness in &harnesses {
        let request = RunRequest { harness: harness.id.clone(), ..request("rehearsal", PROMPT) };
        let (_, status, steps) = bench.play(request).await;
        assert_eq!(status, RunStatus::Done);
        fixtures.extend(script(&harness.id, &steps));
        scenes.push(conversation(&steps));
    }
    let Some(server) = Aimock::start(&json!({ "fixtures": fixtures })) else { return };

    let protocols = ["openAi", "openAiResponses", "anthropic"];
    let mut models = String::from("models:\n");
    for harness in &harnesses {
        for protocol in protocols {
            for stream in [true, false] {
                models += &format!(
                    "- id: {harness}-{protocol}-{stream}\n  provider: {protocol}\n  baseUrl: {}/v1\n  \
                     model: {harness}\n  stream: {stream}\n",
                    server.url,
                    harness = harness.id,
                );
            }
        }
    }
    let config = bench.home.path().join("config");
    std::fs::create_dir_all(&config).unwrap();
    std::fs::write(config.join("models.yaml"), models).unwrap();

    for (harness, scene) in harnesses.iter().zip(&scenes) {
        for protocol in protocols {
            for stream in [true, false] {
                let model = format!("{}-{protocol}-{stream}", harness.id);
                let request = RunRequest { harness: harness.id.clone(), ..request(&model, PROMPT) };
                let (run, status, steps) = bench.play(request).await;
                assert_eq!(status, RunStatus::Done, "{model}: {:?}", steps.last());
                assert_eq!(conversation(&steps), *scene, "{model}");
                let StepKind::Answer { reasoning, .. } = first_answer(&steps) else { panic!("{model}: no answer") };
                assert_eq!(reasoning, THOUGHT, "{model}");
                if protocol == "anthropic" {
                    let step = steps.last().unwrap().index;
                    let sent = bench.bench.step_context(StepArgs { run, step }).await.unwrap().body.unwrap();
                    assert!(sent.contains(SIGNATURE), "{model}: the thought goes back as it was signed: {sent}");
                }
            }
        }
    }
}

/// The answers of a run as a script for aimock: each is given once this many answers are there.
fn script(model: &str, steps: &[Step]) -> Vec<Value> {
    let answers = steps.iter().filter_map(|step| match &step.kind {
        StepKind::Answer { text, calls, .. } => Some((text, calls)),
        _ => None,
    });
    let script = answers.enumerate().map(|(turn, (text, calls))| {
        let calls: Vec<Value> =
            calls.iter().map(|call| json!({ "id": call.id, "name": call.name, "arguments": call.arguments })).collect();
        let mut response = if calls.is_empty() { json!({ "content": text }) } else { json!({ "toolCalls": calls }) };
        if turn == 0 {
            response["reasoning"] = json!(THOUGHT);
            response["reasoningSignature"] = json!(SIGNATURE);
        }
        json!({ "match": { "model": model, "turnIndex": turn }, "response": response })
    });
    script.collect()
}

/// Texts, calls and replies, without times and tokens.
fn conversation(steps: &[Step]) -> Vec<Value> {
    let said = steps.iter().filter_map(|step| match &step.kind {
        StepKind::Answer { text, calls, .. } => Some(json!({ "said": text, "called": calls })),
        StepKind::Tool { call, reply, .. } => Some(json!({ "call": call.id, "reply": reply })),
        _ => None,
    });
    said.collect()
}

fn first_answer(steps: &[Step]) -> &StepKind {
    let answer = steps.iter().map(|step| &step.kind).find(|kind| matches!(kind, StepKind::Answer { .. }));
    answer.unwrap()
}

/// The server, as long as this lives.
struct Aimock {
    process: Child,
    url: String,
    _script: tempfile::TempDir,
}

impl Aimock {
    /// `None` if its npm package is not installed; CI installs it.
    fn start(script: &Value) -> Option<Self> {
        let program =
            Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui/node_modules/@copilotkit/aimock/dist/cli.js");
        let there = program.exists().then_some(());
        require_or_skip(there.ok_or(format!("{program} is missing: `cargo xtask setup` installs it")))?;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("script.json");
        std::fs::write(&file, script.to_string()).unwrap();
        let mut command = Command::new("node");
        command.arg(program).args(["--port", "0", "--strict", "--chunk-size", "7", "--fixtures"]).arg(file);
        command.env("AIMOCK_STRICT_TURN_INDEX", "1").stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let url = lines.map_while(Result::ok).find_map(|line| {
            let at = line.find("http://127.0.0.1:")?;
            Some(line[at..].trim().to_owned())
        });
        Some(Self { process, url: url.unwrap(), _script: folder })
    }
}

impl Drop for Aimock {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
