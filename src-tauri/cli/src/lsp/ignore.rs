//! Where a comment that ignores a finding can be, and how it is written there: on the line before, or for the whole
//! file if that line is inside something that takes no comment.

use camino::Utf8Path;
use skill::Manifest;
use skill::source::{SourceText, Span};

/// Text to put in at a byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insertion {
    pub at: usize,
    pub text: String,
    /// It lets the rule's findings pass in the whole file.
    pub whole_file: bool,
}

/// `text` has LF line ends; `at`: the byte of the finding, `None` if it is about the file. `None`: the file takes no
/// comments.
pub fn comment(path: &Utf8Path, text: &str, at: Option<usize>, rule: &str) -> Option<Insertion> {
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    if matches!(&*extension, "md" | "mdx" | "markdown") {
        return Some(in_markdown(path, text, at, rule));
    }
    let style = if extension.is_empty() && text.starts_with("#!") { HASH } else { style(&extension)? };
    let line = at.and_then(|at| before_line(text, Span::new(0, text.len()), at, &extension, style, rule));
    // Interpreters and declarations must be on the first line.
    let first = ["#!", "<?", "<!DOCTYPE", "<!doctype"].iter().any(|opening| text.starts_with(opening));
    let top = if first { text.find('\n').map_or(text.len(), |end| end + 1) } else { 0 };
    Some(line.unwrap_or_else(|| whole_file(text, top, style, rule)))
}

fn in_markdown(path: &Utf8Path, text: &str, at: Option<usize>, rule: &str) -> Insertion {
    let manifest = Manifest::parse(SourceText::of_text(path.to_owned(), text.to_owned()).into());
    let for_file = || match &manifest.frontmatter {
        Some(frontmatter) => whole_file(text, frontmatter.yaml.start, HASH, rule),
        None => whole_file(text, text.len(), MARKUP, rule),
    };
    let Some(at) = at else { return for_file() };
    match &manifest.frontmatter {
        Some(frontmatter) if at < frontmatter.yaml.start => return for_file(),
        Some(frontmatter) if at < frontmatter.block.end => {
            return before_line(text, frontmatter.yaml, at, "yaml", HASH, rule).unwrap_or_else(for_file);
        }
        // A sign that opens and does not close.
        None if text.starts_with("---") => return for_file(),
        _ => {}
    }
    if let Some(fence) = fence_around(text, manifest.body.start, at) {
        // Before the block, for all of it: the contents of a block are a sample.
        let line = text[fence..].lines().next().unwrap_or_default();
        let is_free = line.trim_start().starts_with(['`', '~']);
        return if is_free { own_line(fence, indentation(line), MARKUP, rule) } else { for_file() };
    }
    let start = line_start(text, at);
    let line = text[start..].lines().next().unwrap_or_default();
    if line.trim_start().starts_with('|') {
        // A separate line would end the table.
        let text = format!(" <!-- lint-ignore {rule}: reason -->");
        return Insertion { at: start + line.len(), text, whole_file: false };
    }
    own_line(start, indentation(line), MARKUP, rule)
}

/// On the line before the one of `at`, if that is not a part of something longer. `code`: the range of the language's
/// code.
fn before_line(text: &str, code: Span, at: usize, language: &str, style: Style, rule: &str) -> Option<Insertion> {
    let start = line_start(text, at);
    let before = text.get(code.start..start)?;
    if start == 0 && text.starts_with("#!") || before.trim_end_matches('\n').ends_with('\\') {
        return None;
    }
    let line = text[start..].lines().next().unwrap_or_default();
    let inside = match language {
        "py" | "python" => ["\"\"\"", "'''"].iter().any(|quotes| before.matches(quotes).count() % 2 == 1),
        "js" | "ts" | "mjs" | "cjs" | "jsx" | "tsx" | "javascript" | "typescript" | "go" => {
            before.matches('`').count() % 2 == 1 || before.rfind("/*") > before.rfind("*/")
        }
        "sh" | "bash" | "zsh" | "shell" => in_here_document(before),
        "yaml" | "yml" => !takes_yaml_comment(before, line),
        _ => before.rfind("/*") > before.rfind("*/"),
    };
    (!inside).then(|| own_line(start, indentation(line), style, rule))
}

fn own_line(at: usize, indentation: &str, Style { open, close }: Style, rule: &str) -> Insertion {
    Insertion { at, text: format!("{indentation}{open} lint-ignore {rule}: reason{close}\n"), whole_file: false }
}

