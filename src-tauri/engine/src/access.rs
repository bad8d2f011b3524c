//! What may happen in a run without a question. The rule: effects that run or write something need the user's consent,
//! and so does whatever the framework itself asks about. If there is no user to ask, they do not happen. Looking at
//! files outside of the folders that the user opened or trusts is refused if the framework does not ask about it,
//! unless the user wants the framework's real behaviour. Keys there are never given to a model, whoever asks.

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use super::standing::{Concern, SkillPrint};
use crate::effect;
use crate::tool::reach::Reach;
use crate::tool::{fingerprint, landing};
use config::Policy;
use harness::{Catalog, CatalogSkill, Effect, Harness};
use skill::paths::Paths;
use trace::{Program, Subject};

/// Something that the user is asked about.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Question {
    pub(super) subject: Subject,
    /// What "allow for this run" would allow.
    pub(super) scope: Scope,
    /// For what an answer can hold longer than the run.
    pub(super) concern: Option<Concern>,
    /// The framework looks outside of the folders in which nothing is asked.
    pub(super) outside: bool,
    /// `false`: there is no question, since the framework would not ask.
    pub(super) is_asked: bool,
}

impl Question {
    fn new(subject: Subject, scope: Scope) -> Self {
        Self { subject, scope, concern: None, outside: false, is_asked: true }
    }

    fn of(self, concern: Option<Concern>) -> Self {
        let known = concern.as_ref().filter(|concern| concern.is_known());
        let skills = known.map(Concern::names).unwrap_or_default();
        Self { subject: Subject { skills, ..self.subject }, concern, ..self }
    }

    /// The effect must run in a sandbox, and none works here: it will be refused, so there is no question about it.
    pub(super) fn lacks_sandbox(&self, effect: &Effect) -> bool {
        effect::program(effect).is_some() && self.subject.enforcement.is_none()
    }
}

/// What one answer may cover for the rest of the run: the same thing again, and nothing else of its kind.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Scope {
    /// The same script, with its skill, or the project that it is in, unchanged, with any arguments.
    Script { path: Utf8PathBuf, digest: String },
    /// The same words, in the same folder, over unchanged skills and an unchanged folder of the run.
    Command { command: String, folder: Option<Utf8PathBuf>, digest: String },
    /// The same lines at the same time, in the same folder, over unchanged skills and an unchanged folder of the run.
    Commands { commands: Vec<String>, folder: Option<Utf8PathBuf>, digest: String },
    /// The same texts in the same files.
    Writes { files: Vec<(Utf8PathBuf, String)> },
    /// The same text in the same file.
    Write { path: Utf8PathBuf, text: String },
    /// The same file or folder, and what is below it.
    Look { path: Utf8PathBuf },
    /// The same skill.
    Disclose { skill: String },
    /// The same model.
    Model { model: String },
    /// Nothing more: it would be impossible to find out whether it is the same again.
    Once,
}

impl Scope {
    /// What may be read or written if the user agrees.
    pub(super) fn place(&self) -> Option<&Utf8PathBuf> {
        match self {
            Self::Look { path } | Self::Write { path, .. } => Some(path),
            Self::Script { .. }
            | Self::Command { .. }
            | Self::Commands { .. }
            | Self::Writes { .. }
            | Self::Disclose { .. }
            | Self::Model { .. }
            | Self::Once => None,
        }
    }

    pub(super) fn covers(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Look { path }, Self::Look { path: other }) => other.starts_with(path),
            (Self::Once, _) => false,
            _ => self == other,
        }
    }
}

/// The folders in which nothing is asked, as they are when a run begins. What becomes of them in the meantime opens
/// nothing.
#[derive(Debug, Clone)]
pub(super) struct Open {
    working_directory: Utf8PathBuf,
    /// Their paths as named, and their real paths.
    folders: Vec<(Utf8PathBuf, Utf8PathBuf)>,
}

impl Open {
    /// `roots`: the folders that the user opened or trusts.
    pub(super) async fn of(working_directory: &Utf8Path, roots: &[Utf8PathBuf]) -> Self {
        let named: Vec<Utf8PathBuf> =
            std::iter::once(working_directory.to_owned()).chain(roots.iter().cloned()).collect();
        Self::to(working_directory, &named).await
    }

