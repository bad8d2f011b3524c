//! What the model learns about skills: the system prompt, the tool's description with the list of skills in it, and
//! what a skill's call returns. Nothing is escaped.

use super::{Detail, go_map};
use crate::{Catalog, CatalogSkill, Marked, Origin, Session};
use config::options::{EinoLanguage, EinoOptions};

/// The agent's instructions, a line feed and the prompt. The filesystem middleware adds nothing.
pub fn instructions(settings: &EinoOptions, agent: Option<&str>) -> Marked {
    let mut out = Marked::default();
    out.push(agent.unwrap_or_default(), Origin::User);
    out.push("\n", Origin::Framework);
    let (prompt, origin) = match &settings.custom_system_prompt {
        Some(prompt) => (prompt.as_str(), Origin::User),
        None if settings.use_chinese => (template(SYSTEM_ZH), Origin::Framework),
        None => (pick(settings.language, SYSTEM), Origin::Framework),
    };
    out.push(&prompt.replace("{tool_name}", tool_name(settings)), origin);
    out
}

pub fn tool_name(settings: &EinoOptions) -> &str {
    settings.skill_tool_name.as_deref().unwrap_or("skill")
}

/// Of the skill tool: a text that the global language chooses, and the list.
pub fn description(catalog: &Catalog, session: &Session) -> Marked {
    let settings = &catalog.options.eino;
    let skills = listed(catalog, session);
    let mut out = Marked::default();
    if let Some(custom) = &settings.custom_tool_description {
        for (index, part) in custom.split("{skills}").enumerate() {
            if index > 0 {
                list(&skills, &mut out);
            }
            out.push(part, Origin::User);
        }
        return out;
    }
    let base = if catalog.variant == "newest" { TOOL_NEWEST } else { TOOL_SEED };
    out.push(pick(settings.language, base), Origin::Framework);
    list(&skills, &mut out);
    out
}

/// A skill's instructions as its call returns them, or as its sub-agent gets them.
pub fn launch(skill: &CatalogSkill, detail: &Detail, language: EinoLanguage) -> Marked {
    let (launching, base) = match language {
        EinoLanguage::En => ("Launching skill: ", "\nBase directory for this skill: "),
        EinoLanguage::Zh => ("正在启动 Skill：", "\n此 Skill 的目录："),
    };
    let mut out = Marked::default();
    out.push(launching, Origin::Framework);
    out.push(&skill.name, field(skill, "name"));
    out.push(base, Origin::Framework);
    out.push(skill.path.as_ref().map_or("", |path| path.as_str()), Origin::Framework);
    out.push("\n\n", Origin::Framework);
    out.push(&detail.body, field(skill, "body"));
    out
}

/// What a skill's call returns once its sub-agent is done: everything that the sub-agent said and that its tools
/// returned.
pub fn finished(skill: &CatalogSkill, said: &[String], settings: &EinoOptions) -> Marked {
    let (before, after) = match settings.language {
        EinoLanguage::En => ("Skill \"", "\" completed (sub-agent execution).\n\nResult:\n"),
        EinoLanguage::Zh => ("Skill \"", "\" 已完成（子 Agent 执行）。\n\n结果：\n"),
    };
    let mut out = Marked::default();
    out.push(before, Origin::Framework);
    out.push(&skill.name, field(skill, "name"));
    out.push(after, Origin::Framework);
    out.push(&said.join("\n"), Origin::Tool { tool: tool_name(settings).into() });
    out
}

/// A text in English and in Chinese.
pub type Text = [&'static str; 2];

/// A template in one language.
pub fn pick(language: EinoLanguage, [en, zh]: Text) -> &'static str {
    match language {
        EinoLanguage::En => template(en),
        EinoLanguage::Zh => template(zh),
    }
}

const SYSTEM_ZH: &str = include_str!("templates/system_zh.txt");
const SYSTEM: Text = [include_str!("templates/system_en.txt"), SYSTEM_ZH];
/// The Chinese text of the seed's time is derived: the newest, with the differences that the English texts have.
const TOOL_SEED: Text = [include_str!("templates/tool_seed_en.txt"), include_str!("templates/tool_seed_zh.txt")];
const TOOL_NEWEST: Text = [include_str!("templates/tool_newest_en.txt"), include_str!("templates/tool_newest_zh.txt")];

/// Files end in a line feed that is not part of the text.
fn template(text: &'static str) -> &'static str {
    text.strip_suffix('\n').unwrap_or(text)
}

/// In the order of the backend, which is asked once in each turn of the user.
fn listed<'a>(catalog: &'a Catalog, session: &Session) -> Vec<&'a CatalogSkill> {
    let Some(draw) = catalog.options.eino.map_order else { return catalog.skills.iter().collect() };
    let mut entries = Vec::new();
    for (number, skill) in catalog.skills.iter().enumerate() {
        entries.push(Some(number));
        entries.extend(std::iter::repeat_n(None, skill.resources.len() + skill.scripts.len()));
    }
    let draw = u64::from(draw) << 32 | u64::from(session.memory.eino.turns);
    go_map::order(&entries, draw).into_iter().filter_map(|number| catalog.skills.get(number)).collect()
}

fn list(skills: &[&CatalogSkill], out: &mut Marked) {
    out.push("\n<available_skills>", Origin::Framework);
    for skill in skills {
        out.push("\n<skill>\n<name>\n", Origin::Framework);
        out.push(&skill.name, field(skill, "name"));
        out.push("\n</name>\n<description>\n", Origin::Framework);
        out.push(&skill.description, field(skill, "description"));
        out.push("\n</description>\n</skill>", Origin::Framework);
    }
    out.push("\n</available_skills>\n", Origin::Framework);
}

fn field(skill: &CatalogSkill, field: &str) -> Origin {
    Origin::Skill { skill: skill.id.clone(), field: field.into() }
}
