//! Comments in which the author ignores reviewed findings, with a reason: `lint-ignore broken-link: the build makes the
//! file` for its own line and the next one, `lint-ignore-file secret-password-var: test data` for the whole file.
//! Several rules, or groups, have commas between them. In Markdown comments are `<!-- -->`, and `#` in the frontmatter;
//! text in code is only a sample.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use aho_corasick::AhoCorasick;
use camino::{Utf8Path, Utf8PathBuf};

use super::markdown::Markdown;
use super::texts::Texts;
use super::words::{Mark, SUPPRESSION};
use skill::Manifest;
use skill::source::Span;

/// The comments in a skill's files that ask to leave findings out.
pub fn comments(texts: &Texts<'_>) -> Vec<Comment> {
    let mut found = Vec::new();
    let frontmatter = |manifest: &Manifest| manifest.frontmatter.as_ref().map_or(Span::new(0, 0), |it| it.yaml);
    if texts.words().has(Mark::Suppression) {
        let markdown = (frontmatter(texts.manifest()), texts.markdown());
        collect(texts.path(), texts.text(), Some(markdown), &mut found);
    }
    for file in texts.skill.files.iter().filter(|file| !texts.is_manifest(file)) {
        let Some(text) = texts.read(file).filter(|text| text.words().has(Mark::Suppression)) else { continue };
        if matches!(file.path.extension(), Some("md" | "mdx" | "markdown")) {
            let manifest = Manifest::parse(Arc::clone(&text.source));
            let markdown = Markdown::parse(manifest.body.of(text.text()), manifest.body.start);
            collect(&file.path, text.text(), Some((frontmatter(&manifest), &markdown)), &mut found);
        } else {
            collect(&file.path, text.text(), None, &mut found);
        }
    }
    found
}

/// Kinds of files, and how a comment is written in them.
pub const FORMS: [(&str, &str); 6] = [
    ("Markdown: instructions, references", "<!-- lint-ignore RULE: why -->"),
    ("Markdown: frontmatter", "# lint-ignore RULE: why"),
    ("Python, shell, Ruby, YAML, TOML, and what has no ending", "# lint-ignore RULE: why"),
    ("JavaScript, TypeScript, CSS, Go, Rust, C", "// lint-ignore RULE: why` or `/* lint-ignore RULE: why */"),
    ("SQL, Lua, Haskell", "-- lint-ignore RULE: why"),
    ("INI, Lisp, assembler", "; lint-ignore RULE: why"),
];

/// Finds [`SUPPRESSION`] some times faster than the standard library.
static FINDER: LazyLock<AhoCorasick> =
    LazyLock::new(|| AhoCorasick::new([SUPPRESSION]).expect("one word makes a small automaton"));

/// A request to leave out findings.
#[derive(Debug)]
pub struct Comment {
    pub path: Utf8PathBuf,
    /// The comment's words, or of several ids this one.
    pub span: Span,
    /// The id of a rule or of a group.
    pub rule: String,
    pub explained: bool,
    /// The lines whose findings are left out; `None`: all of the file.
    pub reach: Option<Span>,
    /// What to delete to remove it: the comment, or one id of several. `None`: it cannot be distinguished from text.
    pub whole: Option<Span>,
}

/// What may be wrong with a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It names no rule and no group.
    Unknown,
    /// It leaves nothing out.
    Unused,
    /// It gives no reason.
    Unexplained,
}

impl Comment {
    /// The id as a message quotes it.
    pub fn id(&self) -> Cow<'_, str> {
        short(&self.rule)
    }
}

