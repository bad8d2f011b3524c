use crate::code::fence::broken;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "fence-does-not-parse",
    group: Group::Scripts,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Code fence does not parse as its language", "代码块不符合其标注的语言"),
    what: Wording::new(
        "A code fence marked as Python, shell, JavaScript, JSON, YAML or TOML that does not parse as such. Pieces of code, sessions with prompts, placeholders such as `<name>`, `...`, comments in JSON, what commands print, and fences whose text says they are wrong are let pass.",
        "",
    ),
    why: Wording::new(
        "Models copy examples to the letter: what is broken in the example is broken in what they write.",
        "",
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
    source: "measured: no other linter finds it",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    skill.each_document(|path, _, source, markdown| {
        for fence in broken(&source.text, markdown) {
            let language = fence.language.title();
            let message = format!("this code is marked as {language}, but it does not parse: {}", fence.error.reason);
            report.at(path, fence.error.span, message);
        }
    });
}
