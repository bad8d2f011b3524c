use super::probed;
use crate::probe::End;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "help-hangs",
    group: Group::Scripts,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Script asked for help does not end", "脚本在 --help 时不结束"),
    what: Wording::new(
        "Only if scripts were asked (`skillbench lint --probe`): a script that still runs seconds after it was started with `--help`.",
        "仅在实际运行过脚本时检查（`skillbench lint --probe`）：脚本以 `--help` 启动，数秒之后仍未结束。",
    ),
    why: Wording::new(
        "An agent that asks for help waits until its own time limit, and then takes the script for broken.",
        "智能体查看帮助时会一直等到自己的时限，然后认为脚本坏了。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `python3 scripts/watch.py`.
",
        ),
        (
            "scripts/watch.py",
            r#"import time

while True:
    print("looking", flush=True)
    time.sleep(1)
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
Run `python3 scripts/watch.py <folder>`.
",
        ),
        (
            "scripts/watch.py",
            r#"import argparse

parser = argparse.ArgumentParser(description="Watches a folder.")
parser.add_argument("folder")
args = parser.parse_args()
print("looking at", args.folder)
"#,
        ),
    ]),
    hides: &[],
    marks: &[],
    source: "agentskills.io, using scripts; measurement: the script was run confined with `--help` alone",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for (script, probe) in probed(skill).filter(|(_, probe)| !probe.asked) {
        let End::TimedOut(seconds) = probe.end else { continue };
        let message = message!(
            "`{} --help` was still running after {seconds} s; let it read its arguments before it does anything",
            "`{} --help` 运行 {seconds} 秒后仍未结束，请先解析参数再开始工作",
            script.name
        );
        report.about(&script.path, message);
    }
}
