use super::probed;
use crate::probe::End;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "help-too-long",
    group: Group::Scripts,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Help of a script is too long", "脚本的帮助过长"),
    what: Wording::new(
        "Only if scripts were asked (`skillbench lint --probe`): a script that prints more than 10,000 characters when it is run with `--help`.",
        "仅在实际运行过脚本时检查（`skillbench lint --probe`）：脚本以 `--help` 运行时输出超过 10,000 个字符。",
    ),
    why: Wording::new(
        "Clients cut the output of a command at 10,000 to 30,000 characters; everything up to that limit fills the context.",
        "客户端会把命令输出截断在 10,000 到 30,000 个字符；在此之前的内容全部占用上下文。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `python3 scripts/codes.py`.
",
        ),
        (
            "scripts/codes.py",
            r#"for number in range(2000):
    print(f"code {number}: what number {number} means")
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
Run `python3 scripts/codes.py <number>`.
",
        ),
        (
            "scripts/codes.py",
            r#"import argparse

parser = argparse.ArgumentParser(description="Says what a code means.")
parser.add_argument("number")
args = parser.parse_args()
print(f"code {args.number}")
"#,
        ),
    ]),
    hides: &[],
    marks: &[],
    source: "agentskills.io, using scripts; measurement: the script was run confined with `--help` alone",
    fix: None,
    check: Check::Skill(check),
};

/// Characters.
const LONGEST: usize = 10_000;

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for (script, probe) in probed(skill).filter(|(_, probe)| matches!(probe.end, End::Exit(_)) && !probe.asked) {
        if probe.printed > LONGEST {
            let message = message!(
                "`{} --help` prints {} characters; some clients show an agent no more than {LONGEST}",
                "`{} --help` 输出 {} 个字符，有的客户端最多只给智能体看 {LONGEST} 个",
                script.name,
                probe.printed
            );
            report.about(&script.path, message);
        }
    }
}
