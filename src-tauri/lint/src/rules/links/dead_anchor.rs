use std::collections::{BTreeMap, HashMap, HashSet};

use super::{MOST, is_site_page};
use crate::analysis::page::weigh;
use crate::markdown::Markdown;
use crate::references::{Aim, PageReferences, Reference, joined, unescaped};
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "dead-anchor",
    group: Group::Links,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Heading that is not there", "锚点指向的标题不存在"),
    what: Wording::new(
        "A link to a `#fragment`, in its own page or in another Markdown file of the skill, for which there is \
         no heading and no HTML `id` or `name`. Line numbers (`#L10`) are not reported, nor \
         links in pages that were copied from a web site, whose generator makes anchors of its own. In a page it is a hint.",
        "链接指向本页或技能中另一个 Markdown 文件的 `#片段`，却没有对应的标题，也没有 HTML `id` 或 `name`。行号（`#L10`）\
         不报告；从网站复制来的页面也不报告，因为锚点由网站生成器生成。在参考页面中只作提示。",
    ),
    why: Wording::new(
        "The agent looks for a section that was renamed or deleted, and reads the wrong one or none.",
        "智能体会去找一个已改名或删除的章节，结果读错或读不到。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
See [the setup](#setting-up).

## Setup

Install it.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
See [the setup](#setup).

## Setup

Install it.
",
    )]),
    hides: &[],
    marks: &[],
    source: "Skill Workbench; anchors as GitHub makes them",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    // For each file, what it can be entered by.
    let mut known: HashMap<usize, Option<HashSet<String>>> = HashMap::new();
    let mut sites: HashMap<usize, bool> = HashMap::new();
    let mut told = 0;
    let mut dead: BTreeMap<usize, Vec<(&PageReferences, &Reference, usize)>> = BTreeMap::new();
    for (page, reference) in skill.references().all() {
        let Some(fragment) = reference.fragment.as_ref().filter(|_| told < MOST) else { continue };
        let (Aim::File(file) | Aim::Miscased(file)) = reference.aim else { continue };
        let wanted = plain(&unescaped(fragment));
        if wanted.is_empty() || wanted == "top" || fragment.starts_with([':', '/', '!']) || is_line(fragment) {
            continue;
        }
        let Some(anchors) = known.entry(file).or_insert_with(|| anchors(skill, file)) else { continue };
        if !anchors.contains(&wanted)
            && leads_there(skill, page, reference, file)
            && !*sites.entry(page.file).or_insert_with(|| is_site_page(skill, page))
        {
            told += 1;
            dead.entry(page.file).or_default().push((page, reference, file));
        }
    }
    for links in dead.into_values() {
        // A page whose sections were moved elsewhere but that still lists them: one cause, one finding.
        let more = links.len() - 1;
        let is_one = links.len() >= MANY;
        for (page, reference, file) in links.into_iter().take(if is_one { 1 } else { MANY }) {
            let (name, fragment) = (&skill.skill.files[file].name, reference.fragment.as_deref().unwrap_or_default());
            let message = if is_one {
                message!(
                    "there is no heading `#{fragment}` in `{name}`, nor those that {more} other links of this page lead to; name the sections as they are called now",
                    "`{name}` 中没有标题 `#{fragment}`，本页另外 {more} 个链接指向的标题也不存在；改用这些章节现在的名称"
                )
            } else {
                message!(
                    "there is no heading `#{fragment}` in `{name}`; name the section as it is called now",
                    "`{name}` 中没有标题 `#{fragment}`；改用该章节现在的名称"
                )
            };
            weigh(report.at(&page.path, reference.span, message), skill.path());
        }
    }
}

/// Dead links of one page that are one finding.
const MANY: usize = 3;

/// Whether the path leads to the file from the page itself. From the skill's folder it may be another file that is meant:
/// in a guide to writing a README, `README.md` is the user's.
fn leads_there(skill: &Subject<'_>, page: &PageReferences, reference: &Reference, file: usize) -> bool {
    let name = |file: usize| skill.skill.files[file].name.as_str();
    let folder = name(page.file).rsplit_once('/').map_or("", |(folder, _)| folder);
    let from_page = joined(folder, &unescaped(&reference.written).replace('\\', "/"));
    reference.written.is_empty()
        || from_page.is_some_and(|path| path.eq_ignore_ascii_case(name(file)))
        || !name(file).eq_ignore_ascii_case("README.md")
}

/// `L10`, `L10-L20`: lines of the file, as code hosts name them.
fn is_line(fragment: &str) -> bool {
    let is_number = |number: &str| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    fragment.split('-').all(|part| part.strip_prefix('L').is_some_and(is_number))
}

/// `None` if the file is not Markdown.
fn anchors(skill: &Subject<'_>, file: usize) -> Option<HashSet<String>> {
    let file = &skill.skill.files[file];
    if skill.is_manifest(file) {
        return Some(anchors_of(skill.text(), skill.markdown()));
    }
    matches!(file.path.extension(), Some("md" | "markdown" | "mdx")).then_some(())?;
    let text = skill.read(file)?;
    Some(anchors_of(text.text(), text.markdown()))
}

fn anchors_of(text: &str, markdown: &Markdown) -> HashSet<String> {
    let mut found: HashSet<String> = markdown.anchors().map(|anchor| plain(&anchor)).collect();
    for heading in &markdown.headings {
        if let Some((title, rest)) = heading.text.rsplit_once("{#") {
            found.insert(plain(rest));
            found.insert(plain(title));
        }
    }
    // Headings inside an unclosed fence: `fence-unclosed` reports the cause.
    if markdown.fences.iter().any(|fence| !fence.closed && !fence.indented) {
        let headings = text.lines().filter(|line| line.starts_with('#'));
        found.extend(headings.map(|line| plain(line.trim_start_matches('#'))));
    }
    // Alone on its line it is the heading itself, as some sites write them: `[Default values](#default-values)`.
    for line in text.lines().map(str::trim).filter(|line| line.starts_with('[')) {
        let link = line.strip_suffix(')').and_then(|line| line[1..].split_once("](#"));
        found.extend(
            link.filter(|(label, rest)| !label.contains(']') && !rest.contains(')')).map(|(_, rest)| plain(rest)),
        );
    }
    for html in &markdown.html {
        let html = html.of(text);
        for mark in ["id=", "name="] {
            let values = html.split(mark).skip(1);
            found.extend(
                values.map(|rest| plain(rest.trim_start_matches(['"', '\'']).split(ENDS).next().unwrap_or_default())),
            );
        }
    }
    found
}

/// What may end an attribute's value.
const ENDS: [char; 5] = ['"', '\'', ' ', '>', '/'];

/// Only letters and digits: tools differ in what they make of the rest.
fn plain(anchor: &str) -> String {
    anchor.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
