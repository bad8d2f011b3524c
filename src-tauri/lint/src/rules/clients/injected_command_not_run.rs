use crate::analysis::client;
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use wording::message;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "injected-command-not-run",
    group: Group::Clients,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Command is not run", "注入的命令不会执行"),
    what: Wording::new(
        "A command that Claude Code should run while it loads the skill, an exclamation mark and the command \
         between backticks, in a place in which it does not: right after `=`, `:`, a quotation mark or a \
         bracket, without a space. Also any such command in a skill that is expressly for other clients.",
        "本应由 Claude Code 在加载技能时运行的命令（感叹号加反引号中的命令）写在了不会运行的位置：紧跟在 `=`、\
         `:`、引号或括号之后，中间没有空格。明确面向其他客户端的技能中的此类命令也会报告。",
    ),
    why: Wording::new(
        "The model gets the command as text instead of what it prints.",
        "模型得到的是命令的文本，而不是它的输出。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
BRANCH=!`git branch --show-current`
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Branch: !`git branch --show-current`
",
    )]),
    hides: &[],
    marks: &[],
    source: "Claude Code documentation: skills, errors",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let expressly: Vec<&client::Client> = client::named(skill).collect();
    let others = !expressly.is_empty() && !client::is_for(skill, &client::CLAUDE_CODE);
    let text = skill.text();
    // A text that only shows the syntax is in a longer code span or in a fence.
    let mut found = 0;
    for code in &skill.markdown().codes {
        let ticks = text[..code.start].trim_end().strip_suffix('`');
        let Some(before) = ticks.and_then(|before| before.strip_suffix('!')) else { continue };
        let last = before.chars().next_back();
        let glued = last.is_some_and(|letter| "=:\"'([{>|".contains(letter));
        let loose = last.is_none_or(char::is_whitespace);
        let place = Span::new(before.len(), code.end);
        found += usize::from(glued || (others && loose));
        if found > MOST {
            return;
        }
        if others && (glued || loose) {
            let Message { en, zh } = client::titles(expressly.iter().copied());
            let message = message!(
                "{en} does not run injected commands; tell the model to run it",
                "{zh} 不运行注入的命令；改为让模型运行它"
            );
            report.at(skill.path(), place, message);
        } else if glued && client::may_be_for(skill, &client::CLAUDE_CODE) {
            let message = Wording::new(
                "Claude Code runs it only at the beginning of a line or after a space; put a space before the `!`",
                "Claude Code 只在行首或空格之后运行它；在 `!` 前加一个空格",
            );
            let title = Wording::new("Put a space before it", "在前面加一个空格");
            report.at(skill.path(), place, message).replace(title, Span::new(before.len(), before.len()), " ");
        }
    }
}

/// Findings in one skill; further ones say nothing new.
const MOST: usize = 20;