/// In the order of the text. `markdown`: for Markdown files, the place of the frontmatter and the parsed body.
fn collect(path: &Utf8Path, text: &str, markdown: Option<(Span, &Markdown)>, into: &mut Vec<Comment>) {
    let mut lines: Vec<Line> = Vec::new();
    let mut marks = FINDER.find_iter(text).map(|found| found.start()).peekable();
    // The line of the last mark, and whether a comment continues to its end.
    let (mut line, mut is_taken) = (Span::new(0, 0), false);
    while let Some(at) = marks.next() {
        if at >= line.end {
            let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
            line = Span::new(start, text[at..].find('\n').map_or(text.len(), |end| at + end));
            is_taken = false;
        }
        let allowed: &[&str] = match markdown {
            _ if is_taken => continue,
            None => openings(path),
            Some((frontmatter, _)) if frontmatter.start <= at && at < frontmatter.end => &["#"],
            Some((_, markdown)) if markdown.is_code(at) => continue,
            Some(_) => &["<!--"],
        };
        let Some((before, opening)) = opened(&text[line.start..at], allowed) else { continue };
        // Text after the next mark belongs to that one.
        let end = marks.peek().map_or(line.end, |next| line.end.min(*next));
        let rest = &text[at + SUPPRESSION.len()..end];
        let (whole_file, rest) = rest.strip_prefix("-file").map_or((false, rest), |rest| (true, rest));
        if !rest.starts_with(char::is_whitespace) {
            continue;
        }
        let closing = match opening {
            "<!--" => "-->",
            "/*" => "*/",
            _ => "\n",
        };
        is_taken = closing == "\n";
        let (words, behind) = rest.split_once(closing).unwrap_or((rest, ""));
        let is_closed = closing == "\n" || rest.contains(closing);
        let start = line.start + before.len();
        let closed = if closing == "\n" { line.end } else { end - rest.len() + words.len() + closing.len() };
        // In YAML, indented lines may be text.
        let is_comment = markdown.is_none_or(|(frontmatter, _)| at >= frontmatter.end || start == line.start);
        let comment = (is_closed && is_comment).then(|| to_delete(text, line, Span::new(start, closed)));
        let words = Span::new(end - rest.len(), end - rest.len() + words.len()).trim(text);
        let (rules, reason) = words.of(text).split_once(':').unwrap_or((words.of(text), ""));
        let mut next = words.start;
        let first = into.len();
        for written in rules.split(',') {
            let id = Span::new(next, next + written.len()).trim(text);
            next += written.len() + 1;
            if id.is_empty() {
                continue;
            }
            let is_first = into.len() == first;
            let is_one = !rules.contains(',');
            into.push(Comment {
                path: path.to_owned(),
                span: if is_first && is_one { Span::new(at, words.end) } else { id },
                rule: id.of(text).to_owned(),
                // One reason is asked for, not one for each.
                explained: !reason.trim().is_empty() || !is_first,
                reach: (!whole_file).then_some(line),
                whole: comment.map(|comment| if is_one { comment } else { with_comma(text, id, words) }),
            });
        }
        let alone = before.trim().is_empty() && behind.trim().is_empty() && into.len() > first;
        lines.push(Line { span: line, comments: first..into.len(), alone });
    }
    reach_on(text, markdown.map(|(_, markdown)| markdown), &lines, into);
}

/// The comment with its line if the line has nothing else, or with the blanks before it. A line with only a comment may
/// separate two paragraphs: then the line stays.
fn to_delete(text: &str, line: Span, comment: Span) -> Span {
    let (before, after) = (&text[line.start..comment.start], &text[comment.end..line.end]);
    if !before.trim().is_empty() || !after.trim().is_empty() {
        return Span::new(line.start + before.trim_end().len(), comment.end - ending(text, comment));
    }
    let next = (line.end + 1).min(text.len());
    let is_blank = |line: Option<&str>| line.is_none_or(|line| line.trim().is_empty());
    let is_apart = is_blank(text[..line.start].lines().next_back()) || is_blank(text[next..].lines().next());
    match is_apart || !before.is_empty() || text[comment.start..].starts_with(['#', '/', ';', '-']) {
        true => Span::new(line.start, next),
        false => Span::new(comment.start, comment.end - ending(text, comment)),
    }
}

/// Of a line's end, what belongs to it before the last byte.
fn ending(text: &str, comment: Span) -> usize {
    usize::from(comment.of(text).ends_with('\r'))
}

