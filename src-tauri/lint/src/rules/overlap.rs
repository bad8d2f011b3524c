//! One fault, one finding: of rules that mind the same thing in the same place, the one that says most about it stays.

use std::collections::HashMap;

use camino::Utf8PathBuf;

use crate::{Check, Finding};
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
        let mut stronger = stronger(finding.rule.id);
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

/// The rules that speak, each with those that then have nothing to add.
const ONE_FAULT: &[(&str, &[&str])] = &[
    // The reason why a framework leaves a skill out; which ones do is added to it.
    ("allowed-tools-type", SKIPPED),
    ("body-empty", SKIPPED),
    ("context-value", SKIPPED),
    ("bom", &["loader-would-skip", "loader-sees-different-value"]),
    ("description-missing", SKIPPED),
    ("field-empty", &["loader-would-skip", "loader-sees-different-value"]),
    ("field-not-text", SKIPPED),
    ("field-too-long", &["loader-would-skip", "catalogue-tokens"]),
    ("file-name-case", SKIPPED),
    ("file-not-utf8", SKIPPED),
    ("frontmatter-missing", SKIPPED),
    ("frontmatter-unclosed", SKIPPED),
    ("leading-blank", SKIPPED),
    ("license-not-text", SKIPPED),
    ("metadata-not-map", SKIPPED),
    ("metadata-value-not-text", SKIPPED),
    ("name-chars", &["loader-would-skip", "name-dir-mismatch"]),
    ("name-dir-mismatch", SKIPPED),
    ("name-missing", SKIPPED),
    ("name-non-ascii", SKIPPED),
    ("name-not-nfkc", &["loader-would-skip", "name-non-ascii"]),
    ("yaml-anchor-or-tag", &["loader-would-skip", "loader-sees-different-value"]),
    ("yaml-duplicate-key", &["loader-would-skip", "loader-sees-different-value"]),
    ("yaml-invalid", SKIPPED),
    ("yaml-not-map", SKIPPED),
    ("yaml-typed-text", &["loader-would-skip", "loader-sees-different-value", "name-vague"]),
    ("yaml-unquoted-colon", SKIPPED),
    ("yaml-unquoted-start", SKIPPED),
    ("dashes-cut-value", &["loader-would-skip", "loader-sees-different-value"]),
    // What is to be written anew anyway.
    (
        "description-repeats-name",
        &[
            "description-too-short",
            "description-vague",
            "no-when-trigger",
            "description-not-concrete",
            "description-missing-what",
        ],
    ),
    (
        "description-todo",
        &[
            "description-too-short",
            "description-vague",
            "no-when-trigger",
            "description-not-concrete",
            "description-missing-what",
            "loader-sees-different-value",
        ],
    ),
    (
        "description-too-short",
        &["description-vague", "no-when-trigger", "description-not-concrete", "description-missing-what"],
    ),
    ("description-vague", &["description-not-concrete", "description-missing-what"]),
    ("keyword-baiting", &["catalogue-tokens"]),
    ("trigger-too-generic", &["capability-inflation"]),
    ("body-tokens", &["body-lines"]),
    ("fence-unclosed", &["code-block-lines", "fence-does-not-parse"]),
    ("contradiction", &["negative-only"]),
    ("trigger-set-unbalanced", &["trigger-set-too-small"]),
    // Files that do not belong into the folder.
    ("build-junk", &["orphan-file"]),
    ("bytecode-mismatch", &["build-junk", "bytecode-without-source", "orphan-file"]),
    ("bytecode-without-source", &["build-junk", "orphan-file"]),
    ("cannot-read", &["link-escapes-skill", "orphan-file", "unread-file"]),
    ("link-broken", &["orphan-file"]),
    ("loader-dir-not-scanned", &["too-deep-to-discover"]),
    // What it does outweighs how it does it.
    ("agent-config-write", &["writes-outside-workdir"]),
    ("declared-exceeds-use", &["bash-unscoped"]),
    ("cloud-metadata", &["network-host-undeclared"]),
    ("exec-fetched-code", &["exec-eval", "network-host-undeclared", "suspicious-url"]),
    ("exec-fetch-pipe-shell", &["http-url", "suspicious-url", "undeclared-binary"]),
    ("exec-fetch-pipe-shell-plain", &["http-url", "suspicious-url", "undeclared-binary"]),
    ("exfil-env-dump", &["network-host-undeclared"]),
    ("exfil-sensitive-files", &["network-host-undeclared", "sensitive-file-read", "undeclared-binary"]),
    ("encoded-payload", &["base64-text", "exec-eval"]),
    ("exfil-instruction", COMMENTED),
    ("hard-coded-path", &["writes-outside-workdir"]),
    ("inject-bypass-policy", COMMENTED),
    ("inject-conceal-from-user", COMMENTED),
    ("inject-ignore-instructions", COMMENTED),
    ("inject-jailbreak", COMMENTED),
    ("inject-reveal-system", COMMENTED),
    ("inject-unrestricted", COMMENTED),
    // A key of a known form, by whatever name it is kept.
    ("secret-cloud-keys", NAMED),
    ("secret-connection-string", NAMED),
    ("secret-jwt", NAMED),
    ("secret-model-keys", NAMED),
    ("secret-private-key", NAMED),
    ("secret-service-tokens", NAMED),
    ("secret-vcs-tokens", NAMED),
    ("suspicious-url", &["http-url"]),
    ("untrusted-package-source", &["http-url"]),
];

