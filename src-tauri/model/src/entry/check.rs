//! Checks that types cannot express. They run while a value is read, so that the error knows its line.

use std::collections::BTreeMap;
use std::fmt;

use camino::Utf8PathBuf;
use reqwest::Url;
use reqwest::header::{HeaderName, HeaderValue};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::{Map as Fields, Value};

use crate::secret::{KeyRef, recognise};
use wording::{Message, Wording, message};

/// A whole number from 1.
pub fn positive<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    deserializer.deserialize_u32(Positive)
}

/// A whole number from 1, or `null`.
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

/// As [`price`], or `null`.
pub fn some_price<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    deserializer.deserialize_any(OrNothing(PRICE))
}

/// A number that can be counted with, from 0.
pub fn some_amount<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    deserializer.deserialize_any(OrNothing(Amount(Wording::new("a number from 0", "不小于 0 的数"))))
}

/// Texts that users type.
pub fn name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    text(deserializer, Wording::new("a name", "名称"), |written| {
        let is_name = !written.is_empty() && written.trim() == written && !written.contains(char::is_control);
        if is_name {
            Ok(written.to_owned())
        } else {
            Err(message!("a name has characters, and no white space around", "名称不能为空，前后不能有空白"))
        }
    })
}

/// The address of a model: http or https, without a name, password or key in it.
pub fn base_url<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    text(
        deserializer,
        Wording::new("an address such as `http://localhost:8080/v1`", "地址，例如 `http://localhost:8080/v1`"),
        address,
    )
}

/// The address of a tracing back end, by the same rules.
pub fn endpoint<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    text(
        deserializer,
        Wording::new("an address such as `http://localhost:4318`", "地址，例如 `http://localhost:4318`"),
        receiver,
    )
}

/// The address of a proxy, or `none`.
pub fn proxy<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    deserializer.deserialize_option(OrNothing(Text {
        expected: Wording::new("an address such as `http://proxy:3128`", "地址，例如 `http://proxy:3128`"),
        meaning: proxy_address,
    }))
}

/// The path of a PEM file, or `null`.
pub fn certificates<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Utf8PathBuf>, D::Error> {
    deserializer.deserialize_option(OrNothing(Text {
        expected: Wording::new("the path of a PEM file", "PEM 文件的路径"),
        meaning: pem_file,
    }))
}

/// The name of the header that carries the key, or `null`.
pub fn header_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    deserializer.deserialize_option(OrNothing(Text { expected: HEADER_NAME, meaning: header }))
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

/// The name of a key. The user may have written the key itself instead, so the error does not repeat the value.
pub fn key<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<KeyRef>, D::Error> {
    deserializer.deserialize_any(Key)
}

struct Positive;

impl Visitor<'_> for Positive {
    type Value = u32;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Wording::new("a whole number from 1", "不小于 1 的整数").carried())
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
        let expected = message!("a whole number from 0 to {MOST_RETRIES}", "0 到 {MOST_RETRIES} 的整数");
        f.write_str(&expected.carried())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<u32, E> {
        match u32::try_from(number) {
            Ok(number) if number <= MOST_RETRIES => Ok(number),
            _ => Err(E::invalid_value(serde::de::Unexpected::Unsigned(number), &self)),
        }
    }
}

/// What is expected.
struct Amount(Wording);

const PRICE: Amount =
    Amount(Wording::new("US dollars for a million tokens, from 0", "每百万 token 的美元价格，不小于 0"));

const HEADER_NAME: Wording = Wording::new("the name of a header", "请求头的名称");

impl Visitor<'_> for Amount {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.carried())
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

/// The value that its visitor reads, or `null`.
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

/// Reads a text and converts it, or says what is wrong with it at its place.
fn text<'de, D, T>(deserializer: D, expected: Wording, meaning: fn(&str) -> Result<T, Message>) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
{
    deserializer.deserialize_str(Text { expected, meaning })
}

struct Text<T> {
    expected: Wording,
    meaning: fn(&str) -> Result<T, Message>,
}

impl<T> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.expected.carried())
    }

    fn visit_str<E: Error>(self, written: &str) -> Result<T, E> {
        (self.meaning)(written).map_err(|why| E::custom(why.carried()))
    }
}

fn address(written: &str) -> Result<String, Message> {
    address_of("baseUrl", written)
}

/// The address of a tracing back end.
pub fn receiver(written: &str) -> Result<String, Message> {
    address_of("endpoint", written)
}

