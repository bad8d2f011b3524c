use crate::{Check, Example, Group, Report, Rule, SubjectSet};
use skill::files::manifest_of;
use skill::{Folder, Severity};
use wording::message;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "skill-md-missing",
    group: Group::Form,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Folder has no SKILL.md", "文件夹中没有 SKILL.md"),
    what: Wording::new(
        "A folder next to skills that looks like one (it has `scripts` or `references`, or a file such as \
         `SKILL.txt` or `SKILLS.md`) and holds no `SKILL.md`.",
        "位于技能旁边、看起来像技能（含有 `scripts` 或 `references`，或 `SKILL.txt`、`SKILLS.md` 之类的文件）却没有 \
         `SKILL.md` 的文件夹。",
    ),
    why: Wording::new(
        "No framework takes it for a skill, and one of them then offers none of its neighbours either.",
        "对任何框架来说它都不是技能，其中一个框架还会因此连旁边的技能也不提供。",
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
    marks: &[],
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
        if let Some(Message { en, zh }) = sign(inner).filter(|_| beside_skills && inner.listed && !holds_skill(inner)) {
            let message = message!(
                "`{}` has {en} and no `SKILL.md`; add one, or move it away from the skills",
                "`{}` 有{zh}，但没有 `SKILL.md`；请添加一个，或把它从技能旁边移走",
                inner.name
            );
            report.about(&inner.path, message);
        } else {
            visit(inner, report);
        }
    }
}

/// What makes a folder look like a skill.
fn sign(folder: &Folder) -> Option<Message> {
    if folder.name.starts_with(['.', '_']) || SHARED.contains(&folder.name.as_str()) {
        return None;
    }
    let file = folder.files().find(|file| NEARLY.contains(&file.name.to_ascii_lowercase().as_str()));
    let inner = || folder.folders().find(|inner| matches!(inner.name.as_str(), "scripts" | "references"));
    file.map(|file| message!("a file `{}`", "文件 `{}`", file.name))
        .or_else(|| inner().map(|inner| message!("a folder `{}`", "文件夹 `{}`", inner.name)))
}

fn holds_skill(folder: &Folder) -> bool {
    manifest_of(folder).is_some() || folder.folders().any(holds_skill)
}
