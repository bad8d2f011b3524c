//! Code fences that are not what they say. Documents show pieces: a fence counts as broken only if it makes no sense as
//! a piece of code and nothing hints that it is a piece.

use super::command;
use super::{Language, SyntaxError, data, is_template, javascript, python, shell};
use crate::markdown::{Fence, Markdown};
use skill::source::Span;

/// A fence that does not parse as the language it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    pub language: Language,
    pub error: SyntaxError,
}

/// Spans are into `source`.
pub fn broken(source: &str, markdown: &Markdown) -> Vec<Broken> {
    let fences = markdown.fences.iter().filter(|fence| !fence.indented && fence.code.len() <= SIZE_LIMIT);
    fences.filter_map(|fence| look(source, fence)).take(MOST).collect()
}

/// Broken fences of one file; further ones say nothing new.
const MOST: usize = 20;
/// Longer fences are data, not examples.
const SIZE_LIMIT: usize = 64 << 10;
/// Bytes before a fence in which its text says what it is.
const BEFORE: usize = 200;

fn look(source: &str, fence: &Fence) -> Option<Broken> {
    let language = match fence.language.trim_matches(['{', '}', '.']) {
        "python" | "py" | "python3" => Language::Python,
        name if command::is_shell(name) => Language::Shell,
        "javascript" | "js" | "mjs" => Language::JavaScript,
        "typescript" | "ts" | "tsx" => Language::TypeScript,
        "json" => Language::Json,
        "yaml" | "yml" => Language::Yaml,
        "toml" => Language::Toml,
        _ => return None,
    };
    if fence.code.trim().is_empty() || !fence.closed {
        return None;
    }
    // Nearly all fences parse: excuses are checked only for those that do not.
    let error = match language {
        Language::Python => in_python(&fence.code),
        Language::Shell => in_shell(source, fence),
        Language::JavaScript => in_javascript(&fence.code),
        Language::Json => in_json(&fence.code),
        Language::Yaml => in_yaml(&fence.code),
        Language::Toml => in_toml(&fence.code),
        Language::TypeScript => in_typescript(&fence.code),
        Language::JsonLines | Language::Table(_) => None,
    }?;
    if is_bad_on_purpose(source, fence) || is_database_session(&fence.code) {
        return None;
    }
    Some(Broken { language, error: SyntaxError { span: in_source(source, fence, error.span), reason: error.reason } })
}

/// Says that it is wrong, or is only a sketch of code.
fn is_bad_on_purpose(source: &str, fence: &Fence) -> bool {
    let code = fence.code.to_lowercase();
    says(
        &before(source, fence),
        &[
            "wrong",
            "bad",
            "invalid",
            "incorrect",
            "broken",
            "don't",
            "do not",
            "never",
            "❌",
            "avoid",
            "pseudo",
            "错误",
            "不要",
            "反例",
            "伪代码",
            "避免",
        ],
    ) || says(&code, &["❌", "wrong", "# bad", "// bad", "syntax error", "invalid", "pseudo", "错误", "伪代码"])
}

/// The output of a command is often marked as shell, too.
fn is_output(source: &str, fence: &Fence) -> bool {
    says(&before(source, fence), &["output", "result", "return", "print", "respon", "error", "输出", "结果", "返回"])
}

/// The paragraph right before a fence, in lower case, without comments: the names of rules in them say nothing of the fence.
fn before(source: &str, fence: &Fence) -> String {
    let from = source.floor_char_boundary(fence.span.start.saturating_sub(BEFORE));
    let before = source[from..fence.span.start].trim_end();
    let paragraph = before.rfind("\n\n").map_or(before, |end| &before[end + 2..]);
    let mut parts = paragraph.split("<!--");
    let first = parts.next().unwrap_or_default();
    let rest = parts.map(|part| part.split_once("-->").map_or("", |(_, after)| after));
    [first].into_iter().chain(rest).collect::<String>().to_lowercase()
}

fn says(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.contains(word))
}

