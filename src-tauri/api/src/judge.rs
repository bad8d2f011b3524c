//! The rules with the settings of projects. A skill is checked by the nearest project file above it, by that file
//! alone, and together with the other skills of that file.

use std::collections::{BTreeMap, HashMap, HashSet, hash_map};
use std::sync::{Arc, OnceLock};

use camino::{Utf8Path, Utf8PathBuf};

use super::dto::{LintArgs, ProjectSettings};
use super::error::{ApiError, Code};
use super::{Loaded, Workbench, blocking, kept, normal, rule_ids};
use config::{LintSettings, PROJECT_FILE, Project};
use lint::analysis::client;
use lint::probe::Probe;
use lint::runs::Usage;
use lint::verdict::{Security, Verdict};
use lint::{Comments, Disk, Files, Finding, LintOptions, Linter, Sweep};
use skill::{Root, Skill, SkillSet};
use wording::{Message, message};

/// One for each project file; there is at least one.
pub(super) struct Judges {
    judges: Vec<Judge>,
    /// By the roots of their sets.
    places: HashMap<Utf8PathBuf, usize>,
}

/// The rules with the settings of one project, ready to check its skills.
pub(super) struct Judge {
    pub set: Arc<SkillSet>,
    /// Made when first needed: callers may need only the settings, or other rules than the project's.
    linter: Arc<OnceLock<Linter>>,
    options: LintOptions,
    /// The project's settings that could not be applied.
    complaints: Vec<Message>,
    /// Where findings are kept for the next time, and the time before the set was read. `None`: nowhere.
    kept: Option<(Utf8PathBuf, kept::Clock)>,
    /// Computed when first asked for.
    sweep: OnceLock<Sweep<Finding>>,
}

impl Workbench {
    pub(super) async fn judges(&self, loaded: &Arc<Loaded>) -> Arc<Judges> {
        let make = || async {
            let usage = self.usage_of(&loaded.skills).await;
            let (loaded, folder) = (loaded.clone(), self.inner.places.found());
            let judges = blocking(move || {
                let judges = Judges::of(&loaded.set, &usage);
                match folder {
                    Some(folder) => judges.kept_in(&folder, loaded.since),
                    None => judges,
                }
            });
            Arc::new(judges.await)
        };
        loaded.judges.get_or_init(make).await.clone()
    }
}

impl Judges {
    pub fn of(set: &Arc<SkillSet>, usage: &BTreeMap<Utf8PathBuf, Usage>) -> Self {
        let judges = parts(set).into_iter().map(|(project, set)| Judge::of(project.as_deref(), set, usage));
        Self::among(judges.collect())
    }

    /// The same with a folder for what they find. `since`: a time before the set was read.
    fn kept_in(mut self, folder: &Utf8Path, since: kept::Clock) -> Self {
        for judge in &mut self.judges {
            judge.kept = Some((folder.to_owned(), since));
        }
        self
    }

