use super::binary;
use crate::analysis::context;
use crate::{Check, Deed, Example, Group, Mark, Report, Rule, Subject};
use skill::Severity;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "pdf-active-content",
    group: Group::Security,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("PDF that does something", "PDF 含活动内容"),
    what: Wording::new(
        "A PDF file with JavaScript, a launch action, an embedded file or rich media, or one that hides the names of these by encryption.",
        "PDF 文件含有 JavaScript、启动动作、嵌入文件或富媒体，或用加密隐藏这些名称。",
    ),
    why: Wording::new("It acts when somebody opens it.", "有人打开时它就会起作用。"),
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
            "assets/form.pdf",
            r"%PDF-1.7
1 0 obj
<< /OpenAction << /S /JavaScript /JS (app.alert\(1\)) >> >>
endobj
%%EOF
",
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
            "assets/form.pdf",
            r"%PDF-1.7
1 0 obj
<< /Type /Catalog >>
endobj
%%EOF
",
        ),
    ]),
    hides: &[],
    marks: &[Mark::Evidence(Deed::Files)],
    source: "cisco-ai-skill-scanner PDF_EMBEDDED_JAVASCRIPT, PDF_STRUCTURAL_THREAT",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for file in skill.skill.files.iter().filter(|file| context::extension(&file.path) == "pdf") {
        let bytes = binary::bytes(skill, file, LOOKED_AT);
        let found = ACTIVE.iter().find(|(name, _)| holds_name(&bytes, name.as_bytes()));
        if let Some((name, what)) = found.filter(|_| bytes.starts_with(b"%PDF")) {
            let message = Message {
                en: format!("`{name}` in it {}: save it without", what.en),
                zh: format!("其中的 `{name}` 会{}，请另存为不含它的文件", what.zh),
            };
            report.about(&file.path, message);
        }
    }
}

/// Bytes of a file.
pub const LOOKED_AT: u64 = 8 << 20;
const ACTIVE: [(&str, Wording); 5] = [
    ("/JavaScript", Wording::new("runs a script", "运行脚本")),
    ("/JS", Wording::new("runs a script", "运行脚本")),
    ("/Launch", Wording::new("starts a program", "启动程序")),
    ("/EmbeddedFile", Wording::new("holds another file", "带入另一个文件")),
    ("/RichMedia", Wording::new("plays media that can run scripts", "播放可以运行脚本的媒体")),
];

/// A whole name, in one pass: no letter follows.
fn holds_name(bytes: &[u8], name: &[u8]) -> bool {
    bytes.windows(name.len() + 1).any(|window| window.starts_with(name) && !window[name.len()].is_ascii_alphanumeric())
}
