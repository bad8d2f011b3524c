use std::sync::LazyLock;

use regex::Regex;

use crate::analysis::figures::{grouped, lines};
use crate::analysis::reading::is_document;
use crate::markdown::Markdown;
use crate::rules::example::{filled, text};
use crate::{Applicability, Check, Edit, Example, Group, Report, Rule, Subject};
use skill::Heading;
use skill::Severity;
use skill::source::Span;
use wording::message;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "reference-no-contents",
    group: Group::Budget,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Long reference without a table of contents", "较长的参考文件缺少目录"),
    what: Wording::new(
        "A Markdown file of the skill with more than 300 lines and at least four headings whose first 40 lines neither link \
           to its sections nor list them nor have a heading such as `Contents` or `目录`.",
        "技能中超过 300 行、至少有四个标题的 Markdown 文件，前 40 行既没有链接或列出各章节，也没有 `Contents`、\
         `目录` 之类的标题。",
    ),
    why: Wording::new(
        "Agents look at the first lines of a long file to decide what to read. Without a list they read all of it or miss \
          what is below.",
        "智能体先看长文件的开头几行，再决定读哪些部分。没有章节列表，它要么读完全文，要么漏掉后面的内容。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Read [all](references/all.md) if asked.
",
        ),
        ("references/all.md", LONG),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Read [all](references/all.md) if asked.
",
        ),
        (
            "references/all.md",
            r"# All

Contents: one, two.

## One

Do it.

## Two

Stop.
",
        ),
    ]),
    hides: &[],
    marks: &[],
    source: "Anthropic: skill authoring best practices",
    fix: Some(Applicability::Safe),
    check: Check::Skill(check),
};

static BYTES: [u8; 2000] = filled("# All\n\n", "## One\n\nDo it.\n\n", "");
const LONG: &str = text(&BYTES);

const LINES: u64 = 300;
const HEADINGS: usize = 6;
/// How many lines are searched for a list of contents.
const FIRST_LINES: usize = 40;
/// Headings that the first lines name, for them to be a list of contents.
const NAMED: usize = 3;
/// A file of this many lines has more bytes than this.
const FEWEST_BYTES: u64 = 2 * LINES;
const TITLES: [&str; 8] =
    ["contents", "table of contents", "toc", "index", "overview of sections", "目录", "目次", "内容目录"];

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let long = |file: &&skill::SkillFile| is_document(file) && file.size > FEWEST_BYTES;
    let mut found: Vec<(&skill::SkillFile, Span, Message, Option<Edit>)> = Vec::new();
    for file in skill.skill.files.iter().filter(long) {
        let markdown = matches!(file.path.extension(), Some("md" | "markdown" | "mdx"))
            && !file.path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md"));
        let Some(text) = markdown.then(|| skill.read(file)).flatten() else { continue };
        let lines = lines(text.text());
        // Few pages are long, and only those are taken apart.
        if lines > LINES
            && text.markdown().headings.len() >= HEADINGS
            && !has_contents(text.text(), text.markdown())
            && !is_form(file, text.text())
            && !is_told_in_steps(text.markdown())
        {
            let first = text.text().lines().next().unwrap_or_default().len();
            let message = message!(
                "the file has {} lines and {} headings; begin it with a list of its sections",
                "文件有 {} 行、{} 个标题；在开头列出各章节",
                grouped(lines),
                text.markdown().headings.len()
            );
            let list = contents(text.text(), text.markdown());
            let edit = list.map(|(at, text)| Edit { path: file.path.clone(), span: Span::new(at, at), text });
            found.push((file, Span::new(0, first), message, edit));
        }
    }
    // Pages that were all written so have one cause.
    if let [(file, place, ..), ..] = &*found
        && found.len() > MANY
    {
        let message = message!(
            "{} files of more than {LINES} lines have no list of their sections, this one first; begin each with one",
            "有 {} 个超过 {LINES} 行的文件没有章节列表，本文件是第一个；在每个文件开头列出各章节",
            found.len()
        );
        let finding = report.at(&file.path, *place, message);
        let edits: Vec<Edit> = found.iter().filter_map(|(.., edit)| edit.clone()).collect();
        if !edits.is_empty() {
            finding.fixed_by(Wording::new("Add lists of the sections", "添加章节列表"), edits);
        }
        return;
    }
    for (file, place, message, edit) in found {
        let finding = report.at(&file.path, place, message);
        if let Some(edit) = edit {
            finding.fixed_by(Wording::new("Add a list of the sections", "添加章节列表"), vec![edit]);
        }
    }
}

/// A form to fill in, which must keep its beginning: its name says so, or it is full of `{{NAME}}`.
fn is_form(file: &skill::SkillFile, text: &str) -> bool {
    let stem = file.path.file_stem().unwrap_or_default().to_lowercase();
    let words = stem.split(['-', '_', '.']);
    words.into_iter().any(|word| matches!(word, "template" | "templates")) || MARK.find_iter(text).count() >= MARKS
}

/// Places of a form that are to be filled in.
const MARKS: usize = 10;
static MARK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\{\{ ?[A-Z][A-Z0-9_]+ ?\}\}").expect("a test compiles it"));