    /// These folders alone; paths are taken from the working directory, which is none of them.
    pub(super) async fn to(working_directory: &Utf8Path, roots: &[Utf8PathBuf]) -> Self {
        let named = roots.to_vec();
        let find =
            move || named.into_iter().filter_map(|folder| Some((folder.clone(), disk::real(&folder)?))).collect();
        let folders = tokio::task::spawn_blocking(find).await.unwrap_or_default();
        Self { working_directory: working_directory.to_owned(), folders }
    }

    /// What may be read without a question.
    pub(super) fn reach(&self) -> Reach {
        Reach::to(self.folders.iter().map(|(_, real)| real.clone()))
    }
}

/// The question to the user about an effect; `None`: none. Resolves paths as they are at this moment. `effect`: with
/// its paths as they really are; `paths`: by which the catalogue names its folders.
pub(super) fn question(
    harness: &dyn Harness,
    effect: &Effect,
    catalog: &Catalog,
    open: &Open,
    policy: &Policy,
    paths: &Paths,
) -> impl Future<Output = Option<Question>> + Send + use<> {
    let effect = effect.clone();
    let folder = |skill: &CatalogSkill| paths.real(skill.path.as_ref()?);
    let skills = catalog.skills.iter().filter_map(|skill| Some((skill.name.clone(), folder(skill)?))).collect();
    let foreign = Foreign {
        environment: policy.venv.is_some(),
        command_line: catalog.options.agent_framework.script_command.is_some(),
        skill: catalog.skills.iter().any(|skill| skill.path.is_none()),
    };
    let ground = Ground { open: open.clone(), skills, foreign, asks_outside: harness.asks_outside() };
    async move {
        let asked = tokio::task::spawn_blocking(move || ground.question(&effect)).await;
        asked.unwrap_or_else(|_| Some(Question::new(Subject::default(), Scope::Once)))
    }
}

/// The path that an effect looks at, as the framework says it.
pub(super) fn looked_at(effect: &Effect) -> Option<&Utf8Path> {
    match effect {
        Effect::ReadFile { path, .. }
        | Effect::ListFolder { path, .. }
        | Effect::FindFiles { path, .. }
        | Effect::FileHistory { path, .. }
        | Effect::SearchFiles { path, .. } => Some(path),
        Effect::RunScript { .. }
        | Effect::Shell { .. }
        | Effect::Shells { .. }
        | Effect::WriteFile { .. }
        | Effect::WriteFiles { .. }
        | Effect::Disclose { .. }
        | Effect::AskModel { .. }
        | Effect::Delegate(_)
        | Effect::Summarise { .. } => None,
    }
}

/// The folders and files on disk that a run is about.
struct Ground {
    open: Open,
    /// With their names.
    skills: Vec<(String, Utf8PathBuf)>,
    foreign: Foreign,
    /// The framework asks before it looks elsewhere.
    asks_outside: bool,
}

/// Files of a project that decide what runs, and are in no skill's folder.
#[derive(Debug, Clone, Copy, Default)]
struct Foreign {
    /// A Python environment.
    environment: bool,
    /// That starts scripts.
    command_line: bool,
    /// One that is written in the project file.
    skill: bool,
}

