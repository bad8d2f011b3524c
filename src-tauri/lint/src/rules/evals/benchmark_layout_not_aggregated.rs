use crate::{Check, Example, Group, Report, Rule, SubjectSet};
use skill::{Folder, Severity};
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "benchmark-layout-not-aggregated",
    group: Group::Evals,
    severity: Severity::Warning,
    on: false,
    title: Wording::new("Results that are not counted", "结果不会被统计"),
    what: Wording::new(
        "A `grading.json` directly in an arm's folder (`iteration-1/eval-x/with_skill/grading.json`), without the \
         level `run-1`.",
        "`grading.json` 直接放在某个对照组的文件夹中（`iteration-1/eval-x/with_skill/grading.json`），缺少 `run-1` \
         这一层。",
    ),
    why: Wording::new(
        "skill-creator's `aggregate_benchmark.py` reads `run-*` only and silently drops the others: the benchmark \
         comes out empty.",
        "skill-creator 的 `aggregate_benchmark.py` 只读取 `run-*`，其余的会被悄悄丢弃：得到的基准结果是空的。",
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
        ("/demo-workspace/iteration-1/eval-x/with_skill/grading.json", "{}"),
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
        ("/demo-workspace/iteration-1/eval-x/with_skill/run-1/grading.json", "{}"),
    ]),
    hides: &[],
    marks: &[],
    source: "skill-creator: scripts/aggregate_benchmark.py; dfinity/icskills PR 198",
    fix: None,
    check: Check::Set(check),
};

fn check(set: &SubjectSet<'_>, report: &mut Report<'_>) {
    for root in &set.set.roots {
        search(&root.tree, false, report);
    }
}

/// `inside`: the folder is right in an iteration.
fn search(folder: &Folder, inside: bool, report: &mut Report<'_>) {
    if inside && folder.name.starts_with("eval-") {
        for arm in folder.folders() {
            let grading = arm.files().find(|file| file.name == "grading.json");
            let has_runs = arm.folders().any(|run| run.name.starts_with("run-"));
            if let Some(grading) = grading.filter(|_| !has_runs) {
                let message = message!(
                    "put it into `{}/run-1`, else aggregating the benchmark leaves it out",
                    "请放入 `{}/run-1`，否则汇总基准结果时会漏掉它",
                    arm.name
                );
                report.about(&grading.path, message);
            }
        }
        return;
    }
    folder.folders().for_each(|inner| search(inner, folder.name.starts_with("iteration-"), report));
}
