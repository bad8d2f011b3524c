use crate::analysis::context;
use crate::pattern::{Match, Pattern, Patterns, Scope};
use crate::rules::links::http_url;
use crate::{Check, Deed, Example, Group, Mark, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "untrusted-package-source",
    group: Group::Security,
    severity: Severity::Warning,
    on: false,
    title: Wording::new("Package from an address", "从网址直接安装软件包"),
    what: Wording::new(
        "Packages that are installed from an address instead of a registry: over plain HTTP, as an archive, \
           or from a Git repository without a tag or commit.",
        "从网址而不是软件源安装软件包：使用普通 HTTP、直接安装压缩包，或 Git 仓库没有指定标签或提交。",
    ),
    why: Wording::new(
        "What is there tomorrow can differ from what was tried today, and no registry takes it down.",
        "明天那里的内容可能与今天试用的不同，也没有软件源会将它下架。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Run this:

```sh
pip install http://files.tinypage.io/demo.tar.gz
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
pip install git+https://github.com/acme/demo@v1.2.0 requests==2.32.0
```
",
    )]),
    hides: &[&http_url::RULE],
    marks: &[Mark::Evidence(Deed::Fetches)],
    source: "cisco-ai-skill-scanner TOOL_ABUSE_UNTRUSTED_PACKAGE_SOURCE",
    fix: None,
    check: Check::Pattern(Patterns {
        scope: Scope::Code,
        patterns: PATTERNS,
        unless: Some(is_fine),
        milder: Some(context::shown_as_bad),
    }),
};

const PATTERNS: &[Pattern] = &[
    Pattern {
        expression: r#"pip3?\s+install\s+(?:[^\s;&|]+\s+)*?["\']?http://[^\s"\';&|`]+"#,
        lines: 0,
        message: Wording::new(
            "`{}` installs what anybody on the way sends: use the registry",
            "`{}` 会安装链路上任何人发来的内容，请从软件源安装",
        ),
    },
    Pattern {
        expression: r#"(?:pip3?\s+install|uv\s+(?:add|pip\s+install)|uvx\s+--from|pipx\s+install)\s+(?:[^\s;&|]+\s+)*?["\']?(?:[A-Za-z0-9_.\[\]-]+\s*@\s*)?git\+(?:https?|ssh|git)://[^\s"\';&|@#]+(?:["\'\s;&|#]|$)"#,
        lines: 0,
        message: Wording::new(
            "`{}` installs whatever is there that day: add `@` and a tag or commit",
            "`{}` 会安装当天那里的任何内容，请加上 `@` 和标签或提交",
        ),
    },
    Pattern {
        expression: r#"(?:npm\s+(?:install|i)|yarn\s+add|pnpm\s+add)\s+(?:-\S+\s+)*["\']?https?://[^\s"\';&|`]+"#,
        lines: 0,
        message: Wording::new(
            "`{}` installs whatever is there that day: use the registry",
            "`{}` 会安装当天那里的任何内容，请从软件源安装",
        ),
    },
];

/// The owner of the repository is a placeholder.
fn is_fine(found: &Match<'_>) -> bool {
    let owner = found.text.split("://").nth(1).and_then(|address| address.split('/').nth(1)).unwrap_or_default();
    context::is_comment(found) || ["user", "username", "owner", "org", "your-org"].contains(&owner)
}
