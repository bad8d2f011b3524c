use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

use regex::Regex;

use super::path_escapes_skill::plugin_of;
use super::{MOST, is_numbered, is_sample_name, say_missing};
use crate::references::{Aim, Form, Reference};
use crate::{Applicability, Check, Example, Group, Report, Rule, Subject};
use skill::Severity;
use skill::source::Span;
use wording::Wording;

pub static RULE: Rule = Rule {
    id: "broken-path",
    group: Group::Links,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Path to a file that is not there", "路径指向的文件不存在"),
    what: Wording::new(
        "A path such as `references/x.md` or `scripts/y.py` in `SKILL.md` that leads to no file of the skill, and that a command \
           runs or an order names (`read`, `see`, `run`, `→`). It is a hint if no command runs it, or the skill has not even the \
           folder. Globs, placeholders, examples (`e.g.`, `such as`, 例如), files that the text says to write, those of another \
           skill that it names, those of the project, and skills on writing skills are left alone.",
        "`SKILL.md` 中形如 `references/x.md`、`scripts/y.py`、却没有对应文件的路径，由命令运行，或由指示点名（`read`、`see`、`run`、\
         `→`、阅读、参见）。如果没有命令运行它，或者技能连这个文件夹都没有，则只作提示。通配模式、占位符、举例（`e.g.`、\
         `such as`、例如）、文中要求写出的文件、文中点名的其他技能的文件、项目中的文件，以及讲怎样编写技能的技能不检查。",
    ),
    why: Wording::new(
        "The agent runs or reads a file that is not there, and improvises.",
        "智能体去运行或读取不存在的文件，只好临时发挥。",
    ),
    bad: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `python3 scripts/count.py` on the table.
",
        ),
        ("scripts/draw.py", "print(1)\n"),
    ]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Run `python3 scripts/count.py` on the table and save it as `assets/out.csv`.
",
        ),
        ("scripts/count.py", "print(1)\n"),
    ]),
    hides: &[],
    marks: &[],
    source: "agentskills.io specification, file references; skillsaw",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    // It shows paths of skills that are yet to be written.
    if is_about_skills(skill) {
        return;
    }
    let Some(page) = skill.references().pages.iter().find(|page| page.path == *skill.path()) else { return };
    let text = skill.text();
    let in_fence = |reference: &Reference| {
        let (fences, place) = (&skill.markdown().fences, reference.span.start);
        let fence = fences.partition_point(|fence| fence.span.end <= place);
        fences.get(fence).is_some_and(|fence| fence.span.start <= place)
    };
    // A command or a text may mean a file of the project that the skill is in.
    let missing = page.references.iter().filter(|reference| {
        is_missing(text, reference)
            && !is_in_project(skill, &reference.written)
            && !is_of_other_place(text, reference.span)
            && !is_to_be_copied(skill, &reference.written)
            && !is_of_named_skill(skill, text, reference)
    });
    let named = missing.filter_map(|reference| {
        let before = sentence_before(text, reference.span.start);
        let is_run = in_fence(reference) || RUN.is_match(&before);
        (is_run || !is_of_other(&before) && ORDER.is_match(&before)).then_some((reference, is_run))
    });
    // One file that many places name is one fault, which a command shows best.
    let mut files: BTreeMap<&str, (&Reference, bool)> = BTreeMap::new();
    for (reference, is_run) in named {
        let known = files.entry(reference.written.trim_start_matches("./")).or_insert((reference, is_run));
        if is_run && !known.1 {
            *known = (reference, true);
        }
    }
    for (reference, is_run) in files.into_values().take(MOST) {
        let advice = Wording::new("correct the path, or add the file", "改正路径，或补上文件");
        let finding = say_missing(skill, report, page, reference, advice);
        let before = text[..reference.span.start].rsplit('\n').next().unwrap_or_default();
        if before.ends_with("PLUGIN_ROOT}/") && plugin_of(skill).is_none() {
            finding.weigh_less(Wording::new("the folder of the plugin is not known here", "这里不知道插件的文件夹"));
        } else if !has_folder(skill, &reference.written) {
            finding.weigh_less(Wording::new(
                "the skill has no such folder, so a file of the project may be meant",
                "技能没有这个文件夹，可能指项目中的文件",
            ));
        } else if !is_run {
            finding.weigh_less(Wording::new("the text only names it", "文中只是提到它"));
        }
    }
}

fn is_missing(text: &str, reference: &Reference) -> bool {
    matches!(reference.form, Form::Prose | Form::Code)
        && reference.aim == Aim::Missing
        && !reference.written.contains('\\')
        && !is_sample_name(&reference.written)
        && !is_numbered(&reference.written)
        && !reference.written.trim_start_matches("./").starts_with(".github/")
        && !is_only_talk(text, reference.span)
}