fn whole_file(text: &str, at: usize, Style { open, close }: Style, rule: &str) -> Insertion {
    let break_before = if at > 0 && !text[..at].ends_with('\n') { "\n" } else { "" };
    let text = format!("{break_before}{open} lint-ignore-file {rule}: reason{close}\n");
    Insertion { at, text, whole_file: true }
}

/// The marks around a comment's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Style {
    open: &'static str,
    close: &'static str,
}

const HASH: Style = Style { open: "#", close: "" };
const MARKUP: Style = Style { open: "<!--", close: " -->" };

/// By a file's ending.
fn style(language: &str) -> Option<Style> {
    let plain = |open| Some(Style { open, close: "" });
    match language {
        "py" | "python" | "sh" | "bash" | "zsh" | "fish" | "shell" | "rb" | "ruby" | "pl" | "perl" | "ps1"
        | "powershell" | "yaml" | "yml" | "toml" | "r" | "R" | "jl" | "julia" | "dockerfile" | "makefile" | "make"
        | "mk" | "tf" | "awk" | "nix" => Some(HASH),
        "js" | "ts" | "mjs" | "cjs" | "jsx" | "tsx" | "javascript" | "typescript" | "jsonc" | "go" | "rs" | "rust"
        | "java" | "kt" | "kotlin" | "swift" | "c" | "h" | "cc" | "cpp" | "hpp" | "cs" | "csharp" | "php" | "dart"
        | "scala" | "groovy" | "proto" | "scss" => plain("//"),
        "css" => Some(Style { open: "/*", close: " */" }),
        "sql" | "lua" | "hs" | "haskell" => plain("--"),
        "ini" | "clj" | "lisp" | "el" | "asm" => plain(";"),
        "html" | "htm" | "xml" | "svg" | "vue" | "svelte" => Some(MARKUP),
        _ => None,
    }
}

/// Where the fenced code block begins that has `at` in its lines; its opening line is not one of them.
fn fence_around(text: &str, from: usize, at: usize) -> Option<usize> {
    let mut open: Option<(usize, &str)> = None;
    let mut start = from;
    for line in text[from..].split_inclusive('\n') {
        let end = start + line.len();
        let words = line.trim().trim_start_matches(['>', ' ']);
        let ticks = words.len() - words.trim_start_matches(|letter| words.starts_with(letter)).len();
        let is_fence = ticks >= 3 && words.starts_with(['`', '~']);
        if at < end && start <= at {
            return open.map(|(fence, _)| fence);
        }
        open = match open {
            Some((_, marks)) if is_fence && words.len() == ticks && words.starts_with(marks) => None,
            None if is_fence => Some((start, &words[..ticks])),
            other => other,
        };
        start = end;
    }
    None
}

/// Whether a comment may be before a line of YAML: not inside text that goes over several lines.
fn takes_yaml_comment(before: &str, line: &str) -> bool {
    let is_entry = |line: &str| {
        let line = line.trim_start();
        let key = line
            .split_once(':')
            .is_some_and(|(key, rest)| !key.contains(' ') && (rest.is_empty() || rest.starts_with([' ', '\n'])));
        key || line.starts_with("- ") || line.starts_with('#') || line == "---"
    };
    if !is_entry(line) && !line.trim().is_empty() {
        return false;
    }
    let mut depth = indentation(line).len();
    for above in before.lines().rev().filter(|above| !above.trim().is_empty()) {
        let indented = indentation(above).len();
        if indented < depth {
            let end = above.trim_end().trim_end_matches(|letter: char| "+-0123456789".contains(letter));
            if end.ends_with(['|', '>']) {
                return false;
            }
            depth = indented;
        }
    }
    true
}

