//! Reads servers' error reports in their various shapes.

use serde_json::Value;
use wording::{Message, message};

use super::Refusal;

/// One line that says why a request was refused, out of the body of the refusal.
pub fn reason(body: &str) -> Message {
    let body = body.trim();
    match serde_json::from_str::<Value>(body) {
        Ok(value) => Message::quoted(
            error(&value)
                .or_else(|| ["detail", "message", "Message"].iter().find_map(|key| sentence(&value[key])))
                .unwrap_or_else(|| body.to_owned()),
        ),
        Err(_) if is_html(body) => web_page(body),
        Err(_) => match body.lines().next() {
            Some(line) => Message::quoted(line),
            None => message!("it gave no reason", "服务器没有说明原因"),
        },
    }
}

/// Why an answer in JSON cannot be read.
pub fn no_json(body: &str, error: &serde_json::Error) -> Message {
    if is_html(body) {
        let page = web_page(body);
        return message!("it is {page}", "它是{page}"; page);
    }
    let error = wording::refusal(&error.to_string());
    message!("it is not JSON: {error}", "它不是 JSON：{error}"; error)
}

/// An error that the server reports in place of an answer, or in the middle of one.
pub fn reported_error(error: &str) -> Message {
    message!("the server says: {error}", "服务器报告：{error}")
}

/// The error that a JSON body or payload reports in place of an answer.
pub fn error(value: &Value) -> Option<String> {
    // Gemini puts its errors into a list.
    if let Value::Array(values) = value {
        return values.first().filter(|first| first.is_object()).and_then(error);
    }
    if value["object"] == "error" {
        return sentence(&value["message"]);
    }
    let error = value.get("error").filter(|error| !matches!(error, Value::Null | Value::Bool(false)))?;
    // OpenRouter and LiteLLM say "Provider returned error" and put what the provider said below `metadata`.
    let said = ["message", "type"].iter().find_map(|key| sentence(&error[key])).or_else(|| sentence(error));
    let said = said.unwrap_or_else(|| error.to_string());
    match sentence(&error["metadata"]["raw"]) {
        Some(detail) => Some(format!("{said}: {detail}")),
        None => Some(said),
    }
}

/// What kind of refusal a body is, or a payload in the middle of an answer, which has no `status`. Servers that speak one
/// protocol do not share their codes, so their words count too.
pub fn refusal(status: Option<u16>, body: &str) -> Refusal {
    let said = match (status, reported(body)) {
        // Text that does not report an error is a piece of the answer.
        (None, None) => String::new(),
        (Some(_), None) => reason(body).en,
        (_, Some(codes)) => reason(body).en + &codes,
    };
    let said = said.to_lowercase();
    let has = |phrases: &[&str]| phrases.iter().any(|phrase| said.contains(phrase));
    if let Some((refusal, _)) = AWS.iter().find(|(_, phrases)| has(phrases)) {
        *refusal
    } else if has(&TOO_LONG) {
        Refusal::TooLong
    } else if has(&QUOTA) || status == Some(402) {
        Refusal::Quota
    } else if has(&TOOLS) {
        Refusal::Tools
    } else if has(&MODEL) || (said.contains("model") && has(&NOT_THERE)) {
        Refusal::Model
    } else if has(&KEY) || matches!(status, Some(401 | 403)) {
        Refusal::Key
    } else if has(&BUSY) || matches!(status, Some(408 | 409 | 429 | 502..=504 | 529)) {
        Refusal::Busy
    } else {
        match status {
            Some(413) => Refusal::TooLong,
            Some(300..=399 | 404 | 405 | 410) => Refusal::Address,
            Some(_) | None => Refusal::Other,
        }
    }
}

/// Refusals that only AWS has.
const AWS: [(Refusal, &[&str]); 6] = [
    (
        Refusal::NotEnabled,
        &[
            "you don't have access to the model",
            "use case details have not been submitted",
            "model access is denied",
            "is not authorized to perform: bedrock:",
        ],
    ),
    (Refusal::Profile, &["on-demand throughput isn\u{2019}t supported", "on-demand throughput isn't supported"]),
    (
        Refusal::Expired,
        &["security token included in the request is expired", "expiredtoken", "bearer token has expired"],
    ),
    (Refusal::Clock, &["signature expired", "signature not yet current"]),
    (Refusal::Region, &["credential should be scoped to a valid region"]),
    (
        Refusal::Model,
        &[
            "model identifier is invalid",
            "could not resolve the foundation model",
            "doesn't support the model that you provided",
            "model version has reached the end of its life",
        ],
    ),
];

