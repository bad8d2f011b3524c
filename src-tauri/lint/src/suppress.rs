//! Removes the findings that comments ignore.

use std::collections::{BTreeMap, HashMap};

use camino::Utf8Path;

use super::comments::{Comment, Fault};
use super::group::Group;
use super::options::{Comments, LintOptions};
use super::rule::{Applicability, CommentCheck, Finding, Report, Rule};
use super::rules::rules;
use config::Profile;
use skill::Severity;
use skill::source::Span;
use wording::message;

/// Removes the findings that comments ignore, and reports comments that have no effect. `looked`: the rules that ran; a
/// comment about another rule may have an effect another time. `faults`: the rules about comments, their severity, and
/// their checks. Returns how many findings of security were removed.
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
            let Some(message) = check(comment, fault) else { continue };
            let mut report = Report::new(rule, *severity, findings);
            let finding = report.at(&comment.path, comment.span, message);
            if let (Fault::Unused, Some(whole)) = (fault, comment.whole) {
                finding.replace(message!("Delete what ignores nothing", "删除没有作用的忽略"), whole, "");
                // Something that looks like a comment in a script may be part of a text.
                let is_script = !matches!(comment.path.extension(), Some("md" | "mdx" | "markdown"));
                finding.fix.iter_mut().filter(|_| is_script).for_each(|fix| fix.applicability = Applicability::Unsafe);
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
    /// The first comment about the whole file.
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

#[cfg(test)]
mod tests {
    use camino::Utf8PathBuf;

    use crate::{Applicability, Disk, LintOptions, Linter};

    /// The text of a skill's file after fixes.
    fn fixed(name: &str, text: &str, most: Applicability) -> String {
        let guard = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::try_from(guard.path().canonicalize().unwrap()).unwrap().join("demo");
        std::fs::create_dir(&root).unwrap();
        let manifest = "---\nname: demo\ndescription: Use when asked for a demo.\n---\nDo it.\n";
        std::fs::write(root.join("SKILL.md"), manifest).unwrap();
        let path = root.join(name);
        std::fs::write(&path, text).unwrap();
        let skills = skill::skills(&skill::load(&[root]));
        let select = ["suppression-unused", "todo-left", "windows-path"].map(str::to_owned).to_vec();
        let settled = Linter::new(LintOptions { select, ..LintOptions::default() }).settle(&skills[0], &Disk, most);
        settled.texts.get(&path).map_or_else(|| text.to_owned(), |source| source.text.clone())
    }

    fn body(text: &str) -> String {
        format!("---\nname: demo\ndescription: Use when asked for a demo.\n---\n{text}")
    }

    #[test]
    fn a_comment_that_ignores_nothing_is_deleted() {
        let safe = |text: &str| fixed("SKILL.md", &body(text), Applicability::Safe);
        let unused = "<!-- lint-ignore todo-left: known -->";
        assert_eq!(safe(&format!("One.\n\n{unused}\nTwo.\n")), body("One.\n\nTwo.\n"), "with its line");
        assert_eq!(
            safe(&format!("One.\n{unused}\nTwo.\n")),
            body("One.\n\nTwo.\n"),
            "which keeps two paragraphs apart"
        );
        assert_eq!(safe(&format!("One. {unused}\nTwo.\n")), body("One.\nTwo.\n"));
        assert_eq!(safe(&format!("One.\n{unused}")), body("One.\n"));
        let used = "One.\n\n<!-- lint-ignore todo-left: known -->\nTODO: say more.\n";
        assert_eq!(safe(used), body(used));
        let both = "One.\n\n<!-- lint-ignore windows-path, todo-left: known -->\nTODO: say more.\n";
        let one = "One.\n\n<!-- lint-ignore todo-left: known -->\nTODO: say more.\n";
        assert_eq!(safe(both), body(one));
        let other = "One.\n\n<!-- lint-ignore todo-left, windows-path: known -->\nTODO: say more.\n";
        assert_eq!(safe(other), body(one));
        let neither = "One.\n\n<!-- lint-ignore todo-left, windows-path: known -->\nTwo.\n";
        assert_eq!(safe(neither), body("One.\n\nTwo.\n"));
        let open = "One.\n\n<!-- lint-ignore todo-left: known\nTwo.\n";
        assert_eq!(safe(open), body(open), "nobody knows where it ends");
        let windows = body(&format!("One.\n\n{unused}\nTwo.\n")).replace('\n', "\r\n");
        assert_eq!(fixed("SKILL.md", &windows, Applicability::Safe), body("One.\n\nTwo.\n").replace('\n', "\r\n"));
    }

    #[test]
    fn in_yaml_only_what_cannot_be_text_is_deleted() {
        let text = |line: &str| format!("---\nname: demo\ndescription: |\n  Use when asked.\n{line}---\nDo it.\n");
        let deleted = |line: &str| fixed("SKILL.md", &text(line), Applicability::Unsafe);
        assert_eq!(deleted("# lint-ignore todo-left: known\n"), text(""));
        assert_eq!(deleted("  # lint-ignore todo-left: known\n"), text("  # lint-ignore todo-left: known\n"));
    }

    #[test]
    fn in_a_script_it_wants_a_look() {
        let text = "print(1)  # lint-ignore todo-left: known\n# lint-ignore todo-left: known\nprint(2)\n";
        assert_eq!(fixed("run.py", text, Applicability::Safe), text);
        assert_eq!(fixed("run.py", text, Applicability::Unsafe), "print(1)\nprint(2)\n");
    }
}
