use std::collections::BTreeMap;
use std::fmt::Debug;

use serde::Deserialize;
use serde::de::{DeserializeOwned, Error as _};

use super::*;
use crate::message;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "⟪a model, e.g. `id: a`‖一个模型，例如 `id: a`⟫")]
#[expect(dead_code, reason = "only read")]
struct Model {
    id: String,
    turns: Option<u32>,
    kind: Option<SampleKind>,
    #[serde(default)]
    list: Vec<bool>,
    price: Option<f64>,
    pair: Option<(u8, i64)>,
    map: Option<BTreeMap<String, char>>,
    either: Option<Either>,
    own: Option<Own>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
enum SampleKind {
    Spec,
    Recommended,
    All,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
#[expect(dead_code, reason = "only read")]
enum Either {
    Text(String),
    Flag(bool),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

/// A type of ours with its own error messages.
#[derive(Debug)]
struct Own;

impl<'de> Deserialize<'de> for Own {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Err(D::Error::custom(message!("`{text}` is no name", "`{text}` 不是名称").carried()))
    }
}

#[track_caller]
fn said(error: impl ToString, en: &str, zh: &str) {
    let Message { en: said_en, zh: said_zh } = refusal(&error.to_string());
    assert_eq!((said_en.as_str(), said_zh.as_str()), (en, zh));
}

#[track_caller]
fn yaml<T: DeserializeOwned + Debug>(text: &str, en: &str, zh: &str) {
    said(serde_yaml::from_str::<T>(text).unwrap_err(), en, zh);
}

#[track_caller]
fn json<T: DeserializeOwned + Debug>(text: &str, en: &str, zh: &str) {
    said(serde_json::from_str::<T>(text).unwrap_err(), en, zh);
}

#[test]
fn fields_and_variants_are_named_with_those_that_there_are() {
    yaml::<Model>(
        "id: a\nturn: 1\n",
        "unknown field `turn`, expected one of `id`, `turns`, `kind`, `list`, `price`, `pair`, `map`, `either`, `own` at \
         line 2 column 1; did you mean `turns`?",
        "未知的字段 `turn`，可用的字段：`id`、`turns`、`kind`、`list`、`price`、`pair`、`map`、`either`、`own`（第 2 行第 1 \
         列）；是否应为 `turns`？",
    );
    yaml::<Nothing>("a: 1\n", "unknown field `a`, there are no fields", "未知的字段 `a`，这里没有可用的字段");
    yaml::<Vec<Model>>(
        "- turns: 1\n",
        ".[0]: missing field `id` at line 1 column 3",
        ".[0]：缺少字段 `id`（第 1 行第 3 列）",
    );
    yaml::<Model>("id: a\nid: b\n", "duplicate field `id`", "字段重复：`id`");
    yaml::<Model>(
        "id: a\nkind: recomended\n",
        "kind: unknown variant `recomended`, expected one of `spec`, `recommended`, `all` at line 2 column 7; did you mean \
         `recommended`?",
        "kind：未知的值 `recomended`，可用的值：`spec`、`recommended`、`all`（第 2 行第 7 列）；是否应为 `recommended`？",
    );
    for (known, zh) in [("`a`", "`a`"), ("`a` or `b`", "`a`、`b`")] {
        let error = format!("unknown field `xyz`, expected {known}");
        said(&error, &error, &format!("未知的字段 `xyz`，可用的字段：{zh}"));
    }
}

#[test]
fn what_was_found_and_what_is_expected_are_said() {
    let cases = [
        ("id: [a]", "type: sequence, expected a string", "类型不对：这里是列表，应为文本"),
        ("id: {a: b}", "type: map, expected a string", "类型不对：这里是映射，应为文本"),
        (
            "turns: few",
            "type: string \"few\", expected u32",
            "类型不对：这里是文本 \"few\"，应为 0 到 4294967295 的整数",
        ),
        (
            "turns: 1.5",
            "type: floating point `1.5`, expected u32",
            "类型不对：这里是小数 `1.5`，应为 0 到 4294967295 的整数",
        ),
        ("turns: -1", "type: integer `-1`, expected u32", "类型不对：这里是整数 `-1`，应为 0 到 4294967295 的整数"),
        ("? [a]\n: b", "type: sequence, expected field identifier", "类型不对：这里是列表，应为字段名"),
        ("list: true", "type: boolean `true`, expected a sequence", "类型不对：这里是布尔值 `true`，应为列表"),
        ("list: [7]", "type: integer `7`, expected a boolean", "类型不对：这里是整数 `7`，应为 `true` 或 `false`"),
        ("price: much", "type: string \"much\", expected f64", "类型不对：这里是文本 \"much\"，应为数"),
        ("pair: [1]", "length 1, expected a tuple of size 2", "长度不对：这里是 1，应为 2 项的列表"),
        ("map: {a: bc}", "value: string \"bc\", expected a character", "值不对：这里是文本 \"bc\"，应为单个字符"),
    ];
    for (field, en, zh) in cases {
        let text = if field.starts_with("id") { field.to_owned() } else { format!("id: a\n{field}") };
        let error = serde_yaml::from_str::<Model>(&text).unwrap_err().to_string();
        let Message { en: said_en, zh: said_zh } = refusal(&error);
        assert!(said_en.contains(&format!("invalid {en}")), "{said_en}");
        assert!(said_zh.starts_with(zh) || said_zh.contains(&format!("：{zh}")), "{said_zh}");
        assert!(said_zh.ends_with('）') || !error.contains(" at line "), "{said_zh}");
    }
}

#[test]
fn types_of_ours_say_both() {
    yaml::<Vec<Model>>(
        "- 7\n",
        ".[0]: invalid type: integer `7`, expected a model, e.g. `id: a` at line 1 column 3",
        ".[0]：类型不对：这里是整数 `7`，应为一个模型，例如 `id: a`（第 1 行第 3 列）",
    );
    yaml::<Model>("id: a\nown: b c\n", "`b c` is no name", "`b c` 不是名称");
    said(
        "models[0].own: ⟪`b` is no name‖`b` 不是名称⟫ at line 2 column 6",
        "models[0].own: `b` is no name at line 2 column 6",
        "models[0].own：`b` 不是名称（第 2 行第 6 列）",
    );
    json::<Model>(
        r#"{"id": "a", "own": "b"}"#,
        "`b` is no name at line 1 column 23",
        "`b` 不是名称（第 1 行第 23 列）",
    );
    yaml::<Model>(
        "id: a\neither: [a]\n",
        "data did not match any variant of untagged enum Either",
        "与 `Either` 的任何一种写法都不符",
    );
}

#[test]
fn parsers_say_it_in_both() {
    said(
        "did not find expected ',' or ']' at line 2 column 2, while parsing a flow sequence at line 1 column 7",
        "did not find expected ',' or ']' at line 2 column 2, while parsing a flow sequence at line 1 column 7",
        "这里应为 `,` 或 `]`（第 2 行第 2 列）；正在读取 `[…]` 中的列表（第 1 行第 7 列）",
    );
    yaml::<Model>("id: *a", "unknown anchor at line 1 column 5", "这个别名没有对应的锚点（第 1 行第 5 列）");
    json::<Model>(
        "{\"id\": \"a\",}",
        "trailing comma at line 1 column 12",
        "最后一项之后不能有 `,`（第 1 行第 12 列）",
    );
    json::<Model>("[", "EOF while parsing a list at line 1 column 1", "列表没有结束，文本已结束（第 1 行第 1 列）");
    said(
        "while parsing a block mapping, did not find expected key",
        "while parsing a block mapping, did not find expected key",
        "这里应为键；正在读取按缩进书写的映射",
    );
    said("unexpected character: `@'", "unexpected character: `@'", "`@` 不能写在这里");
}

#[test]
fn what_has_no_known_shape_is_quoted() {
    for text in ["the moon is full", "x: y: z at line 3 column 4", "unknown field `a", "expected", ""] {
        assert_eq!(refusal(text), Message::quoted(text));
    }
}

/// Names and code aside.
#[test]
fn no_word_of_a_parser_stays_english() {
    for (en, zh) in parsers::PROBLEMS.iter().chain(parsers::CONTEXTS) {
        let outside: String = zh.split('`').step_by(2).collect();
        let words: Vec<&str> =
            outside.split(|letter: char| !letter.is_ascii_alphabetic()).filter(|word| word.len() > 3).collect();
        assert!(words.iter().all(|word| ["YAML", "JSON", "Unicode"].contains(word)), "{en}: {words:?}");
        let twice = parsers::PROBLEMS.iter().filter(|(other, _)| other == en).count();
        assert!(twice <= 1, "{en} is there twice");
    }
}
