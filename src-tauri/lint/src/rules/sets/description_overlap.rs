use crate::analysis::likeness::LARGE;
use crate::{Check, Example, Group, Report, Rule, SubjectSet};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "description-overlap",
    group: Group::Sets,
    severity: Severity::Warning,
    on: false,
    title: Wording::new("Two skills have the same description", "两个技能的描述高度重合"),
    what: Wording::new(
        "Two skills of different names whose descriptions share 70 % of their words or more, apart from those that are in \
           every description.",
        "两个名称不同的技能，除去每个描述都有的词，描述中有 70% 或更多的词相同。",
    ),
    why: Wording::new(
        "A model cannot tell which of them to load; it takes one at random or both.",
        "模型无法判断该加载哪一个；它会随机选一个，或两个都加载。",
    ),
    bad: Example {
        folder: "pdf-tables",
        files: &[
            (
                "SKILL.md",
                r"---
name: pdf-tables
description: Extracts tables from PDF invoices into spreadsheets. Use when asked for tables.
---
Do it.
",
            ),
            (
                "/invoice-tables/SKILL.md",
                r"---
name: invoice-tables
description: Extracts the tables of PDF invoices to a spreadsheet. Use if the user wants tables.
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
description: Extracts tables from PDF invoices into spreadsheets. Use when asked for tables.
---
Do it.
",
            ),
            (
                "/pdf-merge/SKILL.md",
                r"---
name: pdf-merge
description: Puts several PDF files together and numbers the pages. Use when asked to merge.
---
Do it.
",
            ),
        ],
    },
    hides: &[],
    marks: &[],
    source: "Cisco skill-scanner",
    fix: None,
    check: Check::Set(check),
};

fn check(set: &SubjectSet<'_>, report: &mut Report<'_>) {
    for pair in set.pairs().iter().filter(|pair| pair.share >= LARGE) {
        let (skill, other) = (&set.skills[pair.first], &set.skills[pair.second]);
        let Some(field) = skill.manifest.field("description") else { continue };
        let message = message!(
            "{:.0} % of the words are those of `{}`; say what each of the two is for and the other is not",
            "{:.0}% 的词与 `{}` 相同；请分别写明各自适用、而对方不适用于什么",
            pair.share * 100.0,
            other.name()
        );
        report.at(&skill.manifest.source.path, field.value_span, message);
    }
}
