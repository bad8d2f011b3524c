use crate::analysis::client;
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "claude-model",
    group: Group::Clients,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Claude Code has no such model", "Claude Code 没有此模型"),
    what: Wording::new(
        "In a skill for Claude Code: a `model` that is one of another maker (`gpt-4`, `gemini-pro` …), or nearly \
           one of its short names.",
        "",
    ),
    why: Wording::new("Claude Code runs the skill with the session's model, or stops with an error.", ""),
    bad: Example {
        folder: ".claude/skills/demo",
        files: &[(
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
model: gpt-4
---
Do it.
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
model: sonnet
---
Do it.
",
        )],
    },
    hides: &[],
    source: "Claude Code documentation: skills, model configuration",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("model").filter(|_| client::is_for(skill, &client::CLAUDE_CODE)) else { return };
    let Some(model) = field.value.as_str() else {
        let message = "`model` must be one name, e.g. `sonnet` or `inherit`";
        report.at(skill.path(), client::place(field), message);
        return;
    };
    let lower = model.to_lowercase();
    // Gateways and clouds name models as they like.
    if lower.contains("claude") || lower.contains("anthropic") || lower.contains(['/', ':']) {
        return;
    }
    if OTHERS.iter().any(|maker| lower.starts_with(maker)) {
        let message =
            format!("`{model}` is no model of Claude Code; write {}, or leave `model` out", MODELS.join(", "));
        report.at(skill.path(), field.value_span, message);
    } else if let Some(meant) = client::nearest(model, &MODELS) {
        let message = format!("Claude Code has no model `{model}`; did you mean `{meant}`?");
        let finding = report.at(skill.path(), field.value_span, message);
        finding.replace(format!("Write {meant}"), field.value_span, meant);
    }
}

const MODELS: [&str; 7] = ["sonnet", "opus", "haiku", "inherit", "default", "best", "opusplan"];
const OTHERS: [&str; 10] = ["gpt-", "o1", "o3", "o4-", "gemini", "llama", "mistral", "deepseek", "qwen", "grok"];
