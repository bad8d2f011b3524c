use std::sync::LazyLock;

use regex::Regex;

use crate::analysis::described::Described;
use crate::analysis::language::compiled;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "description-person",
    group: Group::Description,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Description speaks as I or to you", "描述使用了第一或第二人称"),
    what: Wording::new(
        "A sentence of the description that begins with `I`, `We`, `You can`, `You are` or `Your` (`我`, `你可以`, `你是`). \
           Requests such as `Use when …` are fine.",
        "描述中有以 `I`、`We`、`You can`、`You are` 或 `Your`（`我`、`你可以`、`你是`）开头的句子。`Use when …` \
         之类的祈使句没有问题。",
    ),
    why: Wording::new(
        "In the system prompt the description is one of many: there `I` is the model, `you` is the model or the \
         user, and a role such as `You are an expert` is taken on without the skill.",
        "描述与其他描述一起放在系统提示词中：`我` 就成了模型，`你` 成了模型或用户，`You are an expert` \
         之类的角色即使不加载技能也会生效。",
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
    marks: &[],
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
        let message = message!(
            "the description says `{}`; write what the skill does: `Extracts …`, `Use when …`",
            "描述中写了 `{}`；请写技能做什么：`提取…`、`当…时使用`",
            person.as_str()
        );
        report.at(skill.path(), description.place(person.as_str()), message);
    }
}
