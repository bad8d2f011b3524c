//! For people: each finding over its lines of source, and a line that counts them.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use lint::Applicability;
use lint::verdict::Verdict;
use skill::{Severity, in_parallel};

use super::source::{Source, Sources};
use super::{Answer, Said};
use crate::print::{self, GREEN, RED, Thing, YELLOW, counted, line, plain, signed, styled};
use wording::{Message, message};

use crate::language::Chosen;

pub fn write(answer: &Answer, sources: &mut Sources, out: &mut dyn Write) -> io::Result<()> {
    let renderer = Renderer::styled().term_width(print::width().unwrap_or(WIDTH));
    let all: Vec<Said<'_>> = answer.said().collect();
    // Files are read, and searched for secrets, by all cores; a part at a time, so that the output is never in memory
    // as a whole.
    for part in all.chunks(PART) {
        let of_files: Vec<&[Said<'_>]> = part.chunk_by(|a, b| a.path == b.path).collect();
        match sources.on_disk() {
            Some(disk) => {
                let framed = in_parallel(of_files.len(), |number| {
                    let mut sources = Sources::of_disk(&disk);
                    of_files[number].iter().map(|said| framed(said, &mut sources, &renderer)).collect::<Vec<_>>()
                });
                framed.into_iter().flatten().try_for_each(|text| writeln!(out, "{text}\n"))?;
            }
            None => part.iter().try_for_each(|said| writeln!(out, "{}\n", framed(said, sources, &renderer)))?,
        }
    }
    if let Some(compared) = &answer.baseline {
        for entry in compared.gone.iter().take(GONE) {
            let message = line(&entry.message);
            let (path, rule) = (line(&entry.path), line(&entry.rule));
            writeln!(out, "{}", words!("gone: {path} [{rule}] {message}", "已消失：{path} [{rule}] {message}"))?;
        }
        if compared.gone.len() > GONE {
            writeln!(out, "{}", words!("      … and {} more", "      … 另有 {} 个", compared.gone.len() - GONE))?;
        }
        let gone = match compared.gone.len() {
            0 => Message::default(),
            count => {
                let are = if count == 1 { "no longer occurs" } else { "no longer occur" };
                message!(
                    "; {count} more in it {are}: write it again with --write-baseline",
                    "；另有 {count} 个已不再出现：请用 --write-baseline 重写基线"
                )
            }
        };
        let known = counted(compared.known, Thing::Problem);
        writeln!(out, "{}", words!("{known} in the baseline{gone}", "基线中有 {known}{gone}"; known, gone))?;
    }
    if let Some(fixed) = &answer.fixed {
        writeln!(out, "{}", fixed.told(true))?;
    }
    for (verdict, told) in answer.told_security(sources) {
        match verdict {
            Verdict::Dangerous => writeln!(out, "{}", styled(RED, told))?,
            Verdict::Look => writeln!(out, "{}", styled(YELLOW, told))?,
            Verdict::Clear | Verdict::Hints => writeln!(out, "{told}")?,
        }
    }
    if let Some(told) = answer.told_switched_off() {
        writeln!(out, "{}", styled(YELLOW, told))?;
    }
    by_rule(answer, out)?;
    writeln!(out, "{}", summary(answer))
}

/// If there are too many findings to read: how many each rule has, the worst and most frequent first.
fn by_rule(answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
    let mut rules: BTreeMap<(Reverse<Severity>, &str), usize> = BTreeMap::new();
    for finding in answer.findings() {
        *rules.entry((Reverse(finding.severity), &finding.rule)).or_default() += 1;
    }
    if rules.values().sum::<usize>() <= MANY {
        return Ok(());
    }
    let mut rows: Vec<(Reverse<Severity>, Reverse<usize>, &str)> =
        rules.into_iter().map(|((severity, rule), count)| (severity, Reverse(count), rule)).collect();
    rows.sort_unstable();
    let width = rows.iter().map(|(_, _, rule)| rule.len()).max().unwrap_or_default();
    for (Reverse(severity), Reverse(count), rule) in rows {
        let thing = match severity {
            Severity::Error => Thing::Error,
            Severity::Warning => Thing::Warning,
            Severity::Info => Thing::Hint,
        };
        let title = lint::find(rule).map(|rule| Message::from(rule.title).chosen()).unwrap_or_default();
        writeln!(out, "{:>14}  {rule:width$}  {title}", counted(count, thing).chosen())?;
    }
    writeln!(out)
}

/// Findings that are made ready together.
const PART: usize = 1000;
/// More findings are summed up by rule.
const MANY: usize = 50;

/// So many of the findings that are gone are named.
const GONE: usize = 10;
/// If no terminal says how wide it is.
const WIDTH: usize = 120;

/// `6 skills, 288 rules: 1 error, 2 warnings, 0 hints; 1 can be fixed by --fix`.
fn summary(answer: &Answer) -> String {
    let counted = |count, thing| counted(count, thing).chosen();
    let (skills, rules) = (counted(answer.skills, Thing::Skill), counted(answer.rules, Thing::Rule));
    let looked = words!("{skills}, {rules}", "{skills}，{rules}");
    let quirks = match answer.quirks.len() {
        0 => String::new(),
        count => words!(", {}", "，{}", counted(count, Thing::Quirk)),
    };
    let [errors, warnings, hints] =
        [Severity::Error, Severity::Warning, Severity::Info].map(|severity| answer.counts.of(severity));
    if errors + warnings + hints == 0 {
        return words!(
            "{looked}: {}{quirks}",
            "{looked}：{}{quirks}",
            styled(GREEN, words!("no problems", "没有问题"))
        );
    }
    let style = if errors > 0 { RED } else { YELLOW };
    let told = [counted(errors, Thing::Error), counted(warnings, Thing::Warning), counted(hints, Thing::Hint)];
    let told = told.join(&words!(", ", "，"));
    let fixes = match (answer.counts.fixable, answer.counts.fixable_unsafely) {
        (0, 0) => String::new(),
        (safe, 0) => words!("; {safe} can be fixed by --fix", "；其中 {safe} 个可用 --fix 修复"),
        (0, more) => {
            words!("; {more} can be fixed by --fix --unsafe-fixes", "；其中 {more} 个可用 --fix --unsafe-fixes 修复")
        }
        (safe, more) => words!(
            "; {safe} can be fixed by --fix, {more} more with --unsafe-fixes",
            "；其中 {safe} 个可用 --fix 修复，加上 --unsafe-fixes 可再修复 {more} 个"
        ),
    };
    words!("{looked}: {}{quirks}{fixes}", "{looked}：{}{quirks}{fixes}", styled(style, &told))
}

/// Over its lines of source, or alone if it has no place or the file cannot be read. The renderer's styles are ours:
/// its input has no hidden characters.
fn framed(said: &Said<'_>, sources: &mut Sources, renderer: &Renderer) -> String {
    let level = match said.severity {
        Severity::Error => Level::ERROR.with_name(words!("error", "错误")),
        Severity::Warning => Level::WARNING.with_name(words!("warning", "警告")),
        Severity::Info => Level::INFO.with_name(words!("hint", "提示")),
    };
    let title = level.primary_title(plain(&said.message)).id(line(said.code));
    let Some(path) = said.path else { return signed(&renderer.render(&[Group::with_title(title)])) };
    let shown = line(sources.shown(path));
    let shown = shown.as_str();
    let source = sources.of(path);
    let excerpt =
        said.range.zip(source.as_deref()).map(|(range, source)| (Excerpt::of(source, source.bytes(range)), range));
    let mut group = Group::with_title(title);
    match &excerpt {
        None => group = group.element(Origin::path(shown)),
        Some((excerpt, range)) => {
            let snippet = Snippet::source(excerpt.text.as_str())
                .line_start(range.line as usize)
                .annotation(AnnotationKind::Primary.span(excerpt.span.clone()));
            group = if excerpt.is_shifted {
                let origin = Origin::path(shown).line(range.line as usize).char_column(range.column as usize);
                group.element(origin).element(snippet)
            } else {
                group.element(snippet.path(shown))
            };
        }
    }
    for step in said.steps {
        let (path, place) = (sources.shown(&step.path), step.range.map(|range| format!(":{}", range.line)));
        let message = Message { en: step.message.clone(), zh: step.message_zh.clone() }.chosen();
        let told = format!("{}{}: {}", line(path), place.unwrap_or_default(), line(&message));
        group = group.element(Level::NOTE.with_name(words!("path", "路径")).message(told));
    }
    if let Some(fix) = said.fix {
        let how = match fix.applicability {
            Applicability::Safe => "",
            Applicability::Unsafe => " (--unsafe-fixes)",
        };
        let title = Message { en: fix.title.clone(), zh: fix.title_zh.clone() }.chosen();
        let help = Level::HELP.with_name(words!("help", "修复"));
        group = group.element(help.message(format!("{}{how}", line(&title))));
    }
    signed(&renderer.render(&[group]))
}

/// The lines that are shown of a source, hidden characters as marks.
struct Excerpt {
    /// Without secrets.
    text: String,
    /// In `text`.
    span: Range<usize>,
    /// The columns of its first line are not those of the file.
    is_shifted: bool,
}

impl Excerpt {
    /// If there are more lines than this, only the first is shown.
    const LINES: usize = 6;
    /// Of a longer line only the surroundings are shown.
    const BYTES: usize = 2000;

    fn of(source: &Source, span: Range<usize>) -> Self {
        let text = source.text.as_str();
        let start = text[..span.start].rfind('\n').map_or(0, |end| end + 1);
        let line_end = |at: usize| text[at..].find('\n').map_or(text.len(), |length| at + length);
        // A line end does not start another line.
        let last = if text[span.clone()].ends_with('\n') { span.end - 1 } else { span.end };
        let (first_end, whole_end) = (line_end(span.start), line_end(last));
        let many = text[span.start..last].matches('\n').count() >= Self::LINES;
        let (end, last) = if many { (first_end, first_end) } else { (whole_end, last) };
        let (from, end) = if end - start > Self::BYTES {
            let around = Self::BYTES / 2;
            let end = first_end.min(text.ceil_char_boundary((span.start + around).min(text.len())));
            (start.max(text.floor_char_boundary(span.start.saturating_sub(around))), end)
        } else {
            (start, end)
        };
        // A part of a secret is marked as a whole.
        let mut marked = span.start..last.min(end).max(span.start);
        for secret in source.secrets() {
            if secret.start < marked.end && secret.end > marked.start {
                marked = marked.start.min(secret.start).max(from)..marked.end.max(secret.end).min(end);
            }
        }
        let [before, within, after] =
            [from..marked.start, marked.clone(), marked.end..end].map(|part| plain(&source.shown(part)));
        Self {
            span: before.len()..before.len() + within.len(),
            is_shifted: from > start || before.len() != marked.start - from,
            text: before + &within + &after,
        }
    }
}

#[cfg(test)]
mod tests {
    use api::dto::TextRange;

    use super::*;

    fn shown(text: &str, from: u32, to: u32) -> (String, Range<usize>, bool) {
        let path = camino::Utf8Path::new("/a.md");
        let source = Sources::new("/".into()).with(path, text).of("/a.md").expect("it is given");
        let excerpt = Excerpt::of(&source, source.bytes(TextRange { from, to, line: 1, column: 1 }));
        (excerpt.text, excerpt.span, excerpt.is_shifted)
    }

    #[test]
    fn shows_the_lines_of_a_place_and_no_more() {
        let text = "one\ntwo 技\nthree\n";
        assert_eq!(shown(text, 4, 7), ("two 技".into(), 0..3, false));
        assert_eq!(shown(text, 4, 10), ("two 技".into(), 0..7, false), "with its end");
        assert_eq!(shown(text, 8, 12), ("two 技\nthree".into(), 4..10, false));
        assert_eq!(shown(text, 16, 16), (String::new(), 0..0, false), "the end of the file");
        assert_eq!(shown(text, 99, 120), (String::new(), 0..0, false), "the file was cut meanwhile");
        let many = "line\n".repeat(20);
        assert_eq!(shown(&many, 5, 90), ("line".into(), 0..4, false));
    }

    #[test]
    fn a_place_stays_where_it_is_behind_marks() {
        let (text, span, is_shifted) = shown("a\u{202e}b\u{200b}c\n", 3, 4);
        assert_eq!(text, r"a\u{202e}b\u{200b}c");
        assert_eq!((&text[span], is_shifted), (r"\u{200b}", true));
    }

    #[test]
    fn shows_only_the_surroundings_on_an_endless_line() {
        let line = format!("{}needle{}", "技".repeat(100_000), "x".repeat(100_000));
        let (text, span, is_cut) = shown(&line, 100_000, 100_006);
        assert_eq!((&text[span], is_cut), ("needle", true));
        assert!(text.len() < 2 * Excerpt::BYTES);
    }
}
