use std::sync::LazyLock;

use regex::Regex;

use super::MOST;
use crate::references::{Aim, Reference};
use crate::texts::for_each_page;
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "windows-path",
    group: Group::Links,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Path with backslashes", "路径使用反斜杠"),
    what: Wording::new(
        "A relative path with `\\` in a link, in prose, in a code span or run by a command. Escapes of Markdown, \
         expressions, paths with a drive, and paths that the line warns against are left alone. The fix writes \
         `/`.",
        "链接、正文、行内代码或命令中含有 `\\` 的相对路径。Markdown 转义、表达式、带盘符的路径，\
         以及该行告诫不要使用的路径不检查。修复会改用 `/`。",
    ),
    why: Wording::new(
        "Only Windows reads it as a path; everywhere else it is a file name with a backslash in it. `/` \
           works on all.",
        "只有 Windows 把它当作路径；在其他系统上，它是一个含有反斜杠的文件名。`/` 处处可用。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `scripts\count.py`.
",
        ),
        ("scripts/count.py", "print(1)\n"),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `scripts/count.py`; it matches `\d+\.py`.
",
        ),
        ("scripts/count.py", "print(1)\n"),
    ]),
    hides: &[],
    marks: &[],
    source: "Anthropic, Skill authoring best practices; agnix XP-SK-004",
    fix: Some(Applicability::Safe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for_each_page(skill, |page| {
        let Some(found) = skill.references().pages.iter().find(|found| found.file == page.file) else { return };
        let is_wrong = |reference: &&Reference| {
            reference.written.contains('\\')
                && reference.aim != Aim::Absolute
                && !is_warned_of(&page.text[..reference.span.start])
        };
        for reference in found.references.iter().filter(is_wrong).take(MOST) {
            let path = reference.written.replace('\\', "/");
            let message = message!(
                "`{}` is a path on Windows alone; write `{path}`",
                "`{}` 只在 Windows 上是路径；改为 `{path}`",
                reference.written
            );
            let finding = report.at(page.path, reference.span, message);
            if reference.span.len() == reference.written.len() {
                finding.replace(message!("Write {path}", "改为 {path}"), reference.span, path);
            }
        }
    });
}

/// Whether the line says, before a path, how not to write one.
fn is_warned_of(before: &str) -> bool {
    let near = &before[before.floor_char_boundary(before.len().saturating_sub(REACH))..];
    WARNING.is_match(near.rsplit('\n').next().unwrap_or_default())
}

/// How many bytes before a path are checked.
const REACH: usize = 200;

static WARNING: LazyLock<Regex> = LazyLock::new(|| {
    let english = "avoid|never|no|not|do not|don['’]t|must not|instead of|rather than|wrong|bad|incorrect";
    Regex::new(&format!(r"(?i)\b(?:{english})\b|[✗✖❌]|不要|避免|切勿|错误")).expect("a test compiles it")
});
