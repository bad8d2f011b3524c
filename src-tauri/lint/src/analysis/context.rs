//! How a match is meant: as something to do, or only as a mention. Skills that teach security quote attacks, which does
//! no harm. The text around a match may lower its weight but never removes it: anybody can write a warning above an
//! attack.

use std::sync::LazyLock;

use camino::Utf8Path;
use regex::Regex;

use crate::code::known::is_installer;
use crate::pattern::{ABOVE, Match, Told};
use skill::source::Span;
use wording::Wording;

pub const WARNED_OF: Wording = Wording::new("the text around it warns of it", "上下文在警告它");
pub const SHOWN_AS_BAD: Wording = Wording::new("it is shown as what not to do", "它是作为反面例子给出的");

/// A phrase that is quoted, shown as code, or warned of.
pub fn mentioned(found: &Match<'_>) -> Option<Wording> {
    quoted(found).or_else(|| is_warned_of(found).then_some(WARNED_OF))
}

/// A phrase that is quoted or shown as code.
pub fn quoted(found: &Match<'_>) -> Option<Wording> {
    if found.in_code {
        Some(Wording::new("it is shown as code", "它以代码形式给出"))
    } else {
        (is_quoted(found.before) && !TITLE.is_match(last_line(found.before)))
            .then_some(Wording::new("it is quoted", "它在引号中"))
    }
}

