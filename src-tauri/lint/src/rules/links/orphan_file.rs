use std::collections::BTreeMap;

use super::MOST;
use crate::texts::is_for_people;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::{Severity, SkillFile};
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "orphan-file",
    group: Group::Links,
    severity: Severity::Info,
    on: true,
    title: Wording::new("File that nothing mentions", "没有被提及的文件"),
    what: Wording::new(
        "A file of the skill that neither `SKILL.md` nor any file that it leads to mentions, by its name, by its \
         folder, by a pattern such as `rules/*.md`, or without its extension. Licences, hidden files, package manifests, tests, \
         evaluations, documents for people, files next to `SKILL.md`, and pages outside of folders such as `references` are left \
         alone.",
        "`SKILL.md` 以及由它引到的文件都没有提到的技能文件，无论是按文件名、按所在文件夹、按 `rules/*.md` 之类的模式，\
         还是按不带扩展名的名称。许可证、隐藏文件、包清单、测试、评测、给人看的文档、与 `SKILL.md` 同级的文件，以及不在 `references` 之类文件夹中的页面不检查。",
    ),
    why: Wording::new(
        "The agent never learns that it is there; it only makes the package bigger.",
        "智能体永远不知道它的存在；它只会让包变大。",
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
        ("references/old-notes.md", "# Notes\n"),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Read `references/a.md`.
",
        ),
        ("references/a.md", "More is in b.md.\n"),
        ("references/b.md", "# B\n"),
    ]),
    hides: &[],
    marks: &[],
    source: "agentskills.io, Using scripts, list what there is; agnix AS-023; skillsaw",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let files = &skill.skill.files;
    let orphans = files.iter().zip(skill.reached()).filter(|(file, reached)| !**reached && !is_exempt(&file.name));
    let mut folders: BTreeMap<&str, Vec<&SkillFile>> = BTreeMap::new();
    for (file, _) in orphans {
        folders.entry(file.name.rsplit_once('/').map_or("", |(folder, _)| folder)).or_default().push(file);
    }
    let alone = |files: &[&SkillFile]| files.len() < MANY;
    for (folder, files) in folders.iter().filter(|(_, files)| !alone(files)).take(MOST) {
        let (count, place) = (files.len(), if folder.is_empty() { "." } else { folder });
        let message = message!(
            "nothing mentions {count} files of `{place}`, `{}` first; say in `SKILL.md` when to use them, or delete them",
            "没有任何地方提到 `{place}` 中的 {count} 个文件，第一个是 `{}`；在 `SKILL.md` 中说明何时使用它们，或删除它们",
            files[0].name
        );
        report.about(&files[0].path, message);
    }
    for file in folders.values().filter(|files| alone(files)).flatten().take(MOST) {
        let message = message!(
            "nothing mentions `{}`; say in `SKILL.md` when to use it, or delete it",
            "没有任何地方提到 `{}`；在 `SKILL.md` 中说明何时使用它，或删除它",
            file.name
        );
        report.about(&file.path, message);
    }
}

/// Files of one folder that are one finding.
const MANY: usize = 3;
/// Files that serve people, packaging and tests.
fn is_exempt(name: &str) -> bool {
    let lower = name.to_lowercase();
    let parts: Vec<&str> = lower.split('/').collect();
    let file = parts.last().copied().unwrap_or_default();
    parts.iter().any(|part| part.starts_with('.') || FOLDERS.contains(part))
        || STARTS.iter().any(|start| file.starts_with(start))
        || FILES.contains(&file)
        || file == "skill.md"
        || lower == "metadata.json"
        || ["_test.py", "_test.go", ".test.ts", ".test.js", ".test.mjs", ".spec.ts"]
            .iter()
            .any(|end| file.ends_with(end))
        || is_for_people(name)
        || !is_offered(&parts)
}

/// It is in a folder of the skill; a page must be in one of the folders where an agent looks for pages: others are
/// notes of the author.
fn is_offered(parts: &[&str]) -> bool {
    let (Some(file), Some(folder)) = (parts.last(), parts.first().filter(|_| parts.len() > 1)) else { return false };
    let is_page = [".md", ".mdx", ".txt"].iter().any(|end| file.ends_with(end));
    !is_page || matches!(*folder, "references" | "reference" | "resources" | "assets" | "rules" | "guides")
}

const FOLDERS: [&str; 15] = [
    "evals",
    "eval",
    "evaluations",
    "expected_outputs",
    "tests",
    "test",
    "__tests__",
    "test_data",
    "testdata",
    "fixtures",
    "__pycache__",
    "node_modules",
    "agents",
    "licenses",
    "sample_codebase",
];
const STARTS: [&str; 12] = [
    "_",
    "selftest",
    "license",
    "licence",
    "notice",
    "copying",
    "test_",
    "test-",
    "security",
    "third_party",
    "evolution-log",
    "claude.md",
];
const FILES: [&str; 21] = [
    "__init__.py",
    "__main__.py",
    "conftest.py",
    "requirements.txt",
    "pyproject.toml",
    "uv.lock",
    "package.json",
    "package-lock.json",
    "pnpm-lock.yaml",
    "yarn.lock",
    "bun.lock",
    "tsconfig.json",
    "go.mod",
    "go.sum",
    "cargo.toml",
    "cargo.lock",
    "gemfile",
    "gemfile.lock",
    "makefile",
    "dockerfile",
    "plugin.json",
];
