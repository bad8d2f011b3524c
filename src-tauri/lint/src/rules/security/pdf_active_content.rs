use super::binary;
use crate::analysis::context;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::wording::Wording;

pub static RULE: Rule = Rule {
    id: "pdf-active-content",
    group: Group::Security,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("PDF that does something", "PDF 含活动内容"),
    what: Wording::new(
        "A PDF file with JavaScript, a launch action, an embedded file or rich media, or one that encrypts \
           its names for them.",
        "",
    ),
    why: Wording::new("It acts when somebody opens it.", ""),
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
    source: "cisco-ai-skill-scanner PDF_EMBEDDED_JAVASCRIPT, PDF_STRUCTURAL_THREAT",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for file in skill.skill.files.iter().filter(|file| context::extension(&file.path) == "pdf") {
        let bytes = binary::bytes(skill, file, LOOKED_AT);
        let found = ACTIVE.iter().find(|(name, _)| holds_name(&bytes, name.as_bytes()));
        if let Some((name, what)) = found.filter(|_| bytes.starts_with(b"%PDF")) {
            report.about(&file.path, format!("`{name}` in it {what}: save it without"));
        }
    }
}

/// Bytes of a file.
pub const LOOKED_AT: u64 = 8 << 20;
const ACTIVE: [(&str, &str); 5] = [
    ("/JavaScript", "runs a script"),
    ("/JS", "runs a script"),
    ("/Launch", "starts a program"),
    ("/EmbeddedFile", "holds another file"),
    ("/RichMedia", "plays media that can run scripts"),
];

/// A whole name, in one pass: what follows is no letter.
fn holds_name(bytes: &[u8], name: &[u8]) -> bool {
    bytes.windows(name.len() + 1).any(|window| window.starts_with(name) && !window[name.len()].is_ascii_alphanumeric())
}
