//! Translates effects and their results between the shown paths of a run's folders and the real ones.

use camino::{Utf8Path, Utf8PathBuf};

use harness::Effect;
use skill::paths::Paths;
use trace::{Enforcement, Subject};

/// An effect with its paths as they really are, from the root; `Err`: a path at which nothing is shown. Arguments of
/// programs stay as they are.
pub(super) fn real(effect: &Effect, work: &Utf8Path, paths: &Paths) -> Result<Effect, Utf8PathBuf> {
    if paths.are_real() {
        return Ok(effect.clone());
    }
    let from = paths.shown(work);
    let real = |path: &Utf8Path| {
        let shown = from.join(path);
        paths.real(&shown).ok_or(shown)
    };
    let mut effect = effect.clone();
    match &mut effect {
        Effect::ReadFile { path, .. }
        | Effect::WriteFile { path, .. }
        | Effect::ListFolder { path, .. }
        | Effect::FindFiles { path, .. }
        | Effect::FileHistory { path, .. }
        | Effect::SearchFiles { path, .. } => *path = real(path)?,
        Effect::RunScript { path, working_directory, .. } => {
            *path = real(path)?;
            *working_directory = working_directory.as_deref().map(real).transpose()?;
        }
        Effect::WriteFiles { files } => {
            for file in files {
                file.path = real(&file.path)?;
            }
        }
        Effect::Shell { working_directory, .. } | Effect::Shells { working_directory, .. } => {
            *working_directory = working_directory.as_deref().map(real).transpose()?;
        }
        Effect::Disclose { .. } | Effect::AskModel { .. } | Effect::Delegate(_) | Effect::Summarise { .. } => {}
    }
    Ok(effect)
}

/// The name of a path that an effect found, given the effect and the same with real paths: below the requested path it
/// is named like that path, elsewhere as the run shows it.
pub(super) fn found<'a>(
    said: &Effect,
    real: &'a Effect,
    work: &Utf8Path,
    paths: &'a Paths,
) -> impl Fn(Utf8PathBuf) -> Utf8PathBuf + use<'a> {
    let asked = looked_at(said).zip(looked_at(real)).map(|(said, real)| (paths.shown(work).join(said), real));
    move |found| match &asked {
        Some((said, real)) if found == **real => said.clone(),
        Some((said, real)) => found.strip_prefix(real).map_or_else(|_| paths.shown(&found), |within| said.join(within)),
        None => paths.shown(&found),
    }
}

fn looked_at(effect: &Effect) -> Option<&Utf8PathBuf> {
    match effect {
        Effect::ReadFile { path, .. }
        | Effect::ListFolder { path, .. }
        | Effect::FindFiles { path, .. }
        | Effect::FileHistory { path, .. }
        | Effect::SearchFiles { path, .. } => Some(path),
        _ => None,
    }
}

/// The subject of a question, for the record.
pub(super) fn subject(subject: Subject, paths: &Paths) -> Subject {
    Subject {
        leads_to: subject.leads_to.map(|real| paths.readable(&real)),
        enforcement: subject.enforcement.map(|enforcement| confined(enforcement, paths)),
        ..subject
    }
}

pub(super) fn confined(enforcement: Enforcement, paths: &Paths) -> Enforcement {
    Enforcement { interpreter: enforcement.interpreter.map(|program| paths.readable(&program)), ..enforcement }
}
