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

/// The results of SnakeYAML 2.7-SNAPSHOT (e6eb1b72) on OpenJDK 17 with the options of the parser. Lines that were read
/// instead are not compared.
#[test]
fn odd_frontmatter_is_read_as_snakeyaml_reads_it() {
    for (yaml, fields, reading) in [
        ("k: a\u{2028}b", "{}", Reading::Lines(String::new())),
        ("k: a\u{85}l: b", "{k=a, l=b}", Reading::Yaml),
        ("k: \"a\u{2029}b\"", "{k=a\u{2029}b}", Reading::Yaml),
        ("k: !!int \"3\"", "{k=3}", Reading::Yaml),
        ("k: ! 12", "{k=12}", Reading::Yaml),
        ("k: ! \"12\"", "{k=12}", Reading::Yaml),
        ("k: !!str [a]", "{}", Reading::Lines(String::new())),
        ("k: !foo {a: b}", "{}", Reading::Lines(String::new())),
        ("k: !!bool maybe", "{k=null}", Reading::Yaml),
        ("k: !!binary aGVsbG8=", "{k=[104, 101, 108, 108, 111]}", Reading::Yaml),
        ("k: !!binary x", "{}", Reading::Lines(String::new())),
        ("k: !!set {a, b}", "{k=[a, b]}", Reading::Yaml),
        ("k: !!omap [a: 1, b: 2]", "{k={a=1, b=2}}", Reading::Yaml),
        ("k: !!pairs [a: 1, a: 2]", "{k=[[a, 1], [a, 2]]}", Reading::Yaml),
        ("k: !!timestamp 2024-1-2", "{k=Tue Jan 02 00:00:00 UTC 2024}", Reading::Yaml),
        ("k: 2024-1-2", "{k=2024-1-2}", Reading::Yaml),
        ("k: &x [*x]", "{}", Reading::Endless),
        ("~: &x [*x]\nl: b", "{l=b}", Reading::Yaml),
        ("k: &a.b c", "{}", Reading::Lines(String::new())),
        ("k: &é c\nl: *é", "{k=c, l=c}", Reading::Yaml),
        ("a: &x 1\nb: &x 2\nk: *x", "{a=1, b=2, k=2}", Reading::Yaml),
        ("k: \"x\"# c", "{k=x}", Reading::Yaml),
        ("k: \"\\/\"", "{}", Reading::Lines(String::new())),
        ("k: \"\\ud83d\\ude00\"", "{k=😀}", Reading::Yaml),
        ("k: [\ta]", "{k=[a]}", Reading::Yaml),
        ("k: a\t", "{k=a}", Reading::Yaml),
        ("k: a\tb", "{k=a\tb}", Reading::Yaml),
        ("k: {a:\tb}", "{k={a=b}}", Reading::Yaml),
        ("k: |#c\n  a", "{}", Reading::Lines(String::new())),
        ("<<: {k: a, k: b}", "{k=a}", Reading::Yaml),
        ("a: &a {x: 1}\nb: {<<: [*a, {y: 2}], x: 3}", "{a={x=1}, b={x=3, y=2}}", Reading::Yaml),
        ("\"<<\": {k: a}", "{<<={k=a}}", Reading::Yaml),
        ("<<: x", "{}", Reading::Lines(String::new())),
        ("? [a]\n: b\nk: c", "{k=c}", Reading::Yaml),
        ("{1: a, 1.0: b}: c", "{}", Reading::Yaml),
        ("k: {1: a, '1': b}", "{k={1=b}}", Reading::Yaml),
        ("!!set {a}", "{}", Reading::NotMap),
        ("!!omap [k: a]", "{k=a}", Reading::Yaml),
        ("k: a\n%YAML 1.1", "{k=a}", Reading::Yaml),
        ("\u{feff}k: a", "{k=a}", Reading::Yaml),
        ("k: 0b101", "{k=5}", Reading::Yaml),
        ("k: 12345678901234567890", "{k=12345678901234567890}", Reading::Yaml),
        ("k: 1e5", "{k=100000.0}", Reading::Yaml),
        ("k: NaN", "{k=NaN}", Reading::Yaml),
        ("k: .nan", "{k=NaN}", Reading::Yaml),
        ("k: .5", "{k=0.5}", Reading::Yaml),
        ("k: 0x", "{k=0x}", Reading::Yaml),
        ("k: \"a\\\n  b\"", "{k=ab}", Reading::Yaml),
    ] {
        let found = Markdown::parse(&format!("---\n{yaml}\n---\nbody")).frontmatter;
        match reading {
            Reading::Lines(_) => assert!(matches!(found.reading, Reading::Lines(_)), "{yaml:?}: {found:?}"),
            reading => assert_eq!((found.text().as_str(), found.reading), (fields, reading), "{yaml:?}"),
        }
    }
}
