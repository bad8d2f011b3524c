use crate::analysis::client;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "claude-placeholder-in-code",
    group: Group::Clients,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Argument placeholder in code", "代码中的参数占位符"),
    what: Wording::new(
        "In a skill for Claude Code: `$0` to `$9` in a block of shell or awk code, if the skill names no \
         arguments.",
        "在面向 Claude Code 的技能中：技能没有写明参数，shell 或 awk 代码块中却有 `$0` 到 `$9`。",
    ),
    why: Wording::new(
        "Claude Code puts the skill's arguments there before the model reads the code, so that `awk '{print $1}'` \
          prints something else.",
        "Claude Code 会在模型读到代码之前把它们替换成技能的参数，`awk '{print $1}'` 输出的就成了别的内容。",
    ),
    bad: Example {
        folder: ".claude/skills/demo",
        files: &[(
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
```bash
ps -eo pid,rss | awk '{print $1}'
```
",
        )],
    },
    good: Example {
        folder: ".claude/skills/demo",
        files: &[(
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
```bash
ps -eo pid,rss | awk '{print \$1}'
```
",
        )],
    },
    hides: &[],
    marks: &[],
    source: "Claude Code documentation: skills",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let wants_them = skill.field("argument-hint").is_some() || skill.field("arguments").is_some();
    if wants_them || !client::is_for(skill, &client::CLAUDE_CODE) {
        return;
    }
    let shells = ["bash", "sh", "shell", "zsh", "console", "awk"];
    for fence in skill.markdown().fences.iter().filter(|fence| shells.contains(&fence.language.as_str())) {
        let code = Span::new(fence.start, fence.span.end);
        if let Some(at) = placeholder(code.of(skill.text())) {
            let place = Span::new(at, at + 2).shift(code.start);
            let message = message!(
                "Claude Code replaces `{0}` with an argument of the skill; write `\\{0}` if the shell's is meant",
                "Claude Code 会把 `{0}` 替换成技能的参数；如果指的是 shell 的参数，写 `\\{0}`",
                place.of(skill.text())
            );
            report.at(skill.path(), place, message);
        }
    }
}

fn placeholder(code: &str) -> Option<usize> {
    let bytes = code.as_bytes();
    let is_one = |at: &usize| {
        bytes.get(at + 1).is_some_and(u8::is_ascii_digit)
            && !bytes.get(at + 2).is_some_and(u8::is_ascii_digit)
            && (*at == 0 || !matches!(bytes[at - 1], b'\\' | b'$'))
    };
    code.match_indices('$').map(|(at, _)| at).find(is_one)
}
