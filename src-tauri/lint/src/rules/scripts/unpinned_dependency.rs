use crate::code::requirement::requirements;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "unpinned-dependency",
    group: Group::Scripts,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Dependency without a version", "依赖未限定版本"),
    what: Wording::new(
        "A package in a PEP 723 block, a requirements file, `pyproject.toml` or `package.json` without any version, or with `*` or `latest`.",
        "",
    ),
    why: Wording::new("The script breaks on the day the package changes, and nobody changed the skill.", ""),
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
    source: "agentskills.io, using scripts; Cisco skill-scanner",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for requirement in requirements(skill, skill.code()).iter().filter(|requirement| !requirement.pinned) {
        let message = format!("`{}` has no version; give at least a lower bound", requirement.name);
        report.at(requirement.path, requirement.span, message);
    }
}
