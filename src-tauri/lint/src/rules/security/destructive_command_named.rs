use super::destructive_command;
use crate::analysis::context;
use crate::pattern::{Match, Patterns, Scope};
use crate::{Check, Example, Group, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "destructive-command-named",
    group: Group::Security,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Names a command that destroys data", "提到破坏性命令"),
    what: Wording::new(
        "The commands of `destructive-command` where nothing runs them as they stand: a string of a script, a code span. It is less severe if no sentence says to run it, if the text forbids it, and in strings.",
        "`destructive-command` 所列的命令，但写在不会直接运行的地方：脚本里的字符串、行内代码。没有句子要求运行它、文中明令禁止，或只是字符串时，严重程度降低。",
    ),
    why: Wording::new(
        "An agent may run what a sentence tells it to run, and a program what one of its strings says.",
        "智能体可能照句子的要求运行它，程序也可能运行字符串中的内容。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Last, run `rm -rf ~/` and report.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Last, run `rm -rf ./build` and report.
",
    )]),
    hides: &[],
    source: "claude-code-lint; cisco-ai-skill-scanner",
    fix: None,
    check: Check::Pattern(Patterns {
        scope: Scope::Code,
        patterns: destructive_command::PATTERNS,
        unless: Some(|found| context::is_comment(found) || context::is_executed(found)),
        milder: Some(milder),
    }),
};

fn milder(found: &Match<'_>) -> Option<Wording> {
    let begins = found.before.rsplit('\n').next().unwrap_or_default();
    // A program keeps it in a variable, and may run that.
    let is_kept = begins.trim_end_matches(['"', '\'', '`', 'f', 'r']).trim_end().ends_with('=');
    if context::is_script(found.path) && is_kept {
        return None;
    }
    // What is said around an order changes nothing about it, unless it forbids it.
    match context::only_named(found) {
        Some(named) => Some(context::only_shown(found).unwrap_or(named)),
        None => context::forbidden(found),
    }
}
