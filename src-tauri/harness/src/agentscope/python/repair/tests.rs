use proptest::prelude::*;

use super::*;

/// Texts, and what json_repair 0.64.6 made of them with AgentScope's arguments: mistakes that models make, and random
/// ones.
#[test]
fn mends_what_the_package_mends() {
    let Ok(Value::List(cases)) = loads(include_str!("cases.json")) else { panic!("a list") };
    assert!(cases.len() > 200);
    for case in cases {
        let Value::List(case) = case else { panic!("{case:?}") };
        let [Value::Text(text), expected] = &case[..] else { panic!("{case:?}") };
        let mended = repaired(text, "skill").unwrap_or(Value::None);
        assert_eq!(mended.to_repr(), expected.to_repr(), "{text}");
    }
}

#[test]
fn a_long_text_is_mended_and_a_very_deep_one_is_not() {
    let long = format!("{{\"skill\": \"pdf\", {}", "\"a\": \"\" b, ".repeat(20_000));
    assert!(repaired(&long, "skill").is_some());
    let deep = format!("{{\"skill\": \"pdf\", \"a\": {}", "{a: [".repeat(5000));
    assert_eq!(repaired(&deep, "skill"), None);
}

proptest! {
    #[test]
    fn whatever_a_model_writes_comes_to_an_end(text in r#"([{}\[\]()"'“”„\\:,;`#/* \n]|skill|pdf|true|null|1|\.|json|é){0,60}"#) {
        let mended = repaired(&text, "skill");
        prop_assert!(mended.is_none_or(|value| value.get("skill").is_some_and(|named| named.as_text().is_some())));
    }
}
