//! The settings of `models.yaml` for a model and the network.

use camino::Utf8PathBuf;
use serde_json::json;

use super::*;
use crate::entry::Network;
use crate::reasoning::{Effort, Reasoning};
use crate::secret::{CommandError, KeyringError, Secret};
use crate::{ToolChoice, ToolDef};

fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn network(proxy: Option<&str>, certificates: Option<&str>) -> Network {
    Network { proxy: proxy.map(str::to_owned), certificates: certificates.map(Utf8PathBuf::from) }
}

/// The heads of the requests that these models make, in lines.
async fn heads(entries: impl IntoIterator<Item = ModelEntry>) -> Vec<Vec<String>> {
    let mut heads = Vec::new();
    for entry in entries {
        let (base, mut heard) = serve(vec![answer("200 OK", "content-type: application/json\r\n", HI)]);
        Bench::of(&ModelEntry { base_url: base, ..entry }).events().await;
        let Some(Heard::Request { head, .. }) = heard.recv().await else { panic!("no request") };
        heads.push(head.lines().map(str::to_owned).collect());
    }
    heads
}

#[tokio::test]
async fn sends_the_key_and_headers_as_the_protocol_or_the_entry_wants() {
    let anthropic = || ModelEntry { provider: Protocol::Anthropic, ..entry("") };
    let heads = heads([
        anthropic(),
        ModelEntry { headers: map(&[("Anthropic-Version", "2030-01-01"), ("anthropic-beta", "x")]), ..anthropic() },
        ModelEntry { key_header: Some("Authorization".into()), ..anthropic() },
        ModelEntry { key_header: Some("api-key".into()), headers: map(&[("X-Title", "Bench")]), ..entry("") },
        ModelEntry { headers: map(&[("Authorization", "Bearer other")]), ..entry("") },
    ])
    .await;
    let carries = |at: usize, name: &str| -> Vec<String> {
        let prefix = format!("{name}: ");
        heads[at].iter().filter_map(|line| line.strip_prefix(&prefix)).map(str::to_owned).collect()
    };
    let bearer = format!("bearer {KEY}");
    assert_eq!(carries(0, "x-api-key"), [KEY]);
    assert_eq!(carries(0, "anthropic-version"), ["2023-06-01"]);
    assert_eq!(carries(0, "authorization"), Vec::<String>::new());
    assert_eq!(carries(1, "anthropic-version"), ["2030-01-01"], "what the entry says counts");
    assert_eq!(carries(1, "anthropic-beta"), ["x"]);
    assert_eq!((carries(2, "authorization"), carries(2, "x-api-key")), (vec![bearer.clone()], vec![]));
    assert_eq!((carries(3, "api-key"), carries(3, "authorization")), (vec![KEY.to_owned()], vec![]));
    assert_eq!(carries(3, "x-title"), ["bench"]);
    assert_eq!(carries(4, "authorization"), [bearer], "but not in place of the key");
}

/// A vault that gives another token each time it is asked.
#[derive(Default)]
struct Vault {
    asked: Mutex<usize>,
    held: Mutex<Option<usize>>,
}

impl Keys for Vault {
    fn env(&self, _: &str) -> Option<String> {
        None
    }

    fn keyring(&self, _: &str) -> Result<Option<Secret>, KeyringError> {
        Ok(None)
    }

    fn command(&self, _: &[String], _: Duration) -> Result<Secret, CommandError> {
        let mut asked = self.asked.lock().unwrap();
        let number = *self.held.lock().unwrap().get_or_insert_with(|| {
            *asked += 1;
            *asked
        });
        Ok(Secret::new(format!("tok-very-secret-{number}")))
    }

    fn forget(&self, _: &KeyRef) {
        *self.held.lock().unwrap() = None;
    }
}

/// The result of a model with a key from a vault, and the tokens that its server received.
async fn by_vault(turns: Vec<Turn>) -> (Vec<Result<ModelEvent, ModelError>>, Vec<String>) {
    let count = turns.len();
    let (base, mut heard) = serve(turns);
    let key = KeyRef::Command { command: vec!["vault".into(), "token".into()], lifetime: None };
    let mut bench = Bench::of(&ModelEntry { key: Some(key), stream: false, ..entry(&base) });
    bench.model.server.keys = Arc::new(Vault::default());
    let events = bench.events().await;
    let mut tokens = Vec::new();
    for _ in 0..count {
        let Some(Heard::Request { head, .. }) = heard.recv().await else { panic!("no request") };
        tokens.extend(head.lines().filter_map(|line| line.strip_prefix("authorization: bearer ")).map(str::to_owned));
    }
    (events, tokens)
}