/// One of several ids, with the comma that it needs no longer.
fn with_comma(text: &str, id: Span, words: Span) -> Span {
    let before = &text[words.start..id.start];
    if let Some(comma) = before.rfind(',') {
        return Span::new(words.start + comma, id.end);
    }
    let after = &text[id.end..words.end];
    let comma = after.find(',').map_or(0, |comma| comma + 1);
    let blanks = after[comma..].len() - after[comma..].trim_start().len();
    Span::new(id.start, id.end + comma + blanks)
}

/// A line with comments.
struct Line {
    span: Span,
    comments: Range<usize>,
    /// There is nothing else on the line.
    alone: bool,
}

/// Extends comments about lines to the end of the next line that is not such a comment, or of the code block that
/// begins there: comments cannot be inside of one.
fn reach_on(text: &str, markdown: Option<&Markdown>, lines: &[Line], comments: &mut [Comment]) {
    let mut below: Option<(&Line, usize)> = None;
    for line in lines.iter().rev() {
        let start = (line.span.end + 1).min(text.len());
        let end = match below {
            Some((next, end)) if next.span == line.span || next.alone && next.span.start == start => end,
            _ => {
                let end = text[start..].find('\n').map_or(text.len(), |end| start + end);
                let fences = markdown.map_or(&[][..], |markdown| &markdown.fences);
                let fence = fences.get(fences.partition_point(|fence| fence.span.end <= start));
                fence.filter(|fence| !fence.indented && fence.span.start < end).map_or(end, |fence| fence.span.end)
            }
        };
        for comment in &mut comments[line.comments.clone()] {
            comment.reach = comment.reach.map(|line| Span::new(line.start, end + 1));
        }
        below = Some((line, end));
    }
}

/// If the beginning of a line ends with the opening of a comment: the text before it, and the opening.
fn opened<'a>(before: &'a str, allowed: &[&'static str]) -> Option<(&'a str, &'static str)> {
    let before = before.trim_end();
    allowed.iter().find_map(|opening| {
        let before = before.strip_suffix(opening)?;
        // `page.md#part` and `https://host` open none.
        let is_free =
            *opening == "<!--" || !before.ends_with(|last: char| !last.is_whitespace() && !ENDS.contains(last));
        is_free.then_some((before, *opening))
    })
}

/// What code may end with right before a comment.
const ENDS: &str = ";,{}()[]";

/// What opens a comment in a file that is not Markdown, by its ending.
fn openings(path: &Utf8Path) -> &'static [&'static str] {
    match path.extension().unwrap_or_default() {
        "sql" | "lua" | "hs" | "elm" | "adb" => &["--", "/*"],
        "ini" | "cfg" | "clj" | "lisp" | "el" | "scm" | "asm" | "s" => &[";", "#"],
        _ => &["<!--", "#", "//", "/*"],
    }
}

/// A word of a file as a message quotes it.
fn short(word: &str) -> Cow<'_, str> {
    match word.char_indices().nth(QUOTED) {
        Some((end, _)) => Cow::Owned(format!("{}…", &word[..end])),
        None => Cow::Borrowed(word),
    }
}

