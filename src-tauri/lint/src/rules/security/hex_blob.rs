use crate::pattern::{Match, Pattern, Patterns, Scope};
use crate::{Check, Deed, Example, Group, Mark, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "hex-blob",
    group: Group::Security,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Code hidden in escapes", "十六进制隐藏代码"),
    what: Wording::new(
        "Sixteen or more escapes (`\\x63\\x75…`) in a row in a script that spell readable text, or a quoted run \
           of 128 hex digits or more that does.",
        "脚本中有连续十六个以上的转义（`\\x63\\x75…`）拼成可读文本，或者引号中有 128 位以上的十六进制数字，解码后是可读文本。",
    ),
    why: Wording::new(
        "Text is written this way so that nobody reads or finds it.",
        "这样写文本，就是为了不让人读到、查到。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
        ),
        (
            "scripts/run.py",
            r#"HOST = "\x64\x72\x6f\x70\x2e\x74\x69\x6e\x79\x70\x61\x67\x65\x2e\x69\x6f\x2f\x63\x6f\x6c\x6c\x65\x63\x74"
"#,
        ),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
        ),
        (
            "scripts/run.py",
            r#"MAGIC = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x01\x00\x00\x00\x01\x00\x08\x06\x00\x00\x00"
"#,
        ),
    ]),
    hides: &[],
    marks: &[Mark::Evidence(Deed::Hides)],
    source: "cisco-ai-skill-scanner OBFUSCATION_HEX_BLOB",
    fix: None,
    check: Check::Pattern(Patterns { scope: Scope::Code, patterns: PATTERNS, unless: Some(is_fine), milder: None }),
};

const PATTERNS: &[Pattern] = &[
    Pattern {
        expression: r#"(?:\\x[0-9a-fA-F]{2}){16,}"#,
        lines: 0,
        message: Wording::new(
            "`{}` spells text that nobody can read: write it out",
            "`{}` 拼出的文本没人读得懂，请直接写出",
        ),
    },
    Pattern {
        expression: r#"(?:fromhex|unhexlify|["\']hex["\'])[^\n]*["\'][0-9a-fA-F]{128,}["\']|["\'][0-9a-fA-F]{128,}["\'][^\n]*(?:fromhex|unhexlify|["\']hex["\'])"#,
        lines: 0,
        message: Wording::new(
            "`{}` holds text that nobody can read: write it out",
            "`{}` 里的文本没人读得懂，请直接写出",
        ),
    },
];

fn is_fine(found: &Match<'_>) -> bool {
    let plain = found.text.replace("\\x", "");
    let runs = plain.split(|letter: char| !letter.is_ascii_hexdigit());
    let digits = runs.max_by_key(|run| run.len()).unwrap_or_default().as_bytes();
    let bytes = digits.chunks_exact(2).filter_map(|pair| {
        let digit = |at: usize| char::from(pair[at]).to_digit(16);
        Some(digit(0)? * 16 + digit(1)?)
    });
    let (readable, all) =
        bytes.fold((0, 0), |(readable, all), byte| (readable + usize::from((32..127).contains(&byte)), all + 1));
    readable * 10 < all * 9
}
