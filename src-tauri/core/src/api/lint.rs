//! What rules say of the skills in the open folders, and of texts that are not saved yet.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

use camino::{Utf8Path, Utf8PathBuf};

use super::dto::{
    CheckArgs, FindingDto, Fixed, FixedText, LintArgs, LintResult, NoArgs, RuleDto, RuleExampleFile, RuleSetArgs,
    SkillCounts, TextCheck, UnsavedText,
};
use super::error::{ApiError, Code};
use super::inspect::project_of;
use super::{Loaded, Workbench, absolute, blocking, convert, files, lock, skills, with_further};
use crate::config::{self, ConfigError, LintSettings, PROJECT_FILE, Project, Setting};
use crate::harness;
use crate::lint::probe::Probe;
use crate::lint::rules::clients::client;
use crate::lint::runs::Usage;
use crate::lint::{
    self, Applicability, Check, Disk, Example, Files, Finding, Group, LintOptions, Linter, Overlay, Rule, Sweep, docs,
    fix,
};
use crate::skill::files::kind_of;
use crate::skill::{FileKind, Manifest, Severity, Skill, SkillFile};
use crate::source::{Newline, SourceText};
use crate::tool::files::write_atomically;

/// The rules as the project wants them, ready to look.
pub(super) struct Judge {
    /// Made when first asked for: the settings may be all that is wanted, or other rules than the project's.
    linter: OnceLock<Linter>,
    options: LintOptions,
    /// What of the project's settings could not be followed.
    complaints: Vec<String>,
}

/// A file that fixes change, whole, as it is on disk and as it would be.
#[derive(Debug, Clone, PartialEq)]
pub struct FixedFile {
    pub path: Utf8PathBuf,
    pub before: Arc<SourceText>,
    pub after: Arc<SourceText>,
}

impl Workbench {
    /// Everything that rules find in the open folders, with the fixes that an editor can make.
    pub async fn lint(&self, args: LintArgs) -> Result<LintResult, ApiError> {
        let loaded = self.loaded().await;
        let judge = self.judge(&loaded).await;
        if args.select.is_empty() && args.ignore.is_empty() {
            return Ok(blocking(move || {
                let found = convert::findings(of_all(&loaded, &judge), &Disk);
                result(loaded.skills.len(), &judge, found)
            })
            .await);
        }
        let judge = judge.with(args, BTreeMap::new())?;
        Ok(blocking(move || {
            let found = judge.linter().all(&loaded.set, &loaded.skills, &Disk);
            result(loaded.skills.len(), &judge, convert::findings(&found, &Disk))
        })
        .await)
    }

    /// As [`Workbench::lint`], with all fixes that [`Workbench::lint_fixes`] makes, and with what [`Workbench::probe`]
    /// found of scripts. Reads everything anew and keeps no texts, so that it serves folders of any size.
    pub async fn lint_on_disk(
        &self,
        args: LintArgs,
        probes: BTreeMap<Utf8PathBuf, Probe>,
    ) -> Result<LintResult, ApiError> {
        let folders = lock(&self.inner.desk).paths();
        let usage = self.usage_of(&[]).await;
        blocking(move || {
            let roots = with_further(folders);
            let judge = Judge::of(&roots, usage);
            judge.followed()?;
            let judge = judge.with(args, probes)?;
            let Sweep { skills, findings } = judge.linter().sweep(&roots, &Disk);
            Ok(result(skills, &judge, convert::findings_on_disk(&findings, &Disk)))
        })
        .await
    }

    /// What rules find in the skill to which a text belongs that is not saved; nothing where it belongs to none.
    pub async fn lint_text(&self, text: CheckArgs, args: LintArgs) -> Result<LintResult, ApiError> {
        let loaded = self.loaded().await;
        let judge = self.judge(&loaded).await;
        judge.followed()?;
        let judge = judge.with(args, BTreeMap::new())?;
        Ok(blocking(move || {
            let desk = Desk::new(&loaded, &absolute(Utf8Path::new(&text.path)), &text);
            let found = desk.look(&loaded, &judge);
            let found = convert::findings(&found, &desk.files());
            result(usize::from(desk.skill.is_some()), &judge, found)
        })
        .await)
    }

    /// What of the project's settings cannot be followed.
    pub async fn lint_complaints(&self) -> Vec<String> {
        let loaded = self.loaded().await;
        self.judge(&loaded).await.complaints.clone()
    }

