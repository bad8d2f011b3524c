use super::destructive_command;
use crate::analysis::context;
use crate::pattern::{Match, Patterns, Scope};
use crate::{Check, Deed, Example, Group, Mark, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "destructive-command-named",
    group: Group::Security,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Names a command that destroys data", "提到破坏性命令"),
    what: Wording::new(
        "The commands of `destructive-command` if nothing runs them as they stand and no sentence says to run them: a string of a script, a command that a text names. It is less severe unless a script keeps it in a variable.",
        "`destructive-command` 所列的命令，但不会直接运行，也没有句子要求运行：脚本里的字符串，或文中仅提到的命令。除非脚本把它存进变量，否则严重程度降低。",
    ),
    why: Wording::new(
        "A program may run what one of its strings says, and an agent may take a mention for an order.",
        "程序可能运行字符串中的内容，智能体也可能把提及当成要求。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
The last step is `rm -rf ~/`.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
The last step is `rm -rf ./build`.
",
    )]),
    hides: &[],
    marks: &[Mark::Evidence(Deed::Runs)],
    source: "claude-code-lint; cisco-ai-skill-scanner",
    fix: None,
    check: Check::Pattern(Patterns {
        scope: Scope::Code,
        patterns: destructive_command::PATTERNS,
        unless: Some(|found| context::is_comment(found) || destructive_command::is_meant(found)),
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
    // The text around an order changes nothing, unless it forbids it.
    match context::only_named(found) {
        Some(named) => Some(context::only_shown(found).unwrap_or(named)),
        None => context::forbidden(found),
    }
}