const SKIPPED: &[&str] = &["loader-would-skip"];
const COMMENTED: &[&str] = &["inject-html-comment"];
const NAMED: &[&str] = &["secret-high-entropy", "secret-password-var"];

/// Whether others may give way to a finding.
fn stays(finding: &Finding) -> bool {
    matches!(finding.rule.check, Check::Pattern(_)) || ONE_FAULT.iter().any(|(rule, _)| *rule == finding.rule.id)
}

/// The rules that a rule gives way to. Two patterns of one rule may find the same thing.
fn stronger(rule: &str) -> impl Iterator<Item = &str> {
    let others = ONE_FAULT.iter().filter(move |(_, weaker)| weaker.contains(&rule)).map(|(stronger, _)| *stronger);
    others.chain([rule])
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

    /// The finding that lies over a place.
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
    use std::collections::BTreeSet;

    use super::*;
    use crate::LintOptions;
    use crate::find;
    use crate::tests::said_of;

    #[test]
    fn names_only_rules_that_there_are() {
        let named = ONE_FAULT.iter().flat_map(|(rule, weaker)| weaker.iter().chain([rule]));
        let unknown: BTreeSet<&&str> = named.filter(|rule| find(rule).is_none()).collect();
        assert_eq!(unknown, BTreeSet::new());
    }

    #[test]
    fn who_would_skip_the_skill_is_said_where_the_cause_is() {
        let text = "---\nname: other\ndescription: Use when asked for a demo.\n---\nDo it.\n";
        assert_eq!(
            said_of(&[("/demo/SKILL.md", text)], &LintOptions::default()),
            [
                "name-dir-mismatch: the name `other` differs from the folder's name `demo`; Microsoft Agent Framework would \
                 leave this skill out",
                "name-vague: `other` does not say what the skill is for; name the task, such as `pdf-tables`"
            ]
        );
    }

    #[test]
    fn a_rule_speaks_where_the_stronger_one_is_off() {
        let text = "---\nname: demo\ndescription: Converts units.\n---\nDo it.\n";
        let options = LintOptions { ignore: vec!["description-too-short".into()], ..LintOptions::default() };
        assert_eq!(
            said_of(&[("/demo/SKILL.md", text)], &options),
            ["no-when-trigger: the description says what the skill does and not when to use it; add `Use when …` \
              (`当…时使用`)"]
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
