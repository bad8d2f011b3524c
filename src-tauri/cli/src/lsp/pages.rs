//! The rules' cards as files, which an editor opens from a finding. They are written when a rule first finds something.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use api::VERSION;
use camino::{Utf8Path, Utf8PathBuf};
use lint::docs;
use lsp_types::{CodeDescription, Uri};

use super::documents::uri_of;
use crate::language::language;

pub struct Pages {
    folder: Utf8PathBuf,
    known: Mutex<HashMap<String, Option<Uri>>>,
}

impl Pages {
    /// `cache`: the program's.
    pub fn below(cache: &Utf8Path) -> Self {
        Self { folder: cache.join("rules").join(VERSION), known: Mutex::default() }
    }

    /// `None`: it cannot be written.
    pub fn of(&self, rule: &str) -> Option<CodeDescription> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let uri = known.entry(rule.to_owned()).or_insert_with(|| self.written(rule));
        uri.clone().map(|href| CodeDescription { href })
    }

    fn written(&self, rule: &str) -> Option<Uri> {
        let card = docs::card(lint::find(rule)?, language());
        let path = self.folder.join(format!("{rule}.md"));
        // Editors cannot use a path that depends on where this program was started.
        let uri = uri_of(&path).filter(|_| path.is_absolute())?;
        if std::fs::read_to_string(&path).is_ok_and(|there| there == card) {
            return Some(uri);
        }
        disk::make_private_folder(&self.folder).ok()?;
        disk::write_loosely(&path, card.as_bytes()).ok()?;
        Some(uri)
    }
}
