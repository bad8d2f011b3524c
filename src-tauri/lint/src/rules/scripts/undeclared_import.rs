use std::cell::LazyCell;
use std::collections::{BTreeSet, HashSet};

use crate::code::requirement::requirements;
use crate::code::{Code, Command, Language, Script, base_name, known};
use crate::{Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::{Message, Wording};

pub static RULE: Rule = Rule {
    id: "undeclared-import",
    group: Group::Scripts,
    severity: Severity::Warning,
    on: false,
    title: Wording::new("Script imports a package that nothing names", "脚本导入了未声明的依赖"),
    what: Wording::new(
        "A Python or JavaScript script that imports a package which is neither part of the language nor a file of the skill, and which no PEP 723 block, requirements file, `pyproject.toml`, `package.json`, `deno.json`, `compatibility` field or text of the skill names. Imports that may fail (`try: import x`), those that only older Pythons need and those of programs in `examples/` or `scaffold/`, which are to be read or copied, are not reported.",
        "Python 或 JavaScript 脚本导入的包既不是语言自带的，也不是技能里的文件，而且 PEP 723 块、requirements 文件、`pyproject.toml`、`package.json`、`deno.json`、`compatibility` 字段和技能的文本都没有提到它。允许失败的导入（`try: import x`）、只有旧版 Python 才需要的导入，以及 `examples/` 或 `scaffold/` 中供阅读或复制的程序的导入不报告。",
    ),
    why: Wording::new(
        "On a machine without the package the script ends in an import error, and nothing says that it must be installed.",
        "在没有安装该包的机器上，脚本会以导入错误结束，而没有任何地方说明要安装它。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `python3 scripts/load.py`.
",
        ),
        (
            "scripts/load.py",
            r"import pandas

print(pandas.__version__)
",
        ),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `uv run scripts/load.py`.
",
        ),
        (
            "scripts/load.py",
            r#"# /// script
# dependencies = ["pandas>=2"]
# ///
import pandas

print(pandas.__version__)
"#,
        ),
    ]),
    hides: &[],
    marks: &[],
    source: "agentskills.io specification: scripts are self-contained or document their dependencies",
    fix: None,
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let code = skill.code();
    let required: LazyCell<BTreeSet<String>, _> =
        LazyCell::new(|| requirements(skill, code).into_iter().map(|one| one.name).collect());
    let own: LazyCell<HashSet<&str>, _> =
        LazyCell::new(|| skill.skill.files.iter().flat_map(|file| file.name.split('/')).map(stem).collect());
    let mut missing = Vec::new();
    let mut said = HashSet::new();
    for script in code.scripts.iter().filter(|script| !is_sample(&script.file.name)) {
        let is_python = script.language == Language::Python;
        let installs = LazyCell::new(|| install_lines(script.text()));
        for import in script.facts.imports.iter().filter(|import| !import.optional) {
            let name = import.name.as_str();
            let comes_along = if is_python { known::is_python_own(name) } else { known::is_node_own(name) };
            let is_runner = name == "pytest" && is_test(&script.file.name);
            let in_service = is_python && IN_LAMBDA.contains(&name) && is_lambda(script.text());
            if comes_along || in_service || is_runner || own.contains(name) || said.contains(&(is_python, name)) {
                continue;
            }
            let names = names(name, is_python);
            let is_required = names.iter().any(|name| is_required(name, &required, is_python))
                || brought_by(name).iter().any(|other| {
                    required.contains(*other) || installs.contains(*other) || code.names_in_code(skill, other)
                });
            if is_required
                || names.iter().any(|name| is_named(skill, code, name))
                || names.iter().any(|name| installs.contains(name.as_str()))
                || (is_python && is_brought_near(script.text(), name))
            {
                continue;
            }
            said.insert((is_python, name));
            missing.push((script, import, names.last().map_or(name, String::as_str).to_owned()));
        }
    }
    // They are declared in one place.
    for is_python in [true, false] {
        let missing = missing.iter().filter(|(script, ..)| (script.language == Language::Python) == is_python);
        let missing: Vec<_> = missing.collect();
        let Some((script, first, _)) = missing.first() else { continue };
        let names: Vec<&str> = missing.iter().map(|(_, import, _)| import.name.as_str()).collect();
        let installed: Vec<&str> = missing.iter().map(|(.., installed)| installed.as_str()).collect();
        let is = if names.len() == 1 { "is" } else { "are" };
        let (place, place_zh) = if is_python {
            ("`# /// script` block", "`# /// script` 块")
        } else {
            ("`package.json`", "`package.json`")
        };
        let message = Message {
            en: format!(
                "nothing says that `{}` {is} needed; name `{}` in a {place} or in `compatibility`",
                names.join("`, `"),
                installed.join("`, `")
            ),
            zh: format!(
                "没有任何地方说明需要 `{}`，请在 {place_zh} 或 `compatibility` 中写明 `{}`",
                names.join("`、`"),
                installed.join("`、`")
            ),
        };
        let finding = report.at(&script.file.path, first.span, message);
        if !missing.iter().any(|(script, ..)| is_run(code, script)) {
            finding.weigh_less(Wording::new("no instruction runs it", "没有指令运行它"));
        }
    }
}

