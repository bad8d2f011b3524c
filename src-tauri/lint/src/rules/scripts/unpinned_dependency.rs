use crate::code::requirement::requirements;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "unpinned-dependency",
    group: Group::Scripts,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Dependency without a version", "依赖未限定版本"),
    what: Wording::new(
        "A package in a PEP 723 block, a requirements file, `pyproject.toml` or `package.json` without any version, or with `*` or `latest`.",
        "PEP 723 块、requirements 文件、`pyproject.toml` 或 `package.json` 中的包没有限定版本，或者写的是 `*` 或 `latest`。",
    ),
    why: Wording::new(
        "The script breaks on the day the package changes, although nobody changed the skill.",
        "技能没有人动过，包一更新脚本就可能坏掉。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `uv run scripts/load.py`.
",
        ),
        (
            "scripts/load.py",
            r#"# /// script
# dependencies = ["pandas"]
# ///
import pandas

print(pandas.__version__)
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
Run `uv run scripts/load.py`.
",
        ),
        (
            "scripts/load.py",
            r#"# /// script
# dependencies = ["pandas>=2,<3"]
# ///
import pandas

print(pandas.__version__)
"#,
        ),
    ]),
    hides: &[],
    marks: &[],
    source: "agentskills.io, using scripts; Cisco skill-scanner",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for requirement in requirements(skill, skill.code()).iter().filter(|requirement| !requirement.pinned) {
        let message = message!(
            "`{}` has no version; give at least a lower bound",
            "`{}` 没有版本，请至少给出下限",
            requirement.name
        );
        report.at(requirement.path, requirement.span, message);
    }
}
