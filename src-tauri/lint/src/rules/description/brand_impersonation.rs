use std::sync::LazyLock;

use regex::Regex;

use crate::analysis::described::Described;
use crate::analysis::language::compiled;
use crate::literals::Literals;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "brand-impersonation",
    group: Group::Description,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Description claims to be official", "描述自称官方"),
    what: Wording::new(
        "A description that calls the skill official, certified or made by Anthropic, OpenAI, Google, Microsoft or GitHub.",
        "描述自称官方、经过认证，或由 Anthropic、OpenAI、Google、Microsoft 或 GitHub 制作。",
    ),
    why: Wording::new(
        "Models and users trust it more than they should. If it is true, the reader still cannot check it there.",
        "模型和用户会因此过于信任它。即使属实，读者也无法在那里核实。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: The official Anthropic skill for PDF files. Use when asked for a PDF.
---
Do it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Uses the official Google Sheets API. Use when asked for a sheet made by Google Forms.
---
Do it.
",
    )]),
    hides: &[],
    marks: &[],
    source: "Cisco skill-scanner",
    fix: None,
    check: Check::Skill(check),
};

static CLAIM: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"(?ix)\b(?:official|certified|verified|approved|endorsed)\s+(?:Anthropic|Claude(?:\s+Code)?|OpenAI|Google|Microsoft|GitHub)(?:'s)?\s+(?:agent\s+)?(?:skill|plugin|extension|assistant)\b
        | \b(?:skill|plugin)\s+(?:is\s+)?(?:made|built|created|published|certified|approved|endorsed|verified)\s+by\s+(?:Anthropic|OpenAI|Google|Microsoft|GitHub)\b
        | (?:Anthropic|Claude|OpenAI|谷歌|微软)\s*官方(?:技能|插件)",
    )
});

/// Every claim in ASCII has one of these.
static MARKS: LazyLock<Literals> =
    LazyLock::new(|| Literals::new(&["anthropic", "claude", "openai", "google", "microsoft", "github"]));

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(description) = Described::of(skill) else { return };
    if description.text.is_ascii() && !MARKS.is_in(description.text) {
        return;
    }
    if let Some(claim) = CLAIM.find(description.text) {
        let message = message!(
            "readers cannot check `{}`; leave the claim out",
            "读者无法核实 `{}`；请去掉这种说法",
            claim.as_str()
        );
        report.at(skill.path(), description.place(claim.as_str()), message);
    }
}
