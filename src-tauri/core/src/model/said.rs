//! What a server says went wrong, in the shapes that servers say it in.

use serde_json::Value;

/// One line that says why a request was refused, out of the body of the refusal.
pub fn reason(body: &str) -> String {
    let body = body.trim();
    match serde_json::from_str::<Value>(body) {
        Ok(value) => error(&value)
            .or_else(|| ["detail", "message"].iter().find_map(|key| sentence(&value[key])))
            .unwrap_or_else(|| body.to_owned()),
        Err(_) if is_html(body) => web_page(body),
        Err(_) => match body.lines().next() {
            Some(line) => line.to_owned(),
            None => "it gave no reason".to_owned(),
        },
    }
}

/// The error that a JSON body or payload reports in place of an answer.
pub fn error(value: &Value) -> Option<String> {
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

pub fn is_html(body: &str) -> bool {
    let start: String = body.trim_start().chars().take(14).collect();
    let start = start.to_ascii_lowercase();
    start.starts_with("<!doctype html") || start.starts_with("<html") || start.starts_with("<head")
}

/// The page's title, as proxies put the error there.
pub fn web_page(body: &str) -> String {
    let lower = body.to_ascii_lowercase();
    let title = lower.find("<title>").and_then(|start| {
        let start = start + "<title>".len();
        lower[start..].find("</title>").map(|length| body[start..start + length].trim())
    });
    match title {
        Some(title) if !title.is_empty() => format!("a web page titled “{title}”"),
        _ => "a web page".to_owned(),
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
        .map(reason);
        assert_eq!(
            reasons,
            [
                "Incorrect API key provided",
                "model: claude-x",
                "overloaded_error",
                "model 'x' not found",
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
}
