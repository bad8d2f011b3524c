//! What may happen in a run without a question. The one rule: what runs, writes, or looks at files outside of the folders
//! that the user opened or trusts is asked first, and so is whatever the framework itself asks about. Where nobody is
//! there to ask, it does not happen.

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use crate::harness::{Catalog, Effect};
use crate::tool::fingerprint;
use crate::trace::Subject;

/// Something that the user is asked about.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Question {
    pub(super) subject: Subject,
    /// What "allow for this run" would allow.
    pub(super) scope: Scope,
}

/// What one answer may hold for, as long as the run goes on: the same thing again, and nothing else of its kind.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Scope {
    /// The same script, unchanged, with any arguments.
    Script { path: Utf8PathBuf, digest: Option<String> },
    /// The same words, in the same folder, over unchanged skills.
    Command { command: String, folder: Option<Utf8PathBuf>, digest: Option<String> },
    /// The same file.
    Write { path: Utf8PathBuf },
    /// The same file or folder, and what is below it.
    Look { path: Utf8PathBuf },
    /// The same skill.
    Disclose { skill: String },
    /// Nothing more: what it is could not be found out.
    Once,
}

impl Scope {
    pub(super) fn covers(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Look { path }, Self::Look { path: other }) => other.starts_with(path),
            (Self::Once, _) => false,
            _ => self == other,
        }
    }
}

/// What the user is asked about an effect; `None`: nothing. Takes the paths as they are at this moment.
pub(super) fn question(
    effect: &Effect,
    catalog: &Catalog,
    working_directory: &Utf8Path,
) -> impl Future<Output = Option<Question>> + Send + use<> {
    let effect = effect.clone();
    let ground = Ground {
        working_directory: working_directory.to_owned(),
        roots: catalog.roots.clone(),
        skills: catalog.skills.iter().filter_map(|skill| skill.path.clone()).collect(),
    };
    async move {
        let asked = tokio::task::spawn_blocking(move || ground.question(&effect)).await;
        asked.unwrap_or_else(|_| Some(Question { subject: Subject::default(), scope: Scope::Once }))
    }
}

/// What a run is about, on disk.
struct Ground {
    working_directory: Utf8PathBuf,
    /// The folders that the user opened or trusts.
    roots: Vec<Utf8PathBuf>,
    skills: Vec<Utf8PathBuf>,
}

impl Ground {
    fn question(&self, effect: &Effect) -> Option<Question> {
        let (looked_at, always) = match effect {
            // What a sub-agent does is asked about when it does it.
            Effect::Delegate(_) | Effect::Summarise { .. } => return None,
            Effect::Disclose { skill, .. } => {
                let scope = Scope::Disclose { skill: skill.clone() };
                return Some(Question { subject: Subject::default(), scope });
            }
            Effect::RunScript { path, .. } => {
                let place = self.place(path);
                let run: Vec<_> = self.skills_in(place.said.as_str()).chain([place.said.clone()]).collect();
                let digest = Some(fingerprint::of(&run));
                let scope = Scope::Script { path: place.real, digest: digest.clone() };
                return Some(Question { subject: Subject { leads_to: place.leads_to, digest }, scope });
            }
            Effect::Shell { command, working_directory, .. } => {
                let run: Vec<_> = self.skills_in(command).collect();
                let digest = (!run.is_empty()).then(|| fingerprint::of(&run));
                let subject = Subject { leads_to: None, digest: digest.clone() };
                let (command, folder) = (command.clone(), working_directory.clone());
                return Some(Question { subject, scope: Scope::Command { command, folder, digest } });
            }
            Effect::WriteFile { path, .. } => {
                let place = self.place(path);
                let subject = Subject { leads_to: place.leads_to, digest: None };
                return Some(Question { subject, scope: Scope::Write { path: place.real } });
            }
            Effect::ReadFile { path, approval } => (path, *approval),
            Effect::ListFolder { path, .. } | Effect::FindFiles { path, .. } | Effect::SearchFiles { path, .. } => {
                (path, false)
            }
        };
        let place = self.place(looked_at);
        let subject = Subject { leads_to: place.leads_to, digest: None };
        (always || !place.inside).then_some(Question { subject, scope: Scope::Look { path: place.real } })
    }

    /// The folders of the skills that a text names by their paths.
    fn skills_in(&self, text: &str) -> impl Iterator<Item = Utf8PathBuf> {
        self.skills.iter().filter(move |folder| text.contains(folder.as_str())).cloned()
    }

    /// Looks where a path leads.
    fn place(&self, path: &Utf8Path) -> Place {
        let said = self.working_directory.join(path);
        let real = resolved(&said);
        let open = std::iter::once(&self.working_directory).chain(&self.roots);
        let open: Vec<_> = open.filter_map(|folder| Some((folder, folder.canonicalize_utf8().ok()?))).collect();
        let inside = open.iter().any(|(_, folder)| real.starts_with(folder));
        // A link on the way to a folder that the user opened is none of the skill's doing.
        let expected = open.iter().find_map(|(folder, real)| Some(real.join(said.strip_prefix(folder).ok()?)));
        let expected = expected.unwrap_or_else(|| said.clone());
        let climbs = expected.components().any(|part| part == Utf8Component::ParentDir);
        let leads_to = (climbs || expected.components().ne(real.components())).then(|| real.clone());
        Place { said, real, leads_to, inside }
    }
}

