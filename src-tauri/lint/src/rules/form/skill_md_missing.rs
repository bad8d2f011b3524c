use crate::{Check, Example, Group, Report, Rule, SubjectSet};
use skill::files::manifest_of;
use skill::wording::Wording;
use skill::{Folder, Severity};

pub static RULE: Rule = Rule {
    id: "skill-md-missing",
    group: Group::Form,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Folder has no SKILL.md", "文件夹中没有 SKILL.md"),
    what: Wording::new(
        "A folder beside skills that looks like one (it has `scripts` or `references`, or a file such as `SKILL.txt` or \
           `SKILLS.md`) and holds no `SKILL.md`.",
        "",
    ),
    why: Wording::new(
        "It is no skill to any framework, and one of them then offers none of its neighbours either.",
        "",
    ),
    bad: Example {
        folder: "demo",
        files: &[
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
                "/other/SKILLS.md",
                r"---
name: other
description: Use when asked for another.
---
Do it.
",
            ),
        ],
    },
    good: Example {
        folder: "demo",
        files: &[
            (
                "SKILL.md",
                r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
            ),
            ("/shared/style.md", "Write short sentences.\n"),
        ],
    },
    hides: &[],
    source: "agentskills.io specification; Strands",
    fix: None,
    check: Check::Set(check),
};

/// Names of folders with things for several skills.
const SHARED: [&str; 6] = ["shared", "common", "lib", "templates", "tools", "utils"];
const NEARLY: [&str; 6] = ["skill", "skill.txt", "skills.md", "skill.markdown", "skill.mdx", "skill.md.txt"];

fn check(set: &SubjectSet<'_>, report: &mut Report<'_>) {
    for root in &set.set.roots {
        visit(&root.tree, report);
    }
}

fn visit(folder: &Folder, report: &mut Report<'_>) {
    if manifest_of(folder).is_some() {
        return;
    }
    let beside_skills = folder.folders().any(|inner| manifest_of(inner).is_some());
    for inner in folder.folders() {
        if let Some(sign) = sign(inner).filter(|_| beside_skills && inner.listed && !holds_skill(inner)) {
            let message =
                format!("`{}` has {sign} and no `SKILL.md`; add one, or move it away from the skills", inner.name);
            report.about(&inner.path, message);
        } else {
            visit(inner, report);
        }
    }
}

/// What makes a folder look like a skill.
fn sign(folder: &Folder) -> Option<String> {
    if folder.name.starts_with(['.', '_']) || SHARED.contains(&folder.name.as_str()) {
        return None;
    }
    let file = folder.files().find(|file| NEARLY.contains(&file.name.to_ascii_lowercase().as_str()));
    let inner = || folder.folders().find(|inner| matches!(inner.name.as_str(), "scripts" | "references"));
    file.map(|file| format!("a file `{}`", file.name))
        .or_else(|| inner().map(|inner| format!("a folder `{}`", inner.name)))
}

fn holds_skill(folder: &Folder) -> bool {
    manifest_of(folder).is_some() || folder.folders().any(holds_skill)
}
