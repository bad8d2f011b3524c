use super::probed;
use crate::probe::End;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "help-fails",
    group: Group::Scripts,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Script fails when it is asked for help", "脚本在 --help 时失败"),
    what: Wording::new(
        "Only if scripts were asked (`skillbench lint --probe`): a script that ends with an exit code other than 0 when it is run with `--help`. Scripts that only lack a library or a program on this machine are not reported; scripts that do not parse are reported by other rules.",
        "仅在实际运行过脚本时检查（`skillbench lint --probe`）：脚本以 `--help` 运行时退出码不是 0。只是本机缺少某个库或程序的脚本不报告；有语法错误的脚本由其他规则报告。",
    ),
    why: Wording::new(
        "An agent that is unsure asks a script for `--help` first. An error instead of help tells it nothing, or that the script is broken.",
        "智能体拿不准时会先运行 `--help`。得到的是错误而不是帮助，它就什么也没弄清，或者认为脚本坏了。",
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
    marks: &[],
    source: "agentskills.io, using scripts; measurement: the script was run confined with `--help` alone",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for (script, probe) in probed(skill) {
        let End::Exit(code) = probe.end else { continue };
        // Other rules report the others, or they are not the script's fault.
        if code == 0 || probe.asked || probe.wrote_elsewhere() || probe.lacks_something() {
            continue;
        }
        let mut known = skill.code().scripts.iter();
        if known.any(|known| known.file.name == script.name && known.error.is_some()) {
            continue;
        }
        let name = &script.name;
        let message = match probe.complaint() {
            Some(line) => message!(
                "`{name} --help` ends with exit code {code} and says `{line}`; let it print what it does and takes, and end with 0",
                "`{name} --help` 以退出码 {code} 结束，报错 `{line}`，请让它打印功能和参数，并以 0 退出"
            ),
            None => message!(
                "`{name} --help` ends with exit code {code}; let it print what it does and takes, and end with 0",
                "`{name} --help` 以退出码 {code} 结束，请让它打印功能和参数，并以 0 退出"
            ),
        };
        report.about(&script.path, message);
    }
}
