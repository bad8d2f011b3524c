use super::MOST;
use super::writes_outside_workdir;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "hard-coded-path",
    group: Group::Scripts,
    severity: Severity::Warning,
    on: false,
    title: Wording::new("Script holds a path of its author's machine", "脚本含有作者机器上的路径"),
    what: Wording::new(
        "A text in a script with a path in somebody's home: `/home/NAME/…`, `/Users/NAME/…`, `C:\\Users\\NAME\\…`. Placeholders such as `/home/user`, and the homes of machines that agents run on, are not reported.",
        "脚本的字符串里有某个人主目录下的路径：`/home/NAME/…`、`/Users/NAME/…`、`C:\\Users\\NAME\\…`。`/home/user` 之类的占位符，以及智能体运行环境的主目录不报告。",
    ),
    why: Wording::new(
        "The path exists on one machine only; everywhere else the script fails.",
        "这个路径只存在于一台机器上，在别处脚本都会失败。",
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
        ("scripts/load.py", "print(open(\"/Users/ada/data/sales.csv\").readline())\n"),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `python3 scripts/load.py sales.csv`.
",
        ),
        (
            "scripts/load.py",
            r"import sys

print(open(sys.argv[1]).readline())
",
        ),
    ]),
    hides: &[&writes_outside_workdir::RULE],
    marks: &[],
    source: "claude-code-lint",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for script in &skill.code().scripts {
        for home in script.facts.homes.iter().take(MOST) {
            let message = message!(
                "`{}` exists on one machine only; take the path as an argument",
                "`{}` 只存在于一台机器上，请改为通过参数传入路径",
                home.name
            );
            report.at(&script.file.path, home.span, message);
        }
    }
}
