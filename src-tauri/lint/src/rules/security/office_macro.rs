use super::archive;
use crate::analysis::context;
use crate::{Check, Deed, Example, Group, Mark, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "office-macro",
    group: Group::Security,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Macro in an Office file", "Office 文件含宏"),
    what: Wording::new(
        "An Office file of the skill that holds a VBA project, ActiveX controls or embedded OLE objects.",
        "技能中的 Office 文件含有 VBA 工程、ActiveX 控件或嵌入的 OLE 对象。",
    ),
    why: Wording::new(
        "It runs when somebody opens a document that the skill makes from it.",
        "有人打开技能用它生成的文档时，它就会运行。",
    ),
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
            "assets/form.docm",
            "PK\u{3}\u{4}\u{14}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}!\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{13}\u{0}\u{0}\u{0}word/vbaProject.binPK\u{1}\u{2}\u{14}\u{0}\u{14}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}!\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{13}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0} \u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}word/vbaProject.binPK\u{5}\u{6}\u{0}\u{0}\u{0}\u{0}\u{1}\u{0}\u{1}\u{0}A\u{0}\u{0}\u{0}1\u{0}\u{0}\u{0}\u{0}\u{0}",
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
            "assets/form.docx",
            "PK\u{3}\u{4}\u{14}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}!\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{11}\u{0}\u{0}\u{0}word/document.xmlPK\u{1}\u{2}\u{14}\u{0}\u{14}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}!\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{11}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0} \u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}word/document.xmlPK\u{5}\u{6}\u{0}\u{0}\u{0}\u{0}\u{1}\u{0}\u{1}\u{0}?\u{0}\u{0}\u{0}/\u{0}\u{0}\u{0}\u{0}\u{0}",
        ),
    ]),
    hides: &[],
    marks: &[Mark::Evidence(Deed::Files)],
    source: "cisco-ai-skill-scanner OFFICE_VBA_MACRO, OFFICE_EMBEDDED_OLE",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    for file in &skill.skill.files {
        if !matches!(
            context::extension(&file.path).as_str(),
            "docx"
                | "docm"
                | "dotx"
                | "dotm"
                | "xlsx"
                | "xlsm"
                | "xltm"
                | "xlsb"
                | "xlam"
                | "pptx"
                | "pptm"
                | "potm"
                | "ppam"
        ) {
            continue;
        }
        let entries = archive::entries(skill, file);
        let is_active = |name: &str| {
            name.ends_with("vbaProject.bin") || name.contains("/activeX/") || name.contains("/embeddings/oleObject")
        };
        if let Some(entry) = entries.iter().find(|entry| is_active(&entry.name)) {
            let message = message!(
                "`{}` in it runs when the file is opened: save it without macros and objects",
                "其中的 `{}` 会在打开文件时运行，请另存为不含宏和对象的文件",
                entry.name
            );
            report.about(&file.path, message);
        }
    }
}
