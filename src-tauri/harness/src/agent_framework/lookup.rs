//! How the tools find what a call names: .NET exactly as listed, Python in any case. So a path that leaves the skill, a link
//! or a file that is not listed all come out as not found.

use super::variant::{Language, Variant};
use crate::{Catalog, CatalogFile, CatalogSkill};

pub fn find_skill<'a>(catalog: &'a Catalog, name: &str) -> Option<&'a CatalogSkill> {
    let name = Name::new(catalog, name);
    catalog.skills.iter().find(|skill| name.means(&skill.name))
}

pub fn find_file<'a>(catalog: &Catalog, files: &'a [CatalogFile], name: &str) -> Option<&'a CatalogFile> {
    let name = Name::new(catalog, name);
    files.iter().find(|file| name.means(&file.name))
}

struct Name {
    text: String,
    language: Language,
}

impl Name {
    fn new(catalog: &Catalog, name: &str) -> Self {
        let language = Variant::of(catalog).language();
        let text = match language {
            Language::DotNet => name.to_owned(),
            Language::Python => name.to_lowercase(),
        };
        Self { text, language }
    }

    fn means(&self, listed: &str) -> bool {
        match self.language {
            Language::DotNet => self.text == listed,
            Language::Python => self.text == listed.to_lowercase(),
        }
    }
}
