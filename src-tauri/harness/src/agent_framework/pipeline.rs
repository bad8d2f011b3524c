//! What happens to skills between their sources and the catalogue: the filter, then de-duplication, with log messages.

use std::collections::HashSet;

use camino::{Utf8Path, Utf8PathBuf};

use super::filter;
use super::variant::{Language, Variant};
use crate::{CatalogSkill, Quirk, QuirkKind, Skipped};
use config::options::AgentFrameworkOptions;
use wording::Message;

/// A skill on its way into the catalogue.
pub struct Loaded {
    pub skill: CatalogSkill,
    /// Its `SKILL.md`, or the name of an inline skill.
    pub path: Utf8PathBuf,
    pub quirks: Vec<Quirk>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Info,
    Warning,
    Error,
}

pub struct Pipeline<'a> {
    pub variant: Variant,
    settings: &'a AgentFrameworkOptions,
    pub skills: Vec<CatalogSkill>,
    pub skipped: Vec<Skipped>,
    pub quirks: Vec<Quirk>,
    pub log: Vec<String>,
    /// The log messages of.NET release 1.17 about skills with the same name, after all sources have been read.
    twice: Vec<String>,
    /// The names of the skills, in lower case.
    names: HashSet<String>,
}

impl<'a> Pipeline<'a> {
    pub fn new(settings: &'a AgentFrameworkOptions, variant: Variant) -> Self {
        Self {
            variant,
            settings,
            skills: Vec::new(),
            skipped: Vec::new(),
            quirks: Vec::new(),
            log: Vec::new(),
            twice: Vec::new(),
            names: HashSet::new(),
        }
    }

    pub fn settings(&self) -> &'a AgentFrameworkOptions {
        self.settings
    }

    pub fn offer(&mut self, Loaded { skill, path, quirks }: Loaded) {
        let filter = self.settings.filter.as_deref();
        if filter.is_some_and(|filters| !filters.iter().any(|filter| filter::means(filter, &skill))) {
            self.skip(path, Message::quoted(format!("Skill '{}' excluded by filter predicate", skill.name)));
        } else if !self.names.insert(skill.name.to_lowercase()) && self.settings.deduplicate {
            let reason = match self.variant.language() {
                Language::DotNet => format!(
                    "Duplicate skill name '{}': subsequent skill skipped in favor of first occurrence",
                    skill.name
                ),
                Language::Python => {
                    format!("Duplicate skill name '{0}': skill skipped in favor of existing skill '{0}'", skill.name)
                }
            };
            match self.variant {
                Variant::DotNet117 => self.twice.push(reason.clone()),
                Variant::Seed | Variant::Python113 | Variant::Python123 => self.log(Level::Warning, reason.clone()),
            }
            self.hide(&skill.name, &path, &reason);
        } else {
            self.skills.push(skill);
            self.quirks.extend(quirks);
        }
    }

    /// A skill that is left out because another one has its name.
    pub fn hide(&mut self, name: &str, path: &Utf8Path, reason: &str) {
        self.skip(path.as_str(), Message::quoted(reason));
        self.quirks.push(Quirk {
            kind: QuirkKind::HiddenByDuplicate,
            skill: Some(name.to_owned()),
            path: Some(path.to_owned()),
            span: None,
            detail: name.to_owned(),
        });
    }

    pub fn skip(&mut self, path: impl Into<String>, reason: impl Into<Message>) {
        self.skipped.push(Skipped { path: path.into(), reason: reason.into() });
    }

    /// Behind the last source.
    pub fn end(&mut self) {
        self.log.append(&mut self.twice);
    }

    /// .NET's log was recorded from warnings on, without the level.
    pub fn log(&mut self, level: Level, text: String) {
        let level = match (self.variant.language(), level) {
            (Language::DotNet, Level::Info) => return,
            (Language::DotNet, Level::Warning | Level::Error) => "",
            (Language::Python, Level::Info) => "INFO: ",
            (Language::Python, Level::Warning) => "WARNING: ",
            (Language::Python, Level::Error) => "ERROR: ",
        };
        self.log.push(format!("{level}{text}"));
    }
}