/// SQL and the tables it prints: the name of the language is wrong, the example is not.
fn is_database_session(code: &str) -> bool {
    let begins = code.trim_start().split(|letter: char| !letter.is_ascii_alphabetic()).next().unwrap_or_default();
    let is_statement =
        ["SELECT", "CREATE", "INSERT", "UPDATE", "DELETE", "ALTER", "DROP", "SHOW", "SET", "CALL", "EXPLAIN"];
    is_statement.contains(&begins) || code.lines().any(|line| line.starts_with("+--") || line.starts_with("Query OK"))
}

fn in_source(source: &str, fence: &Fence, span: Span) -> Span {
    let mut at = 0;
    for ((start, text), line) in command::lines(source, fence, false).iter().zip(fence.code.split_inclusive('\n')) {
        let end = at + line.len();
        if span.start < end {
            let from = start + (span.start - at).min(text.len());
            let to = (start + (span.end.max(span.start) - at).min(text.len())).max(from);
            let from = source.floor_char_boundary(from);
            return Span::new(from, source.ceil_char_boundary(to).max(from));
        }
        at = end;
    }
    Span::new(fence.span.start, fence.span.start + source[fence.span.start..].find('\n').unwrap_or(0))
}

/// `…`, `...` alone, `<name>`: something is left out here.
fn leaves_out(code: &str) -> bool {
    code.contains('…')
        || code.contains("...")
        || code.contains("***")
        || has_placeholder(code)
        || is_template(code)
        || code.contains("[[")
}

fn has_placeholder(code: &str) -> bool {
    code.match_indices('<').any(|(at, _)| {
        let rest = &code[at + 1..];
        let end = rest.find(['>', '<', '\n']).unwrap_or(rest.len());
        rest.starts_with(char::is_alphabetic) && rest[end..].starts_with('>')
    })
}

fn in_python(code: &str) -> Option<SyntaxError> {
    if python::error(code).is_none() {
        return python::misdeclared(code).filter(|_| !leaves_out(code));
    }
    let prompted = code.lines().any(|line| line.trim_start().starts_with(">>>") || line.starts_with("In ["));
    // Commands of notebooks.
    let is_magic = |line: &str| line.trim_start().starts_with(['%', '!', '?']);
    if prompted || code.lines().any(is_magic) {
        return None;
    }
    let plain = dedented(code);
    let error = python::error(&plain.text)?;
    let span = plain.in_original(error.span);
    if !leaves_out(code) && has_lost_indentation(&plain.text) {
        return Some(SyntaxError { span, reason: error.reason });
    }
    if leaves_out(code) || !starts_at_left(&plain.text) || error.reason.en.contains("indented block") {
        return None;
    }
    let line_start = plain.text[..error.span.start].rfind('\n').map_or(0, |at| at + 1);
    let line = plain.text[line_start..].lines().next().unwrap_or_default().trim_start();
    let following = plain.text[line_start..].lines().nth(1).unwrap_or_default();
    // Settings, headers and formulas are often marked so: nothing in them is a statement of Python.
    let is_statement = |line: &str| STATEMENTS.iter().any(|start| line.trim_start().starts_with(start));
    // `name = value`, a call.
    let is_assigned = |line: &str| {
        let name = line.split([' ', '=', '(']).next().unwrap_or_default();
        let rest = line[name.len()..].trim_start();
        !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'))
            && (rest.starts_with("= ") || rest.starts_with('('))
    };
    let formula = plain.text.contains(" for each ");
    if formula || !plain.text.lines().any(|line| is_statement(line) || is_assigned(line)) {
        return None;
    }
    // A signature: `name(a: int) -> str`, `def name(a) -> str` without a body, `name(path, [mode])`.
    let is_signature = line.contains("->") && !line.starts_with("def ") && !line.starts_with("async def ");
    let is_header = ["def ", "class ", "async def "].iter().any(|word| line.starts_with(word))
        && !following.starts_with([' ', '\t']);
    if is_signature || is_header {
        return None;
    }
    let text = &plain.text;
    let indented: String = text.lines().map(|line| format!("    {line}\n")).collect();
    let pieces = [
        format!("f(\n{text}\n)\n"),
        format!("{{\n{text}\n}}\n"),
        format!("[\n{text}\n]\n"),
        format!("try:\n    pass\n{text}\n"),
        format!("if x:\n    pass\n{text}\n"),
        format!("match x:\n{indented}\n"),
        format!("{text}\ndef f(): pass\n"),
        format!("{text}\n    pass\n"),
    ];
    let is_piece = pieces.iter().any(|piece| python::error(piece).is_none());
    (!is_piece).then_some(SyntaxError { span, reason: error.reason })
}

