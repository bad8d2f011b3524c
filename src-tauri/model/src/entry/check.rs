//! Rules that a type alone does not express, checked where the value is read so that the error knows its line.

use std::collections::BTreeMap;
use std::fmt;

use camino::Utf8PathBuf;
use reqwest::Url;
use reqwest::header::{HeaderName, HeaderValue};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::{Map as Fields, Value};

use crate::secret::{KeyRef, recognise};

pub fn positive<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    deserializer.deserialize_u32(Positive)
}

pub fn some_positive<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    deserializer.deserialize_any(OrNothing(Positive))
}

/// How often something may be tried again.
pub fn few<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    deserializer.deserialize_u32(Few)
}

/// US dollars for a million tokens, which may be none.
pub fn price<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    deserializer.deserialize_any(PRICE)
}

pub fn some_price<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    deserializer.deserialize_any(OrNothing(PRICE))
}

/// A number that can be counted with, from 0.
pub fn some_amount<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    deserializer.deserialize_any(OrNothing(Amount("a number from 0")))
}

/// What people type to mean something.
pub fn name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    text(deserializer, "a name", |written| {
        let is_name = !written.is_empty() && written.trim() == written && !written.contains(char::is_control);
        if is_name {
            Ok(written.to_owned())
        } else {
            Err("a name has characters, and no white space around".to_owned())
        }
    })
}

pub fn base_url<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    text(deserializer, "an address such as `http://localhost:8080/v1`", address)
}

pub fn endpoint<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    text(deserializer, "an address such as `http://localhost:4318`", receiver)
}

/// The address of a proxy, or `none`.
pub fn proxy<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    deserializer.deserialize_option(OrNothing(Text {
        expected: "an address such as `http://proxy:3128`",
        meaning: proxy_address,
    }))
}

pub fn certificates<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Utf8PathBuf>, D::Error> {
    deserializer.deserialize_option(OrNothing(Text { expected: "the path of a PEM file", meaning: pem_file }))
}

pub fn header_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    deserializer.deserialize_option(OrNothing(Text { expected: "the name of a header", meaning: header }))
}

/// Headers that carry no keys, and nothing that the workbench writes.
pub fn headers<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, String>, D::Error> {
    let headers = BTreeMap::<PlainHeader, HeaderText>::deserialize(deserializer)?;
    Ok(headers.into_iter().map(|(PlainHeader(name), HeaderText(text))| (name, text)).collect())
}

/// Further fields of a request's body.
pub fn body<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Fields<String, Value>, D::Error> {
    deserializer.deserialize_map(Body)
}

/// A key's name. What stands in its place may be the key itself, so the error does not repeat it.
pub fn key<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<KeyRef>, D::Error> {
    deserializer.deserialize_any(Key)
}

struct Positive;

impl Visitor<'_> for Positive {
    type Value = u32;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number from 1")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<u32, E> {
        match u32::try_from(number) {
            Ok(number) if number > 0 => Ok(number),
            _ => Err(E::invalid_value(serde::de::Unexpected::Unsigned(number), &self)),
        }
    }
}

/// More would only keep a busy server busy.
pub const MOST_RETRIES: u32 = 10;

struct Few;

impl Visitor<'_> for Few {
    type Value = u32;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from 0 to {MOST_RETRIES}")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<u32, E> {
        match u32::try_from(number) {
            Ok(number) if number <= MOST_RETRIES => Ok(number),
            _ => Err(E::invalid_value(serde::de::Unexpected::Unsigned(number), &self)),
        }
    }
}

/// What is expected.
struct Amount(&'static str);

const PRICE: Amount = Amount("US dollars for a million tokens, from 0");

impl Visitor<'_> for Amount {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_u64<E: Error>(self, price: u64) -> Result<f64, E> {
        self.visit_f64(price as f64)
    }

    fn visit_i64<E: Error>(self, price: i64) -> Result<f64, E> {
        self.visit_f64(price as f64)
    }

    fn visit_f64<E: Error>(self, price: f64) -> Result<f64, E> {
        if price.is_finite() && price >= 0.0 {
            Ok(price)
        } else {
            Err(E::invalid_value(serde::de::Unexpected::Float(price), &self))
        }
    }
}

/// What its visitor reads, or `null`.
pub struct OrNothing<V>(pub V);

impl<'de, V: Visitor<'de>> Visitor<'de> for OrNothing<V> {
    type Value = Option<V::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self.0).map(Some)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        self.0.visit_u64(number).map(Some)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        self.0.visit_i64(number).map(Some)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Self::Value, E> {
        self.0.visit_f64(number).map(Some)
    }
}

