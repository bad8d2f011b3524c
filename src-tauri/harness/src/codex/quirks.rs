//! Places where the client's behaviour hurts the author of a skill.

use super::{MANIFEST, catalogue, mention};
use crate::{CatalogSkill, Loaded, Quirk, QuirkKind};
use config::options::CodexOptions;

/// What the list cuts and leaves out, and which skills no prompt can name.
pub fn of_list(loaded: &mut Loaded, settings: &CodexOptions) {
    let count = loaded.skills.len();
    let mut quirks = Vec::new();
    let mut add = |kind, skill: &CatalogSkill, detail: String| {
        let path = skill.path.as_ref().map(|folder| folder.join(MANIFEST));
        quirks.push(Quirk { kind, skill: Some(skill.id.clone()), path, span: None, detail });
    };
    let list = catalogue::list(&loaded.skills, settings);
    for line in &list.lines {
        match line.room {
            Some(0) => add(QuirkKind::DescriptionLeftOut, line.skill, count.to_string()),
            Some(room) => add(QuirkKind::DescriptionShortened, line.skill, room.to_string()),
            None if line.cut => add(QuirkKind::DescriptionCut, line.skill, catalogue::MOST.to_string()),
            None => {}
        }
    }
    if !list.left_out.is_empty() {
        loaded.log.push(left_out(list.left_out.len()));
    }
    for skill in list.left_out {
        add(QuirkKind::NoRoomInList, skill, count.to_string());
    }
    let counts = mention::counts(&loaded.skills);
    for skill in loaded.skills.iter().filter(|skill| !mention::finds(skill, &counts)) {
        add(QuirkKind::NotByMention, skill, format!("${}", skill.name));
    }
    loaded.quirks.extend(quirks);
}

/// What the client says of it to a user without a window.
fn left_out(count: usize) -> String {
    let skills = if count == 1 { "skill was" } else { "skills were" };
    format!(
        "Exceeded skills context budget. All skill descriptions were removed and {count} additional {skills} not included in \
         the model-visible skills list."
    )
}
