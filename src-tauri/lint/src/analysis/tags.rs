//! Tags that mark sections of a prompt, such as `<instructions>`. HTML, and placeholders in a line, are none.

use std::collections::HashMap;

use camino::Utf8PathBuf;
use memchr::memchr_iter;

use crate::markdown::Fence;
use crate::texts::{Page, Texts, for_each_page};
use skill::source::Span;

/// A tag that does not pair.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    pub path: Utf8PathBuf,
    pub span: Span,
    pub tag: String,
    pub kind: TagFault,
}

/// What is wrong with it.
#[derive(Debug, Clone, PartialEq)]
pub enum TagFault {
    /// Opened on a line of its own and never closed.
    Unclosed,
    /// Closed while this other one is open.
    Mismatched(String),
    /// Closed and never opened.
    Stray,
}

/// Tags that are not closed, and ends of none that was opened, in all texts of the skill; some of a page that has many.
pub fn faults(skill: &Texts<'_>) -> Vec<Fault> {
    let mut found = Vec::new();
    for_each_page(skill, |page| {
        let faults = faults_of(&page).into_iter().take(MOST);
        found.extend(faults.map(|(span, tag, kind)| Fault { path: page.path.to_owned(), span, tag, kind }));
    });
    found
}

/// Of one page.
const MOST: usize = 20;

struct Tag<'a> {
    name: &'a str,
    closes: bool,
    span: Span,
}

/// A fence of Markdown in which another one begins: the end of that one ended it.
fn holds_fence(fence: &Fence) -> bool {
    let opens = |line: &str| {
        let rest = line.trim_start().strip_prefix("```").unwrap_or_default();
        rest.starts_with(|letter: char| letter.is_ascii_alphabetic())
    };
    matches!(fence.language.as_str(), "markdown" | "md" | "") && fence.code.lines().any(opens)
}

fn faults_of(page: &Page<'_>) -> Vec<(Span, String, TagFault)> {
    // Code and text can no longer be told apart.
    if page.markdown.fences.iter().any(|fence| !fence.closed || holds_fence(fence)) {
        return Vec::new();
    }
    // A page with HTML in it has tags of anybody's.
    if ["</div>", "</li>", "</section>", "</table>"].iter().any(|tag| page.text.contains(tag)) {
        return Vec::new();
    }
    let tags = tags(page);
    let mut closings: HashMap<&str, usize> = HashMap::new();
    for tag in tags.iter().filter(|tag| tag.closes) {
        *closings.entry(tag.name).or_default() += 1;
    }
    let mut open: Vec<&Tag<'_>> = Vec::new();
    let mut openings: HashMap<&str, usize> = HashMap::new();
    let mut found = Vec::new();
    for tag in &tags {
        if !tag.closes {
            *openings.entry(tag.name).or_default() += 1;
            open.push(tag);
            continue;
        }
        *closings.entry(tag.name).or_default() -= 1;
        if openings.get(tag.name).is_some_and(|count| *count > 0) {
            while let Some(inner) = open.pop() {
                *openings.entry(inner.name).or_default() -= 1;
                if inner.name == tag.name {
                    break;
                }
                if stands_alone(inner, page.text) {
                    found.push((inner.span, inner.name.to_owned(), TagFault::Unclosed));
                }
            }
            continue;
        }
        if !ends_line(tag, page.text) {
            continue;
        }
        let other = open
            .last()
            .filter(|other| stands_alone(other, page.text) && closings.get(other.name).is_none_or(|count| *count == 0));
        let kind = match other {
            Some(other) => TagFault::Mismatched(other.name.to_owned()),
            None => TagFault::Stray,
        };
        if let Some(other) = open.pop_if(|_| kind != TagFault::Stray) {
            *openings.entry(other.name).or_default() -= 1;
        }
        found.push((tag.span, tag.name.to_owned(), kind));
    }
    let unclosed = open.into_iter().filter(|tag| stands_alone(tag, page.text));
    found.extend(unclosed.map(|tag| (tag.span, tag.name.to_owned(), TagFault::Unclosed)));
    found
}

