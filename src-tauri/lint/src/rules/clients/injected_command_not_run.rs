use crate::analysis::client;
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "injected-command-not-run",
    group: Group::Clients,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Command is not run", "注入的命令不会执行"),
    what: Wording::new(
        "A command that Claude Code should run while it loads the skill, an exclamation mark and the command \
           between backticks, where it does not: right behind `=`, `:`, a quotation mark or a bracket, without a \
           blank. Also any such command in a skill that is expressly for other clients.",
        "",
    ),
    why: Wording::new("The model gets the command as text instead of what it prints.", ""),
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
    source: "Claude Code documentation: skills, errors",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let expressly: Vec<&client::Client> = client::named(skill).collect();
    let others = !expressly.is_empty() && !client::is_for(skill, &client::CLAUDE_CODE);
    let text = skill.text();
    // Where a text shows how it is written, all of it lies in a longer code span or in a fence.
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
            let titles = client::titles(expressly.iter().copied());
            let message = format!("{titles} does not run injected commands; tell the model to run it");
            report.at(skill.path(), place, message);
        } else if glued && client::may_be_for(skill, &client::CLAUDE_CODE) {
            let message =
                "Claude Code runs it only at a line's beginning or behind a blank; put a blank before the `!`";
            report.at(skill.path(), place, message).replace(
                "Put a blank before it",
                Span::new(before.len(), before.len()),
                " ",
            );
        }
    }
}

/// Findings in one skill; further ones say nothing new.
const MOST: usize = 20;
