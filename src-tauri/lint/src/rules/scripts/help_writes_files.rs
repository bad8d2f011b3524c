use super::probed;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "help-writes-files",
    group: Group::Scripts,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Script asked for help writes files", "脚本在 --help 时写入文件"),
    what: Wording::new(
        "Only where scripts were asked (`skillbench lint --probe`): a script that, run with `--help`, leaves files in the folder it runs in, or tries to write where it may not: beside itself or into the system. Hidden folders, where libraries keep what they computed, do not count.",
        "",
    ),
    why: Wording::new(
        "Who asks for help wants nothing done. An agent that looks first leaves files behind, or writes over some.",
        "",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `bash scripts/report.sh`.
",
        ),
        (
            "scripts/report.sh",
            r##"echo "# Report" > report.md
echo "wrote report.md"
"##,
        ),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `bash scripts/report.sh`.
",
        ),
        (
            "scripts/report.sh",
            r##"if [ "${1:-}" = --help ]; then
  echo "usage: report.sh"
  exit 0
fi
echo "# Report" > report.md
echo "wrote report.md"
"##,
        ),
    ]),
    hides: &[],
    source: "agentskills.io, using scripts; measurement: the script was run confined with `--help` alone",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for (script, probe) in probed(skill) {
        let seen = probe.wrote.iter().find(|path| !path.starts_with('.'));
        let what = match (seen, probe.wrote_elsewhere()) {
            (Some(path), _) => format!("writes `{path}`"),
            (None, true) => "tries to write outside of the folder it runs in".to_owned(),
            (None, false) => continue,
        };
        let message = format!("`{} --help` {what}; let it look at its arguments before it sets to work", script.name);
        report.about(&script.path, message);
    }
}
