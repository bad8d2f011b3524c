//! Runs that show skills at `/skills` and their own folder at `/workspace`, so that they are the same on every machine
//! and contain no user's name.

use camino::{Utf8Path, Utf8PathBuf};

use super::error::{ApiError, Code};
use super::normal;
use config::{InlineResourceBody, InlineScriptBody, Policy, Project, SandboxMode};
use engine::tool::room;
use skill::SkillSet;
use skill::paths::{Paths, VENV, WORKSPACE};
use trace::{Event, RunSetup};
use wording::{Message, message};

/// Neutral places for what a harness loads. The paths in a project are named so, too.
pub(super) fn of(set: &SkillSet, project: &mut Project) -> Result<Paths, ApiError> {
    if cfg!(windows) {
        let message = message!("there are no neutral paths on Windows", "Windows 上没有中性路径");
        return Err(ApiError::new(Code::Invalid, message));
    }
    let homes: Vec<Utf8PathBuf> = project.harnesses.homes_mut().map(|home| home.as_str().into()).collect();
    let paths = Paths::neutral(set, &homes);
    let shown = |path: &mut String| {
        let real = normal(Utf8Path::new(&*path));
        if !paths.has(&real) {
            return Err(no_place(path));
        }
        *path = paths.shown(&real).into_string();
        Ok(())
    };
    project.harnesses.homes_mut().try_for_each(shown)?;
    for skill in &mut project.inline_skills {
        let scripts = skill.scripts.iter_mut().filter_map(|script| match &mut script.body {
            InlineScriptBody::File(file) => Some(file),
            InlineScriptBody::Result(_) => None,
        });
        let resources = skill.resources.iter_mut().filter_map(|resource| match &mut resource.body {
            InlineResourceBody::File(file) => Some(file),
            InlineResourceBody::Value(_) => None,
        });
        scripts.chain(resources).try_for_each(shown)?;
    }
    let folders = std::mem::take(&mut project.harnesses.agent_framework.folders);
    let folders =
        folders.into_iter().map(|(folder, options)| (paths.shown(folder.as_str().into()).into_string(), options));
    project.harnesses.agent_framework.folders = folders.collect();
    Ok(paths)
}

fn no_place(path: &str) -> ApiError {
    ApiError::new(
        Code::Invalid,
        message!(
            "workbench.yaml names {path}, which lies outside of the folders of skills and so has no neutral path",
            "workbench.yaml 提到 {path}，它位于技能文件夹之外，因此没有中性路径"
        ),
    )
    .hint(message!("move it there, or use real paths", "请把它移到那里，或使用真实路径"))
}

/// With what only a run has.
pub(super) fn of_run(paths: Paths, folder: &Utf8Path, policy: &Policy) -> Paths {
    if paths.are_real() {
        return paths;
    }
    let paths = paths.with(WORKSPACE, folder);
    match &policy.venv {
        Some(venv) => paths.with(VENV, Utf8Path::new(venv)),
        None => paths,
    }
}

/// Refuses settings that contradict neutral paths; returns a note for readers of the run.
pub(super) async fn check(paths: &Paths, policy: &Policy) -> Result<Option<Message>, ApiError> {
    if paths.are_real() {
        return Ok(None);
    }
    let refused = |message| {
        let hint = message!("run with real paths", "请使用真实路径运行");
        Err(ApiError::new(Code::Invalid, message).hint(hint))
    };
    match (policy.mode, room::shows_neutral_paths().await) {
        (SandboxMode::Off, _) => refused(message!(
            "without the sandbox, scripts and commands find the real paths; neutral paths need it",
            "没有沙箱时脚本和命令会看到真实路径；中性路径需要沙箱"
        )),
        (SandboxMode::Require, Err(why)) => refused(why),
        (SandboxMode::Prefer, Err(why)) => Ok(Some(why)),
        (SandboxMode::Prefer | SandboxMode::Require, Ok(())) => Ok(None),
    }
}

/// Events for a file that may go to others.
pub(super) fn for_others(mut events: Vec<Event>) -> Vec<Event> {
    events.iter_mut().filter_map(|event| event.kind.setup_mut()).for_each(RunSetup::for_others);
    events
}

#[cfg(test)]
mod tests {
    use super::*;
    use trace::{EventKind, NeutralPath, export};

    /// However an event came by what the run was given.
    #[test]
    fn a_file_for_others_names_the_home_folder_nowhere() {
        let (_, events) = export::from_jsonl(crate::bundled::RUN).expect("it ships with the program");
        let first = events.into_iter().next().expect("a run has a beginning");
        let mut setup = first.kind.setup().expect("it is the first").clone();
        let home = std::env::home_dir().expect("a home folder");
        let real = Utf8PathBuf::try_from(home.join("skills")).expect("UTF-8");
        setup.neutral = vec![NeutralPath { shown: "/skills".into(), real }];
        let kinds = [
            EventKind::Started { setup: setup.clone() },
            EventKind::Continued { setup: setup.clone() },
            EventKind::Forked { setup, edited: None, answered: false },
        ];
        let events = kinds.map(|kind| Event { kind, ..first.clone() });
        for event in for_others(events.to_vec()) {
            let real = event.kind.setup().map(|setup| setup.neutral[0].real.as_str());
            assert_eq!(real, Some("~/skills"), "{}", event.kind.word());
        }
    }
}