/// Whether a script is a program, and no code to copy: a command runs it, or its first line says what does.
fn is_run(code: &Code<'_>, script: &Script<'_>) -> bool {
    let name = base_name(&script.file.name);
    let has = |command: &Command| command.words.iter().any(|word| base_name(&word.text) == name);
    script.shebang.is_some() || code.documents.iter().any(|document| document.commands.iter().any(has))
}

/// A module that is not a known package, in a script that sets the path of modules itself.
fn is_brought_near(text: &str, name: &str) -> bool {
    let mut changes = ["sys.path.insert", "sys.path.append", "sys.path[", "sys.path ="].iter();
    name.contains('_') && known::distributions(name).is_empty() && changes.any(|change| text.contains(change))
}

/// A program to read or to copy into a project that has its own packages.
fn is_sample(name: &str) -> bool {
    const FOLDERS: [&str; 6] = ["example", "examples", "sample", "samples", "scaffold", "starter"];
    name.split('/').rev().skip(1).any(|folder| FOLDERS.contains(&folder))
}

/// Called by AWS Lambda, and not by a person.
fn is_lambda(text: &str) -> bool {
    text.contains("def lambda_handler(") || text.contains("def handler(event, context")
}

/// Modules that exist when AWS Lambda runs a program.
const IN_LAMBDA: [&str; 3] = ["boto3", "botocore", "cfnresponse"];

/// A file that only its tests' runner loads.
pub(super) fn is_test(name: &str) -> bool {
    let base = name.rsplit('/').next().unwrap_or_default();
    base.starts_with("test_") || base.ends_with("_test.py") || base == "conftest.py"
}

/// Packages that cannot be installed without it.
fn brought_by(import: &str) -> &'static [&'static str] {
    match import {
        "pydantic" => {
            &["fastapi", "fastmcp", "openai", "anthropic", "langchain", "langchain-core", "instructor", "mcp"]
        }
        "starlette" => &["fastapi", "fastmcp", "mcp"],
        "numpy" => &[
            "pandas",
            "scipy",
            "scikit-learn",
            "scikit-image",
            "matplotlib",
            "seaborn",
            "opencv-python",
            "opencv-python-headless",
            "opencv-contrib-python",
            "statsmodels",
            "torchvision",
            "transformers",
            "sentence-transformers",
            "faiss-cpu",
            "librosa",
            "xarray",
            "moviepy",
            "imageio",
            "onnxruntime",
            "shapely",
            "geopandas",
            "altair",
        ],
        "pandas" => &["seaborn", "geopandas", "statsmodels", "yfinance", "datasets", "streamlit"],
        "scipy" => &["scikit-learn", "scikit-image", "statsmodels", "librosa"],
        "matplotlib" => &["seaborn"],
        "PIL" => &[
            "matplotlib",
            "scikit-image",
            "torchvision",
            "imageio",
            "python-pptx",
            "reportlab",
            "pdfplumber",
            "moviepy",
        ],
        "torch" => &["torchvision", "torchaudio", "sentence-transformers", "accelerate"],
        "httpx" => &["openai", "anthropic", "mcp", "fastmcp"],
        "requests" => &["huggingface-hub", "tweepy", "praw", "pygithub", "jira", "google-api-python-client", "docker"],
        "lxml" => &["python-docx", "python-pptx", "docx", "pptx"],
        "yaml" => &["huggingface-hub", "transformers", "uvicorn", "kubernetes"],
        "click" => &["typer", "flask"],
        "rich" => &["typer", "textual"],
        "bs4" => &["markdownify"],
        "botocore" => &["boto3"],
        "s3transfer" => &["boto3"],
        "google" | "googleapiclient" | "google_auth_httplib2" => &["google-api-python-client", "google-auth-oauthlib"],
        "werkzeug" | "jinja2" => &["flask"],
        "markupsafe" => &["jinja2", "flask"],
        "urllib3" | "certifi" | "charset_normalizer" => &["requests"],
        _ => &[],
    }
}

/// All names under which it may be declared, the most likely last.
fn names(import: &str, is_python: bool) -> Vec<String> {
    let mut names = Vec::new();
    if is_python {
        let lower = import.to_lowercase();
        let hyphened = lower.replace('_', "-");
        names.extend([format!("python-{hyphened}"), format!("{hyphened}-python"), format!("py{hyphened}")]);
        names.extend([lower, hyphened]);
        names.extend(known::distributions(import).iter().rev().map(|name| (*name).to_owned()));
    } else {
        names.extend(import.split_once('/').map(|(_, bare)| bare.to_lowercase()));
        names.push(import.to_lowercase());
    }
    names
}

/// `google-auth` brings a part of `google`.
fn is_required(name: &str, required: &BTreeSet<String>, is_python: bool) -> bool {
    let part = format!("{name}-");
    let brings = || required.range(part.clone()..).next().is_some_and(|known| known.starts_with(&part));
    required.contains(name) || (is_python && brings())
}

fn is_named(skill: &Subject<'_>, code: &Code<'_>, name: &str) -> bool {
    if known::is_common_word(name) { code.names_in_code(skill, name) } else { code.names(name) }
}

/// The lines in which the script says what to install, in lower case.
fn install_lines(text: &str) -> String {
    let lines = text.lines().filter(|line| line.contains("install") || line.contains("uv add"));
    lines.take(LINES).collect::<Vec<_>>().join("\n").to_lowercase()
}

const LINES: usize = 50;

fn stem(part: &str) -> &str {
    part.split_once('.').map_or(part, |(stem, _)| stem)
}
