//! One fault, one finding: when several rules report the same thing in the same place, the one that says most about it
//! stays. A rule names those that it outdoes in [`Rule::hides`].

use std::collections::HashMap;
use std::sync::LazyLock;

use camino::Utf8PathBuf;

use super::rule::{Finding, Rule};
use super::rules::rules;
use skill::source::Span;

/// Takes out what another finding says already.
pub fn settle(findings: &mut Vec<Finding>) {
    let mut places: HashMap<(&str, Utf8PathBuf), Places> = HashMap::new();
    for (number, finding) in findings.iter().enumerate().filter(|(_, finding)| stays(finding)) {
        places.entry((finding.rule.id, finding.path.clone())).or_default().add(finding.span, number);
    }
    if places.is_empty() {
        return;
    }
    places.values_mut().for_each(Places::sort);
    let mut said = vec![None; findings.len()];
    for (number, finding) in findings.iter().enumerate() {
        let mut stronger = stronger(finding.rule);
        said[number] = stronger.find_map(|rule| {
            let places = places.get(&(rule, finding.path.clone()))?;
            places.over(finding.span).filter(|other| is_another(findings, number, *other))
        });
    }
    for (number, by) in said.iter().enumerate() {
        if let (Some(by), Some(consequence)) = (*by, findings[number].consequence.clone()) {
            let message = &mut findings[by].message;
            message.en.push_str(&format!("; {}", consequence.en));
            message.zh.push_str(&format!("；{}", consequence.zh));
        }
    }
    let mut number = 0;
    findings.retain(|_| {
        number += 1;
        said[number - 1].is_none()
    });
}

/// Whether others may give way to a finding. Two patterns of one rule may find the same thing.
fn stays(finding: &Finding) -> bool {
    finding.rule.patterns().is_some() || !finding.rule.hides.is_empty()
}

/// The rules that a rule gives way to, itself last.
fn stronger(rule: &'static Rule) -> impl Iterator<Item = &'static str> {
    static HIDDEN_BY: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
        let mut hidden_by: HashMap<&str, Vec<&str>> = HashMap::new();
        for (hiding, hidden) in rules().flat_map(|rule| rule.hides.iter().map(move |hidden| (rule, hidden))) {
            hidden_by.entry(hidden.id).or_default().push(hiding.id);
        }
        hidden_by
    });
    HIDDEN_BY.get(rule.id).into_iter().flatten().copied().chain([rule.id])
}

/// Of one rule's findings of the same thing the first stays.
fn is_another(findings: &[Finding], number: usize, other: usize) -> bool {
    findings[number].rule.id != findings[other].rule.id || other < number
}

/// Where a rule found something in a file, by the beginnings, with the numbers of the findings.
#[derive(Default)]
struct Places {
    whole: Option<usize>,
    spans: Vec<(Span, usize)>,
    /// For each of the spans, which of those up to it ends last.
    last: Vec<usize>,
}

impl Places {
    fn add(&mut self, span: Option<Span>, number: usize) {
        match span {
            Some(span) => self.spans.push((span, number)),
            None => self.whole = self.whole.or(Some(number)),
        }
    }

    fn sort(&mut self) {
        self.spans.sort_by_key(|(span, number)| (span.start, *number));
        let mut last = 0;
        for (place, (span, _)) in self.spans.iter().enumerate() {
            if end(*span) > end(self.spans[last].0) {
                last = place;
            }
            self.last.push(last);
        }
    }

    /// The finding that covers a place.
    fn over(&self, span: Option<Span>) -> Option<usize> {
        let Some(span) = span else { return self.whole };
        let before = self.spans.partition_point(|(other, _)| other.start < end(span));
        let (other, number) = self.spans[*self.last.get(before.checked_sub(1)?)?];
        (end(other) > span.start).then_some(number)
    }
}

/// An empty place is as good as the character after it.
fn end(span: Span) -> usize {
    span.end.max(span.start + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LintOptions;
    use crate::tests::said_of;

    #[test]
    fn who_would_skip_the_skill_is_said_where_the_cause_is() {
        let text = "---\nname: other\ndescription: Use when asked for a demo.\n---\nDo it.\n";
        assert_eq!(
            said_of(&[("/demo/SKILL.md", text)], &LintOptions::default()),
            [
                "name-dir-mismatch: the name `other` differs from the folder's name `demo`; Microsoft Agent Framework would \
                 leave this skill out"
            ]
        );
    }

    #[test]
    fn a_rule_speaks_where_the_stronger_one_is_off() {
        let text = "---\nname: demo\ndescription: Converts units.\n---\nDo it.\n";
        let options = LintOptions { ignore: vec!["description-too-short".into()], ..LintOptions::default() };
        assert_eq!(
            said_of(&[("/demo/SKILL.md", text)], &options),
            ["no-when-trigger: the description says what the skill does and not when to use it; add `Use when …`"]
        );
    }

    #[test]
    fn finds_what_lies_over_a_place_even_behind_a_longer_one() {
        let mut places = Places::default();
        for (number, (start, end)) in [(0, 90), (3, 5), (100, 100)].into_iter().enumerate() {
            places.add(Some(Span::new(start, end)), number);
        }
        places.sort();
        assert_eq!(places.over(Some(Span::new(50, 60))), Some(0));
        assert_eq!(places.over(Some(Span::new(90, 100))), None);
        assert_eq!(places.over(Some(Span::new(100, 104))), Some(2));
        assert_eq!(places.over(None), None);
    }
}