/// `## Step 1` and on: who reads it begins at the top and needs no list.
fn is_told_in_steps(markdown: &Markdown) -> bool {
    let top = markdown.headings.iter().filter(|heading| heading.level == 2);
    let (steps, others): (Vec<&Heading>, Vec<&Heading>) = top.partition(|heading| STEP.is_match(&heading.text));
    steps.len() >= STEPS && steps.len() > others.len() * 2
}

const STEPS: usize = 4;
static STEP: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^\W*step\s*[0-9]|^\W*第?\s*[0-9一二三四五六七八九十]+\s*步|^\W*步骤\s*[0-9一二三四五六七八九十]")
        .expect("a test compiles it")
});

/// Files of a skill that are reported one by one.
const MANY: usize = 8;

fn has_contents(text: &str, markdown: &Markdown) -> bool {
    let end = text.match_indices('\n').nth(FIRST_LINES).map_or(text.len(), |(at, _)| at);
    let titled = markdown.headings.iter().filter(|heading| heading.span.start < end).any(|heading| {
        let title = heading.text.trim().to_lowercase();
        TITLES.contains(&title.trim_matches(|letter: char| !letter.is_alphanumeric()))
    });
    let links = markdown.links.iter().take_while(|link| link.span.start < end);
    let linked = links.filter(|link| link.target.starts_with('#')).count() >= NAMED;
    titled || linked || names_sections(&text[..end], markdown)
}

/// A list of the sections, and where it belongs: below the title, before the first section.
fn contents(text: &str, markdown: &Markdown) -> Option<(usize, String)> {
    let headings = &markdown.headings;
    let (title, sections) = headings.split_first()?;
    let has_title = title.level == 1 && sections.iter().all(|section| section.level > 1);
    let sections = if has_title { sections } else { headings };
    let top = sections.iter().map(|section| section.level).min()?;
    // One more level if the top one has few.
    let deepest = if sections.iter().filter(|section| section.level == top).count() < FEWEST { top + 1 } else { top };
    let listed: Vec<&Heading> = sections.iter().filter(|section| section.level <= deepest).collect();
    let is_plain =
        |section: &&Heading| !section.text.trim().is_empty() && !section.text.contains(['[', '<', '{', '\n']);
    if !(FEWEST..=MOST).contains(&listed.len()) || !listed.iter().all(is_plain) {
        return None;
    }
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let is_chinese = |text: &str| text.chars().any(|letter| ('\u{4E00}'..='\u{9FFF}').contains(&letter));
    let chinese = listed.iter().filter(|section| is_chinese(&section.text)).count() * 2 > listed.len();
    let name = if chinese { "目录" } else { "Contents" };
    let mut list = String::new();
    for section in &listed {
        let indent = "  ".repeat(usize::from(section.level - top));
        let section = section.text.trim();
        list.push_str(&format!("{indent}- {section}{end}"));
    }
    let first = sections.first()?.span.start;
    // Far below the title, readers would not find it.
    if text[..first].matches('\n').count() < FIRST_LINES - 5 {
        let heading = "#".repeat(usize::from(top));
        return Some((first, format!("{heading} {name}{end}{end}{list}{end}")));
    }
    // Without a heading, so that what follows stays in the section that it is in.
    let at = below_first_paragraph(text, markdown)?;
    Some((at, format!("{end}**{name}**{end}{end}{list}")))
}

/// Where a list can be inserted without becoming part of the text around it.
fn below_first_paragraph(text: &str, markdown: &Markdown) -> Option<usize> {
    let in_list = |block: &Span| {
        let mut items = markdown.lists.iter().flat_map(|list| &list.items);
        items.any(|item| item.start <= block.start && block.end <= item.end)
    };
    let is_heading = |block: &Span| markdown.headings.iter().any(|heading| heading.span == *block);
    let begins_line = |block: &Span| block.start == 0 || text[..block.start].ends_with('\n');
    let mut blocks = markdown.blocks.iter().filter(|block| begins_line(block) && !is_heading(block) && !in_list(block));
    let block = blocks.find(|block| !block.of(text).trim().is_empty())?;
    let end = block.trim(text).end;
    let at = end + text[end..].find('\n')? + 1;
    let mut below = text[at..].lines();
    let is_apart = below.next().is_some_and(|line| line.trim().is_empty());
    let next = below.find(|line| !line.trim().is_empty()).unwrap_or_default();
    let is_rule = next.len() >= 3 && next.bytes().all(|byte| byte == b'-');
    let goes_on = next.starts_with(['-', ' ', '\t']) && !is_rule;
    // Frontmatter is not a paragraph.
    let is_high = text[..at].matches('\n').count() < FIRST_LINES / 2 && !text.starts_with("---");
    (is_apart && !goes_on && is_high).then_some(at)
}

/// Sections that a list has.
const FEWEST: usize = 3;
const MOST: usize = 60;

/// Whether lists in the first lines name later headings.
fn names_sections(start: &str, markdown: &Markdown) -> bool {
    let items = markdown.lists.iter().take_while(|list| list.items.first().is_none_or(|item| item.start < start.len()));
    let listed: String = items
        .flat_map(|list| &list.items)
        .filter(|item| item.end <= start.len())
        .map(|item| item.of(start).to_lowercase())
        .collect();
    let named = |title: &str| !title.is_empty() && listed.contains(&title.trim().to_lowercase());
    !listed.is_empty() && markdown.headings.iter().filter(|heading| named(&heading.text)).take(NAMED).count() == NAMED
}
