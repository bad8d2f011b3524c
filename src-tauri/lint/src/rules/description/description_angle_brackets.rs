use crate::analysis::described::Described;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "description-angle-brackets",
    group: Group::Description,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Angle brackets in the description", "描述中含有尖括号"),
    what: Wording::new("`<` or `>` in the description or the name.", "描述或名称中的 `<` 或 `>`。"),
    why: Wording::new(
        "quick_validate, the Claude API and Codex refuse the skill. Elsewhere the description is inside XML in \
         the system prompt: some frameworks escape it, so the model reads `&lt;`, and in others a tag ends the \
         list of skills.",
        "quick_validate、Claude API 和 Codex 会拒绝该技能。在其他地方，描述位于系统提示词的 XML 中：\
         有的框架会转义，模型读到的是 `&lt;`；有的不转义，其中的标签会提前结束技能列表。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Turns <table> elements into CSV. Use when asked for a table of a page.
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Turns HTML tables into CSV. Use when asked for a table of a page.
---
Do it.
",
    )]),
    hides: &[],
    marks: &[],
    source: "quick_validate; Claude API; Codex",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(description) = Described::of(skill) else { return };
    let Some(start) = description.text.find(['<', '>']) else { return };
    let from = &description.text[start..];
    let tag = from.find('>').filter(|_| from.starts_with('<')).map(|end| &from[..=end]);
    let short = tag.filter(|tag| tag.len() <= LONGEST_TAG && !tag.contains(char::is_whitespace));
    let shown = short.unwrap_or(&from[..1]);
    let message = message!(
        "`{shown}` in the description is refused by some clients; say it in words",
        "有些客户端不接受描述中的 `{shown}`；请改用文字表述"
    );
    let finding = report.at(skill.path(), description.place(shown), message);
    if shown.len() == 1 {
        finding.weigh_less(Wording::new("it is no tag", "它不是标签"));
    }
}

const LONGEST_TAG: usize = 40;