    fn among(judges: Vec<Judge>) -> Self {
        let roots =
            judges.iter().enumerate().flat_map(|(place, judge)| judge.set.roots.iter().map(move |root| (root, place)));
        let places = roots.map(|(root, place)| (root.path.clone(), place)).collect();
        Self { judges, places }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Judge> {
        self.judges.iter()
    }

    /// The judge of the project that a file or folder belongs to.
    pub fn of_path(&self, path: &Utf8Path) -> &Judge {
        let place = path.ancestors().find_map(|folder| self.places.get(folder));
        &self.judges[place.copied().unwrap_or(0)]
    }

    /// The projects' settings that cannot be applied.
    pub fn complaints(&self) -> Vec<Message> {
        self.judges.iter().flat_map(|judge| judge.complaints.clone()).collect()
    }

    /// An error if required settings cannot be applied: findings without them are not what the project asks for.
    pub fn followed(&self, settings: ProjectSettings) -> Result<(), ApiError> {
        let complaints = self.complaints();
        if complaints.is_empty() || settings == ProjectSettings::Ignored {
            return Ok(());
        }
        Err(ApiError::new(Code::Invalid, Message::list(&complaints))
            .hint(message!("correct the project's {PROJECT_FILE}", "请更正项目的 {PROJECT_FILE}")))
    }

    /// The same with the options of this request.
    pub fn with(&self, args: &LintArgs, probes: &BTreeMap<Utf8PathBuf, Probe>) -> Result<Self, ApiError> {
        if let Some(id) = args.select.iter().chain(&args.ignore).find(|id| !rule_ids::known(id)) {
            return Err(rule_ids::unknown(id));
        }
        let mut asked: Vec<Judge> = Vec::new();
        for judge in &self.judges {
            let (base, complaints) = match args.settings {
                ProjectSettings::Followed => (judge.options.clone(), judge.complaints.clone()),
                ProjectSettings::Ignored => {
                    let usage = judge.options.usage.clone();
                    (LintOptions { usage, comments: Comments::Ignored, ..LintOptions::default() }, Vec::new())
                }
            };
            let options = LintOptions {
                asked: args.profile,
                select: args.select.clone(),
                ignore: args.ignore.clone(),
                probes: probes.clone(),
                ..base
            };
            let alike = asked.iter().find(|other| other.options == options).map(|other| other.linter.clone());
            asked.push(Judge {
                set: judge.set.clone(),
                linter: alike.unwrap_or_default(),
                options,
                complaints,
                kept: None,
                sweep: OnceLock::new(),
            });
        }
        let asked = Self::among(asked);
        if asked.rules() == 0 {
            return Err(ApiError::new(Code::Invalid, message!("no rules selected", "没有选中任何规则")).hint(
                message!(
                    "select another, ignore fewer, or see which rules workbench.yaml turns off",
                    "请选择其他规则，或少忽略一些，或查看 workbench.yaml 关闭了哪些规则"
                ),
            ));
        }
        Ok(asked)
    }

    /// How many rules look.
    pub fn rules(&self) -> usize {
        let looks = |rule: &&lint::Rule| self.judges.iter().any(|judge| judge.options.severity(rule).is_some());
        lint::rules().filter(looks).count()
    }
}

impl Judge {
    fn of(project: Option<&Utf8Path>, set: Arc<SkillSet>, usage: &BTreeMap<Utf8PathBuf, Usage>) -> Self {
        let (settings, mut complaints) = match project.map(Project::load) {
            Some(Ok(Some(project))) => (project.lint, Vec::new()),
            None | Some(Ok(None)) => (LintSettings::default(), Vec::new()),
            Some(Err(error)) => (LintSettings::default(), vec![error.worded()]),
        };
        let file = project.map(|project| project.join(PROJECT_FILE)).unwrap_or_default();
        let unknown = settings.rules.keys().filter(|id| !rule_ids::known(id));
        complaints.extend(unknown.map(|id| {
            message!("{file}: lint: there is no rule or group `{id}`", "{file}：lint：没有规则或规则组 `{id}`")
        }));
        let unknown = settings.clients.iter().filter(|id| !knows_client(id));
        complaints.extend(
            unknown.map(|id| message!("{file}: lint: there is no client `{id}`", "{file}：lint：没有客户端 `{id}`")),
        );
        let usage = usage.clone();
        let options = LintOptions {
            profile: settings.profile,
            rules: settings.rules,
            clients: settings.clients,
            usage,
            ..LintOptions::default()
        };
        Self { set, linter: Arc::default(), options, complaints, kept: None, sweep: OnceLock::new() }
    }

    pub fn linter(&self) -> &Linter {
        self.linter.get_or_init(|| Linter::new(self.options.clone()))
    }

    /// For the rules of security that the project switches off, if it does.
    pub fn switched_off(&self) -> Option<Linter> {
        self.options.switched_off().map(Linter::new)
    }

    /// The project's options for checking its skills.
    pub fn options(&self) -> &LintOptions {
        &self.options
    }

    /// Whether all of its skills have been checked.
    pub fn has_looked(&self) -> bool {
        self.sweep.get().is_some()
    }

    /// The findings in one of its skills, neighbours included. When the first is requested, all skills that have
    /// changed since the last time are checked.
    pub fn found_in(&self, skill: &Skill) -> impl Iterator<Item = &Finding> {
        let found = &self.sweep().findings;
        // They are sorted by file.
        let first = found.partition_point(|finding| finding.path < skill.path);
        let path = skill.path.clone();
        found[first..].iter().take_while(move |finding| finding.path.starts_with(&path))
    }

