//! All rules over some skills.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use camino::{Utf8Path, Utf8PathBuf};

use super::analysis::archived::is_put_away;
use super::analysis::context;
use super::analysis::copied::is_copied;
use super::analysis::mentions::mentions;
use super::comments::{self, Comment};
use super::files::Files;
use super::finder::{self, Finder};
use super::fix::{keep_loading, keep_possible};
use super::group::Group;
use super::kept::{self, Found, Hidden, Kept, Nothing, Outside};
use super::options::LintOptions;
use super::rule::{Check, CommentCheck, Finding, LoadCheck, Report, Rule, SetCheck, SkillCheck};
use super::rules::rules;
use super::secrets::Secrets;
use super::subject::{Mentions, Subject, SubjectSet};
use super::verdict::{self, Evidence, Security, Verdict};
use super::{crowd, overlap, same, suppress};
use skill::source::{SourceText, Span};
use skill::{Problem, ProblemKind, Severity, Skill, SkillFile, SkillPlace, SkillSet, in_parallel};
use wording::Wording;

/// The rules that look, made ready once.
pub struct Linter {
    options: LintOptions,
    load: Vec<Active<LoadCheck>>,
    skill: Vec<Active<SkillCheck>>,
    set: Vec<Active<SetCheck>>,
    comment: Vec<Active<CommentCheck>>,
    patterns: Finder,
}

/// The result of checking folders.
#[derive(Debug)]
pub struct Sweep<T> {
    pub skills: usize,
    /// By file, then place.
    pub findings: Vec<T>,
    /// How many findings of security comments ignored.
    pub left_out: usize,
    /// Of each skill that is not clear, by its folder. `None`: no verdict was asked for.
    pub security: Option<Vec<(Utf8PathBuf, Security<T>)>>,
    pub secrets: Secrets,
}

/// The findings about one skill, and its verdict.
#[derive(Debug, Clone, Default)]
pub struct Judged {
    /// By file, then place.
    pub findings: Vec<Finding>,
    /// `None`: no verdict was asked for.
    pub security: Option<Security<Finding>>,
    /// How many findings of security comments ignored.
    pub left_out: usize,
}

/// A rule that looks, how much its findings weigh, and how it looks.
type Active<T> = (&'static Rule, Severity, T);

/// Whether what has one cause is one finding.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Joined,
    Single,
}

/// What was found in one skill.
struct Looked {
    findings: Vec<Finding>,
    /// Comments that ask to ignore some of it.
    comments: Vec<Comment>,
    secrets: Secrets,
    hidden: Vec<Hidden>,
}

impl Linter {
    /// Chooses the rules once; the same linter looks at any number of skills.
    pub fn new(options: LintOptions) -> Self {
        let (mut load, mut skill, mut set, mut comment) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for rule in rules() {
            let Some(severity) = options.severity_of_evidence(rule) else { continue };
            match &rule.check {
                Check::Load(check) => load.push((rule, severity, *check)),
                Check::Skill(check) => skill.push((rule, severity, *check)),
                Check::Set(check) => set.push((rule, severity, *check)),
                Check::Comment(check) => comment.push((rule, severity, *check)),
                Check::Pattern(_) | Check::Secret(_) => {}
            }
        }
        Self { patterns: Finder::new(&options), options, load, skill, set, comment }
    }

    /// Checks everything: each skill, all skills compared with each other, and files outside of skills. By file, then
    /// place. Skills that npm installed are left out: their authors are others.
    pub fn all(&self, set: &SkillSet, skills: &[Skill], files: &(dyn Files + Sync)) -> Vec<Finding> {
        if skills.iter().any(Skill::is_installed) {
            let own: Vec<Skill> = skills.iter().filter(|skill| !skill.is_installed()).cloned().collect();
            return self.all(set, &own, files);
        }
        let mut all =
            Looked { findings: Vec::new(), comments: Vec::new(), secrets: Secrets::default(), hidden: Vec::new() };
        let opened = opened(set.roots.iter().map(|root| &*root.path));
        let looked =
            in_parallel(skills.len(), |place| self.look(&Subject::new(&skills[place], &self.options, files), &opened));
        all.secrets = Secrets::all(looked.iter().map(|looked| &looked.secrets));
        for Looked { findings, comments, .. } in looked {
            all.findings.extend(findings);
            all.comments.extend(comments);
        }
        self.together(&SubjectSet::new(set, skills, &self.options, files), &mut all.findings);
        let (mut findings, unlisted, _) = self.settled(all, files, |rule| self.looks(rule), Shape::Joined);
        if self.options.has_verdict() {
            let numbers = numbers(skills.iter().map(|skill| &*skill.path));
            let (of_skills, outside) = by_skill(&numbers, findings);
            let (mut unlisted, _) = by_skill(&numbers, unlisted);
            findings = outside;
            for (number, found) in of_skills {
                let unlisted = unlisted.remove(&number).unwrap_or_default();
                findings.extend(self.judged(found, unlisted, 0).findings);
            }
            findings.sort_by(in_order);
        }
        findings
    }

