use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "failure-exits-zero",
    group: Group::Scripts,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Script fails and ends with code 0", "脚本出错时仍以 0 退出"),
    what: Wording::new(
        "A Python script that catches errors only to print them, and never raises, asserts or exits with a code other than 0.",
        "Python 脚本捕获错误后只是打印出来，从不抛出异常、断言，也不以非 0 退出码结束。",
    ),
    why: Wording::new(
        "Agents and pipelines go by the exit code: they take the failure for a success.",
        "智能体和流水线只看退出码，会把失败当作成功。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `python3 scripts/load.py`.
",
        ),
        (
            "scripts/load.py",
            r#"try:
    print(len(open("sales.csv").readlines()))
except OSError as error:
    print("cannot read:", error)
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
Run `python3 scripts/load.py`.
",
        ),
        (
            "scripts/load.py",
            r#"import sys

try:
    print(len(open("sales.csv").readlines()))
except OSError as error:
    sys.exit(f"cannot read: {error}")
"#,
        ),
    ]),
    hides: &[],
    marks: &[],
    source: "agentskills.io, using scripts: distinct exit codes",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for script in skill.code().scripts.iter().filter(|script| !script.facts.fails) {
        let Some(place) = script.facts.swallowed.first() else { continue };
        let first_line = place.of(script.text()).find('\n').map_or(place.end, |end| place.start + end);
        let message = Wording::new(
            "the error is printed, and the script still ends with code 0; end with `sys.exit(1)`",
            "打印了错误，脚本却仍以 0 退出，请用 `sys.exit(1)` 结束",
        );
        report.at(&script.file.path, Span::new(place.start, first_line), message);
    }
}