/// The title of a link, which its reader does not see: `[notes](a.md "…")`, `[notes]: a.md "…"`.
static TITLE: LazyLock<Regex> = LazyLock::new(|| known(r#"(?:\]\(\S+|^\s*\[[^\]]+\]:\s*\S+)\s+["'][^"']*$"#));

/// A skill that says in its name or description that it is about attacks.
pub fn is_about_security(skill: Told<'_>) -> bool {
    SUBJECT.is_match(skill.name) || SUBJECT.is_match(skill.description)
}

static SUBJECT: LazyLock<Regex> = LazyLock::new(|| {
    known(
        r"(?i)\b(?:security|vulnerabilit(?:y|ies)|pentest\w*|penetration[ -]test\w*|red[ -]team\w*|exploit\w*|prompt[ -]injections?|malware|attack(?:s|er|ers)?|threat[ -]?(?:model\w*|hunt\w*|intel\w*)|forensics?|siem|jailbreak\w*|guardrails?|owasp)\b|安全(?:审计|审查|扫描|测试)|渗透|漏洞|攻击|恶意",
    )
});

/// A command that is not run at its place: a text about attacks, a string that a script only looks for.
pub fn only_shown(found: &Match<'_>) -> Option<Wording> {
    if is_printed(found) {
        return Some(Wording::new("it is only printed", "它只是被打印"));
    }
    is_string(found)
        .then_some(Wording::new("it is a string", "它只是一个字符串"))
        .or_else(|| shown_as_bad(found))
        .or_else(|| warned_of(found))
}

/// A string of a program that the program does not run in the same line.
fn is_string(found: &Match<'_>) -> bool {
    if is_script(found.path) {
        !is_shell(found.path)
            && (is_quoted(found.before) || opened(last_line(found.before)).is_some())
            && !runs(before_quote(found))
    } else {
        let is_data = || found.in_code && !found.is_run && is_in_fence(found) && is_quoted(found.before);
        (is_in_sample(found) && is_quoted_whole(found) && !runs(found.line)) || is_data()
    }
}

/// Code that runs if its script or its fence is run, by what it is: no string, no item of a list of texts, no code span.
pub fn is_executed(found: &Match<'_>) -> bool {
    let begins = last_line(found.before);
    let above = found.before[..found.before.len() - begins.len()].trim_end();
    // Alone on its line, it belongs to what the line above begins.
    let is_alone = matches!(begins.trim(), "\"" | "'" | "`");
    let goes_on = above.ends_with('\\') || runs(last_line(above));
    let is_compared = ["[[ ", "if [", "case "].iter().any(|start| begins.trim_start().starts_with(start));
    let is_text = if is_alone { !goes_on } else { is_string(found) };
    let is_listed = ["• ", "- ", "* "].iter().any(|mark| begins.trim_start().starts_with(mark));
    found.is_run && !is_text && !is_listed && !is_compared && !is_printed(found) && !is_fed(found)
}

/// `echo '{"command": "…"}' | hooks/check.sh`: another program than a shell reads it.
fn is_fed(found: &Match<'_>) -> bool {
    let start = last_line(found.before).trim_start();
    let prints = ["echo ", "printf "].iter().any(|command| start.starts_with(command)) && is_in_string(start);
    let rest = format!("{}{}", found.text, found.after);
    let line = rest.replace("\\\n", " ");
    let Some((_, to)) = line.lines().next().unwrap_or_default().split_once('|') else { return false };
    let mut words = to.split_whitespace().filter(|word| !word.contains('=') && *word != "sudo" && *word != "env");
    let is_own = |word: &str| word.contains('/') && !word.starts_with("/bin/") && !word.starts_with("/usr/");
    let first = words.next().unwrap_or_default();
    let handed =
        if matches!(first, "bash" | "sh" | "python3" | "python" | "node") { words.next() } else { Some(first) };
    prints && handed.is_some_and(is_own) && !line.contains(['>', '`']) && !line.contains("$(")
}

/// A phrase about others: what they must not do, or try to do. It is not an order.
pub fn is_spoken_of(found: &Match<'_>) -> bool {
    if is_script(found.path) {
        return false;
    }
    let begins = last_line(found.before);
    // Text that the reader cannot see is meant for the model.
    let is_hidden = TITLE.is_match(begins)
        || found.before.rfind("<!--") > found.before.rfind("-->")
        || begins.rfind("![") > begins.rfind(']');
    if is_hidden {
        return false;
    }
    let wrapped = found.before.rsplit("\n\n").next().unwrap_or_default().replace('\n', " ");
    let sentence = sentence(&wrapped).rsplit('|').next().unwrap_or_default();
    !ADDRESSED.is_match(sentence) && (KEPT_FROM.is_match(sentence) || SUPPOSES.is_match(sentence))
}

/// Says of others that they must not do it, or try to: `users cannot`, `attempts to`.
static KEPT_FROM: LazyLock<Regex> = LazyLock::new(|| {
    known(
        r"(?i)\b(?:cannot|can['’]t|never|don['’]t|doesn['’]t|won['’]t|(?:do|does|must|should|can|may|will|would|could)\s+not)\s+(?:\w+\s+to\s+)?[`*\x22]?$|\b(?:attempts?|attempting|attempted|tries|trying|tried)\s+to\s+[`*\x22]?$",
    )
});

/// The sentence addresses the reader, whoever else it mentions.
static ADDRESSED: LazyLock<Regex> =
    LazyLock::new(|| known(r"(?i)\b(?:you|your|please|follow|obey|do as|from now on)\b|[你请]"));

/// A command in a sentence or a row of a table that does not ask to run it.
pub fn only_named(found: &Match<'_>) -> Option<Wording> {
    let begins = last_line(found.before);
    let is_ordered = if begins.trim_start().starts_with('|') {
        let rows = found.above.lines().rev().take_while(|line| line.trim_start().starts_with('|'));
        rows.last().is_some_and(|head| STEPS.is_match(head))
    } else {
        let sentence = sentence(begins);
        RUN.is_match(sentence) && !MIGHT.is_match(sentence)
    };
    (!is_ordered).then_some(Wording::new("nothing says to run it", "没有要求运行它"))
}

/// The sentence, or the item that begins with it, forbids to run it.
pub fn forbidden(found: &Match<'_>) -> Option<Wording> {
    let sentence = sentence(last_line(found.before));
    let lower = sentence.to_lowercase();
    let forbids = FORBIDS.is_match(sentence) || FORBIDDING.iter().any(|word| lower.contains(word));
    (forbids || is_in_ban(found.before)).then_some(SHOWN_AS_BAD)
}

/// The part of a line that its last sentence has so far.
fn sentence(line: &str) -> &str {
    line.rsplit(['.', '。', '!', '！', ';', '；']).next().unwrap_or_default()
}

/// The head of a table of steps to do.
static STEPS: LazyLock<Regex> = LazyLock::new(|| known(r"(?i)\b(?:steps?|run|do|actions?)\b|步骤|操作"));

/// An order to run the code that follows.
static RUN: LazyLock<Regex> = LazyLock::new(|| {
    known(
        r"(?i)\b(?:run|runs|execute|type|enter|invoke|call|use|do|try)\b[^|]{0,40}$|(?:运行|执行|输入|调用)[^。；]{0,20}$",
    )
});

/// Says what might happen, and orders nothing: `the command could execute`.
static MIGHT: LazyLock<Regex> =
    LazyLock::new(|| known(r"(?i)\b(?:could|might)\s+(?:\w+\s+)?(?:run|execute)\s*[`*\x22']*$"));

/// Whether a match is in a fence of a language that is not a shell.
fn is_in_sample(found: &Match<'_>) -> bool {
    let shells = ["", "bash", "sh", "shell", "zsh", "console", "powershell", "ps1", "bat", "cmd", "text", "dockerfile"];
    found.is_run && fence_language(found).is_some_and(|language| !shells.contains(&language.as_str()))
}

/// In Markdown, a fence of a programming language: a program to write, and nothing that the agent runs or is set up by.
pub fn in_program_sample(found: &Match<'_>) -> bool {
    let is_program = |language: String| LANGUAGES.contains(&language.as_str());
    !is_script(found.path) && found.in_code && fence_language(found).is_some_and(is_program)
}

/// As the line says that opens the fence around a match.
fn fence_language(found: &Match<'_>) -> Option<String> {
    let mut marks = found.above.lines().rev().map(str::trim_start).filter(|line| line.starts_with("```"));
    marks.next().map(|line| line.trim_start_matches('`').trim().to_ascii_lowercase())
}

/// Languages of fences that hold programs.
const LANGUAGES: [&str; 12] =
    ["c#", "csharp", "go", "java", "javascript", "js", "jsx", "py", "python", "ts", "tsx", "typescript"];

/// A program in Markdown that the agent may write like it, and nothing that is run as it is.
pub fn is_sample(found: &Match<'_>) -> Option<Wording> {
    in_program_sample(found).then_some(Wording::new("it is a sample of a program", "这是一段示例程序"))
}

/// In Markdown: whether a fence is open where a match is.
pub fn is_in_fence(found: &Match<'_>) -> bool {
    found.above.lines().filter(|line| line.trim_start().starts_with("```")).count() % 2 == 1
}

/// In the text that begins a Python file and says how to use it, which nothing runs.
pub fn is_in_docstring(found: &Match<'_>) -> bool {
    let is_python = found.path.extension() == Some("py");
    // Further down it is not known how many of these marks come before.
    let is_whole = found.above.len() + 4 < ABOVE;
    is_python && is_whole && found.above.matches("\"\"\"").count() % 2 == 1
}

/// In quotes of either kind.
fn is_quoted_whole(found: &Match<'_>) -> bool {
    is_quoted(found.before) || last_line(found.before).matches('\'').count() % 2 == 1
}

/// A call that is not made: a string that a script looks for, an example of what not to do.
pub fn not_done(found: &Match<'_>) -> Option<Wording> {
    is_quoted(found.before)
        .then_some(Wording::new("it is quoted", "它在引号中"))
        .or_else(|| shown_as_bad(found))
        .or_else(|| warned_of(found))
}

/// Words nearby warn of it, and it is not code that is run.
pub fn warned_of(found: &Match<'_>) -> Option<Wording> {
    (!found.is_run && is_warned_of(found)).then_some(WARNED_OF)
}

/// In Markdown: the text right next to it says that it is wrong to do.
pub fn shown_as_bad(found: &Match<'_>) -> Option<Wording> {
    (!is_script(found.path) && is_bad(found.above, found.text, found.after)).then_some(SHOWN_AS_BAD)
}

/// The same of a place in the text of a file.
pub fn is_shown_as_bad_at(path: &Utf8Path, text: &str, place: Span) -> bool {
    let above = &text[text.floor_char_boundary(place.start.saturating_sub(ABOVE))..place.start];
    !is_script(path) && is_bad(above, place.of(text), &text[place.end..])
}

fn is_bad(above: &str, text: &str, after: &str) -> bool {
    let begins = last_line(above);
    let line = format!("{begins}{text}{}", after.lines().next().unwrap_or_default());
    if line.contains(['❌', '✗']) {
        return true;
    }
    if begins.trim_start().starts_with('|') {
        let rows = above.lines().rev().take_while(|line| line.trim_start().starts_with('|'));
        let head = rows.last().unwrap_or_default();
        let is_refused = |cell: &str| REFUSED.is_match(cell) || (NO.is_match(cell) && PERMITS.is_match(head));
        return RISKS.is_match(head)
            || RISKS.is_match(&line)
            || LABEL.is_match(&line)
            || line.split('|').any(is_refused);
    }
    let mut lines = above[..above.len() - begins.len()].lines().rev().map(str::trim);
    let is_fence = |line: &str| line.starts_with("```") || line.starts_with("~~~");
    let mut comment = line.split_once(" # ").or_else(|| line.split_once(" // ")).map(|(_, comment)| comment);
    let mut in_fence = false;
    for line in lines.by_ref() {
        if is_fence(line) {
            in_fence = true;
            break;
        }
        if comment.is_none() && ["#", "//", "--", "/*"].iter().any(|mark| line.starts_with(mark)) {
            comment = Some(line);
        }
    }
    if !in_fence {
        return false;
    }
    if let Some(comment) = comment.filter(|comment| says_bad(comment) || says_good(comment)) {
        return says_bad(comment);
    }
    let mut lines = lines.skip_while(|line| line.is_empty());
    lines.next().is_some_and(says_bad)
}

/// A label, or a sentence right before code, that forbids the code.
fn says_bad(line: &str) -> bool {
    if line.contains(['❌', '✗']) {
        return true;
    }
    let last = line.rsplit(['.', '。', '!', '！']).map(str::trim).find(|part| part.len() > 2).unwrap_or(line);
    [line, last].into_iter().any(|text| {
        let forbids = FORBIDS.find(text).is_some_and(|found| !ORDERS.is_match(&text[found.end()..]));
        forbids || (LABEL.is_match(text) && !ORDERS.is_match(text))
    })
}

fn says_good(line: &str) -> bool {
    let lower = line.to_lowercase();
    ["good", "safe", "correct", "✅", "正确", "安全"].iter().any(|word| lower.contains(word))
        && !["unsafe", "incorrect", "不正确", "不安全"].iter().any(|word| lower.contains(word))
}

fn known(expression: &str) -> Regex {
    Regex::new(expression).expect("a test compiles it")
}

/// Forbids the very thing that follows, and not, say, to forget it.
static FORBIDS: LazyLock<Regex> = LazyLock::new(|| {
    known(
        r"(?i)\b(?:never|do not|don['’]t|must not|should not|avoid)\s*(?:[:.!*]|$|(?:ever )?(?:run|running|use|using|do|doing|execut\w+|write|writing|type|call|calling|allow|commit|copy|paste|generate|suggest|accept|approve|this|these|the following)\b)|(?:不要|切勿|禁止|请勿)(?:运行|执行|使用|这样|写|复制|如此|$|[：:*])",
    )
});

/// A line, or a heading, that says what kind of code follows.
static LABEL: LazyLock<Regex> = LazyLock::new(|| {
    known(
        r"(?i)^[^\p{L}]*(?:\w+ )?(?:vulnerable|dangerous|malicious|red flags?|attacks?|insecure|unsafe|bad|wrong|incorrect|anti-?patterns?|exploit|forbidden|prohibited|blocked|blacklist(?:ed)?)\b[^.;]{0,50}$|\b(?:should|must|will|to) be (?:blocked|denied|rejected|refused)\b|\|\s*(?:vulnerable|dangerous|malicious)\s*\||^[^\p{L}]*(?:危险|错误|恶意|攻击|反例|不安全|禁止|漏洞)[^。；]{0,20}$",
    )
});

/// The words of an order to do it.
static ORDERS: LazyLock<Regex> = LazyLock::new(|| {
    known(
        r"(?i)\b(?:run|execute|instead|but|then|need(?:s|ed)?|necessary|required|must|remove|clean|fix|repair|undo)\b|但|需要|必须|请运行|请执行|修复|清理",
    )
});

static RISKS: LazyLock<Regex> = LazyLock::new(|| known(r"(?i)\b(?:risks?|severity|danger)\b|风险|严重|危险"));

/// How a cell begins that says that its row is blocked from running.
static REFUSED: LazyLock<Regex> = LazyLock::new(|| {
    known(
        r"(?i)^[\s*_`]*(?:den(?:y|ied|ies)|block(?:s|ed)?|reject(?:s|ed)?|refuse[sd]?|forbidden|prohibited|disallow(?:s|ed)?|not allowed)\b|^[\s*_]*(?:不允许|禁止|拒绝|阻止)",
    )
});

/// The same, if the head of the table asks whether it may run.
static NO: LazyLock<Regex> = LazyLock::new(|| known(r"(?i)^[\s*_]*(?:no|never)\b|^[\s*_]*(?:否|不)"));
static PERMITS: LazyLock<Regex> =
    LazyLock::new(|| known(r"(?i)\b(?:allow(?:s|ed)?|permit(?:s|ted)?|safe|match(?:es|ed)?)\b|允许|安全|匹配"));

/// `If a page says to …`: the words that follow are the page's.
static SUPPOSES: LazyLock<Regex> = LazyLock::new(|| {
    known(
        r"(?i)\b(?:if|when|whenever)\b[^.;]*\b(?:says?|said|asks?|tells?|instructs?|orders?|wants?)(?: you| the (?:agent|model|assistant))?(?: to)?:?\s*$|(?:如果|若|当)[^。；]*(?:说|要求|让|声称|指示)(?:你|模型)?[：:]?\s*$",
    )
});

/// Owns that it does harm, and asks for it all the same.
static ADMITTED: LazyLock<Regex> =
    LazyLock::new(|| known(r"\b(?:dangerous|destructive)\b[^.\n]{0,20}\bbut\b|危险[^。\n]{0,12}但"));

/// A match in a comment of a script, or of code in Markdown.
pub fn is_comment(found: &Match<'_>) -> bool {
    let start = last_line(found.before).trim_start();
    let in_markdown = !is_script(found.path);
    // A heading may hold code, too.
    if in_markdown && (!found.in_code || start.contains('`')) {
        return false;
    }
    // The opening line of the fence is too far above to find its language, but no shell has this.
    if in_markdown && fence_language(found).is_none() && start.starts_with("//") {
        return true;
    }
    if has_slashes(found) {
        let is_open = |text: &str| text.rfind("/*") > text.rfind("*/");
        return start.starts_with("//") || is_open(found.above);
    }
    start.starts_with('#')
        || (extension(found.path) == "bat" && start.get(..4).is_some_and(|mark| mark.eq_ignore_ascii_case("rem ")))
        || (start.starts_with("\"\"\"") && !start[3..].contains("\"\"\""))
}

/// Whether comments begin with slashes, by the language of the script or of the fence.
fn has_slashes(found: &Match<'_>) -> bool {
    const LANGUAGES: [&str; 9] = ["js", "mjs", "cjs", "javascript", "jsx", "ts", "tsx", "typescript", "php"];
    if is_script(found.path) {
        return LANGUAGES.contains(&extension(found.path).as_str());
    }
    let fences = found.above.lines().rev().filter_map(|line| line.trim_start().strip_prefix("```"));
    fences.take(1).any(|language| LANGUAGES.contains(&language.trim()))
}

/// `echo "never run rm -rf /"`, and nothing reads the output.
fn is_printed(found: &Match<'_>) -> bool {
    let start = last_line(found.before).trim_start();
    let prints = ["echo ", "printf "].iter().any(|command| start.starts_with(command));
    let line = format!("{start}{}{}", found.text, found.after.lines().next().unwrap_or_default());
    let is_run = line.contains(['|', '`', '>']) || line.contains("$(");
    prints && found.in_code && is_in_string(start) && !found.text.contains('\n') && !is_run
}

/// Whether a shell is in a string where this ends.
fn is_in_string(command: &str) -> bool {
    let mut open = None;
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match (open, letter) {
            (None | Some('"'), '\\') => {
                letters.next();
            }
            (None, '"' | '\'') => open = Some(letter),
            (Some(mark), _) if mark == letter => open = None,
            _ => {}
        }
    }
    open.is_some()
}

/// A test of the skill's programs, by where it is or what it is called.
pub fn is_test(skill: &Utf8Path, path: &Utf8Path) -> bool {
    let name = path.strip_prefix(skill).unwrap_or(path);
    let folders = name.parent().into_iter().flat_map(Utf8Path::components);
    let file = name.file_name().unwrap_or_default();
    let stem = file.split('.').next().unwrap_or_default();
    is_script(path)
        && (folders.into_iter().any(|part| matches!(part.as_str(), "test" | "tests" | "__tests__" | "spec"))
            || file.contains(".test.")
            || file.contains(".spec.")
            || stem.starts_with("test_")
            || stem.ends_with("_test"))
}

/// A section about attacks in a reference may quote some. A command that `SKILL.md` says to run counts below any
/// heading.
pub fn in_section_on_attacks(found: &Match<'_>) -> Option<Wording> {
    let headings = found.above.lines().rev().filter(|line| line.starts_with('#')).take(HEADINGS);
    let is_about = |line: &str| {
        let lower = line.to_lowercase();
        ABOUT_ATTACKS.iter().any(|word| lower.contains(word))
    };
    let is_reference = !is_script(found.path) && found.path.file_name() != Some(skill::manifest::FILE_NAME);
    let of_attacks = is_about_security(found.skill) && found.path.file_stem().is_some_and(is_about);
    let speaks = is_reference && (of_attacks || headings.into_iter().any(is_about));
    speaks.then_some(Wording::new("its section is about attacks", "所在章节讲的是攻击"))
}

/// Lines before a match that begin like a heading; comments of code do, too.
const HEADINGS: usize = 6;

/// Whether the text before a place leaves a quote open in its line.
fn is_quoted(before: &str) -> bool {
    let line = last_line(before);
    let odd = |mark: char| line.matches(mark).count() % 2 == 1;
    odd('"')
        || odd('`')
        || line.ends_with('\'')
        || PAIRS.iter().any(|(open, close)| line.rfind(*open) > line.rfind(*close))
}

const PAIRS: [(char, char); 5] = [('“', '”'), ('‘', '’'), ('「', '」'), ('『', '』'), ('《', '》')];

/// Words nearby say that this is an attack or forbidden.
fn is_warned_of(found: &Match<'_>) -> bool {
    let begins = last_line(found.before).trim_start();
    let is_listed =
        begins.starts_with(['-', '*', '+', '|', '>']) || begins.starts_with(|letter: char| letter.is_ascii_digit());
    // A list belongs to the text that introduces it. For a sentence, other paragraphs do not count.
    let before = if is_listed { found.before } else { found.before.rsplit("\n\n").next().unwrap_or_default() };
    let near = format!("{before}{}", after(found)).to_lowercase();
    let sentence =
        found.before.rsplit(['\n', '.', '。', '!', '！', ';', '；']).next().unwrap_or_default().to_lowercase();
    // A heading names what its list, table or code shows; an order in a sentence is one below any heading.
    let is_item = found.in_code || is_listed;
    let heading = found.before.lines().rev().find(|line| is_item && line.starts_with('#'));
    let heading = heading.unwrap_or_default().to_lowercase();
    let near = ADMITTED.replace_all(&near, "");
    SUPPOSES.is_match(&sentence)
        || is_in_ban(found.before)
        || ABOUT_ATTACKS.iter().any(|word| near.contains(word))
        || FORBIDDING.iter().any(|word| sentence.contains(word) || heading.contains(word))
}

/// In an item of a list that begins with a ban, however many lines and sentences it has: `2. **Never run …** `x` or …`.
fn is_in_ban(before: &str) -> bool {
    let item = before.lines().rev().take_while(|line| !line.trim().is_empty()).find(|line| ITEM.is_match(line));
    item.is_some_and(|line| BAN.is_match(line))
}

static ITEM: LazyLock<Regex> = LazyLock::new(|| known(r"^\s*(?:[-*+]|[0-9]+[.)])\s"));
static BAN: LazyLock<Regex> = LazyLock::new(|| {
    known(
        r"(?i)^\s*(?:[-*+]|[0-9]+[.)])\s+[*_`]*(?:never|do not|don['’]t|must not)\b|^\s*(?:[-*+]|[0-9]+[.)])\s+[*_`]*(?:切勿|不要|禁止|绝不)",
    )
});

/// Tools whose makers tell people to install them this way.
pub fn is_known_installer(command: &str) -> bool {
    let mut addresses = command.split([' ', '"', '\'', '(', '<', '`']).filter(|word| word.contains('.')).peekable();
    addresses.peek().is_some() && command.matches("://").count() <= 1 && addresses.any(is_installer)
}

/// The download comes from the maker that the skill is about: the address has a word of the skill's name, or of a maker
/// that the description names. Readers know whom they trust.
pub fn is_from_own_vendor(found: &Match<'_>) -> Option<Wording> {
    let told = format!("{} {}", found.skill.name, found.skill.description).to_lowercase();
    let told: Vec<&str> = told.split(|letter: char| !letter.is_alphanumeric()).filter(|word| word.len() > 3).collect();
    let address = found.text.split("https://").nth(1)?.split([' ', '"', '\'', ')', '\n', '`']).next()?.to_lowercase();
    let (host, path) = address.split_once('/').unwrap_or((&address, ""));
    // On hosts where anybody may have files, the first part of the path is the owner.
    let is_shared = SHARED_HOSTS.iter().any(|shared| host == *shared || host.ends_with(&format!(".{shared}")));
    let owner = if is_shared {
        path.split('/').next().unwrap_or_default()
    } else {
        let mut labels = host.split('.').rev().skip(1).filter(|label| !matches!(*label, "co" | "com" | "org"));
        labels.next().unwrap_or_default()
    };
    let is_told = owner.split(['-', '_']).any(|part| part.len() > 3 && told.contains(&part));
    if is_told {
        return Some(Wording::new("it comes from the maker of what the skill is about", "它来自技能所述产品的提供方"));
    }
    // `Install Railway:` right above.
    let near = &found.above[found.above.ceil_char_boundary(found.above.len().saturating_sub(NEAR))..];
    let near = near.to_lowercase();
    let is_word = |(at, _): (usize, &str)| {
        let ends = |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '/' | '-' | '_' | '@');
        !near[..at].ends_with(ends) && !near[at + owner.len()..].starts_with(ends)
    };
    let is_named = !is_shared && owner.len() > 3 && near.match_indices(owner).any(is_word);
    is_named.then_some(Wording::new("the text names whose it is", "文中写明了它由谁提供"))
}