/// Texts that report that a request is longer than the model's context.
const TOO_LONG: [&str; 19] = [
    // The codes of OpenAI and of llama.cpp.
    "context_length_exceeded",
    "exceed_context_size",
    // OpenAI, vLLM, DeepSeek, OpenRouter, Mistral; OpenAI's Responses; llama.cpp.
    "maximum context length",
    "exceeds the context window",
    "exceeds the available context size",
    // vLLM.
    "longer than the maximum model length",
    // Anthropic.
    "prompt is too long",
    "request_too_large",
    "exceed context limit",
    // Ollama.
    "prompt too long",
    "input length exceeds",
    // Qwen.
    "range of input length",
    // Gemini, xAI, Bedrock, Groq.
    "exceeds the maximum number of tokens",
    "maximum prompt length",
    "input is too long",
    "reduce the length of the messages",
    "request too large for model",
    // LM Studio.
    "greater than the context length",
    "with context length of only",
];

const QUOTA: [&str; 10] = [
    "insufficient_quota",
    "exceeded your current quota",
    "credit balance is too low",
    "billing_error",
    "billing_hard_limit",
    "insufficient balance",
    "insufficient credits",
    "insufficient_credits",
    "requires more credits",
    "arrearage",
];

const TOOLS: [&str; 8] = [
    // Ollama; OpenRouter; vLLM; llama.cpp; its Python server.
    "does not support tools",
    "support tool use",
    "enable-auto-tool-choice",
    "tools param requires --jinja",
    "streaming tool choice is not supported",
    "does not support function calling",
    "does not support tool calling",
    "tools are not supported",
];

const MODEL: [&str; 6] = [
    "model_not_found",
    "model not exist",
    "not a valid model",
    "invalid model",
    "no models loaded",
    // Azure.
    "deploymentnotfound",
];

/// Something was not found; it is the model if that is mentioned too.
const NOT_THERE: [&str; 4] = ["not found", "not_found", "does not exist", "no such"];

const KEY: [&str; 6] = [
    "invalid_api_key",
    "invalidapikey",
    "incorrect api key",
    "invalid api key",
    "authentication_error",
    "permission_error",
];

const BUSY: [&str; 10] = [
    "overloaded",
    "rate_limit",
    "rate limit",
    "server_busy",
    "throttling",
    "resource_exhausted",
    "loading model",
    // Bedrock.
    "serviceunavailable",
    "model is not ready",
    "too many requests",
];

/// The codes and sentences of the error that a body reports; `None`: it reports none. What it quotes of the request is
/// not among them.
fn reported(body: &str) -> Option<String> {
    let value = match serde_json::from_str(body.trim()).ok()? {
        Value::Array(values) => values.into_iter().next()?,
        value => value,
    };
    let below = &value["response"]["error"];
    if error(&value).is_none() && below.is_null() && value["type"] != "error" {
        return None;
    }
    let holders = [&value, &value["error"], below];
    let codes = holders.iter().flat_map(|holder| ["code", "type", "status", "message"].map(|key| &holder[key]));
    Some(codes.filter_map(sentence).map(|code| format!(" {code}")).collect())
}

pub fn is_html(body: &str) -> bool {
    let start: String = body.trim_start().chars().take(14).collect();
    let start = start.to_ascii_lowercase();
    start.starts_with("<!doctype html") || start.starts_with("<html") || start.starts_with("<head")
}

/// The page's title, as proxies put the error there.
fn web_page(body: &str) -> Message {
    let lower = body.to_ascii_lowercase();
    let title = lower.find("<title>").and_then(|start| {
        let start = start + "<title>".len();
        lower[start..].find("</title>").map(|length| body[start..start + length].trim())
    });
    match title {
        Some(title) if !title.is_empty() => message!("a web page titled “{title}”", "标题为“{title}”的网页"),
        _ => message!("a web page", "一个网页"),
    }
}

