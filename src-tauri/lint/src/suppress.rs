//! Takes out the findings that comments let pass.

use std::collections::{BTreeMap, HashMap};

use camino::Utf8Path;

use super::comments::{Comment, Fault};
use super::group::Group;
use super::options::{Comments, LintOptions, Profile};
use super::rule::{CommentCheck, Finding, Report, Rule};
use super::rules::rules;
use skill::Severity;
use skill::source::Span;

/// Takes out the findings that comments ask to leave out, and says which of the comments are of no use. `looked`: the
/// rules that did look; a comment about another may be of use another time. `faults`: the rules that say what is wrong with
/// a comment, how much that weighs, and how they look. Returns how many findings of security are out.
pub fn apply(
    comments: &[Comment],
    looked: impl Fn(&'static Rule) -> bool,
    faults: &[(&'static Rule, Severity, CommentCheck)],
    options: &LintOptions,
    findings: &mut Vec<Finding>,
) -> usize {
    if comments.is_empty() || options.comments == Comments::Ignored {
        return 0;
    }
    let of_security =
        |findings: &[Finding]| findings.iter().filter(|finding| finding.rule.group == Group::Security).count();
    let before = of_security(findings);
    let places = Places::of(comments);
    let mut used = vec![false; comments.len()];
    findings.retain(|finding| {
        places.first_for(finding, comments).is_none_or(|place| {
            used[place] = true;
            false
        })
    });
    let out = before - of_security(findings);
    for (comment, used) in comments.iter().zip(used) {
        let Some(fault) = fault(comment, used, &looked) else { continue };
        for (rule, severity, check) in faults {
            if let Some(message) = check(comment, fault) {
                Report::new(rule, *severity, findings).at(&comment.path, comment.span, message);
            }
        }
    }
    out
}

impl LintOptions {
    /// These options as they would be if they named the rules of security alone that the project switches off; `None`:
    /// there are none.
    pub fn switched_off(&self) -> Option<Self> {
        let profile = Profile::default();
        let without = Self { profile, rules: BTreeMap::new(), comments: Comments::Ignored, ..self.clone() };
        let is_off = |rule: &&Rule| self.severity(rule).is_none() && without.severity(rule).is_some();
        let of_security = rules().filter(|rule| rule.group == Group::Security);
        let off: Vec<String> = of_security.filter(is_off).map(|rule| rule.id.to_owned()).collect();
        (!off.is_empty()).then_some(Self { select: off, ..without })
    }
}

/// The first thing that is wrong with a comment.
fn fault(comment: &Comment, used: bool, looked: impl Fn(&'static Rule) -> bool) -> Option<Fault> {
    let mut named = rules().filter(|rule| comment.rule == rule.id || comment.rule == rule.group.id()).peekable();
    if named.peek().is_none() {
        Some(Fault::Unknown)
    } else if !used && named.all(looked) {
        Some(Fault::Unused)
    } else {
        (!comment.explained).then_some(Fault::Unexplained)
    }
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
        let ids = [finding.rule.id, finding.rule.group.id()];
        ids.iter().filter_map(|id| self.first_of(id, finding, comments)).min()
    }

    fn first_of(&self, id: &str, finding: &Finding, comments: &[Comment]) -> Option<usize> {
        let of_rule = self.0.get(&(&*finding.path, id))?;
        let in_line = finding.span.and_then(|span| {
            let reach = |place: usize| comments[place].reach.unwrap_or(Span::new(0, usize::MAX));
            let first = of_rule.lines.partition_point(|place| reach(*place).end <= span.start);
            of_rule.lines.get(first).copied().filter(|place| reach(*place).start <= span.start)
        });
        in_line.into_iter().chain(of_rule.file).min()
    }
}
