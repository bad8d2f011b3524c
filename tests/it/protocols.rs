//! The same scenes in each protocol: whichever a model is spoken to in, a run goes the same way and shows the same.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use api::dto::{NoArgs, RunRequest, StepArgs};
use model::image::ImageKind;
use model::protocol::Protocol;
use model::{Document, Image, Message, ModelRequest, Part, Role, Sampling, ToolCall, ToolChoice, ToolDef, ToolResult};
use serde_json::{Value, json};
use trace::{ContextMessage, RunId, RunStatus, Step, StepKind};
use wiremock::matchers::method;
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

use crate::examples::{Bench, request, skills};

/// The protocols, as `models.yaml` names them.
const PROTOCOLS: [(Protocol, &str); Protocol::ALL.len()] = [
    (Protocol::OpenAi, "openAi"),
    (Protocol::OpenAiResponses, "openAiResponses"),
    (Protocol::Anthropic, "anthropic"),
    (Protocol::Bedrock, "bedrock"),
];

/// Prompts of bundled screenplays, and whether their answers are streamed.
const SCENES: [(&str, bool); 2] =
    [("How many pounds is 1 kilogram?", true), ("Use the hello-world skill and follow its steps.", false)];

/// The folder of the requests for `tests/sdk/accept.py`, a file for each protocol.
const REQUESTS: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/requests");

#[tokio::test(flavor = "multi_thread")]
async fn a_run_goes_the_same_way_in_every_protocol() {
    let bench = Bench::on(&skills()).await;
    let mut sent: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    let harnesses = bench.bench.harness_list(NoArgs {}).await.unwrap();
    for harness in harnesses.into_iter().filter(|harness| harness.runs) {
        for (prompt, stream) in SCENES {
            let scene = format!("“{prompt}” under {}", harness.id);
            let play = async |model: &str| {
                bench.play(RunRequest { harness: harness.id.clone(), ..request(model, prompt) }).await
            };
            let (rehearsed, _, steps) = play("rehearsal").await;
            let expected = seen(&bench, rehearsed, &steps).await;
            let model = Model::serve(answers(&steps)).await;
            model.write_entries(&bench, stream);
            for (protocol, name) in PROTOCOLS {
                let (run, status, played) = play(name).await;
                assert_eq!(status, RunStatus::Done, "{scene} by {name}");
                assert_eq!(story(run, &played), story(rehearsed, &steps), "{scene} by {name}");
                let found = seen(&bench, run, &played).await;
                match protocol {
                    Protocol::Bedrock => assert_eq!(in_turns(&found), in_turns(&expected), "{scene} by {name}"),
                    _ => assert_eq!(found, expected, "{scene} by {name}"),
                }
                let bodies = model.heard(protocol);
                assert_thoughts_return(protocol, &bodies);
                let bodies = bodies.into_iter().map(|body| json!({"scene": scene, "body": body}));
                sent.entry(name).or_default().extend(bodies);
            }
        }
    }
    for (protocol, name) in PROTOCOLS {
        let scenes =
            [("all that is rare", odd_request()), ("pictures", pictured_request()), ("files", filed_request(protocol))];
        for (scene, request) in scenes {
            let of_it = [false, true].map(|stream| {
                let body = protocol.encode("m", &request, stream, &Sampling::default());
                json!({"scene": scene, "body": serde_json::from_str::<Value>(&body).unwrap()})
            });
            sent.entry(name).or_default().extend(of_it);
        }
    }
    let questions = PROTOCOLS.iter().filter_map(|(protocol, name)| {
        let asked = sent[name].iter().map(|request| {
            let body = protocol.count_body(&request["body"].to_string())?;
            Some(json!({"scene": request["scene"], "body": serde_json::from_str::<Value>(&body).unwrap()}))
        });
        Some((format!("{name}-counts"), asked.collect::<Option<Vec<Value>>>()?))
    });
    let questions: Vec<(String, Vec<Value>)> = questions.collect();
    assert_eq!(questions.len(), 3, "chat completions have no such question");
    sent.extend(questions.iter().map(|(name, questions)| (name.as_str(), questions.clone())));
    leave(&sent);
}

fn leave(requests: &BTreeMap<&str, Vec<Value>>) {
    // It may not exist yet.
    let _ = fs::remove_dir_all(REQUESTS);
    fs::create_dir_all(REQUESTS).unwrap();
    for (protocol, requests) in requests {
        let lines: String = requests.iter().map(|request| format!("{request}\n")).collect();
        fs::write(Path::new(REQUESTS).join(format!("{protocol}.jsonl")), lines).unwrap();
    }
}

