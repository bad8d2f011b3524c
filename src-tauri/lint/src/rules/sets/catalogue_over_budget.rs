use crate::analysis::figures::grouped;
use crate::rules::example::{filled, text};
use crate::{Check, Example, Group, Report, Rule, SubjectSet};
use model::tokens;
use skill::{Severity, Skill};
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "catalogue-over-budget",
    group: Group::Sets,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Catalogue is longer than some clients list", "技能目录超出部分客户端的上限"),
    what: Wording::new(
        "Skills below one folder whose names and descriptions have more than 8,000 characters together.",
        "同一文件夹下的技能，名称和描述合计超过 8,000 个字符。",
    ),
    why: Wording::new(
        "By default Claude Code and Codex list about 8,000 characters: beyond that descriptions are cut or left \
         out, and those skills are never loaded. Everywhere else each conversation pays for all of them.",
        "Claude Code 和 Codex 默认列出约 8,000 个字符：超出后描述会被截断或略去，那些技能永远不会被加载。\
         在其他地方，每次对话都要为全部内容付出代价。",
    ),
    bad: Example {
        folder: "a",
        files: &[
            ("SKILL.md", LONG),
            ("/b/SKILL.md", LONG),
            ("/c/SKILL.md", LONG),
            ("/d/SKILL.md", LONG),
            ("/e/SKILL.md", LONG),
            ("/f/SKILL.md", LONG),
            ("/g/SKILL.md", LONG),
            ("/h/SKILL.md", LONG),
            ("/i/SKILL.md", LONG),
        ],
    },
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Do it.
",
    )]),
    hides: &[],
    marks: &[],
    source: "documentation of Claude Code and Codex",
    fix: None,
    check: Check::Set(check),
};

static BYTES: [u8; 1000] = filled(
    "---\nname: demo\ndescription: |-\n",
    "  Use when asked for a demo of one thing or another thing.\n",
    "\n---\nDo it.\n",
);
const LONG: &str = text(&BYTES);

const LISTED: usize = 8000;

fn check(set: &SubjectSet<'_>, report: &mut Report<'_>) {
    for root in &set.set.roots {
        let listed: Vec<(&str, &str)> =
            set.skills.iter().filter(|skill| skill.root == root.path).filter_map(entry).collect();
        let characters: usize = listed.iter().map(|(name, text)| name.chars().count() + text.chars().count()).sum();
        if characters > LISTED {
            let tokens: u32 = listed.iter().map(|(name, text)| tokens::count(name) + tokens::count(text)).sum();
            let message = message!(
                "the names and descriptions of {} skills have {} characters ({} tokens); some clients list {}: shorten \
                 them, or load fewer skills",
                "{} 个技能的名称和描述共有 {} 个字符（{} 个 token）；有些客户端只列出 {} 个字符：请缩短它们，或少加载一些技能",
                grouped(listed.len() as u64),
                grouped(characters as u64),
                grouped(tokens),
                grouped(LISTED as u64)
            );
            report.about(&root.path, message);
        }
    }
}

/// `None`: a model does not get to see it.
fn entry(skill: &Skill) -> Option<(&str, &str)> {
    let field = |key: &str| skill.manifest.field(key).and_then(|field| field.value.as_str());
    let hidden = field("disable-model-invocation").is_some_and(|value| value.eq_ignore_ascii_case("true"));
    field("description").filter(|_| !hidden).map(|description| (skill.name(), description))
}
