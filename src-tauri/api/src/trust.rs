//! Places outside of the open folders that the user trusts. A project file, or a link in a folder of skills, may name
//! any place on the machine; it is read, or shown to a model, only after the user trusts it here. A project cannot
//! grant that.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use super::dto::{FilesChanged, NoArgs, PathArgs, Push, TrustState};
use super::error::{ApiError, Code, Tried};
use super::{Places, Workbench, absolute, blocking, lock};
use config::{PROJECT_FILE, Policy, Project};
use skill::source::is_of_the_system;
use skill::{Problem, ProblemKind, SkillSet, manifest};
use wording::{Message, message};

/// What makes a folder a Python environment.
const VENV_MARK: &str = "pyvenv.cfg";

/// Bytes of `trusted.json`.
const BYTE_LIMIT: u64 = 1 << 20;

/// `trusted.json` in the user's configuration folder.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Trusted {
    /// Folders or files, by their real paths.
    places: BTreeSet<Utf8PathBuf>,
}

impl Trusted {
    /// A file that cannot be read trusts nothing.
    pub(super) fn read(places: &Places) -> Self {
        Self::try_read(places).unwrap_or_else(|error| {
            tracing::warn!(%error, "nothing is trusted");
            Self::default()
        })
    }

    fn try_read(places: &Places) -> Result<Self, ApiError> {
        let path = places.trusted();
        let text = match disk::read_text(&path, BYTE_LIMIT) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(ApiError::io(&path, Tried::Read, error)),
        };
        serde_json::from_str(&text).map_err(|error| {
            let why = wording::refusal(&error.to_string());
            ApiError::new(Code::Invalid, message!("{path}: {why}", "{path}：{why}"; why))
                .hint(message!(
                    "delete the file, then trust your folders again",
                    "请删除该文件，然后重新信任你的文件夹"
                ))
                .at(&path)
        })
    }

    fn write(&self, places: &Places) -> Result<(), ApiError> {
        let path = places.trusted();
        let text = serde_json::to_vec_pretty(self).map_err(|error| ApiError::io(&path, Tried::Write, error.into()))?;
        disk::write_privately(&path, &text).map_err(|error| ApiError::io(&path, Tried::Write, error))
    }

    fn list(&self) -> Vec<Utf8PathBuf> {
        self.places.iter().cloned().collect()
    }

    /// Places that are still what they were when the user trusted them: one that became a link leads somewhere else.
    pub(super) fn unmoved(&self) -> Vec<Utf8PathBuf> {
        self.places.iter().filter(|place| disk::real(place).as_ref() == Some(place)).cloned().collect()
    }
}

/// Folders that were opened, and those that their project files name and that may be read.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Roots {
    pub(super) paths: Vec<Utf8PathBuf>,
    /// Folders that must not be read, each as a problem of its project file.
    pub(super) problems: Vec<Problem>,
    /// The same, by their real paths.
    waiting: Vec<Utf8PathBuf>,
}

impl Roots {
    /// The commands that need a project file report it if it cannot be used.
    pub(super) fn of(opened: Vec<Utf8PathBuf>, trusted: &Trusted) -> Self {
        let mut roots = Self { paths: opened.clone(), ..Self::default() };
        let open = Open::of(&opened, trusted);
        for folder in &opened {
            let further = Project::load(folder).ok().flatten().map(|project| project.roots).unwrap_or_default();
            for named in further {
                let path = absolute(&folder.join(&named));
                if roots.paths.contains(&path) {
                    continue;
                }
                let real = disk::real(&path).filter(|real| !is_of_the_system(real));
                if real.as_ref().is_some_and(|real| open.holds(real)) {
                    roots.paths.push(path);
                } else {
                    let kind = ProblemKind::RootOutside { root: named };
                    roots.problems.push(Problem { kind, path: folder.join(PROJECT_FILE), span: None });
                    roots.waiting.push(real.unwrap_or(path));
                }
            }
        }
        roots
    }
}

/// A folder without a `SKILL.md` has skills all the same if its project file makes some.
pub(super) fn with_inline_skills(mut set: SkillSet) -> SkillSet {
    let makes_some =
        |root: &Utf8Path| Project::load(root).ok().flatten().is_some_and(|project| !project.inline_skills.is_empty());
    set.problems.retain(|problem| problem.kind != ProblemKind::NoSkills || !makes_some(&problem.path));
    set
}

impl Workbench {
    /// Trusted places, and those that the open projects ask for.
    pub async fn trust_list(&self, _: NoArgs) -> Result<TrustState, ApiError> {
        let (places, opened) = (self.inner.places.clone(), lock(&self.inner.desk).paths());
        let loaded = self.loaded().await;
        blocking(move || {
            let trusted = Trusted::try_read(&places)?;
            let mut waiting = Roots::of(opened, &trusted).waiting;
            waiting.extend(outside(&loaded.set).map(|(_, target)| target).filter(|target| !is_of_the_system(target)));
            waiting.sort();
            waiting.dedup();
            let shown = |places: Vec<Utf8PathBuf>| places.into_iter().map(Utf8PathBuf::into_string).collect();
            Ok(TrustState { trusted: shown(trusted.list()), waiting: shown(waiting) })
        })
        .await
    }

