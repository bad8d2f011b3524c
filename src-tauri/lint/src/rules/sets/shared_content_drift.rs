use std::collections::{BTreeMap, HashSet};

use crate::{Check, Example, Group, Report, Rule, SubjectSet};
use skill::{FileKind, Severity, SkillFile};
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "shared-content-drift",
    group: Group::Sets,
    severity: Severity::Info,
    on: false,
    title: Wording::new("Copies of a file have come apart", "同一文件的副本已不一致"),
    what: Wording::new(
        "Files of the same path in two skills that share 80 % of their lines or more and are not equal.",
        "两个技能中路径相同、至少 80% 的行相同但又不完全一样的文件。",
    ),
    why: Wording::new(
        "A mistake that was corrected in one copy is still in the other.",
        "一个副本中改正的错误，另一个副本中还在。",
    ),
    bad: Example {
        folder: "demo",
        files: &[
            (
                "SKILL.md",
                r"---
name: demo
description: Use when asked for a demo.
---
Run scripts/load.py.
",
            ),
            (
                "scripts/load.py",
                r"import csv
import sys

with open(sys.argv[1]) as file:
    rows = list(csv.reader(file))

for row in rows:
    print(len(row))
    print(row[0])
    print(row[1])
    print(row[2])
    print(row[3])
",
            ),
            (
                "/tour/SKILL.md",
                r"---
name: tour
description: Use when asked for a tour.
---
Run scripts/load.py.
",
            ),
            (
                "/tour/scripts/load.py",
                r"import csv
import sys

with open(sys.argv[1]) as file:
    rows = list(csv.reader(file))

for row in rows[1:]:
    print(len(row))
    print(row[0])
    print(row[1])
    print(row[2])
    print(row[3])
",
            ),
        ],
    },
    good: Example {
        folder: "demo",
        files: &[
            (
                "SKILL.md",
                r"---
name: demo
description: Use when asked for a demo.
---
Run scripts/load.py.
",
            ),
            (
                "scripts/load.py",
                r"import sys

print(open(sys.argv[1]).read())
",
            ),
            (
                "/tour/SKILL.md",
                r"---
name: tour
description: Use when asked for a tour.
---
Run scripts/load.py.
",
            ),
            (
                "/tour/scripts/load.py",
                r"import sys

print(open(sys.argv[1]).read())
",
            ),
        ],
    },
    hides: &[],
    marks: &[],
    source: "skillsaw",
    fix: None,
    check: Check::Set(check),
};

/// Lines that two files share, of all lines of both.
const SHARE: f64 = 0.8;
/// With fewer lines files are alike by chance.
const FEWEST_LINES: usize = 8;
const SIZE_LIMIT: u64 = 100 << 10;
/// Files of one path that are read, and files in all.
const MOST_OF_ONE: usize = 8;
const MOST: usize = 1000;

fn check(set: &SubjectSet<'_>, report: &mut Report<'_>) {
    let mut named: BTreeMap<&str, Vec<(usize, &SkillFile)>> = BTreeMap::new();
    for (place, skill) in set.skills.iter().enumerate() {
        let copied =
            |file: &&SkillFile| matches!(file.kind, FileKind::Script | FileKind::Reference) && file.size <= SIZE_LIMIT;
        for file in skill.files.iter().filter(copied) {
            named.entry(&file.name).or_default().push((place, file));
        }
    }
    let mut read = 0;
    for files in named.values().filter(|files| files.len() > 1 && !all_equal_in_size(files)) {
        let mut first: Vec<(usize, HashSet<String>, String)> = Vec::new();
        for (place, file) in files.iter().take(MOST_OF_ONE) {
            if read >= MOST {
                return;
            }
            read += 1;
            let Some(source) = set.files().text(&file.path) else { continue };
            let lines = lines(&source.text);
            let like = first.iter().find(|(_, other, _)| share(other, &lines) >= SHARE);
            match like {
                Some((_, _, text)) if *text == source.text => {}
                Some((other, _, _)) => {
                    let message = message!(
                        "`{}` is nearly the same in `{}`; make them equal, or share one file",
                        "`{}` 与 `{}` 中的几乎相同；请改成一致，或共用一个文件",
                        file.name,
                        set.skills[*other].name()
                    );
                    report.about(&set.skills[*place].path.join(&file.name), message);
                }
                None if lines.len() >= FEWEST_LINES => first.push((*place, lines, source.text.clone())),
                None => {}
            }
        }
    }
}

/// Unchanged copies need not be read.
fn all_equal_in_size(files: &[(usize, &SkillFile)]) -> bool {
    files.iter().all(|(_, file)| file.size == files[0].1.size)
}

fn lines(text: &str) -> HashSet<String> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

fn share(a: &HashSet<String>, b: &HashSet<String>) -> f64 {
    let both = a.intersection(b).count();
    both as f64 / (a.len() + b.len() - both).max(1) as f64
}
