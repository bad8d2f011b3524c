use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use super::MOST;
use crate::texts::{Page, for_each_page};
use crate::words::Mark;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "dead-section",
    group: Group::Links,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Section that is not there", "引用的章节不存在"),
    what: Wording::new(
        "A mention of a section by its title in quotes (`see the \"Limits\" section`, 参见「限制」一节) if that \
         title occurs nowhere else in the skill's Markdown.",
        "用带引号的标题提到某个章节（`see the \"Limits\" section`、参见「限制」一节），\
         而这个标题在技能的 Markdown 中没有再出现过。",
    ),
    why: Wording::new(
        "The agent looks for a section that was renamed or deleted.",
        "智能体会去找一个已改名或删除的章节。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r#"---
name: demo
description: Use when asked for a demo.
---
On errors see the "Repair" section.

## Limits

None.
"#,
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r#"---
name: demo
description: Use when asked for a demo.
---
On errors see the "Repair" section.

## Repair

Run it again.
"#,
    )]),
    hides: &[],
    marks: &[],
    source: "Skill Workbench",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let mut mentions = Vec::new();
    for_each_page(skill, |page| {
        if !may_mention(&page) {
            return;
        }
        for prose in &page.markdown.prose {
            for found in MENTION.captures_iter(prose.of(page.text)) {
                if let Some(title) = found.iter().skip(1).flatten().next().filter(|_| mentions.len() < MOST) {
                    let span = Span::new(title.start(), title.end()).shift(prose.start);
                    mentions.push((page.path.to_owned(), span, title.as_str().to_lowercase()));
                }
            }
        }
    });
    if mentions.is_empty() {
        return;
    }
    let mut titles: HashMap<String, usize> = HashMap::new();
    for_each_page(skill, |page| {
        let text = page.text.to_lowercase();
        for (_, _, title) in &mentions {
            *titles.entry(title.clone()).or_default() += text.matches(title.as_str()).take(2).count();
        }
    });
    for (path, span, title) in &mentions {
        if titles.get(title).is_none_or(|times| *times < 2) {
            let message = message!(
                "no section is called \"{title}\"; name it as it is called now",
                "没有名为“{title}”的章节；改用它现在的名称"
            );
            report.at(path, *span, message);
        }
    }
}

/// Whether a text has what every mention has: the word, with quotes right before or after it.
fn may_mention(page: &Page<'_>) -> bool {
    page.words.places(Mark::Section).any(|name| {
        let is_quoted = || {
            let before = page.text[..name.start].trim_end();
            let after = page.text[name.end..].trim_start();
            (before.len() < name.start && before.ends_with(['"', '”']))
                || (after.len() < page.text.len() - name.end && after.starts_with(['"', '“']))
        };
        !name.of(page.text).is_ascii() || is_quoted()
    })
}

static MENTION: LazyLock<Regex> = LazyLock::new(|| {
    let verb = r"(?i-u:\b(?:see|refer to|described in|explained in|go to|consult))\s+(?i:the\s+)?";
    let before = r#"["“]([^"”\n]{2,60})["”]\s+(?i:section|chapter)(?-u:\b)"#;
    let after = r#"(?i:section|chapter)\s+["“]([^"”\n]{2,60})["”]"#;
    let chinese =
        r#"(?:参见|参考|参阅|详见|见|按照)\s*[“「『"]([^”」』"\n]{2,40})[”」』"]\s*(?:一节|章节|部分|小节|一章)"#;
    Regex::new(&format!("{verb}(?:{before}|{after})|{chinese}")).expect("a test compiles it")
});