fn in_here_document(before: &str) -> bool {
    let mut end: Option<&str> = None;
    for line in before.lines() {
        match end {
            Some(word) if line.trim() == word => end = None,
            Some(_) => {}
            None => {
                let after = line.split_once("<<").map(|(_, after)| after.trim_start_matches(['-', ' ']));
                let word = after.filter(|after| !after.starts_with('<'));
                let word = word.map(|word| word.trim_start_matches(['\'', '"', '\\']));
                end = word
                    .map(|word| {
                        word.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap_or_default()
                    })
                    .filter(|word| word.starts_with(|letter: char| letter.is_alphabetic() || letter == '_'));
            }
        }
    }
    end.is_some()
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

fn indentation(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with the comment in it; the finding is at the `¦` mark.
    fn ignored(name: &str, marked: &str) -> Option<String> {
        let text = marked.replace('¦', "");
        let found = comment(Utf8Path::new(name), &text, marked.find('¦'), "a-rule")?;
        Some(format!("{}{}{}", &text[..found.at], found.text, &text[found.at..]))
    }

    fn in_skill(marked: &str) -> String {
        ignored("demo/SKILL.md", marked).expect("Markdown takes comments")
    }

    #[test]
    fn stands_on_the_line_before_in_the_files_own_comments() {
        assert_eq!(in_skill("Do\n  ¦it.\n"), "Do\n  <!-- lint-ignore a-rule: reason -->\n  it.\n");
        assert_eq!(
            in_skill("---\nname: a\ndescription: ¦b\n---\nc\n"),
            "---\nname: a\n# lint-ignore a-rule: reason\ndescription: b\n---\nc\n"
        );
        assert_eq!(
            in_skill("---\nmetadata:\n  a: b\n  c: ¦d\n---\n"),
            "---\nmetadata:\n  a: b\n  # lint-ignore a-rule: reason\n  c: d\n---\n"
        );
        assert_eq!(
            ignored("x.py", "def f():\n    ¦input()\n").as_deref(),
            Some("def f():\n    # lint-ignore a-rule: reason\n    input()\n")
        );
        assert_eq!(ignored("x.js", "¦a()\n").as_deref(), Some("// lint-ignore a-rule: reason\na()\n"));
        assert_eq!(ignored("x.css", "¦a {}\n").as_deref(), Some("/* lint-ignore a-rule: reason */\na {}\n"));
        assert_eq!(ignored("x.json", "¦{}\n"), None, "JSON has no comments");
        assert_eq!(
            ignored("tool", "#!/bin/sh\n¦rm x\n").as_deref(),
            Some("#!/bin/sh\n# lint-ignore a-rule: reason\nrm x\n")
        );
    }

    #[test]
    fn stands_before_a_code_block() {
        assert_eq!(
            in_skill("a\n```bash\nls\n¦rm x\n```\n"),
            "a\n<!-- lint-ignore a-rule: reason -->\n```bash\nls\nrm x\n```\n"
        );
        assert_eq!(in_skill("a\n¦```bash\nls\n```\n"), "a\n<!-- lint-ignore a-rule: reason -->\n```bash\nls\n```\n");
        assert_eq!(
            in_skill("> ```\n> ¦x\n> ```\n"),
            "> ```\n> x\n> ```\n<!-- lint-ignore-file a-rule: reason -->\n",
            "a line of its own would end the quote"
        );
        assert_eq!(in_skill("```\nx\n```\n¦b\n"), "```\nx\n```\n<!-- lint-ignore a-rule: reason -->\nb\n");
    }

    #[test]
    fn is_for_the_whole_file_where_no_comment_may_stand_before() {
        let top = "---\n# lint-ignore-file a-rule: reason\n";
        for rest in ["description: |\n  some: ¦text\n---\n", "description: a\n  ¦b\n---\n", "a: \"b\n  ¦c\"\n---\n"]
        {
            assert_eq!(in_skill(&format!("---\n{rest}")), format!("{top}{}", rest.replace('¦', "")));
        }
        assert_eq!(in_skill("¦---\nname: a\n---\n"), format!("{top}name: a\n---\n"));
        assert_eq!(in_skill("---\nname: ¦a\n"), "---\nname: a\n<!-- lint-ignore-file a-rule: reason -->\n");
        let script = "#!/bin/sh\n# lint-ignore-file a-rule: reason\n";
        for rest in ["curl \\\n  ¦-k x\n", "cat <<'EOF'\n¦x\nEOF\n"] {
            let found = ignored("x.sh", &format!("#!/bin/sh\n{rest}"));
            assert_eq!(found, Some(format!("{script}{}", rest.replace('¦', ""))));
        }
        assert_eq!(ignored("x.sh", "¦#!/bin/sh\n"), Some(script.to_owned()));
        assert_eq!(
            ignored("x.py", "a = \"\"\"\n¦b\n\"\"\"\n").as_deref(),
            Some("# lint-ignore-file a-rule: reason\na = \"\"\"\nb\n\"\"\"\n")
        );
        assert_eq!(
            ignored("x.py", "b\n").as_deref(),
            Some("# lint-ignore-file a-rule: reason\nb\n"),
            "no place at all"
        );
    }

    #[test]
    fn stands_behind_the_row_of_a_table() {
        assert_eq!(in_skill("| a |\n|---|\n| ¦b |\n"), "| a |\n|---|\n| b | <!-- lint-ignore a-rule: reason -->\n");
    }
}