/// Bytes above a command in which its maker may be named.
const NEAR: usize = 200;

/// A page that is read when it is needed, and no `SKILL.md`.
pub fn in_page(found: &Match<'_>) -> Option<Wording> {
    let is_page = matches!(extension(found.path).as_str(), "md" | "mdx" | "markdown")
        && !found.path.file_name().is_some_and(|name| name.eq_ignore_ascii_case(skill::manifest::FILE_NAME));
    is_page.then_some(Wording::new("it is in a page, not in `SKILL.md`", "它在参考页面中，不在 `SKILL.md` 中"))
}

/// The address of the listener is left open: `ATTACKER_IP`, `<host>`, `YOUR_IP`.
pub fn has_no_host(found: &Match<'_>) -> Option<Wording> {
    NO_HOST
        .is_match(&format!("{}{}", found.text, found.after.lines().next().unwrap_or_default()))
        .then_some(Wording::new("its address is a placeholder", "它的地址是占位符"))
}

static NO_HOST: LazyLock<Regex> = LazyLock::new(|| {
    known(
        r"(?i)\b(?:attacker|your|kali|target|listener|remote)[_-]?(?:ip|host|server|machine)\b|\blhost\b|<[a-z][a-z _-]*>|//(?:attacker|evil|target)[/:\x22'\s]|://(?:\.\.\.|…)",
    )
});

