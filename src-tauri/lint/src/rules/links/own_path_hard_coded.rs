use super::MOST;
use crate::texts::for_each_page;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "own-path-hard-coded",
    group: Group::Links,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Path to the skill as one client installs it", "写死了技能的安装路径"),
    what: Wording::new(
        "A path such as `~/.claude/skills/NAME/scripts/x.py` to this very skill, in Markdown.",
        "Markdown 中以 `~/.claude/skills/NAME/scripts/x.py` 之类的路径指向技能自身。",
    ),
    why: Wording::new(
        "Other clients keep skills elsewhere, and so do projects and plugins; the path from the skill's \
           folder works in all.",
        "其他客户端、项目和插件把技能放在别处；相对于技能文件夹的路径在哪里都有效。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `python ~/.claude/skills/demo/scripts/x.py`.
",
        ),
        ("scripts/x.py", "print(1)\n"),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `python scripts/x.py`.
",
        ),
        ("scripts/x.py", "print(1)\n"),
    ]),
    hides: &[],
    marks: &[],
    source: "agentskills.io specification, file references are relative to the skill root",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let own = format!("skills/{}/", skill.skill.path.file_name().unwrap_or_default());
    for_each_page(skill, |page| {
        // Searching for the one is many times slower than telling that there is none.
        if !page.text.contains(&own) {
            return;
        }
        for (at, _) in page.text.match_indices(&own).take(MOST) {
            let start = page.text[..at].rfind(|letter: char| letter.is_whitespace() || "`\"'(=<".contains(letter));
            let start = start.map_or(0, |before| before + page.text[before..].chars().next().map_or(1, char::len_utf8));
            let path = Span::new(start, at + own.len());
            let written = path.of(page.text);
            if written.contains("/.") || written.starts_with('.') {
                let message = message!(
                    "`{written}` is where one client installs the skill; write the path from the skill's folder",
                    "`{written}` 是某个客户端安装技能的位置；写相对于技能文件夹的路径"
                );
                report.at(page.path, path, message);
            }
        }
    });
}
