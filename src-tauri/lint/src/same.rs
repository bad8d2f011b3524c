//! One cause, one finding: what a rule says in the same words of several places of a file is said once, with the lines of
//! the other places; and links on disk that lead into one folder that is not there are one finding, too.

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};

use super::files::Files;
use super::rule::Finding;
use skill::{ProblemKind, Severity};

/// Lines, or files, that are named; of further ones only the number is.
const NAMED: usize = 5;

/// Joins findings that are in the order in which they are shown.
pub fn join(findings: &mut Vec<Finding>, files: &dyn Files) {
    let mut firsts: BTreeMap<Cause, usize> = BTreeMap::new();
    let mut others: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (number, finding) in findings.iter().enumerate() {
        let Some(cause) = Cause::of(finding) else { continue };
        match firsts.get(&cause) {
            Some(first) if fixes_go_together(&findings[*first], finding) => {
                others.entry(*first).or_default().push(number);
            }
            Some(_) => {}
            None => {
                firsts.insert(cause, number);
            }
        }
    }
    if others.is_empty() {
        return;
    }
    let mut is_said = vec![false; findings.len()];
    for (first, others) in others {
        let edits: Vec<_> =
            others.iter().filter_map(|other| findings[*other].fix.take()).flat_map(|fix| fix.edits).collect();
        let also = match findings[first].span {
            Some(_) => lines(&findings[first], others.iter().map(|other| &findings[*other]), files),
            None => others.iter().filter_map(|other| findings[*other].path.file_name()).map(str::to_owned).collect(),
        };
        others.iter().for_each(|other| is_said[*other] = true);
        let finding = &mut findings[first];
        if let Some(fix) = &mut finding.fix {
            fix.edits.extend(edits);
        }
        say(finding, &also);
    }
    let mut number = 0;
    findings.retain(|_| {
        number += 1;
        !is_said[number - 1]
    });
}

/// What findings with the same cause have in common.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Cause {
    rule: &'static str,
    severity: Severity,
    /// The file, or the folder of links.
    place: Utf8PathBuf,
    said: String,
}

impl Cause {
    fn of(finding: &Finding) -> Option<Self> {
        let (place, said) = match (&finding.problem, finding.span) {
            (Some(ProblemKind::LinkBroken { target }), _) => {
                let folder = |path: &Utf8Path| path.parent().map(Utf8Path::to_owned);
                (folder(&finding.path)?, folder(Utf8Path::new(target))?.into_string())
            }
            (_, Some(_)) => (finding.path.clone(), finding.message.en.clone()),
            (_, None) => return None,
        };
        Some(Self { rule: finding.rule.id, severity: finding.severity, place, said })
    }
}

/// Whether one fix can do what both do.
fn fixes_go_together(first: &Finding, other: &Finding) -> bool {
    match (&first.fix, &other.fix) {
        (Some(first), Some(other)) => first.applicability == other.applicability && first.title == other.title,
        (first, other) => first.is_none() && other.is_none(),
    }
}

/// The lines of places, except for that of the first.
fn lines<'a>(first: &'a Finding, others: impl Iterator<Item = &'a Finding>, files: &dyn Files) -> Vec<String> {
    let Some(source) = files.text(&first.path) else { return Vec::new() };
    let starts = [first].into_iter().chain(others).filter_map(|finding| finding.span).map(|span| span.start);
    let (mut line, mut done) = (1, 0);
    let mut lines = BTreeSet::new();
    for start in starts {
        // They are in the order of the text.
        line += source.text.get(done..start).unwrap_or_default().matches('\n').count();
        done = done.max(start);
        lines.insert(line);
    }
    lines.into_iter().skip(1).map(|line| line.to_string()).collect()
}

fn say(finding: &mut Finding, also: &[String]) {
    // Its words are more than the problem's.
    finding.problem = None;
    if also.is_empty() {
        return;
    }
    let named = &also[..also.len().min(NAMED)];
    let more = also.len() - named.len();
    let is_line = finding.span.is_some();
    let message = &mut finding.message;
    let (mark, list) = match (is_line, also.len()) {
        (true, 1) => ("also in line", named.join(", ")),
        (true, _) => ("also in lines", named.join(", ")),
        (false, _) => ("so do", named.join(", ")),
    };
    let and_more = if more > 0 { format!(" and {more} more") } else { String::new() };
    message.en.push_str(&format!(" ({mark} {list}{and_more})"));
    let list = named.join("、");
    let list = if is_line { format!("另见第 {list} 行") } else { format!("同样的还有 {list}") };
    let and_more = if more > 0 { format!("，另有 {more} 处") } else { String::new() };
    message.zh.push_str(&format!("（{list}{and_more}）"));
}

#[cfg(test)]
mod tests {
    use crate::LintOptions;
    use crate::tests::{findings_of, said_of};

    const HEAD: &str = "---\nname: demo\ndescription: Use when asked for a demo.\n---\n";

    fn only(rule: &str) -> LintOptions {
        LintOptions { select: vec![rule.to_owned()], ..LintOptions::default() }
    }

    #[test]
    fn the_same_words_about_several_lines_of_a_file_are_one_finding() {
        let text = format!("{HEAD}Read /Users/ann/a.\n\nThen /Users/ann/b and /Users/ann/c.\n\nLast /home/joe/d.\n");
        let files = [("/demo/SKILL.md", &*text), ("/demo/notes.md", "Read /Users/ann/e.\n")];
        let advice = "is in one user's home; write a path from the skill or the working directory";
        assert_eq!(
            said_of(&files, &only("user-path")),
            [
                format!("user-path: `/Users/ann` {advice} (also in line 7)"),
                format!("user-path: `/home/joe` {advice}"),
                format!("user-path: `/Users/ann` {advice}"),
            ]
        );
    }

    #[test]
    fn of_many_lines_the_first_are_named_and_one_fix_mends_them_all() {
        let text = format!("{HEAD}{}", "Run the ex\u{200B}port.\n".repeat(9));
        let found = findings_of(&[("/demo/SKILL.md", &text)], &only("unicode-zero-width"));
        let said: Vec<&str> = found.iter().map(|finding| &*finding.message.en).collect();
        assert_eq!(said, ["U+200B cannot be seen here: delete it (also in lines 6, 7, 8, 9, 10 and 3 more)"]);
        assert_eq!(found[0].fix.as_ref().map(|fix| fix.edits.len()), Some(9));
    }

    #[cfg(unix)]
    #[test]
    fn links_into_one_folder_that_is_not_there_are_one_finding() {
        use camino::Utf8PathBuf;

        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
        for name in ["a", "b", "c"] {
            std::os::unix::fs::symlink(format!("/nowhere/skills/{name}"), root.join(name)).unwrap();
        }
        std::os::unix::fs::symlink("/elsewhere/d", root.join("d")).unwrap();
        let set = skill::load(std::slice::from_ref(&root));
        let found = crate::Linter::new(only("link-broken")).all(&set, &skill::skills(&set), &crate::Disk);
        let said: Vec<&str> = found.iter().map(|finding| &*finding.message.en).collect();
        assert_eq!(
            said,
            [
                "the link points to /nowhere/skills/a, which does not exist (so do b, c)",
                "the link points to /elsewhere/d, which does not exist"
            ]
        );
    }
}
