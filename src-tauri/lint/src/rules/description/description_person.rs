use std::sync::LazyLock;

use regex::Regex;

use crate::analysis::described::Described;
use crate::analysis::language::compiled;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "description-person",
    group: Group::Description,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Description speaks as I or to you", "描述使用了第一或第二人称"),
    what: Wording::new(
        "A sentence of the description that begins with `I`, `We`, `You can`, `You are` or `Your` (`我`, `你可以`, `你是`). \
           Requests such as `Use when …` are fine.",
        "",
    ),
    why: Wording::new(
        "The description stands in the system prompt between others: `I` is then the model and `you` the model or the \
          user, and a role such as `You are an expert` is taken on without the skill.",
        "",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: I can help you extract tables from PDF files when you ask.
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r#"---
name: demo
description: Extracts tables from PDF files. Use when the user says "I need this table".
---
Do it.
"#,
    )]),
    hides: &[],
    source: "Anthropic: skill authoring best practices",
    fix: None,
    check: Check::Skill(check),
};

static PERSON: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"(?:^|[.!?]\s+|[。！？]\s*)((?:I|I'm|I’m|I'll|I’ll|I've|We|We're|We'll|You can|You will|You'll|You are|You're|Your|My|Our)\b|我们?(?:会|能|可以|将|是)|[你您](?:可以|能|会|是|将))",
    )
});

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(description) = Described::of(skill) else { return };
    let speaks = |word: &str| ["I", "We", "You", "My", "Our"].iter().any(|person| word.starts_with(person));
    if description.text.is_ascii() && !description.text.split_whitespace().any(speaks) {
        return;
    }
    if let Some(person) = PERSON.captures(description.text).and_then(|found| found.get(1)) {
        let message = format!(
            "the description says `{}`; write what the skill does: `Extracts …`, `Use when …`",
            person.as_str()
        );
        report.at(skill.path(), description.place(person.as_str()), message);
    }
}
