//! Which models a server has, as it says itself.

use std::collections::HashSet;
use std::sync::Arc;

use reqwest::{Method, Url};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;
use wording::Wording;

use super::Http;
use super::reading;
use super::server::{Question, Server, base_url};
use crate::entry::{ModelEntry, Prices};
use crate::protocol::Protocol;
use crate::secret::{Keys, Scrubber};
use crate::{Bound, ModelError, payload, said};

/// A model as its server lists it. What a server does not say is `null`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ListedModel {
    /// The provider's name of it.
    pub id: String,
    /// For people, where it is another name.
    pub title: Option<String>,
    /// Context window in tokens.
    pub context: Option<u32>,
    /// Tokens that an answer may have, thoughts included.
    pub max_output: Option<u32>,
    pub prices: Option<Prices>,
}

/// Pages of a list that are asked for at most.
const PAGE_LIMIT: usize = 20;

/// The models of an entry's server, in the server's order. The entry's own model does not matter.
pub async fn list_models(entry: &ModelEntry, http: Http, keys: Arc<dyn Keys>) -> Result<Vec<ListedModel>, ModelError> {
    let urls = entry.provider.models_urls(&base_url(entry, &*keys));
    let server = Server::of(entry, http, keys);
    let [url, ..] = &urls[..] else { return Ok(Vec::new()) };
    let mut pass = server.pass(url).await?;
    let limits = server.limits(url, &pass);
    let before = pass.clone();
    let listing = async {
        let mut models: Vec<ListedModel> = Vec::new();
        let mut seen = HashSet::new();
        let mut after: Option<String> = None;
        let mut urls = urls.iter();
        let mut url = urls.next();
        for _ in 0..PAGE_LIMIT {
            let Some(of) = url else { break };
            let question = Question {
                method: Method::GET,
                url: page_url(of, entry.provider, after.as_deref()),
                accept: "application/json",
                body: None,
                patience: limits.idle,
            };
            let response = server.ask(&question, &mut pass, &limits).await.map_err(|refused| refused.error)?;
            let page = page(&reading::whole(response, &limits).await?)?;
            let known = models.len();
            models.extend(page.models.into_iter().filter(|model| seen.insert(model.id.clone())));
            Bound::Models.check(models.len())?;
            after = page.after;
            // A server that does not know about pages gives the same one again and again.
            if after.is_none() || models.len() == known {
                after = None;
                url = urls.next();
            }
        }
        Ok(models)
    };
    let listed: Result<Vec<ListedModel>, ModelError> = listing.await;
    let scrubber = server.scrubber(url, [&before, &pass]);
    match listed {
        Ok(models) => Ok(models.into_iter().map(|model| model.scrubbed(&scrubber)).collect()),
        Err(error) => Err(reading::presentable_error(error, &scrubber)),
    }
}

impl ListedModel {
    fn scrubbed(self, scrubber: &Scrubber) -> Self {
        Self { id: scrubber.text(&self.id), title: self.title.map(|title| scrubber.text(&title)), ..self }
    }
}

struct Page {
    models: Vec<ListedModel>,
    /// The last model of the page, if there are more.
    after: Option<String>,
}

/// An address that cannot be parsed stays as it is; the request will refuse it.
fn page_url(url: &str, protocol: Protocol, after: Option<&str>) -> String {
    let Ok(mut page) = Url::parse(url) else { return url.to_owned() };
    if protocol == Protocol::Anthropic {
        page.query_pairs_mut().append_pair("limit", "1000");
    }
    if let Some(after) = after {
        page.query_pairs_mut().append_pair("after_id", after);
    }
    page.into()
}

/// OpenAI's shape, `{data: […]}`, with what servers add to it; a bare list; or Ollama's own, `{models: […]}`.
fn page(body: &str) -> Result<Page, ModelError> {
    let value: Value =
        serde_json::from_str(body.trim()).map_err(|error| payload::malformed(said::no_json(body, &error), body))?;
    if let Some(error) = said::error(&value) {
        return Err(ModelError::Broken { reason: said::reported_error(&error), raw: body.to_owned() });
    }
    // The last two are Amazon Bedrock's.
    let lists =
        [&value["data"], &value, &value["models"], &value["modelSummaries"], &value["inferenceProfileSummaries"]];
    let listed = lists.into_iter().find_map(Value::as_array);
    let Some(listed) = listed else {
        let none = Wording::new("there is no list of models in it", "其中没有模型列表");
        return Err(payload::malformed(none, body));
    };
    let after = value["last_id"].as_str().filter(|_| value["has_more"] == true).map(str::to_owned);
    Ok(Page { models: listed.iter().filter_map(model).collect(), after })
}