    /// How many findings each skill has, in the order of [`Workbench::skill_list`].
    pub async fn lint_counts(&self, _: NoArgs) -> Result<Vec<SkillCounts>, ApiError> {
        let loaded = self.loaded().await;
        let judge = self.judge(&loaded).await;
        Ok(blocking(move || {
            let found = of_all(&loaded, &judge);
            let counted = loaded.skills.iter().map(|skill| {
                let count = |severity| {
                    let mine = of(skill, found).filter(|finding| finding.severity == severity);
                    u32::try_from(mine.count()).unwrap_or(u32::MAX)
                };
                SkillCounts {
                    skill: skill.path.to_string(),
                    errors: count(Severity::Error),
                    warnings: count(Severity::Warning),
                    infos: count(Severity::Info),
                }
            });
            counted.collect()
        })
        .await)
    }

    /// What can be said of a text that is being edited, without touching the disk.
    pub async fn text_check(&self, args: CheckArgs) -> Result<TextCheck, ApiError> {
        let loaded = self.loaded().await;
        let judge = self.judge(&loaded).await;
        Ok(blocking(move || {
            let path = absolute(Utf8Path::new(&args.path));
            let bench = Desk::new(&loaded, &path, &args);
            let found = bench.look(&loaded, &judge);
            skills::check(&path, args.text, convert::findings(&found, &bench.files()))
        })
        .await)
    }

    /// What the texts of the skill become with all fixes that keep the meaning.
    pub async fn text_fix(&self, args: CheckArgs) -> Result<Fixed, ApiError> {
        let loaded = self.loaded().await;
        let judge = self.judge(&loaded).await;
        Ok(blocking(move || {
            let path = absolute(Utf8Path::new(&args.path));
            let bench = Desk::new(&loaded, &path, &args);
            let Some(skill) = &bench.skill else { return Fixed { texts: Vec::new(), fixes: 0 } };
            let settled = fix::settle(judge.linter(), skill, &bench.files(), Applicability::Safe);
            let fixed = settled
                .texts
                .iter()
                .map(|(path, source)| FixedText { path: path.to_string(), text: source.text.replace("\r\n", "\n") });
            Fixed { texts: fixed.collect(), fixes: u32::try_from(settled.fixes).unwrap_or(u32::MAX) }
        })
        .await)
    }

    /// The files that fixes would change; nothing is written. `most`: fixes that want to be looked at are left out, or
    /// not. The number is that of the findings fixed.
    pub async fn lint_fixes(&self, args: LintArgs, most: Applicability) -> Result<(Vec<FixedFile>, usize), ApiError> {
        let loaded = self.loaded().await;
        let judge = self.judge(&loaded).await;
        judge.followed()?;
        let judge = judge.with(args, BTreeMap::new())?;
        Ok(blocking(move || {
            let mut fixes = 0;
            let mut changed = Vec::new();
            for skill in &loaded.skills {
                let settled = fix::settle(judge.linter(), skill, &Disk, most);
                fixes += settled.fixes;
                for (path, after) in settled.texts {
                    if let Some(before) = Disk.text(&path) {
                        changed.push(FixedFile { path, before, after });
                    }
                }
            }
            (changed, fixes)
        })
        .await)
    }

    /// Writes what [`Workbench::lint_fixes`] gave, where the file still is what it was. One that cannot be written keeps
    /// no other from it.
    pub async fn lint_write(&self, fixed: Vec<FixedFile>) -> Result<(), ApiError> {
        let written = blocking(move || {
            let failed: Vec<ApiError> = fixed.iter().filter_map(|file| file.write().err()).collect();
            match <[ApiError; 1]>::try_from(failed) {
                Ok([error]) => Err(error),
                Err(failed) if failed.is_empty() => Ok(()),
                Err(failed) => {
                    let code = failed[0].code;
                    let told: Vec<String> = failed.into_iter().map(|error| error.message).collect();
                    Err(ApiError::new(code, told.join("; ")).hint("the other files are fixed"))
                }
            }
        })
        .await;
        self.forget_loaded();
        written
    }

    pub async fn rule_list(&self, _: NoArgs) -> Result<Vec<RuleDto>, ApiError> {
        let loaded = self.loaded().await;
        let judge = self.judge(&loaded).await;
        Ok(lint::rules().map(|rule| rule_dto(rule, &judge.options.rules)).collect())
    }

