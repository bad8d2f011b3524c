//! The findings of rules in the skills of the open folders, and the results of fixes.

use std::collections::BTreeMap;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use tokio::sync::OnceCell;

use super::drafts::Draft;
use super::dto::{
    CheckArgs, FindingDto, Fixed, FixedText, LintArgs, LintResult, NoArgs, ProjectSettings, SecurityDto, SkillCounts,
    SwitchedOff, TextCheck,
};
use super::error::{ApiError, Code, Tried};
use super::judge::Judges;
use super::trust::{Open, Trusted, with_inline_skills};
use super::{Freshness, Loaded, Workbench, absolute, blocking, convert, copies, kept, skills};
use lint::probe::Probe;
use lint::verdict::{Evidence, Security, Verdict};
use lint::{Applicability, Disk, Files, Finding, Judged, Secrets, Sweep};
use skill::source::SourceText;
use skill::{Folder, Root, Severity, SkillSet};
use wording::{Message, message};

/// Whether earlier findings may be used, and new ones are kept for the next check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Earlier {
    Used,
    Ignored,
}

/// A file that fixes change, whole, as it is on disk and as it would be.
#[derive(Debug, Clone, PartialEq)]
pub struct FixedFile {
    pub path: Utf8PathBuf,
    pub before: Arc<SourceText>,
    pub after: Arc<SourceText>,
    /// Of its skill.
    pub secrets: Secrets,
}

impl Workbench {
    /// Everything that rules find in the open folders, with all fixes that [`Workbench::lint_fixes`] makes, and with what
    /// [`Workbench::probe`] found of scripts. Looks at all that has changed since the last time, and keeps no texts, so that
    /// it serves folders of any size.
    pub async fn lint_on_disk(
        &self,
        args: LintArgs,
        probes: BTreeMap<Utf8PathBuf, Probe>,
        earlier: Earlier,
    ) -> Result<LintResult, ApiError> {
        let clock = kept::Clock::now();
        let judges = self.judges_on_disk(args.settings).await?.with(&args, &probes)?;
        let folder = self.inner.places.found().filter(|_| earlier == Earlier::Used);
        Ok(blocking(move || {
            let folder = folder.as_deref();
            let told = |found: Vec<Finding>, files: &dyn Files| convert::findings_on_disk(&found, files);
            let swept = judges.iter().map(|judge| kept::sweep(folder, clock, &judge.set, judge.linter(), told));
            let whole = swept.reduce(|mut all, more| {
                all.skills += more.skills;
                all.findings.extend(more.findings);
                all.left_out += more.left_out;
                all.security = match (all.security, more.security) {
                    (Some(all), Some(more)) => Some([all, more].concat()),
                    (all, more) => all.or(more),
                };
                all.secrets = Secrets::all([&all.secrets, &more.secrets]);
                all
            });
            let Sweep { skills, mut findings, left_out, security, secrets } = whole.unwrap_or(Sweep {
                skills: 0,
                findings: Vec::new(),
                left_out: 0,
                security: None,
                secrets: Secrets::default(),
            });
            let security = security.map(|verdicts| {
                let told = verdicts.into_iter().map(|(skill, Security { verdict, evidence })| {
                    let evidence = evidence.into_iter().map(|Evidence { finding, listed }| (finding, listed));
                    convert::of_security(&skill, verdict, evidence)
                });
                let mut told: Vec<_> = told.collect();
                told.sort_by(|a, b| Utf8Path::new(&a.skill).cmp(Utf8Path::new(&b.skill)));
                told
            });
            let off = judges.iter().filter_map(|judge| Some((judge.switched_off()?, judge)));
            let counted = |found: Vec<Finding>, _: &dyn Files| vec![(); found.len()];
            let off = off
                .map(|(linter, judge)| kept::sweep(folder, clock, &judge.set, &linter, counted).findings.len())
                .sum();
            let by_file = |a: &FindingDto, b: &FindingDto| Utf8Path::new(&a.path).cmp(Utf8Path::new(&b.path));
            // Each file belongs to one judge, whose findings are in order; with a single judge, all are.
            if !findings.is_sorted_by(|a, b| by_file(a, b).is_le()) {
                findings.sort_by(by_file);
            }
            copies::join(&mut findings);
            result(skills, &judges, (findings, security, secrets), switched_off(off, left_out))
        })
        .await)
    }

