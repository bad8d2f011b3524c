use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "stdout-mixed-diagnostics",
    group: Group::Scripts,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Script mixes its result with progress", "脚本把结果和进度信息混在标准输出"),
    what: Wording::new(
        "A script that prints JSON to standard output, and progress or warnings too (“Loading …”, “Done”). Messages right before the script ends, and scripts with a flag such as `--json` or `--quiet`, are let pass.",
        "",
    ),
    why: Wording::new("What reads the result as JSON fails at the first word of the progress.", ""),
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
            let message = "the result goes to standard output as JSON, and so does this; print it to standard error";
            report.at(&script.file.path, *place, message);
        }
    }
}

/// Places that show what is meant.
const SHOWN: usize = 3;