/// Where anybody may have files.
const SHARED_HOSTS: [&str; 14] = [
    "githubusercontent.com",
    "github.com",
    "github.io",
    "gitlab.com",
    "bitbucket.org",
    "amazonaws.com",
    "googleapis.com",
    "jsdelivr.net",
    "unpkg.com",
    "vercel.app",
    "netlify.app",
    "pages.dev",
    "workers.dev",
    "cloudfront.net",
];

/// An address that anybody on the way can answer for: no TLS, a number, a shortener, a paste.
pub fn has_open_address(command: &str) -> bool {
    let local = ["localhost", "127.0.0.1", "0.0.0.0", "192.168.", "10."];
    let ends = ['/', ' ', '"', '\''];
    let hosts = command.split("://").skip(1).map(|rest| rest.split(ends).next().unwrap_or_default());
    // `curl bit.ly/x` works without a scheme.
    let bare = command.split([' ', '"', '\'']).filter(|word| !word.contains("://"));
    let bare = bare.filter_map(|word| word.split_once('/').map(|(host, _)| host)).filter(|host| host.contains('.'));
    let plain = command.contains("http://");
    let strangers = ["bit.ly", "tinyurl.com", "is.gd", "pastebin.com", "transfer.sh", "paste.ee", "rentry.co"];
    hosts.chain(bare).any(|host| {
        let is_number = host.starts_with(|first: char| first.is_ascii_digit())
            && host.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b':'));
        !local.iter().any(|near| host.starts_with(near)) && (plain || is_number || strangers.contains(&host))
    })
}