#[tokio::test]
async fn an_expired_key_is_requested_again() {
    let over = || answer("401 Unauthorized", "", r#"{"error":{"message":"tok-very-secret-1 is over"}}"#);
    let (events, tokens) = by_vault(vec![over(), answer("200 OK", "content-type: application/json\r\n", HI)]).await;
    assert!(events.iter().all(Result::is_ok), "{events:?}");
    assert_eq!(tokens, ["tok-very-secret-1", "tok-very-secret-2"]);
    let (events, tokens) = by_vault(vec![over(), over()]).await;
    assert_eq!(tokens, ["tok-very-secret-1", "tok-very-secret-2"], "and not again");
    let error = events.into_iter().last().unwrap().unwrap_err();
    assert!(!error.to_string().contains("secret-1") && error.to_string().contains("[key] is over"), "{error}");
}

#[test]
fn reasoning_goes_into_the_body_and_the_body_counts() {
    let reasoning = Reasoning { effort: Some(Effort::High), shown: None };
    let body_of = |provider: Protocol, own: Value| {
        let entry = ModelEntry { provider, reasoning, stream: false, ..entry("http://x/v1") };
        let entry = ModelEntry { body: own.as_object().cloned().unwrap_or_default(), ..entry };
        let request = ModelRequest { messages: vec![Message::user("hi")], ..ModelRequest::default() };
        serde_json::from_str::<Value>(&Bench::of(&entry).model.encode(&request).body).unwrap()
    };
    assert_eq!(body_of(Protocol::OpenAi, json!({}))["reasoning_effort"], "high");
    assert_eq!(body_of(Protocol::OpenAi, json!({"reasoning_effort": "low"}))["reasoning_effort"], "low");
    let further = json!({"reasoning": {"summary": "detailed"}});
    assert_eq!(
        body_of(Protocol::OpenAiResponses, further)["reasoning"],
        json!({"effort": "high", "summary": "detailed"})
    );
    assert_eq!(body_of(Protocol::Anthropic, json!({}))["output_config"], json!({"effort": "high"}));
    assert_eq!(body_of(Protocol::Bedrock, json!({}))["outputConfig"], json!({"effort": "high"}));
}

#[test]
fn puts_further_keys_at_the_end_of_the_body_and_replaces_none() {
    let Value::Object(body) = json!({"reasoning_effort": "low", "model": "other", "\"quoted\"": {"b": 1, "a": [true]}})
    else {
        panic!("an object")
    };
    let model = Bench::of(&ModelEntry { body, stream: false, ..entry("http://x/v1") }).model;
    let request = ModelRequest { messages: vec![Message::user("hi")], ..ModelRequest::default() };
    assert_eq!(
        &*model.encode(&request).body,
        "{\"model\":\"some-model\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}],\"stream\":false,\
         \"reasoning_effort\":\"low\",\"\\\"quoted\\\"\":{\"b\":1,\"a\":[true]}}"
    );
    let further = |name: &str| Map::from_iter([(name.to_owned(), json!(1))]);
    assert_eq!(with_further_keys("{}".into(), &further("a")), r#"{"a":1}"#);
    assert_eq!(with_further_keys(r#"{"a":2}"#.into(), &further("a")), r#"{"a":2}"#);
}

#[test]
fn limits_are_named_as_the_model_wants() {
    let limits = |model: &str, body: Value, own: Option<u32>| {
        let Value::Object(body) = body else { panic!("an object") };
        let parameters = Sampling { max_tokens: Some(100), ..Sampling::default() };
        let entry = ModelEntry { body, parameters, model: model.to_owned(), ..entry("http://x/v1") };
        let parameters = Sampling { max_tokens: own, ..Sampling::default() };
        let request = ModelRequest { parameters, ..ModelRequest::default() };
        let body: Value = serde_json::from_str(&Bench::of(&entry).model.encode(&request).body).unwrap();
        (body["max_tokens"].as_u64(), body["max_completion_tokens"].as_u64())
    };
    assert_eq!(limits("some-model", json!({}), Some(7)), (Some(7), None));
    assert_eq!(limits("openai/gpt-5-mini", json!({}), Some(7)), (None, Some(7)), "of a sub-agent");
    assert_eq!(limits("gpt-6.1-terra", json!({}), Some(7)), (None, Some(7)));
    assert_eq!(limits("o3", json!({}), None), (None, Some(100)));
    assert_eq!(limits("some-model", json!({"max_completion_tokens": 50}), Some(7)), (None, Some(7)));
    assert_eq!(limits("some-model", json!({"max_completion_tokens": 50}), None), (None, Some(50)));
}

#[tokio::test]
async fn a_proxy_that_refuses_is_named_and_asked_once() {
    let refusal = || answer("407 Proxy Authentication Required", "content-length: 0\r\n", "");
    let (proxy, _heard) = serve(vec![refusal(), refusal(), refusal()]);
    let proxy = proxy.trim_end_matches("/v1");
    let bench = Bench::through(&network(Some(proxy), None), &entry("https://models.example/v1"));
    let (notes, error) = bench.failure().await;
    assert_eq!(notes, Vec::<String>::new(), "it would say the same again");
    assert!(error.to_string().contains(&format!("through the proxy {proxy}")), "{error}");
}

#[test]
fn tells_a_model_that_knows_no_tools_of_none() {
    let tool = ToolDef { name: "f".into(), description: String::new(), parameters: json!({}) };
    let request = ModelRequest { tools: vec![tool], tool_choice: Some(ToolChoice::Auto), ..ModelRequest::default() };
    let model = Bench::of(&ModelEntry { tools: false, stream: false, ..entry("http://x/v1") }).model;
    assert_eq!(&*model.encode(&request).body, r#"{"model":"some-model","messages":[],"stream":false}"#);
}

#[tokio::test]
async fn goes_through_the_proxy_but_for_this_machine() {
    let json = || answer("200 OK", "content-type: application/json\r\n", HI);
    let (proxy, mut heard) = serve(vec![json()]);
    let network = network(Some(proxy.trim_end_matches("/v1")), None);
    let outside = Bench::through(&network, &entry("http://models.example/v1"));
    assert_eq!(outside.events().await, hi());
    let Some(Heard::Request { head, .. }) = heard.recv().await else { panic!("no request") };
    assert!(head.starts_with("post http://models.example/v1/chat/completions http/1.1\r\n"), "{head}");

    let (base, _heard) = serve(vec![json()]);
    assert_eq!(Bench::through(&network, &entry(&base)).events().await, hi(), "the proxy takes no more connections");
}

#[tokio::test]
async fn goes_through_a_socks_proxy_that_looks_up_the_name() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let proxy = format!("socks5h://{}", listener.local_addr().unwrap());
    let (heard, mut hearing) = unbounded_channel();
    let proxied = thread::spawn(move || {
        let mut stream = accept(&listener);
        let read = |length: usize| {
            let mut bytes = vec![0; length];
            (&stream).read_exact(&mut bytes).unwrap();
            bytes
        };
        // RFC 1928: the ways to sign in, of which none is chosen; then CONNECT to a name and a port.
        let ways = read(2);
        read(usize::from(ways[1]));
        (&stream).write_all(&[5, 0]).unwrap();
        let connect = read(5);
        let name = String::from_utf8(read(usize::from(connect[4]))).unwrap();
        let port = u16::from_be_bytes(read(2).try_into().unwrap());
        stream.write_all(&[5, 0, 0, 1, 0, 0, 0, 0, 0, 0]).unwrap();
        attend(stream, answer("200 OK", "content-type: application/json\r\n", HI), &heard);
        (connect[..4].to_vec(), name, port)
    });
    let outside = Bench::through(&network(Some(&proxy), None), &entry("http://models.example:8080/v1"));
    assert_eq!(outside.events().await, hi());
    assert_eq!(proxied.join().unwrap(), (vec![5, 1, 0, 3], "models.example".to_owned(), 8080));
    let Some(Heard::Request { head, .. }) = hearing.recv().await else { panic!("no request") };
    assert!(head.starts_with("post /v1/chat/completions http/1.1\r\n"), "{head}");
}

#[tokio::test]
async fn settings_that_cannot_be_used_are_errors_that_name_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("empty.pem"), "no certificate").unwrap();
    std::fs::write(path("bad.pem"), "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n").unwrap();
    let outside = || entry("https://models.example/v1");
    let header = |name: &str, value: &str| ModelEntry { headers: map(&[(name, value)]), ..outside() };
    let errors = [
        Bench::through(&network(Some("proxy:3128 "), None), &outside()).error().await,
        Bench::through(&network(None, Some(&path("none.pem"))), &outside()).error().await,
        Bench::through(&network(None, Some(&path("empty.pem"))), &outside()).error().await,
        Bench::through(&network(None, Some(&path("bad.pem"))), &outside()).error().await,
        Bench::of(&header("a b", "c")).error().await,
        Bench::of(&header("a", "c\n")).error().await,
        Bench::of(&header("Content-Length", "7")).error().await,
        Bench::of(&ModelEntry { key_header: Some("api key".into()), ..outside() }).error().await,
    ];
    let said = errors.map(|error| {
        assert!(matches!(error, ModelError::Setting { .. }), "{error:?}");
        error.to_string().replace(folder.path().to_str().unwrap(), "FOLDER")
    });
    let expected = [
        "cannot use `network.proxy` of models.yaml: it is not an address such as `http://proxy:3128`",
        "cannot use `network.certificates` of models.yaml: cannot read FOLDER/none.pem: no such file or folder",
        "cannot use `network.certificates` of models.yaml: FOLDER/empty.pem: there is no PEM certificate in it",
        "cannot use `network.certificates` of models.yaml: FOLDER/bad.pem: invalid peer certificate: BadEncoding",
        "cannot use `headers.a b` of models.yaml: `a b` cannot be the name of a header",
        "cannot use `headers.a` of models.yaml: its value holds characters that no header has",
        "cannot use `headers.Content-Length` of models.yaml: the workbench sets the length of a request itself",
        "cannot use `keyHeader` of models.yaml: `api key` cannot be the name of a header",
    ];
    assert_eq!(said, expected);
}
