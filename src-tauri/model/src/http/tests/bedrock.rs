//! Amazon Bedrock: signed requests, answers in frames, and what its refusals mean.

use std::fs;

use aws_smithy_eventstream::frame::write_message_to;
use aws_smithy_types::event_stream::{Header, HeaderValue, Message as Frame};
use serde_json::Value;

use super::*;
use crate::secret::aws::AwsError;

const SECRET: &str = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
const SESSION: &str = "FwoGZXIvYXdzEXAMPLETOKEN0123456789==";
const EVENTS: &str = "application/vnd.amazon.eventstream";

/// The payload, an object with the event's type as its only key, as AWS sends it.
pub fn frame(payload: &Value) -> Vec<u8> {
    let (kind, event) = payload.as_object().unwrap().iter().next().unwrap();
    let text = |text: &str| HeaderValue::String(text.to_owned().into());
    let (message, name) = if kind == "error" { ("exception", ":exception-type") } else { ("event", ":event-type") };
    let frame = Frame::new(event.to_string().into_bytes())
        .add_header(Header::new(":message-type", text(message)))
        .add_header(Header::new(name, text(kind)));
    let mut bytes = Vec::new();
    write_message_to(&frame, &mut bytes).unwrap();
    bytes
}

fn signed(base: &str) -> ModelEntry {
    ModelEntry { key: None, ..ModelEntry::new("some", Protocol::Bedrock, base, "eu.some-model-v1:0") }
}

fn credentials() -> Arc<dyn Keys> {
    Arc::new(|name: &str| {
        let value = match name {
            "AWS_ACCESS_KEY_ID" => "AKIDEXAMPLE",
            "AWS_SECRET_ACCESS_KEY" => SECRET,
            "AWS_SESSION_TOKEN" => SESSION,
            "AWS_REGION" => "eu-central-1",
            _ => return None,
        };
        Some(value.to_owned())
    })
}

fn model(entry: &ModelEntry, keys: Arc<dyn Keys>) -> HttpModel {
    HttpModel::new(entry, Http::new(), keys).once()
}

async fn asked(model: &HttpModel) -> Vec<Result<ModelEvent, ModelError>> {
    let request = ModelRequest { messages: vec![Message::user("hi")], ..ModelRequest::default() };
    model.send(&model.encode(&request), &request).collect().await
}

