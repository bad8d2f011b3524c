//! Addresses as they may be shown and stored.

use reqwest::Url;

/// Shown instead of a value that may be a key.
const MARK: &str = "[hidden]";

/// The address without what may be a key: the values behind its `?`, a user's name and password. Names of parameters
/// stay, so that the user sees what is sent.
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

/// The password in an address such as a proxy's (which may lack a scheme), decoded and as written there; the user's
/// name if there is no password, since tokens are sent that way.
pub fn credentials(address: &str) -> Vec<String> {
    let address = address.trim();
    let rest = address.split_once("//").map_or(address, |(_, rest)| rest);
    let Some(at) = rest[..rest.find(['/', '\\', '?', '#']).unwrap_or(rest.len())].rfind('@') else {
        return Vec::new();
    };
    let login = &rest[..at];
    let written = login.split_once(':').map_or(login, |(_, password)| password);
    let mut found = vec![decoded(written), written.to_owned()];
    found.dedup();
    found
}

/// `%2F` as `/`.
fn decoded(text: &str) -> String {
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        match part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                bytes.extend_from_slice(&part.as_bytes()[2..]);
            }
            None => bytes.extend_from_slice(format!("%{part}").as_bytes()),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// What is between `//` and the last `@` before the path.
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
    fn knows_the_password_in_an_address() {
        let cases: [(&str, &[&str]); 8] = [
            ("http://proxy:3128", &[]),
            ("http://me:s3cret@proxy:3128", &["s3cret"]),
            (" me:s3cret@proxy:3128/x@y ", &["s3cret"]),
            ("http://me:s3%2Fcr%C3%A9t@proxy", &["s3/crét", "s3%2Fcr%C3%A9t"]),
            ("http://me:a:b@c@proxy", &["a:b@c"]),
            ("http://t0ken@proxy", &["t0ken"]),
            ("http://proxy/?a=b@c", &[]),
            ("", &[]),
        ];
        for (address, expected) in cases {
            assert_eq!(credentials(address), expected, "{address}");
        }
    }

    #[test]
    fn takes_long_values_with_digits_for_keys() {
        let address = "https://x/v1?api-version=2024-10-21&code=a%2Bb-0123456789abc&name=abcdefghijklmnopqrst";
        assert_eq!(secrets(address), ["a+b-0123456789abc"]);
    }
}