fn tags<'a>(page: &Page<'a>) -> Vec<Tag<'a>> {
    let mut found = Vec::new();
    let mut in_comment = false;
    let openings: Vec<usize> = memchr_iter(b'<', page.text.as_bytes()).collect();
    let has_opening = |span: &&Span| {
        let first = openings.partition_point(|at| *at < span.start);
        openings.get(first).is_some_and(|at| *at < span.end)
    };
    // Markdown treats a name with `_` as prose, not as a tag.
    let prose = page.markdown.prose.iter().filter(has_opening);
    let mut spans: Vec<&Span> = page.markdown.html.iter().chain(prose).collect();
    let nested = &page.markdown.nested;
    spans.retain(|span| !nested.iter().any(|sample| sample.start <= span.start && span.end <= sample.end));
    spans.sort_by_key(|span| span.start);
    for span in spans {
        let html = span.of(page.text);
        let mut at = 0;
        loop {
            if in_comment {
                let Some(end) = html[at..].find("-->") else { break };
                in_comment = false;
                at += end + 3;
            }
            let Some(start) = html[at..].find('<').map(|start| at + start) else { break };
            let rest = &html[start + 1..];
            if rest.starts_with("!--") {
                in_comment = true;
                at = start + 4;
                continue;
            }
            at = start + 1;
            let closes = rest.starts_with('/');
            let name_start = start + 1 + usize::from(closes);
            let name_end = html[name_start..]
                .find(|letter: char| !is_name_letter(letter))
                .map_or(html.len(), |end| name_start + end);
            let reach = html.floor_char_boundary(html.len().min(name_end + LONGEST));
            let Some(end) = html[name_end..reach].find(['>', '<']).map(|end| name_end + end) else { continue };
            if html[end..].starts_with('<') {
                continue;
            }
            let (name, inside) = (&html[name_start..name_end], &html[name_end..end]);
            if is_section(name) && is_attributes(inside) {
                found.push(Tag { name, closes, span: Span::new(start, end + 1).shift(span.start) });
            }
        }
    }
    found
}

/// Bytes of a tag after its name.
const LONGEST: usize = 500;

fn is_name_letter(letter: char) -> bool {
    letter.is_ascii_lowercase() || letter.is_ascii_digit() || matches!(letter, '_' | '-')
}

fn is_section(name: &str) -> bool {
    let placeholder =
        ["your", "insert", "placeholder", "name", "path", "file"].iter().any(|start| name.starts_with(start));
    name.len() > 2
        && name.starts_with(|letter: char| letter.is_ascii_lowercase())
        && !placeholder
        && !HTML.split(' ').any(|html| html == name)
}

/// `<the name of it>` is a placeholder; `<example id="1">` is a tag; `<br/>` closes itself.
fn is_attributes(inside: &str) -> bool {
    inside.trim().is_empty() || (inside.contains('=') && !inside.ends_with('/'))
}

fn stands_alone(tag: &Tag<'_>, text: &str) -> bool {
    let before = text[..tag.span.start].trim_end_matches([' ', '\t']);
    (before.is_empty() || before.ends_with('\n')) && ends_line(tag, text)
}

fn ends_line(tag: &Tag<'_>, text: &str) -> bool {
    let after = text[tag.span.end..].trim_start_matches([' ', '\t', '\r']);
    after.is_empty() || after.starts_with('\n')
}

const HTML: &str = "a abbr address area article aside audio b base bdi bdo big blockquote body br button canvas caption \
    center circle cite code col colgroup data datalist dd defs del details dfn dialog div dl dt ellipse em \
    embed fieldset figcaption figure font footer form frame g h1 h2 h3 h4 h5 h6 head header hgroup hr html i \
    iframe img input ins kbd label legend li line link main map mark menu meta meter nav noscript object ol \
    optgroup option p param path picture polygon pre progress q rect s samp script search section select \
    slot small source span strong style sub summary sup svg table tbody td template textarea tfoot th thead \
    time title tr tt ul";