fn sentence(value: &Value) -> Option<String> {
    value.as_str().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_reason_in_the_shapes_servers_use() {
        let reasons = [
            r#"{"error":{"message":"Incorrect API key provided","type":"invalid_request_error","code":"invalid_api_key"}}"#,
            r#"{"type":"error","error":{"type":"not_found_error","message":"model: claude-x"},"request_id":"req_1"}"#,
            r#"{"type":"error","error":{"type":"overloaded_error","message":""}}"#,
            r#"{"error":"model 'x' not found"}"#,
            r#"[{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT"}}]"#,
            r#"{"object":"error","message":"max_tokens is too large","code":400}"#,
            r#"{"detail":"Not Found"}"#,
            r#"{"message":"no Route matched with those values"}"#,
            r#"{"error":{"message":"Provider returned error","metadata":{"raw":"context too long"}}}"#,
            r#"{"error":{"code":7}}"#,
            r#"{"detail":[{"loc":["body"],"msg":"field required"}]}"#,
            "<html>\r\n<head><title>502 Bad Gateway</title></head><body>nginx</body></html>",
            "<!DOCTYPE html><p>",
            "upstream connect error\nmore",
            "  \n",
        ]
        .map(|body| reason(body).en);
        assert_eq!(
            reasons,
            [
                "Incorrect API key provided",
                "model: claude-x",
                "overloaded_error",
                "model 'x' not found",
                "API key not valid.",
                "max_tokens is too large",
                "Not Found",
                "no Route matched with those values",
                "Provider returned error: context too long",
                r#"{"code":7}"#,
                r#"{"detail":[{"loc":["body"],"msg":"field required"}]}"#,
                "a web page titled “502 Bad Gateway”",
                "a web page",
                "upstream connect error",
                "it gave no reason",
            ]
        );
    }

    #[test]
    fn tells_refusals_apart_whose_next_steps_differ() {
        use Refusal as R;
        let refusals: [(R, u16, &str); 41] = [
            // OpenAI, chat completions and Responses; Groq.
            (
                R::TooLong,
                400,
                r#"{"error":{"message":"This model's maximum context length is 8192 tokens.","type":"invalid_request_error","code":"context_length_exceeded"}}"#,
            ),
            (
                R::TooLong,
                400,
                r#"{"error":{"message":"Your input exceeds the context window of this model.","code":"context_length_exceeded"}}"#,
            ),
            (
                R::TooLong,
                413,
                r#"{"error":{"message":"Request too large for model `x` on tokens per minute (TPM)","code":"rate_limit_exceeded"}}"#,
            ),
            // Anthropic.
            (
                R::TooLong,
                400,
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}"#,
            ),
            (
                R::TooLong,
                400,
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"input length and `max_tokens` exceed context limit: 1 + 2 > 2"}}"#,
            ),
            (
                R::TooLong,
                413,
                r#"{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}"#,
            ),
            // OpenRouter, with the provider's own words below.
            (
                R::TooLong,
                400,
                r#"{"error":{"message":"This endpoint's maximum context length is 4096 tokens. However, you requested about 5000 tokens","code":400}}"#,
            ),
            (
                R::TooLong,
                400,
                r#"{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"code\":\"context_length_exceeded\"}}"}}}"#,
            ),
            // vLLM, before and after it changed its errors.
            (
                R::TooLong,
                400,
                r#"{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens","type":"BadRequestError","code":400}"#,
            ),
            (
                R::TooLong,
                400,
                r#"{"error":{"message":"The decoder prompt (length 5000) is longer than the maximum model length of 4096.","type":"BadRequestError","code":400}}"#,
            ),
            // llama.cpp; Ollama; LM Studio.
            (
                R::TooLong,
                400,
                r#"{"error":{"code":400,"message":"request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":5000,"n_ctx":4096}}"#,
            ),
            (R::TooLong, 400, r#"{"error":"prompt too long; exceeded max context length by 904 tokens"}"#),
            (R::TooLong, 500, r#"{"error":"the input length exceeds the context length"}"#),
            (
                R::TooLong,
                400,
                r#"{"error":"Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens"}"#,
            ),
            // DeepSeek; Qwen; a proxy before any of them.
            (
                R::TooLong,
                400,
                r#"{"error":{"message":"This model's maximum context length is 65536 tokens. However, you requested 70000 tokens","type":"invalid_request_error","code":"invalid_request_error"}}"#,
            ),
            (
                R::TooLong,
                400,
                r#"{"error":{"code":"invalid_parameter_error","message":"<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]"}}"#,
            ),
            (R::TooLong, 413, "<html><title>413 Request Entity Too Large</title></html>"),
            // OpenAI; Anthropic; OpenRouter; DeepSeek; Qwen.
            (
                R::Quota,
                429,
                r#"{"error":{"message":"You exceeded your current quota, please check your plan","type":"insufficient_quota","code":"insufficient_quota"}}"#,
            ),
            (
                R::Quota,
                400,
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}"#,
            ),
            (R::Quota, 402, r#"{"error":{"message":"This request requires more credits","code":402}}"#),
            (R::Quota, 402, r#"{"error":{"message":"Insufficient Balance","type":"unknown_error"}}"#),
            (
                R::Quota,
                400,
                r#"{"error":{"code":"Arrearage","message":"Access denied, please make sure your account is in good standing."}}"#,
            ),
            // Ollama; OpenRouter; vLLM; llama.cpp.
            (
                R::Tools,
                400,
                r#"{"error":{"message":"registry.ollama.ai/library/gemma:2b does not support tools","type":"api_error"}}"#,
            ),
            (R::Tools, 404, r#"{"error":{"message":"No endpoints found that support tool use.","code":404}}"#),
            (
                R::Tools,
                400,
                r#"{"object":"error","message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set"}"#,
            ),
            (
                R::Tools,
                500,
                r#"{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}"#,
            ),
            // OpenAI; Anthropic; vLLM; Ollama; DeepSeek; OpenRouter; Azure.
            (
                R::Model,
                404,
                r#"{"error":{"message":"The model `x` does not exist or you do not have access to it.","code":"model_not_found"}}"#,
            ),
            (R::Model, 404, r#"{"type":"error","error":{"type":"not_found_error","message":"model: claude-x"}}"#),
            (
                R::Model,
                404,
                r#"{"object":"error","message":"The model `x` does not exist.","type":"NotFoundError","code":404}"#,
            ),
            (R::Model, 404, r#"{"error":{"message":"model \"x\" not found, try pulling it first"}}"#),
            (R::Model, 400, r#"{"error":{"message":"Model Not Exist","type":"invalid_request_error"}}"#),
            (R::Model, 400, r#"{"error":{"message":"x is not a valid model ID","code":400}}"#),
            (
                R::Model,
                404,
                r#"{"error":{"code":"DeploymentNotFound","message":"The API deployment for this resource does not exist."}}"#,
            ),
            (R::Key, 401, r#"{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}"#),
            (R::Key, 403, ""),
            // A limit; Anthropic; llama.cpp at its start.
            (R::Busy, 429, r#"{"error":{"message":"Rate limit reached for x","code":"rate_limit_exceeded"}}"#),
            (R::Busy, 529, r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#),
            (R::Busy, 503, r#"{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}"#),
            (R::Address, 404, r#"{"detail":"Not Found"}"#),
            (R::Address, 405, ""),
            (R::Other, 400, r#"{"error":{"message":"temperature must be at most 2"}}"#),
        ];
        for (expected, status, body) in refusals {
            assert_eq!(refusal(Some(status), body), expected, "{status} {body}");
        }
        let in_the_middle = [
            (R::Busy, r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#),
            (
                R::TooLong,
                r#"{"type":"response.failed","response":{"error":{"code":"context_length_exceeded","message":"m"}}}"#,
            ),
            (R::Other, r#"{"error":{"message":"out of memory"}}"#),
            (R::Other, r#"data: {"choices":[{"delta":{"content":"The maximum context length"}}]}"#),
        ];
        for (expected, payload) in in_the_middle {
            assert_eq!(refusal(None, payload), expected, "{payload}");
        }
    }

    #[test]
    fn what_a_refusal_quotes_of_the_request_is_no_reason() {
        let body = r#"{"error":{"message":"unknown field"},"input":"the prompt is too long"}"#;
        assert_eq!(refusal(Some(400), body), Refusal::Other);
    }
}
