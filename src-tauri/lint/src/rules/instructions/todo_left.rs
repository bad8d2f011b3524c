use std::sync::LazyLock;

use camino::Utf8Path;
use regex::Regex;

use crate::pattern::{Match, Pattern, Patterns, Scope};
use crate::texts::is_model;
use crate::{Check, Example, Group, Rule};
use skill::Severity;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "todo-left",
    group: Group::Instructions,
    severity: Severity::Info,
    on: true,
    title: Wording::new("Something was left to do", "残留待办或占位内容"),
    what: Wording::new(
        "`TODO`, `FIXME` or `TBD` as a mark of its own, filler such as `lorem ipsum dolor`, `[placeholder]`, 待补充, \
           in the Markdown of a skill. Code, and text about such marks (`search for TODO comments`), are left \
           alone.",
        "技能的 Markdown 中单独标出的 `TODO`、`FIXME` 或 `TBD`，`lorem ipsum dolor` 之类的填充文字，`[placeholder]`、\
         待补充。代码以及谈论这类标记的文字（`search for TODO comments`）不检查。",
    ),
    why: Wording::new(
        "The agent takes it for an instruction, or does without what was to be written there.",
        "智能体会把它当成指令，或者缺少本应写在那里的内容。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
TODO: describe the steps.
",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
List all TODO comments of the code. A `TODO` is no error.
",
    )]),
    hides: &[],
    marks: &[],
    source: "skill-creator's template; agnix AS-027; skillsaw content-placeholder-text",
    fix: None,
    check: Check::Pattern(Patterns {
        scope: Scope::Instructions,
        patterns: &[
            Pattern {
                expression: r#"(?m)(?:\[|<!--\s*)(?:TODO|FIXME|TBD)\b|\b(?:TODO|FIXME|TBD)(?:\s*[:：(（]|\s*[.。]?\s*$)|^[\s>*#+-]*(?:\d+[.)]\s*)?(?:\[[ xX]\]\s*)?\**(?:TODO|FIXME|TBD)\b"#,
                lines: 0,
                message: Wording::new(
                    "`{}` was left to do; write it, or delete it",
                    "`{}` 还没有写完；补上内容，或删除它",
                ),
            },
            Pattern {
                expression: r#"(?i)lorem ipsum dolor"#,
                lines: 0,
                message: Wording::new("`{}` is filler; write the text", "`{}` 是填充文字；写上正文"),
            },
            Pattern {
                expression: r#"(?i)\[(?:placeholder|(?:text|content|details)?\s*to be (?:added|written|completed)[^\]\n]{0,40}|fill (?:this )?in|(?:insert|write|describe|add|enter|put) [^\]\n]{0,30}(?:steps|instructions|description|content|contents|text|details|workflow|process) here)\]"#,
                lines: 0,
                message: Wording::new(
                    "`{}` was left to do; write it, or delete it",
                    "`{}` 还没有写完；补上内容，或删除它",
                ),
            },
            Pattern {
                expression: r#"(?:待补充|待完善|待填写|此处填写)"#,
                lines: 0,
                message: Wording::new(
                    "`{}` was left to do; write it, or delete it",
                    "`{}` 还没有写完；补上内容，或删除它",
                ),
            },
        ],
        unless: Some(is_talk),
        milder: None,
    }),
};

/// The line talks about such marks.
fn is_talk(found: &Match<'_>) -> bool {
    let line = found.line.to_lowercase();
    found.in_code
        || TALK.iter().any(|word| line.contains(word))
        || is_to_be_written(found)
        || is_subject(found)
        || LEGEND.is_match(found.line)
        || DEFINED.is_match(found.line)
        || TOPIC.is_match(found.line)
        || is_in_structure(found)
        || is_material(found)
        || is_open(found)
        || is_quotation(found)
        || is_call(found)
}

/// `context.TODO()` is a function.
fn is_call(found: &Match<'_>) -> bool {
    found.text.ends_with('(') && found.after.starts_with(')')
}

/// `its place is TBD (see the list of open points)`: a sentence that says what is not known yet.
fn is_open(found: &Match<'_>) -> bool {
    let begins = found.before.rsplit('\n').next().unwrap_or_default();
    found.text.starts_with("TBD")
        && found.text.ends_with(['(', '（'])
        && begins.ends_with(' ')
        && begins.trim_end().ends_with(|letter: char| letter.is_alphanumeric() || letter == '|')
}

/// `"TODO: update this" → will it be?`
fn is_quotation(found: &Match<'_>) -> bool {
    let begins = found.before.rsplit('\n').next().unwrap_or_default();
    begins.ends_with(['"', '“', '「']) && found.after.contains(['"', '”', '」'])
}

/// The text says to write the mark: `write TBD`, `replace [placeholder]`.
fn is_to_be_written(found: &Match<'_>) -> bool {
    let begins = found.before.rsplit('\n').next().unwrap_or_default();
    let after = found.line.rsplit_once(found.text).map_or("", |(_, rest)| rest);
    TO_WRITE.is_match(begins)
        || (found.text.starts_with('待') && after.starts_with('的'))
        || (found.text.starts_with('[') && (KIND.is_match(after) || after.starts_with(['(', '['])))
        || begins.ends_with("No \"")
        || [" a ", " an ", " no "].iter().any(|article| begins.ends_with(article))
}

