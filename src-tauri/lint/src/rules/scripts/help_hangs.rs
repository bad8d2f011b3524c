use super::probed;
use crate::probe::End;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "help-hangs",
    group: Group::Scripts,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Script asked for help does not end", "脚本在 --help 时不结束"),
    what: Wording::new(
        "Only where scripts were asked (`skillbench lint --probe`): a script that still runs seconds after it was started with `--help`.",
        "",
    ),
    why: Wording::new(
        "An agent that asks for help waits for nothing until its own time limit, and then takes the script for broken.",
        "",
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
    source: "agentskills.io, using scripts; measurement: the script was run confined with `--help` alone",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for (script, probe) in probed(skill).filter(|(_, probe)| !probe.asked) {
        let End::TimedOut(seconds) = probe.end else { continue };
        let message = format!(
            "`{} --help` was still running after {seconds} s; let it look at its arguments before it sets to work",
            script.name
        );
        report.about(&script.path, message);
    }
}