    /// The verdict on one of its skills; `None`: the project has verdicts off.
    pub fn security_of(&self, skill: &Skill) -> Option<&Security<Finding>> {
        let verdicts = self.sweep().security.as_ref()?;
        let place = verdicts.binary_search_by(|(path, _)| path.cmp(&skill.path));
        Some(place.map_or(&CLEAR, |place| &verdicts[place].1))
    }

    fn sweep(&self) -> &Sweep<Finding> {
        self.sweep.get_or_init(|| {
            let told = |found: Vec<Finding>, _: &dyn Files| found;
            match &self.kept {
                Some((folder, since)) => kept::sweep(Some(folder), *since, &self.set, self.linter(), told),
                None => self.linter().sweep(&self.set, &Disk, told),
            }
        })
    }
}

/// Nothing, of a skill without a finding.
static CLEAR: Security<Finding> = Security { verdict: Verdict::Clear, evidence: Vec::new() };

/// The folder of the project file by which a folder goes: its own, or the nearest above it in the same repository.
pub(super) fn settled_by(folder: &Utf8Path) -> Option<Utf8PathBuf> {
    let repository = folder.ancestors().position(|folder| folder.join(".git").exists());
    let reach = repository.map_or(usize::MAX, |steps| steps + 1);
    let mut above = folder.ancestors().take(reach);
    above.find(|folder| folder.join(PROJECT_FILE).exists()).map(Utf8Path::to_owned)
}

/// Divides the set by the project files that apply; at least one part.
fn parts(set: &Arc<SkillSet>) -> Vec<(Option<Utf8PathBuf>, Arc<SkillSet>)> {
    let named_by = named_by(set);
    let project = |root: &Utf8Path| match named_by.get(root) {
        // It may be far from the project that names it.
        Some(naming) if !root.join(PROJECT_FILE).exists() => Some(naming.clone()),
        _ => settled_by(root),
    };
    let apart = skill::apart(set, |folder| folder.files().any(|file| file.name == PROJECT_FILE));
    let projects: Vec<Option<Utf8PathBuf>> = set.roots.iter().map(|root| project(&root.path)).collect();
    let first = projects.first().cloned().flatten();
    if apart.is_empty() && projects.iter().all(|project| *project == first) {
        return vec![(first, set.clone())];
    }
    let paths: HashSet<&Utf8Path> = apart.iter().map(|folder| &*folder.path).collect();
    let below = apart.iter().map(|folder| (Some(folder.path.clone()), *folder));
    let roots = projects.into_iter().zip(set.roots.iter().map(|root| &root.tree)).chain(below);
    let mut parts: BTreeMap<Option<Utf8PathBuf>, SkillSet> = BTreeMap::new();
    let mut project_of: HashMap<&Utf8Path, Option<Utf8PathBuf>> = HashMap::new();
    for (project, folder) in roots {
        // A root may be in another.
        if let hash_map::Entry::Vacant(entry) = project_of.entry(&folder.path) {
            let root = Root { path: folder.path.clone(), tree: skill::without(folder, &paths) };
            parts.entry(project.clone()).or_default().roots.push(root);
            entry.insert(project);
        }
    }
    for problem in &set.problems {
        let project = problem.path.ancestors().find_map(|folder| project_of.get(folder));
        let part = project.and_then(|project| parts.get_mut(project));
        part.into_iter().for_each(|part| part.problems.push(problem.clone()));
    }
    parts.into_iter().map(|(project, set)| (project, Arc::new(set))).collect()
}

/// The further folders that project files name, each with the folder of the first file that names it.
fn named_by(set: &SkillSet) -> BTreeMap<Utf8PathBuf, Utf8PathBuf> {
    let mut named = BTreeMap::new();
    for root in &set.roots {
        let further = Project::load(&root.path).ok().flatten().map(|project| project.roots).unwrap_or_default();
        for path in further {
            named.entry(normal(&root.path.join(path))).or_insert_with(|| root.path.clone());
        }
    }
    named
}

/// Whether it is the id of a client or of a framework.
fn knows_client(id: &str) -> bool {
    client::ALL.iter().any(|client| client.id == id) || harness::find(id).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dto::{CheckArgs, NoArgs, PathArgs, SkillArgs};
    use crate::{Freshness, Places};

    #[tokio::test]
    async fn the_next_start_looks_only_at_what_has_changed() {
        let guard = tempfile::tempdir().unwrap();
        let base = Utf8PathBuf::try_from(guard.path().canonicalize().unwrap()).unwrap();
        let text =
            |name: &str| format!("---\nname: {name}\ndescription: Use when asked for it.\n---\nTODO: say more.\n");
        for name in ["a", "b"] {
            std::fs::create_dir_all(base.join("skills").join(name)).unwrap();
            std::fs::write(base.join("skills").join(name).join("SKILL.md"), text(name)).unwrap();
        }
        let places = Places::below(base.join("home"), None);
        let start = || Workbench::open(places.clone(), vec![base.join("skills")], Freshness::ReadOnce, |_| {});
        let found = async |bench: &Workbench| {
            let mut found = Vec::new();
            for name in ["a", "b"] {
                let args = SkillArgs { id: base.join("skills").join(name).into_string() };
                let findings = bench.skill_get(args).await.unwrap().findings;
                found.extend(findings.into_iter().filter(|finding| finding.rule == "todo-left"));
            }
            found.into_iter().map(|finding| finding.message).collect::<Vec<_>>()
        };
        let bench = start().await;
        let (first, counts) = (found(&bench).await, bench.lint_counts(NoArgs {}).await.unwrap());
        assert_eq!((first.len(), counts.len()), (2, 2));

        let kept: Vec<_> =
            std::fs::read_dir(places.found().unwrap()).unwrap().map(|entry| entry.unwrap().path()).collect();
        let [file] = kept.as_slice() else { panic!("{kept:?}") };
        let whole = std::fs::read_to_string(file).unwrap();
        let (_, lines) = whole.split_once('\n').unwrap();
        let marked = lines.replace(&first[0], "as it was kept");
        std::fs::write(file, format!("skillbench-found {}\n{marked}", disk::digest(&marked))).unwrap();
        let bench = start().await;
        assert_eq!(found(&bench).await, ["as it was kept", "as it was kept"], "neither was looked at");
        assert_eq!(bench.lint_counts(NoArgs {}).await.unwrap(), counts);

        let path = base.join("skills/a/SKILL.md");
        std::fs::write(&path, text("a").replace("TODO: say more.", "TODO: say more.\nTODO: and more.")).unwrap();
        bench.forget_loaded();
        let now = found(&bench).await;
        assert_eq!(now[now.len() - 1], "as it was kept", "what has not changed is not looked at while it runs");
        assert!(!now[0].contains("kept"), "what has changed is: {now:?}");
        let draft = CheckArgs { path: path.into_string(), text: text("a"), unsaved: Vec::new() };
        let mut drafted = bench.text_check(draft).await.unwrap().findings;
        drafted.retain(|finding| finding.rule == "todo-left");
        assert_eq!(
            drafted.iter().map(|finding| &finding.message).collect::<Vec<_>>(),
            [&first[0]],
            "a draft is itself"
        );
    }

    #[tokio::test]
    async fn a_window_gets_the_findings_of_an_opened_skill_before_all_are_checked() {
        let guard = tempfile::tempdir().unwrap();
        let base = Utf8PathBuf::try_from(guard.path().canonicalize().unwrap()).unwrap();
        let text = "---\nname: b\ndescription: Use when asked for it.\n---\nTODO: use the `guided-tour` skill.\n";
        for (folder, text) in [("a", text.replace("name: b", "name: a")), ("b", text.to_owned())] {
            std::fs::create_dir_all(base.join(folder)).unwrap();
            std::fs::write(base.join(folder).join("SKILL.md"), text).unwrap();
        }
        std::fs::write(base.join(PROJECT_FILE), "lint: {profile: all}\n").unwrap();
        let check =
            || CheckArgs { path: base.join("b/SKILL.md").into_string(), text: text.into(), unsaved: Vec::new() };
        let asked = async |freshness| {
            let places = Places::below(base.join("home"), None);
            let bench = Workbench::open(places, vec![base.clone()], freshness, |_| {}).await;
            let rules = |findings: Vec<crate::dto::FindingDto>| {
                findings.into_iter().map(|finding| finding.rule).collect::<std::collections::BTreeSet<_>>()
            };
            let ask = async || {
                let check = bench.text_check(check()).await.unwrap();
                let detail = bench.skill_get(SkillArgs { id: base.join("b").into_string() }).await.unwrap();
                (check.alone, rules(check.findings), rules(detail.findings))
            };
            let before = ask().await;
            bench.lint_counts(NoArgs {}).await.unwrap();
            (before, ask().await)
        };
        let (before, after) = asked(Freshness::Watched).await;
        assert_eq!((before.0, after.0), (true, false));
        for (alone, all) in [(&before.1, &after.1), (&before.2, &after.2)] {
            assert!(alone.contains("todo-left") && alone.is_subset(all), "{alone:?} {all:?}");
            assert!(all.contains("names-missing-skill") && !alone.contains("names-missing-skill"), "{alone:?} {all:?}");
        }
        let (once, again) = asked(Freshness::ReadOnce).await;
        assert_eq!((&once, &again), (&after, &after), "a program that answers one question waits for all");
    }

    #[tokio::test]
    async fn each_skill_goes_by_the_nearest_project_file() {
        let guard = tempfile::tempdir().unwrap();
        let base = Utf8PathBuf::try_from(guard.path().canonicalize().unwrap()).unwrap();
        let write = |path: &str, text: &str| {
            let path = base.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let skills = ["off/a", "error/b", "error/x/c", "error/x/c/inner", "plain/d", "one/e", "named/f"];
        for skill in skills {
            let name = skill.rsplit('/').next().unwrap();
            let text = format!("---\nname: {name}\ndescription: Use when asked for {skill}.\n---\nTODO: say more.\n");
            write(&format!("{skill}/SKILL.md"), &text);
        }
        for (project, setting) in [("off", "off"), ("error", "error"), ("error/x", "info")] {
            write(&format!("{project}/{PROJECT_FILE}"), &format!("lint: {{rules: {{todo-left: {setting}}}}}\n"));
        }
        write("one/workbench.yaml", "roots: [../named]\nlint: {rules: {todo-left: error}}\n");
        std::fs::create_dir(base.join("plain/.git")).unwrap();
        let roots = ["off", "error", "plain", "one/e", "one"].map(|root| base.join(root));
        let places = Places::below(base.join("home"), None);
        let bench = Workbench::open(places, roots.to_vec(), Freshness::ReadOnce, |_| {}).await;
        bench.trust_add(PathArgs { path: base.join("named").into_string() }).await.unwrap();
        let args = || LintArgs {
            profile: None,
            select: vec!["todo-left".into()],
            ignore: Vec::new(),
            settings: ProjectSettings::Followed,
        };
        let shown = |findings: Vec<crate::dto::FindingDto>| -> Vec<String> {
            let shown = findings.into_iter().map(|finding| {
                let path = Utf8Path::new(&finding.path).strip_prefix(&base).unwrap();
                format!("{path} {:?}", finding.severity)
            });
            shown.collect()
        };
        let swept = bench.lint_on_disk(args(), BTreeMap::new(), crate::Earlier::Ignored).await.unwrap();
        assert_eq!(swept.skills, 6, "a folder inside a skill belongs to that skill");
        let expected = [
            "error/b/SKILL.md Error",
            "error/x/c/SKILL.md Info",
            "error/x/c/inner/SKILL.md Info",
            "named/f/SKILL.md Error",
            "one/e/SKILL.md Error",
            "plain/d/SKILL.md Info",
        ];
        assert_eq!(shown(swept.findings), expected);
        let mut one_by_one = Vec::new();
        for skill in skills {
            let path = base.join(skill).join("SKILL.md");
            let text = std::fs::read_to_string(&path).unwrap();
            let check = CheckArgs { path: path.into_string(), text, unsaved: Vec::new() };
            one_by_one.extend(shown(bench.lint_text(check.clone(), args()).await.unwrap().findings));
            let mut checked = bench.text_check(check).await.unwrap().findings;
            checked.retain(|finding| finding.rule == "todo-left");
            one_by_one.extend(shown(checked));
        }
        one_by_one.sort();
        one_by_one.dedup();
        assert_eq!(one_by_one, expected, "a text that is edited is judged as the file is");
    }
}
