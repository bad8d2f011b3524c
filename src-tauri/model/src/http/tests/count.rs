//! A server's token count of a request.

use serde_json::json;

use super::*;
use crate::ToolDef;

fn json_answer(body: &str) -> Turn {
    answer("200 OK", "content-type: application/json\r\n", body)
}

fn request() -> ModelRequest {
    let tool = ToolDef { name: "t".into(), description: "d".into(), parameters: json!({ "type": "object" }) };
    ModelRequest {
        messages: vec![Message::system("s"), Message::user("磅?")], tools: vec![tool], ..Default::default()
    }
}

fn of(provider: Protocol, base: &str) -> HttpModel {
    Bench::of(&ModelEntry { provider, ..entry(base) }).model
}

#[tokio::test]
async fn asks_each_protocol_in_its_own_way_with_the_key() {
    let cases = [
        (
            Protocol::Anthropic,
            r#"{"input_tokens":403}"#,
            "post /v1/messages/count_tokens http/1.1",
            format!("x-api-key: {KEY}\r\n"),
            json!({
                "model": "some-model",
                "system": [{ "type": "text", "text": "s" }],
                "messages": [{ "role": "user", "content": [{ "type": "text", "text": "磅?" }] }],
                "tools": [{ "name": "t", "description": "d", "input_schema": { "type": "object" } }]
            }),
        ),
        (
            Protocol::OpenAiResponses,
            r#"{"object":"response.input_tokens","input_tokens":403}"#,
            "post /v1/responses/input_tokens http/1.1",
            format!("authorization: bearer {KEY}\r\n"),
            json!({
                "model": "some-model",
                "input": [
                    { "type": "message", "role": "system", "content": "s" },
                    { "type": "message", "role": "user", "content": "磅?" }
                ],
                "tools": [{ "type": "function", "name": "t", "description": "d", "parameters": { "type": "object" }, "strict": false }]
            }),
        ),
        (
            Protocol::Bedrock,
            r#"{"inputTokens":403}"#,
            "post /v1/model/some-model/count-tokens http/1.1",
            format!("authorization: bearer {KEY}\r\n"),
            json!({ "input": { "converse": {
                "system": [{ "text": "s" }],
                "messages": [{ "role": "user", "content": [{ "text": "磅?" }] }],
                "toolConfig": {
                    "tools": [{ "toolSpec": { "name": "t", "description": "d", "inputSchema": { "json": { "type": "object" } } } }],
                    "toolChoice": { "auto": {} }
                }
            } } }),
        ),
    ];
    for (protocol, answer, line, header, body) in cases {
        let (base, mut heard) = serve(vec![json_answer(answer)]);
        let model = of(protocol, &base);
        let counting = model.counting(&request()).unwrap();
        assert_eq!(model.count(&counting).await, Ok(403));
        assert_eq!(format!("http://{}/v1", counting.server()), base);
        let Some(Heard::Request { head, body: asked }) = heard.recv().await else { panic!("a request") };
        assert_eq!(head.lines().next(), Some(line));
        assert!(head.contains(&header), "{head}");
        assert_eq!(serde_json::from_str::<Value>(&asked).unwrap(), body, "{protocol:?}");
    }
    assert_eq!(of(Protocol::OpenAi, "http://127.0.0.1:1/v1").counting(&request()), None);
}

#[tokio::test]
async fn what_is_no_number_is_an_error_without_the_key() {
    let refusal = format!(r#"{{"error":{{"message":"no such key: {KEY}"}}}}"#);
    let turns = vec![
        answer("401 Unauthorized", "", &refusal),
        json_answer("{}"),
        json_answer("<html><title>Sign in</title></html>"),
        json_answer(r#"{"input_tokens":-3}"#),
        json_answer(&refusal),
    ];
    let (base, _heard) = serve(turns);
    let model = of(Protocol::Anthropic, &base);
    let counting = model.counting(&request()).unwrap();
    let refused = ModelError::Refused {
        url: counting.url.clone(),
        status: Some(401),
        refusal: Refusal::Key,
        reason: why("no such key: [key]"),
        raw: r#"{"error":{"message":"no such key: [key]"}}"#.into(),
    };
    assert_eq!(model.count(&counting).await, Err(refused));
    let mut said = Vec::new();
    for _ in 0..4 {
        said.push(model.count(&counting).await.unwrap_err().to_string());
    }
    let unlike = "the answer does not follow the protocol: ";
    assert_eq!(
        said,
        [
            format!("{unlike}there is no number of tokens in it"),
            format!("{unlike}it is a web page titled “Sign in”"),
            format!("{unlike}there is no number of tokens in it"),
            "the answer broke off: the server says: no such key: [key]".to_owned(),
        ]
    );
}

#[tokio::test]
async fn without_a_key_or_a_network_nothing_is_counted() {
    let keyless = ModelEntry {
        provider: Protocol::Anthropic,
        key: Some(KeyRef::Env("UNSET".into())),
        ..entry("http://127.0.0.1:1/v1")
    };
    let model = Bench::of(&keyless).model;
    let counting = model.counting(&request()).unwrap();
    assert!(matches!(model.count(&counting).await, Err(ModelError::Key { why: KeyError::Missing { .. } })));
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let model = of(Protocol::Anthropic, &format!("http://{closed}/v1"));
    let counting = model.counting(&request()).unwrap();
    assert!(matches!(model.count(&counting).await, Err(ModelError::Unreachable { .. })));
}
