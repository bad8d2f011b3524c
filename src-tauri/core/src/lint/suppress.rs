//! Findings that the author has looked at and lets pass, with a reason, in a comment of any kind:
//! `lint-ignore broken-link: the build makes the file` for its own line and the next one,
//! `lint-ignore-file secret-password-var: test data` for the whole file.

use std::collections::HashMap;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use camino::{Utf8Path, Utf8PathBuf};

use super::rules::form::{suppression_unexplained, suppression_unknown, suppression_unused};
use super::{Finding, LintOptions, Report, Rule, Subject, find};
use crate::source::Span;

/// Takes out the findings that comments ask to leave out, and says which of the comments are of no use. `looked`: the
/// rules that did look; a comment about another may be of use another time.
pub fn apply(
    mut comments: Vec<Comment>,
    looked: impl Fn(&'static Rule) -> bool,
    options: &LintOptions,
    findings: &mut Vec<Finding>,
) {
    if comments.is_empty() {
        return;
    }
    let mut used = vec![false; comments.len()];
    let places = Places::of(&comments);
    findings.retain(|finding| {
        places.first_for(finding, &comments).is_none_or(|place| {
            used[place] = true;
            false
        })
    });
    drop(places);
    for (comment, used) in comments.iter_mut().zip(used) {
        comment.used = used;
    }
    let mut say = |rule: &'static Rule, comment: &Comment, message: String| {
        if let Some(severity) = options.severity(rule) {
            Report::new(rule, severity, findings).at(&comment.path, comment.span, message);
        }
    };
    for comment in &comments {
        let Some(rule) = find(&comment.rule) else {
            say(&suppression_unknown::RULE, comment, format!("there is no rule `{}`", comment.rule));
            continue;
        };
        if !comment.used && looked(rule) {
            let message = format!("`{}` finds nothing here; delete the comment", comment.rule);
            say(&suppression_unused::RULE, comment, message);
        } else if !comment.explained {
            say(&suppression_unexplained::RULE, comment, format!("say why: `{MARK} {}: the reason`", comment.rule));
        }
    }
}

/// The comments in a skill's files that ask to leave findings out.
pub fn comments(subject: &Subject<'_>) -> Vec<Comment> {
    let mut found = Vec::new();
    collect(subject.path(), subject.text(), &mut found);
    for file in subject.skill.files.iter().filter(|file| file.path != subject.path()) {
        if let Some(text) = subject.read(file) {
            collect(&file.path, text.text(), &mut found);
        }
    }
    found
}

pub const MARK: &str = "lint-ignore";

/// Finds [`MARK`] some times faster than the standard library.
static FINDER: LazyLock<AhoCorasick> =
    LazyLock::new(|| AhoCorasick::new([MARK]).expect("one word makes a small automaton"));

/// A request to leave out findings.
pub struct Comment {
    path: Utf8PathBuf,
    /// The comment's words.
    span: Span,
    rule: String,
    explained: bool,
    /// The lines whose findings are left out; `None`: all of the file.
    reach: Option<Span>,
    used: bool,
}

/// Of comments, by file and rule; each list in the order of the text.
struct Places<'a>(HashMap<(&'a Utf8Path, &'a str), OfRule>);

#[derive(Default)]
struct OfRule {
    /// The first one that is about the whole file.
    file: Option<usize>,
    /// Those about lines: both ends of their reaches rise.
    lines: Vec<usize>,
}

impl<'a> Places<'a> {
    fn of(comments: &'a [Comment]) -> Self {
        let mut places: HashMap<_, OfRule> = HashMap::new();
        for (place, comment) in comments.iter().enumerate() {
            let of_rule = places.entry((&*comment.path, &*comment.rule)).or_default();
            match comment.reach {
                Some(_) => of_rule.lines.push(place),
                None => _ = of_rule.file.get_or_insert(place),
            }
        }
        Self(places)
    }

    /// The first comment that covers a finding.
    fn first_for(&self, finding: &Finding, comments: &[Comment]) -> Option<usize> {
        let of_rule = self.0.get(&(&*finding.path, finding.rule.id))?;
        let in_line = finding.span.and_then(|span| {
            let reach = |place: usize| comments[place].reach.unwrap_or(Span::new(0, usize::MAX));
            let first = of_rule.lines.partition_point(|place| reach(*place).end <= span.start);
            of_rule.lines.get(first).copied().filter(|place| reach(*place).start <= span.start)
        });
        in_line.into_iter().chain(of_rule.file).min()
    }
}

fn collect(path: &Utf8Path, text: &str, into: &mut Vec<Comment>) {
    let mut marks = FINDER.find_iter(text).map(|found| found.start()).peekable();
    // The line of the last mark, and the end of the line after it.
    let (mut line_start, mut line_end, mut next_end) = (0, 0, 0);
    while let Some(at) = marks.next() {
        if at >= line_end {
            line_start = text[..at].rfind('\n').map_or(0, |end| end + 1);
            line_end = text[at..].find('\n').map_or(text.len(), |end| at + end);
            let next = text.get(line_end + 1..);
            next_end = next.map_or(text.len(), |next| next.find('\n').map_or(text.len(), |end| line_end + 1 + end));
        }
        // In a comment, not in prose or code that speaks of comments.
        let before = text[line_start..at].trim_end();
        if !COMMENTS.iter().any(|opening| before.ends_with(opening)) {
            continue;
        }
        // What is behind the next mark belongs to that one.
        let rest_end = marks.peek().map_or(line_end, |next| line_end.min(*next));
        let rest = &text[at + MARK.len()..rest_end];
        let (whole_file, rest) = match rest.strip_prefix("-file") {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        let rest = rest.split("-->").next().unwrap_or_default().split("*/").next().unwrap_or_default().trim();
        let (rule, reason) = rest.split_once(':').unwrap_or((rest, ""));
        let rule = rule.trim();
        if rule.is_empty() {
            continue;
        }
        let end = at + text[at..rest_end].find(rest).map_or(MARK.len(), |start| start + rest.len());
        into.push(Comment {
            path: path.to_owned(),
            span: Span::new(at, end),
            rule: rule.to_owned(),
            explained: !reason.trim().is_empty(),
            reach: (!whole_file).then(|| Span::new(line_start, next_end + 1)),
            used: false,
        });
    }
}

/// What may stand before the mark.
const COMMENTS: [&str; 6] = ["<!--", "#", "//", "/*", "--", ";"];
