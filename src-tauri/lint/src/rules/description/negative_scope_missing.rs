use std::sync::LazyLock;

use regex::Regex;

use crate::analysis::language::compiled;
use crate::analysis::likeness::LARGE;
use crate::{Check, Example, Group, Report, Rule, SubjectSet};
use skill::{Severity, Skill};
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "negative-scope-missing",
    group: Group::Description,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Neighbours do not say which is for what", "相近的技能未说明各自的界限"),
    what: Wording::new(
        "Two skills whose descriptions share from 50 % to 70 % of their words, neither of which names the other \
         or says what it is not for (`Do not use for …`, `不用于`).",
        "两个技能的描述有 50% 到 70% 的词相同，且都没有提到对方，也没有写明自己不适用于什么（`Do not use for …`、\
         `不用于`）。",
    ),
    why: Wording::new(
        "A model cannot tell which one to load; a sentence on what a skill is not for settles it.",
        "模型无法判断该加载哪一个；用一句话写明技能不适用于什么就能解决。",
    ),
    bad: Example {
        folder: "pdf-tables",
        files: &[
            (
                "SKILL.md",
                r"---
name: pdf-tables
description: Extracts tables from PDF invoices into spreadsheet rows. Use when asked for tables.
---
Do it.
",
            ),
            (
                "/pdf-charts/SKILL.md",
                r"---
name: pdf-charts
description: Extracts charts from PDF invoices into spreadsheet files. Use when asked for columns.
---
Do it.
",
            ),
        ],
    },
    good: Example {
        folder: "pdf-tables",
        files: &[
            (
                "SKILL.md",
                r"---
name: pdf-tables
description: Extracts tables from PDF invoices into spreadsheet rows. Use when asked for tables, not for columns.
---
Do it.
",
            ),
            (
                "/pdf-charts/SKILL.md",
                r"---
name: pdf-charts
description: Extracts charts from PDF invoices into spreadsheet files. Use when asked for columns.
---
Do it.
",
            ),
        ],
    },
    hides: &[],
    marks: &[],
    source: "optimizing descriptions",
    fix: None,
    check: Check::Set(check),
};

static LIMIT: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"(?i)\b(?:not\s+(?:use|used|for|to|intended|meant|needed)|don't\s+use|never\s+use|except|instead\s+of|rather\s+than|only\s+(?:for|when|if)|unlike)\b|不要|不用于|不适用|请勿|而不是|仅用于|仅限|除外|除非",
    )
});

fn check(set: &SubjectSet<'_>, report: &mut Report<'_>) {
    for pair in set.pairs() {
        let (a, b) = (&set.skills[pair.first], &set.skills[pair.second]);
        if pair.share < LARGE && !is_limited(a, b) && !is_limited(b, a) {
            let message = message!(
                "`{}` is described in much the same words; say in one of them what it is not for",
                "`{}` 的描述用词与此大致相同；请在其中一个里写明它不适用于什么",
                b.name()
            );
            if let Some(field) = a.manifest.field("description") {
                report.at(&a.manifest.source.path, field.value_span, message);
            }
        }
    }
}

fn is_limited(skill: &Skill, neighbour: &Skill) -> bool {
    let description = skill.manifest.field("description").and_then(|field| field.value.as_str()).unwrap_or_default();
    LIMIT.is_match(description) || description.contains(neighbour.name())
}