/// What scenes seldom have.
fn odd_request() -> ModelRequest {
    let text = |text: &str| Part::Text { text: text.into() };
    let thought = |block: Value| Part::Reasoning { text: "hm".into(), block: Some(block) };
    let calls = ["{\"n\": 1.50}", "", "city=Oslo", "[1]"].into_iter().zip(["a", "b", "c", "d"]);
    let calls = calls.map(|(arguments, id)| Part::ToolCall(ToolCall::new(id, "load_skill", arguments)));
    let results = ["a", "b", "c", "d"].map(|id| {
        let text = if id == "b" { "" } else { "2.2 磅" };
        Part::ToolResult(ToolResult { call_id: id.into(), text: text.into(), wire: None, is_error: id == "c" })
    });
    let [first, others @ ..] = results;
    let thoughts = [
        thought(json!({"type": "thinking", "thinking": "hm", "signature": "c2VhbGVk"})),
        thought(json!({"type": "redacted_thinking", "data": "c2VhbGVk"})),
        thought(json!({"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "hm"}],
            "encrypted_content": "c2VhbGVk"})),
        thought(json!({"reasoningContent": {"reasoningText": {"text": "hm", "signature": "c2VhbGVk"}}})),
    ];
    let answer = thoughts.into_iter().chain([text("Wait."), Part::CachePoint]).chain(calls).collect();
    let tool = |name: &str, parameters: Value| ToolDef { name: name.into(), description: String::new(), parameters };
    ModelRequest {
        messages: vec![
            Message { role: Role::System, parts: vec![text("You have skills."), Part::CachePoint] },
            Message::system("Be brief."),
            Message {
                role: Role::User, parts: vec![text("一公斤"), text(" "), text("有几磅?"), Part::CachePoint]
            },
            Message { role: Role::Assistant, parts: answer },
            Message { role: Role::Tool, parts: vec![first] },
            Message { role: Role::Tool, parts: others.into_iter().chain([Part::CachePoint]).collect() },
            Message::user("And?"),
            Message::assistant(""),
            Message::system("Be briefer."),
            Message { role: Role::User, parts: vec![text("Go on."), Part::CachePoint] },
        ],
        tools: vec![tool("load_skill", json!({"type": "object", "properties": {}})), tool("bare", json!({}))],
        parameters: Sampling { temperature: Some(0.5), max_tokens: Some(100) },
        tool_choice: Some(ToolChoice::Auto),
        ..ModelRequest::default()
    }
}

/// Pictures of each kind that the user shows, and one in the result of a tool next to a result without.
fn pictured_request() -> ModelRequest {
    let picture = |media_type| Image { media_type, data: "iVBORw0KGgo=".into() };
    let result = |id: &str| ToolResult { call_id: id.into(), text: "a chart".into(), wire: None, is_error: false };
    let kinds = [ImageKind::Png, ImageKind::Jpeg, ImageKind::Gif, ImageKind::Webp].map(picture);
    let calls = ["a", "b"].map(|id| ToolCall::new(id, "load_skill", "{}"));
    let parameters = json!({"type": "object", "properties": {}});
    ModelRequest {
        messages: vec![
            Message::prompt("What does this show?", &kinds),
            Message::tool_calls(calls),
            Message::pictured_result(result("a"), &[picture(ImageKind::Png)]),
            Message::tool_result(result("b")),
            Message::assistant("A chart."),
            Message::prompt("", &[picture(ImageKind::Jpeg)]),
        ],
        tools: vec![ToolDef { name: "load_skill".into(), description: "Loads.".into(), parameters }],
        ..ModelRequest::default()
    }
}

