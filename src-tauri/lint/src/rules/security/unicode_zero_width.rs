use std::collections::BTreeSet;

use crate::analysis::unicode::{Run, is_ideograph, is_joining, is_pictogram, is_right_to_left, is_zero_width, runs};
use crate::texts::each_text;
use crate::{Applicability, Check, Deed, Example, Group, Mark, Report, Rule, Subject};
use skill::Severity;
use wording::Wording;
use wording::message;

pub static RULE: Rule = Rule {
    id: "unicode-zero-width",
    group: Group::Security,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Characters of no width", "零宽字符"),
    what: Wording::new(
        "Zero-width spaces and joiners, soft hyphens and other invisible characters, except if a script or an emoji needs them, and eight or more in a row anywhere. It is less severe in a line that speaks of such characters, and one or two between Chinese or Japanese characters are. One or two that split no word come along with pasted text and are not reported, unless the file has eight or more, which may be a message; nor is one that keeps two code spans apart.",
        "零宽空格、零宽连接符、软连字符和其他不可见字符；文字或表情符号需要的除外，但连续八个以上一律报告。所在行正在讲这类字符，或汉字、假名之间只有一两个时，严重程度降低一级。没有拆开单词的一两个字符往往随粘贴而来，不报告；但同一文件中有八个以上时可能藏有信息，仍会报告。只用来隔开两段行内代码的不报告。",
    ),
    why: Wording::new(
        "They split words so that searches and filters miss them, break commands that are copied, and can carry a hidden message.",
        "它们会把词拆开，使搜索和过滤失效，让复制的命令出错，还可能藏有信息。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Use when asked for a demo.\n---\nRun the ex\u{200B}port.\n",
    )]),
    good: Example::skill(&[(
        "SKILL.md",
        "---\nname: demo\ndescription: Use when asked for a demo.\n---\nThe family emoji 👨\u{200D}👩\u{200D}👧 and Persian می\u{200C}خواهم keep their joiners.\n",
    )]),
    hides: &[],
    marks: &[Mark::Evidence(Deed::Hides)],
    source: "skillsaw security-invisible-unicode; cisco-ai-skill-scanner",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    each_text(skill, |path, text| {
        let found: Vec<Run<'_>> =
            runs(text, is_zero_width).into_iter().filter(|run| !is_needed(run, text)).take(MOST).collect();
        // Many that split no word may be a message, for which two kinds are far better than one.
        let idle = || found.iter().filter(|run| !splits_word(run));
        let kinds: BTreeSet<char> = idle().flat_map(|run| run.text.chars()).collect();
        let is_pasted = idle().count() < LONG;
        for run in found {
            let count = run.text.chars().count();
            if is_pasted && count <= PASTED && !splits_word(&run) {
                continue;
            }
            let first = run.text.chars().next().map_or(0, u32::from);
            let message = match count {
                1 => message!("U+{first:04X} cannot be seen here: delete it", "这里的 U+{first:04X} 看不见，请删除"),
                2..LONG => message!(
                    "{count} characters that cannot be seen, U+{first:04X} first: delete them",
                    "有 {count} 个看不见的字符，第一个是 U+{first:04X}，请删除"
                ),
                _ => message!(
                    "{count} characters in a row that cannot be seen may hold a message: delete them",
                    "连续 {count} 个看不见的字符，可能藏有信息，请删除"
                ),
            };
            let finding = report.at(path, run.span, message);
            let line = line_of(&run, text).to_lowercase();
            if count < LONG && SPOKEN_OF.iter().any(|word| line.contains(word)) {
                finding.weigh_less(Wording::new("the line speaks of such characters", "这一行正在讲这类字符"));
            } else {
                // A soft hyphen: books and word processors insert it, and it does not hide words from filters.
                if count == 1 && first == 0xAD && is_latin_word(&run) {
                    finding.weigh_less(Wording::new(
                        "it only says where a word may be divided",
                        "它只表示单词可以在此断行",
                    ));
                }
                if kinds.len() < 2 && count <= PASTED && !splits_word(&run) {
                    finding.weigh_less(Wording::new(
                        "all are of one kind and split no word",
                        "都是同一种字符，且没有拆开单词",
                    ));
                }
                if count <= PASTED && run.before.is_some_and(is_ideograph) && run.after.is_some_and(is_ideograph) {
                    finding.weigh_less(Wording::new(
                        "Chinese and Japanese put no spaces between words, so no word is split",
                        "中文和日文的词与词之间没有空格，因此没有拆开单词",
                    ));
                }
                finding.replace(Wording::new("Delete what cannot be seen", "删除看不见的字符"), run.span, "");
            }
        }
    });
}

