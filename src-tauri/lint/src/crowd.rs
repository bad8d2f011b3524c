//! Many findings of one kind in one file: the first ones are shown, and the last of those says how many more there are.

use std::collections::BTreeMap;

use camino::Utf8PathBuf;

use super::rule::Finding;
use skill::Severity;

/// Findings of one rule in one file that weigh the same; further ones say nothing new.
pub const MOST: usize = 100;

/// Removes findings beyond [`MOST`]. The findings are in the order in which they are shown.
pub fn thin(findings: &mut Vec<Finding>) {
    type Alike = (&'static str, Severity, Utf8PathBuf);
    let kind = |finding: &Finding| -> Alike { (finding.rule.id, finding.severity, finding.path.clone()) };
    if findings.len() <= MOST {
        return;
    }
    let mut counts: BTreeMap<Alike, usize> = BTreeMap::new();
    for finding in &*findings {
        *counts.entry(kind(finding)).or_default() += 1;
    }
    counts.retain(|_, count| *count > MOST);
    if counts.is_empty() {
        return;
    }
    let mut seen: BTreeMap<Alike, usize> = BTreeMap::new();
    findings.retain_mut(|finding| {
        let kind = kind(finding);
        let Some(more) = counts.get(&kind).map(|count| count - MOST) else { return true };
        let nth = seen.entry(kind).or_default();
        *nth += 1;
        if *nth == MOST {
            let message = &mut finding.message;
            message.en.push_str(&format!("; {more} more of this kind in this file are not shown"));
            message.zh.push_str(&format!("；此文件中还有 {more} 个同类问题未列出"));
            // Its words are more than the problem's.
            finding.problem = None;
        }
        *nth <= MOST
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LintOptions;
    use crate::tests::said_of;

    #[test]
    fn the_last_that_is_shown_says_how_many_more_there_are() {
        let head = "---\nname: demo\ndescription: Use when asked for a demo.\n---\n";
        let options = LintOptions { select: vec!["suppression-unknown".into()], ..LintOptions::default() };
        let said = |count: usize| {
            // Each names another rule, so that none is the same as another.
            let comments: String =
                (1000..1000 + count).map(|number| format!("<!-- lint-ignore r{number}: b -->")).collect();
            let text = format!("{head}{comments}\n");
            said_of(&[("/demo/SKILL.md", &text), ("/demo/notes.md", &text)], &options)
        };
        let one = |number: usize| format!("suppression-unknown: there is no rule or group `r{number}`");
        let first: Vec<String> = (1000..1000 + MOST).map(one).collect();
        assert_eq!(said(MOST), [first.as_slice(), &first].concat());
        let mut expected = first.clone();
        expected[MOST - 1].push_str("; 3900 more of this kind in this file are not shown");
        assert_eq!(said(4000), [expected.as_slice(), &expected].concat(), "each file counts for itself");
    }
}
