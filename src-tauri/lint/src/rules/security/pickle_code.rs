use super::binary;
use crate::{Check, Deed, Example, Group, Mark, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "pickle-code",
    group: Group::Security,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Pickle that runs commands", "Pickle 文件会执行命令"),
    what: Wording::new(
        "A pickle file that names `os.system`, `subprocess`, `eval`, `exec` or the like as what to call when it is loaded.",
        "pickle 文件指明加载时要调用 `os.system`、`subprocess`、`eval`、`exec` 等。",
    ),
    why: Wording::new(
        "Loading it runs a command; that is how pickles are turned into weapons.",
        "加载它就会运行命令，pickle 正是这样被用来攻击的。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
        ),
        (
            "assets/model.pkl",
            r"cos
system
(S'id'
tR.",
        ),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
        ),
        (
            "assets/model.pkl",
            r"(lp0
.",
        ),
    ]),
    hides: &[],
    marks: &[Mark::Evidence(Deed::Runs)],
    source: "cisco-ai-skill-scanner PICKLE_FILE_DETECTED; fickling",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for file in skill.skill.files.iter().filter(|file| binary::is_pickle_name(&file.path)) {
        if binary::names_code(&binary::bytes(skill, file, binary::PICKLE_LOOKED_AT)) {
            report.about(
                &file.path,
                Wording::new("loading this pickle runs a command: delete it", "加载这个 pickle 会运行命令，请删除"),
            );
        }
    }
}