struct Place {
    said: Utf8PathBuf,
    real: Utf8PathBuf,
    /// `real`, if `said` does not say it.
    leads_to: Option<Utf8PathBuf>,
    /// In a folder in which nothing is asked.
    inside: bool,
}

/// By where the paths really lead, so that a link that leads out is outside.
pub fn is_below_any(path: &Utf8Path, folders: &[Utf8PathBuf]) -> bool {
    let path = resolved(path);
    folders.iter().any(|folder| folder.canonicalize_utf8().is_ok_and(|folder| path.starts_with(folder)))
}

/// The path without links and dots. What of it does not exist cannot be a link, so it stays as it is, and `..` there
/// takes the part before it away.
fn resolved(path: &Utf8Path) -> Utf8PathBuf {
    if let Ok(resolved) = path.canonicalize_utf8() {
        return resolved;
    }
    match (path.parent(), path.components().next_back()) {
        (Some(parent), Some(Utf8Component::ParentDir)) => {
            let mut resolved = resolved(parent);
            resolved.pop();
            resolved
        }
        (Some(parent), Some(last)) => resolved(parent).join(last),
        _ => path.to_owned(),
    }
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
        Ground {
            working_directory: path.join("work"),
            roots: vec![path.join("skills")],
            skills: vec![path.join("skills/demo")],
        }
    }

    fn read(path: impl Into<Utf8PathBuf>) -> Effect {
        Effect::ReadFile { path: path.into(), approval: false }
    }

    fn script(path: impl Into<Utf8PathBuf>, argument: &str) -> Effect {
        Effect::RunScript {
            skill: "demo".into(),
            script: "run.sh".into(),
            path: path.into(),
            interpreter: "sh".into(),
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
        let skills = path.join("skills");
        let inside = |within: &str| is_below_any(&skills.join(within), std::slice::from_ref(&skills));
        assert!(inside("") && inside("demo") && inside("demo/not/there") && inside("gone/../demo"));
        assert!(!inside("../secret") && !inside("gone/../../secret") && !inside("..") && !inside("../skills-too"));
        assert!(!is_below_any(&skills, &[path.join("gone")]));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_out_is_outside() {
        let (_folder, path) = folders();
        let skills = path.join("skills");
        std::os::unix::fs::symlink(&path, skills.join("up")).unwrap();
        std::os::unix::fs::symlink("../elsewhere", skills.join("broken")).unwrap();
        let inside = |path: &Utf8Path| is_below_any(path, std::slice::from_ref(&skills));
        assert!(!inside(&skills.join("up/secret")) && !inside(&skills.join("up/not-there")));
        assert!(inside(&skills.join("up/skills/demo")), "and back in");
        assert!(inside(&path.join("skills/broken")), "a link that leads nowhere cannot be read either");
    }

    #[cfg(unix)]
    #[test]
    fn asks_about_what_a_linked_skill_holds_and_says_where_it_leads() {
        let (_folder, path) = folders();
        std::fs::create_dir(path.join("private")).unwrap();
        std::os::unix::fs::symlink(path.join("private"), path.join("skills/linked")).unwrap();
        let mut ground = ground(&path);
        ground.skills.push(path.join("skills/linked"));
        let asked = ground.question(&read(path.join("skills/linked/diary.md")));
        let real = path.join("private/diary.md");
        let subject = Subject { leads_to: Some(real.clone()), digest: None };
        assert_eq!(asked, Some(Question { subject, scope: Scope::Look { path: real } }));
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
        let command = format!("sh {run} 1");
        let line = scope(&shell(&command));
        assert!(line.covers(&scope(&shell(&command))));
        assert!(!line.covers(&scope(&shell(&format!("{command}; rm x")))), "another command");
        assert!(!line.covers(&first) && !first.covers(&line));
        let written = |to: &str| scope(&Effect::WriteFile { path: to.into(), text: String::new() });
        assert!(written("a.txt").covers(&written("a.txt")) && !written("a.txt").covers(&written("b.txt")));
        let folder = scope(&Effect::ListFolder { path: path.clone(), depth: 1 });
        let secret = scope(&read(path.join("secret")));
        assert!(folder.covers(&secret) && !secret.covers(&folder), "a folder with what is in it");
        std::fs::write(path.join("skills/demo/scripts/helper.sh"), "").unwrap();
        assert!(!first.covers(&scope(&script(&run, "1"))), "a file next to the script changes what it does");
        assert!(!line.covers(&scope(&shell(&command))));
        assert!(!Scope::Once.covers(&Scope::Once));
    }
}