    /// Trusts a folder or a file with all that is in it, from now on and for every project.
    pub async fn trust_add(&self, args: PathArgs) -> Result<TrustState, ApiError> {
        let path = absolute(Utf8Path::new(&args.path));
        let found = path.canonicalize_utf8().map_err(|error| ApiError::io(&path, Tried::Trust, error))?;
        let refused = |reason: Message| {
            Err(ApiError::new(Code::Invalid, message!("{path} {reason}", "{path} {reason}"; reason)).at(&path))
        };
        if is_of_the_system(&path) || is_of_the_system(&found) {
            return refused(message!("belongs to the system, and is not for a model", "属于系统，不应交给模型"));
        }
        if found.parent().is_none() {
            return refused(message!(
                "is the whole machine; trust only the folder you need",
                "是整台电脑；请只信任需要的文件夹"
            ));
        }
        self.change_trusted(move |trusted| {
            trusted.places.insert(found);
            Ok(())
        })
        .await
    }

    /// Stops trusting a place.
    pub async fn trust_remove(&self, args: PathArgs) -> Result<TrustState, ApiError> {
        let path = absolute(Utf8Path::new(&args.path));
        self.change_trusted(move |trusted| {
            let spelled = [Some(path.clone()), disk::real(&path)];
            match spelled.into_iter().flatten().find(|path| trusted.places.remove(path)) {
                Some(_) => Ok(()),
                None => Err(ApiError::new(Code::NotFound, message!("{path} is not trusted", "{path} 未被信任"))
                    .hint(message!(
                        "`skillbench trust list` shows what is trusted",
                        "`skillbench trust list` 会列出受信任的位置"
                    ))
                    .at(&path)),
            }
        })
        .await
    }

    /// A project's policy with its Python environment by its real path, which is in what the user opened or trusts.
    pub(super) async fn readable_venv(&self, policy: Policy, roots: &[Utf8PathBuf]) -> Result<Policy, ApiError> {
        let Some(venv) = policy.venv.clone().map(Utf8PathBuf::from) else { return Ok(policy) };
        let (places, roots) = (self.inner.places.clone(), roots.to_vec());
        blocking(move || {
            let venv = absolute(&venv);
            let real = Open::now(&roots, &places).through(&venv)?;
            if !real.join(VENV_MARK).is_file() {
                return Err(ApiError::new(
                    Code::Invalid,
                    message!(
                        "{venv}, the `venv` of workbench.yaml, is not a Python environment",
                        "workbench.yaml 中的 `venv`（{venv}）不是 Python 虚拟环境"
                    ),
                )
                .hint(message!("make one with `python3 -m venv {venv}`", "可用 `python3 -m venv {venv}` 建立"))
                .at(&venv));
            }
            Ok(Policy { venv: Some(real.into_string()), ..policy })
        })
        .await
    }

    /// Other links are followed now.
    fn watch_again(&self, folders: &[Utf8PathBuf], trusted: &Trusted) {
        let mut watcher = lock(&self.inner.watcher);
        let Some(watcher) = watcher.as_mut() else { return };
        for folder in folders {
            if let Err(error) = watcher.add(folder, trusted.unmoved()) {
                tracing::warn!(%error, %folder, "the folder is not watched");
            }
        }
    }

    async fn change_trusted(
        &self,
        change: impl FnOnce(&mut Trusted) -> Result<(), ApiError> + Send + 'static,
    ) -> Result<TrustState, ApiError> {
        let (bench, folders) = (self.clone(), self.roots().await);
        blocking(move || {
            let places = &bench.inner.places;
            let path = places.trusted();
            let _turn = disk::turn(&path).map_err(|error| ApiError::io(&path, Tried::Change, error))?;
            let mut trusted = Trusted::try_read(places)?;
            change(&mut trusted)?;
            trusted.write(places)?;
            bench.watch_again(&folders, &trusted);
            Ok::<_, ApiError>(())
        })
        .await?;
        self.forget_loaded();
        // The set of skills has changed: views read it again.
        (self.inner.push)(Push::FilesChanged(FilesChanged { paths: Vec::new() }));
        self.trust_list(NoArgs {}).await
    }
}

/// Refuses a run without the skills that a link in a folder of skills would bring in: the user would wonder why they
/// are missing. Other targets of links are left out without a question, and the run and Inspect report that.
/// `untrusted`: the targets of such links.
pub(super) fn check(untrusted: &[Utf8PathBuf]) -> Result<(), ApiError> {
    let Some(first) = untrusted.first() else { return Ok(()) };
    let listed: Vec<&str> = untrusted.iter().map(|path| path.as_str()).collect();
    Err(ApiError::new(
        Code::Untrusted,
        message!(
            "links lead to skills outside of the folders that you opened: {}",
            "有链接指向你所打开文件夹之外的技能：{}",
            listed.join(", ")
        ),
    )
    .hint(message!(
        "look at them; if they may be shown to a model, run `skillbench trust add {first}`",
        "请先查看；如果可以给模型看，请运行 `skillbench trust add {first}`"
    ))
    .at(first))
}

