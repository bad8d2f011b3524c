//! Spans on their way to a tracing back end, which answers with little. The key is in one header and nowhere else.

use std::sync::Arc;

use reqwest::Method;
use tokio::time::Instant;

use super::server::{Body, Question, Retry, Server};
use super::{Http, reading, retry};
use crate::ModelError;
use crate::entry::Otlp;
use crate::secret::Keys;

/// A receiver of spans by OTLP over HTTP, as protobuf.
#[derive(Clone)]
pub struct SpanReceiver {
    server: Server,
    url: String,
}

impl SpanReceiver {
    /// The key is looked up in `keys` for each request.
    pub fn new(otlp: &Otlp, http: Http, keys: Arc<dyn Keys>) -> Self {
        Self { url: otlp.url(), server: Server::of_spans(otlp, http, keys) }
    }

    /// Delivers one message and retries if that may help; returns the answer.
    pub async fn deliver(&self, message: Vec<u8>) -> Result<Vec<u8>, ModelError> {
        let Self { server, url } = self;
        let mut pass = server.pass(url).await?;
        let limits = server.limits(url, &pass);
        let question = Question {
            method: Method::POST,
            url: url.clone(),
            accept: "application/x-protobuf",
            body: Some(Body::Protobuf(message.into())),
            patience: limits.idle,
        };
        let mut attempt = 0;
        loop {
            let before = pass.clone();
            let asked = server.ask(&question, &mut pass, &limits).await;
            let scrubber = server.scrubber(url, [&before, &pass]);
            let refused = match asked {
                Ok(response) => {
                    let whole = reading::whole_bytes(response, &limits).await;
                    return whole.map_err(|error| reading::presentable_error(error, &scrubber));
                }
                Err(refused) => refused,
            };
            let pause = match refused.retry {
                Retry::After(asked) if attempt < server.retries => {
                    retry::pause(attempt, asked, (server.http.jitter)(), server.longest_wait)
                }
                Retry::After(_) | Retry::Never => None,
            };
            // A wait longer than the remaining time would only delay the error.
            let Some(pause) = pause.filter(|pause| Instant::now() + *pause < limits.deadline) else {
                return Err(reading::presentable_error(refused.error, &scrubber));
            };
            (server.http.pause)(pause).await;
            attempt += 1;
        }
    }
}