fn fixture(name: &str) -> Vec<u8> {
    fs::read(format!("{}/../../tests/fixtures/wire/bedrock/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

#[tokio::test]
async fn a_request_is_signed_and_its_frames_are_read_as_they_come() {
    let (base, mut heard) = serve(vec![stream_whole_of(EVENTS, &fixture("text.eventstream"))]);
    let model = model(&signed(&base), credentials());
    let events = asked(&model).await;
    let said: String = events
        .iter()
        .filter_map(|event| match event {
            Ok(ModelEvent::Text { delta }) => Some(delta.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(said, "2.2 磅 🙂");
    assert_eq!(events.last(), Some(&finish(FinishReason::Stop)));
    let Some(Heard::Request { head, body }) = heard.recv().await else { panic!("nothing was asked") };
    assert!(head.starts_with("post /v1/model/eu.some-model-v1%3a0/converse-stream http/1.1"), "{head}");
    let line = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)).map(str::trim).unwrap_or_default();
    assert_eq!(line("accept:"), EVENTS);
    assert_eq!(line("x-amz-security-token:"), SESSION.to_ascii_lowercase());
    let authorization = line("authorization:");
    assert!(authorization.starts_with("aws4-hmac-sha256 credential=akidexample/"), "{authorization}");
    assert!(authorization.contains("/eu-central-1/bedrock/aws4_request, signedheaders=content-type;host;x-amz-date;x-amz-security-token, signature="), "{authorization}");
    assert_eq!(body, r#"{"messages":[{"role":"user","content":[{"text":"hi"}]}]}"#);
}

#[tokio::test]
async fn record_and_output_do_not_hold_the_credentials() {
    let echo = format!("{{\"message\":\"you signed with {SECRET} and {SESSION}\"}}");
    let (base, _heard) = serve(vec![answer("400 Bad Request", "", &echo)]);
    let model = model(&signed(&base), credentials());
    let wire = model.encode(&ModelRequest::default());
    let told = format!("{wire:?} {:?}", asked(&model).await);
    assert!(told.contains("you signed with [key] and [key]"), "{told}");
    assert!(!told.contains(SECRET) && !told.contains(SESSION) && !told.contains("AWS4"), "{told}");
}

#[tokio::test]
async fn a_key_of_bedrock_is_sent_instead_of_a_signature() {
    let turn = || answer("200 OK", "content-type: application/json\r\n", fixture("text.json"));
    let (base, mut heard) = serve(vec![turn(), turn()]);
    let token: Arc<dyn Keys> = Arc::new(|name: &str| (name == "AWS_BEARER_TOKEN_BEDROCK").then(|| KEY.to_owned()));
    let of_env = ModelEntry { stream: false, ..signed(&base) };
    let named = ModelEntry { key: Some(KeyRef::Env("SOME_KEY".into())), ..of_env.clone() };
    for (entry, keys) in [(of_env, token), (named, keys())] {
        assert!(asked(&model(&entry, keys)).await.iter().all(Result::is_ok));
        let Some(Heard::Request { head, .. }) = heard.recv().await else { panic!("nothing was asked") };
        assert!(head.starts_with("post /v1/model/eu.some-model-v1%3a0/converse http/1.1"), "{head}");
        assert!(head.contains(&format!("authorization: bearer {}", KEY.to_ascii_lowercase())), "{head}");
    }
}

#[tokio::test]
async fn refused_credentials_are_not_requested_again() {
    let over = || answer("401 Unauthorized", "", r#"{"message":"over"}"#);
    let (base, mut heard) = serve(vec![over(), over()]);
    let error = asked(&model(&signed(&base), credentials())).await.remove(0).unwrap_err();
    assert!(matches!(error, ModelError::Refused { status: Some(401), .. }), "{error:?}");
    assert!(matches!(heard.recv().await, Some(Heard::Request { .. })));
    assert!(heard.try_recv().is_err(), "asked again");
}

#[tokio::test]
async fn without_credentials_or_a_region_nothing_is_asked() {
    let nothing: Arc<dyn Keys> = Arc::new(|_: &str| None);
    let error = asked(&model(&signed("http://127.0.0.1:1"), nothing)).await.remove(0).unwrap_err();
    let key = KeyRef::Aws(String::new());
    assert_eq!(error, ModelError::Key { why: KeyError::Aws { key, why: AwsError::Nothing } });
    let nowhere: Arc<dyn Keys> =
        Arc::new(|name: &str| ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"].contains(&name).then(|| "x".repeat(20)));
    for base in ["http://127.0.0.1:1", "https://bedrock-runtime.{region}.amazonaws.com"] {
        let error = asked(&model(&signed(base), nowhere.clone())).await.remove(0).unwrap_err();
        assert_eq!(
            error.to_string(),
            "cannot use `baseUrl` of models.yaml: no AWS region is named: write it in the address, or set AWS_REGION"
        );
    }
    let filled = model(&signed("https://bedrock-runtime.{region}.amazonaws.com"), credentials());
    let url = filled.encode(&ModelRequest::default()).url.unwrap();
    assert_eq!(url, "https://bedrock-runtime.eu-central-1.amazonaws.com/model/eu.some-model-v1%3A0/converse-stream");
}

#[tokio::test]
async fn tells_its_refusals_apart() {
    for (status, said, expected) in [
        ("403 Forbidden", "You don't have access to the model with the specified model ID.", Refusal::NotEnabled),
        (
            "403 Forbidden",
            "User: arn:aws:iam::1:user/x is not authorized to perform: bedrock:InvokeModel on resource: arn",
            Refusal::NotEnabled,
        ),
        ("404 Not Found", "Model use case details have not been submitted for this account.", Refusal::NotEnabled),
        ("403 Forbidden", "The security token included in the request is invalid.", Refusal::Key),
        ("403 Forbidden", "The security token included in the request is expired", Refusal::Expired),
        ("403 Forbidden", "Signature expired: 20260101T000000Z is now earlier than 20260102T000000Z", Refusal::Clock),
        ("403 Forbidden", "Credential should be scoped to a valid region. ", Refusal::Region),
        ("400 Bad Request", "The provided model identifier is invalid.", Refusal::Model),
        (
            "400 Bad Request",
            "Invocation of model ID x with on-demand throughput isn\u{2019}t supported. Retry your request with the ID \
             or ARN of an inference profile that contains this model.",
            Refusal::Profile,
        ),
        ("400 Bad Request", "Input is too long for requested model.", Refusal::TooLong),
        ("400 Bad Request", "This model doesn't support tool use in streaming mode.", Refusal::Tools),
        ("429 Too Many Requests", "Too many tokens, please wait before trying again.", Refusal::Busy),
    ] {
        let body = serde_json::json!({"message": said}).to_string();
        let (base, _heard) = serve(vec![answer(status, "content-type: application/json\r\n", &body)]);
        let error = asked(&model(&signed(&base), credentials())).await.pop().unwrap().unwrap_err();
        assert!(matches!(&error, ModelError::Refused { refusal, .. } if *refusal == expected), "{said}: {error:?}");
        assert!(error.next_step().is_some(), "{said}");
    }
}

#[tokio::test]
async fn an_exception_in_the_middle_of_a_stream_is_a_refusal() {
    let (base, _heard) = serve(vec![stream_whole_of(EVENTS, &fixture("overloaded.eventstream"))]);
    let mut events = asked(&model(&signed(&base), credentials())).await;
    let error = events.pop().unwrap().unwrap_err();
    assert!(matches!(&error, ModelError::Refused { refusal: Refusal::Busy, status: None, .. }), "{error:?}");
    assert_eq!(events, [text("2.2")]);
}

#[tokio::test]
async fn lists_models_and_then_inference_profiles() {
    let models = r#"{"modelSummaries":[{"modelId":"m-v1:0","modelName":"M"}]}"#;
    let profiles =
        r#"{"inferenceProfileSummaries":[{"inferenceProfileId":"eu.m-v1:0","inferenceProfileName":"EU M"}]}"#;
    let page = |body: &str| answer("200 OK", "content-type: application/json\r\n", body);
    let (base, mut heard) = serve(vec![page(models), page(profiles)]);
    let listed = list_models(&signed(&base), Http::new(), credentials()).await.unwrap();
    assert_eq!(listed.iter().map(|model| model.id.as_str()).collect::<Vec<_>>(), ["m-v1:0", "eu.m-v1:0"]);
    for path in ["get /v1/foundation-models ", "get /v1/inference-profiles "] {
        let Some(Heard::Request { head, .. }) = heard.recv().await else { panic!("nothing was asked") };
        assert!(head.starts_with(path) && head.contains("authorization: aws4-hmac-sha256"), "{head}");
    }
}