/// Whether it is there from a folder above the skill, up to that of the repository.
fn is_in_project(skill: &Subject<'_>, written: &str) -> bool {
    let path = written.trim_start_matches("./");
    let is_top = |folder: &&camino::Utf8Path| skill.disk().exists(&folder.join(".git"));
    for folder in skill.skill.path.ancestors().skip(1).take(LEVELS) {
        if skill.disk().exists(&folder.join(path)) {
            return true;
        }
        if is_top(&folder) {
            break;
        }
    }
    false
}

/// Whether it is a file of what the skill makes, which is among its templates.
fn is_to_be_copied(skill: &Subject<'_>, written: &str) -> bool {
    let path = written.trim_start_matches("./");
    skill.skill.files.iter().any(|file| {
        let folders = file.name.strip_suffix(path).and_then(|folders| folders.strip_suffix('/'));
        folders.is_some_and(|folders| folders.split('/').any(|part| part.contains("template") || part == "scaffold"))
    })
}

/// `# From project root` above it, and the argument of another program: `--test 'bash x.sh'`.
fn is_of_other_place(text: &str, path: Span) -> bool {
    let before = &text[text.ceil_char_boundary(path.start.saturating_sub(REACH))..path.start];
    let mut lines = before.rsplit('\n');
    let line = lines.next().unwrap_or_default();
    let above = lines.next().unwrap_or_default().to_lowercase();
    let is_remark = above.trim_start().starts_with('#') && (above.contains("root") || above.contains("project"));
    let is_quoted = line.contains(" --") && line.matches('\'').count() % 2 == 1;
    let after = &text[path.end..text.floor_char_boundary(path.end + REACH)];
    let after = after.trim_start_matches(['`', '*', '\'']).trim_start().to_lowercase();
    let is_doubted =
        ["does not exist", "doesn't exist", "is missing", "exists"].iter().any(|words| after.starts_with(words));
    // `if [ -f scripts/init.sh ]; then`: it may not be there.
    let path = path.of(text).trim_start_matches("./");
    let is_tested = ["-f ", "-e ", "-x ", "-f \"", "-e \"", "-x \"", "-f ./", "-e ./", "-x ./"]
        .iter()
        .any(|test| before.contains(&format!("{test}{path}")));
    is_remark || is_quoted || is_doubted || is_tested
}

/// The text before a path in its sentence, across wrapped lines.
fn sentence_before(text: &str, at: usize) -> String {
    let start = text.ceil_char_boundary(at.saturating_sub(REACH));
    let before = &text[start..at];
    let paragraph = before.rfind("\n\n").map_or(before, |end| &before[end + 2..]);
    let is_new = |line: &str| line.trim_start().starts_with(['-', '*', '+', '|', '#', '>']) || STEP.is_match(line);
    let lines: Vec<&str> = paragraph.lines().collect();
    let first = lines.iter().rposition(|line| is_new(line)).unwrap_or_default();
    let joined = lines[first..].join(" ");
    let joined =
        if joined.trim_start().starts_with('|') { joined.rsplit('|').next().unwrap_or_default() } else { &joined };
    let end = [". ", "。", "! ", "? ", "；"].iter().filter_map(|mark| Some(joined.rfind(mark)? + mark.len())).max();
    joined[end.unwrap_or_default()..].to_owned()
}

static STEP: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^\s*[0-9]+[.)]\s").expect("a test compiles it"));

/// Tells the agent to read or run what follows: `see`, `run`, `→`, `**Template**:`.
static ORDER: LazyLock<Regex> = LazyLock::new(|| {
    let words = "reads?|see|loads?|open|runs?|execute|uses?|using|call|calls|invoke|refer(?:ence)?s?|consult|follow(?:ing)?|check|\
                 reviews?|apply|via|per|copy|study|(?:described|documented|defined|listed|found|explained|covered|given) in";
    let others = "读取|阅读|查阅|参见|参阅|参考|查看|加载|载入|运行|执行|使用|调用|详见|見|讀取|閱讀|參見|參考|載入|執行|参照|読|実行";
    Regex::new(&format!(
        r"(?i)(?:^|[^\w./-])(?:{words})\b(?:[^.;]|\.\S){{0,60}}$|\b(?:python3?|node|bash|sh|source)\s+[`*.]*$|(?:{others})[^。；]{{0,30}}$|(?:→|->|=>|➜)\s*[`*]*$|^\W*\*\*[^*]{{2,40}}(?::\*\*|\*\*\s*:)\s*[`*]*$"
    ))
    .expect("a test compiles it")
});