/// Reads a text and takes it for what it means, or says what is wrong with it at its place.
fn text<'de, D, T>(
    deserializer: D,
    expected: &'static str,
    meaning: fn(&str) -> Result<T, String>,
) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
{
    deserializer.deserialize_str(Text { expected, meaning })
}

struct Text<T> {
    expected: &'static str,
    meaning: fn(&str) -> Result<T, String>,
}

impl<T> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<E: Error>(self, written: &str) -> Result<T, E> {
        (self.meaning)(written).map_err(E::custom)
    }
}

fn address(written: &str) -> Result<String, String> {
    address_of("baseUrl", written)
}

/// The address of a tracing back end.
pub fn receiver(written: &str) -> Result<String, String> {
    address_of("endpoint", written)
}

/// `setting`: what the address is called where it is written.
fn address_of(setting: &str, written: &str) -> Result<String, String> {
    // Filled in from the environment, or from the profile.
    let filled = written.replace("{region}", "us-east-1");
    if let Some(start) = filled.find('{') {
        let end = filled[start..].find('}').map_or(filled.len(), |end| start + end + 1);
        return Err(format!("{setting} holds a placeholder: write your own instead of `{}`", &filled[start..end]));
    }
    let Some(url) = web_address(&filled) else {
        let example = format!("{setting} must be an http or https address such as `http://localhost:8080/v1`");
        // Names, passwords and keys stand around these.
        let repeats = !written.contains(['@', '?']);
        return Err(if repeats { format!("{example}, not `{written}`") } else { example });
    };
    if has_password(&url) {
        return Err(format!("{setting} must not hold a user name or password; name where the key is under `key`"));
    }
    if let Some(name) = parameters(&url).into_iter().find(|name| recognise::is_secret_parameter(name)) {
        return Err(format!(
            "{setting} must not hold a key, as under `{name}`; name where it is under `key`, and its header under \
             `keyHeader`"
        ));
    }
    Ok(written.to_owned())
}

/// The names of all that stands with a `=` behind `?`, `;` or `#`: servers and gateways take parameters from each of them.
fn parameters(url: &Url) -> Vec<String> {
    let behind_path = url.path().split_once(';').map(|(_, behind)| behind);
    let all = behind_path.into_iter().chain(url.query()).chain(url.fragment());
    let pairs = all.flat_map(|part| part.split(['&', ';', '?', '#', '/'])).filter(|pair| pair.contains('='));
    let mut reader = url.clone();
    pairs
        .filter_map(|pair| {
            reader.set_query(Some(pair));
            reader.query_pairs().next().map(|(name, _)| name.trim().to_owned())
        })
        .collect()
}

fn proxy_address(written: &str) -> Result<String, String> {
    let url = Url::parse(written).ok().filter(|url| PROXY_SCHEMES.contains(&url.scheme()) && url.has_host());
    match url {
        _ if written == "none" => Ok(written.to_owned()),
        Some(url) if has_password(&url) => {
            Err("proxy must not hold a user name or password; leave it out and set HTTPS_PROXY in the environment"
                .to_owned())
        }
        Some(_) => Ok(written.to_owned()),
        None => Err("proxy must be an http, https or socks5 address such as `http://proxy:3128`, or `none`".to_owned()),
    }
}

fn web_address(written: &str) -> Option<Url> {
    Url::parse(written).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

/// What a proxy may speak; with `socks5h` it looks up names of servers itself.
pub const PROXY_SCHEMES: [&str; 4] = ["http", "https", "socks5", "socks5h"];

fn has_password(url: &Url) -> bool {
    !url.username().is_empty() || url.password().is_some()
}

fn pem_file(written: &str) -> Result<Utf8PathBuf, String> {
    if written.trim().is_empty() || written.contains("-----BEGIN") || written.contains("://") {
        return Err("certificates is the path of a PEM file on this machine, e.g. `/etc/ssl/own-ca.pem`".to_owned());
    }
    Ok(Utf8PathBuf::from(written))
}

fn header(written: &str) -> Result<String, String> {
    match HeaderName::from_bytes(written.as_bytes()) {
        Ok(_) => Ok(written.to_owned()),
        Err(_) => Err("a header's name has letters, digits and `-`, e.g. `api-key`".to_owned()),
    }
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct PlainHeader(String);

impl<'de> Deserialize<'de> for PlainHeader {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        text(deserializer, "the name of a header", |written| {
            let name = header(written)?;
            if recognise::is_secret_header(&name) {
                return Err(format!(
                    "the header `{name}` carries a key, and keys are not written here: name where the key is under \
                     `key`, e.g. `key: {{ env: OPENAI_API_KEY }}`, and the header under `keyHeader`"
                ));
            }
            let ours = ["accept", "connection", "content-length", "content-type", "host", "transfer-encoding"];
            if ours.contains(&name.to_ascii_lowercase().as_str()) {
                return Err(format!("the workbench writes the header `{name}` itself; leave it out"));
            }
            Ok(Self(name))
        })
    }
}

struct HeaderText(String);

impl<'de> Deserialize<'de> for HeaderText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        text(deserializer, "the text of a header", |written| match HeaderValue::from_str(written) {
            Ok(_) => Ok(Self(written.to_owned())),
            Err(_) => Err("a header's text is one line".to_owned()),
        })
    }
}

