//! The results of the Java design's tools that load something.

use super::{detail, from_skill};
use crate::{CatalogSkill, Marked, Origin, ToolReply};

pub fn instructions(skill: &CatalogSkill) -> ToolReply {
    let mut out = Marked::default();
    let framework = |out: &mut Marked, text: &str| out.push(text, Origin::Framework);
    framework(&mut out, &format!("Successfully loaded skill: {}\n\nName: ", skill.id));
    out.push(&skill.name, from_skill(skill, "name"));
    framework(&mut out, "\nDescription: ");
    out.push(&skill.description, from_skill(skill, "description"));
    let source = detail(skill).map_or("", |detail| &detail.source);
    framework(&mut out, &format!("\nSource: {source}\n\nContent:\n---\n"));
    out.push(&skill.content, from_skill(skill, "body"));
    framework(&mut out, "\n---\n");
    ToolReply::marked(out)
}

pub fn resource(skill: &CatalogSkill, path: &str, text: &str) -> ToolReply {
    let mut out = Marked::default();
    let head =
        format!("Successfully loaded resource from skill: {}\nResource path: {path}\n\nContent:\n---\n", skill.id);
    out.push(&head, Origin::Framework);
    out.push(text, from_skill(skill, path));
    out.push("\n---\n", Origin::Framework);
    ToolReply::marked(out)
}
