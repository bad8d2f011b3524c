use std::sync::LazyLock;

use regex::Regex;

use crate::analysis::context;
use crate::pattern::{Match, Pattern, Patterns, Scope};
use crate::{Check, Deed, Example, Group, Mark, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "exec-shell-built",
    group: Group::Security,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Shell command built from pieces", "拼接 Shell 命令"),
    what: Wording::new(
        "A command for a shell put together from variables in Python or JavaScript: `os.system(f\"…\")`, `subprocess.run(f\"…\", shell=True)`, ``execSync(`… ${x}`)``; also by way of a variable that was given such a text shortly before. Commands whose every value went through `shlex.quote` are not reported; one that gets nothing that its script is given, as far as can be seen there, is a hint.",
        "Python 或 JavaScript 用变量拼出 Shell 命令：`os.system(f\"…\")`、`subprocess.run(f\"…\", shell=True)`、``execSync(`… ${x}`)``；先把拼好的文本赋给变量再运行也算。每个值都经过 `shlex.quote` 的命令不报告；从上下文看不出用到了脚本外部输入的，只是提示。",
    ),
    why: Wording::new(
        "A file name with a space breaks it; one with `;` runs as a command.",
        "文件名里有空格，命令就会出错；有 `;`，后面的内容就会被当作命令运行。",
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
        (
            "scripts/run.py",
            r#"import os
import sys

os.system(f"convert {sys.argv[1]} out.png")
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
Do it.
",
        ),
        (
            "scripts/run.py",
            r#"import subprocess
import sys

subprocess.run(["convert", sys.argv[1], "out.png"], check=True)
subprocess.run("ls | wc -l", shell=True, check=True)
"#,
        ),
    ]),
    hides: &[],
    marks: &[Mark::Evidence(Deed::Runs)],
    source: "cisco-ai-skill-scanner COMMAND_INJECTION_SHELL_TRUE, _OS_SYSTEM, _JS_CHILD_PROCESS",
    fix: None,
    check: Check::Pattern(Patterns {
        scope: Scope::Programs,
        patterns: PATTERNS,
        unless: Some(is_fine),
        milder: Some(|found| {
            let of_sample = || context::is_sample(found);
            context::not_done(found).or_else(of_sample).or_else(|| of_constants(found.text)).or_else(|| of_own(found))
        }),
    }),
};

