use crate::analysis::client;
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "claude-model",
    group: Group::Clients,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Claude Code has no such model", "Claude Code 没有此模型"),
    what: Wording::new(
        "In a skill for Claude Code: a `model` of another maker (`gpt-4`, `gemini-pro` …), or nearly one of its \
         short names.",
        "在面向 Claude Code 的技能中：`model` 是其他厂商的模型（`gpt-4`、`gemini-pro` 等），\
         或与它的某个简称只差一点。",
    ),
    why: Wording::new(
        "Claude Code runs the skill with the session's model, or stops with an error.",
        "Claude Code 会改用会话的模型运行技能，或报错停止。",
    ),
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
    marks: &[],
    source: "Claude Code documentation: skills, model configuration",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("model").filter(|_| client::is_for(skill, &client::CLAUDE_CODE)) else { return };
    let Some(model) = field.value.as_str() else {
        let message = Wording::new(
            "`model` must be one name, e.g. `sonnet` or `inherit`",
            "`model` 必须是一个名称，例如 `sonnet` 或 `inherit`",
        );
        report.at(skill.path(), client::place(field), message);
        return;
    };
    let lower = model.to_lowercase();
    // Gateways and clouds name models as they like.
    if lower.contains("claude") || lower.contains("anthropic") || lower.contains(['/', ':']) {
        return;
    }
    if OTHERS.iter().any(|maker| lower.starts_with(maker)) {
        let (en, zh) = (MODELS.join(", "), MODELS.join("、"));
        let message = message!(
            "`{model}` is not a model of Claude Code; write one of {en}, or leave `model` out",
            "`{model}` 不是 Claude Code 的模型；改为 {zh} 之一，或去掉 `model`"
        );
        report.at(skill.path(), field.value_span, message);
    } else if let Some(meant) = client::nearest(model, &MODELS) {
        let message = message!(
            "Claude Code has no model `{model}`; did you mean `{meant}`?",
            "Claude Code 没有模型 `{model}`；是不是想写 `{meant}`？"
        );
        let finding = report.at(skill.path(), field.value_span, message);
        finding.replace(message!("Write {meant}", "改为 {meant}"), field.value_span, meant);
    }
}

const MODELS: [&str; 7] = ["sonnet", "opus", "haiku", "inherit", "default", "best", "opusplan"];
const OTHERS: [&str; 10] = ["gpt-", "o1", "o3", "o4-", "gemini", "llama", "mistral", "deepseek", "qwen", "grok"];
