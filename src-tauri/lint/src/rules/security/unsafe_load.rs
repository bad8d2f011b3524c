use crate::analysis::context;
use crate::pattern::{Match, Pattern, Patterns, Scope};
use crate::{Check, Deed, Example, Group, Mark, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "unsafe-load",
    group: Group::Security,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Data is loaded in a way that runs code", "加载数据时会执行其中的代码"),
    what: Wording::new(
        "Python that reads data with `pickle`, `dill`, `cloudpickle` or `marshal`, or YAML with a loader that makes objects \
         (`yaml.load` without `SafeLoader`, `yaml.unsafe_load`, `yaml.full_load`).",
        "Python 用 `pickle`、`dill`、`cloudpickle` 或 `marshal` 读取数据，或用会创建对象的加载器读取 YAML（未指定 `SafeLoader` 的 \
         `yaml.load`、`yaml.unsafe_load`、`yaml.full_load`）。",
    ),
    why: Wording::new(
        "Who writes such a file decides what the machine runs that reads it.",
        "谁写这个文件，谁就能决定读取它的机器执行什么。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `scripts/read.py FILE`.
",
        ),
        (
            "scripts/read.py",
            r#"import pickle
import sys

with open(sys.argv[1], "rb") as file:
    print(pickle.load(file))
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
Run `scripts/read.py FILE`.
",
        ),
        (
            "scripts/read.py",
            r#"import json
import sys

with open(sys.argv[1]) as file:
    print(json.load(file))
"#,
        ),
    ]),
    hides: &[],
    marks: &[Mark::Evidence(Deed::Runs)],
    source: "Python documentation: pickle; PyYAML documentation; bandit B301, B302, B506",
    fix: None,
    check: Check::Pattern(Patterns {
        scope: Scope::Programs,
        patterns: PATTERNS,
        unless: Some(is_fine),
        milder: Some(milder),
    }),
};

const PATTERNS: &[Pattern] = &[
    Pattern {
        expression: r#"(?-u:\b)(?:pickle|cPickle|dill|cloudpickle|marshal)\.loads?\([^\n]*"#,
        lines: 0,
        message: Wording::new("`{}` runs code that is in the data: use JSON", "`{}` 会执行数据中的代码，请改用 JSON"),
    },
    Pattern {
        expression: r#"(?-u:\b)joblib\.load\([^\n]*|(?-u:\b)torch\.load\([^\n]*weights_only\s*=\s*False[^\n]*"#,
        lines: 0,
        message: Wording::new(
            "`{}` runs code that is in the data: load weights alone, or JSON",
            "`{}` 会执行数据中的代码，请只加载权重，或改用 JSON",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)yaml\.(?:load|load_all|unsafe_load|full_load)\([^\n]*"#,
        lines: 0,
        message: Wording::new(
            "`{}` makes objects of what is in the data: use `yaml.safe_load`",
            "`{}` 会按数据内容创建对象，请改用 `yaml.safe_load`",
        ),
    },
];

/// It names the safe loader, or is JavaScript, whose `yaml.load` is safe.
fn is_fine(found: &Match<'_>) -> bool {
    let loader = ["SafeLoader", "BaseLoader"].iter().any(|loader| found.line.contains(loader));
    let ending = context::extension(found.path);
    // An object of `ruamel.yaml`, which reads data only.
    if found.text.starts_with("yaml.load(") && (found.above.contains("yaml = YAML(") || found.above.contains("ruamel"))
    {
        return true;
    }
    loader || matches!(ending.as_str(), "js" | "mjs" | "cjs" | "ts") || context::is_comment(found)
}

fn milder(found: &Match<'_>) -> Option<Wording> {
    let library = found.text.split('.').next().unwrap_or_default();
    let own = ["dump(", "dumps("].iter().any(|call| found.above.contains(&format!("{library}.{call}")));
    context::not_done(found)
        .or_else(|| {
            let is_text = !context::is_script(found.path);
            is_text.then_some(Wording::new("it is a sample of a program", "这是一段示例程序"))
        })
        .or_else(|| own.then_some(Wording::new("the same script writes such data", "同一脚本会写出这类数据")))
}
