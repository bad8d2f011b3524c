//! Addresses as they may be shown and stored.

use reqwest::Url;

/// What stands in place of a value that may be a key.
const MARK: &str = "[hidden]";

/// The address without what may be a key: the values behind its `?`, a user's name and password. Names of parameters
/// stay, so that one sees what is sent.
pub fn shown(address: &str) -> String {
    let (address, fragment) = split(address, '#');
    let (address, query) = split(address, '?');
    let mut shown = without_user(address);
    if let Some(query) = query {
        let pairs = query.split('&').map(|pair| match pair.split_once('=') {
            Some((name, _)) => format!("{name}={MARK}"),
            None if pair.is_empty() => String::new(),
            None => MARK.to_owned(),
        });
        shown = format!("{shown}?{}", pairs.collect::<Vec<_>>().join("&"));
    }
    if fragment.is_some() {
        shown = format!("{shown}#{MARK}");
    }
    shown
}

/// Values of an address's parameters that are long enough to be keys. Versions and names are shorter, or have no digits.
pub fn secrets(address: &str) -> Vec<String> {
    const LEAST: usize = 16;
    let Ok(url) = Url::parse(address) else { return Vec::new() };
    let values = url.query_pairs().map(|(_, value)| value.into_owned());
    values.filter(|value| value.len() >= LEAST && value.bytes().any(|byte| byte.is_ascii_digit())).collect()
}

/// What stands between `//` and the last `@` before the path.
fn without_user(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("//") else { return address.to_owned() };
    let end = rest.find(['/', '\\']).unwrap_or(rest.len());
    match rest[..end].rfind('@') {
        Some(at) => format!("{scheme}//{MARK}{}", &rest[at..]),
        None => address.to_owned(),
    }
}

fn split(text: &str, at: char) -> (&str, Option<&str>) {
    text.split_once(at).map_or((text, None), |(head, tail)| (head, Some(tail)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hides_values_and_users_and_nothing_else() {
        let cases = [
            ("http://localhost:8080/v1/chat/completions", "http://localhost:8080/v1/chat/completions"),
            ("https://x/v1?code=s3cret", "https://x/v1?code=[hidden]"),
            (
                "https://x/v1?a=1&subscription-key=k=v&&flag",
                "https://x/v1?a=[hidden]&subscription-key=[hidden]&&[hidden]",
            ),
            ("https://me:s3cret@x:1/v1#s3cret", "https://[hidden]@x:1/v1#[hidden]"),
            ("https://a@b@x/v1@2", "https://[hidden]@x/v1@2"),
            ("localhost:8080/v1?code=s3cret", "localhost:8080/v1?code=[hidden]"),
            ("", ""),
        ];
        for (address, expected) in cases {
            assert_eq!(shown(address), expected);
        }
    }

    #[test]
    fn takes_long_values_with_digits_for_keys() {
        let address = "https://x/v1?api-version=2024-10-21&code=a%2Bb-0123456789abc&name=abcdefghijklmnopqrst";
        assert_eq!(secrets(address), ["a+b-0123456789abc"]);
    }
}
