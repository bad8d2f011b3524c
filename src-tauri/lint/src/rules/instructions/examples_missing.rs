use crate::analysis::lines::words;
use crate::rules::example::{filled, text};
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "examples-missing",
    group: Group::Instructions,
    severity: Severity::Info,
    on: false,
    title: Wording::new("No example", "缺少示例"),
    what: Wording::new(
        "Instructions of 200 words or more without a code block, a quote or the word example (示例, 例如).",
        "200 个词以上的指令中没有代码块和引用，也没有出现 example、示例、例如等词。",
    ),
    why: Wording::new(
        "One example of input and output fixes the form better than a paragraph.",
        "一个输入和输出的示例，比一段文字更能说清格式。",
    ),
    bad: Example::skill(&[("SKILL.md", LONG)]),
    good: Example::skill(&[("SKILL.md", WITH_EXAMPLE)]),
    hides: &[],
    marks: &[],
    source: "agentskills.io specification, recommended sections; claude-code-lint",
    fix: None,
    check: Check::Skill(check),
};

static BYTES: [u8; 1079] = filled(
    "---\nname: demo\ndescription: Use when asked for a demo.\n---\n",
    "Weigh it and say how heavy it is.\n",
    "",
);
const LONG: &str = text(&BYTES);

static BYTES_WITH_EXAMPLE: [u8; 1097] = filled(
    "---\nname: demo\ndescription: Use when asked for a demo.\n---\n",
    "Weigh it and say how heavy it is.\n",
    "\nExample: \"3 kg\".\n",
);
const WITH_EXAMPLE: &str = text(&BYTES_WITH_EXAMPLE);

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let (markdown, body) = (skill.markdown(), skill.body());
    if body.len() < SHORTEST || !markdown.fences.is_empty() || words(body).nth(FEWEST - 1).is_none() {
        return;
    }
    let lower = body.to_lowercase();
    if !["example", "e.g.", "for instance", "示例", "例如", "比如", "例子", "\n> "]
        .iter()
        .any(|word| lower.contains(word))
    {
        report.at(
            skill.path(),
            skill.manifest().body.trim(skill.text()),
            Wording::new("there is no example; show one input and what comes out", "没有示例；给出一个输入及其输出"),
        );
    }
}

/// Words, and bytes that so many take at least.
const FEWEST: usize = 200;
const SHORTEST: usize = 2 * FEWEST;
