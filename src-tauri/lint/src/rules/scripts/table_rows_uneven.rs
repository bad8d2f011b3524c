use crate::code::Language;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "table-rows-uneven",
    group: Group::Scripts,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Table has a row that is too long", "表格某一行的列数过多"),
    what: Wording::new(
        "A `.csv` or `.tsv` file with a quote that is never closed, or with a row of more fields than its header, if most rows have as many as the header.",
        "`.csv` 或 `.tsv` 文件中有未闭合的引号，或者大多数行与表头字段数相同，而某一行的字段比表头多。",
    ),
    why: Wording::new(
        "pandas refuses such a file; other readers silently shift the values into the wrong columns.",
        "pandas 会拒绝这样的文件；其他程序则会不声不响地把值错位到别的列。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Read `assets/prices.csv`.
",
        ),
        (
            "assets/prices.csv",
            r"name,price
pen,1.20
book,12,50
cup,3.10
",
        ),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Read `assets/prices.csv`.
",
        ),
        (
            "assets/prices.csv",
            r#"name,price
pen,1.20
book,"12,50"
cup,3.10
"#,
        ),
    ]),
    hides: &[],
    marks: &[],
    source: "RFC 4180",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for data in skill.code().data.iter().filter(|data| matches!(data.language, Language::Table(_))) {
        if let Some(error) = &data.error {
            let reason = &error.reason;
            let message = Message {
                en: format!("{}; quote fields that hold the separator", reason.en),
                zh: format!("{}，含有分隔符的字段请加引号", reason.zh),
            };
            report.at(&data.file.path, error.span, message);
        }
    }
}
