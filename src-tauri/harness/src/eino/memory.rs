//! A backend of the user's own, `List` and `Get` over skills that are in no folder.

use super::{Detail, catalogue};
use crate::{CatalogSkill, Detail as AnyDetail, Loaded};
use config::InlineSkill;
use config::options::EinoOptions;
use wording::Wording;

/// In the order of the project file. The base directory is empty: there is none.
pub fn load(skills: &[InlineSkill], settings: &EinoOptions) -> Loaded {
    let mut loaded = Loaded::default();
    for skill in skills {
        let field = |name: &str| {
            let value = skill.metadata.get(name).and_then(|value| value.as_str());
            value.unwrap_or_default().to_owned()
        };
        let detail = Detail {
            body: skill.instructions.clone(),
            context: field("context"),
            agent: field("agent"),
            model: field("model"),
        };
        let mut made = CatalogSkill {
            id: skill.name.clone(),
            name: skill.name.clone(),
            description: skill.description.clone(),
            path: None,
            content: String::new(),
            resources: Vec::new(),
            scripts: Vec::new(),
            detail: AnyDetail::None,
        };
        made.content = catalogue::launch(&made, &detail, settings.language).text;
        made.detail = AnyDetail::Eino(detail);
        let files = skill.resources.iter().map(|file| &file.name).chain(skill.scripts.iter().map(|file| &file.name));
        for name in files {
            loaded.skip(
                format!("{}/{name}", skill.name),
                Wording::new(
                    "a skill that lies in no folder has no files in this framework",
                    "在该框架中，不在文件夹里的技能没有文件",
                ),
            );
        }
        loaded.skills.push(made);
    }
    loaded
}
