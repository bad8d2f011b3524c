use super::probed;
use crate::probe::End;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "help-fails",
    group: Group::Scripts,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Script fails when it is asked for help", "脚本在 --help 时失败"),
    what: Wording::new(
        "Only where scripts were asked (`skillbench lint --probe`): a script that ends with an exit code other than 0 when it is run with `--help`. One that only lacks a library or a program here is let pass, and so is one that does not parse, which other rules tell.",
        "",
    ),
    why: Wording::new(
        "An agent that is unsure asks a script for `--help` first. An error instead of help tells it nothing, or that the script is broken.",
        "",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `bash scripts/count.sh notes.txt`.
",
        ),
        (
            "scripts/count.sh",
            r#"set -eu
if [ ! -f "$1" ]; then
  echo "error: there is no file $1" >&2
  exit 2
fi
wc -l "$1"
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
Run `bash scripts/count.sh notes.txt`.
",
        ),
        (
            "scripts/count.sh",
            r#"set -eu
if [ "$1" = --help ]; then
  echo "usage: count.sh <file>"
  exit 0
fi
if [ ! -f "$1" ]; then
  echo "error: there is no file $1" >&2
  exit 2
fi
wc -l "$1"
"#,
        ),
    ]),
    hides: &[],
    source: "agentskills.io, using scripts; measurement: the script was run confined with `--help` alone",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for (script, probe) in probed(skill) {
        let End::Exit(code) = probe.end else { continue };
        // The others have rules of their own, or are no fault of the script.
        if code == 0 || probe.asked || probe.wrote_elsewhere() || probe.lacks_something() {
            continue;
        }
        let mut known = skill.code().scripts.iter();
        if known.any(|known| known.file.name == script.name && known.error.is_some()) {
            continue;
        }
        let said = probe.complaint().map(|line| format!(" and says `{line}`")).unwrap_or_default();
        let message = format!(
            "`{} --help` ends with exit code {code}{said}; let it print what it does and takes, and end with 0",
            script.name
        );
        report.about(&script.path, message);
    }
}