/// So many characters.
const QUOTED: usize = 40;

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::LintOptions;
    use crate::tests::said_of;

    const HEAD: &str = "---\nname: demo\ndescription: Use when asked for a demo.\n---\n";

    /// The findings about comments and to-dos in a file.
    fn said(name: &str, text: &str) -> Vec<String> {
        let select = ["todo-left", "suppression-unknown", "suppression-unused", "suppression-unexplained"];
        let options = LintOptions { select: select.map(str::to_owned).to_vec(), ..LintOptions::default() };
        let manifest = if name == "SKILL.md" { format!("{HEAD}{text}") } else { HEAD.to_owned() };
        let path = format!("/demo/{name}");
        let mut files = vec![("/demo/SKILL.md", manifest.as_str())];
        if name != "SKILL.md" {
            files.push((&path, text));
        }
        said_of(&files, &options)
    }

    fn said_in_frontmatter(line: &str) -> Vec<String> {
        let options = LintOptions { select: vec!["suppression-unknown".into()], ..LintOptions::default() };
        said_of(&[("/demo/SKILL.md", &HEAD.replace("\n---\n", &format!("\n{line}---\n")))], &options)
    }

    #[test]
    fn ordinary_text_is_no_comment() {
        for text in [
            "Run `tool --lint-ignore x`. Run tool --lint-ignore x: y\n",
            "See [it](doc.md#lint-ignore-comments) and doc.md#lint-ignore x: y\n",
            "# lint-ignore x: a heading\n",
            "Write `<!-- lint-ignore x: why -->`.\n",
            "```markdown\n<!-- lint-ignore x: why -->\n```\n",
            "```bash\n# lint-ignore x: why\n```\n",
            "<!-- lint-ignored x -->\n<!-- lint-ignore-files x -->\n<!-- about lint-ignore x -->\n",
        ] {
            assert_eq!(said("SKILL.md", text), [""; 0], "{text}");
        }
        for text in ["tool --lint-ignore x: y\n", "  --lint-ignore x\n", "curl a#lint-ignore x\n"] {
            assert_eq!(said("scripts/x.sh", text), [""; 0], "{text}");
        }
        let unknown = "suppression-unknown: there is no rule or group `x`";
        assert_eq!(said("scripts/x.sh", "ls # lint-ignore x: y # lint-ignore z: y\n"), [unknown]);
        assert_eq!(said("scripts/x.sql", "-- lint-ignore x: y\n"), [unknown]);
        let long = format!("suppression-unknown: there is no rule or group `{}…`", "x".repeat(40));
        assert_eq!(said("SKILL.md", &format!("<!-- lint-ignore {}: y -->\n", "x".repeat(50_000))), [long]);
    }

    #[test]
    fn stacked_comments_ignore_several_rules_and_groups() {
        let todo = "TODO: say more.\n";
        assert_ne!(said("SKILL.md", todo), [""; 0]);
        for comment in [
            "<!-- lint-ignore todo-left: known -->\n",
            "<!-- lint-ignore todo-left: known -->\n<!-- lint-ignore http-url: known -->\n",
            "<!-- lint-ignore http-url , todo-left: known -->\n",
            "<!-- lint-ignore instructions: known -->\n",
        ] {
            assert_eq!(said("SKILL.md", &format!("{comment}{todo}")), [""; 0], "{comment}");
        }
        let past = said("SKILL.md", &format!("<!-- lint-ignore todo-left: known -->\nFine.\n{todo}"));
        assert_eq!(past.len(), 2, "{past:?}");
        let silent = said("SKILL.md", &format!("<!-- lint-ignore todo-left, http-url -->\n{todo}"));
        assert_eq!(silent, ["suppression-unexplained: say why: `lint-ignore todo-left: the reason`"]);
    }

    #[test]
    fn comments_are_taken_as_the_document_says() {
        let unknown = "suppression-unknown: there is no rule or group `RULE`";
        let names = ["SKILL.md", "SKILL.md", "scripts/x.py", "scripts/x.js", "scripts/x.sql", "scripts/x.ini"];
        for (name, (files, comments)) in names.into_iter().zip(FORMS) {
            for comment in comments.split("` or `") {
                let text = format!("{comment}\n");
                let said = if files.ends_with("frontmatter") { said_in_frontmatter(&text) } else { said(name, &text) };
                assert_eq!(said, [unknown], "{files}");
            }
        }
    }

    #[test]
    fn a_line_of_comments_is_read_in_its_length() {
        let begun = Instant::now();
        for (name, comment) in [("scripts/x.sh", "#lint-ignore a "), ("SKILL.md", "<!-- lint-ignore a --> ")] {
            said(name, &comment.repeat(4000));
        }
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    }
}