/// `setting`: what the address is called where it is written.
fn address_of(setting: &str, written: &str) -> Result<String, Message> {
    // Filled in from the environment, or from the profile.
    let filled = written.replace("{region}", "us-east-1");
    if let Some(start) = filled.find('{') {
        let end = filled[start..].find('}').map_or(filled.len(), |end| start + end + 1);
        let placeholder = &filled[start..end];
        return Err(message!(
            "{setting} holds a placeholder: write your own instead of `{placeholder}`",
            "{setting} 中有占位符：请把 `{placeholder}` 换成你自己的"
        ));
    }
    let Some(url) = web_address(&filled) else {
        let example = message!(
            "{setting} must be an http or https address such as `http://localhost:8080/v1`",
            "{setting} 应为 http 或 https 地址，例如 `http://localhost:8080/v1`"
        );
        // These characters mark names, passwords and keys.
        let repeats = !written.contains(['@', '?']);
        return Err(match repeats {
            true => message!("{example}, not `{written}`", "{example}，而不是 `{written}`"; example),
            false => example,
        });
    };
    if has_password(&url) {
        return Err(message!(
            "{setting} must not hold a user name or password; name where the key is under `key`",
            "{setting} 中不能有用户名或密码；请在 `key` 下写明密钥在哪里"
        ));
    }
    if let Some(name) = parameters(&url).into_iter().find(|name| recognise::is_secret_parameter(name)) {
        return Err(message!(
            "{setting} must not hold a key, as under `{name}`; name where it is under `key`, and its header under \
             `keyHeader`",
            "{setting} 中不能有密钥（`{name}`）；请在 `key` 下写明它在哪里，在 `keyHeader` 下写明它的请求头"
        ));
    }
    Ok(written.to_owned())
}

/// The names of all parameters (`name=`) after `?`, `;` or `#`: servers and gateways read parameters from each of them.
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

fn proxy_address(written: &str) -> Result<String, Message> {
    let url = Url::parse(written).ok().filter(|url| PROXY_SCHEMES.contains(&url.scheme()) && url.has_host());
    match url {
        _ if written == "none" => Ok(written.to_owned()),
        Some(url) if has_password(&url) => Err(message!(
            "proxy must not hold a user name or password; leave it out and set HTTPS_PROXY in the environment",
            "proxy 中不能有用户名或密码；请省略它，并设置环境变量 HTTPS_PROXY"
        )),
        Some(_) => Ok(written.to_owned()),
        None => Err(message!(
            "proxy must be an http, https or socks5 address such as `http://proxy:3128`, or `none`",
            "proxy 应为 http、https 或 socks5 地址，例如 `http://proxy:3128`，或者 `none`"
        )),
    }
}

fn web_address(written: &str) -> Option<Url> {
    Url::parse(written).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

/// Protocols of proxies; with `socks5h` the proxy looks up names of servers.
pub const PROXY_SCHEMES: [&str; 4] = ["http", "https", "socks5", "socks5h"];

fn has_password(url: &Url) -> bool {
    !url.username().is_empty() || url.password().is_some()
}

fn pem_file(written: &str) -> Result<Utf8PathBuf, Message> {
    if written.trim().is_empty() || written.contains("-----BEGIN") || written.contains("://") {
        return Err(message!(
            "certificates is the path of a PEM file on this machine, e.g. `/etc/ssl/own-ca.pem`",
            "certificates 应为本机上 PEM 文件的路径，例如 `/etc/ssl/own-ca.pem`"
        ));
    }
    Ok(Utf8PathBuf::from(written))
}

fn header(written: &str) -> Result<String, Message> {
    match HeaderName::from_bytes(written.as_bytes()) {
        Ok(_) => Ok(written.to_owned()),
        Err(_) => Err(message!(
            "a header's name has letters, digits and `-`, e.g. `api-key`",
            "请求头的名称由字母、数字和 `-` 组成，例如 `api-key`"
        )),
    }
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct PlainHeader(String);

impl<'de> Deserialize<'de> for PlainHeader {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        text(deserializer, HEADER_NAME, |written| {
            let name = header(written)?;
            if recognise::is_secret_header(&name) {
                return Err(message!(
                    "the header `{name}` carries a key, and keys are not written here: name where the key is under \
                     `key`, e.g. `key: {{ env: OPENAI_API_KEY }}`, and the header under `keyHeader`",
                    "请求头 `{name}` 携带密钥，而密钥不写在这里：请在 `key` 下写明密钥在哪里，例如 \
                     `key: {{ env: OPENAI_API_KEY }}`，并把请求头写在 `keyHeader` 下"
                ));
            }
            let ours = ["accept", "connection", "content-length", "content-type", "host", "transfer-encoding"];
            if ours.contains(&name.to_ascii_lowercase().as_str()) {
                return Err(message!(
                    "the workbench writes the header `{name}` itself; leave it out",
                    "请求头 `{name}` 由工作台自己写；请省略它"
                ));
            }
            Ok(Self(name))
        })
    }
}

struct HeaderText(String);

impl<'de> Deserialize<'de> for HeaderText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expected = Wording::new("the text of a header", "请求头的内容");
        text(deserializer, expected, |written| match HeaderValue::from_str(written) {
            Ok(_) => Ok(Self(written.to_owned())),
            Err(_) => Err(message!("a header's text is one line", "请求头的内容只能是一行")),
        })
    }
}