fn model(listed: &Value) -> Option<ListedModel> {
    let text = |keys: &[&str]| {
        let texts = keys.iter().filter_map(|key| listed[key].as_str());
        texts.map(str::trim).find(|text| !text.is_empty()).map(str::to_owned)
    };
    let id = text(&["id", "model", "name", "modelId", "inferenceProfileId"])?;
    let title = text(&["display_name", "friendly_name", "name", "modelName", "inferenceProfileName"])
        .filter(|title| *title != id);
    // OpenRouter and Together; vLLM; Groq; Mistral and LM Studio; Anthropic; llama.cpp.
    let lengths = ["context_length", "max_model_len", "context_window", "max_context_length", "max_input_tokens"];
    let lengths = lengths.map(|key| &listed[key]).into_iter().chain([&listed["meta"]["n_ctx_train"]]);
    let first = |values: &mut dyn Iterator<Item = &Value>| {
        let tokens = values.filter_map(Value::as_u64).find(|tokens| *tokens > 0);
        tokens.and_then(|tokens| u32::try_from(tokens).ok())
    };
    // Anthropic; OpenRouter; Groq.
    let outputs = [&listed["max_tokens"], &listed["top_provider"]["max_completion_tokens"]];
    let max_output = first(&mut outputs.into_iter().chain([&listed["max_completion_tokens"]]));
    let context = first(&mut lengths.into_iter());
    Some(ListedModel { id, title, context, max_output, prices: prices(&listed["pricing"]) })
}

/// OpenRouter's prices: US dollars for one token, as text.
fn prices(pricing: &Value) -> Option<Prices> {
    let price = |key: &str| {
        let price: f64 = pricing[key].as_str()?.parse().ok()?;
        // For a million of them, in billionths of a dollar, which drops what binary fractions add.
        (price.is_finite() && price >= 0.0).then(|| (price * 1e15).round() / 1e9)
    };
    Some(Prices {
        input: price("prompt")?,
        output: price("completion")?,
        cached: price("input_cache_read"),
        cache_written: price("input_cache_write"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(id: &str) -> ListedModel {
        ListedModel { id: id.into(), title: None, context: None, max_output: None, prices: None }
    }

    #[test]
    fn reads_the_lists_that_servers_give() {
        let prices = Prices { input: 3.0, output: 15.0, cached: Some(0.3), cache_written: None };
        let lists = [
            // OpenAI, DeepSeek, Ollama, LM Studio.
            (
                r#"{"object":"list","data":[{"id":"llama3:latest","object":"model","owned_by":"library"},{"id":""},7]}"#,
                vec![listed("llama3:latest")],
            ),
            // OpenRouter; its router model has no price.
            (
                r#"{"data":[{"id":"a/b","name":"A: B","context_length":200000,"pricing":{"prompt":"0.000003","completion":"0.000015","input_cache_read":"0.0000003"}},{"id":"auto","name":"auto","context_length":null,"pricing":{"prompt":"-1","completion":"-1"}}]}"#,
                vec![
                    ListedModel {
                        title: Some("A: B".into()),
                        context: Some(200_000),
                        prices: Some(prices),
                        ..listed("a/b")
                    },
                    listed("auto"),
                ],
            ),
            // vLLM; llama.cpp, which says everything twice; Together; Ollama's own.
            (
                r#"{"object":"list","data":[{"id":"m","root":"m","max_model_len":4096}]}"#,
                vec![ListedModel { context: Some(4096), ..listed("m") }],
            ),
            (
                r#"{"models":[{"name":"m","model":"m"}],"object":"list","data":[{"id":"m","meta":{"n_ctx_train":8192}}]}"#,
                vec![ListedModel { context: Some(8192), ..listed("m") }],
            ),
            (
                r#"[{"id":"m","display_name":"M","context_length":1024}]"#,
                vec![ListedModel { title: Some("M".into()), context: Some(1024), ..listed("m") }],
            ),
            // Anthropic.
            (
                r#"{"data":[{"type":"model","id":"m","display_name":"m","max_input_tokens":1000000,"max_tokens":128000}]}"#,
                vec![ListedModel { context: Some(1_000_000), max_output: Some(128_000), ..listed("m") }],
            ),
            (r#"{"models":[{"name":"m:1","model":"m:1"}]}"#, vec![listed("m:1")]),
            // Bedrock.
            (
                r#"{"modelSummaries":[{"modelArn":"arn","modelId":"m-v1:0","modelName":"M"}]}"#,
                vec![ListedModel { title: Some("M".into()), ..listed("m-v1:0") }],
            ),
            (
                r#"{"inferenceProfileSummaries":[{"inferenceProfileId":"eu.m-v1:0","inferenceProfileName":"EU M"}]}"#,
                vec![ListedModel { title: Some("EU M".into()), ..listed("eu.m-v1:0") }],
            ),
        ];
        for (body, expected) in lists {
            assert_eq!(page(body).unwrap().models, expected, "{body}");
        }
    }

    #[test]
    fn what_is_no_list_is_an_error() {
        let error = |body: &str| page(body).err().unwrap().to_string();
        assert_eq!(error("{}"), "the answer does not follow the protocol: there is no list of models in it");
        assert_eq!(
            error("<html><title>Sign in</title></html>"),
            "the answer does not follow the protocol: it is a web page titled “Sign in”"
        );
        assert_eq!(error(r#"{"error":"no"}"#), "the answer broke off: the server says: no");
    }
}