    /// The rules as they are where no project says otherwise.
    pub fn rules() -> Vec<RuleDto> {
        lint::rules().map(|rule| rule_dto(rule, &BTreeMap::new())).collect()
    }

    /// The rule with an id, or those of a group.
    pub fn rules_named(id: &str) -> Result<Vec<RuleDto>, ApiError> {
        let mut named = Self::rules();
        named.retain(|rule| rule.id == id || rule.group.id() == id);
        if named.is_empty() { Err(unknown(id)) } else { Ok(named) }
    }

    /// Writes what the project says of a rule into the project file of the first folder that is not the bundled one.
    pub async fn rule_set(&self, args: RuleSetArgs) -> Result<Vec<RuleDto>, ApiError> {
        if lint::find(&args.rule).is_none() {
            return Err(ApiError::new(Code::Invalid, format!("there is no rule `{}`", args.rule)));
        }
        let own = self.folders().into_iter().find(|folder| !folder.bundled);
        let folder = own.ok_or_else(|| {
            ApiError::new(Code::Invalid, "only the bundled skills are open, and they keep no settings")
                .hint(format!("open a folder of your own: its {PROJECT_FILE} says how much a rule weighs"))
        })?;
        let path = Utf8Path::new(&folder.path).join(PROJECT_FILE);
        let written = blocking(move || write_setting(&path, &args.rule, args.setting)).await;
        self.forget_loaded();
        written?;
        self.rule_list(NoArgs {}).await
    }

    /// The rules as the project files of the open folders want them.
    pub(super) async fn judge(&self, loaded: &Arc<Loaded>) -> Arc<Judge> {
        let make = || async {
            let usage = self.usage_of(&loaded.skills).await;
            let roots: Vec<Utf8PathBuf> = loaded.set.roots.iter().map(|root| root.path.clone()).collect();
            Arc::new(blocking(move || Judge::of(&roots, usage)).await)
        };
        loaded.judge.get_or_init(make).await.clone()
    }
}

impl FixedFile {
    fn write(&self) -> Result<(), ApiError> {
        let Self { path, before, after } = self;
        if Disk.text(path).as_ref() != Some(before) {
            let changed = ApiError::new(Code::Changed, format!("{path} was changed meanwhile"));
            return Err(changed.hint("run it again").at(path));
        }
        let mark = if after.bom { "\u{feff}" } else { "" };
        let bytes = [mark.as_bytes(), after.text.as_bytes()].concat();
        write_atomically(path, &bytes).map_err(|error| ApiError::io(path, "cannot write", error))
    }
}

impl Judge {
    fn of(roots: &[Utf8PathBuf], usage: BTreeMap<Utf8PathBuf, Usage>) -> Self {
        let (settings, mut complaints) = match settings(roots) {
            Ok(settings) => (settings, Vec::new()),
            Err(error) => (LintSettings::default(), vec![error.message]),
        };
        let unknown = settings.rules.keys().filter(|id| !known(id));
        complaints.extend(unknown.map(|id| format!("workbench.yaml: lint: there is no rule or group `{id}`")));
        let unknown = settings.clients.iter().filter(|id| !knows_client(id));
        complaints.extend(unknown.map(|id| format!("workbench.yaml: lint: there is no client `{id}`")));
        let options = LintOptions { rules: settings.rules, clients: settings.clients, usage, ..LintOptions::default() };
        Self { linter: OnceLock::new(), options, complaints }
    }

    /// An error where the settings are not to be followed: what is found without them is not what the project asks for.
    fn followed(&self) -> Result<(), ApiError> {
        if self.complaints.is_empty() {
            return Ok(());
        }
        Err(ApiError::new(Code::Invalid, self.complaints.join("; "))
            .hint(format!("correct the project's {PROJECT_FILE}")))
    }

    /// The same for what is asked this time.
    fn with(&self, args: LintArgs, probes: BTreeMap<Utf8PathBuf, Probe>) -> Result<Arc<Self>, ApiError> {
        if let Some(id) = args.select.iter().chain(&args.ignore).find(|id| !known(id)) {
            return Err(unknown(id));
        }
        let options = LintOptions { select: args.select, ignore: args.ignore, probes, ..self.options.clone() };
        if !lint::rules().any(|rule| options.severity(rule).is_some()) {
            return Err(ApiError::new(Code::Invalid, "no rule is left to look")
                .hint("select another, ignore fewer, or see what workbench.yaml turns off"));
        }
        Ok(Arc::new(Self { linter: OnceLock::new(), options, complaints: self.complaints.clone() }))
    }