/// Files that the user shows, and in the result of a tool next to a result without. For chat completions only the
/// user's: their definition has no place for files in a result, although Strands puts them there.
fn filed_request(protocol: Protocol) -> ModelRequest {
    let files = [("a", "pdf"), ("b", "csv"), ("c", "docx")].map(|(name, format)| Document::of(name, format, b"%PDF"));
    let returned = if protocol == Protocol::OpenAi { &files[..0] } else { &files[..] };
    let result = |id: &str| ToolResult { call_id: id.into(), text: "read".into(), wire: None, is_error: false };
    let calls = ["a", "b"].map(|id| ToolCall::new(id, "load_skill", "{}"));
    let parameters = json!({"type": "object", "properties": {}});
    ModelRequest {
        messages: vec![
            Message::user("What do they say?").with_documents(&files),
            Message::tool_calls(calls),
            Message::tool_result(result("a")).with_documents(returned),
            Message::tool_result(result("b")),
            Message::assistant("Nothing."),
        ],
        tools: vec![ToolDef { name: "load_skill".into(), description: "Loads.".into(), parameters }],
        ..ModelRequest::default()
    }
}

/// What a model says in one answer.
#[derive(Debug, Clone)]
struct Said {
    text: String,
    calls: Vec<ToolCall>,
}

fn answers(steps: &[Step]) -> Vec<Said> {
    let said = steps.iter().filter_map(|step| match &step.kind {
        StepKind::Answer { text, calls, .. } => Some(Said { text: text.clone(), calls: calls.clone() }),
        _ => None,
    });
    said.collect()
}

/// A server that gives the same answers in every protocol.
struct Model {
    server: MockServer,
    heard: Arc<Mutex<Vec<(Protocol, Value)>>>,
}

impl Model {
    async fn serve(answers: Vec<Said>) -> Self {
        let server = MockServer::start().await;
        let heard: Arc<Mutex<Vec<(Protocol, Value)>>> = Arc::default();
        let hearing = heard.clone();
        let respond = move |request: &Request| {
            let protocol = match request.url.path() {
                "/v1/chat/completions" => Protocol::OpenAi,
                "/v1/responses" => Protocol::OpenAiResponses,
                "/v1/messages" => Protocol::Anthropic,
                "/v1/model/m/converse" | "/v1/model/m/converse-stream" => Protocol::Bedrock,
                other => return ResponseTemplate::new(404).set_body_string(format!("nothing at {other}")),
            };
            let body: Value = serde_json::from_slice(&request.body).unwrap();
            let mut heard = hearing.lock().unwrap();
            let turn = heard.iter().filter(|(known, _)| *known == protocol).count();
            let answer = whole(protocol, &answers[turn]);
            let streams = body["stream"] == true || request.url.path().ends_with("-stream");
            heard.push((protocol, body));
            if streams {
                return ResponseTemplate::new(200).set_body_raw(streamed(protocol, &answer), protocol.stream_type());
            }
            ResponseTemplate::new(200).set_body_json(answer)
        };
        Mock::given(method("POST")).respond_with(respond).mount(&server).await;
        Self { server, heard }
    }

    fn write_entries(&self, bench: &Bench, stream: bool) {
        let entry = |protocol: &Protocol, name: &str| {
            let base = self.server.uri();
            // Requests without a key would be signed, with credentials that are not there. Cargo sets this one.
            let key = if *protocol == Protocol::Bedrock { "key: { env: CARGO_PKG_NAME }, " } else { "" };
            format!("- {{ id: {name}, provider: {name}, baseUrl: {base}/v1, {key}model: m, stream: {stream} }}\n")
        };
        let entries: String = PROTOCOLS.iter().map(|(protocol, name)| entry(protocol, name)).collect();
        let config = bench.home.path().join("config");
        fs::create_dir_all(&config).unwrap();
        fs::write(config.join("models.yaml"), format!("models:\n{entries}")).unwrap();
    }

    fn heard(&self, protocol: Protocol) -> Vec<Value> {
        let heard = self.heard.lock().unwrap();
        heard.iter().filter(|(known, _)| *known == protocol).map(|(_, body)| body.clone()).collect()
    }
}

/// A thought that the provider wants back, if the protocol has such.
fn thought(protocol: Protocol) -> Option<Value> {
    match protocol {
        Protocol::OpenAi => None,
        Protocol::OpenAiResponses => {
            Some(json!({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "c2VhbGVk"}))
        }
        Protocol::Anthropic => Some(json!({"type": "thinking", "thinking": "Let me see.", "signature": "c2VhbGVk"})),
        Protocol::Bedrock => {
            Some(json!({"reasoningContent": {"reasoningText": {"text": "Let me see.", "signature": "c2VhbGVk"}}}))
        }
    }
}