impl Ground {
    fn question(&self, effect: &Effect) -> Option<Question> {
        let (looked_at, always) = match effect {
            // Questions about a sub-agent's effects come when it asks for them.
            Effect::Delegate(_) | Effect::Summarise { .. } => return None,
            Effect::Disclose { skill, .. } => {
                let scope = Scope::Disclose { skill: skill.clone() };
                return Some(Question::new(Subject::default(), scope));
            }
            Effect::AskModel { model } => {
                let scope = Scope::Model { model: model.clone() };
                return Some(Question::new(Subject::default(), scope));
            }
            Effect::RunScript { path, interpreter, .. } => {
                let place = self.place(path);
                let run: Vec<_> = std::iter::once(place.said.clone()).chain(self.around(&place.said)).collect();
                // Programs read settings in the folder of the run, which is their HOME, and some run files there.
                let whole =
                    fingerprint::of(&[run.clone(), fingerprint::settings(&self.open.working_directory)].concat());
                let scope = match (place.real, &whole) {
                    (Some(path), Some(digest)) => Scope::Script { path, digest: digest.clone() },
                    _ => Scope::Once,
                };
                // Of a skill that is too large to be read whole at least the script stays the same.
                let digest = whole.or_else(|| fingerprint::of(&run[..1]));
                let concern = Some(self.concern_of_script(&place.said, interpreter));
                let subject = Subject { leads_to: place.leads_to, digest, ..Subject::default() };
                return Some(Question::new(subject, scope).of(concern));
            }
            Effect::Shells { commands, working_directory, .. } => {
                let digest = self.digest_of_commands();
                let (commands, folder) = (commands.clone(), working_directory.clone());
                let scope = digest.clone().map_or(Scope::Once, |digest| Scope::Commands { commands, folder, digest });
                let question = Question::new(Subject { digest, ..Subject::default() }, scope);
                return Some(question.of(Some(self.concern_of_command())));
            }
            Effect::Shell { command, working_directory, .. } => {
                let digest = self.digest_of_commands();
                let (command, folder) = (command.clone(), working_directory.clone());
                let scope = digest.clone().map_or(Scope::Once, |digest| Scope::Command { command, folder, digest });
                let question = Question::new(Subject { digest, ..Subject::default() }, scope);
                return Some(question.of(Some(self.concern_of_command())));
            }
            Effect::WriteFile { path, text } => {
                let place = self.place(path);
                let subject = Subject { leads_to: place.leads_to, ..Subject::default() };
                // A link that leads nowhere is replaced by the file.
                let real = place.real.or_else(|| landing(&place.said));
                let scope = real.map_or(Scope::Once, |path| Scope::Write { path, text: text.clone() });
                return Some(Question::new(subject, scope));
            }
            Effect::WriteFiles { files } => {
                // Those that would land elsewhere are not written.
                let straight = files.iter().filter_map(|file| {
                    let place = self.place(&file.path);
                    let real = place.real.or_else(|| landing(&place.said)).filter(|_| place.leads_to.is_none());
                    Some((real?, file.text.clone()))
                });
                return Some(Question::new(Subject::default(), Scope::Writes { files: straight.collect() }));
            }
            Effect::ReadFile { path, approval } => (path, *approval),
            // Earlier versions may hold something that was deleted on purpose.
            Effect::FileHistory { path, .. } => (path, true),
            Effect::ListFolder { path, .. } | Effect::FindFiles { path, .. } | Effect::SearchFiles { path, .. } => {
                (path, false)
            }
        };
        let place = self.place(looked_at);
        let subject = Subject { leads_to: place.leads_to, ..Subject::default() };
        let outside = !place.inside;
        let is_asked = always || self.asks_outside;
        let scope = place.real.map_or(Scope::Once, |path| Scope::Look { path });
        (always || outside).then(|| Question { outside, is_asked, ..Question::new(subject, scope) })
    }

    /// The skill that a script belongs to: one that is reached by a link into another skill belongs to neither. Of skills
    /// within skills it is each of them.
    fn concern_of_script(&self, script: &Utf8Path, interpreter: &str) -> Concern {
        let real = disk::real(script);
        let mut around: Vec<(String, Utf8PathBuf)> = Vec::new();
        for (name, folder) in &self.skills {
            let is_real =
                || real.as_ref().zip(disk::real(folder)).is_some_and(|(real, folder)| real.starts_with(folder));
            if script.starts_with(folder) || is_real() {
                around.push((name.clone(), folder.clone()));
            }
        }
        let skills: Vec<SkillPrint> = around.iter().filter_map(|(name, folder)| print(name, folder)).collect();
        let is_inside = |skill: &SkillPrint| real.as_ref().is_some_and(|real| real.starts_with(&skill.folder));
        let own_runner = script.extension().and_then(harness::interpreter);
        let is_usual = own_runner.is_some_and(|usual| match usual {
            "bash" => ["bash", "sh"].contains(&interpreter),
            usual => interpreter == usual,
        });
        let passing = around.len() != 1
            || !skills.iter().all(is_inside)
            || !is_usual
            || self.foreign.environment
            || self.has_settings();
        let places = around.into_iter().map(|(_, folder)| folder);
        let places =
            places.chain([script.to_owned()]).chain(real).chain(skills.iter().map(|skill| skill.folder.clone()));
        Concern { program: Program::Scripts, places: places.collect(), skills, passing }
    }