    fn linter(&self) -> &Linter {
        self.linter.get_or_init(|| Linter::new(self.options.clone()))
    }
}

/// What the project files of the folders say of rules. A folder without one, as a single skill is, goes by the nearest
/// above it in the same repository.
fn settings(roots: &[Utf8PathBuf]) -> Result<LintSettings, ApiError> {
    let mut settings = project_of(roots.iter().map(|root| &**root))?.lint;
    for root in roots {
        let repository = root.ancestors().position(|folder| folder.join(".git").exists());
        let reach = repository.map_or(usize::MAX, |steps| steps + 1);
        let nearest = root.ancestors().take(reach).find(|folder| folder.join(PROJECT_FILE).exists());
        if let Some(above) = nearest.filter(|folder| *folder != root)
            && let Some(project) = Project::load(above)?
        {
            for (rule, setting) in project.lint.rules {
                settings.rules.entry(rule).or_insert(setting);
            }
            if settings.clients.is_empty() {
                settings.clients = project.lint.clients;
            }
        }
    }
    Ok(settings)
}

/// What rules say of one skill, its neighbours considered.
pub(super) fn of_skill(loaded: &Loaded, judge: &Judge, skill: &Skill) -> Vec<FindingDto> {
    convert::findings(of(skill, of_all(loaded, judge)), &Disk)
}

/// Looked for once for what was read.
fn of_all<'a>(loaded: &'a Loaded, judge: &Judge) -> &'a [Finding] {
    loaded.findings.get_or_init(|| judge.linter().all(&loaded.set, &loaded.skills, &Disk))
}

/// Those of one skill, of findings sorted by file.
fn of<'a>(skill: &Skill, found: &'a [Finding]) -> impl Iterator<Item = &'a Finding> {
    let first = found.partition_point(|finding| finding.path < skill.path);
    let path = skill.path.clone();
    found[first..].iter().take_while(move |finding| finding.path.starts_with(&path))
}

fn result(skills: usize, judge: &Judge, findings: Vec<FindingDto>) -> LintResult {
    LintResult {
        skills: u32::try_from(skills).unwrap_or(u32::MAX),
        rules: u32::try_from(judge.linter().rules()).unwrap_or(u32::MAX),
        findings,
        complaints: judge.complaints.clone(),
    }
}

/// A skill with the texts that are being edited in place of those on disk.
struct Desk {
    texts: HashMap<Utf8PathBuf, Arc<SourceText>>,
    /// The skill as it would be; `None` where the text belongs to none.
    skill: Option<Skill>,
    /// The skill's folder, where it is on disk too.
    known: bool,
}

impl Desk {
    fn new(loaded: &Loaded, path: &Utf8Path, args: &CheckArgs) -> Self {
        let edited = UnsavedText { path: path.to_string(), text: args.text.clone() };
        let texts = args.unsaved.iter().chain([&edited]);
        let texts: HashMap<Utf8PathBuf, Arc<SourceText>> = texts
            .map(|unsaved| {
                let path = absolute(Utf8Path::new(&unsaved.path));
                let source = Arc::new(as_saved(&path, &unsaved.text));
                (path, source)
            })
            .collect();
        let on_disk = loaded.skills.iter().find(|skill| path.starts_with(&skill.path));
        let skill = match on_disk {
            Some(skill) => Some(match texts.get(&skill.manifest.source.path) {
                Some(source) => skill.with_text(source.clone()),
                None => skill.clone(),
            }),
            None => texts.get(path).and_then(|source| fresh(path, source)),
        };
        let skill = skill.map(|skill| with_unsaved(skill, &texts));
        Self { texts, skill, known: on_disk.is_some() }
    }

