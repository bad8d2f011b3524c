use crate::analysis::page;
use crate::code::command::Fit;
use crate::references::joined;
use crate::texts::{is_for_people, is_model};
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "script-path-wrong-root",
    group: Group::Scripts,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Script path does not start at the skill's folder", "脚本路径不是从技能文件夹出发"),
    what: Wording::new(
        "A command that names a script of the skill by a path that does not lead there from the skill's folder: `../scripts/x.py` in a reference, `x.py` for `scripts/x.py`, `my-skill/scripts/x.py`. Paths behind a variable or placeholder, commands after a `cd`, and pages that are called a template or an example, are not reported. In a page it is a hint.",
        "命令中的脚本路径从技能文件夹出发找不到该脚本：参考文件里的 `../scripts/x.py`，把 `scripts/x.py` 写成 `x.py`，或者 `my-skill/scripts/x.py`。变量或占位符之后的路径、`cd` 之后的命令，以及名为模板或示例的页面不报告。在参考页面中只作提示。",
    ),
    why: Wording::new(
        "Paths in all files of a skill start at its folder. An agent that follows this one gets “No such file”.",
        "技能所有文件里的路径都以技能文件夹为起点。智能体照这个路径执行会得到“No such file”。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
```bash
python3 draw.py
```
",
        ),
        ("scripts/draw.py", "print(\"drawn\")\n"),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
```bash
python3 scripts/draw.py
```
",
        ),
        ("scripts/draw.py", "print(\"drawn\")\n"),
    ]),
    hides: &[],
    marks: &[],
    source: "agentskills.io, using scripts",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let code = skill.code();
    for document in code.documents.iter().filter(|document| !is_model(document.name)) {
        for command in document.commands.iter().filter(|command| !command.moved) {
            let Some(call) = command.invocation(code).filter(|call| call.fit == Fit::Elsewhere) else { continue };
            // A code span such as `draw.py --all` gives the script's name, not its path.
            if call.direct && (!command.in_shell || !call.path.text.contains('/')) {
                continue;
            }
            let (given, name) = (&call.path.text, &call.script.file.name);
            // From the root of the repository that the skill is in, or in a document for its developers.
            let own = skill.skill.path.file_name().unwrap_or_default();
            let from_above = given.split('/').skip(1).any(|part| part == own)
                || given.split('/').any(|part| matches!(part, "skills" | "plugins"));
            // `.tool/run.py`: a folder of the project, which something has put there.
            let is_hidden = given.starts_with('.') && !given.starts_with("./") && !given.starts_with("../");
            if is_hidden || is_from_root(document.text(), call.path.span.start) {
                continue;
            }
            if from_above || is_for_people(document.name) || is_report(document.name) {
                continue;
            }
            // A page next to the script speaks from there.
            let folder = document.name.rsplit_once('/').map_or("", |(folder, _)| folder);
            if !folder.is_empty() && joined(folder, given).as_deref() == Some(name) {
                continue;
            }
            let message = message!(
                "from the skill's folder, `{given}` is not there; the script is `{name}`",
                "从技能文件夹出发找不到 `{given}`，脚本是 `{name}`"
            );
            let finding = report.at(document.path, call.path.span, message);
            if call.path.span.of(document.text()) == given {
                finding.replace(message!("Write {name}", "改为 {name}"), call.path.span, name.clone());
            }
            page::weigh(finding, skill.path());
        }
    }
}

/// A specification or a summary of work on the skill.
fn is_report(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    let stem = file.split('.').next().unwrap_or_default();
    stem.len() > 3 && stem.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_') && stem != "SKILL"
}

/// `(from the repo root)`: the lines around a command say where it is run.
fn is_from_root(text: &str, at: usize) -> bool {
    let start = text[..at].rmatch_indices('\n').nth(ABOVE).map_or(0, |(start, _)| start);
    let end = text[at..].match_indices('\n').nth(1).map_or(text.len(), |(end, _)| at + end);
    let near = text[start..end].to_lowercase();
    let roots = [
        "repo root",
        "repository root",
        "project root",
        "root of the repo",
        "root of the project",
        "project directory",
        "project folder",
        "仓库根",
        "项目根",
        "项目目录",
    ];
    roots.iter().any(|root| near.contains(root))
}

/// Lines before that of the command.
const ABOVE: usize = 3;