    /// Of what commands may run, however they spell its path.
    fn digest_of_commands(&self) -> Option<String> {
        let skills = self.skills.iter().map(|(_, path)| path.clone());
        fingerprint::of(&skills.chain([self.open.working_directory.clone()]).collect::<Vec<_>>())
    }

    fn concern_of_command(&self) -> Concern {
        let skills: Vec<SkillPrint> = self.skills.iter().filter_map(|(name, folder)| print(name, folder)).collect();
        let Foreign { environment, command_line, skill } = self.foreign;
        let passing = skills.len() > REMEMBERED
            || skills.len() < self.skills.len()
            || environment
            || command_line
            || skill
            || self.has_settings();
        let named = self.skills.iter().map(|(_, folder)| folder.clone());
        let places = named.chain(skills.iter().map(|skill| skill.folder.clone())).collect();
        Concern { program: Program::Commands, skills, places, passing }
    }

    /// The folder of the run is the home of what runs: programs look there for settings and for more programs, which
    /// another skill may have left.
    fn has_settings(&self) -> bool {
        !fingerprint::settings(&self.open.working_directory).is_empty()
    }

    /// The folders that a script may use without leaving the place where it belongs: its skill; for one of a project
    /// file, the folder that the user opened; else the folder that it is in.
    fn around(&self, script: &Utf8Path) -> Vec<Utf8PathBuf> {
        let holds = |folder: &&Utf8PathBuf| script.starts_with(folder);
        let skills: Vec<_> = self.skills.iter().map(|(_, folder)| folder).filter(holds).cloned().collect();
        if !skills.is_empty() {
            return skills;
        }
        let opened = self.open.folders.iter().map(|(named, _)| named).find(holds);
        opened.map(|folder| &**folder).or_else(|| script.parent()).map(Utf8Path::to_owned).into_iter().collect()
    }

    /// Finds out where a path leads.
    fn place(&self, path: &Utf8Path) -> Reached {
        let Open { working_directory, folders } = &self.open;
        let said = working_directory.join(path);
        let real = disk::real(&said);
        let inside = real.as_ref().is_some_and(|real| folders.iter().any(|(_, folder)| real.starts_with(folder)));
        // A link on the way to a folder that the user opened is none of the skill's doing.
        let expected = folders.iter().find_map(|(folder, real)| Some(real.join(said.strip_prefix(folder).ok()?)));
        let expected = expected.unwrap_or_else(|| said.clone());
        let climbs = expected.components().any(|part| part == Utf8Component::ParentDir);
        let leads_to = real.clone().filter(|real| climbs || expected.components().ne(real.components()));
        Reached { said, real, leads_to, inside }
    }
}

/// With more skills than this in a run, commands cannot be allowed permanently: users could not know what they agree
/// to.
const REMEMBERED: usize = 64;

fn print(name: &str, folder: &Utf8Path) -> Option<SkillPrint> {
    let folder = disk::real(folder)?;
    let digest = fingerprint::of_content(&folder);
    Some(SkillPrint { name: name.to_owned(), folder, digest })
}

struct Reached {
    said: Utf8PathBuf,
    /// `None`: it is unknown where it leads.
    real: Option<Utf8PathBuf>,
    /// `real`, if `said` does not say it.
    leads_to: Option<Utf8PathBuf>,
    /// In a folder in which nothing is asked.
    inside: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders() -> (tempfile::TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
        std::fs::create_dir_all(path.join("skills/demo/scripts")).unwrap();
        std::fs::write(path.join("skills/demo/scripts/run.sh"), "echo 1").unwrap();
        std::fs::create_dir_all(path.join("work")).unwrap();
        std::fs::write(path.join("secret"), "").unwrap();
        (folder, path)
    }

    fn ground(path: &Utf8Path) -> Ground {
        let folders = ["work", "skills"].map(|name| (path.join(name), path.join(name))).to_vec();
        let open = Open { working_directory: path.join("work"), folders };
        let skills = vec![("demo".into(), path.join("skills/demo"))];
        Ground { open, skills, foreign: Foreign::default(), asks_outside: false }
    }

