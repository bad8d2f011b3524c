use super::MOST;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "unbounded-output",
    group: Group::Scripts,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Script prints all of a file", "脚本原样输出整个文件"),
    what: Wording::new(
        "A script that prints everything a file or a stream holds (`print(path.read_text())`, `console.log(fs.readFileSync(…))`, `cat $1`) and has no flag such as `--limit`, `--lines` or `--max`.",
        "脚本把文件或流的全部内容打印出来（`print(path.read_text())`、`console.log(fs.readFileSync(…))`、`cat $1`），又没有 `--limit`、`--lines` 或 `--max` 之类的参数。",
    ),
    why: Wording::new(
        "Agents cut what a command prints at 10,000 to 30,000 characters, or pay for all of it with their context.",
        "智能体会把命令输出截断在 10,000 到 30,000 个字符，否则全部输出都会占用上下文。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `python3 scripts/show.py`.
",
        ),
        (
            "scripts/show.py",
            r#"from pathlib import Path

print(Path("log.txt").read_text())
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
Run `python3 scripts/show.py`.
",
        ),
        (
            "scripts/show.py",
            r#"from pathlib import Path

for line in Path("log.txt").read_text().splitlines()[-50:]:
    print(line)
"#,
        ),
    ]),
    hides: &[],
    marks: &[],
    source: "agentskills.io, using scripts: bounded output",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for script in skill.code().scripts.iter().filter(|script| !script.facts.interface.has_flag_like(&BOUNDS)) {
        for place in script.facts.floods.iter().take(MOST) {
            let message = Wording::new(
                "this prints all there is; print a part, and take a `--limit` for more",
                "这里输出全部内容，请只输出一部分，并提供 `--limit` 获取更多",
            );
            report.at(&script.file.path, *place, message);
        }
    }
}

/// In names of flags that say how much is printed.
const BOUNDS: [&str; 9] = ["limit", "max", "head", "tail", "top", "lines", "page", "count", "offset"];
