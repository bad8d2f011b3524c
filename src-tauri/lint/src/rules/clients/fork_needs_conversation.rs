use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "fork-needs-conversation",
    group: Group::Clients,
    severity: Severity::Warning,
    on: false,
    title: Wording::new("A fork that looks back at the conversation", "fork 的子智能体看不到此前对话"),
    what: Wording::new(
        "`context: fork` with instructions that mention the conversation so far: \"the conversation above\", \
         \"as discussed\", \"the previous messages\", \"上文对话\", \"刚才讨论\".",
        "`context: fork` 的指令提到了此前的对话：\"the conversation above\"、\"as discussed\"、\
         \"the previous messages\"、“上文对话”、“刚才讨论”。",
    ),
    why: Wording::new(
        "A forked sub-agent starts with the instructions alone. It cannot see what was said, and guesses. Eino's \
          `fork_with_context` takes the conversation along.",
        "fork 的子智能体一开始只有指令，看不到此前说过什么，只能猜。Eino 的 `fork_with_context` 会带上对话。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
context: fork
---
Summarize the conversation above as a list of decisions.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
context: fork
---
Summarize the changes since the last tag as a list.
",
    )]),
    hides: &[],
    marks: &[],
    source: "Claude Code documentation: skills; Eino: adk/middlewares/skill/skill.go",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    if skill.value("context") != Some("fork") {
        return;
    }
    for prose in &skill.markdown().prose {
        let text = prose.of(skill.text());
        let lower = text.to_ascii_lowercase();
        let found = PHRASES.iter().find_map(|phrase| Some((lower.find(phrase)?, *phrase)));
        // `**Conversation history**` in a list of parts is a name, and asks for nothing.
        let is_name = |at: usize| {
            let before = &skill.text()[..prose.start + at];
            before.ends_with("**") && before.trim_end_matches('*').ends_with(['-', '.', '|', ' '])
        };
        if let Some((at, phrase)) = found.filter(|(at, _)| !is_name(*at)) {
            let place = Span::new(at, at + phrase.len()).shift(prose.start);
            let message = message!(
                "a forked sub-agent sees no conversation, so `{}` means nothing to it; pass what it needs as arguments",
                "fork 的子智能体看不到对话，`{}` 对它没有意义；把需要的内容作为参数传入",
                place.of(skill.text())
            );
            report.at(skill.path(), place, message);
            return;
        }
    }
}

const PHRASES: [&str; 12] = [
    "conversation above",
    "conversation so far",
    "above conversation",
    "current conversation",
    "conversation history",
    "previous messages",
    "earlier in this conversation",
    "as discussed above",
    "上文对话",
    "之前的对话",
    "刚才讨论",
    "对话历史",
];
