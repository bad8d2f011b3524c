use super::*;

/// The entries of a map: scalars as their text, with what they are taken for where that is not text.
fn entries(yaml: &str) -> Vec<(String, String)> {
    let root = compose(yaml).unwrap().unwrap();
    let Node::Map(entries) = &*root else { panic!("{root:?}") };
    let shown = |node: &Node| match node {
        Node::Scalar { tag: Tag::Text, text } => text.clone(),
        Node::Scalar { tag, text } => format!("{tag:?} {text}"),
        Node::Map(_) => "map".into(),
        Node::Other => "other".into(),
    };
    entries.iter().map(|(key, value)| (shown(key), shown(value))).collect()
}

fn value(yaml: &str) -> String {
    entries(&format!("x: {yaml}")).remove(0).1
}

#[test]
fn reads_scalars_of_every_style() {
    assert_eq!(value("two\n  lines\n\n  here"), "two lines\nhere");
    assert_eq!(value("'it''s\n  one'"), "it's one");
    assert_eq!(value(r#""a\"\n\u00e9\x41\/\U0001F600""#), "a\"\né\u{41}/😀");
    assert_eq!(value("|\n  a\n   b\n\n"), "a\n b\n");
    assert_eq!(value("|+\n  a\n\n"), "a\n\n");
    assert_eq!(value(">-\n  a\n  b\n\n  c\n   d\n"), "a b\nc\n d");
    assert_eq!(value("|2\n   a\n"), " a\n");
    assert_eq!(value("a # comment"), "a");
    assert_eq!(value("a#b http://x"), "a#b http://x");
}

#[test]
fn tells_texts_from_nulls_and_the_rest() {
    let values =
        ["1.10", "yes", "2024-01-01", "~", "null", "\"null\"", "! 5", "!!str ~", "!!null x", "!own x", "<<"];
    assert_eq!(
        values.map(value),
        ["1.10", "yes", "2024-01-01", "Null ~", "Null null", "null", "5", "~", "Null x", "Other x", "Other <<"]
    );
    assert_eq!(value(r#""\ud83d\ude00""#), "Other ", "halves of a character stay halves");
}

#[test]
fn keeps_equal_keys_and_reads_aliases() {
    let expected = [("a", "1"), ("a", "map"), ("b", "map"), ("c", "other"), ("Null ", "Null ")];
    let found = entries("a: 1\na: &x {k: v}\nb: *x\nc:\n- y\n?\n");
    assert_eq!(found, expected.map(|(key, value)| (key.to_owned(), value.to_owned())));
}

#[test]
fn no_text_is_no_document() {
    assert_eq!(compose("# only\n"), Ok(None));
    assert_eq!(compose("plain").unwrap().as_deref(), Some(&Node::Scalar { tag: Tag::Text, text: "plain".into() }));
}

#[test]
fn says_of_mistakes_what_pyyaml_says() {
    let long =
        "a very long description that goes on until the colon of this sentence: x and on until the end of it";
    let message = |yaml: &str| compose(yaml).unwrap_err();
    insta::assert_snapshot!(message("name: a\nd: use: x\n"), @r#"
    mapping values are not allowed here
      in "<unicode string>", line 2, column 7:
        d: use: x
              ^
    "#);
    insta::assert_snapshot!(message(&format!("d: {long}")), @r#"
    mapping values are not allowed here
      in "<unicode string>", line 1, column 73:
         ... until the colon of this sentence: x and on until the end of it
                                             ^
    "#);
    insta::assert_snapshot!(message("d: \"open\n"), @r#"
    while scanning a quoted scalar
      in "<unicode string>", line 1, column 4:
        d: "open
           ^
    found unexpected end of stream
      in "<unicode string>", line 2, column 1:

        ^
    "#);
    insta::assert_snapshot!(message("d:\tb"), @r#"
    while scanning for the next token
    found character '\t' that cannot start any token
      in "<unicode string>", line 1, column 3:
        d:	b
          ^
    "#);
    insta::assert_snapshot!(message("d: [a, b\n"), @r#"
    while parsing a flow sequence
      in "<unicode string>", line 1, column 4:
        d: [a, b
           ^
    expected ',' or ']', but got '<stream end>'
      in "<unicode string>", line 2, column 1:

        ^
    "#);
    insta::assert_snapshot!(message("d: *x"), @r#"
    found undefined alias 'x'
      in "<unicode string>", line 1, column 4:
        d: *x
           ^
    "#);
    insta::assert_snapshot!(message("d: a\u{7}"), @r#"
    unacceptable character #x0007: special characters are not allowed
      in "<unicode string>", position 4
    "#);
    assert_eq!(message(&"[".repeat(5000)), "maximum recursion depth exceeded while calling a Python object");
    assert_eq!(message(r#"d: "\U00110000""#), "chr() arg not in range(0x110000)");
}
