use std::collections::BTreeSet;

use super::files;
use super::json::Json;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "evals-file-missing",
    group: Group::Evals,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Input file of an evaluation is missing", "评测的输入文件不存在"),
    what: Wording::new(
        "A path in `files` of a case in `evals/evals.json` that is not there, neither from the skill's \
         folder, nor from `evals`, nor from the root of the repository.",
        "`evals/evals.json` 中某个用例的 `files` 写了一个路径，从技能的文件夹、`evals` 或仓库的根目录起都找不到它。",
    ),
    why: Wording::new(
        "The case runs without its input, and fails or passes for the wrong reason.",
        "用例在缺少输入的情况下运行，失败或通过的原因都不对。",
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
            "evals/evals.json",
            r#"{
 "skill_name": "demo",
 "evals": [
  {
   "id": 1,
   "prompt": "Draw the plan of the house.",
   "expected_output": "A plan.",
   "files": [
    "evals/files/house.csv"
   ]
  }
 ]
}
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
            "evals/evals.json",
            r#"{
 "skill_name": "demo",
 "evals": [
  {
   "id": 1,
   "prompt": "Draw the plan of the house.",
   "expected_output": "A plan.",
   "files": [
    "evals/files/house.csv"
   ]
  }
 ]
}
"#,
        ),
        (
            "evals/files/house.csv",
            r"room,area
hall,12
",
        ),
    ]),
    hides: &[],
    marks: &[],
    source: "agentskills.io: evaluating skills; skill-creator: references/schemas.md",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let Some(file) = files::cases_of(skill) else { return };
    let known: BTreeSet<&str> = skill.skill.files.iter().map(|file| file.name.as_str()).collect();
    for listed in file.cases().iter().filter_map(|case| case.get("files")).flat_map(Json::items) {
        let Some(path) = listed.text().map(|path| path.trim_start_matches("./")) else { continue };
        let is_known = known.contains(path) || known.contains(format!("evals/{path}").as_str());
        let is_folder = || {
            let inside = format!("{}/", path.trim_end_matches('/'));
            known.range(inside.as_str()..).next().is_some_and(|name| name.starts_with(&inside))
        };
        // From the root of the repository, where evaluations are run.
        let is_above =
            || skill.skill.path.ancestors().skip(1).take(LEVELS).any(|above| skill.disk().exists(&above.join(path)));
        // Of another folder than the skill has, it is a file of the user's in the story that the case tells.
        let first = path.split_once('/').map_or("", |(first, _)| first);
        let own = skill.skill.path.file_name().unwrap_or_default();
        let inside = format!("{first}/");
        let is_own = first.is_empty()
            || FOLDERS.contains(&first)
            || path.split('/').any(|part| part == own)
            || known.range(inside.as_str()..).next().is_some_and(|name| name.starts_with(&inside));
        if path.starts_with(['~', '/']) || first == ".." || !is_own {
            continue;
        }
        if !is_known && !path.contains("://") && !path.contains(['*', '{']) && !is_folder() && !is_above() {
            let message = message!(
                "`{path}` is not in the skill; add the file, or correct the path",
                "技能中没有 `{path}`；请添加该文件，或改正路径"
            );
            report.at(&file.file.path, listed.span, message);
        }
    }
}

/// Folders above a skill that its repository may begin at.
const LEVELS: usize = 5;

/// Folders in which the files of cases are kept.
const FOLDERS: [&str; 4] = ["evals", "files", "fixtures", "inputs"];