    fn files(&self) -> Overlay<'_> {
        Overlay { below: &Disk, texts: self.texts.clone() }
    }

    /// What rules say of the skill as it would be; of its neighbours, what they said of it as it is on disk.
    fn look(&self, loaded: &Loaded, judge: &Judge) -> Vec<Finding> {
        let Some(skill) = &self.skill else { return Vec::new() };
        let mut found = judge.linter().one(skill, &self.files());
        if self.known {
            let beside = of(skill, of_all(loaded, judge)).filter(|finding| matches!(finding.rule.check, Check::Set(_)));
            for finding in beside {
                let same = match self.texts.get(&finding.path) {
                    Some(text) => Disk.text(&finding.path).is_some_and(|disk| disk.text == text.text),
                    None => true,
                };
                // Its place was another text's, and so was its fix's.
                let (span, fix) = if same { (finding.span, finding.fix.clone()) } else { (None, None) };
                found.push(Finding { span, fix, ..finding.clone() });
            }
        }
        found
    }
}

/// The text as a save would write it: with the line ends and the mark that the file has.
fn as_saved(path: &Utf8Path, text: &str) -> SourceText {
    let before = SourceText::read(path).ok();
    let crlf = before.as_ref().is_some_and(|before| before.newline() == Newline::CrLf);
    let text = if crlf { files::with_crlf(text) } else { text.to_owned() };
    SourceText { bom: before.is_some_and(|before| before.bom), ..SourceText::of_text(path.to_owned(), text) }
}

/// The skill with the files that are not saved yet.
fn with_unsaved(mut skill: Skill, texts: &HashMap<Utf8PathBuf, Arc<SourceText>>) -> Skill {
    for (path, source) in texts {
        let Ok(below) = path.strip_prefix(&skill.path) else { continue };
        if !path.exists() && skill.files.iter().all(|file| file.path != *path) {
            let name = below.components().map(|part| part.as_str()).collect::<Vec<_>>().join("/");
            let size = u64::try_from(source.text.len()).unwrap_or(u64::MAX);
            skill.files.push(SkillFile { kind: kind_of(&name), name, path: path.clone(), size, link: false });
        }
    }
    let place = |file: &SkillFile| (file.kind != FileKind::Manifest, file.name.clone());
    skill.files.sort_by_key(place);
    skill
}

/// A `SKILL.md` that is not among the skills yet.
fn fresh(path: &Utf8Path, source: &Arc<SourceText>) -> Option<Skill> {
    let name = path.file_name().filter(|name| name.eq_ignore_ascii_case("SKILL.md"))?;
    let folder = path.parent()?;
    let manifest = Manifest::parse(source.clone());
    let size = u64::try_from(source.text.len()).unwrap_or(u64::MAX);
    Some(Skill {
        path: folder.to_owned(),
        root: folder.parent().unwrap_or(folder).to_owned(),
        problems: manifest.problems.clone(),
        manifest,
        files: vec![SkillFile {
            name: name.to_owned(),
            path: path.to_owned(),
            size,
            kind: FileKind::Manifest,
            link: false,
        }],
    })
}

/// Changes this one setting of a project file, which need not be there yet.
fn write_setting(path: &Utf8Path, rule: &str, setting: Option<Setting>) -> Result<(), ApiError> {
    let source = match SourceText::read(path) {
        Ok(source) => source,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            SourceText::of_text(path.to_owned(), String::new())
        }
        Err(error) => return Err(ApiError::io(path, "cannot read", error)),
    };
    let unusable = |reason: &str| ConfigError::Unusable { path: path.to_owned(), reason: reason.to_owned() };
    if source.truncated_from.is_some() || source.invalid_at.is_some() {
        return Err(unusable("it is no text, or too long a one").into());
    }
    let Some(changed) = config::set_rule(path, &source.text, rule, setting)? else {
        return Err(ApiError::new(Code::Invalid, format!("{path} cannot be changed here without risk"))
            .hint(format!("edit the file: `{rule}` belongs below `rules`, which belongs below `lint`"))
            .at(path));
    };
    if changed == source.text {
        return Ok(());
    }
    let mark = if source.bom { "\u{feff}" } else { "" };
    write_atomically(path, [mark, &changed].concat().as_bytes())
        .map_err(|error| ApiError::io(path, "cannot write", error))
}

/// Whether it is the id of a client or of a framework.
fn knows_client(id: &str) -> bool {
    client::ALL.iter().any(|client| client.id == id) || harness::find(id).is_some()
}

/// Whether it is the id of a rule or of a group.
fn known(id: &str) -> bool {
    lint::find(id).is_some() || Group::ALL.iter().any(|group| group.id() == id)
}