/// A command that a sentence shows, or an order to run it: `python3 scripts/x.py`, `Run scripts/x.py`.
static RUN: LazyLock<Regex> = LazyLock::new(|| {
    let programs = "python3?|uv run|node|bun|deno run|tsx|bash|sh|zsh|source|ruby|perl";
    Regex::new(&format!(
        r"(?i)\b(?:(?:{programs})(?:\s+-\S+)*|run|execute)\s+[`*.\x22']*$|(?:运行|执行|執行)\s*[`*.]*$"
    ))
    .expect("a test compiles it")
});

/// Whether the files of another skill are spoken of: `the /ux skill (`, `/core:tdd's`, `build-server` and then the path.
fn is_of_other(before: &str) -> bool {
    let open = before.rfind('(').filter(|open| !before[*open..].contains(')'));
    let ends = [' ', '`', '*', '('];
    let heads = [before, before.trim_end_matches(ends), before[..open.unwrap_or(0)].trim_end_matches(ends)];
    let is_next = before.strip_suffix('`').is_some_and(|rest| NAME.is_match(rest));
    heads.iter().any(|head| OTHER.is_match(head)) || is_next || open.is_some_and(|open| NAME.is_match(&before[..open]))
}

/// `the ux skill`, `/core:tdd's`, `/core:tdd`
static OTHER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(?:the|of|from|in|and)\s+[`*]*/?[a-z0-9][\w:-]*[`*]*(?:['’]s)?\s+(?:skill|plugin)(?:['’]s)?\b|(?:^|[\s`(])/[a-z][\w-]*(?::[\w-]+)?(?:`?['’]s)?$|`['’]s\s*`?$",
    )
    .expect("a test compiles it")
});

/// A code span that is a name and no path, right before.
static NAME: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"`/?[a-z][a-z0-9:-]*`\s*$").expect("a test compiles it"));

/// A skill on how to write skills, plugins and hooks shows paths of skills that are yet to be written.
fn is_about_skills(skill: &Subject<'_>) -> bool {
    let name = skill.skill.path.file_name().unwrap_or_default();
    name.split(['-', '_']).any(|word| matches!(word, "skill" | "skills" | "plugin" | "plugins" | "marketplace"))
}

/// Whether the skill has files in the folder that a path names first.
fn has_folder(skill: &Subject<'_>, written: &str) -> bool {
    let path = written.trim_start_matches("./");
    let folder = path.split_once('/').map_or(path, |(folder, _)| folder);
    skill.skill.files.iter().any(|file| file.name.split_once('/').is_some_and(|(first, _)| first == folder))
}

/// Whether the text next to it names a skill next to this one, and it is there: `after demo-layout, run its
/// scripts/x.py`.
fn is_of_named_skill(skill: &Subject<'_>, text: &str, reference: &Reference) -> bool {
    let Some(home) = skill.skill.path.parent() else { return false };
    let start = text.ceil_char_boundary(reference.span.start.saturating_sub(REACH));
    let end = text.floor_char_boundary(text.len().min(reference.span.end + REACH));
    let start = text[start..reference.span.start].rfind("\n\n").map_or(start, |at| start + at);
    let end = text[reference.span.end..end].find("\n\n").map_or(end, |at| reference.span.end + at);
    let path = reference.written.trim_start_matches("./");
    // From the skill's folder, as commands are.
    if path.starts_with("../") && skill.disk().exists(&skill.skill.path.join(path)) {
        return true;
    }
    let words = text[start..end].split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '-' | '_'));
    let named: HashSet<&str> = words.filter(|word| word.len() > 2 && !path.contains(word)).collect();
    named.into_iter().filter(|name| Some(*name) != skill.skill.path.file_name()).any(|name| {
        let other = home.join(name);
        skill.disk().exists(&other.join(skill::manifest::FILE_NAME)) && skill.disk().exists(&other.join(path))
    })
}

/// Folders above a skill that its project may begin at.
const LEVELS: usize = 5;

