use std::ops::RangeInclusive;

use crate::analysis::context;
use crate::pattern::{Match, Pattern, Patterns, Scope};
use crate::{Check, Deed, Example, Group, Mark, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "destructive-command",
    group: Group::Security,
    severity: Severity::Error,
    on: true,
    title: Wording::new("Command that destroys data", "破坏性命令"),
    what: Wording::new(
        "Commands in scripts and code blocks, and those that a sentence says to run, that delete a disk, the root or the home folder: `rm -rf /`, `mkfs`, `dd of=/dev/sd…`, `shutil.rmtree(\"/\")`, `format c:`. Comments are not reported. If the text forbids them, they are less severe. Strings, and what is only named, are a rule of their own.",
        "脚本和代码块中、或句子要求运行的会清除磁盘、根目录或主目录的命令：`rm -rf /`、`mkfs`、`dd of=/dev/sd…`、`shutil.rmtree(\"/\")`、`format c:`。注释不报告；文中明令禁止时，严重程度降低。字符串以及仅被提到的命令另有一条规则。",
    ),
    why: Wording::new("Whoever runs the skill loses what it deletes for good.", "运行技能的人会永久失去被删除的内容。"),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Clean up:

```sh
rm -rf ~/*
```
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r#"---
name: demo
description: Use when asked for a demo.
---
Clean up:

```sh
rm -rf ./build "$TMPDIR/demo"
```
"#,
    )]),
    hides: &[],
    marks: &[Mark::Evidence(Deed::Runs)],
    source: "claude-code-lint; cisco-ai-skill-scanner",
    fix: None,
    check: Check::Pattern(Patterns {
        scope: Scope::Code,
        patterns: PATTERNS,
        unless: Some(|found| context::is_comment(found) || !is_meant(found)),
        milder: Some(|found| {
            is_placeholder(found).or_else(|| is_virtual(found)).or_else(|| context::only_shown(found))
        }),
    }),
};

pub(super) const PATTERNS: &[Pattern] = &[
    Pattern {
        expression: r#"(?-u:\b)rm\s+(?:-[a-zA-Z-]+\s+)*-(?:[a-zA-Z]*[rR][a-zA-Z]*|-recursive)\s+(?:-[a-zA-Z-]+\s+)*["\']?(?:/\*?|~/?\*?|\$HOME/?\*?|\$\{HOME\}/?\*?|/(?:etc|usr|bin|lib|var|home|boot|root|Users|System)/?\*?)(?:["\']|\s|$|[;&|`)\]])"#,
        lines: 0,
        message: Wording::new(
            "`{}` deletes what is not the skill's: name a folder of its own",
            "`{}` 会删除不属于技能的内容，请指定技能自己的文件夹",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)mkfs(?:\.[a-z0-9]+)?\s+(?:-\S+\s+)*/dev/[a-z0-9]+|(?-u:\b)dd\s[^\n]*of=/dev/(?:sd|nvme|disk|hd|vd|mmcblk)[a-z0-9]*|(?-u:\b)shred\s[^\n]*/dev/(?:sd|nvme|disk|hd|vd|mmcblk)[a-z0-9]*|>\s*/dev/(?:sd|nvme|disk|hd|vd)[a-z0-9]+"#,
        lines: 0,
        message: Wording::new("`{}` overwrites a disk: take it out", "`{}` 会覆盖磁盘，请删除"),
    },
    Pattern {
        expression: r#"rmtree\(\s*(?:["\'](?:/|~|/home|/etc|/usr|C:\\\\?)["\']|Path\.home\(\)|os\.path\.expanduser\(\s*["\']~/?["\']\s*\))"#,
        lines: 0,
        message: Wording::new(
            "`{}` deletes what is not the skill's: name a folder of its own",
            "`{}` 会删除不属于技能的内容，请指定技能自己的文件夹",
        ),
    },
    Pattern {
        expression: r#"(?i)(?-u:\b)remove-item\s+[^\n]*(?:[a-z]:\\|\$home|\$env:userprofile)(?:\s|\*|$)[^\n]*|(?-u:\b)format\s+[c-z]:(?:\s+/|\s*$)|(?-u:\b)(?:del|rd)\s+(?:/[sqf]\s+)+[c-z]:\\(?:\s|\*|$)"#,
        lines: 0,
        message: Wording::new(
            "`{}` deletes what is not the skill's: name a folder of its own",
            "`{}` 会删除不属于技能的内容，请指定技能自己的文件夹",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)chmod\s+-R\s+0?777\s+(?:/|~|\$HOME)(?:\s|$)|(?-u:\b)chown\s+-R\s+\S+\s+/(?:\s|$)"#,
        lines: 0,
        message: Wording::new(
            "`{}` opens all files to everybody: name a folder of its own",
            "`{}` 会把所有文件开放给任何人，请指定技能自己的文件夹",
        ),
    },
];

/// A placeholder for a disk: `/dev/sdX`, `/dev/sd<letter>`. Whoever runs the command has to fill it in.
fn is_placeholder(found: &Match<'_>) -> Option<Wording> {
    let is_open = found.text.contains("/dev/") && found.after.starts_with(['X', '<', '[', '{', '?', '$']);
    is_open.then_some(Wording::new("the disk is left open", "没有指明具体的磁盘"))
}

/// Further disks of a virtual machine that the text speaks of, `/dev/vdb`, and no other disk but one that is read.
fn is_virtual(found: &Match<'_>) -> Option<Wording> {
    let written = found.text.split_whitespace().filter(|word| !word.starts_with("if="));
    let mut disks = written.filter_map(|word| Some(word.split_once("/dev/")?.1)).peekable();
    let is_further =
        |disk: &str| disk.strip_prefix("vd").is_some_and(|rest| rest.starts_with(|letter| FURTHER.contains(&letter)));
    let is_further = disks.peek().is_some() && disks.all(is_further);
    let is_told = [found.above, found.before].iter().any(|text| {
        let lower = text.to_lowercase();
        ["virtual machine", "qemu", "虚拟机"].iter().any(|words| lower.contains(words))
    });
    (is_further && is_told).then_some(Wording::new("a further disk of a virtual machine", "虚拟机的附加磁盘"))
}

/// The letters of disks after the first.
const FURTHER: RangeInclusive<char> = 'b'..='z';

/// It runs as it is, or a sentence or a row of steps says to run it.
pub(super) fn is_meant(found: &Match<'_>) -> bool {
    let is_ordered =
        !context::is_script(found.path) && !context::is_in_fence(found) && context::only_named(found).is_none();
    is_ordered || context::is_executed(found)
}
