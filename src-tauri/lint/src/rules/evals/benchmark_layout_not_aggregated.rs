use crate::{Check, Example, Group, Report, Rule, SubjectSet};
use skill::wording::Wording;
use skill::{Folder, Severity};

pub static RULE: Rule = Rule {
    id: "benchmark-layout-not-aggregated",
    group: Group::Evals,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Results that are not counted", "结果不会被统计"),
    what: Wording::new(
        "A `grading.json` right in an arm's folder (`iteration-1/eval-x/with_skill/grading.json`), without the \
           level `run-1`.",
        "",
    ),
    why: Wording::new(
        "skill-creator's `aggregate_benchmark.py` reads `run-*` only, and drops the others without a word: the \
          benchmark comes out empty.",
        "",
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
    source: "skill-creator: scripts/aggregate_benchmark.py; dfinity/icskills PR 198",
    fix: None,
    check: Check::Set(check),
};

fn check(set: &SubjectSet<'_>, report: &mut Report<'_>) {
    for root in &set.set.roots {
        search(&root.tree, false, report);
    }
}

/// `inside`: the folder lies right in an iteration.
fn search(folder: &Folder, inside: bool, report: &mut Report<'_>) {
    if inside && folder.name.starts_with("eval-") {
        for arm in folder.folders() {
            let grading = arm.files().find(|file| file.name == "grading.json");
            let has_runs = arm.folders().any(|run| run.name.starts_with("run-"));
            if let Some(grading) = grading.filter(|_| !has_runs) {
                let message = format!("put it into `{}/run-1`, else aggregating the benchmark leaves it out", arm.name);
                report.about(&grading.path, message);
            }
        }
        return;
    }
    folder.folders().for_each(|inner| search(inner, folder.name.starts_with("iteration-"), report));
}
