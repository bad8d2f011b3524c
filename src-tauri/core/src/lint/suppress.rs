//! Findings that the author has looked at and lets pass, with a reason, in a comment of any kind:
//! `lint-ignore broken-link: the build makes the file` for its own line and the next one,
//! `lint-ignore-file secret-password-var: test data` for the whole file.

use camino::Utf8Path;

use super::rules::form::{suppression_unexplained, suppression_unknown, suppression_unused};
use super::{Finding, LintOptions, Report, Rule, Subject, find};
use crate::source::Span;

/// Takes out the findings that a skill's files ask to leave out, and says which of those comments are of no use.
pub fn apply(subject: &Subject<'_>, options: &LintOptions, findings: &mut Vec<Finding>) {
    let others = subject.skill.files.iter().filter(|file| file.path != subject.path());
    let others: Vec<_> = others.filter_map(|file| Some((&*file.path, subject.read(file)?))).collect();
    let mut wanted = Vec::new();
    collect(subject.path(), subject.text(), &mut wanted);
    for (path, text) in &others {
        collect(path, text.text(), &mut wanted);
    }
    if wanted.is_empty() {
        return;
    }
    findings.retain(|finding| {
        let fitting = wanted.iter_mut().find(|comment| comment.covers(finding));
        fitting.map(|comment| comment.used = true).is_none()
    });
    let mut say = |rule: &'static Rule, comment: &Comment<'_>, message: String| {
        if let Some(severity) = options.severity(rule) {
            Report::new(rule, severity, findings).at(comment.path, comment.span, message);
        }
    };
    for comment in &wanted {
        if find(comment.rule).is_none() {
            say(&suppression_unknown::RULE, comment, format!("there is no rule `{}`", comment.rule));
        } else if !comment.used {
            say(
                &suppression_unused::RULE,
                comment,
                format!("`{}` finds nothing here; delete the comment", comment.rule),
            );
        } else if !comment.explained {
            say(&suppression_unexplained::RULE, comment, format!("say why: `{MARK} {}: the reason`", comment.rule));
        }
    }
}

pub const MARK: &str = "lint-ignore";

struct Comment<'a> {
    path: &'a Utf8Path,
    /// The comment's words.
    span: Span,
    rule: &'a str,
    explained: bool,
    /// The lines whose findings are left out; `None`: all of the file.
    reach: Option<Span>,
    used: bool,
}

impl Comment<'_> {
    fn covers(&self, finding: &Finding) -> bool {
        finding.rule.id == self.rule
            && finding.path == self.path
            && match (self.reach, finding.span) {
                (None, _) => true,
                (Some(reach), Some(span)) => reach.start <= span.start && span.start < reach.end,
                (Some(_), None) => false,
            }
    }
}

fn collect<'a>(path: &'a Utf8Path, text: &'a str, into: &mut Vec<Comment<'a>>) {
    for (at, _) in text.match_indices(MARK) {
        let line_start = text[..at].rfind('\n').map_or(0, |end| end + 1);
        let line_end = text[at..].find('\n').map_or(text.len(), |end| at + end);
        // In a comment, not in prose or code that speaks of comments.
        let before = text[line_start..at].trim_end();
        if !COMMENTS.iter().any(|opening| before.ends_with(opening)) {
            continue;
        }
        let rest = &text[at + MARK.len()..line_end];
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
        let next_end = text
            .get(line_end + 1..)
            .map_or(text.len(), |next| next.find('\n').map_or(text.len(), |end| line_end + 1 + end));
        let end = at + text[at..line_end].find(rest).map_or(MARK.len(), |start| start + rest.len());
        into.push(Comment {
            path,
            span: Span::new(at, end),
            rule,
            explained: !reason.trim().is_empty(),
            reach: (!whole_file).then(|| Span::new(line_start, next_end + 1)),
            used: false,
        });
    }
}

/// What may stand before the mark.
const COMMENTS: [&str; 6] = ["<!--", "#", "//", "/*", "--", ";"];
