//! Recognises texts that look like a key and settings that would hold one: settings may name keys, not contain them.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// The first text that looks like a key, also in comments: others read those too.
pub fn find(text: &str) -> Option<Range<usize>> {
    let keys = KEYS.captures_iter(text).filter_map(|found| found.get(1));
    let mut keys = keys.filter(|key| key.as_str().bytes().any(|byte| byte.is_ascii_digit()));
    keys.next().map(|key| key.range())
}

/// Whether a header of this name is there to carry a key.
pub fn is_secret_header(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let secret = ["authorization", "cookie", "token", "secret", "password", "apikey"];
    let ends = ["api-key", "access-key", "auth-key", "subscription-key", "functions-key"];
    name.split(['-', '_']).any(|word| secret.contains(&word)) || ends.iter().any(|end| name.ends_with(end))
}

/// The same for a parameter of an address, or a field of a body.
pub fn is_secret_parameter(name: &str) -> bool {
    const SECRET: [&str; 16] = [
        "key",
        "api_key",
        "apikey",
        "token",
        "access_token",
        "auth_token",
        "secret",
        "client_secret",
        "password",
        "passwd",
        "pwd",
        "auth",
        "sig",
        "signature",
        // Azure's storage, and its functions.
        "sas",
        "code",
    ];
    // Names of headers are taken as parameters too; most of them cannot be a field of a body.
    const ENDS: [&str; 5] = ["x_api_key", "subscription_key", "functions_key", "goog_api_key", "security_token"];
    let name = name.to_ascii_lowercase().replace('-', "_");
    SECRET.contains(&name.as_str()) || ENDS.iter().any(|end| name.ends_with(end))
}

/// Providers begin their keys with these prefixes so that misplaced keys are found. Names of models and variables begin
/// so too; they are shorter, or have no digits.
static KEYS: LazyLock<Regex> = LazyLock::new(|| {
    let keys = [
        // OpenAI, Anthropic, OpenRouter, DeepSeek, DashScope and many others.
        "sk-[A-Za-z0-9_-]{16,}",
        "AIza[A-Za-z0-9_-]{30,}",
        "gsk_[A-Za-z0-9]{20,}",
        "xai-[A-Za-z0-9]{20,}",
        "hf_[A-Za-z0-9]{20,}",
        "nvapi-[A-Za-z0-9_-]{20,}",
        "pplx-[A-Za-z0-9]{20,}",
        "csk-[A-Za-z0-9]{20,}",
        "r8_[A-Za-z0-9]{20,}",
        "AKIA[A-Z0-9]{16}",
        "gh[pousr]_[A-Za-z0-9]{20,}",
        "github_pat_[A-Za-z0-9_]{20,}",
        r"eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*",
        r"[Bb]earer +[A-Za-z0-9._~+/-]{16,}",
    ];
    let pattern = format!("(?:^|[^A-Za-z0-9_-])({})", keys.join("|"));
    Regex::new(&pattern).expect("the pattern is a constant")
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_keys_and_no_names() {
        let digits = "0123456789abcdef0123456789ABCDEF012";
        for key in [
            format!("sk-{digits}"),
            format!("sk-ant-api03-{digits}"),
            format!("AIza{digits}"),
            format!("gsk_{digits}"),
            format!("hf_{digits}"),
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc".to_owned(),
            format!("Bearer {digits}"),
        ] {
            assert_eq!(find(&format!("# was: '{key}'\n")), Some(8..8 + key.len()), "{key}");
        }
        for name in [
            "sk-short-1",
            "task-sk-0123456789abcdef0123",
            "sk-learn-classification-model",
            "SKILLBENCH_TEST_KEY_0123456789",
            "accounts/fireworks/models/llama-v3p1-405b-instruct",
            "Bearer tokens are read from the keyring",
        ] {
            assert_eq!(find(name), None, "{name}");
        }
    }

    #[test]
    fn knows_headers_and_parameters_that_carry_keys() {
        for name in [
            "Authorization",
            "Proxy-Authorization",
            "X-Api-Key",
            "api-key",
            "Cookie",
            "Set-Cookie",
            "x-goog-api-key",
            "Ocp-Apim-Subscription-Key",
            "X-Auth-Token",
            "x-functions-key",
        ] {
            assert!(is_secret_header(name), "{name}");
        }
        for name in ["HTTP-Referer", "X-Title", "anthropic-beta", "Idempotency-Key", "OpenAI-Organization"] {
            assert!(!is_secret_header(name), "{name}");
        }
        for name in [
            "x-functions-key",
            "auth",
            "pwd",
            "passwd",
            "sig",
            "signature",
            "sas",
            "X-Api-Key",
            "x_api_key",
            "x-goog-api-key",
            "Ocp-Apim-Subscription-Key",
            "X-Amz-Security-Token",
        ] {
            assert!(is_secret_parameter(name), "{name}");
        }
        assert!(is_secret_parameter("API_KEY") && !is_secret_parameter("api-version"));
        for name in ["max_completion_tokens", "stop_token_ids", "skip_special_tokens", "keep_alive", "prompt_cache_key"]
        {
            assert!(!is_secret_parameter(name), "{name}");
        }
    }
}