const PATTERNS: &[Pattern] = &[
    Pattern {
        expression: r#"(?-u:\b)(?:exec|execSync|child_process\.exec|cp\.exec)\(\s*["\'][^"\'\n]*["\']\s*\+[^\n]*"#,
        lines: 0,
        message: Wording::new(
            "`{}` breaks on names with spaces and runs what is in them: use `execFile` with a list",
            "`{}` 遇到带空格的名称会出错，还会执行名称中的内容，请用 `execFile` 传列表",
        ),
    },
    Pattern {
        expression: r#"os\.(?:system|popen)\(\s*(?:f["\'][^\n]*\{|["\'][^"\'\n]*["\']\s*(?:\+|%)|["\'][^\n]*\.format\()[^\n]*"#,
        lines: 0,
        message: Wording::new(
            "`{}` breaks on names with spaces and runs what is in them: use `subprocess.run` with a list",
            "`{}` 遇到带空格的名称会出错，还会执行名称中的内容，请用 `subprocess.run` 传列表",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)(?:run|call|Popen|check_output|check_call)\(\s*(?:f["\'][^\n]*\{|["\'][^"\'\n]*["\']\s*(?:\+|%)|["\'][^\n]*\.format\()[^\n]*shell\s*=\s*True"#,
        lines: 0,
        message: Wording::new(
            "`{}` breaks on names with spaces and runs what is in them: pass a list, without a shell",
            "`{}` 遇到带空格的名称会出错，还会执行名称中的内容，请传列表，不经过 Shell",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)(?:execSync|child_process\.exec|cp\.exec)\(\s*`[^`\n]*\$\{[^\n]*"#,
        lines: 0,
        message: Wording::new(
            "`{}` breaks on names with spaces and runs what is in them: use `execFile` with a list",
            "`{}` 遇到带空格的名称会出错，还会执行名称中的内容，请用 `execFile` 传列表",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)(?:run|call|Popen|check_output|check_call)\(\s*f["\'][^\n]*\{[^\n]*,\n(?:[ \t]+\w+ ?=[^\n]*,\n){0,4}[ \t]+shell ?= ?True"#,
        lines: 6,
        message: Wording::new(
            "`{}` breaks on names with spaces and runs what is in them: pass a list, without a shell",
            "`{}` 遇到带空格的名称会出错，还会执行名称中的内容，请传列表，不经过 Shell",
        ),
    },
    Pattern {
        expression: r#"os\.(?:system|popen)\(\s*[A-Za-z_]\w*\s*\)"#,
        lines: 0,
        message: Wording::new(
            "`{}` runs a text put together from variables, and breaks on names with spaces: use `subprocess.run` with a list",
            "`{}` 运行的是用变量拼成的文本，遇到带空格的名称会出错，请用 `subprocess.run` 传列表",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)(?:run|call|Popen|check_output|check_call)\(\s*[A-Za-z_]\w*\s*,(?:\s*\w+ ?= ?[^(),\n]+,){0,4}\s*shell\s*=\s*True"#,
        lines: 6,
        message: Wording::new(
            "`{}` runs a text put together from variables, and breaks on names with spaces: pass a list, without a shell",
            "`{}` 运行的是用变量拼成的文本，遇到带空格的名称会出错，请传列表，不经过 Shell",
        ),
    },
    Pattern {
        expression: r#"(?-u:\b)(?:execSync|execAsync|child_process\.exec)\(\s*[A-Za-z_$][\w$]*\s*[,)]"#,
        lines: 0,
        message: Wording::new(
            "`{}` runs a text put together from variables, and breaks on names with spaces: use `execFile` with a list",
            "`{}` 运行的是用变量拼成的文本，遇到带空格的名称会出错，请用 `execFile` 传列表",
        ),
    },
];

fn is_fine(found: &Match<'_>) -> bool {
    let given = found.text.split_once('(').map_or("", |(_, given)| given.trim_start());
    let name = &given[..given.find(|letter: char| !is_part(letter)).unwrap_or(given.len())];
    let is_name = !given[name.len()..].starts_with(['"', '\'', '`']) && !name.is_empty();
    let built = if is_name { last_text(name, found.above) } else { Some(given) };
    built.is_none_or(|built| !is_built(built) || is_quoted(built)) || context::is_comment(found)
}

fn is_part(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '$')
}

/// The last value of a variable before a place in the same function, with pieces that are appended later.
fn last_text<'a>(name: &str, above: &'a str) -> Option<&'a str> {
    let mut pieces: Option<&str> = None;
    let mut end = above.len();
    for line in above.split_inclusive('\n').rev() {
        let start = end - line.len();
        let code = line.trim_start();
        if ["def ", "async def ", "class ", "function ", "async function "].iter().any(|word| code.starts_with(word)) {
            return pieces;
        }
        let code = ["const ", "let ", "var "].iter().find_map(|word| code.strip_prefix(word)).unwrap_or(code);
        if let Some(rest) = code.strip_prefix(name).map(str::trim_start) {
            let rest = if rest.starts_with(':') { rest.find('=').map_or("", |at| &rest[at..]) } else { rest };
            if rest.starts_with("+=") {
                pieces = Some(&above[start + line.len() - code.len()..]);
            } else if let Some(value) = rest.strip_prefix('=').filter(|value| !value.starts_with('=')) {
                let value = &above[start + line.len() - value.len()..];
                return Some(pieces.map_or_else(|| statement(value), |_| value));
            }
        }
        end = start;
    }
    pieces
}

/// Up to the end of its line, or of the brackets that it opens.
fn statement(text: &str) -> &str {
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            '\n' if depth == 0 && !text[..at].trim().is_empty() => return &text[..at],
            _ => {}
        }
    }
    text
}

fn is_built(text: &str) -> bool {
    BUILT.is_match(text)
}

/// A text with a value in it, in Python or JavaScript.
static BUILT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?-u:\b)[rR]?f[rR]?["'][^\n]*\{[^\n]*\}|["']\s*(?:\+|%)\s*[\w(]|["']\s*\.format\(|\w\s*\+=?\s*f?["'][^\n]*\+|\+=\s*[a-zA-Z_]\w*\s*(?:\n|$)|`[^`]*\$\{"#)
        .expect("a test compiles it")
});

/// Every value is made safe for a shell.
fn is_quoted(text: &str) -> bool {
    // Only the template itself: options of the call come after it.
    let template = text.split_once('`').and_then(|(_, rest)| rest.split_once('`')).map(|(template, _)| template);
    let values = VALUE.find_iter(template.unwrap_or(text));
    let mut values = values.map(|value| value.as_str()).peekable();
    values.peek().is_some()
        && values.all(|value| {
            let value = value.to_ascii_lowercase();
            ["quote(", "escape(", "shlex.join("].iter().any(|made_safe| value.contains(made_safe))
        })
}

static VALUE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\{[^{}]+\}").expect("a test compiles it"));

/// All values are constants of the script, by their names.
fn of_constants(text: &str) -> Option<Wording> {
    let is_constant = |value: &str| {
        let name = value.trim_matches(['{', '}']).trim();
        let is_own_program = matches!(name, "sys.executable" | "process.execPath" | "__dirname" | "__file__");
        is_own_program
            || name.starts_with(|first: char| first.is_ascii_uppercase())
                && name.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_')
    };
    let command = text.split_once('`').and_then(|(_, rest)| rest.split_once('`')).map_or(text, |(command, _)| command);
    let mut values = VALUE.find_iter(command).map(|value| value.as_str()).peekable();
    let is_joined = JOINED.is_match(command);
    (values.peek().is_some() && !is_joined && values.all(is_constant))
        .then_some(Wording::new("its values are constants of the script", "其中的值都是脚本自己的常量"))
}

/// No input of the script is seen to get into the command.
fn of_own(found: &Match<'_>) -> Option<Wording> {
    let given = || NAME.find_iter(found.text).take(NAMES).filter_map(|name| last_text(name.as_str(), found.above));
    let is_outside = OUTSIDE.is_match(found.text) || given().any(|text| OUTSIDE.is_match(text));
    (!is_outside).then_some(Wording::new("where its values come from is not seen here", "这里看不出其中的值从何而来"))
}

/// How many names in a command are looked up.
const NAMES: usize = 16;
static NAME: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[A-Za-z_$][\w$]*").expect("a test compiles it"));

/// Inputs that a script gets when it runs.
static OUTSIDE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\bargv\b|\bargs?\b|\bopts?\.|\boptions\.|\binput\(|user_?input|\bstdin\b|readline|\bprompt\(|\breq(?:uest)?\.|\bparams\b|\bquery\b|\bgetenv\(|\benviron\b|process\.env\b|json\.loads?\(|JSON\.parse\(",
    )
    .expect("a test compiles it")
});

/// Pieces put together in another way than by values in braces.
static JOINED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"["']\s*(?:\+|%)|\.format\("#).expect("a test compiles it"));
