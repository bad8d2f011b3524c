use crate::code::Language;
use crate::texts::is_model;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "syntax-data-file",
    group: Group::Scripts,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Data file does not parse", "数据文件有语法错误"),
    what: Wording::new(
        "A `.json`, `.jsonl`, `.yaml` or `.toml` file of the skill that its format's parser rejects. JSON with comments, templates, and files in folders of tests or fixtures are not reported; files whose name says sample, example, template or fixture are hints.",
        "技能中的 `.json`、`.jsonl`、`.yaml` 或 `.toml` 文件无法按其格式解析。带注释的 JSON、模板，以及测试或 fixtures 文件夹里的文件不报告；文件名含 sample、example、template 或 fixture 的只作提示。",
    ),
    why: Wording::new(
        "Whatever reads the file fails, and the message seldom names the place.",
        "读取该文件的程序都会失败，而且报错往往不说明位置。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Read `assets/units.json`.
",
        ),
        ("assets/units.json", "{\"mile\": 1.609 \"pound\": 0.454}\n"),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Read `assets/units.json`.
",
        ),
        ("assets/units.json", "{\"mile\": 1.609, \"pound\": 0.454}\n"),
    ]),
    hides: &[],
    marks: &[],
    source: "RFC 8259; YAML 1.2; TOML 1.1",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for data in skill.code().data.iter().filter(|data| !matches!(data.language, Language::Table(_))) {
        if let Some(error) = &data.error {
            let (name, language, reason) = (&data.file.name, data.language.title(), &error.reason);
            let message = Message {
                en: format!("`{name}` is not valid {language}: {}", reason.en),
                zh: format!("`{name}` 不是有效的 {language}：{}", reason.zh),
            };
            let finding = report.at(&data.file.path, error.span, message);
            if is_model(name) || name.contains("fixture") {
                finding.weigh_less(Wording::new("its name says that it is a model for others", "文件名表明它只是样例"));
                finding.severity = Severity::Info;
            }
        }
    }
}