struct Body;

impl<'de> Visitor<'de> for Body {
    type Value = Fields<String, Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let expected = Wording::new(
            "fields of a request, e.g. `reasoning_effort: low`",
            "请求的字段，例如 `reasoning_effort: low`",
        );
        f.write_str(&expected.carried())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut fields = Fields::new();
        while let Some(FreeField(name)) = entries.next_key()? {
            let value = entries.next_value()?;
            if fields.contains_key(&name) {
                let why = message!("`{name}` occurs twice in `body`", "`body` 中有两个 `{name}`");
                return Err(A::Error::custom(why.carried()));
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
        text(deserializer, Wording::new("the name of a field", "字段的名称"), |written| {
            let instead = match written {
                "model" => Wording::new("write it under `model`, next to `body`", "请写在 `body` 旁边的 `model` 下"),
                "messages" | "input" | "instructions" | "system" => {
                    Wording::new("it is what a run says", "它由运行给出")
                }
                "tools" | "tool_choice" | "toolConfig" => Wording::new(
                    "a run has its own; `tools: false` next to `body` leaves tools out",
                    "运行有自己的工具；在 `body` 旁边写 `tools: false` 可以不带工具",
                ),
                "stream" | "stream_options" => Wording::new(
                    "write `stream: true` or `stream: false` next to `body`",
                    "请在 `body` 旁边写 `stream: true` 或 `stream: false`",
                ),
                "temperature" => Wording::new(
                    "write it as `parameters: { temperature: … }` next to `body`",
                    "请在 `body` 旁边写成 `parameters: { temperature: … }`",
                ),
                "max_tokens" | "max_output_tokens" => Wording::new(
                    "write it as `parameters: { maxTokens: … }` next to `body`",
                    "请在 `body` 旁边写成 `parameters: { maxTokens: … }`",
                ),
                name if recognise::is_secret_parameter(name) => Wording::new(
                    "keys are not written here: name where it is under `key`",
                    "密钥不写在这里：请在 `key` 下写明它在哪里",
                ),
                _ => return Ok(Self(written.to_owned())),
            };
            Err(message!(
                "`{written}` cannot be in `body`: {instead}",
                "`{written}` 不能写在 `body` 中：{instead}"; instead
            ))
        })
    }
}

struct Key;

impl Key {
    fn refuse<T, E: Error>() -> Result<T, E> {
        let why = Wording::new(
            "a key is not written here: name its environment variable, e.g. `key: { env: OPENAI_API_KEY }`, or its \
             entry in the system's keyring, e.g. `key: { keyring: openai }`",
            "密钥不写在这里：请写明它的环境变量，例如 `key: { env: OPENAI_API_KEY }`，或它在系统密钥环中的条目，例如 \
             `key: { keyring: openai }`",
        );
        Err(E::custom(why.carried()))
    }
}

impl<'de> Visitor<'de> for Key {
    type Value = Option<KeyRef>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let expected = Wording::new(
            "where the key is, e.g. `{ env: OPENAI_API_KEY }` or `{ keyring: openai }`",
            "密钥在哪里，例如 `{ env: OPENAI_API_KEY }` 或 `{ keyring: openai }`",
        );
        f.write_str(&expected.carried())
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
            assert_eq!(address(written).map_err(|why| why.en), Err(told), "{written}");
        }
        for written in
            ["https://x/v1?api-version=2024-10-21", "https://x/v1;v=1#part", "https://x/key=1/v1", "https://x/v1"]
        {
            assert_eq!(address(written), Ok(written.to_owned()));
        }
    }
}
