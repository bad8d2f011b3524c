use super::{interpreter, run_by_themselves};
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "missing-shebang",
    group: Group::Scripts,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Script that is run by itself names no interpreter", "直接运行的脚本缺少 shebang"),
    what: Wording::new(
        "A script that a command in a shell fence runs by its path alone, e.g. `scripts/make.py --all`, and whose first line is not `#!`.",
        "Shell 代码块中的命令只凭路径运行脚本，例如 `scripts/make.py --all`，而脚本的第一行不是 `#!`。",
    ),
    why: Wording::new(
        "The system does not know what to run it with: a shell tries to read it as shell, other callers get “Exec format error”.",
        "系统不知道用什么来运行它：Shell 会把它当作 Shell 脚本来读，其他调用方则得到“Exec format error”。",
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
scripts/make.py --all
```
",
        ),
        (
            "scripts/make.py",
            r#"#!/usr/bin/env python3
print("made")
"#,
        ),
    ]),
    hides: &[],
    marks: &[],
    source: "claude-code-lint; POSIX execve",
    fix: Some(Applicability::Safe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let code = skill.code();
    let run = run_by_themselves(code);
    let bare = code.scripts.iter().filter(|script| script.shebang.is_none());
    for script in bare.filter(|script| run.contains_key(script.file.name.as_str())) {
        let first = interpreter(script.language);
        let message = message!(
            "`{}` is run by its path alone; begin it with `#!/usr/bin/env {first}`",
            "`{}` 只凭路径运行，请以 `#!/usr/bin/env {first}` 开头",
            script.file.name
        );
        let end = script.text().find('\n').unwrap_or(script.text().len());
        let finding = report.at(&script.file.path, Span::new(0, end), message);
        let line = format!("#!/usr/bin/env {first}\n");
        finding.replace(
            message!("Begin with #!/usr/bin/env {first}", "以 #!/usr/bin/env {first} 开头"),
            Span::new(0, 0),
            line,
        );
    }
}
