use std::collections::HashMap;

use crate::analysis::lines::words;
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "terms-mixed",
    group: Group::Instructions,
    severity: Severity::Info,
    on: false,
    title: Wording::new("One thing under two names", "术语不一致"),
    what: Wording::new(
        "Two words for one thing, each three times or more outside of code: folder and directory, repo and \
           repository, config and configuration, param and parameter, 文件夹 and 目录.",
        "在代码之外，同一事物的两种叫法各出现三次以上：folder 与 directory、repo 与 repository、\
         config 与 configuration、param 与 parameter、文件夹与目录。",
    ),
    why: Wording::new("The agent may take them for two things.", "智能体可能把它们当成两样东西。"),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
The folder. The directory.
The folder. The directory.
The folder. The directory.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
The folder. The file.
The folder. The file.
The folder. The file.
",
    )]),
    hides: &[],
    marks: &[],
    source: "Anthropic, Skill authoring best practices, consistent terminology; skillsaw",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let text = skill.text();
    let mut counts: HashMap<String, usize> = HashMap::new();
    let mut chinese = [(0, 0); PAIRS_ZH.len()];
    for prose in &skill.markdown().prose {
        let prose = prose.of(text);
        for word in words(prose) {
            *counts.entry(word).or_default() += 1;
        }
        for (count, (one, other)) in chinese.iter_mut().zip(PAIRS_ZH) {
            count.0 += prose.matches(one).count();
            count.1 += prose.matches(other).count();
        }
    }
    let count = |word: &str| {
        counts.get(word).copied().unwrap_or_default() + counts.get(&format!("{word}s")).copied().unwrap_or_default()
    };
    let english = PAIRS.iter().map(|(one, other)| (*one, *other, (count(one), count(other))));
    let chinese = PAIRS_ZH.iter().zip(chinese).map(|((one, other), counts)| (*one, *other, counts));
    for (one, other, (ones, others)) in english.chain(chinese) {
        if ones >= FEWEST && others >= FEWEST {
            let message = message!(
                "`{one}` occurs {ones} times and `{other}` {others} times; if they mean the same thing, use one word",
                "`{one}` 出现 {ones} 次，`{other}` 出现 {others} 次；如果指同一事物，只用一个词"
            );
            report.at(skill.path(), skill.manifest().body.trim(text), message);
        }
    }
}

const FEWEST: usize = 3;
const PAIRS: [(&str, &str); 7] = [
    ("folder", "directory"),
    ("repo", "repository"),
    ("config", "configuration"),
    ("param", "parameter"),
    ("arg", "argument"),
    ("db", "database"),
    ("docs", "documentation"),
];
const PAIRS_ZH: [(&str, &str); 3] = [("文件夹", "目录"), ("参数", "变量"), ("接口", "端点")];
