use super::undeclared_import::is_test;
use crate::code::{Script, base_name};
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "no-help",
    group: Group::Scripts,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Script that takes arguments has no --help", "脚本没有 --help"),
    what: Wording::new(
        "A script that reads its arguments one by one (`sys.argv`, `process.argv`, `$1`) and has neither `--help` nor a text on its usage. Only scripts that a text of the skill names.",
        "脚本逐个读取参数（`sys.argv`、`process.argv`、`$1`），却没有 `--help`，也没有用法说明。只检查技能的文本提到的脚本。",
    ),
    why: Wording::new(
        "An agent that is unsure asks a script for `--help` first. Without it, it reads the source, which costs tokens, or guesses.",
        "智能体拿不准时会先运行 `--help`。没有帮助，它只能读源码（耗费 token）或者猜。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `python3 scripts/double.py 4`.
",
        ),
        (
            "scripts/double.py",
            r"import sys

print(2 * int(sys.argv[1]))
",
        ),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `python3 scripts/double.py 4`.
",
        ),
        (
            "scripts/double.py",
            r#"import argparse

parser = argparse.ArgumentParser()
parser.add_argument("number", type=int)
print(2 * parser.parse_args().number)
"#,
        ),
    ]),
    hides: &[],
    marks: &[],
    source: "agentskills.io, using scripts",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let code = skill.code();
    let silent = |script: &&Script<'_>| script.facts.by_hand && !script.facts.helps && !is_test(&script.file.name);
    // A script that no text mentions is a part of other scripts.
    let is_named = |script: &&Script<'_>| {
        let name = &script.file.name;
        let bare = name.rsplit_once('.').map_or(name.as_str(), |(bare, _)| bare);
        let names = |text: &str| text.contains(base_name(name)) || (bare.contains('/') && text.contains(bare));
        code.documents.iter().any(|document| names(document.text()))
    };
    for script in code.scripts.iter().filter(silent).filter(is_named) {
        let message = message!(
            "`{}` takes arguments but says nowhere which; add `--help`",
            "`{}` 接受参数，却没有说明有哪些，请添加 `--help`",
            script.file.name
        );
        report.about(&script.file.path, message);
    }
}
