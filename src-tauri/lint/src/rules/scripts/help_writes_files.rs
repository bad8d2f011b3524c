use super::probed;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "help-writes-files",
    group: Group::Scripts,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Script asked for help writes files", "脚本在 --help 时写入文件"),
    what: Wording::new(
        "Only if scripts were asked (`skillbench lint --probe`): a script that, run with `--help`, leaves files in the folder it runs in, or tries to write where it may not: next to itself or into the system. Hidden folders, in which libraries cache what they computed, do not count.",
        "仅在实际运行过脚本时检查（`skillbench lint --probe`）：脚本以 `--help` 运行时在工作目录里留下文件，或者试图写入不允许的位置：脚本所在的文件夹或系统目录。库用来存放缓存的隐藏文件夹不算。",
    ),
    why: Wording::new(
        "Asking for help should change nothing. An agent that only looks first leaves files behind, or overwrites some.",
        "查看帮助不应改动任何东西。智能体只是先看一眼，就会留下文件，甚至覆盖已有文件。",
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
    marks: &[],
    source: "agentskills.io, using scripts; measurement: the script was run confined with `--help` alone",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for (script, probe) in probed(skill) {
        let seen = probe.wrote.iter().find(|path| !path.starts_with('.'));
        let name = &script.name;
        let message = match (seen, probe.wrote_elsewhere()) {
            (Some(path), _) => message!(
                "`{name} --help` writes `{path}`; let it read its arguments before it does anything",
                "`{name} --help` 会写入 `{path}`，请先解析参数再开始工作"
            ),
            (None, true) => message!(
                "`{name} --help` tries to write outside of the folder it runs in; let it read its arguments before it does anything",
                "`{name} --help` 试图写入工作目录之外，请先解析参数再开始工作"
            ),
            (None, false) => continue,
        };
        report.about(&script.path, message);
    }
}
