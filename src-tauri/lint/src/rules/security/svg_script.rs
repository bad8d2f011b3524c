use crate::analysis::context;
use crate::{Check, Deed, Example, Group, Mark, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "svg-script",
    group: Group::Security,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("SVG that runs a script", "SVG 含脚本"),
    what: Wording::new(
        "An SVG file with a `<script>` element, an event attribute (`onload=…`), or a link to `javascript:`.",
        "SVG 文件含有 `<script>` 元素、事件属性（`onload=…`），或指向 `javascript:` 的链接。",
    ),
    why: Wording::new("Opened in a browser, it runs as a web page does.", "在浏览器中打开时，它会像网页一样运行脚本。"),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
        ),
        (
            "assets/logo.svg",
            r#"<svg xmlns="http://www.w3.org/2000/svg" onload="fetch('/')"><rect width="9" height="9"/></svg>
"#,
        ),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
        ),
        (
            "assets/logo.svg",
            r#"<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>
"#,
        ),
    ]),
    hides: &[],
    marks: &[Mark::Evidence(Deed::Files)],
    source: "cisco-ai-skill-scanner SVG_EMBEDDED_SCRIPT",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for file in skill.skill.files.iter().filter(|file| context::extension(&file.path) == "svg") {
        let Some(text) = skill.read(file) else { continue };
        let lower = text.text().to_ascii_lowercase();
        let found = ACTIVE.iter().filter_map(|mark| Some((lower.find(mark)?, mark))).min();
        if let Some((at, mark)) = found {
            let name = mark.trim();
            let start = at + (mark.len() - mark.trim_start().len());
            let message = message!(
                "`{name}` runs when the picture is opened: take it out",
                "`{name}` 会在打开图片时运行，请删除"
            );
            report.at(&file.path, Span::new(start, start + name.len()), message);
        }
    }
}

const ACTIVE: [&str; 8] =
    ["<script", " onload=", " onerror=", " onclick=", " onmouseover=", " onbegin=", "\"javascript:", "'javascript:"];