/// By its ending.
pub fn is_script(path: &Utf8Path) -> bool {
    is_shell(path)
        || matches!(extension(path).as_str(), "py" | "js" | "mjs" | "cjs" | "ts" | "rb" | "pl" | "php" | "ps1")
}

/// A text for a shell, also one of Windows: by its ending, or in a folder `scripts` if it has none.
pub fn is_shell(path: &Utf8Path) -> bool {
    matches!(extension(path).as_str(), "sh" | "bash" | "zsh" | "bat" | "cmd" | "ps1" | "command")
        || (path.extension().is_none() && path.parent().is_some_and(|folder| folder.ends_with("scripts")))
}

/// In lower case, without the dot; empty if there is none.
pub fn extension(path: &Utf8Path) -> String {
    path.extension().unwrap_or_default().to_ascii_lowercase()
}

const ABOUT_ATTACKS: [&str; 35] = [
    "attack",
    "injection",
    "malicious",
    "adversar",
    "jailbreak",
    "red flag",
    "red team",
    "untrusted",
    "suspicious",
    "dangerous",
    "destructive",
    "exploit",
    "vulnerab",
    "threat",
    "malware",
    "phishing",
    "deny list",
    "denylist",
    "blocklist",
    "blacklist",
    "forbidden",
    "prohibited",
    "reverse shell",
    "reverse-shell",
    "sanitiz",
    "攻击",
    "注入",
    "恶意",
    "越狱",
    "危险",
    "漏洞",
    "可疑",
    "不可信",
    "禁止",
    "黑名单",
];

