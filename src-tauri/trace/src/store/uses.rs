//! What runs used of skills, kept next to each run when it ends, so that asking for it reads no events.

use std::collections::HashSet;

use camino::Utf8PathBuf;
use rusqlite::{Connection, Row, Transaction, params};

use crate::{RunStatus, RunSummary, Step, StepKind};
use harness::Disclosure;

/// In how many runs a part of a skill was used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uses {
    pub whose: Whose,
    pub used: Used,
    pub runs: u32,
}

/// Which skill.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Whose {
    /// The one in this folder.
    Folder(Utf8PathBuf),
    /// A skill that runs knew by this name, somewhere below this folder: they did not record where.
    Named { root: Utf8PathBuf, skill: String },
}

/// Which part of it; files by their paths in the skill's folder.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Used {
    Instructions,
    Resource(String),
    Script(String),
}

/// Records which skills a run used, if the run says something about a model's behaviour: in a rehearsal no model
/// answered, and a run that broke off might have used more.
pub(super) fn insert(tx: &Transaction<'_>, run: &RunSummary, steps: &[Step]) -> rusqlite::Result<()> {
    if run.status != RunStatus::Done || run.setup.rehearsal || run.bundled {
        return Ok(());
    }
    // A long run uses the same again and again.
    let uses: HashSet<(&str, Used)> = steps.iter().filter_map(used).collect();
    let taught: HashSet<&str> =
        uses.iter().filter(|(_, used)| *used == Used::Instructions).map(|(skill, _)| *skill).collect();
    let mut insert = tx.prepare_cached(
        "INSERT INTO uses (run, skill, folder, kind, file) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING",
    )?;
    for (skill, used) in uses.iter().filter(|(skill, _)| taught.contains(skill)) {
        let folder = run.setup.folders.get(*skill).map(|folder| run.setup.real(folder).into_string());
        let (kind, file) = used.columns();
        insert.execute(params![run.id, skill, folder, kind, file])?;
    }
    Ok(())
}

pub(super) fn all(db: &Connection) -> rusqlite::Result<Vec<Uses>> {
    let mut query = db.prepare_cached(
        "SELECT folder, NULL, NULL, kind, file, count(DISTINCT run) FROM uses
         WHERE folder IS NOT NULL GROUP BY folder, kind, file
         UNION ALL
         SELECT NULL, root.value, uses.skill, uses.kind, uses.file, count(DISTINCT uses.run)
         FROM uses JOIN runs ON runs.id = uses.run JOIN json_each(iif(json_valid(runs.setup), runs.setup, '{}'), '$.roots') AS root
         WHERE uses.folder IS NULL GROUP BY root.value, uses.skill, uses.kind, uses.file",
    )?;
    query.query_map([], uses_of)?.collect()
}

fn used(step: &Step) -> Option<(&str, Used)> {
    let StepKind::Tool { disclosed, .. } = &step.kind else { return None };
    match disclosed {
        Disclosure::Instructions { skill } => Some((skill, Used::Instructions)),
        Disclosure::Resource { skill, resource } => Some((skill, Used::Resource(resource.clone()))),
        Disclosure::Script { skill, script } => Some((skill, Used::Script(script.clone()))),
        Disclosure::None => None,
    }
}

impl Used {
    /// The words of [`Disclosure`], which the migration copies.
    fn columns(&self) -> (&'static str, &str) {
        match self {
            Self::Instructions => ("instructions", ""),
            Self::Resource(file) => ("resource", file),
            Self::Script(file) => ("script", file),
        }
    }
}

/// From the columns of the query.
fn uses_of(row: &Row<'_>) -> rusqlite::Result<Uses> {
    let folder: Option<String> = row.get(0)?;
    let whose = match folder {
        Some(folder) => Whose::Folder(folder.into()),
        None => Whose::Named { root: row.get::<_, String>(1)?.into(), skill: row.get(2)? },
    };
    let file: String = row.get(4)?;
    let used = match row.get_ref(3)?.as_str()? {
        "instructions" => Used::Instructions,
        "resource" => Used::Resource(file),
        _ => Used::Script(file),
    };
    Ok(Uses { whose, used, runs: row.get(5)? })
}
