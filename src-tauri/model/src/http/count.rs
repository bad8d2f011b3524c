//! How many tokens a request has, as the model's own server counts them.

use std::sync::Arc;

use reqwest::{Method, Url};
use serde_json::Value;
use wording::Wording;

use super::HttpModel;
use super::reading;
use super::server::{Body, Question};
use crate::{ChatModel, ModelError, ModelRequest, payload, said};

/// A request that a server is asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counting {
    pub url: String,
    pub body: Arc<str>,
}

impl Counting {
    /// Who counts: the host, with its port if it is not the usual one.
    pub fn server(&self) -> String {
        let Ok(url) = Url::parse(&self.url) else { return String::new() };
        let host = url.host_str().unwrap_or_default();
        url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }
}

impl HttpModel {
    /// The provider's name of the model.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// What to ask the server about a request; `None`: its protocol has no such question.
    pub fn counting(&self, request: &ModelRequest) -> Option<Counting> {
        let url = self.counter.clone()?;
        let body = self.protocol.count_body(&self.encode(request).body)?;
        Some(Counting { url, body: body.into() })
    }

    /// Asks the server once. If it is busy, the caller can ask again.
    pub async fn count(&self, counting: &Counting) -> Result<u32, ModelError> {
        let Counting { url, body } = counting;
        let mut pass = self.server.pass(url).await?;
        let limits = self.server.limits(url, &pass);
        let before = pass.clone();
        let question = Question {
            method: Method::POST,
            url: url.clone(),
            accept: "application/json",
            body: Some(Body::Json(body.clone())),
            patience: limits.idle,
        };
        let asking = async {
            let response = self.server.ask(&question, &mut pass, &limits).await.map_err(|refused| refused.error)?;
            self.number(&reading::whole(response, &limits).await?)
        };
        let counted: Result<u32, ModelError> = asking.await;
        counted.map_err(|error| reading::presentable_error(error, &self.server.scrubber(url, [&before, &pass])))
    }

    fn number(&self, answer: &str) -> Result<u32, ModelError> {
        let value: Value = serde_json::from_str(answer.trim())
            .map_err(|error| payload::malformed(said::no_json(answer, &error), answer))?;
        if let Some(error) = said::error(&value) {
            return Err(ModelError::Broken { reason: said::reported_error(&error), raw: answer.to_owned() });
        }
        let number = self.protocol.counted(&value).and_then(|number| u32::try_from(number).ok());
        let none = Wording::new("there is no number of tokens in it", "其中没有 token 数");
        number.ok_or_else(|| payload::malformed(none, answer))
    }
}
