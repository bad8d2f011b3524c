//! `to_prompt`.

use crate::markup::escape;
use crate::{CatalogSkill, Detail, Marked, Origin};

/// Names and descriptions with entities, the location as it is.
pub fn prompt(skills: &[CatalogSkill]) -> Marked {
    let mut text = Marked::default();
    text.push("<available_skills>\n", Origin::Framework);
    for skill in skills {
        let Detail::AgentSkills(properties) = &skill.detail else { continue };
        text.push("<skill>\n", Origin::Framework);
        let fields = [
            ("name", escape(&skill.name, APOSTROPHE)),
            ("description", escape(&skill.description, APOSTROPHE)),
            ("location", properties.location.to_string()),
        ];
        for (field, value) in fields {
            text.push(&format!("<{field}>\n"), Origin::Framework);
            text.push(&value, Origin::Skill { skill: skill.id.clone(), field: field.to_owned() });
            text.push(&format!("\n</{field}>\n"), Origin::Framework);
        }
        text.push("</skill>\n", Origin::Framework);
    }
    text.push("</available_skills>", Origin::Framework);
    text
}

/// As `html.escape` writes it.
const APOSTROPHE: &str = "&#x27;";
