use super::*;

fn fields(yaml: &str) -> String {
    Markdown::parse(&format!("---\n{yaml}\n---\nbody")).frontmatter.text()
}

#[test]
fn the_block_ends_at_the_first_dashes() {
    let halves = |text: &str| {
        let markdown = Markdown::parse(text);
        (markdown.frontmatter.text(), markdown.content.to_owned())
    };
    assert_eq!(halves("---\nname: a--- b\n---\nx"), ("{name=a}".into(), " b\n---\nx".into()));
    assert_eq!(halves("--- \r\n\r\n  name: a\r\n---  \n \n\n  x"), ("{name=a}".into(), "  x".into()));
    assert_eq!(halves("---\n---\nx"), ("{}".into(), "x".into()));
    assert_eq!(halves("---\nname: a\n---"), ("{name=a}".into(), String::new()));
    for whole in ["", "---", "--- name: a\n---\n", "----\na: b\n---", "\n---\na: b\n---", "\u{feff}---\na: b\n---"] {
        assert_eq!(halves(whole), ("{}".into(), whole.into()), "there is no block in {whole:?}");
    }
}

/// Recorded from SnakeYAML 1.33 on OpenJDK 17.
#[test]
fn values_are_those_of_snakeyaml() {
    let value = |yaml: &str| fields(&format!("k: {yaml}"));
    for (yaml, java) in [
        ("1.10", "1.1"),
        ("1e7", "1.0E7"),
        ("0.0001", "1.0E-4"),
        ("9999999.0", "9999999.0"),
        ("123456789.0", "1.23456789E8"),
        (".INF", "Infinity"),
        ("012", "10"),
        ("0o14", "0o14"),
        ("0x123456789012345678901234567890", "94522879687365475552814062743484560"),
        ("-0", "0"),
        ("1_000", "1000"),
        ("190:20:30", "685230"),
        ("yES", "yES"),
        ("Off", "false"),
        ("~", "null"),
        ("\"1.10\"", "1.10"),
        ("2024-01-02", "Tue Jan 02 00:00:00 UTC 2024"),
        ("2024-13-45", "Fri Feb 14 00:00:00 UTC 2025"),
        ("2024-01-02T10:20:30.5+05:30", "Tue Jan 02 04:50:30 UTC 2024"),
        ("[x, 1.10, ~]", "[x, 1.1, null]"),
        ("{1.10: a, true: b}", "{1.1=a, true=b}"),
        ("!!str 12", "12"),
        ("|\n  a\n  b", "a\nb"),
        (">\n  a\n\n  b", "a\nb"),
    ] {
        assert_eq!(value(yaml), format!("{{k={java}}}"), "{yaml}");
    }
    assert_eq!(fields("1: a\nb: c"), "{b=c}", "keys that are no texts are left out");
    assert_eq!(fields("a: &x {p: 1, q: 2}\nb:\n  <<: *x\n  q: 3"), "{a={p=1, q=2}, b={p=1, q=3}}");
    assert_eq!(fields("- a"), "{}");
    assert_eq!(fields("just text"), "{}");
}

#[test]
fn what_is_no_yaml_is_read_line_by_line() {
    assert_eq!(
        fields("a: b: c\nquoted: \"x: 'y'\"\nlist:\n- z\n  deep: no\nblock: |\n  text\n1x: no\na: 'last'\n# no: no"),
        "{a=last, quoted=x: 'y'}"
    );
    let reading = |yaml: &str| Markdown::parse(&format!("---\n{yaml}\n---\n")).frontmatter.reading;
    for yaml in ["a: x\na: y", "a: \tb", "a: @x", "a: [b", "a: *none", "a: !mine b", "a: b\u{7}c", "a: [>- b]"] {
        assert!(matches!(reading(yaml), Reading::Lines(_)), "{yaml:?}");
    }
    let nested = |levels: usize| format!("k: {}1{}", "[".repeat(levels), "]".repeat(levels));
    assert_eq!(reading(&nested(9)), Reading::Yaml);
    assert!(matches!(reading(&nested(10)), Reading::Lines(_)));
}

#[test]
fn long_frontmatter_gives_nothing() {
    let long = format!("---\nname: a\ndescription: {}\n---\nbody", "字".repeat(CHARACTER_LIMIT));
    let markdown = Markdown::parse(&long);
    assert_eq!(markdown.frontmatter, Frontmatter { fields: Vec::new(), reading: Reading::TooLong });
    assert_eq!(markdown.content, "body");
}
