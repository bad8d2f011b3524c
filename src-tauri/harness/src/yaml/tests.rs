use super::*;

fn read(yaml: &str, dialect: Dialect) -> Result<Option<Document>, Failure> {
    compose(yaml, dialect, Limits::of(dialect))
}

/// The entries of a map: scalars as their text, with their type if that is not text.
fn entries(yaml: &str) -> Vec<(String, String)> {
    let document = read(yaml, Dialect::Python).unwrap().unwrap();
    let shown = |id: Id| match (document.scalar(id), document.map(id)) {
        (Some((Tag::Text, text)), _) => text.to_owned(),
        (Some((tag, text)), _) => format!("{tag:?} {text}"),
        (None, Some(_)) => "map".into(),
        (None, None) => "other".into(),
    };
    document.map(document.root).unwrap().iter().map(|(key, value)| (shown(*key), shown(*value))).collect()
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
    let values = ["1.10", "yes", "2024-01-01", "~", "null", "\"null\"", "! 5", "!!str ~", "!!null x", "!own x", "<<"];
    assert_eq!(
        values.map(value),
        ["1.10", "yes", "2024-01-01", "Null ~", "Null null", "null", "5", "~", "Null x", "Other x", "Other <<"]
    );
    assert_eq!(value(r#""\ud83d\ude00""#), "Other 😀", "halves of a character stay halves");
}

#[test]
fn keeps_equal_keys_and_reads_aliases() {
    let expected = [("a", "1"), ("a", "map"), ("b", "map"), ("c", "other"), ("Null ", "Null ")];
    let found = entries("a: 1\na: &x {k: v}\nb: *x\nc:\n- y\n?\n");
    assert_eq!(found, expected.map(|(key, value)| (key.to_owned(), value.to_owned())));
}

#[test]
fn no_text_is_no_document() {
    assert_eq!(read("# only\n", Dialect::Python), Ok(None));
    let document = read("plain", Dialect::Python).unwrap().unwrap();
    assert_eq!(document.scalar(document.root), Some((Tag::Text, "plain")));
}

#[test]
fn says_of_mistakes_what_pyyaml_says() {
    let long = "a very long description that goes on until the colon of this sentence: x and on until the end of it";
    let message = |yaml: &str| read(yaml, Dialect::Python).unwrap_err().refusal().message().en;
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
    let deep = "Skill Workbench does not read lists and maps more than 400 levels deep";
    assert_eq!(message(&"[".repeat(5000)), deep, "the limit is ours, and says so");
    assert_eq!(message(r#"d: "\U00110000""#), "chr() arg not in range(0x110000)");
}

type Make = fn(String) -> Failure;

fn mistaken(message: String) -> Failure {
    Failure::Yaml { message, at: None }
}

/// `str(yaml.load(text))`, or the exception, without its place.
fn python(text: &str, dialect: Dialect) -> Result<String, Failure> {
    let failed = |failure: Failure| match failure {
        Failure::Yaml { message, .. } => mistaken(message),
        Failure::Raised(_) | Failure::Ours(_) => failure,
    };
    let document = read(text, dialect).map_err(failed)?;
    let Some(document) = document else { return Ok("None".into()) };
    let objects = construct(&document).map_err(failed)?;
    objects.str(document.root).map_err(failed)
}

/// What PyYAML 6.0.3 gave on CPython 3.11 with `SafeLoader`.
#[test]
fn makes_the_values_of_a_safe_loader() {
    for (yaml, value) in [
        ("0x1F", "31"),
        ("010", "8"),
        ("1:30", "90"),
        ("190:20:30.15", "685230.15"),
        ("1_000", "1000"),
        ("-0", "0"),
        ("+.5", "+.5"),
        (".inf", "inf"),
        ("-.INF", "-inf"),
        (".nan", "nan"),
        ("1e5", "1e5"),
        ("1.5e+3", "1500.0"),
        ("1e400", "1e400"),
        ("12345678901234567890123", "12345678901234567890123"),
        ("0b101", "5"),
        ("0o14", "0o14"),
        ("yes", "True"),
        ("Off", "False"),
        ("yES", "yES"),
        ("~", "None"),
        ("2024-01-02", "2024-01-02"),
        ("2024-1-2", "2024-1-2"),
        ("!!timestamp 2024-1-2", "2024-01-02"),
        ("2024-01-02T10:20:30.5Z", "2024-01-02 10:20:30.500000+00:00"),
        ("2001-12-14 21:59:43.10 -5", "2001-12-14 21:59:43.100000-05:00"),
        (
            "[2024-01-02, 2024-01-02 10:00:00+05:30]",
            "[datetime.date(2024, 1, 2), datetime.datetime(2024, 1, 2, 10, 0, tzinfo=datetime.timezone(datetime.timedelta(seconds=19800)))]",
        ),
        ("!!int \"3\"", "3"),
        ("! 12", "12"),
        ("! \"12\"", "12"),
        ("!!str 12", "12"),
        ("!!float 3", "3.0"),
        ("!!bool \"yes\"", "True"),
        ("!!binary aGVsbG8=", "b'hello'"),
        ("!!set {a}", "{'a'}"),
        ("!!set {}", "set()"),
        ("!!omap [a: 1, b: 2]", "[('a', 1), ('b', 2)]"),
        ("!!pairs [a: 1, a: 2]", "[('a', 1), ('a', 2)]"),
        ("!!str {=: x, a: b}", "x"),
        ("{1: a, 1.0: b, true: c}", "{1: 'c'}"),
        ("{a: 1, b: 2, a: 3}", "{'a': 3, 'b': 2}"),
        ("&x [*x]", "[[...]]"),
        ("&x {k: *x}", "{'k': {...}}"),
        ("[&x a, *x]", "['a', 'a']"),
        ("{b: &b {c: 1, d: 2}, <<: *b, d: 3}", "{'c': 1, 'd': 3, 'b': {'c': 1, 'd': 2}}"),
        ("{<<: [{c: 1}, {c: 2, d: 3}]}", "{'c': 1, 'd': 3}"),
        ("{<<: {<<: {c: 1}}}", "{'c': 1}"),
        ("{\"<<\": {c: 1}}", "{'<<': {'c': 1}}"),
        ("\"a\u{2028}b\"", "a\u{2028}b"),
        ("'a\r\n b'", "a b"),
        ("\"x\"# c", "x"),
        ("|\r\n a\r\n b", "a\nb"),
        ("{=: 1}", "{'=': 1}"),
        ("'it''s \"q\"'", "it's \"q\""),
    ] {
        assert_eq!(python(yaml, Dialect::Python).as_deref(), Ok(value), "{yaml:?}");
    }
}

/// What PyYAML 6.0.3 raised on CPython 3.11 with `SafeLoader`.
#[test]
fn tells_what_is_no_yaml_from_what_python_raises() {
    let raised: [(&str, Make, &str); _] = [
        (
            "!foo x",
            mistaken,
            "could not determine a constructor for the tag '!foo'\n  in \"<unicode string>\", line 1, column 1:\n    !foo x\n    ^",
        ),
        ("!!bool maybe", Failure::Raised, "'maybe'"),
        ("!!int x", Failure::Raised, "invalid literal for int() with base 10: 'x'"),
        ("!!int ''", Failure::Raised, "string index out of range"),
        ("!!float x", Failure::Raised, "could not convert string to float: 'x'"),
        ("2024-13-01", Failure::Raised, "month must be in 1..12"),
        ("2024-02-30", Failure::Raised, "day is out of range for month"),
        ("!!timestamp x", Failure::Raised, "'NoneType' object has no attribute 'groupdict'"),
        (
            "!!binary x",
            mistaken,
            "failed to decode base64 data: Invalid base64-encoded string: number of data characters (1) cannot be 1 more than a multiple of 4\n  in \"<unicode string>\", line 1, column 1:\n    !!binary x\n    ^",
        ),
        (
            "!!omap x",
            mistaken,
            "while constructing an ordered map\nexpected a sequence, but found scalar\n  in \"<unicode string>\", line 1, column 1:\n    !!omap x\n    ^",
        ),
        (
            "!!omap [a]",
            mistaken,
            "while constructing an ordered map\n  in \"<unicode string>\", line 1, column 1:\n    !!omap [a]\n    ^\nexpected a mapping of length 1, but found scalar\n  in \"<unicode string>\", line 1, column 9:\n    !!omap [a]\n            ^",
        ),
        (
            "{[a]: b}",
            mistaken,
            "while constructing a mapping\n  in \"<unicode string>\", line 1, column 1:\n    {[a]: b}\n    ^\nfound unhashable key\n  in \"<unicode string>\", line 1, column 2:\n    {[a]: b}\n     ^",
        ),
        (
            "{<<: x}",
            mistaken,
            "while constructing a mapping\n  in \"<unicode string>\", line 1, column 1:\n    {<<: x}\n    ^\nexpected a mapping or list of mappings for merging, but found scalar\n  in \"<unicode string>\", line 1, column 6:\n    {<<: x}\n         ^",
        ),
        (
            "=",
            mistaken,
            "could not determine a constructor for the tag 'tag:yaml.org,2002:value'\n  in \"<unicode string>\", line 1, column 1:\n    =\n    ^",
        ),
        (
            "<<",
            mistaken,
            "could not determine a constructor for the tag 'tag:yaml.org,2002:merge'\n  in \"<unicode string>\", line 1, column 1:\n    <<\n    ^",
        ),
        (
            "a: b: c",
            mistaken,
            "mapping values are not allowed here\n  in \"<unicode string>\", line 1, column 5:\n    a: b: c\n        ^",
        ),
        ("\"\\U00110000\"", Failure::Raised, "chr() arg not in range(0x110000)"),
        (
            "!!str [a]",
            mistaken,
            "expected a scalar node, but found sequence\n  in \"<unicode string>\", line 1, column 1:\n    !!str [a]\n    ^",
        ),
        (
            "a\u{2028}b: c: d",
            mistaken,
            "mapping values are not allowed here\n  in \"<unicode string>\", line 2, column 2:\n    b: c: d\n     ^",
        ),
        (
            "a:\tb",
            mistaken,
            "while scanning for the next token\nfound character '\\t' that cannot start any token\n  in \"<unicode string>\", line 1, column 3:\n    a:\tb\n      ^",
        ),
        (
            "x\u{7}",
            mistaken,
            "unacceptable character #x0007: special characters are not allowed\n  in \"<unicode string>\", position 1",
        ),
    ];
    for (yaml, failed, message) in raised {
        assert_eq!(python(yaml, Dialect::Python), Err(failed(message.to_owned())), "{yaml:?}");
    }
}

/// What PyYAML 6.0.3 gave with `CSafeLoader`, which is libyaml 0.2.5; `None` if it raised.
#[test]
fn libyaml_differs_from_its_original() {
    for (yaml, value) in [
        ("a:\tb", Some("{'a': 'b'}")),
        ("a\n\tb", Some("a b")),
        ("[\ta]", Some("['a']")),
        ("\"x\"\t# c", Some("x")),
        ("\"a\\ud83d\"", None),
        ("|#c\n  a", Some("a")),
        ("|\t\n  a", Some("a")),
        ("!", Some("")),
        ("[a:]", None),
        ("%FOO\n---\na", None),
        ("a: b\n\u{feff}c: d", None),
        ("a\tb", Some("a\tb")),
    ] {
        assert_eq!(python(yaml, Dialect::C).ok().as_deref(), value, "{yaml:?}");
        assert_ne!(python(yaml, Dialect::Python).ok().as_deref(), value, "it does not differ: {yaml:?}");
    }
}

#[test]
fn aliases_of_aliases_cost_nothing_until_they_are_printed() {
    let mut bomb = String::from("a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n");
    for level in 1..30 {
        let aliases = vec![format!("*a{}", level - 1); 9].join(", ");
        bomb.push_str(&format!("a{level}: &a{level} [{aliases}]\n"));
    }
    let document = read(&bomb, Dialect::Python).unwrap().unwrap();
    let objects = construct(&document).unwrap();
    assert_eq!(objects.str(objects.field("a0").unwrap()).unwrap().matches("lol").count(), 9);
    let failure = objects.str(objects.field("a29").unwrap()).unwrap_err();
    let message =
        message!("Skill Workbench does not read values of more than 4 MiB", "Skill Workbench 不读取超过 4 MiB 的值");
    assert_eq!(failure, Failure::Ours(message));

    let mut merges = String::from("a0: &a0 {k: v}\n");
    for level in 1..30 {
        let aliases = vec![format!("*a{}", level - 1); 9].join(", ");
        merges.push_str(&format!("a{level}: &a{level} {{<<: [{aliases}]}}\n"));
    }
    let document = read(&merges, Dialect::Python).unwrap().unwrap();
    let message = message!(
        "Skill Workbench does not read maps that merge more than 200000 pairs",
        "Skill Workbench 不读取合并超过 200000 个键值对的映射"
    );
    assert_eq!(construct(&document).unwrap_err(), Failure::Ours(message));
}

/// Pieces that nest, or that a reader may look back or ahead for.
const PIECES: [&str; 18] = [
    "[", "{", "[]", "[a, ", "{a: ", "- ", "? ", "'a' ", "\"a\" ", "\\n", "&a ", "*a ", "!a ", "! ", "%41", "# ", "a:",
    "\n ",
];

#[test]
fn reading_takes_time_in_proportion_to_the_text() {
    let took = |piece: &str, count: usize, dialect| {
        let text = format!("a: &a x\nb: {}", piece.repeat(count));
        let start = std::time::Instant::now();
        let read = read(&text, dialect);
        drop(read);
        start.elapsed().as_secs_f64()
    };
    for dialect in [Dialect::Python, Dialect::C, Dialect::Go, Dialect::Java] {
        for piece in PIECES {
            // Eight times as much text; what grows with its square takes 64 times as long. Other programs may take the
            // processor away for a while, but not each time.
            let is_linear = || took(piece, 40_000, dialect) < took(piece, 5_000, dialect).max(0.02) * 40.0;
            assert!((0..5).any(|_| is_linear()), "{dialect:?} {piece:?}");
        }
    }
}
