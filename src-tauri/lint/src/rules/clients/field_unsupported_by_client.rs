use crate::analysis::client::{self, Client};
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::source::Span;
use skill::{Field, Severity};
use wording::message;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "field-unsupported-by-client",
    group: Group::Clients,
    severity: Severity::Warning,
    on: false,
    title: Wording::new("Client does not read this field", "客户端不支持该字段"),
    what: Wording::new(
        "A field of the frontmatter that some client defines, but not the one that the skill is for: the client \
           in whose folder it lies (`.cursor/skills`, `.kiro/skills` …), or those that the settings name.",
        "前置元数据中的字段由某个客户端定义，技能所面向的客户端却不支持。技能面向哪个客户端，由它所在的文件夹（`.cursor/skills`、\
         `.kiro/skills` 等）或设置决定。",
    ),
    why: Wording::new(
        "The field has no effect there: a skill that should run apart, by hand only, or with another model, does \
          not.",
        "该字段在那里不起作用：本应单独运行、只能手动启动或使用其他模型的技能，并不会如此。",
    ),
    bad: Example {
        folder: ".kiro/skills/demo",
        files: &[(
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
model: haiku
---
Do it.
",
        )],
    },
    good: Example {
        folder: ".kiro/skills/demo",
        files: &[(
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
license: MIT
---
Do it.
",
        )],
    },
    hides: &[],
    marks: &[],
    source: "documentation of the clients; Eino: adk/middlewares/skill",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let clients: Vec<&Client> = client::named(skill).collect();
    let Some(frontmatter) = skill.manifest().frontmatter.as_ref().filter(|_| !clients.is_empty()) else { return };
    let reads = |client: &Client, field: &Field| client.fields.contains(&field.key.as_str());
    for field in frontmatter.fields.iter().filter(|field| client::ALL.iter().any(|client| reads(client, field))) {
        let without: Vec<&Client> = clients.iter().copied().filter(|client| !reads(client, field)).collect();
        if without.is_empty() {
            continue;
        }
        let (key, Message { en, zh }) = (&field.key, client::titles(without));
        let message = message!(
            "{en} does not read `{key}`: it has no effect there; delete it, or say it in the text",
            "{zh} 不读取 `{key}`：它在那里不起作用；删除它，或写进正文"
        );
        let title = message!("Delete {key}", "删除 {key}");
        report.at(skill.path(), field.key_span, message).replace(title, lines(skill, field), "");
    }
}

/// The whole lines of a field.
fn lines(skill: &Subject<'_>, field: &Field) -> Span {
    let text = skill.text();
    let end = field.value_span.end.max(field.key_span.end);
    let start = text[..field.key_span.start].rfind('\n').map_or(0, |at| at + 1);
    Span::new(start, text[end..].find('\n').map_or(text.len(), |at| end + at + 1))
}