    /// The same for surveyed folders with any number of skills: no text is held longer than needed, and only what
    /// `told` makes of the findings is kept. `told` gets one skill's findings at a time, with the files as they were
    /// read; only fixes that [`Linter::settle`] makes come with them.
    pub fn sweep<T: Send>(
        &self,
        set: &SkillSet,
        files: &(dyn Files + Sync),
        told: impl Fn(Vec<Finding>, &dyn Files) -> Vec<T> + Sync,
    ) -> Sweep<T> {
        self.sweep_again(set, &swept(set), &Nothing(files), told)
    }

    /// The same, using the results of an earlier sweep: only changed skills are checked. `places`: the result of
    /// [`swept`].
    pub fn sweep_again<T: Send>(
        &self,
        set: &SkillSet,
        places: &[SkillPlace<'_>],
        kept: &dyn Kept<T>,
        told: impl Fn(Vec<Finding>, &dyn Files) -> Vec<T> + Sync,
    ) -> Sweep<T> {
        let known = in_parallel(places.len(), |number| kept.skill(number));
        let outside = if known.iter().all(Option::is_some) { kept.outside() } else { None };
        let together = if outside.is_none() { Some(self.beside(set, places, kept.files(None))) } else { None };
        let known: Vec<Mutex<Option<Found<T>>>> = known.into_iter().map(Mutex::new).collect();
        let opened = opened(set.roots.iter().map(|root| &*root.path));
        let mut looked: Vec<(Found<T>, Secrets)> = in_parallel(places.len(), |number| {
            let beside = together.as_ref().and_then(|(beside, _)| beside.get(&number)).map_or(&[][..], Vec::as_slice);
            // If nothing has changed at all, the findings in all skills together have not changed either.
            let holds = |found: &Found<T>| together.is_none() || found.beside == kept::sum(beside);
            let known = known[number].lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(found) = known.filter(holds) {
                let secrets = self.secrets(&places[number], &found.secrets, kept.files(Some(number)));
                return (found, secrets);
            }
            let (found, secrets) = self.swept(&places[number], beside, &opened, kept.files(Some(number)), &told);
            kept.keep(number, &found);
            (found, secrets)
        });
        let left_out = looked.iter().map(|(found, _)| found.left_out).sum();
        let security = self.options.has_verdict().then(|| {
            let verdicts = looked
                .iter_mut()
                .zip(places)
                .map(|((found, _), place)| (place.path().to_owned(), std::mem::take(&mut found.security)));
            let mut verdicts: Vec<_> = verdicts.filter(|(_, found)| found.verdict > Verdict::Clear).collect();
            verdicts.sort_by(|a, b| a.0.cmp(&b.0));
            verdicts
        });
        let secrets = Secrets::all(looked.iter().map(|(_, secrets)| secrets));
        let mut groups: Outside<T> = outside.unwrap_or_default();
        if let Some((_, outside)) = together {
            let files = kept.files(None);
            let outside =
                Looked { findings: outside, comments: Vec::new(), secrets: secrets.clone(), hidden: Vec::new() };
            let (outside, ..) = self.settled(outside, files, |rule| self.looks(rule), Shape::Joined);
            let by_file = outside.chunk_by(|a, b| a.path == b.path);
            groups = by_file.map(|found| (found[0].path.clone(), told(found.to_vec(), files))).collect();
            kept.keep_outside(&groups);
        }
        let of_skills =
            looked.into_iter().zip(places).map(|((found, _), place)| (place.path().to_owned(), found.findings));
        groups.extend(of_skills);
        // Sorted by path, no file outside of a skill comes between two of its files.
        groups.sort_by(|a, b| a.0.cmp(&b.0));
        let count = groups.iter().map(|(_, told)| told.len()).sum();
        let mut findings = Vec::with_capacity(count);
        groups.into_iter().for_each(|(_, told)| findings.extend(told));
        Sweep { skills: places.len(), findings, left_out, security, secrets }
    }

    /// One skill, with its findings from checking all together.
    fn swept<T>(
        &self,
        place: &SkillPlace<'_>,
        beside: &[Finding],
        opened: &[PathBuf],
        files: &dyn Files,
        told: impl Fn(Vec<Finding>, &dyn Files) -> Vec<T>,
    ) -> (Found<T>, Secrets) {
        let skill = place.read();
        let subject = Subject::new(&skill, &self.options, files);
        let mut looked = self.look(&subject, opened);
        keep_possible(&skill, files, &mut looked.findings);
        looked.findings.extend(beside.iter().cloned());
        let secrets = looked.secrets.clone();
        let hidden = std::mem::take(&mut looked.hidden);
        let (findings, unlisted, left_out) = self.settled(looked, &*subject, |rule| self.looks(rule), Shape::Joined);
        let Judged { findings, security, left_out } = self.judged(findings, unlisted, left_out);
        let findings = told(findings, &*subject);
        let Security { verdict, evidence } = security.unwrap_or_default();
        let (evidence, listed): (Vec<_>, Vec<_>) =
            evidence.into_iter().map(|Evidence { finding, listed }| (finding, listed)).unzip();
        let evidence = if evidence.is_empty() { Vec::new() } else { told(evidence, &*subject) };
        let evidence = evidence.into_iter().zip(listed).map(|(finding, listed)| Evidence { finding, listed }).collect();
        let security = Security { verdict, evidence };
        (Found { findings, left_out, security, secrets: hidden, beside: kept::sum(beside) }, secrets)
    }

    /// The secrets of a skill that has not changed since they were found.
    fn secrets(&self, place: &SkillPlace<'_>, hidden: &[Hidden], files: &dyn Files) -> Secrets {
        if hidden.is_empty() {
            return Secrets::default();
        }
        let texts = hidden.iter().map(|Hidden { path, spans }| {
            let source = match path == place.manifest() {
                true => place.read().manifest.source,
                false => files.text(path)?,
            };
            let texts = spans.iter().map(|(start, end)| source.text.get(*start..*end).map(finder::written));
            Some(texts.collect::<Option<Vec<_>>>()?.into_iter().flatten())
        });
        let texts: Option<Vec<_>> = texts.collect();
        match texts {
            Some(texts) => Secrets::of(texts.into_iter().flatten()),
            None => {
                let skill = place.read();
                let subject = Subject::new(&skill, &self.options, files);
                Secrets::of(self.patterns.look(&subject, &mut Vec::new()).texts)
            }
        }
    }

    /// Findings in all skills together, by the number of their skill, and findings outside of all skills. Only the
    /// frontmatter of each skill is held.
    fn beside(
        &self,
        set: &SkillSet,
        places: &[SkillPlace<'_>],
        files: &(dyn Files + Sync),
    ) -> (HashMap<usize, Vec<Finding>>, Vec<Finding>) {
        let mentioned = Mutex::new(Mentions::new());
        let skills = in_parallel(places.len(), |number| {
            let mut skill = places[number].read();
            let found = mentions(&skill.manifest.source.text, skill.manifest.body.start);
            if !found.is_empty() {
                mentioned.lock().unwrap_or_else(PoisonError::into_inner).insert(number, found);
            }
            keep_frontmatter(&mut skill);
            skill
        });
        let names: Vec<Problem> = skill::taken_names(&skills).into_iter().map(|(_, problem)| problem).collect();
        let mut findings = Vec::new();
        self.problems(names.iter(), &mut findings);
        let subjects = SubjectSet::new(set, &skills, &self.options, files)
            .with_mentions(mentioned.into_inner().unwrap_or_else(PoisonError::into_inner));
        self.together(&subjects, &mut findings);
        let numbers = numbers(skills.iter().map(|skill| &*skill.path));
        let (beside, outside) = by_skill(&numbers, findings);
        (beside, outside)
    }

    /// Checks one skill by itself, without rules that need its neighbours. Sorted by file, then place. For editors,
    /// which mark each place, so findings with one cause are not joined.
    pub fn one(&self, skill: &Skill, files: &dyn Files) -> Vec<Finding> {
        self.one_with_secrets(skill, files).0
    }

    /// The same with the verdict on its security.
    pub fn judge(&self, skill: &Skill, files: &dyn Files) -> Judged {
        self.judge_with_secrets(skill, files).0
    }

    pub(super) fn one_with_secrets(&self, skill: &Skill, files: &dyn Files) -> (Vec<Finding>, Secrets) {
        let (judged, secrets) = self.judge_with_secrets(skill, files);
        (judged.findings, secrets)
    }

    fn judge_with_secrets(&self, skill: &Skill, files: &dyn Files) -> (Judged, Secrets) {
        let subject = Subject::new(skill, &self.options, files);
        let looked = self.look(&subject, &opened([&*skill.root]));
        let secrets = looked.secrets.clone();
        let looks = |rule: &'static Rule| self.looks(rule) && !matches!(rule.check, Check::Set(_));
        let (findings, unlisted, left_out) = self.settled(looked, &*subject, looks, Shape::Single);
        (self.judged(findings, unlisted, left_out), secrets)
    }

    /// The verdict on one skill, and the findings without those that only the verdict is made of.
    fn judged(&self, findings: Vec<Finding>, unlisted: Vec<Finding>, left_out: usize) -> Judged {
        if !self.options.has_verdict() {
            return Judged { findings, security: None, left_out };
        }
        let of_security = |finding: &&Finding| finding.rule.group == Group::Security;
        let on = findings.iter().filter(of_security).map(|finding| (finding, true));
        let (verdict, is_of_weak) = verdict::verdict(on.chain(unlisted.iter().map(|finding| (finding, false))));
        if verdict == Verdict::Clear {
            return Judged { findings, security: Some(Security::default()), left_out };
        }
        let (mut listed, mut evidence): (Vec<Finding>, Vec<Evidence<Finding>>) = (Vec::new(), Vec::new());
        for mut finding in findings {
            let is_weak = !is_of_weak && verdict::is_weak(&finding) && !self.options.lists_weak(finding.rule);
            let is_left = is_weak && finding.severity == Severity::Info;
            if is_weak {
                // A finding above a hint stays at least a hint: no text around an attack removes it from the list.
                finding.severity = Severity::Info;
            }
            if finding.rule.group == Group::Security {
                evidence.push(Evidence { finding: finding.clone(), listed: !is_left });
            }
            if !is_left {
                listed.push(finding);
            }
        }
        evidence.extend(unlisted.into_iter().map(|finding| Evidence { finding, listed: false }));
        let on = |evidence: &Evidence<Finding>| self.looks(evidence.finding.rule);
        evidence.sort_by(|a, b| in_order(&a.finding, &b.finding));
        evidence.sort_by_key(|evidence| verdict::rank(&evidence.finding, on(evidence)));
        // Shown evidence has no fixes.
        evidence.iter_mut().for_each(|evidence| evidence.finding.fix = None);
        Judged { findings: listed, security: Some(Security { verdict, evidence }), left_out }
    }

    /// The findings that remain after comments and overlaps, by file, then place; the evidence of rules that the
    /// profile does not list; and how many findings of security comments ignored. Secrets are removed here from all
    /// findings.
    fn settled(
        &self,
        found: Looked,
        files: &dyn Files,
        looked: impl Fn(&'static Rule) -> bool,
        shape: Shape,
    ) -> (Vec<Finding>, Vec<Finding>, usize) {
        let Looked { mut findings, comments, secrets, hidden: _ } = found;
        // This comes first, so that ignored findings hide no others.
        let left_out = suppress::apply(&comments, looked, &self.comment, &self.options, &mut findings);
        let (mut findings, mut unlisted): (Vec<_>, Vec<_>) =
            findings.into_iter().partition(|finding| self.looks(finding.rule));
        overlap::settle(&mut findings);
        if !unlisted.is_empty() {
            // Listed findings say it already.
            unlisted.extend(findings.iter().filter(|finding| finding.rule.group == Group::Security).cloned());
            overlap::settle(&mut unlisted);
            unlisted.retain(|finding| !self.looks(finding.rule));
        }
        for found in [&mut findings, &mut unlisted] {
            found.sort_by(in_order);
            if shape == Shape::Joined {
                same::join(found, files);
            }
            crowd::thin(found);
            if !secrets.is_empty() {
                found.iter_mut().for_each(|finding| finding.keep_back(&secrets, files));
            }
        }
        (findings, unlisted, left_out)
    }

    /// Findings in all skills together, and outside of them.
    fn together(&self, subjects: &SubjectSet<'_>, findings: &mut Vec<Finding>) {
        let folders: HashSet<&Utf8Path> = subjects.skills.iter().map(|skill| &*skill.path).collect();
        let outside = |problem: &&Problem| !problem.path.ancestors().any(|folder| folders.contains(folder));
        self.problems(subjects.set.problems.iter().filter(outside), findings);
        let of_sets = in_parallel(self.set.len(), |place| {
            let (rule, severity, check) = self.set[place];
            let mut found = Vec::new();
            check(subjects, &mut Report::new(rule, severity, &mut found));
            found
        });
        let mut found: Vec<Finding> = of_sets.into_iter().flatten().collect();
        unquote(&mut found, &opened(subjects.set.roots.iter().map(|root| &*root.path)));
        for finding in &mut found {
            let secrets = self.patterns.secrets(&finding.path, &finding.message.en);
            let secrets = Secrets::of(secrets.iter().map(|span| span.of(&finding.message.en).to_owned()));
            finding.keep_back(&secrets, subjects.files());
        }
        findings.extend(found);
    }

    /// The findings in one skill, and those that its comments ignore. `opened`: the real paths of the folders that are
    /// open.
    fn look(&self, subject: &Subject<'_>, opened: &[PathBuf]) -> Looked {
        let mut findings = Vec::new();
        self.problems(subject.skill.problems.iter(), &mut findings);
        for (rule, severity, check) in &self.skill {
            check(subject, &mut Report::new(rule, *severity, &mut findings));
        }
        let hiding = self.patterns.look(subject, &mut findings);
        // Its files are those of the skills in it, or of the repository.
        if subject.is_collection() {
            findings.retain(|finding| finding.path == *subject.path() || finding.rule.group == Group::Security);
        }
        weigh(subject, &mut findings);
        if is_test_data(subject.skill)
            || is_archived(subject.skill)
            || is_template(subject.skill)
            || is_page(subject.skill)
            || is_part(subject)
        {
            findings.retain(|finding| finding.rule.group == Group::Security);
        }
        keep_loading(subject, &mut findings);
        unquote(&mut findings, opened);
        let comments = comments::comments(subject);
        Looked { findings, comments, secrets: Secrets::of(hiding.texts), hidden: hiding.places }
    }

    /// Those that it was made with.
    pub fn options(&self) -> &LintOptions {
        &self.options
    }

    /// How many rules look.
    pub fn rules(&self) -> usize {
        rules().filter(|rule| self.looks(rule)).count()
    }

    fn looks(&self, rule: &Rule) -> bool {
        self.options.severity(rule).is_some()
    }

    fn problems<'a>(&self, problems: impl Iterator<Item = &'a Problem>, findings: &mut Vec<Finding>) {
        for problem in problems {
            for (rule, severity, matches) in &self.load {
                if matches(problem) {
                    let mut report = Report::new(rule, *severity, findings);
                    let message = problem.kind.message();
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

/// The skills of a set that are swept: those that npm installed are left out.
pub fn swept(set: &SkillSet) -> Vec<SkillPlace<'_>> {
    skill::places(set).into_iter().filter(|place| !place.is_installed()).collect()
}

/// By file, then place.
fn in_order(a: &Finding, b: &Finding) -> Ordering {
    let place = |finding: &Finding| finding.span.map(|span| (span.start, span.end));
    (&a.path, place(a), a.rule.id).cmp(&(&b.path, place(b), b.rule.id))
}

/// Skills by their folders.
fn numbers<'a>(folders: impl Iterator<Item = &'a Utf8Path>) -> HashMap<&'a Utf8Path, usize> {
    folders.enumerate().map(|(number, folder)| (folder, number)).collect()
}

/// Findings by the skill that they are in, and those that are in none.
fn by_skill(
    numbers: &HashMap<&Utf8Path, usize>,
    findings: Vec<Finding>,
) -> (HashMap<usize, Vec<Finding>>, Vec<Finding>) {
    let mut inside: HashMap<usize, Vec<Finding>> = HashMap::new();
    let mut outside = Vec::new();
    for finding in findings {
        match finding.path.ancestors().find_map(|folder| numbers.get(folder)) {
            Some(number) => inside.entry(*number).or_default().push(finding),
            None => outside.push(finding),
        }
    }
    (inside, outside)
}

/// The place of findings may lower their weight: harmful code in a test does harm only if somebody runs the test.
fn weigh(subject: &Subject<'_>, findings: &mut [Finding]) {
    let is_named = |path: &Utf8Path| path.file_name().is_some_and(|name| subject.text().contains(name));
    let own = ["scripts", "references", "assets"].map(|folder| subject.skill.path.join(folder));
    let is_own = |path: &Utf8Path| path == subject.path() || own.iter().any(|folder| path.starts_with(folder));
    let (mut collection, mut clone) = (None, None);
    let mut pages = None;
    for finding in findings {
        let reason = if let Some(ProblemKind::NameNotFolder { folder, .. }) = &finding.problem {
            let mut is_clone = || *clone.get_or_insert_with(|| subject.disk().exists(&subject.skill.path.join(".git")));
            if folder.trim_matches('_').eq_ignore_ascii_case("template") {
                Some(Wording::new("the folder holds a template", "这个文件夹是模板"))
            } else {
                is_clone().then_some(Wording::new(
                    "the folder is a clone, which everybody may call as they like",
                    "这个文件夹是克隆的仓库，名称由克隆者决定",
                ))
            }
        } else if finding.rule.group != Group::Security || is_named(&finding.path) {
            None
        } else if is_data_of_tests(&subject.skill.path, &finding.path) {
            Some(Wording::new("it is what tests read", "它是测试读取的数据"))
        } else if is_installed(&subject.skill.path, &finding.path) {
            Some(Wording::new("it is a package that was installed there", "它是安装在那里的软件包"))
        } else if !is_own(&finding.path) && *collection.get_or_insert_with(|| subject.is_collection()) {
            Some(Wording::new("it is a file of the repository, not of the skill", "这是仓库的文件，不属于技能"))
        } else {
            context::is_test(&subject.skill.path, &finding.path)
                .then_some(Wording::new("it is in a test, which no instruction names", "位于测试中，指令没有提到它"))
        };
        let is_page = finding.severity > Severity::Info && finding.span.is_some() && finding.path != *subject.path();
        let reason = reason.or_else(|| {
            let pages = is_page.then(|| pages.get_or_insert_with(|| Pages::of(subject)))?;
            pages.weight_of(finding)
        });
        if let Some(reason) = reason {
            finding.weigh_less_there(reason);
            // Nothing is wrong with the skill: people who copy it will rename the folder.
            if finding.problem.is_some() && finding.rule.group != Group::Security {
                finding.severity = Severity::Info;
                finding.fix = None;
            }
        }
    }
}

/// The pages of a skill that its author did not write for the agent, or to which no instruction leads.
struct Pages<'a> {
    aside: HashSet<&'a Utf8Path>,
    copied: HashSet<&'a Utf8Path>,
}

impl<'a> Pages<'a> {
    fn of(subject: &Subject<'a>) -> Self {
        // Another skill in the folder is loaded by itself.
        let is_skill =
            |file: &SkillFile| file.path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md"));
        let is_page = |file: &SkillFile| !is_skill(file) && is_prose(&file.path);
        let is_copy = |file: &'a SkillFile| subject.read(file).is_some_and(|text| is_copied(text.text()));
        let mut pages = Self { aside: HashSet::new(), copied: HashSet::new() };
        for (file, reached) in subject.skill.files.iter().zip(subject.reached()).filter(|(file, _)| is_page(file)) {
            if !reached {
                pages.aside.insert(&file.path);
            } else if is_copy(file) {
                pages.copied.insert(&file.path);
            }
        }
        pages
    }

    /// Why a finding in a page weighs less. What does harm does it in a page that was copied, too.
    fn weight_of(&self, finding: &Finding) -> Option<Wording> {
        let path = &*finding.path;
        let is_copy = finding.rule.group != Group::Security && self.copied.contains(path);
        self.aside.contains(path).then_some(ASIDE).or_else(|| is_copy.then_some(COPIED))
    }
}

const ASIDE: Wording = Wording::new("no instruction leads to this page", "没有指令引向这个页面");
const COPIED: Wording = Wording::new("the page was copied from a web site", "这个页面是从网站复制的");

/// Whether a file is read, not run.
fn is_prose(path: &Utf8Path) -> bool {
    matches!(path.extension(), Some("md" | "mdx" | "markdown" | "txt"))
}

/// Whether a file, no script, is what tests of the skill's programs read.
fn is_data_of_tests(skill: &Utf8Path, path: &Utf8Path) -> bool {
    let below = path.strip_prefix(skill).unwrap_or(path);
    let mut parts = below.components().map(|part| part.as_str());
    !context::is_script(path) && parts.any(|part| matches!(part, "fixtures" | "__fixtures__" | "testdata"))
}

/// Whether a file belongs to a package that was installed inside of the skill.
fn is_installed(skill: &Utf8Path, path: &Utf8Path) -> bool {
    let below = path.strip_prefix(skill).unwrap_or(path);
    let mut parts = below.components().map(|part| part.as_str());
    parts.any(|part| matches!(part, "site-packages" | "dist-packages" | "node_modules"))
}

/// Whether it is a page that only happens to be called `skill.md`: it has nothing that a skill has.
fn is_page(skill: &Skill) -> bool {
    let has = |key: &str| skill.manifest.field(key).is_some();
    let is_exact = skill.manifest.source.path.file_name() == Some(skill::manifest::FILE_NAME);
    !is_exact && !has("name") && !has("description")
}

/// Whether it is a part of a skill of the same name: it has no frontmatter, and the skill in a folder `skills` further
/// up does.
fn is_part(subject: &Subject<'_>) -> bool {
    let skill = subject.skill;
    let name = skill.path.file_name().unwrap_or_default();
    if skill.manifest.frontmatter.is_some() || subject.text().starts_with("---") {
        return false;
    }
    let above = skill.path.ancestors().skip(2).take_while(|folder| folder.starts_with(&skill.root));
    above.into_iter().any(|folder| {
        let other = folder.join("skills").join(name).join(skill::manifest::FILE_NAME);
        other != *subject.path() && subject.disk().text(&other).is_some_and(|text| text.text.starts_with("---"))
    })
}

/// Whether a skill is a template for others, with placeholders to fill in.
fn is_template(skill: &Skill) -> bool {
    let below = skill.path.strip_prefix(&skill.root).unwrap_or(&skill.path);
    let is_template =
        |part: &str| matches!(part.trim_matches('_'), "template" | "templates" | "skeleton" | "skill-skeleton");
    let text_of = |key: &str| skill.manifest.field(key).and_then(|field| field.value.as_str()).unwrap_or_default();
    let (name, description) = (text_of("name").to_lowercase(), text_of("description").to_lowercase());
    let is_open = |text: &str| {
        ["[todo", "{{", "<your", "[your", "<skill", "[skill", "{skill", "replace-"]
            .iter()
            .any(|mark| text.contains(mark))
    };
    below.components().any(|part| is_template(part.as_str()))
        && (is_open(&name)
            || is_open(&description)
            || description.contains("what this skill does")
            || ["skill name", "skill-name", "my-skill", "your-skill-name", "template-skill", "skill-template"]
                .contains(&&*name))
}

/// Whether a skill is what tests of something else read: below `fixtures` in the opened folder.
fn is_test_data(skill: &Skill) -> bool {
    let below = skill.path.strip_prefix(&skill.root).unwrap_or(&skill.path);
    below.components().any(|part| {
        matches!(
            part.as_str(),
            "fixtures" | "__fixtures__" | "test-fixtures" | "testdata" | "tests" | "test" | "__tests__"
        )
    })
}

/// Whether a skill was archived: no client loads it from there.
fn is_archived(skill: &Skill) -> bool {
    let below = skill.path.strip_prefix(&skill.root).unwrap_or(&skill.path);
    below.parent().is_some_and(is_put_away) || is_earlier_version(below)
}

/// Whether it is an earlier version of a skill, in the workspace where its versions are compared:
/// `demo-workspace/old-skill-snapshot`.
fn is_earlier_version(folder: &Utf8Path) -> bool {
    let is_called =
        |folder: Option<&Utf8Path>, is_so: fn(&str) -> bool| folder.and_then(Utf8Path::file_name).is_some_and(is_so);
    is_called(Some(folder), |name| name.contains("skill-snapshot"))
        && is_called(folder.parent(), |name| name.ends_with("-workspace"))
}

/// The real paths of folders.
fn opened<'a>(folders: impl IntoIterator<Item = &'a Utf8Path>) -> Vec<PathBuf> {
    folders.into_iter().filter_map(|folder| folder.canonicalize().ok()).collect()
}

/// Takes from findings in files that really are outside of all opened folders what they quote.
fn unquote(findings: &mut [Finding], opened: &[PathBuf]) {
    let mut known: HashMap<Utf8PathBuf, bool> = HashMap::new();
    for finding in findings.iter_mut().filter(|finding| !is_about_place(finding)) {
        let is_outside = *known.entry(finding.path.clone()).or_insert_with(|| {
            let real = finding.path.canonicalize();
            real.is_ok_and(|real| !opened.iter().any(|folder| real.starts_with(folder)))
        });
        if is_outside {
            finding.unquote();
        }
    }
}

/// Whether a finding is about a link, a file or a folder, and not about its contents.
fn is_about_place(finding: &Finding) -> bool {
    let is_of_walk = |kind: &ProblemKind| {
        matches!(
            kind,
            ProblemKind::LinkBroken { .. }
                | ProblemKind::LinkLoop
                | ProblemKind::LinkOutside { .. }
                | ProblemKind::NotEntered { .. }
                | ProblemKind::TooDeep { .. }
                | ProblemKind::TooMany { .. }
                | ProblemKind::TooLarge { .. }
                | ProblemKind::FolderUnreadable { .. }
                | ProblemKind::FileUnreadable { .. }
                | ProblemKind::Vanished
        )
    };
    finding.quotes_nothing || finding.problem.as_ref().is_some_and(is_of_walk)
}

/// Drops the instructions, as if only the frontmatter had been read.
fn keep_frontmatter(skill: &mut Skill) {
    let manifest = &mut skill.manifest;
    let whole = &manifest.source;
    let end = manifest.body.start;
    let (text, size) = (whole.text[..end].to_owned(), whole.text.len());
    let size = whole.truncated_from.or(u64::try_from(size).ok());
    manifest.source = Arc::new(SourceText { text, path: whole.path.clone(), truncated_from: size, ..**whole });
    manifest.body = Span::new(end, end);
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::Disk;
    use super::*;

    fn shown(findings: &[Finding]) -> Vec<String> {
        findings.iter().map(|finding| format!("{finding:?}")).collect()
    }

    #[test]
    fn a_sweep_finds_what_all_find_who_hold_every_text() {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
        let files = [
            ("a/SKILL.md", "---\nname: a\ndescription: Use it.\n---\nUse the `c-d` skill. [x](y.md)\n"),
            ("b/SKILL.md", "---\nname: a\ndescription: Use it.\n---\nTODO: say more.\n"),
            ("b/inner/SKILL.md", "no frontmatter"),
            ("c/.claude/skills/e/SKILL.md", "---\nname: e\n---\n<!-- lint-ignore todo-left: known -->\nTODO\n"),
            ("c/.codex/skills/e/SKILL.md", "---\nname: e\n---\nOther.\n"),
            ("d/skill.md", "\u{feff}---\nname: [\n"),
            ("f/README.md", "No skill.\n"),
        ];
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        #[cfg(unix)]
        for place in ["a/link.md", "f/link.md"] {
            std::os::unix::fs::symlink("nowhere", root.join(place)).unwrap();
        }
        let linter = Linter::new(LintOptions { profile: config::Profile::All, ..LintOptions::default() });
        let installed = root.join("node_modules/other/skill");
        fs::create_dir_all(&installed).unwrap();
        fs::write(installed.join("SKILL.md"), "no frontmatter").unwrap();
        let roots = [root];
        let set = skill::load(&roots);
        let skills = skill::skills(&set);
        let sweep = linter.sweep(&skill::survey(&roots), &Disk, |found, _| found);
        assert_eq!(shown(&sweep.findings), shown(&linter.all(&set, &skills, &Disk)));
        assert_eq!(sweep.skills, skills.len() - 1, "one is npm's");
        assert!(!shown(&sweep.findings).iter().any(|finding| finding.contains("node_modules")));
        let opened = [installed];
        assert!(
            !linter.sweep(&skill::survey(&opened), &Disk, |found, _| found).findings.is_empty(),
            "it was asked for"
        );
        assert!(sweep.findings.len() > 18, "{:?}", shown(&sweep.findings));
    }
}