    /// The findings in the skill that an unsaved text belongs to; nothing if it belongs to none.
    pub async fn lint_text(&self, text: CheckArgs, args: LintArgs) -> Result<LintResult, ApiError> {
        let loaded = self.loaded().await;
        let judges = self.judges(&loaded).await;
        judges.followed(args.settings)?;
        let judges = judges.with(&args, &BTreeMap::new())?;
        Ok(blocking(move || of_text(&loaded, &judges, &text)).await)
    }

    /// The same of a `SKILL.md` alone: of the folder in which it would be saved only the project's settings are read.
    pub async fn lint_alone(&self, text: CheckArgs, args: LintArgs) -> Result<LintResult, ApiError> {
        blocking(move || {
            let path = absolute(Utf8Path::new(&text.path));
            let folder = path.parent().unwrap_or(&path);
            let name = folder.file_name().unwrap_or_default().to_owned();
            let tree = Folder { name, path: folder.to_owned(), link: None, listed: true, entries: Vec::new() };
            let root = Root { path: folder.to_owned(), tree };
            let set = Arc::new(SkillSet { roots: vec![root], problems: Vec::new() });
            let judges = Judges::of(&set, &BTreeMap::new());
            judges.followed(args.settings)?;
            let judges = judges.with(&args, &BTreeMap::new())?;
            let loaded = Loaded { since: kept::Clock::now(), set, skills: Arc::default(), judges: OnceCell::new() };
            Ok(of_text(&loaded, &judges, &text))
        })
        .await
    }

    /// The projects' settings that cannot be applied.
    pub async fn lint_complaints(&self) -> Vec<Message> {
        let loaded = self.loaded().await;
        self.judges(&loaded).await.complaints()
    }

    /// How many findings each skill has, in the order of [`Workbench::skill_list`].
    pub async fn lint_counts(&self, _: NoArgs) -> Result<Vec<SkillCounts>, ApiError> {
        let loaded = self.loaded().await;
        let judges = self.judges(&loaded).await;
        Ok(blocking(move || {
            let counted = loaded.skills.iter().map(|skill| {
                let judge = judges.of_path(&skill.path);
                let count = |severity| {
                    let mine = judge.found_in(skill).filter(|finding| finding.severity == severity);
                    u32::try_from(mine.count()).unwrap_or(u32::MAX)
                };
                SkillCounts {
                    skill: skill.path.to_string(),
                    errors: count(Severity::Error),
                    warnings: count(Severity::Warning),
                    infos: count(Severity::Info),
                    verdict: judge.security_of(skill).map(|security| security.verdict),
                }
            });
            counted.collect()
        })
        .await)
    }

    /// Whether the answer about one skill waits until all skills are checked, however long that takes. In a window, the
    /// skill that the user opens comes first.
    pub(super) fn waits_for_all(&self) -> bool {
        self.inner.freshness == Freshness::ReadOnce
    }

    /// Checks a text that is being edited, without touching the disk. In a window, at once: see [`TextCheck::alone`].
    pub async fn text_check(&self, args: CheckArgs) -> Result<TextCheck, ApiError> {
        let loaded = self.loaded().await;
        let judges = self.judges(&loaded).await;
        let (tokenizer, waits) = (self.tokenizer(), self.waits_for_all());
        Ok(blocking(move || {
            let path = absolute(Utf8Path::new(&args.path));
            let draft = Draft::new(&loaded, &path, &args);
            let judge = judges.of_path(&path);
            let (found, alone) = if waits { (draft.look(judge), false) } else { draft.look_now(judge) };
            let (findings, security) = converted(&draft, &found);
            skills::check(&path, args.text, (findings, security, alone), tokenizer)
        })
        .await)
    }

