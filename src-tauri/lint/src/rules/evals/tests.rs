//! What the rules of this group report for similar files.

use std::collections::BTreeMap;

use crate::runs::Usage;
use crate::tests::said_of;
use crate::{Group, LintOptions, find};

const SKILL: &str = "---\nname: floor-plan\ndescription: 绘制房屋平面图。当用户要求平面图时使用。\n---\n画图。\n";

/// What this group reports for a skill with these files too.
fn said(files: &[(&str, &str)]) -> Vec<String> {
    let mut all = vec![("/floor-plan/SKILL.md".to_owned(), SKILL)];
    all.extend(files.iter().map(|(path, text)| (format!("/floor-plan/{path}"), *text)));
    let all: Vec<(&str, &str)> = all.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let said = said_of(&all, &LintOptions::default());
    let of_group = |line: &String| find(line.split(':').next().unwrap()).unwrap().group == Group::Evals;
    said.into_iter().filter(of_group).collect()
}

fn cases(cases: &str) -> Vec<String> {
    said(&[("evals/evals.json", &format!("{{\"skill_name\": \"floor-plan\", \"evals\": [{cases}]}}"))])
}

#[test]
fn both_dialects_are_good() {
    for key in ["assertions", "expectations"] {
        let case = format!(
            r#"{{"id": 1, "prompt": "画一张三室两厅的平面图", "expected_output": "plan.svg", "files": [],
                "{key}": ["plan.svg 中有 3 个卧室", {{"text": "The areas add up to `87.5`"}}]}}"#
        );
        assert_eq!(cases(&case), [""; 0]);
    }
}

#[test]
fn names_and_files_from_the_root_of_a_repository_are_right() {
    let case = |name: &str, path: &str| {
        format!(r#"{{"skill_name": "{name}", "evals": [{{"id": 1, "prompt": "x", "files": ["{path}"]}}]}}"#)
    };
    let said = |name: &str, path: &str| {
        let (text, skill) = (case(name, path), SKILL.replace("name: floor-plan", "name: plans"));
        let files = [
            ("/skills/floor-plan/SKILL.md", skill.as_str()),
            ("/skills/floor-plan/evals/evals.json", &text),
            ("/skills/floor-plan/evals/in/a.csv", "1\n"),
        ];
        let said = said_of(&files, &LintOptions::default());
        said.iter().filter(|line| line.starts_with("evals-")).count()
    };
    assert_eq!(said("floor-plan", "skills/floor-plan/evals/in/a.csv"), 0, "the folder's name, a path from above");
    assert_eq!(said("other", "skills/floor-plan/evals/in/b.csv"), 2);
}

#[test]
fn files_are_found_from_the_skill_and_from_evals() {
    let with = |path: &str| {
        let case =
            format!(r#"{{"skill_name": "floor-plan", "evals": [{{"id": 1, "prompt": "x", "files": ["{path}"]}}]}}"#);
        said(&[("evals/evals.json", &case), ("evals/files/a.csv", "a\n")])
    };
    for path in [
        "evals/files/a.csv",
        "files/a.csv",
        "./evals/files",
        "evals/files/",
        "https://example.org/a.csv",
        "files/*.csv",
    ] {
        assert_eq!(with(path), [""; 0], "{path}");
    }
    assert_eq!(
        with("files/b.csv"),
        ["evals-file-missing: `files/b.csv` is not in the skill; add the file, or correct the path"]
    );
}

#[test]
fn assertions_with_something_to_look_for_are_no_vague_ones() {
    let vague = |assertion: &str| {
        let case = format!(r#"{{"id": 1, "prompt": "x", "assertions": ["{assertion}"]}}"#);
        cases(&case).iter().any(|line| line.starts_with("assertion-too-vague"))
    };
    for assertion in ["The output is correct.", "结果正确", "Works as expected", "The result is of high quality"] {
        assert!(vague(assertion), "{assertion}");
    }
    for assertion in [
        "The total is correct: 42",
        "plan.svg is good XML",
        "`area` is correct",
        "Explains why the roof is where it is",
    ] {
        assert!(!vague(assertion), "{assertion}");
    }
}

#[test]
fn other_json_is_not_taken_for_a_set_of_queries() {
    for text in
        ["[]", "{}", "[1, 2]", r#"[{"query": "floor-plan"}]"#, "not JSON", r#"{"results": [{"should_trigger": true}]}"#]
    {
        assert_eq!(said(&[("evals/other.json", text), ("assets/trigger.json", text)]), [""; 0], "{text}");
    }
}

#[test]
fn near_misses_in_chinese_share_two_characters() {
    let set = |negatives: &[&str]| {
        let positives = (0..8).map(|n| format!(r#"{{"query": "画第{n}套房子", "should_trigger": true}}"#));
        let negatives = negatives.iter().map(|query| format!(r#"{{"query": "{query}", "should_trigger": false}}"#));
        let all: Vec<String> = positives.chain(negatives).collect();
        said(&[("evals/eval_set.json", &format!("[{}]", all.join(",")))])
    };
    let far = ["今天天气如何", "讲个笑话", "唱一首歌", "谁赢了", "数到十", "煮鸡蛋", "鱼的名字", "去火车站"];
    assert!(set(&far).iter().any(|line| line.starts_with("trigger-negatives-too-easy")));
    let mut near = far;
    near[0] = "给这张平面图估价";
    assert_eq!(set(&near), [""; 0]);
}

#[test]
fn few_runs_say_nothing() {
    let files = [
        ("/floor-plan/SKILL.md", SKILL),
        ("/floor-plan/references/a.md", "A.\n"),
        ("/floor-plan/scripts/draw.py", "print(1)\n"),
        ("/floor-plan/scripts/lib/walls.py", "x = 1\n"),
    ];
    let with = |usage: &dyn Fn() -> Usage| {
        // The folder is made by the test, so that its path is known only then.
        crate::tests::said_with(&files, |skills| {
            let usage = skills.iter().map(|skill| (skill.path.clone(), usage())).collect();
            LintOptions { usage, ..LintOptions::default() }
        })
        .into_iter()
        .filter(|line| line.contains("runs"))
        .collect::<Vec<_>>()
    };
    assert_eq!(with(&|| Usage { runs: 2, ..Usage::default() }), [""; 0]);
    let read = || BTreeMap::from([("references/a.md".to_owned(), 1)]);
    assert_eq!(
        with(&|| Usage { runs: 3, read: read(), ..Usage::default() }),
        ["script-never-run: it was not run in any of 3 runs; say in `SKILL.md` when to run it and how, or delete it"]
    );
}
