use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "stdout-mixed-diagnostics",
    group: Group::Scripts,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Script mixes its result with progress", "脚本把结果和进度信息混在标准输出"),
    what: Wording::new(
        "A script that prints JSON to standard output, and progress or warnings too (“Loading …”, “Done”). Messages right before the script ends, and scripts with a flag such as `--json` or `--quiet`, are not reported.",
        "脚本向标准输出打印 JSON，同时又打印进度或警告（“Loading …”、“Done”）。脚本结束前的最后一条信息，以及带有 `--json`、`--quiet` 之类参数的脚本不报告。",
    ),
    why: Wording::new(
        "A program that reads the result as JSON fails at the first word of the progress.",
        "把结果当 JSON 读取的程序，遇到进度信息的第一个词就会失败。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `python3 scripts/sum.py`.
",
        ),
        (
            "scripts/sum.py",
            r#"import json

print("Processing the file")
print(json.dumps({"sum": 3}))
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
Run `python3 scripts/sum.py`.
",
        ),
        (
            "scripts/sum.py",
            r#"import json
import sys

print("Processing the file", file=sys.stderr)
print(json.dumps({"sum": 3}))
"#,
        ),
    ]),
    hides: &[],
    marks: &[],
    source: "agentskills.io, using scripts: data on stdout, diagnostics on stderr",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for script in skill.code().scripts.iter().filter(|script| script.facts.prints_data) {
        if script.facts.interface.has_flag_like(&["json", "format", "quiet", "verbose", "output"]) {
            continue;
        }
        for place in script.facts.chatter.iter().take(SHOWN) {
            let message = Wording::new(
                "the result goes to standard output as JSON, and so does this; print it to standard error",
                "结果以 JSON 写到标准输出，这条信息也写到了那里，请改为写到标准错误",
            );
            report.at(&script.file.path, *place, message);
        }
    }
}

/// How many places are named in the message.
const SHOWN: usize = 3;