fn unknown(id: &str) -> ApiError {
    let near = nearest(id).map(|near| format!("did you mean `{near}`? "));
    ApiError::new(Code::Invalid, format!("there is no rule or group `{id}`"))
        .hint(format!("{}`skillbench rules` lists them", near.unwrap_or_default()))
}

/// The id that was meant, where one is near.
fn nearest(id: &str) -> Option<&'static str> {
    let ids = || lint::rules().map(|rule| rule.id).chain(Group::ALL.iter().map(|group| group.id()));
    let near = ids().map(|known| (strsim::damerau_levenshtein(id, known), known)).min()?;
    if near.0 <= 1 + id.len() / 4 {
        return Some(near.1);
    }
    // Half a word of it.
    let alike = ids().map(|known| (strsim::jaro_winkler(id, known), known)).max_by(|a, b| a.0.total_cmp(&b.0))?;
    (alike.0 > 0.9).then_some(alike.1)
}

fn rule_dto(rule: &'static Rule, settings: &BTreeMap<String, Setting>) -> RuleDto {
    RuleDto {
        id: rule.id.to_owned(),
        group: rule.group,
        severity: rule.severity,
        on: rule.on,
        setting: settings.get(rule.id).or_else(|| settings.get(rule.group.id())).copied(),
        title: rule.title.to_owned(),
        title_zh: rule.title_zh.to_owned(),
        what: rule.what.to_owned(),
        why: rule.why.to_owned(),
        source: rule.source.to_owned(),
        fix: rule.fix,
        bad: example(&rule.bad),
        good: example(&rule.good),
    }
}

fn example(example: &Example) -> Vec<RuleExampleFile> {
    docs::shown_files(example).map(|(path, text)| RuleExampleFile { path, text }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_is_written_and_taken_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::try_from(folder.path().join(PROJECT_FILE)).unwrap();
        let text = || std::fs::read_to_string(&path).unwrap();
        write_setting(&path, "todo-left", None).unwrap();
        assert!(!path.exists(), "nothing to say, no file");
        write_setting(&path, "todo-left", Some(Setting::Off)).unwrap();
        assert_eq!(text(), "lint:\n  rules:\n    todo-left: off\n");
        std::fs::write(&path, "\u{feff}# mine\r\nmodel: m\r\n").unwrap();
        write_setting(&path, "todo-left", Some(Setting::Error)).unwrap();
        assert_eq!(text(), "\u{feff}# mine\r\nmodel: m\r\nlint:\r\n  rules:\r\n    todo-left: error\r\n");
        write_setting(&path, "todo-left", None).unwrap();
        assert_eq!(text(), "\u{feff}# mine\r\nmodel: m\r\n");
    }

    #[tokio::test]
    async fn one_file_that_cannot_be_written_keeps_no_other_from_it() {
        let folder = tempfile::tempdir().unwrap();
        let base = Utf8PathBuf::try_from(folder.path().to_owned()).unwrap();
        let fixed = |name: &str, before: &str| {
            let path = base.join(name);
            let source = |text: &str| Arc::new(SourceText::of_text(path.clone(), text.to_owned()));
            FixedFile { path: path.clone(), before: source(before), after: source("after") }
        };
        for name in ["a", "b", "c"] {
            std::fs::write(base.join(name), "before").unwrap();
        }
        let (places, folders) = (crate::api::Places::below(base.join("home"), None), vec![base.clone()]);
        let bench = Workbench::open(places, folders, crate::api::Disk::ReadOnce, |_| {}).await;
        let files = vec![fixed("a", "other"), fixed("b", "before"), fixed("c", "other")];
        let error = bench.lint_write(files).await.unwrap_err();
        let [a, c] = ["a", "c"].map(|name| base.join(name));
        assert_eq!(error.message, format!("{a} was changed meanwhile; {c} was changed meanwhile"));
        assert_eq!(
            ["a", "b", "c"].map(|name| std::fs::read_to_string(base.join(name)).unwrap()),
            ["before", "after", "before"]
        );
    }

    #[test]
    fn a_file_that_cannot_be_changed_safely_is_named_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::try_from(folder.path().join(PROJECT_FILE)).unwrap();
        std::fs::write(&path, "lint: {rules: {todo-left: error}}\n").unwrap();
        let error = write_setting(&path, "todo-left", Some(Setting::Off)).unwrap_err();
        assert_eq!(error.message, format!("{path} cannot be changed here without risk"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "lint: {rules: {todo-left: error}}\n");
    }
}