/// Targets of links that would add a skill: a folder with a `SKILL.md`, or a `SKILL.md`. Their contents are not read.
pub(super) fn skills_outside(set: &SkillSet) -> Vec<Utf8PathBuf> {
    if outside(set).next().is_none() {
        return Vec::new();
    }
    let places = skill::places(set);
    let skills: BTreeSet<&Utf8Path> = places.iter().map(skill::SkillPlace::path).collect();
    let found = outside(set).filter(|(link, target)| {
        let is_manifest = link.file_name().is_some_and(|name| name.eq_ignore_ascii_case(manifest::FILE_NAME));
        let is_within_skill = link.ancestors().skip(1).any(|folder| skills.contains(folder));
        is_manifest || !is_within_skill && target.join(manifest::FILE_NAME).is_file()
    });
    found.map(|(_, target)| target).collect::<BTreeSet<_>>().into_iter().collect()
}

/// A run's note about links that were not followed, with the texts of Inspect: skills, or files of skills, that the
/// model does not see.
pub(super) fn left_out(set: &SkillSet) -> Vec<Message> {
    let links: Vec<(&Utf8Path, Utf8PathBuf)> = outside(set).collect();
    let named = links.iter().take(LINKS_NAMED).map(|(link, target)| {
        let words = harness::link_outside(target.as_str());
        message!(
            "{link}: {words} (`skillbench trust add {target}`)",
            "{link}：{words}（`skillbench trust add {target}`）";
            words
        )
    });
    let more = links.len().saturating_sub(LINKS_NAMED);
    let rest = (more > 0).then(|| {
        message!(
            "{more} more links lead outside of the opened folders; `skillbench trust list` shows their targets",
            "还有 {more} 个链接指向所打开的文件夹之外；`skillbench trust list` 会列出它们的目标"
        )
    });
    named.chain(rest).collect()
}

/// A run names so many links that it does not follow.
const LINKS_NAMED: usize = 5;

/// Links that were not followed, and where they lead.
fn outside(set: &SkillSet) -> impl Iterator<Item = (&Utf8Path, Utf8PathBuf)> {
    set.problems.iter().filter_map(|problem| match &problem.kind {
        ProblemKind::LinkOutside { target } => Some((&*problem.path, Utf8PathBuf::from(target))),
        _ => None,
    })
}

/// The real paths of all that may be read.
pub(super) struct Open(Vec<Utf8PathBuf>);

impl Open {
    pub(super) fn of(opened: &[Utf8PathBuf], trusted: &Trusted) -> Self {
        Self(where_they_are(opened).into_iter().chain(trusted.unmoved()).collect())
    }

    /// The opened folders and trusted places, as they are now.
    pub(super) fn now(roots: &[Utf8PathBuf], places: &Places) -> Self {
        Self::of(roots, &Trusted::read(places))
    }

    /// The real path, if it is in an open place. Reading and writing must use this path: for a link, its target counts.
    pub(super) fn through(&self, path: &Utf8Path) -> Result<Utf8PathBuf, ApiError> {
        match disk::real(path) {
            Some(real) if self.holds(&real) => Ok(real),
            Some(real) => Err(ApiError::new(
                Code::Untrusted,
                message!(
                    "{path} leads to {real}, outside of the folders that you opened",
                    "{path} 指向 {real}，在你所打开的文件夹之外"
                ),
            )
            .hint(message!(
                "look at it; if it may be read and written, run `skillbench trust add {real}`",
                "请先查看；如果可以读写，请运行 `skillbench trust add {real}`"
            ))
            .at(&real)),
            None if std::fs::symlink_metadata(path).is_ok() && !path.exists() => Err(ApiError::new(
                Code::NotFound,
                message!("{path} is a link that leads nowhere", "{path} 是失效的链接"),
            )
            .hint(message!("delete the link, or create its target", "请删除链接，或创建它指向的目标"))
            .at(path)),
            None => Err(ApiError::new(
                Code::Untrusted,
                message!("cannot determine where {path} leads", "无法确定 {path} 指向哪里"),
            )
            .at(path)),
        }
    }

    /// The file, folder or link of this name itself, in the folder that really holds it: for what moves or deletes a
    /// link, and not what it leads to.
    pub(super) fn itself(&self, path: &Utf8Path) -> Result<Utf8PathBuf, ApiError> {
        match (path.parent(), path.file_name()) {
            (Some(folder), Some(name)) => Ok(self.through(folder)?.join(name)),
            _ => self.through(path),
        }
    }

    fn holds(&self, real: &Utf8Path) -> bool {
        self.0.iter().any(|place| real.starts_with(place))
    }
}

/// The real paths of opened folders. A link that the user opened on purpose is followed.
pub(super) fn where_they_are(opened: &[Utf8PathBuf]) -> Vec<Utf8PathBuf> {
    opened.iter().filter_map(|folder| disk::real(folder)).collect()
}
