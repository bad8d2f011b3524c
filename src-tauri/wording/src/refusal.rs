//! The errors of serde, and of the parsers of YAML and JSON below it, in each language. They are texts, so they are
//! parsed by their shapes; a text without a known shape is quoted.
//!
//! What types of ours say in such an error is in it in both languages: [`Wording::carried`] and [`Message::carried`].

use crate::{Message, Wording, led};

mod parsers;

/// Mark the parts of a text that is carried through a parser's error; no parser writes them itself.
const OPEN: char = '⟪';
const BETWEEN: char = '‖';
const CLOSE: char = '⟫';

impl Message {
    /// As an error writes it that is one text; [`refusal`] reads it again.
    pub fn carried(&self) -> String {
        format!("{OPEN}{}{BETWEEN}{}{CLOSE}", self.en, self.zh)
    }
}

impl Wording {
    /// As an error writes it that is one text; [`refusal`] reads it again. In an attribute of serde it is written out:
    /// `expecting = "⟪a map‖映射⟫"`.
    pub fn carried(self) -> String {
        Message::from(self).carried()
    }
}

/// The message of an error in this form: `models[0]: missing field `id` at line 2 column 3`.
pub fn refusal(said: &str) -> Message {
    let message = apart(said);
    let (en, zh) = (&message.en, &message.zh);
    let (words, place) = without_place(zh);
    let mut starts = std::iter::once(0).chain(words.match_indices(": ").map(|(at, colon)| at + colon.len()));
    let shaped = starts.find_map(|at| Some((at, shape(&words[at..])?)));
    let (zh, near) = match shaped {
        Some((at, Shaped { zh, near })) => (chinese_path(&words[..at]) + &zh, near),
        // Words of ours are after the place that they are about.
        None if message.en != message.zh => (words.to_owned(), None),
        None => return message,
    };
    let zh = match place {
        Some((line, column)) => format!("{zh}（第 {line} 行第 {column} 列）"),
        None => zh,
    };
    match near {
        Some(near) => {
            Message { en: format!("{en}; did you mean `{near}`?"), zh: format!("{zh}；是否应为 `{near}`？") }
        }
        None => Message { en: en.clone(), zh },
    }
}

/// The text in each language, with that language's half of each piece that is carried.
fn apart(said: &str) -> Message {
    let mut message = Message::default();
    let mut rest = said;
    if let Some((path, behind)) = said.split_once(OPEN).filter(|(path, _)| path.ends_with(": ")) {
        message = Message { en: path.to_owned(), zh: chinese_path(path) };
        rest = &said[said.len() - behind.len() - OPEN.len_utf8()..];
    }
    while let Some((before, behind)) = rest.split_once(OPEN)
        && let Some((en, behind)) = behind.split_once(BETWEEN)
        && let Some((zh, behind)) = behind.split_once(CLOSE)
    {
        message.each(|text| text.push_str(before));
        message.en.push_str(en);
        message.zh.push_str(zh);
        rest = behind;
    }
    message.each(|text| text.push_str(rest));
    message
}

/// If the text ends with a place: the text before it, the line and the column.
fn without_place(text: &str) -> (&str, Option<(&str, &str)>) {
    let found = text.rsplit_once(" at line ").and_then(|(words, place)| {
        let (line, column) = place.split_once(" column ")?;
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        (is_number(line) && is_number(column)).then_some((words, (line, column)))
    });
    found.map_or((text, None), |(words, place)| (words, Some(place)))
}

/// `models[0].id: ` as it is in a Chinese sentence.
fn chinese_path(path: &str) -> String {
    path.strip_suffix(": ").map(|path| format!("{path}：")).unwrap_or_default()
}

struct Shaped {
    zh: String,
    /// The name that was meant.
    near: Option<String>,
}

/// The message about one place, if it has a known shape.
fn shape(said: &str) -> Option<Shaped> {
    let only = |zh: String| Some(Shaped { zh, near: None });
    for (start, what) in [("unknown field `", "字段"), ("unknown variant `", "值")] {
        let Some(rest) = said.strip_prefix(start) else { continue };
        if let Some(name) =
            rest.strip_suffix("`, there are no fields").or(rest.strip_suffix("`, there are no variants"))
        {
            return only(format!("未知的{what} `{name}`，这里没有可用的{what}"));
        }
        let (name, expected) = rest.rsplit_once("`, expected ")?;
        let known = names(expected)?;
        let list: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
        let zh = format!("未知的{what} `{name}`，可用的{what}：{}", list.join("、"));
        return Some(Shaped { zh, near: nearest(name, &known) });
    }
    for (start, what) in [("missing field `", "缺少字段"), ("duplicate field `", "字段重复：")] {
        if let Some(name) = said.strip_prefix(start).and_then(|rest| rest.strip_suffix('`')) {
            return only(format!("{what} `{name}`").replace("： ", "："));
        }
    }
    for (start, what) in
        [("invalid type: ", "类型不对"), ("invalid value: ", "值不对"), ("invalid length ", "长度不对")]
    {
        if let Some((found, expected)) = said.strip_prefix(start).and_then(|rest| rest.rsplit_once(", expected ")) {
            let (found, expected) = (chinese_found(found), chinese_expected(expected));
            return only(format!("{what}：这里是{}，应为{}", led(&found), led(&expected)));
        }
    }
    if let Some(name) = said.strip_prefix("data did not match any variant of untagged enum ") {
        return only(format!("与 `{name}` 的任何一种写法都不符"));
    }
    if let Some(key) = said.strip_prefix("duplicate entry with key ") {
        return only(format!("键 {key} 重复"));
    }
    parsers::chinese(said).and_then(only)
}

