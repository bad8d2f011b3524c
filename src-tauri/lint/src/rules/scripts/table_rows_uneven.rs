use crate::code::Language;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;

pub static RULE: Rule = Rule {
    id: "table-rows-uneven",
    group: Group::Scripts,
    severity: Severity::Warning,
    on: true,
    title: "Table has a row that is too long",
    title_zh: "表格某一行的列数过多",
    what: "A `.csv` or `.tsv` file with a quote that is never closed, or with a row of more fields than its header, where most rows have as many as the header.",
    why: "pandas refuses such a file; other readers shift the values into the wrong columns without a word.",
    bad: Example::skill(&[
        ("SKILL.md", "---\nname: demo\ndescription: Use when asked for a demo.\n---\nRead `assets/prices.csv`.\n"),
        ("assets/prices.csv", "name,price\npen,1.20\nbook,12,50\ncup,3.10\n"),
    ]),
    good: Example::skill(&[
        ("SKILL.md", "---\nname: demo\ndescription: Use when asked for a demo.\n---\nRead `assets/prices.csv`.\n"),
        ("assets/prices.csv", "name,price\npen,1.20\nbook,\"12,50\"\ncup,3.10\n"),
    ]),
    source: "RFC 4180",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for data in skill.code().data.iter().filter(|data| matches!(data.language, Language::Table(_))) {
        if let Some(error) = &data.error {
            report.at(&data.file.path, error.span, format!("{}; quote fields that hold the separator", error.reason));
        }
    }
}
