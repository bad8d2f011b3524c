//! Tier 1 and tier 2 as text: the system message that lists the skills, and a skill as `load_skill` returns it. Nothing
//! is escaped.

use super::{Detail, Variant};
use crate::{Catalog, CatalogSkill, Detail as AnyDetail, Marked, Origin, Session};

/// The system message. `agent` is before it: the framework's own code has no place for further instructions.
pub fn instructions(catalog: &Catalog, session: &Session) -> Marked {
    let mut out = Marked::default();
    if let Some(agent) = session.agent_instructions.as_deref().filter(|agent| !agent.is_empty()) {
        out.push(agent, Origin::User);
        out.push("\n\n", Origin::Framework);
    }
    let cwd = working_directory(session);
    match Variant::of(catalog) {
        Variant::Seed => {
            out.push("You are a coding assistant at ", Origin::Framework);
            out.push(cwd, Origin::Framework);
            out.push(SEED, Origin::Framework);
            push_seed_skills(&mut out, catalog);
            out.push("\n", Origin::Framework);
        }
        Variant::Upstream => {
            out.push("You are a coding agent at ", Origin::Framework);
            out.push(cwd, Origin::Framework);
            out.push(UPSTREAM, Origin::Framework);
            push_upstream_skills(&mut out, catalog);
        }
    }
    out
}

/// `get_skill_full_content`. `asked` is the name as the call has it, which is the skill's.
pub fn skill(id: &str, asked: &str, body: &str) -> Marked {
    let field = |field: &str| Origin::Skill { skill: id.into(), field: field.into() };
    let mut out = Marked::default();
    out.push("<skill name=\"", Origin::Framework);
    out.push(asked, field("name"));
    out.push("\">\n", Origin::Framework);
    out.push(body, field("body"));
    out.push("\n</skill>", Origin::Framework);
    out
}

/// `os.getcwd()`.
pub fn working_directory(session: &Session) -> &str {
    session.working_directory.as_ref().map_or(NO_FOLDER, |folder| folder.as_str())
}

/// What only this harness keeps of a skill; every skill of its catalogues has it.
pub fn detail(skill: &CatalogSkill) -> Option<&Detail> {
    match &skill.detail {
        AnyDetail::LearnClaudeCode(detail) => Some(detail),
        _ => None,
    }
}

/// Placeholder for the working directory if there is none yet.
const NO_FOLDER: &str = "{cwd}";

const SEED: &str = ".
Use the todo tool to plan multi-step tasks. Mark in_progress before starting, completed when done.
Prefer tools over prose.
Your thinking and response must be the same language as the user's question.

Skills available:
";

const UPSTREAM: &str = ".
Use load_skill to access specialized knowledge before tackling unfamiliar topics.

Skills available:
";

fn push_seed_skills(out: &mut Marked, catalog: &Catalog) {
    if catalog.skills.is_empty() {
        out.push("(No avaiable skills)", Origin::Framework);
    }
    for (index, skill) in catalog.skills.iter().enumerate() {
        out.push(if index == 0 { " - " } else { "\n - " }, Origin::Framework);
        out.push(&skill.name, origin(skill, "name"));
        out.push(": ", Origin::Framework);
        out.push(&skill.description, origin(skill, "description"));
    }
}

fn push_upstream_skills(out: &mut Marked, catalog: &Catalog) {
    if catalog.skills.is_empty() {
        out.push("(no skills available)", Origin::Framework);
    }
    for (index, skill) in catalog.skills.iter().enumerate() {
        let detail = detail(skill);
        out.push(if index == 0 { "  - " } else { "\n  - " }, Origin::Framework);
        out.push(&skill.name, origin(skill, "name"));
        out.push(": ", Origin::Framework);
        match detail.and_then(|detail| detail.meta("description")) {
            Some(description) => out.push(description, origin(skill, "description")),
            None => out.push("No description", Origin::Framework),
        }
        if let Some(tags) = detail.map(|detail| &detail.tags).filter(|tags| !tags.is_empty()) {
            out.push(" [", Origin::Framework);
            out.push(tags, origin(skill, "tags"));
            out.push("]", Origin::Framework);
        }
    }
}

fn origin(skill: &CatalogSkill, field: &str) -> Origin {
    Origin::Skill { skill: skill.id.clone(), field: field.into() }
}