    fn read(path: impl Into<Utf8PathBuf>) -> Effect {
        Effect::ReadFile { path: path.into(), approval: false }
    }

    fn script(path: impl Into<Utf8PathBuf>, argument: &str) -> Effect {
        Effect::RunScript {
            skill: "demo".into(),
            script: "run.sh".into(),
            path: path.into(),
            interpreter: "bash".into(),
            arguments: vec![argument.into()],
            approval: false,
            working_directory: None,
        }
    }

    fn shell(command: &str) -> Effect {
        Effect::Shell { command: command.into(), working_directory: None, timeout: None }
    }

    #[test]
    fn a_path_is_inside_by_where_it_leads() {
        let (_folder, path) = folders();
        let inside = |within: &str| ground(&path).place(&path.join("skills").join(within)).inside;
        assert!(inside("") && inside("demo") && inside("demo/not/there") && inside("gone/../demo"));
        assert!(!inside("../secret") && !inside("gone/../../secret") && !inside("..") && !inside("../skills-too"));
    }

    #[test]
    fn a_script_is_asked_about_again_once_its_home_holds_what_interpreters_read_by_themselves() {
        let (_folder, path) = folders();
        let scope = || ground(&path).question(&script(path.join("skills/demo/scripts/run.sh"), "")).unwrap().scope;
        let before = scope();
        std::fs::write(path.join("work/note.txt"), "x").unwrap();
        assert_eq!(scope(), before, "what it writes otherwise runs nowhere");
        std::fs::create_dir_all(path.join("work/.local/lib")).unwrap();
        let with_folder = scope();
        std::fs::write(path.join("work/.local/lib/usercustomize.py"), "x").unwrap();
        assert!(with_folder != before && scope() != with_folder && scope() != before);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_out_is_outside() {
        let (_folder, path) = folders();
        let skills = path.join("skills");
        std::os::unix::fs::symlink(&path, skills.join("up")).unwrap();
        std::os::unix::fs::symlink("../elsewhere", skills.join("broken")).unwrap();
        let inside = |within: &str| ground(&path).place(&skills.join(within)).inside;
        assert!(!inside("up/secret") && !inside("up/not-there"));
        assert!(inside("up/skills/demo"), "and back in");
        assert!(!inside("broken"), "what cannot be told is outside");
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_becomes_a_link_opens_nothing() {
        let (_folder, path) = folders();
        let ground = ground(&path);
        std::fs::rename(path.join("work"), path.join("moved")).unwrap();
        std::os::unix::fs::symlink(&path, path.join("work")).unwrap();
        assert!(ground.question(&read("secret")).is_some());
    }

    #[test]
    fn a_script_concerns_its_skill_and_a_command_all_of_them() {
        let (_folder, path) = folders();
        std::fs::create_dir_all(path.join("skills/other")).unwrap();
        let mut ground = ground(&path);
        ground.skills.push(("other".into(), path.join("skills/other")));
        let concern = |effect: &Effect| ground.question(effect).unwrap().concern;
        let names = |effect: &Effect| concern(effect).map(|concern| (concern.program, concern.names()));
        let run = script(path.join("skills/demo/scripts/run.sh"), "1");
        assert_eq!(names(&run), Some((Program::Scripts, vec!["demo".into()])));
        assert_eq!(names(&shell("ls")), Some((Program::Commands, vec!["demo".into(), "other".into()])));
        assert_eq!(
            names(&script(path.join("skills/loose.sh"), "1")),
            Some((Program::Scripts, Vec::new())),
            "of no skill"
        );
        assert_eq!(names(&Effect::WriteFile { path: "a".into(), text: String::new() }), None, "no sandbox holds it");
        let before = concern(&run);
        std::fs::write(path.join("skills/demo/table.md"), "text").unwrap();
        assert_ne!(concern(&run), before, "any file of the skill");
    }

    #[cfg(unix)]
    #[test]
    fn a_script_that_a_link_brings_in_concerns_no_skill() {
        let (_folder, path) = folders();
        std::os::unix::fs::symlink(path.join("secret"), path.join("skills/demo/scripts/linked.sh")).unwrap();
        let asked = ground(&path).question(&script(path.join("skills/demo/scripts/linked.sh"), "1")).unwrap();
        let concern = asked.concern.unwrap();
        assert!(!concern.is_known() && asked.subject.skills.is_empty());
        assert!(concern.places.contains(&path.join("secret")), "what never runs does not run through a link");
    }

    /// Each of these lets a project file, or another skill, decide what runs.
    #[test]
    fn a_yes_holds_for_the_run_alone_if_more_than_the_skill_decides_what_runs() {
        let (_folder, path) = folders();
        let run = script(path.join("skills/demo/scripts/run.sh"), "1");
        let known = |ground: &Ground, effect: &Effect| ground.question(effect).unwrap().concern.unwrap().is_known();
        let plain = ground(&path);
        assert!(known(&plain, &run) && known(&plain, &shell("ls")));
        let with = |foreign| Ground { foreign, ..ground(&path) };
        let environment = with(Foreign { environment: true, ..Foreign::default() });
        assert!(!known(&environment, &run) && !known(&environment, &shell("ls")));
        let command_line = with(Foreign { command_line: true, ..Foreign::default() });
        assert!(!known(&command_line, &shell("ls")));
        let inline = with(Foreign { skill: true, ..Foreign::default() });
        assert!(known(&inline, &run) && !known(&inline, &shell("ls")), "its text may say what to type");
        let mut by_another = run.clone();
        if let Effect::RunScript { interpreter, .. } = &mut by_another {
            *interpreter = "env".into();
        }
        assert!(!known(&plain, &by_another), "`env a=b` runs what follows");
        std::fs::write(path.join("skills/demo/table.md"), "").unwrap();
        assert!(!known(&plain, &script(path.join("skills/demo/table.md"), "1")), "a page is no script");
        std::fs::create_dir(path.join("work/.node_modules")).unwrap();
        assert!(!known(&plain, &run) && !known(&plain, &shell("ls")), "what another left in the home of both");
    }

    #[test]
    fn a_script_touches_all_skills_around_it_however_it_is_spelt() {
        let (_folder, path) = folders();
        std::fs::create_dir_all(path.join("skills/demo/inner")).unwrap();
        std::fs::write(path.join("skills/demo/inner/run.sh"), "").unwrap();
        let mut ground = ground(&path);
        ground.skills.push(("inner".into(), path.join("skills/demo/inner")));
        let concern = |spelt: &str| ground.question(&script(path.join(spelt), "1")).unwrap().concern.unwrap();
        for spelt in ["skills/demo/inner/run.sh", "skills/other/../demo/inner/run.sh"] {
            std::fs::create_dir_all(path.join("skills/other")).unwrap();
            let concern = concern(spelt);
            assert_eq!(concern.names(), ["demo", "inner"], "{spelt}");
            assert!(!concern.is_known());
            assert!(concern.places.contains(&path.join("skills/demo/inner/run.sh")), "{concern:?}");
        }
    }

    #[test]
    fn a_command_touches_all_skills_however_many() {
        let (_folder, path) = folders();
        let mut ground = ground(&path);
        for number in 0..REMEMBERED {
            let folder = path.join(format!("skills/s{number}"));
            std::fs::create_dir(&folder).unwrap();
            ground.skills.push((format!("s{number}"), folder));
        }
        let concern = ground.question(&shell("ls")).unwrap().concern.unwrap();
        assert!(!concern.is_known());
        assert!(concern.skills.len() == REMEMBERED + 1 && concern.places.contains(&path.join("skills/demo")));
    }

    #[cfg(unix)]
    #[test]
    fn asks_about_what_a_linked_skill_holds_and_says_where_it_leads() {
        let (_folder, path) = folders();
        std::fs::create_dir(path.join("private")).unwrap();
        std::os::unix::fs::symlink(path.join("private"), path.join("skills/linked")).unwrap();
        let mut ground = ground(&path);
        ground.skills.push(("linked".into(), path.join("skills/linked")));
        let asked = ground.question(&read(path.join("skills/linked/diary.md")));
        let real = path.join("private/diary.md");
        let subject = Subject { leads_to: Some(real.clone()), ..Subject::default() };
        let question = Question { outside: true, ..Question::new(subject, Scope::Look { path: real }) };
        assert_eq!(asked, Some(Question { is_asked: false, ..question.clone() }));
        ground.asks_outside = true;
        let asked = ground.question(&read(path.join("skills/linked/diary.md")));
        assert_eq!(asked, Some(question), "a framework that asks before it looks elsewhere");
        ground.asks_outside = false;
        let own = Effect::ReadFile { path: path.join("skills/linked/diary.md"), approval: true };
        assert!(ground.question(&own).unwrap().is_asked, "the framework itself asks");
        assert_eq!(ground.question(&read(path.join("skills/demo/table.md"))), None);
        assert_eq!(ground.question(&read("made.txt")), None, "a file of the run's own");
    }

    #[test]
    fn says_where_a_path_with_dots_leads() {
        let (_folder, path) = folders();
        let out = path.join("skills/demo/../../secret");
        let place = ground(&path).place(&out);
        assert_eq!((place.inside, place.leads_to), (false, Some(path.join("secret"))));
        let place = ground(&path).place(&path.join("skills/demo/scripts/run.sh"));
        assert_eq!((place.inside, place.leads_to), (true, None), "it says where it is");
    }

    #[test]
    fn allows_for_a_run_only_the_same_again() {
        let (_folder, path) = folders();
        let ground = ground(&path);
        let run = path.join("skills/demo/scripts/run.sh");
        let scope = |effect: &Effect| ground.question(effect).unwrap().scope;
        let first = scope(&script(&run, "1"));
        assert!(first.covers(&scope(&script(&run, "2"))), "the same script with other arguments");
        assert!(!first.covers(&scope(&script(path.join("secret"), "1"))), "another script");
        std::fs::write(path.join("skills/inline.sh"), ". ./helper.sh").unwrap();
        let inline = || scope(&script(path.join("skills/inline.sh"), "1"));
        let before = inline();
        assert!(before.covers(&inline()));
        std::fs::write(path.join("skills/helper.sh"), "").unwrap();
        assert!(!before.covers(&inline()), "a file next to a script of the project file");
        let alone = || scope(&script(path.join("elsewhere/x.sh"), "1"));
        std::fs::create_dir(path.join("elsewhere")).unwrap();
        let before = alone();
        std::fs::write(path.join("elsewhere/helper.sh"), "").unwrap();
        assert!(!before.covers(&alone()), "and next to one that is in no open folder");
        let command = format!("sh {run} 1");
        let line = scope(&shell(&command));
        assert!(line.covers(&scope(&shell(&command))));
        assert!(!line.covers(&scope(&shell(&format!("{command}; rm x")))), "another command");
        assert!(!line.covers(&first) && !first.covers(&line));
        let written = |to: &str, text: &str| scope(&Effect::WriteFile { path: to.into(), text: text.into() });
        assert!(written("a.txt", "1").covers(&written("a.txt", "1")));
        assert!(!written("a.txt", "1").covers(&written("b.txt", "1")), "another file");
        assert!(!written("a.txt", "1").covers(&written("a.txt", "2")), "another text");
        let folder = scope(&Effect::ListFolder { path: path.clone(), depth: 1 });
        let secret = scope(&read(path.join("secret")));
        assert!(folder.covers(&secret) && !secret.covers(&folder), "a folder with what is in it");
        std::fs::write(path.join("skills/demo/scripts/helper.sh"), "").unwrap();
        assert!(!first.covers(&scope(&script(&run, "1"))), "a file next to the script changes what it does");
        let before = scope(&script(&run, "1"));
        std::fs::write(path.join("work/made.txt"), "").unwrap();
        assert!(before.covers(&scope(&script(&run, "1"))), "what it makes");
        std::fs::create_dir_all(path.join("work/.local/lib")).unwrap();
        std::fs::write(path.join("work/.local/lib/usercustomize.py"), "").unwrap();
        assert!(
            !before.covers(&scope(&script(&run, "1"))),
            "settings that it made, which programs read at their start"
        );
        assert!(!line.covers(&scope(&shell(&command))));
        let spelled = scope(&shell("cd .. && sh skills/d*/scripts/run.sh"));
        std::fs::write(path.join("work/made.sh"), "").unwrap();
        assert!(!spelled.covers(&scope(&shell("cd .. && sh skills/d*/scripts/run.sh"))), "a file that it may run");
        assert!(!Scope::Once.covers(&Scope::Once));
    }
}