const STATEMENTS: [&str; 12] = [
    "import ",
    "from ",
    "def ",
    "async def ",
    "class ",
    "return ",
    "print(",
    "for ",
    "while ",
    "with ",
    "try:",
    "raise ",
];

/// The body of a function is not indented.
fn has_lost_indentation(code: &str) -> bool {
    code.lines().zip(code.lines().skip(1)).any(|(head, body)| {
        let margin = |line: &str| line.len() - line.trim_start().len();
        let word = body.split_whitespace().next().unwrap_or_default();
        (head.trim_start().starts_with("def ") || head.trim_start().starts_with("async def "))
            && head.trim_end().ends_with(':')
            && margin(head) == margin(body)
            && matches!(word, "return" | "yield" | "raise" | "pass")
    })
}

fn in_shell(source: &str, fence: &Fence) -> Option<SyntaxError> {
    if shell::is_sound(&fence.code) {
        return None;
    }
    // A session, or commands behind a prompt, with what they print.
    let prompted = fence.code.lines().any(|line| line.trim_start().starts_with("$ ") || line.starts_with("> "));
    // Tests for bats, and a file that a comment shows below commands.
    let holds_other =
        fence.code.lines().any(|line| line.starts_with("@test ") || matches!(line.trim_end(), "{" | "[{"));
    if prompted || holds_other || leaves_out(&fence.code) || is_output(source, fence) {
        return None;
    }
    // `[--flag]`, `[elif …]`, `a | b` for choices and slash commands are usage, not commands.
    let is_usage = is_optional(&fence.code)
        || fence.code.lines().any(|line| line.trim_start().starts_with('/') && line.contains('('));
    shell::refused(&fence.code).filter(|_| !is_usage)
}

/// `cp [-r] FROM TO`, `for … [;] do`: what is in brackets may be left out. A shell test (`[ … ]`) has a blank after its
/// bracket.
fn is_optional(code: &str) -> bool {
    code.match_indices('[').any(|(at, _)| {
        let begins = code[..at].chars().next_back().is_none_or(char::is_whitespace);
        begins && code[at + 1..].starts_with(|letter: char| letter.is_alphabetic() || "-;()|".contains(letter))
    })
}

fn in_javascript(code: &str) -> Option<SyntaxError> {
    let error = javascript::error(code)?;
    let has_types =
        [": string", ": number", ": boolean", ": any", "interface ", " as ", ": Promise", ": void", "<T>", "enum "]
            .iter()
            .any(|mark| code.contains(mark));
    let leaves_out = code.contains('…') || elides(code) || has_placeholder(code) || code.contains("{{");
    // One line is a piece of an expression, or a template.
    if has_types || leaves_out || code.trim().starts_with('$') {
        return None;
    }
    let pieces = [format!("({code})"), format!("f({code})"), format!("x = {{{code}}}"), format!("class A {{{code}}}")];
    let is_piece = pieces.iter().any(|piece| javascript::error(piece).is_none());
    (!is_piece).then_some(error)
}

fn in_typescript(code: &str) -> Option<SyntaxError> {
    let error = javascript::typescript_error(code)?;
    let leaves_out = code.contains('…') || elides(code) || code.contains("{{") || code.trim().starts_with('$');
    if leaves_out {
        return None;
    }
    let pieces = [
        format!("({code})"),
        format!("f({code})"),
        format!("x = {{{code}}}"),
        format!("class A {{{code}}}"),
        format!("interface A {{{code}}}"),
        format!("type A = {code}"),
        format!("declare module A {{{code}}}"),
        format!("switch (a) {{{code}}}"),
        format!("async function* a() {{{code}}}"),
    ];
    let is_piece = pieces.iter().any(|piece| javascript::is_typescript(piece));
    (!is_piece).then_some(error)
}