/// The path is an example, or a file that is yet to be made.
fn is_only_talk(text: &str, path: Span) -> bool {
    let start = text.ceil_char_boundary(path.start.saturating_sub(REACH));
    let line = text[start..path.start].rfind('\n').map_or(start, |end| start + end + 1);
    let end = text.floor_char_boundary(text.len().min(path.end + REACH));
    let after = text[path.end..end].lines().next().unwrap_or_default().to_lowercase();
    let before = text[line..path.start].to_lowercase();
    let words = before.split(|letter: char| letter.is_whitespace() || "*`\"'():,;|[]".contains(letter));
    words.into_iter().any(|word| TALK.split(' ').any(|talk| talk == word))
        || TALK_ZH.iter().any(|word| before.contains(word))
        || OF_PROJECT.is_match(&before)
        || AFTER.iter().any(|word| after.contains(word))
        || ELSEWHERE.is_match(&before)
        || DENIED.is_match(&before)
        || IF_THERE.is_match(&before) && EXISTS.is_match(&after)
        // A link that is shown, not made.
        || before.ends_with("](")
        || is_below_examples(&text[..line])
        || HISTORY.is_match(row(text, path.start))
}

/// From the beginning of its line, however long that is.
fn row(text: &str, at: usize) -> &str {
    let start = text.ceil_char_boundary(at.saturating_sub(4000));
    text[start..at].rsplit('\n').next().unwrap_or_default()
}

/// A row or item of a list of changes: `| 2.0.0 | 2026-07-24 | …`, `- **1.4.0**: …`.
static HISTORY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*(?:[|*-]\s*)?[*_`]*v?[0-9]+\.[0-9]+(?:\.[0-9]+)?[*_`]*\s*(?:[|:(–—-]|$)|^\s*\|?\s*20[0-9]{2}-[0-9]{2}-[0-9]{2}\s*\|")
        .expect("a test compiles it")
});

/// `Examples:`, and then the list that the path is in.
fn is_below_examples(before: &str) -> bool {
    let start = before.ceil_char_boundary(before.len().saturating_sub(1000));
    let mut above = before[start..].lines().rev().map(str::trim).filter(|line| !line.is_empty());
    let label = above.find(|line| {
        !line.starts_with(|letter: char| "-*+|".contains(letter) || letter.is_ascii_digit()) || line.starts_with("**")
    });
    label.is_some_and(|line| {
        let lower = line.trim_matches(['*', '#', '_', ' ']).to_lowercase();
        let words = ["generated", "example", "e.g.", "for instance", "示例", "范例", "範例", "例如"];
        let names_them =
            |word: &&str| lower.starts_with(*word) || lower.ends_with([':', '：']) && lower.contains(*word);
        words.iter().any(names_them)
    })
}

/// `the repository's`, `if the project has`.
static OF_PROJECT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:repo|repository|project|codebase|app)['’]s\s+(?:own\s+)?[`*]*$|\bif\b[^.;]*\b(?:has|have|contains?|includes?|provides?|ships)\b[^.;]*$")
        .expect("a test compiles it")
});

/// `cd other && …`, `ssh host '…`, `[[ -x …`: it is run in another place, or only if it is there.
static ELSEWHERE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\bcd\s+\S+\s*(?:&&|;)|\bssh\s|\[\s*-[efxrsd]\s|\btest\s+-[efxrsd]\s").expect("a test compiles it")
});

/// `no rules/x.md`, and the caption of a sample: `**File:** scripts/x.sh`.
static DENIED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:\b(?:no|not|without|never|lacks?)\s+|\b(?:file|filename|location)\s*:?\**:?\s*)[`*]*$")
        .expect("a test compiles it")
});

/// `if references/x.md exists`
static IF_THERE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:\b(?:if|when|where|unless|whether)\b|如果|若)[^.;]*$").expect("a test compiles it")
});
static EXISTS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^[`*'’]*\s*(?:(?:already |does not |doesn['’]t )?exists?\b|is (?:there|missing)\b|不?存在)")
        .expect("a test compiles it")
});

/// How many bytes of the line before and after a path are checked.
const REACH: usize = 200;
/// Words before a path that is not a reference.
const TALK: &str = "add adds could create creates creating delete e.g e.g. eg example examples export exports generate \
    generates into like may might move name named optional optionally output outputs place produce produces \
    put rename save saved saves saving store stored such suppose touch would write writes writing written > \
    >> instance allowed good bad became become";
const TALK_ZH: [&str; 19] = [
    "范例",
    "範例",
    "例如",
    "比如",
    "譬如",
    "示例",
    "假设",
    "如果存在",
    "写入",
    "写到",
    "保存",
    "生成",
    "输出",
    "创建",
    "新建",
    "导出",
    "存到",
    "存为",
    "可选",
];
const AFTER: [&str; 18] = [
    "| removed",
    "(removed",
    "to be written",
    "or appropriate",
    " would ",
    "if it exists",
    "if present",
    "if any",
    "if available",
    "(optional",
    "will be created",
    "is created",
    "if created",
    "(new)",
    "(新增",
    "e.g.",
    "如果存在",
    "可选",
];