const FORBIDDING: [&str; 34] = [
    "never ",
    "do not ",
    "don't ",
    "don’t ",
    "must not ",
    "should not ",
    "cannot ",
    "can't ",
    "can’t ",
    "avoid",
    "refuse",
    "reject",
    "detect",
    "block",
    "warn",
    "such as",
    "for example",
    "e.g.",
    "instead of",
    "rather than",
    "attempts to",
    "tries to",
    "asks you to",
    "tells you to",
    "bad:",
    "wrong:",
    "切勿",
    "不要",
    "不得",
    "拒绝",
    "避免",
    "警惕",
    "例如",
    "检测",
];

/// The rest of the lines that the match is in, as far as it can bear on it.
fn after<'a>(found: &Match<'a>) -> &'a str {
    &found.after[..found.after.floor_char_boundary(AFTER)]
}

const AFTER: usize = 200;

fn last_line(text: &str) -> &str {
    text.rsplit('\n').next().unwrap_or_default()
}

/// The text before the string that contains the match, if its beginning is easy to find; else before the match in its
/// line.
fn before_quote<'a>(found: &Match<'a>) -> &'a str {
    let line = last_line(found.before);
    opened(line).map_or(found.line, |at| &line[..at])
}

/// Where the string begins that a line of a script leaves open.
fn opened(line: &str) -> Option<usize> {
    let mut open: Option<(usize, char)> = None;
    let mut letters = line.char_indices();
    while let Some((at, letter)) = letters.next() {
        match (open, letter) {
            (Some(_), '\\') => {
                letters.next();
            }
            (None, '"' | '\'' | '`') => open = Some((at, letter)),
            (Some((_, mark)), _) if mark == letter => open = None,
            _ => {}
        }
    }
    open.map(|(at, _)| at)
}

/// The line hands a string to a shell or an interpreter.
fn runs(line: &str) -> bool {
    ["system(", "popen(", "Popen(", "run(", "call(", "check_output(", "exec", "spawn", "eval(", "shell("]
        .iter()
        .any(|call| line.contains(call))
}