    /// The texts of the skill with all fixes that keep the meaning.
    pub async fn text_fix(&self, args: CheckArgs) -> Result<Fixed, ApiError> {
        let loaded = self.loaded().await;
        let judges = self.judges(&loaded).await;
        Ok(blocking(move || {
            let path = absolute(Utf8Path::new(&args.path));
            let draft = Draft::new(&loaded, &path, &args);
            let Some(skill) = &draft.skill else { return Fixed { texts: Vec::new(), fixes: 0 } };
            let linter = judges.of_path(&path).linter();
            let settled = linter.settle(skill, &draft.files(), Applicability::Safe);
            let fixed = settled
                .texts
                .iter()
                .map(|(path, source)| FixedText { path: path.to_string(), text: source.text.replace("\r\n", "\n") });
            Fixed { texts: fixed.collect(), fixes: u32::try_from(settled.fixes).unwrap_or(u32::MAX) }
        })
        .await)
    }

    /// The secrets of the skill to which a text belongs, for who shows parts of what [`Workbench::text_fix`] gives.
    pub async fn text_secrets(&self, args: CheckArgs) -> Secrets {
        let loaded = self.loaded().await;
        blocking(move || Draft::new(&loaded, &absolute(Utf8Path::new(&args.path)), &args).secrets()).await
    }

    /// The files that fixes would change; nothing is written. `most`: whether fixes that need review are included. Also
    /// returns how many findings are fixed. Reads as [`Workbench::lint_on_disk`] does.
    pub async fn lint_fixes(&self, args: LintArgs, most: Applicability) -> Result<(Vec<FixedFile>, usize), ApiError> {
        let judges = self.judges_on_disk(args.settings).await?.with(&args, &BTreeMap::new())?;
        Ok(blocking(move || {
            let mut fixes = 0;
            let mut changed = Vec::new();
            for settled in judges.iter().flat_map(|judge| judge.linter().fixed(&judge.set, &Disk, most)) {
                fixes += settled.fixes;
                for (path, after) in settled.texts {
                    if let Some(before) = Disk.text(&path) {
                        changed.push(FixedFile { path, before, after, secrets: settled.secrets.clone() });
                    }
                }
            }
            (changed, fixes)
        })
        .await)
    }

    /// Writes the files of [`Workbench::lint_fixes`] that have not changed since. If one cannot be written, the others
    /// still are.
    pub async fn lint_write(&self, fixed: Vec<FixedFile>) -> Result<(), ApiError> {
        let (roots, places) = (self.open_folders().await, self.inner.places.clone());
        let written = blocking(move || {
            let open = Open::now(&roots, &places);
            let failed: Vec<ApiError> = fixed.iter().filter_map(|file| file.write(&open).err()).collect();
            match <[ApiError; 1]>::try_from(failed) {
                Ok([error]) => Err(error),
                Err(failed) if failed.is_empty() => Ok(()),
                Err(failed) => {
                    let code = failed[0].code;
                    let told: Vec<Message> = failed.iter().map(ApiError::worded).collect();
                    Err(ApiError::new(code, Message::list(&told))
                        .hint(message!("the other files are fixed", "其余文件已修复")))
                }
            }
        })
        .await;
        self.forget_loaded();
        written
    }

    /// For folders of any size: no texts are read yet. Settings that are to be followed must be such that they can be.
    async fn judges_on_disk(&self, settings: ProjectSettings) -> Result<Judges, ApiError> {
        let roots = self.roots().await;
        let usage = self.usage_of(&[]).await;
        let places = self.inner.places.clone();
        blocking(move || {
            let set = with_inline_skills(skill::survey_trusting(&roots, &Trusted::read(&places).unmoved()));
            let judges = Judges::of(&Arc::new(set), &usage);
            judges.followed(settings)?;
            Ok(judges)
        })
        .await
    }
}