const MOST: usize = 20;
/// Words of lines that are about such characters.
const SPOKEN_OF: [&str; 10] =
    ["zero-width", "zero width", "zwsp", "zwnj", "zwj", "utf-8 bom", "byte order mark", "u+200", "u+feff", "零宽"];
/// As many in a row come along with text that is pasted from a page.
const PASTED: usize = 2;
/// No script needs as many.
const LONG: usize = 8;

fn is_needed(run: &Run<'_>, text: &str) -> bool {
    let beside = |fits: fn(char) -> bool| run.before.is_some_and(fits) || run.after.is_some_and(fits);
    let mut letters = run.text.chars();
    let (Some(letter), count) = (letters.next(), run.text.chars().count()) else { return true };
    if count >= LONG {
        return false;
    }
    // Keeps a fence from being one, or is what code looks for.
    let is_alone = line_of(run, text).trim().trim_matches(is_zero_width).is_empty();
    let parts_codes = count == 1 && run.before == Some('`') && run.after == Some('`');
    if is_alone || parts_codes || text[run.span.end..].starts_with("```") || is_searched_for(run, text) {
        return true;
    }
    match letter {
        // Another rule reports the mark at the start of a file.
        '\u{FEFF}' => run.span.start == 0,
        '\u{200D}' => {
            beside(is_joining) || (run.before.is_some_and(is_pictogram) && run.after.is_some_and(is_pictogram))
        }
        '\u{200C}' => beside(is_joining),
        // Marks of direction, if there is right-to-left text around them.
        '\u{200E}' | '\u{200F}' => line_of(run, text).chars().any(is_right_to_left),
        '\u{AD}' => {
            run.before.is_some_and(char::is_alphabetic)
                && run.after.is_some_and(char::is_alphabetic)
                && !line_of(run, text).is_ascii()
                && !is_latin_word(run)
        }
        '\u{200B}' | '\u{2060}' => {
            beside(|letter| is_joining(letter) || matches!(letter, '\u{E00}'..='\u{EFF}' | '\u{1780}'..='\u{17FF}'))
                || (beside(is_ideograph) && letter == '\u{2060}')
        }
        '\u{115F}' | '\u{1160}' | '\u{3164}' | '\u{FFA0}' => beside(
            |letter| matches!(letter, '\u{1100}'..='\u{11FF}' | '\u{3130}'..='\u{318F}' | '\u{AC00}'..='\u{D7AF}'),
        ),
        '\u{180E}' => beside(is_joining),
        _ => false,
    }
}

/// Searches and filters miss the word around it.
fn splits_word(run: &Run<'_>) -> bool {
    run.before.is_some_and(char::is_alphanumeric) && run.after.is_some_and(char::is_alphanumeric)
}

/// Alone between quotes, or in a set of an expression: `.strip("…")`, `/[…]/g`.
fn is_searched_for(run: &Run<'_>, text: &str) -> bool {
    let quotes = ['"', '\'', '`'];
    let before = text[..run.span.start].trim_end_matches(is_zero_width).chars().next_back();
    let after = text[run.span.end..].trim_start_matches(is_zero_width).chars().next();
    let (Some(before), Some(after)) = (before, after) else { return false };
    let line = line_of(run, text);
    let is_code = line.contains('(') || line.contains('=');
    is_code && ((quotes.contains(&before) && before == after) || (before == '[' && after == ']'))
}

fn is_latin_word(run: &Run<'_>) -> bool {
    run.before.is_some_and(|letter| letter.is_ascii_alphabetic())
        && run.after.is_some_and(|letter| letter.is_ascii_alphabetic())
}

/// As far as 200 bytes to either side.
fn line_of<'a>(run: &Run<'_>, text: &'a str) -> &'a str {
    let from = text.floor_char_boundary(run.span.start.saturating_sub(200));
    let to = text.ceil_char_boundary((run.span.end + 200).min(text.len()));
    let start = text[from..run.span.start].rfind('\n').map_or(from, |at| from + at + 1);
    let end = text[run.span.end..to].find('\n').map_or(to, |at| run.span.end + at);
    &text[start..end]
}
