use super::{interpreter, run_by_themselves};
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "not-executable",
    group: Group::Scripts,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Script that is run by itself may not be executed", "直接运行的脚本没有执行权限"),
    what: Wording::new(
        "A script that a command in a shell fence runs by its path alone, and whose file has no permission to be executed.",
        "Shell 代码块中的命令只凭路径运行脚本，而脚本文件没有执行权限。",
    ),
    why: Wording::new(
        "The command ends in “Permission denied”, and the agent has to find out why.",
        "命令会以“Permission denied”结束，智能体还得自己找原因。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
```bash
scripts/make.py --all
```
",
        ),
        ("scripts/make.py", "print(\"made\")\n"),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
```bash
python3 scripts/make.py --all
```
",
        ),
        ("scripts/make.py", "print(\"made\")\n"),
    ]),
    hides: &[],
    marks: &[],
    source: "POSIX execve",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let code = skill.code();
    let run = run_by_themselves(code);
    for script in &code.scripts {
        let Some((document, path)) = run.get(script.file.name.as_str()).copied() else { continue };
        if skill.disk().is_executable(&script.file.path) {
            continue;
        }
        let name = &script.file.name;
        let first = interpreter(script.language);
        let message = message!(
            "`{name}` may not be executed: `chmod +x {name}`, or run it as `{first} {name}`",
            "`{name}` 没有执行权限，请运行 `chmod +x {name}`，或改用 `{first} {name}` 运行"
        );
        let finding = report.at(document, path, message);
        finding.replace(
            message!("Run it with {first}", "用 {first} 运行"),
            Span::new(path.start, path.start),
            format!("{first} "),
        );
    }
}
