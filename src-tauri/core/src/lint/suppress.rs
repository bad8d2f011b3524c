//! Findings that the author has looked at and lets pass, with a reason, in a comment of any kind:
//! `lint-ignore broken-link: the build makes the file` for its own line and the next one,
//! `lint-ignore-file secret-password-var: test data` for the whole file.

use std::collections::HashMap;

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
    let mut by_file: HashMap<Utf8PathBuf, Vec<&mut Comment>> = HashMap::new();
    for comment in &mut comments {
        by_file.entry(comment.path.clone()).or_default().push(comment);
    }
    findings.retain(|finding| {
        let here = by_file.get_mut(&finding.path).map(Vec::as_mut_slice).unwrap_or_default();
        let fitting = here.iter_mut().find(|comment| comment.covers(finding));
        fitting.map(|comment| comment.used = true).is_none()
    });
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

impl Comment {
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

fn collect(path: &Utf8Path, text: &str, into: &mut Vec<Comment>) {
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
