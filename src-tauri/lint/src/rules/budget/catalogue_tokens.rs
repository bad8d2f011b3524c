use crate::analysis::figures::{grouped, may_exceed};
use crate::{Check, Example, Group, Report, Rule, Subject};
use model::tokens;
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "catalogue-tokens",
    group: Group::Budget,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Catalogue entry is long", "目录条目过长"),
    what: Wording::new(
        "A name and description of more than 200 tokens together, twice what the specification expects.",
        "名称和描述合计超过 200 个 token，是规范预计值的两倍。",
    ),
    why: Wording::new(
        "They are in the system prompt of every conversation, whether the skill is used or not, and so are those \
         of every other skill.",
        "无论是否用到该技能，它们都会出现在每次对话的系统提示词里，每个技能一份。",
    ),
    bad: Example::skill(&[("SKILL.md", LONG)]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
    )]),
    hides: &[],
    marks: &[],
    source: "agentskills.io specification: about 100 tokens an entry",
    fix: None,
    check: Check::Skill(check),
};

const LONG: &str = r"---
name: demo
description: >-
  Extracts tables, figures and footnotes from annual reports, invoices, contracts, delivery notes and bank statements.
  Extracts names, addresses, account numbers and dates from letters, emails, forms, tickets, receipts and certificates.
  Converts what it finds into spreadsheets, databases, calendars, address books, bookkeeping entries and tax forms.
  Compares two versions of a document and explains each difference in plain words to lawyers, buyers and accountants.
  Checks sums, dates, currencies, tax rates, discounts, page numbers, cross references, signatures and stamps for errors.
  Translates headings, captions, table headers, footnotes and legal terms between English, German, French and Chinese.
  Use when the user mentions reports, invoices, contracts, statements, receipts or forms.
  Use when somebody wants to know what changed, what is missing, what is wrong, or what has to be paid until when.
  Use when a scan is skewed, a page is upside down, a table goes over two pages, or a column has no header at all.
---
Do it.
";

const LIMIT: u32 = 200;

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(field) = skill.field("description") else { return };
    let description = field.value.as_str().unwrap_or_default();
    if !may_exceed(description.len(), LIMIT) {
        return;
    }
    let tokens = tokens::count(description) + tokens::count(skill.skill.name());
    if tokens > LIMIT {
        let message = message!(
            "name and description cost {} tokens in every conversation; about 100 are usual: keep what \
             triggers the skill",
            "名称和描述在每次对话中占用 {} 个 token；一般约为 100 个，只保留能触发技能的内容",
            grouped(tokens)
        );
        report.at(skill.path(), field.value_span, message);
    }
}
