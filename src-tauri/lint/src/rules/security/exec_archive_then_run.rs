use crate::analysis::context;
use crate::pattern::{Pattern, Patterns, Scope};
use crate::{Check, Example, Group, Rule};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "exec-archive-then-run",
    group: Group::Security,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Archive with a password is unpacked", "解压加密压缩包并执行"),
    what: Wording::new(
        "A command that unpacks an archive with a password written beside it, or a downloaded archive and \
           runs what was in it on the same line.",
        "",
    ),
    why: Wording::new("A password on an archive in a skill has one use: scanners cannot look in.", ""),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Run this:

```sh
unzip -P infected tool.zip && ./tool/run.sh
```
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Run this:

```sh
unzip data.zip -d data
```
",
    )]),
    hides: &[],
    source: "ToxicSkills study; cisco-ai-skill-scanner COMPOUND_EXTRACT_EXECUTE",
    fix: None,
    check: Check::Pattern(Patterns {
        scope: Scope::Code,
        patterns: PATTERNS,
        unless: Some(context::is_comment),
        milder: Some(context::only_shown),
    }),
};

const PATTERNS: &[Pattern] = &[
    Pattern {
        expression: r#"(?i)(?-u:\b)unzip\s+(?:-[a-zA-Z]+\s+)*-P\s*[^\s$"\'<{]+[^\n]*"#,
        lines: 0,
        message: Wording::new("`{}` unpacks what no scanner can look into: ship the files as they are", ""),
    },
    Pattern {
        expression: r#"(?i)(?-u:\b)7za?\s+[xe]\s+[^\n]*-p[A-Za-z0-9]+"#,
        lines: 0,
        message: Wording::new("`{}` unpacks what no scanner can look into: ship the files as they are", ""),
    },
    Pattern {
        expression: r#"(?i)(?-u:\b)(?:curl|wget)\s[^\n]{0,200}(?:tar\s+-?[a-z]*x|unzip)[^\n]{0,120}(?:&&|;)\s*(?:\./\S+|(?:ba|z)?sh\s+\S+)"#,
        lines: 0,
        message: Wording::new(
            "`{}` runs what was in an archive from the network: check it against a checksum first",
            "",
        ),
    },
];
