use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "conflict-marker",
    group: Group::Form,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Merge conflict was left in the file", "文件中残留合并冲突标记"),
    what: Wording::new(
        "Lines of a merge that nobody finished, `<<<<<<<`, `=======` and `>>>>>>>` in this order, in any text of the skill. \
         A code fence in Markdown may show them.",
        "任何文本文件中依次出现未完成合并留下的 `<<<<<<<`、`=======` 和 `>>>>>>>` 行。Markdown 代码块可以展示它们。",
    ),
    why: Wording::new(
        "The file holds two versions of one text. A script does not run, and a model follows both versions, or neither.",
        "文件里同时有同一段文本的两个版本：脚本无法运行，模型会两个都照做，或一个也不照做。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
<<<<<<< HEAD
Write the report in German.
=======
Write the report in English.
>>>>>>> feature
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Write the report in English. A conflict looks so:

```
<<<<<<< HEAD
a
=======
b
>>>>>>> feature
```
",
    )]),
    hides: &[],
    marks: &[],
    source: "git merge",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let in_fence = |markdown: &crate::markdown::Markdown, span: Span| {
        markdown.fences.iter().any(|fence| fence.span.start <= span.start && span.end <= fence.span.end)
    };
    for span in conflicts(skill.text()).filter(|span| !in_fence(skill.markdown(), *span)).take(MOST) {
        say(skill.path(), skill.text(), span, report);
    }
    for file in skill.skill.files.iter().filter(|file| !skill.is_manifest(file)) {
        let Some(text) = skill.read(file) else { continue };
        let is_markdown = matches!(file.path.extension(), Some("md" | "markdown" | "mdx"));
        let is_asciidoc = matches!(file.path.extension(), Some("asc" | "adoc" | "asciidoc"));
        let shown = |span: &Span| {
            is_markdown && in_fence(text.markdown(), *span) || is_asciidoc && in_listing(text.text(), *span)
        };
        for span in conflicts(text.text()).filter(|span| !shown(span)).take(MOST) {
            say(&file.path, text.text(), span, report);
        }
    }
}

/// Whether a block of code, as AsciiDoc writes one, is open where a place begins.
fn in_listing(text: &str, span: Span) -> bool {
    let (mut open, mut above) = (None, "");
    for line in text[..span.start].lines().map(str::trim_end) {
        let is_mark = line.starts_with("----") && line.bytes().all(|byte| byte == b'-');
        // A title is underlined by about as many as it has letters.
        let is_underline = !above.is_empty() && above.chars().count().abs_diff(line.len()) <= UNDERLINE;
        match open {
            None if is_mark && !is_underline => open = Some(line.len()),
            Some(length) if is_mark && line.len() == length => open = None,
            _ => {}
        }
        // The mark that ends a block is not a title.
        above = if is_mark { "" } else { line };
    }
    open.is_some()
}

/// How much longer or shorter than its title a line below it may be.
const UNDERLINE: usize = 2;

/// Conflicts of one file; further ones say nothing new.
const MOST: usize = 5;

fn say(path: &camino::Utf8Path, text: &str, span: Span, report: &mut Report<'_>) {
    let lines = span.of(text).lines().count();
    let first = span.of(text).lines().next().unwrap_or_default().len();
    let message = message!(
        "a merge conflict of {lines} lines begins here; keep one version, and delete the lines with the markers",
        "这里残留 {lines} 行合并冲突；保留一个版本，并删除标记所在的行"
    );
    report.at(path, Span::new(span.start, span.start + first), message);
}

/// From each `<<<<<<<` to the end of its `>>>>>>>`.
fn conflicts(text: &str) -> impl Iterator<Item = Span> {
    let mut found = Vec::new();
    if text.contains(OURS) {
        let (mut begun, mut parted, mut at) = (None, false, 0);
        for line in text.split_inclusive('\n') {
            let bare = line.trim_end();
            if line.starts_with(OURS) {
                (begun, parted) = (Some(at), false);
            } else if bare == "=======" && begun.is_some() {
                parted = true;
            } else if (line.starts_with(">>>>>>> ") || bare == ">>>>>>>") && parted {
                found.extend(begun.take().map(|start| Span::new(start, at + bare.len())));
                parted = false;
            }
            at += line.len();
        }
    }
    found.into_iter()
}

const OURS: &str = "<<<<<<< ";