impl FixedFile {
    fn write(&self, open: &Open) -> Result<(), ApiError> {
        let Self { path, before, after, .. } = self;
        let place = open.through(path)?;
        let _turn = disk::turn(path).map_err(|error| ApiError::io(path, Tried::Change, error))?;
        if Disk.text(path).as_ref() != Some(before) {
            let changed = ApiError::new(Code::Changed, message!("{path} has changed since", "{path} 在此期间有改动"));
            return Err(changed.hint(message!("run it again", "请重新运行")).at(path));
        }
        let mark = if after.bom { "\u{feff}" } else { "" };
        let bytes = [mark.as_bytes(), after.text.as_bytes()].concat();
        disk::write_atomically(&place, &bytes).map_err(|error| ApiError::io(path, Tried::Write, error))
    }
}

fn of_text(loaded: &Loaded, judges: &Judges, text: &CheckArgs) -> LintResult {
    let path = absolute(Utf8Path::new(&text.path));
    let draft = Draft::new(loaded, &path, text);
    let judge = judges.of_path(&path);
    let found = draft.look(judge);
    let (findings, security) = converted(&draft, &found);
    let security = found
        .security
        .is_some()
        .then(|| security.into_iter().filter(|security| security.verdict > Verdict::Clear).collect());
    let off = draft.skill.as_ref().map_or_else(SwitchedOff::default, |skill| {
        let off = judge.switched_off().map_or(0, |linter| linter.one(skill, &draft.files()).len());
        switched_off(off, found.left_out)
    });
    result(usize::from(draft.skill.is_some()), judges, (findings, security, draft.secrets()), off)
}

fn converted(draft: &Draft, found: &Judged) -> (Vec<FindingDto>, Option<SecurityDto>) {
    let files = draft.files();
    let security = draft.skill.as_ref().zip(found.security.as_ref());
    let security = security.map(|(skill, security)| convert::security(&skill.path, security, &files));
    (convert::findings(&found.findings, &files), security)
}

fn switched_off(settings: usize, comments: usize) -> SwitchedOff {
    let [settings, comments] = [settings, comments].map(|count| u32::try_from(count).unwrap_or(u32::MAX));
    SwitchedOff { settings, comments }
}

fn result(
    skills: usize,
    judges: &Judges,
    (findings, security, secrets): (Vec<FindingDto>, Option<Vec<SecurityDto>>, Secrets),
    switched_off: SwitchedOff,
) -> LintResult {
    LintResult {
        skills: u32::try_from(skills).unwrap_or(u32::MAX),
        rules: u32::try_from(judges.rules()).unwrap_or(u32::MAX),
        findings,
        security,
        complaints: judges.complaints(),
        switched_off,
        secrets,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_file_that_cannot_be_written_keeps_no_other_from_it() {
        let folder = tempfile::tempdir().unwrap();
        let base = Utf8PathBuf::try_from(folder.path().to_owned()).unwrap();
        let fixed = |name: &str, before: &str| {
            let path = base.join(name);
            let source = |text: &str| Arc::new(SourceText::of_text(path.clone(), text.to_owned()));
            let secrets = Secrets::default();
            FixedFile { path: path.clone(), before: source(before), after: source("after"), secrets }
        };
        for name in ["a", "b", "c"] {
            std::fs::write(base.join(name), "before").unwrap();
        }
        let (places, folders) = (crate::Places::below(base.join("home"), None), vec![base.clone()]);
        let bench = Workbench::open(places, folders, crate::Freshness::ReadOnce, |_| {}).await;
        let files = vec![fixed("a", "other"), fixed("b", "before"), fixed("c", "other")];
        let error = bench.lint_write(files).await.unwrap_err();
        let [a, c] = ["a", "c"].map(|name| base.join(name));
        assert_eq!(error.message, format!("{a} has changed since; {c} has changed since"));
        assert_eq!(
            ["a", "b", "c"].map(|name| std::fs::read_to_string(base.join(name)).unwrap()),
            ["before", "after", "before"]
        );
    }
}
