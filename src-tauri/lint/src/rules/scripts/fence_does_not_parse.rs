use crate::code::fence::broken;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "fence-does-not-parse",
    group: Group::Scripts,
    severity: Severity::Warning,
    on: false,
    title: Wording::new("Code fence does not parse as its language", "代码块不符合其标注的语言"),
    what: Wording::new(
        "A code fence marked as Python, shell, JavaScript, JSON, YAML or TOML that does not parse as such. Not reported: pieces of code, sessions with prompts, placeholders such as `<name>`, `...`, comments in JSON, what commands print, and fences whose text says they are wrong.",
        "标注为 Python、Shell、JavaScript、JSON、YAML 或 TOML 的代码块无法按该语言解析。以下情况不报告：代码片段、带提示符的会话、`<name>` 之类的占位符、`...`、JSON 里的注释、命令的输出，以及文中说明是错误示例的代码块。",
    ),
    why: Wording::new(
        "Models copy examples to the letter: what is broken in the example is broken in what they write.",
        "模型会照抄示例：示例里的错误会原样出现在它写的代码里。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r#"---
name: demo
description: Use when asked for a demo.
---
Answer with:

```json
{"total": 3 "errors": []}
```
"#,
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r#"---
name: demo
description: Use when asked for a demo.
---
Answer with:

```json
{"total": 3, "errors": []}
```
"#,
    )]),
    hides: &[],
    marks: &[],
    source: "measured: no other linter finds it",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    skill.each_document(|path, _, source, markdown| {
        for fence in broken(&source.text, markdown) {
            let language = fence.language.title();
            let reason = &fence.error.reason;
            let message = Message {
                en: format!("this code is marked as {language}, but it does not parse: {}", reason.en),
                zh: format!("这段代码标注为 {language}，但无法解析：{}", reason.zh),
            };
            report.at(path, fence.error.span, message);
        }
    });
}
