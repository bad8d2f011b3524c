//! Lists of models from a server.

use super::*;
use crate::entry::ModelEntry;

fn json(body: &str) -> Turn {
    answer("200 OK", "content-type: application/json\r\n", body)
}

async fn ids(entry: &ModelEntry) -> Result<Vec<String>, ModelError> {
    let models = list_models(entry, Http::new(), keys()).await?;
    Ok(models.into_iter().map(|model| model.id).collect())
}

#[tokio::test]
async fn goes_through_the_pages_of_anthropics_list() {
    let pages = [
        r#"{"data":[{"id":"a","display_name":"A"}],"has_more":true,"last_id":"a"}"#,
        r#"{"data":[{"id":"b"}],"has_more":false,"last_id":"b"}"#,
    ];
    let (base, mut heard) = serve(pages.map(json).into());
    let anthropic = ModelEntry { provider: Protocol::Anthropic, ..entry(&format!("{base}/messages")) };
    assert_eq!(ids(&anthropic).await, Ok(vec!["a".to_owned(), "b".to_owned()]));
    let mut lines = Vec::new();
    while let Some(Heard::Request { head, .. }) = heard.recv().await {
        assert!(head.contains(&format!("x-api-key: {KEY}\r\n")), "{head}");
        lines.push(head.lines().next().unwrap().to_owned());
    }
    assert_eq!(lines, ["get /v1/models?limit=1000 http/1.1", "get /v1/models?limit=1000&after_id=a http/1.1"]);
}

#[tokio::test]
async fn ends_where_a_server_repeats_a_page() {
    let page = r#"{"data":[{"id":"a"}],"has_more":true,"last_id":"a"}"#;
    let (base, _heard) = serve(vec![json(page), json(page)]);
    assert_eq!(ids(&entry(&base)).await, Ok(vec!["a".to_owned()]));
}

#[tokio::test]
async fn refusals_are_those_of_a_request_and_hold_no_key() {
    let refusal = format!(r#"{{"error":{{"message":"no such key: {KEY}"}}}}"#);
    let (base, _heard) = serve(vec![answer("401 Unauthorized", "", &refusal), json("{}")]);
    let expected = ModelError::Refused {
        url: format!("{base}/models"),
        status: Some(401),
        refusal: Refusal::Key,
        reason: why("no such key: [key]"),
        raw: r#"{"error":{"message":"no such key: [key]"}}"#.into(),
    };
    assert_eq!(ids(&entry(&base)).await, Err(expected));
    assert!(matches!(ids(&entry(&base)).await, Err(ModelError::Malformed { .. })));
}