/// The names in `` `a` ``, `` `a` or `b` `` and `` one of `a`, `b`, `c` ``.
fn names(expected: &str) -> Option<Vec<String>> {
    let inner = expected.strip_prefix("one of ").unwrap_or(expected).strip_prefix('`')?.strip_suffix('`')?;
    Some(inner.split("`, `").flat_map(|part| part.split("` or `")).map(str::to_owned).collect())
}

/// The known name that was meant, if one is near.
fn nearest(name: &str, known: &[String]) -> Option<String> {
    let (away, near) = known.iter().map(|known| (strsim::damerau_levenshtein(name, known), known)).min()?;
    (away <= 1 + name.chars().count() / 5 && away < near.chars().count()).then(|| near.clone())
}

/// `` integer `7` `` and the like.
fn chinese_found(found: &str) -> String {
    const KINDS: [(&str, &str); 8] = [
        ("boolean `", "布尔值 `"),
        ("integer `", "整数 `"),
        ("floating point `", "小数 `"),
        ("character `", "字符 `"),
        ("string \"", "文本 \""),
        ("tuple variant", "元组"),
        ("struct variant", "结构"),
        ("newtype variant", "带值的选项"),
    ];
    const WHOLE: [(&str, &str); 10] = [
        ("byte array", "字节串"),
        ("unit value", "空值"),
        ("null", "空值"),
        ("Option value", "可省略的值"),
        ("newtype struct", "带名称的值"),
        ("sequence", "列表"),
        ("map", "映射"),
        ("enum", "选项"),
        ("unit variant", "不带值的选项"),
        ("any", "任意值"),
    ];
    if let Some((_, zh)) = WHOLE.iter().find(|(en, _)| *en == found) {
        return (*zh).to_owned();
    }
    match KINDS.iter().find_map(|(en, zh)| Some((zh, found.strip_prefix(en)?))) {
        Some((zh, rest)) => format!("{zh}{rest}"),
        None => found.to_owned(),
    }
}

/// What serde itself expected; our types' expectations are translated already.
fn chinese_expected(expected: &str) -> String {
    const WHOLE: [(&str, &str); 32] = [
        ("a sequence", "列表"),
        ("field identifier", "字段名"),
        ("variant identifier", "选项名"),
        ("a map", "映射"),
        ("map", "映射"),
        ("a string", "文本"),
        ("string", "文本"),
        ("a borrowed string", "文本"),
        ("a character", "单个字符"),
        ("a boolean", "`true` 或 `false`"),
        ("u8", "0 到 255 的整数"),
        ("u16", "0 到 65535 的整数"),
        ("u32", "0 到 4294967295 的整数"),
        ("u64", "不小于 0 的整数"),
        ("usize", "不小于 0 的整数"),
        ("i8", "整数"),
        ("i16", "整数"),
        ("i32", "整数"),
        ("i64", "整数"),
        ("isize", "整数"),
        ("an integer", "整数"),
        ("f32", "数"),
        ("f64", "数"),
        ("a float", "小数"),
        ("null", "空值"),
        ("unit", "空值"),
        ("option", "值或空值"),
        ("any valid JSON value", "任意 JSON 值"),
        ("any YAML value", "任意 YAML 值"),
        ("a YAML mapping", "映射"),
        ("a YAML tag starting with '!'", "以 `!` 开头的 YAML 标签"),
        ("unit variant", "不带值的选项"),
    ];
    if let Some((_, zh)) = WHOLE.iter().find(|(en, _)| *en == expected) {
        return (*zh).to_owned();
    }
    let size = ["a tuple of size ", "an array of length "].iter().find_map(|kind| expected.strip_prefix(kind));
    if let Some(size) = size {
        return format!("{size} 项的列表");
    }
    let named =
        ["struct ", "enum ", "tuple struct ", "newtype struct "].iter().find_map(|kind| expected.strip_prefix(kind));
    named.map_or_else(|| expected.to_owned(), |name| format!("`{name}`"))
}

#[cfg(test)]
mod tests;
