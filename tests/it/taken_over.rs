//! A run of another program continues: under one of our frameworks, with the user's own model.

use std::fs;

use api::Code;
use api::dto::{ContinueArgs, ImportArgs, RunArgs, StepArgs};
use model::Role;
use serde_json::{Value, json};
use trace::{RunStatus, StepKind};
use wiremock::matchers::method;
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::examples::{Bench, notes};
use crate::turns::says;

const RECORDED: &str = r#"{"model": "theirs", "max_tokens": 100, "system": "You convert.", "messages": [
    {"role": "user", "content": "How many pounds is 1 kilogram?"},
    {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "convert", "input": {"value": 1}}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "2.20462"}]},
    {"role": "assistant", "content": "2.20462 lb."}
]}"#;

/// A bench whose one model always says the same.
pub async fn bench() -> (Bench, MockServer) {
    let server = MockServer::start().await;
    let answer = json!({
        "id": "c", "object": "chat.completion", "model": "fake",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "4.40924 lb."}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    });
    Mock::given(method("POST")).respond_with(ResponseTemplate::new(200).set_body_json(answer)).mount(&server).await;
    let bench = Bench::on(&crate::examples::skills()).await;
    let config = bench.home.path().join("config");
    fs::create_dir_all(&config).unwrap();
    let entry = format!(
        "models:\n- {{id: mine, provider: openAi, baseUrl: \"{}/v1\", model: fake, stream: false}}\n",
        server.uri()
    );
    fs::write(config.join("models.yaml"), entry).unwrap();
    (bench, server)
}

pub async fn sent(server: &MockServer) -> Vec<Value> {
    let requests = server.received_requests().await.unwrap();
    requests.iter().map(|request| serde_json::from_slice(&request.body).unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_of_another_program_goes_on_under_a_framework_and_with_a_model_of_ours() {
    let (bench, server) = bench().await;
    let run = bench.bench.run_import(ImportArgs { text: RECORDED.into() }).await.unwrap();
    let asked = |harness: Option<&str>, model: Option<&str>, prompt: &str| ContinueArgs {
        harness: harness.map(str::to_owned),
        model: model.map(str::to_owned),
        ..says(run, prompt)
    };

    for (args, lacks) in [
        (asked(None, Some("mine"), "more"), "has no framework here"),
        (asked(Some("nothing"), Some("mine"), "more"), "there is no framework `nothing`"),
        (asked(Some("eino"), None, "more"), "you did not choose"),
    ] {
        let refused = bench.bench.run_continue(args).await.unwrap_err();
        assert!(refused.message.contains(lacks), "{}", refused.message);
    }

    let turns = [("eino", "And 2 kg?"), ("eino", "Thanks"), ("strands", "And now?")];
    for (number, (harness, prompt)) in turns.into_iter().enumerate() {
        let further = bench.bench.run_continue(asked(Some(harness), Some("mine"), prompt)).await.unwrap();
        assert_eq!(further, run);
        let (_, status, steps) = bench.to_end(run).await;
        assert_eq!(status, RunStatus::Done, "{:?}", steps.last());
        let told = notes(&steps);
        let expected = [
            "Eino ADK takes over a conversation that anthropic-messages led.",
            "another framework or program recorded its beginning",
            "Strands Agents takes over a conversation that Eino ADK led.",
        ];
        let new: Vec<_> = told.iter().filter(|note| note.contains(expected[number])).collect();
        assert_eq!(new.len(), 1, "{told:?}");
        let StepKind::Answer { model: Some(model), text, .. } = &steps.last().unwrap().kind else {
            panic!("{:?}", steps.last());
        };
        assert_eq!((model.as_str(), text.as_str()), ("mine", "4.40924 lb."));
        let mut led = steps.iter().filter_map(|step| match &step.kind {
            StepKind::Prompt { setup, .. } => setup.as_ref().map(|led| [led.harness.as_str(), led.model.as_str()]),
            _ => None,
        });
        assert_eq!(led.next_back(), Some([harness, "mine"]), "{steps:?}");

        let body = sent(&server).await.pop().unwrap();
        let said: Vec<_> =
            body["messages"].as_array().unwrap().iter().filter(|message| message["role"] != "system").collect();
        assert_eq!(said.len(), 4 + 2 * number + 1, "{body}");
        assert_eq!(said[2]["content"], "2.20462");
        let context = bench.bench.step_context(StepArgs { run, step: steps.last().unwrap().index }).await.unwrap();
        let shown: Vec<Role> =
            context.messages.iter().map(|message| message.role).filter(|role| *role != Role::System).collect();
        assert_eq!(shown.len(), said.len(), "{shown:?}");
        let last = server.received_requests().await.unwrap().pop().unwrap();
        assert_eq!(context.body.map(String::into_bytes), Some(last.body));
        assert!(context.exact && context.messages.iter().all(|message| !message.reconstructed), "we sent it");
    }
    let theirs = bench.bench.step_context(StepArgs { run, step: 1 }).await.unwrap();
    assert!(!theirs.exact && theirs.messages.iter().all(|message| message.reconstructed), "{theirs:?}");
    let detail = bench.bench.run_get(RunArgs { run }).await.unwrap();
    assert_eq!((detail.summary.prompts, detail.summary.status), (4, RunStatus::Done));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_of_ours_keeps_its_framework() {
    let (bench, _server) = bench().await;
    let (run, _, _) = bench.play(crate::examples::request("rehearsal", "How many pounds is 1 kilogram?")).await;
    let refused =
        bench.bench.run_continue(ContinueArgs { harness: Some("eino".into()), ..says(run, "more") }).await.unwrap_err();
    assert_eq!(refused.code, Code::Invalid);
    assert!(refused.message.contains("cannot go on under `eino`"), "{}", refused.message);
    let own = ContinueArgs { harness: Some("agent-framework".into()), ..says(run, "more") };
    bench.bench.run_continue(own).await.unwrap();
    assert_eq!(bench.to_end(run).await.1, RunStatus::Done);
}
