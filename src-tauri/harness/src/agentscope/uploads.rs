//! The files that code execution copies to the folder where commands run: in the seed the scripts of all skills, in the
//! newest release all files of skills that are in no folder. All are read first and written together, so that the user
//! is asked only once.

use std::collections::VecDeque;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use super::{Variant, has_code_execution};
use crate::{Catalog, CatalogBody, CatalogSkill, Effect, NewFile, Performed, Session};

/// How far that has come in a conversation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Uploads {
    is_begun: bool,
    /// Files that are still to be read.
    todo: VecDeque<Upload>,
    /// Files to write, all at once.
    files: Vec<NewFile>,
}

#[derive(Debug, Clone, PartialEq)]
struct Upload {
    from: CatalogBody,
    to: Utf8PathBuf,
}

/// The next effect before the first request. Failures are only logged by the framework, and the rest is copied.
pub fn next(done: Option<Performed>, catalog: &Catalog, session: &mut Session) -> Option<Effect> {
    if !has_code_execution(catalog) {
        return None;
    }
    let uploads = &mut session.memory.agentscope.uploads;
    if !uploads.is_begun {
        let set = catalog.options.agentscope.work_dir.as_deref().filter(|folder| !folder.is_empty());
        let folder = set.map(Utf8PathBuf::from).or_else(|| session.working_directory.clone());
        let todo = folder.map(|folder| all(catalog, &folder)).unwrap_or_default();
        *uploads = Uploads { is_begun: true, todo, files: Vec::new() };
    }
    if let Some(done) = done
        && let Some(Upload { to: path, .. }) = uploads.todo.pop_front()
        && let Performed::Read { bytes } = done
        && let Ok(text) = String::from_utf8(bytes)
    {
        uploads.files.push(NewFile { path, text });
    }
    while let Some(Upload { from, to }) = uploads.todo.front() {
        match from {
            CatalogBody::File(path) => return Some(Effect::ReadFile { path: path.clone(), approval: false }),
            CatalogBody::Text(text) => uploads.files.push(NewFile { path: to.clone(), text: text.clone() }),
        }
        uploads.todo.pop_front();
    }
    let files = std::mem::take(&mut uploads.files);
    (!files.is_empty()).then_some(Effect::WriteFiles { files })
}

fn all(catalog: &Catalog, folder: &Utf8Path) -> VecDeque<Upload> {
    let is_seed = Variant::of(catalog) == Variant::Seed;
    let folder = if is_seed { folder.to_owned() } else { folder.join("skills") };
    let copies = |skill: &&CatalogSkill| is_seed || skill.path.is_none();
    let files = catalog.skills.iter().filter(copies).flat_map(|skill| {
        let files = skill.resources.iter().filter(|file| !is_seed || is_script(&file.name));
        files.map(move |file| (&skill.id, file))
    });
    let stays = |name: &str| Utf8Path::new(name).components().all(|part| matches!(part, Utf8Component::Normal(_)));
    files
        .filter(|(id, file)| stays(id) && stays(&file.name))
        .map(|(id, file)| Upload { from: file.body.clone(), to: folder.join(id).join(&file.name) })
        .collect()
}

/// `AgentSkill.getScriptResources`.
fn is_script(name: &str) -> bool {
    name.starts_with("scripts/") || [".py", ".js", ".sh"].iter().any(|ending| name.ends_with(ending))
}
