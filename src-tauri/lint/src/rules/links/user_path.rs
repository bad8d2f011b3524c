use camino::Utf8Path;

use crate::analysis::context;
use crate::code::known;
use crate::pattern::{Match, Pattern, Patterns, Scope};
use crate::{Check, Example, Group, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "user-path",
    group: Group::Links,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Path in somebody's home", "包含个人主目录的路径"),
    what: Wording::new(
        "A path in one user's home, e.g. `/Users/ann/`, `/home/ann/` or `C:\\Users\\ann\\`, in Markdown. \
           Placeholders such as `/Users/<you>/` and the users of sandboxes and build machines are left alone, as are lists of changes, \
           results of runs and records of decisions.",
        "Markdown 中某个用户主目录下的路径，例如 `/Users/ann/`、`/home/ann/` 或 `C:\\Users\\ann\\`。\
         `/Users/<you>/` 之类的占位符，以及沙箱和构建机器的用户不检查；更新日志、运行结果和决策记录也不检查。",
    ),
    why: Wording::new(
        "The path exists on one machine, and reveals its user's name to everybody else.",
        "这个路径只存在于一台机器上，还会向所有人泄露用户名。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Read the settings in /Users/ann/work/settings.json.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Read the settings in `settings.json`, or in /home/<you>/settings.json.
",
    )]),
    hides: &[],
    marks: &[],
    source: "agnix CC-SK-021, XP-SK-002; claude-code-lint",
    fix: None,
    check: Check::Pattern(Patterns {
        scope: Scope::Instructions,
        patterns: &[
            Pattern {
                expression: r#"(?:\b{start-half}|\p{Han})/(?:Users|home)/[A-Za-z][A-Za-z0-9_.-]*"#,
                lines: 0,
                message: Wording::new(
                    "`{}` is in one user's home; write a path from the skill or the working directory",
                    "`{}` 在某个用户的主目录中；写相对于技能或工作目录的路径",
                ),
            },
            Pattern {
                expression: r#"\b[A-Za-z]:[\\/]Users[\\/]+[A-Za-z][A-Za-z0-9_.-]*"#,
                lines: 0,
                message: Wording::new(
                    "`{}` is in one user's home; write a path from the skill or the working directory",
                    "`{}` 在某个用户的主目录中；写相对于技能或工作目录的路径",
                ),
            },
        ],
        unless: Some(is_nobody),
        milder: None,
    }),
};

/// It is the home of a placeholder, not of a user at all (`/home/table.csv`), of the program that the skill is about,
/// or in a container (`./data:/home/app`); or the text shows it as an example.
fn is_nobody(found: &Match<'_>) -> bool {
    let begins = found.before.rsplit('\n').next().unwrap_or_default();
    let is_mounted =
        begins.ends_with(':') && begins.rsplit(char::is_whitespace).next().is_some_and(|word| word.len() > 1);
    let is_example = ["e.g.", "example", "such as", "for instance", "例如", "比如", "示例"]
        .iter()
        .any(|word| begins.to_lowercase().contains(word));
    let rest = found.after.trim_start_matches(|letter: char| !letter.is_whitespace()).trim_start();
    let is_changed = ["→", "->", "-->", "=>"].iter().any(|arrow| rest.starts_with(arrow));
    let shown = is_changed || context::shown_as_bad(found).is_some();
    let user = found.text.rsplit(['/', '\\']).next().unwrap_or_default();
    let goes_on = found.line.rsplit_once(found.text).is_some_and(|(_, rest)| rest.starts_with(['/', '\\']));
    let is_file = !goes_on && user.contains('.');
    let is_subject = user.len() > 2 && found.text.starts_with("/home/") && names(found.path, user);
    let is_result = begins.trim_end().ends_with(['→', '➜']);
    is_record(found.path)
        || is_result
        || is_file
        || is_mounted
        || is_example
        || shown
        || is_subject
        || known::is_nobody(&user.to_ascii_lowercase())
}

/// A record of what was done, without instructions: a list of changes, the results of a run, a decision.
fn is_record(path: &Utf8Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_ascii_lowercase();
    let folders = path.parent().into_iter().flat_map(Utf8Path::components);
    ["changelog", "results", "history"].iter().any(|word| name.starts_with(word))
        || folders.into_iter().any(|part| matches!(part.as_str(), "evals" | "adr" | "designs" | "plans"))
}

/// Whether a folder above a file is named after a program, as in `wiremock-standalone`.
fn names(path: &Utf8Path, program: &str) -> bool {
    path.ancestors()
        .skip(1)
        .filter_map(Utf8Path::file_name)
        .any(|name| name.split(['-', '_']).any(|part| part == program))
}
