use std::sync::LazyLock;

use regex::Regex;

use super::MOST;
use crate::markdown::Link;
use crate::texts::{for_each_page, is_model};
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::{Wording, message};

pub static RULE: Rule = Rule {
    id: "undefined-reference",
    group: Group::Links,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Link by a name that nothing defines", "引用式链接没有定义"),
    what: Wording::new(
        "A link such as `[the guide][guide]` in a page that has no line `[guide]: address`. Indexes of code (`a[i][j]`), marks \
         to fill in (`[Name][Title]`) and pages that are called a template or an example are left alone.",
        "形如 `[the guide][guide]` 的链接，而页面中没有 `[guide]: 地址` 这一行。代码下标（`a[i][j]`）、待填写的标记（`[Name][Title]`），\
         以及名为模板或示例的页面不检查。",
    ),
    why: Wording::new(
        "It is no link: the agent sees two words in brackets, and where they were to lead is lost.",
        "它不是链接：智能体看到的只是两个带方括号的词，原本要指向哪里已经丢失。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Read [the guide][guide] first.
",
    )]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Read [the guide][guide] first, and count in `rows[a][b]`.

[guide]: references/guide.md
",
        ),
        ("references/guide.md", "# Guide\n"),
    ]),
    hides: &[],
    marks: &[],
    source: "CommonMark: reference links; markdownlint MD052",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for_each_page(skill, |page| {
        let undefined = || page.markdown.links.iter().filter(|link| link.undefined);
        if undefined().next().is_none() || is_model(page.name) {
            return;
        }
        let defines = page.text.lines().any(|line| DEFINITION.is_match(line));
        let found = undefined().filter_map(|link| Some((link, name(link, page.text, defines)?)));
        for (link, name) in found.take(MOST) {
            let message = message!(
                "nothing defines `[{name}]`; add a line `[{name}]: address`, or write the address in round brackets",
                "没有定义 `[{name}]`；加上一行 `[{name}]: 地址`，或把地址写在圆括号里"
            );
            report.at(page.path, link.span, message);
        }
    });
}

/// By what a link would be defined, if it is one.
fn name<'a>(link: &Link, text: &'a str, defines: bool) -> Option<&'a str> {
    let whole = link.span.of(text);
    let (label, rest) = whole.trim_start_matches('!').strip_prefix('[')?.rsplit_once("][")?;
    let name = rest.strip_suffix(']')?;
    let name = if name.is_empty() { label } else { name };
    // `rows[a][b]`, `x[y](z)[a][b]`.
    let is_index =
        text[..link.span.start].ends_with(|letter: char| letter.is_alphanumeric() || ")]_`".contains(letter));
    let is_plain = |part: &str| part.chars().any(char::is_alphabetic) && !part.contains(['\n', '<', '{', '|', '…']);
    let is_lower =
        name.chars().all(|letter| letter.is_lowercase() || letter.is_ascii_digit() || "-_./".contains(letter));
    let is_told = defines || (is_lower && name.len() > 1 && label.contains(char::is_whitespace));
    (!is_index && is_plain(label) && (is_plain(name) || defines) && name.trim().len() > 1 && is_told).then_some(name)
}

static DEFINITION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^ {0,3}\[[^\]\^]+\]:\s*\S").expect("a test compiles it"));
