use crate::analysis::context;
use crate::pattern::{Pattern, Patterns, Scope};
use crate::{Check, Deed, Example, Group, Mark, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "exec-find",
    group: Group::Security,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Searches the whole disk to change it", "全盘查找并执行"),
    what: Wording::new(
        "`find` from `/`, `~` or `$HOME` with `-delete`, or with `-exec` of a command that removes, changes rights or sends.",
        "从 `/`、`~` 或 `$HOME` 开始的 `find` 带有 `-delete`，或用 `-exec` 执行删除、修改权限或发送的命令。",
    ),
    why: Wording::new("It reaches every file the user has.", "它会波及用户的所有文件。"),
    bad: Example::skill(&[(
        "SKILL.md",
        r#"---
name: demo
description: Use when asked for a demo.
---
Run this:

```sh
find / -name "*.log" -exec rm {} \;
```
"#,
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r#"---
name: demo
description: Use when asked for a demo.
---
Run this:

```sh
find ./out -name "*.log" -delete
```
"#,
    )]),
    hides: &[],
    marks: &[Mark::Evidence(Deed::Runs)],
    source: "cisco-ai-skill-scanner FIND_EXEC_PATTERN",
    fix: None,
    check: Check::Pattern(Patterns {
        scope: Scope::Code,
        patterns: PATTERNS,
        unless: Some(context::is_comment),
        milder: Some(context::only_shown),
    }),
};

const PATTERNS: &[Pattern] = &[Pattern {
    expression: r#"(?i)(?-u:\b)find\s+["\']?(?:/|~/?|\$HOME/?|\$\{HOME\}/?)["\']?\s[^\n]*(?:-delete|-exec(?:dir)?\s+(?:sudo\s+)?(?:rm|shred|chmod|chown|mv|curl|nc|(?:ba)?sh)(?-u:\b))[^\n]*"#,
    lines: 0,
    message: Wording::new(
        "`{}` reaches all of the user's files: name a folder",
        "`{}` 会波及用户的所有文件，请指定文件夹",
    ),
}];