/// `...` that does not spread anything.
fn elides(code: &str) -> bool {
    code.match_indices("...").any(|(at, _)| {
        let next = code[at + 3..].chars().next();
        next.is_none_or(|next| !(next.is_alphanumeric() || matches!(next, '_' | '$' | '[' | '(' | '{')))
    })
}

fn in_json(code: &str) -> Option<SyntaxError> {
    // Without a comment to remove, the rest would be useless.
    if data::json(code).is_none() || leaves_out(code) {
        return None;
    }
    let plain = data::without_comments(code);
    let error = data::json(&plain)?;
    let trimmed = plain.trim().trim_end_matches(',');
    // A part of an object or a list; several values, one a line or one after the other.
    let pieces = [format!("{{{trimmed}}}"), format!("[{trimmed}]")];
    let several =
        serde_json::Deserializer::from_str(&plain).into_iter::<serde::de::IgnoredAny>().all(|value| value.is_ok());
    if several || pieces.iter().any(|piece| data::json(piece).is_none()) {
        return None;
    }
    // Members of objects, shown one after the other: `"a": {…}` and then `"a": […]`, or objects that `// or` parts.
    let begins = plain.trim_start();
    if begins.starts_with('"') || (begins.starts_with(['{', '[']) && plain.len() != code.len()) {
        return None;
    }
    // Names of types and values in place of values: `string`, `true | false`, `$HOME`.
    let at = plain[error.span.start..].trim_start().chars().next();
    let is_sketch =
        at.is_some_and(|letter| letter.is_alphabetic() || matches!(letter, '|' | '$' | '*' | '(' | '/' | '_' | '?'));
    (!is_sketch).then_some(error)
}

fn in_yaml(code: &str) -> Option<SyntaxError> {
    // Frontmatter with the text after it.
    let front =
        code.trim_start().strip_prefix("---\n").and_then(|rest| rest.split_once("\n---")).map(|(front, _)| front);
    let skipped = front.and_then(|front| code.find(front)).unwrap_or_default();
    let error = data::yaml(front.unwrap_or(code)).filter(|_| !leaves_out(code))?;
    // Lines of a longer list, `- a` after `key:` left out and the like, begin anywhere.
    let is_sketch =
        code.lines().any(|line| line.trim_start().trim_start_matches("- ").starts_with(['|', '`', '@', '%']));
    (!is_sketch).then_some(SyntaxError { span: error.span.shift(skipped), reason: error.reason })
}

fn in_toml(code: &str) -> Option<SyntaxError> {
    // Two ways to write one thing are often shown side by side.
    data::toml(code).filter(|error| !leaves_out(code) && !error.reason.en.contains("duplicate"))
}

struct Dedented {
    text: String,
    /// For each line, how many bytes were taken up to its beginning.
    taken: Vec<usize>,
}

impl Dedented {
    fn in_original(&self, span: Span) -> Span {
        let line = self.text[..span.start.min(self.text.len())].matches('\n').count();
        let shift = self.taken.get(line).copied().unwrap_or_default();
        span.shift(shift)
    }
}

fn dedented(code: &str) -> Dedented {
    let blank = |line: &&str| !line.trim().is_empty();
    let margin = code.lines().filter(blank).map(|line| line.len() - line.trim_start_matches([' ', '\t']).len()).min();
    let margin = margin.unwrap_or_default();
    let (mut text, mut taken, mut sum) = (String::with_capacity(code.len()), Vec::new(), 0);
    for line in code.split_inclusive('\n') {
        let cut = if line.trim().is_empty() { 0 } else { margin };
        sum += cut;
        taken.push(sum);
        text.push_str(line.get(cut..).unwrap_or(line));
    }
    Dedented { text, taken }
}

fn starts_at_left(text: &str) -> bool {
    text.lines().find(|line| !line.trim().is_empty()).is_none_or(|line| !line.starts_with([' ', '\t']))
}
