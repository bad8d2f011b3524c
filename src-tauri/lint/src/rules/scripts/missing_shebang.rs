use super::{interpreter, run_by_themselves};
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "missing-shebang",
    group: Group::Scripts,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Script that is run by itself names no interpreter", "直接运行的脚本缺少 shebang"),
    what: Wording::new(
        "A script that a command in a shell fence runs by its path alone, e.g. `scripts/make.py --all`, and whose first line is not `#!`.",
        "",
    ),
    why: Wording::new(
        "The system does not know what to run it with: a shell tries to read it as shell, other callers get “Exec format error”.",
        "",
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
        let message =
            format!("`{}` is run by its path alone; begin it with `#!/usr/bin/env {first}`", script.file.name);
        let end = script.text().find('\n').unwrap_or(script.text().len());
        let finding = report.at(&script.file.path, Span::new(0, end), message);
        let line = format!("#!/usr/bin/env {first}\n");
        finding.replace(format!("Begin with #!/usr/bin/env {first}"), Span::new(0, 0), line);
    }
}
