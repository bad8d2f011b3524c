use super::binary;
use crate::{Check, Deed, Example, Group, Mark, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "pickle",
    group: Group::Security,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Pickle file", "包含 Pickle 文件"),
    what: Wording::new(
        "A Python pickle in the skill, by its name (`.pkl`, `.pickle`, `.joblib`, `.pt`, `.pth`) or its first \
           bytes.",
        "技能中有 Python pickle 文件，按文件名（`.pkl`、`.pickle`、`.joblib`、`.pt`、`.pth`）或开头的字节判断。",
    ),
    why: Wording::new("Loading a pickle runs whatever was put into it.", "加载 pickle 会运行其中放入的任何代码。"),
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
            r"(lp0
.",
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
        ("assets/model.json", "[]\n"),
    ]),
    hides: &[],
    marks: &[Mark::Evidence(Deed::Runs)],
    source: "cisco-ai-skill-scanner PICKLE_FILE_DETECTED",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for file in &skill.skill.files {
        if binary::is_pickle_name(&file.path)
            && !binary::names_code(&binary::bytes(skill, file, binary::PICKLE_LOOKED_AT))
        {
            report.about(
                &file.path,
                Wording::new(
                    "loading a pickle runs what is in it: ship JSON, CSV or safetensors",
                    "加载 pickle 会运行其中的代码，请改用 JSON、CSV 或 safetensors",
                ),
            );
        }
    }
}
