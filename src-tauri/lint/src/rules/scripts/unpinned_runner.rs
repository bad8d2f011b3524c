use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use crate::code::requirement::requirements;
use crate::code::{Command, Word, base_name};
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "unpinned-runner",
    group: Group::Scripts,
    severity: Severity::Info,
    on: false,
    title: Wording::new("One-off command takes whatever version is newest", "临时运行的包未固定版本"),
    what: Wording::new(
        "A command that fetches and runs a package without a version: `npx`, `bunx`, `pnpm dlx`, `yarn dlx`, `uvx`, `pipx run`, `deno run npm:`. Packages that the skill's `package.json` names, and those that begin a project (`create-app`), are not reported.",
        "命令直接下载并运行未指定版本的包：`npx`、`bunx`、`pnpm dlx`、`yarn dlx`、`uvx`、`pipx run`、`deno run npm:`。技能的 `package.json` 已列出的包，以及用来新建项目的包（`create-app`）不报告。",
    ),
    why: Wording::new(
        "The same command runs other code tomorrow: flags change, and if somebody else takes over the package, their code runs with the agent's rights.",
        "同一条命令明天运行的可能是另一份代码：参数会变；包若被他人接管，他们的代码就会以智能体的权限运行。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
```bash
npx markdown-toc src
```
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
```bash
npx markdown-toc@1.2.0 src
```
",
    )]),
    hides: &[],
    marks: &[],
    source: "agentskills.io, using scripts; agnix AS-024",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let code = skill.code();
    let fetches = |command: &Command| fetched(&command.words).is_some();
    if !code.documents.iter().any(|document| document.commands.iter().any(fetches)) {
        return;
    }
    let required: HashSet<String> = requirements(skill, code).into_iter().map(|one| one.name).collect();
    let mut said = HashSet::new();
    for document in &code.documents {
        // In prose, only orders count: other sentences just mention the package.
        let text = document.text();
        let is_ordered = |command: &&Command| {
            let first = command.words.first();
            command.in_fence || first.is_some_and(|first| ORDER.is_match(line_before(text, first.span.start)))
        };
        let commands = document.commands.iter().filter(is_ordered);
        for (runner, package) in commands.filter_map(|command| fetched(&command.words)) {
            let name = package.text.as_str();
            let is_fine = is_pinned(name) || is_of_project(name) || begins_project(name) || required.contains(name);
            if is_fine || !said.insert(name) {
                continue;
            }
            let mark = if matches!(runner, "uvx" | "pipx" | "uv") { "==" } else { "@" };
            let message = message!(
                "`{runner} {name}` runs whatever version is newest; pin it, as in `{name}{mark}1.2.3`",
                "`{runner} {name}` 总是运行最新版本，请固定版本，例如 `{name}{mark}1.2.3`"
            );
            report.at(document.path, package.span, message);
        }
    }
}

fn line_before(text: &str, at: usize) -> &str {
    text[..at].rsplit('\n').next().unwrap_or_default()
}

static ORDER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)(?:^|[^\w ]\s*|\b(?:then|and|please|first|or|to) )(?:run|execute|call)(?: it)?(?: (?:with|by|as))?:?\s*`*$|(?:运行|执行)[：:]?\s*`*$")
        .expect("a test compiles it")
});

/// The runner of a command, and the package it fetches.
fn fetched(words: &[Word]) -> Option<(&str, &Word)> {
    let first = words.first()?.text.as_str();
    let second = words.get(1)?.text.as_str();
    let at = match (first, second) {
        ("npx" | "bunx" | "uvx", _) => 1,
        ("pnpm" | "yarn", "dlx") | ("pipx" | "deno", "run") | ("bun", "x") | ("npm", "exec") => 2,
        ("uv", "tool") if words.get(2).is_some_and(|word| word.text == "run") => 3,
        _ => return None,
    };
    let mut rest = words.get(at..)?.iter();
    while let Some(word) = rest.next() {
        match word.text.as_str() {
            "--no-install" | "--no" | "--offline" => return None,
            "-p" | "--package" | "--from" | "--spec" => return Some((first, rest.next()?)),
            "--python" | "--with" | "--index-url" | "-c" | "--call" => {
                rest.next();
            }
            flag if flag.starts_with('-') => {}
            package if first == "deno" && !package.starts_with("npm:") => return None,
            _ => return Some((first, word)),
        }
    }
    None
}

/// Programs that a project has among its own packages: `npx` takes the version that is installed there.
fn is_of_project(package: &str) -> bool {
    const OWN: [&str; 31] = [
        "esbuild",
        "lint-staged",
        "mypy",
        "pytest",
        "rollup",
        "ruff",
        "tsx",
        "expo",
        "eas",
        "tsc",
        "eslint",
        "prettier",
        "jest",
        "vitest",
        "next",
        "nuxt",
        "vite",
        "astro",
        "playwright",
        "cypress",
        "prisma",
        "drizzle-kit",
        "tailwindcss",
        "wrangler",
        "turbo",
        "nx",
        "ng",
        "husky",
        "pod-install",
        "react-native",
        "webpack",
    ];
    OWN.contains(&package)
}

/// `create-app`, `@maker/create-app`: new projects should use the newest version.
fn begins_project(package: &str) -> bool {
    let name = base_name(package);
    name == "create" || name.starts_with("create-")
}

/// Has a version, or is not a package of a registry.
fn is_pinned(package: &str) -> bool {
    let bare = package.trim_start_matches("npm:");
    let versioned = bare.contains("==") || bare.get(1..).is_some_and(|rest| rest.contains('@'));
    let is_part =
        |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.' | '/' | '@' | '[' | ']');
    let is_name =
        bare.starts_with(|letter: char| letter.is_ascii_alphanumeric() || letter == '@') && bare.chars().all(is_part);
    versioned || !is_name || bare.starts_with("git") || base_name(bare).contains('.')
}