/// The line is about such marks: `## TBD migration`, `no section is empty or TBD`, `[TODO / FIXME](#todo)`.
fn is_subject(found: &Match<'_>) -> bool {
    let mark = found.text.trim_end();
    let after = found.line.rsplit_once(mark).map_or("", |(_, rest)| rest).trim_start_matches('*');
    let begins = found.before.rsplit('\n').next().unwrap_or_default();
    if found.text.starts_with('[') {
        return after.trim_start().starts_with(['/', '|']);
    }
    if !["TODO", "FIXME", "TBD"].iter().any(|word| mark.trim_end_matches(['.', '。']).ends_with(word)) {
        return false;
    }
    // A comment is a separate note.
    if mark.starts_with("<!--") {
        return false;
    }
    if after.trim().is_empty() {
        return !STANDS_FOR.is_match(begins);
    }
    let is_told = after.trim_start().starts_with([':', '：', '(', '（']);
    !is_told && (mark.contains("TBD") || !TASK.is_match(after))
}

/// `- **TODO**: a known improvement` says what the mark means.
static DEFINED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\s*[-*+]\s+\*\*(?:TODO|FIXME|TBD)\*\*\s*[:：—–-]").expect("a test compiles it"));

/// A mark at the end of a line, alone or as a value.
static STANDS_FOR: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:^[\s>*#+\-\d.)\[\]xX]*|[:：|–—-]\s*\**|\b(?:is|are|still|remains?)\s+)$")
        .expect("a test compiles it")
});

/// The task that follows a mark.
static TASK: LazyLock<Regex> = LazyLock::new(|| {
    let verbs = "write|add|describe|fill|fix|document|explain|insert|complete|finish|update|replace|implement|decide|link|\
                 verify|define|expand|clarify|rewrite|give|put|make";
    Regex::new(&format!(r"(?i)^\s*(?:[|\]]|[-–—]\s|(?:{verbs})\b)")).expect("a test compiles it")
});

/// A quote below `Use this structure:`.
fn is_in_structure(found: &Match<'_>) -> bool {
    let mut above = found.above.lines().rev().map(str::trim);
    let quoted = found.line.trim_start().starts_with('>');
    let label = above.find(|line| !line.is_empty() && !line.starts_with('>')).unwrap_or_default().to_lowercase();
    let words = ["structure", "template", "format", "layout", "结构", "模板", "格式"];
    quoted && label.ends_with([':', '：']) && words.iter().any(|word| label.contains(word))
}

/// A file that is to be filled in.
fn is_material(found: &Match<'_>) -> bool {
    let mut folders = found.path.ancestors().skip(1).filter_map(Utf8Path::file_name).take(3);
    let name = found.path.file_name().unwrap_or_default();
    name != skill::manifest::FILE_NAME
        && (is_model(name)
            || folders.any(|folder| matches!(folder, "assets" | "templates" | "template" | "examples" | "example")))
}

static TO_WRITE: LazyLock<Regex> = LazyLock::new(|| {
    let words = r#"(?i)\b(?:write|writes|use|uses|put|puts|add|adds|leave|leaves|mark|marks|enter|say|insert|replace|replaces|replacing|set|show)(?: (?:it|them|this|these|that))?(?: (?:as|to|a|the|with|each|every|all))*[\s"'`“(]*$"#;
    let chinese = r#"(?:写|标注|标为|标注为|注明|填|填入|替换|使用|用)(?:上|成|为|入|作)?[\s"'`“「：:]*$"#;
    Regex::new(&format!("{words}|{chinese}")).expect("a test compiles it")
});

/// `[PLACEHOLDER] variables`: what follows is a word for such marks.
static KIND: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^s?\s+(?:variable|slot|token|field|value|syntax|mark|style|notation|format)")
        .expect("a test compiles it")
});

/// `- **TODO** - not begun`.
static LEGEND: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\s*[-*+]\s+\*\*\[?(?:TODO|FIXME|TBD)\]?\*\*\s*[-–—=]").expect("a test compiles it"));

/// `## TODO format`.
static TOPIC: LazyLock<Regex> = LazyLock::new(|| {
    let words = "formats?|conventions?|styles?|handling|management|tracking|syntax|tags?|files?|entries|states?|polic(?:y|ies)|rules?";
    Regex::new(&format!(r"(?i)^#+\s+(?:TODO|FIXME|TBD)s?\s+(?:{words})\b")).expect("a test compiles it")
});

const TALK: [&str; 26] = [
    "trunk",
    "placeholder text",
    "comment",
    "marker",
    "grep",
    "search",
    "scan",
    "find ",
    "finds ",
    "leave ",
    "leaves ",
    "mark ",
    "marked",
    "remaining todo",
    "todos",
    "no todo",
    "any todo",
    "each todo",
    "todo list",
    "todo item",
    "detect",
    "注释",
    "标记",
    "查找",
    "搜索",
    "标注",
];