struct Body;

impl<'de> Visitor<'de> for Body {
    type Value = Fields<String, Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("fields of a request, e.g. `reasoning_effort: low`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut fields = Fields::new();
        while let Some(FreeField(name)) = entries.next_key()? {
            let value = entries.next_value()?;
            if fields.contains_key(&name) {
                return Err(A::Error::custom(format_args!("`{name}` stands twice in `body`")));
            }
            fields.insert(name, value);
        }
        Ok(fields)
    }
}

/// A field that the workbench leaves alone.
struct FreeField(String);

impl<'de> Deserialize<'de> for FreeField {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        text(deserializer, "the name of a field", |written| {
            let instead = match written {
                "model" => "write it under `model`, next to `body`",
                "messages" | "input" | "instructions" | "system" => "it is what a run says",
                "tools" | "tool_choice" | "toolConfig" => {
                    "a run has its own; `tools: false` next to `body` leaves tools out"
                }
                "stream" | "stream_options" => "write `stream: true` or `stream: false` next to `body`",
                "temperature" => "write it as `parameters: { temperature: … }` next to `body`",
                "max_tokens" | "max_output_tokens" => "write it as `parameters: { maxTokens: … }` next to `body`",
                name if recognise::is_secret_parameter(name) => {
                    "keys are not written here: name where it is under `key`"
                }
                _ => return Ok(Self(written.to_owned())),
            };
            Err(format!("`{written}` cannot be in `body`: {instead}"))
        })
    }
}

struct Key;

impl Key {
    fn refuse<T, E: Error>() -> Result<T, E> {
        Err(E::custom(
            "a key is not written here: name its environment variable, e.g. `key: { env: OPENAI_API_KEY }`, or its \
             entry in the system's keyring, e.g. `key: { keyring: openai }`",
        ))
    }
}

impl<'de> Visitor<'de> for Key {
    type Value = Option<KeyRef>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("where the key is, e.g. `{ env: OPENAI_API_KEY }` or `{ keyring: openai }`")
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Self::Value, E> {
        Self::refuse()
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Self::Value, E> {
        Self::refuse()
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Self::Value, E> {
        Self::refuse()
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Self::Value, E> {
        Self::refuse()
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        KeyRef::deserialize(MapAccessDeserializer::new(map)).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_holds_no_key_wherever_parameters_stand() {
        for (written, name) in [
            ("https://x/v1?code=s3cret", "code"),
            ("https://x/v1?a=1&x-functions-key=s3cret", "x-functions-key"),
            ("https://x/v1?a=1;code=s3cret", "code"),
            ("https://x/v1;sig=s3cret", "sig"),
            ("https://x/v1;a=1;PWD=s3cret/chat", "PWD"),
            ("https://x/v1#auth=s3cret", "auth"),
            ("https://x/v1#a&sas=s3cret", "sas"),
            ("https://x/v1#/?passwd=s3cret", "passwd"),
            ("https://x/v1?x-api%2Dkey=s3cret", "x-api-key"),
        ] {
            let told = format!(
                "baseUrl must not hold a key, as under `{name}`; name where it is under `key`, and its header under \
                 `keyHeader`"
            );
            assert_eq!(address(written), Err(told), "{written}");
        }
        for written in
            ["https://x/v1?api-version=2024-10-21", "https://x/v1;v=1#part", "https://x/key=1/v1", "https://x/v1"]
        {
            assert_eq!(address(written), Ok(written.to_owned()));
        }
    }
}