fn whole(protocol: Protocol, said: &Said) -> Value {
    let stops = said.calls.is_empty();
    let calls = said.calls.iter();
    match protocol {
        Protocol::OpenAi => {
            let calls = calls.map(|call| {
                json!({"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}})
            });
            json!({"choices": [{
                "index": 0,
                "message": {"role": "assistant", "content": said.text, "tool_calls": calls.collect::<Vec<_>>()},
                "finish_reason": if stops { "stop" } else { "tool_calls" },
            }]})
        }
        Protocol::OpenAiResponses => {
            let text = (!said.text.is_empty()).then(|| {
                json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": said.text}]})
            });
            let calls = calls.map(|call| {
                let ToolCall { id, name, arguments, extra: _ } = call;
                json!({"type": "function_call", "call_id": id, "name": name, "arguments": arguments})
            });
            let output: Vec<Value> = thought(protocol).into_iter().chain(text).chain(calls).collect();
            json!({"object": "response", "status": "completed", "output": output})
        }
        Protocol::Anthropic => {
            let text = (!said.text.is_empty()).then(|| json!({"type": "text", "text": said.text}));
            let calls = calls.map(|call| {
                let input: Value = serde_json::from_str(&call.arguments).unwrap();
                json!({"type": "tool_use", "id": call.id, "name": call.name, "input": input})
            });
            let content: Vec<Value> = thought(protocol).into_iter().chain(text).chain(calls).collect();
            let reason = if stops { "end_turn" } else { "tool_use" };
            json!({"type": "message", "role": "assistant", "content": content, "stop_reason": reason})
        }
        Protocol::Bedrock => {
            let text = (!said.text.is_empty()).then(|| json!({"text": said.text}));
            let calls = calls.map(|call| {
                let input: Value = serde_json::from_str(&call.arguments).unwrap();
                json!({"toolUse": {"toolUseId": call.id, "name": call.name, "input": input}})
            });
            let content: Vec<Value> = thought(protocol).into_iter().chain(text).chain(calls).collect();
            let reason = if stops { "end_turn" } else { "tool_use" };
            json!({"output": {"message": {"role": "assistant", "content": content}}, "stopReason": reason})
        }
    }
}

/// A whole answer as a stream.
fn streamed(protocol: Protocol, answer: &Value) -> Vec<u8> {
    let payloads = match protocol {
        Protocol::OpenAi => {
            let mut choice = answer["choices"][0].clone();
            choice["delta"] = choice["message"].take();
            vec![json!({"choices": [choice]})]
        }
        Protocol::OpenAiResponses => {
            let items = answer["output"].as_array().unwrap().iter().enumerate();
            let items = items
                .map(|(place, item)| json!({"type": "response.output_item.done", "output_index": place, "item": item}));
            items.chain([json!({"type": "response.completed", "response": answer})]).collect()
        }
        Protocol::Anthropic => {
            let mut payloads = vec![json!({"type": "message_start", "message": {"role": "assistant", "content": []}})];
            for (index, block) in answer["content"].as_array().unwrap().iter().enumerate() {
                payloads.push(json!({"type": "content_block_start", "index": index, "content_block": block}));
                payloads.push(json!({"type": "content_block_stop", "index": index}));
            }
            payloads.push(json!({"type": "message_delta", "delta": {"stop_reason": answer["stop_reason"]}}));
            payloads.push(json!({"type": "message_stop"}));
            payloads
        }
        Protocol::Bedrock => return frames(answer),
    };
    payloads.iter().flat_map(|payload| format!("data: {payload}\n\n").into_bytes()).collect()
}

/// The same in AWS's frames.
fn frames(answer: &Value) -> Vec<u8> {
    let mut events = vec![("messageStart", json!({"role": "assistant"}))];
    for (index, block) in answer["output"]["message"]["content"].as_array().unwrap().iter().enumerate() {
        let delta = |delta: Value| ("contentBlockDelta", json!({"contentBlockIndex": index, "delta": delta}));
        if let Some(call) = block.get("toolUse") {
            let start = json!({"toolUse": {"toolUseId": call["toolUseId"], "name": call["name"]}});
            events.push(("contentBlockStart", json!({"contentBlockIndex": index, "start": start})));
            events.push(delta(json!({"toolUse": {"input": call["input"].to_string()}})));
        } else if let Some(thought) = block.get("reasoningContent") {
            for piece in ["text", "signature"] {
                events.push(delta(json!({"reasoningContent": {piece: thought["reasoningText"][piece]}})));
            }
        } else {
            events.push(delta(block.clone()));
        }
        events.push(("contentBlockStop", json!({"contentBlockIndex": index})));
    }
    events.push(("messageStop", json!({"stopReason": answer["stopReason"]})));
    events.push(("metadata", json!({"metrics": {"latencyMs": 1}})));
    events.into_iter().flat_map(|(kind, event)| frame(kind, &event)).collect()
}

fn frame(kind: &str, event: &Value) -> Vec<u8> {
    let header = |name: &str, value: &str| {
        let length = u16::try_from(value.len()).unwrap();
        [&[u8::try_from(name.len()).unwrap()], name.as_bytes(), &[7], &length.to_be_bytes(), value.as_bytes()].concat()
    };
    let headers = [header(":message-type", "event"), header(":event-type", kind)].concat();
    let payload = event.to_string().into_bytes();
    let number = |number: usize| u32::try_from(number).unwrap().to_be_bytes();
    let mut frame = [number(16 + headers.len() + payload.len()), number(headers.len())].concat();
    frame.extend(crc32fast::hash(&frame).to_be_bytes());
    frame.extend(headers);
    frame.extend(payload);
    frame.extend(crc32fast::hash(&frame).to_be_bytes());
    frame
}

/// Texts, calls and replies, ignoring spaces that a server put into the arguments.
fn story(run: RunId, steps: &[Step]) -> Vec<Value> {
    let told = steps.iter().filter_map(|step| match &step.kind {
        StepKind::Answer { text, calls, .. } => {
            let calls: Vec<_> = calls.iter().map(|call| json!([call.id, call.name, parsed(&call.arguments)])).collect();
            Some(json!({"says": text, "calls": calls}))
        }
        StepKind::Tool { reply, .. } => Some(json!({"reply": reply.as_deref().map(|reply| unnamed(run, reply))})),
        _ => None,
    });
    told.collect()
}

/// The text without the name of the run's folder.
fn unnamed(run: RunId, text: &str) -> String {
    text.replace(&run.to_string(), "{run}")
}

fn parsed(arguments: &str) -> Value {
    serde_json::from_str(arguments).unwrap()
}

/// The contexts of the answers: texts, and who put them there. Only a protocol that has system messages elsewhere than at
/// the head keeps their role.
async fn seen(bench: &Bench, run: RunId, steps: &[Step]) -> Vec<Value> {
    let mut seen = Vec::new();
    for step in steps.iter().filter(|step| matches!(step.kind, StepKind::Answer { .. })) {
        let context = bench.bench.step_context(StepArgs { run, step: step.index }).await.unwrap();
        assert!(context.exact);
        let head = context.messages.iter().take_while(|message| message.role == Role::System).count();
        let messages = context.messages.iter().enumerate().map(|(place, message)| {
            let ContextMessage { role, text, calls, call_id, marks, added, .. } = message;
            let role = if place >= head && *role == Role::System { Role::User } else { *role };
            let calls: Vec<_> = calls.iter().map(|call| json!([call.id, call.name, parsed(&call.arguments)])).collect();
            json!([role, unnamed(run, text), calls, call_id, marks, added])
        });
        let tools: Vec<_> = context.tools.iter().map(|tool| &tool.name).collect();
        seen.push(json!([messages.collect::<Vec<_>>(), tools]));
    }
    seen
}

/// Converse requires user and model to alternate, so several messages of a user are one there. So are those of the
/// system.
fn in_turns(seen: &[Value]) -> Vec<Value> {
    let one = |step: &Value| {
        let mut turns: Vec<Value> = Vec::new();
        for message in step[0].as_array().unwrap() {
            let (role, text, calls, result) = (&message[0], &message[1], &message[2], &message[3]);
            match turns.last_mut() {
                Some(last) if last[0] == *role && (*role == json!("user") || *role == json!("system")) => {
                    last[1] = json!(format!("{}{}", last[1].as_str().unwrap(), text.as_str().unwrap()));
                }
                _ => turns.push(json!([role, text, calls, result])),
            }
        }
        json!([turns, step[1]])
    };
    seen.iter().map(one).collect()
}

fn assert_thoughts_return(protocol: Protocol, bodies: &[Value]) {
    let Some(thought) = thought(protocol) else { return };
    let last = bodies.last().unwrap().to_string();
    assert_eq!(last.matches(&thought.to_string()).count(), bodies.len() - 1, "one for each answer before it");
}
