//! All rules over some skills.

use super::pattern::{Finder, Patterns};
use super::rules::overlap;
use super::{
    Check, Files, Finding, LintOptions, LoadCheck, Report, Rule, SetCheck, SkillCheck, Subject, SubjectSet, rules,
    suppress,
};
use crate::skill::{Problem, Severity, Skill, SkillSet};

/// The rules that look, made ready once.
pub struct Linter {
    options: LintOptions,
    load: Vec<Active<LoadCheck>>,
    skill: Vec<Active<SkillCheck>>,
    set: Vec<Active<SetCheck>>,
    patterns: Finder,
}

/// A rule that looks, how much its findings weigh, and how it looks.
pub(super) type Active<T> = (&'static Rule, Severity, T);

impl Linter {
    pub fn new(options: LintOptions) -> Self {
        let (mut load, mut skill, mut set) = (Vec::new(), Vec::new(), Vec::new());
        let mut patterns: Vec<Active<&'static Patterns>> = Vec::new();
        for rule in rules() {
            let Some(severity) = options.severity(rule) else { continue };
            match &rule.check {
                Check::Load(check) => load.push((rule, severity, *check)),
                Check::Skill(check) => skill.push((rule, severity, *check)),
                Check::Set(check) => set.push((rule, severity, *check)),
                Check::Pattern(found) => patterns.push((rule, severity, found)),
            }
        }
        Self { options, load, skill, set, patterns: Finder::new(patterns) }
    }

    /// Everything: each skill, all of them beside each other, and what lies outside of skills. By file, then place.
    pub fn all(&self, set: &SkillSet, skills: &[Skill], files: &(dyn Files + Sync)) -> Vec<Finding> {
        let (mut findings, mut comments) = (Vec::new(), Vec::new());
        for (found, said) in in_parallel(skills, |skill| self.look(skill, files)) {
            findings.extend(found);
            comments.extend(said);
        }
        let outside = |problem: &&Problem| !skills.iter().any(|skill| problem.path.starts_with(&skill.path));
        self.problems(set.problems.iter().filter(outside), &mut findings);
        let subjects = SubjectSet { set, skills, options: &self.options, files };
        for (rule, severity, check) in &self.set {
            check(&subjects, &mut Report::new(rule, *severity, &mut findings));
        }
        overlap::settle(&mut findings);
        suppress::apply(comments, |rule| self.looks(rule), &self.options, &mut findings);
        sort(&mut findings);
        findings
    }

    /// One skill by itself; what needs its neighbours is left out. By file, then place.
    pub fn one(&self, skill: &Skill, files: &dyn Files) -> Vec<Finding> {
        let (mut findings, comments) = self.look(skill, files);
        overlap::settle(&mut findings);
        let looked = |rule: &'static Rule| self.looks(rule) && !matches!(rule.check, Check::Set(_));
        suppress::apply(comments, looked, &self.options, &mut findings);
        sort(&mut findings);
        findings
    }

    /// What rules find in one skill, and what its comments ask to leave out of that.
    fn look(&self, skill: &Skill, files: &dyn Files) -> (Vec<Finding>, Vec<suppress::Comment>) {
        let mut findings = Vec::new();
        let subject = Subject::new(skill, &self.options, files);
        self.problems(skill.problems.iter(), &mut findings);
        for (rule, severity, check) in &self.skill {
            check(&subject, &mut Report::new(rule, *severity, &mut findings));
        }
        self.patterns.look(&subject, &mut findings);
        (findings, suppress::comments(&subject))
    }

    /// How many rules look.
    pub fn rules(&self) -> usize {
        rules().filter(|rule| self.looks(rule)).count()
    }

    fn looks(&self, rule: &'static Rule) -> bool {
        self.options.severity(rule).is_some()
    }

    fn problems<'a>(&self, problems: impl Iterator<Item = &'a Problem>, findings: &mut Vec<Finding>) {
        for problem in problems {
            for (rule, severity, matches) in &self.load {
                if matches(&problem.kind) {
                    let mut report = Report::new(rule, *severity, findings);
                    let message = problem.kind.to_string();
                    let finding = match problem.span {
                        Some(span) => report.at(&problem.path, span, message),
                        None => report.about(&problem.path, message),
                    };
                    finding.problem = Some(problem.kind.clone());
                }
            }
        }
    }
}

fn sort(findings: &mut [Finding]) {
    let place = |finding: &Finding| finding.span.map(|span| (span.start, span.end));
    findings.sort_by(|a, b| (&a.path, place(a), a.rule.id).cmp(&(&b.path, place(b), b.rule.id)));
}

/// In the order of the skills, on as many threads as the machine has cores.
fn in_parallel<T: Send>(skills: &[Skill], work: impl Fn(&Skill) -> T + Sync) -> Vec<T> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(skills.len().max(1));
    let share = skills.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        let shares = skills.chunks(share).map(|share| {
            let work = &work;
            scope.spawn(move || share.iter().map(work).collect::<Vec<_>>())
        });
        let running: Vec<_> = shares.collect();
        let results = running.into_iter().map(|thread| match thread.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        results.flatten().collect()
    })
}
