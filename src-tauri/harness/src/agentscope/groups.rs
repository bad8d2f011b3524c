//! Tool groups: the tools that come with a skill, which the model gets once the skill is loaded.

use super::{LOAD, Memory, Variant, arguments, has_code_execution, order, shell};
use crate::{
    Catalog, CatalogBody, CatalogSkill, Effect, GroupState, Performed, ReplyAuthor, Served, ToolReply, interpreter,
};
use config::GroupTool;
use model::ToolDef;

impl Memory {
    /// Every group, those of skills first. A skill without tools has none.
    pub fn groups(&self, catalog: &Catalog) -> Vec<GroupState> {
        let of_skills = catalog.skills.iter().filter_map(|skill| {
            let tools: Vec<String> = tools_of(skill, catalog).map(|tool| tool.name.clone()).collect();
            (!tools.is_empty()).then(|| GroupState { name: name(skill), is_active: self.is_open(&skill.id), tools })
        });
        let own = |name: &str, tool: &str| GroupState { name: name.into(), is_active: true, tools: vec![tool.into()] };
        // In version 1.0 the built-in tools are in no group.
        let built_in = (Variant::of(catalog) != Variant::First).then(|| own("skill-build-in-tools", LOAD));
        let code = (has_code_execution(catalog)).then(|| own("skill_code_execution_tool_group", shell::NAME));
        of_skills.chain(built_in).chain(code).collect()
    }

    /// Whether a skill's tools can be called.
    pub fn is_open(&self, skill: &str) -> bool {
        self.open.iter().any(|open| open == skill)
    }

    /// Whether the request under way lists a skill's tools.
    fn lists(&self, skill: &str, catalog: &Catalog) -> bool {
        match Variant::of(catalog) {
            Variant::First => self.told.iter().any(|told| told == skill),
            Variant::Seed | Variant::Java | Variant::Python => self.is_open(skill),
        }
    }

    /// Whether a skill's tools can be called once the next request is answered.
    pub fn opens(&self, skill: &str) -> bool {
        self.is_open(skill) || self.active.iter().any(|active| active == skill)
    }

    /// `setSkillActive`: without its tools so far.
    pub(super) fn activate(&mut self, skill: &str) {
        if !self.active.iter().any(|active| active == skill) {
            self.active.push(skill.to_owned());
        }
    }

    /// `updateToolGroups`.
    pub(super) fn open(&mut self, skill: &str) {
        if !self.is_open(skill) {
            self.open.push(skill.to_owned());
        }
    }

    /// `deactivateAllSkills`: groups stay as they are.
    pub(super) fn deactivate(&mut self) {
        self.active.clear();
    }

    /// The request lists its tools, and the hook then opens those of active skills.
    pub(super) fn tell(&mut self) {
        self.told.clone_from(&self.open);
        self.sync();
    }

    /// `syncToolGroupStates`: the groups of active skills are active, and no others.
    pub(super) fn sync(&mut self) {
        self.open.clone_from(&self.active);
    }
}

/// Of the group that holds a skill's tools.
pub fn name(skill: &CatalogSkill) -> String {
    format!("{}_skill_tools", skill.id)
}

/// In the order in which they are registered.
pub fn tools_of<'a>(skill: &'a CatalogSkill, catalog: &'a Catalog) -> impl Iterator<Item = &'a GroupTool> {
    let of_skill = |group: &&config::ToolGroup| group.skill == skill.name || group.skill == skill.id;
    catalog.tool_groups.iter().filter(of_skill).flat_map(|group| &group.tools)
}

/// Every tool of every skill; of two that have the same name, the one registered later counts.
pub fn find<'a>(name: &str, catalog: &'a Catalog) -> Option<(&'a CatalogSkill, &'a GroupTool)> {
    let tools = catalog.skills.iter().flat_map(|skill| tools_of(skill, catalog).map(move |tool| (skill, tool)));
    tools.filter(|(_, tool)| tool.name == name).last()
}

/// The tools that the model gets: built-in ones and those of active groups, in the order of a hash table that holds
/// them all.
pub fn presented(built_in: Vec<ToolDef>, catalog: &Catalog, memory: &Memory) -> Vec<ToolDef> {
    let mut known: Vec<(bool, ToolDef)> = Vec::new();
    for skill in &catalog.skills {
        for tool in tools_of(skill, catalog) {
            known.push((
                memory.lists(&skill.id, catalog),
                ToolDef {
                    name: tool.name.clone(),
                    description: tool.description.clone(),
                    parameters: tool.parameters.clone(),
                },
            ));
        }
    }
    known.extend(built_in.into_iter().map(|tool| (true, tool)));
    let order = order::copied_concurrent_hash_map(known.iter().map(|(_, tool)| tool.name.as_str()));
    let last = |name: &str| known.iter().rev().find(|(_, tool)| tool.name == name);
    order.into_iter().filter_map(last).filter(|(active, _)| *active).map(|(_, tool)| tool.clone()).collect()
}

pub fn serve(skill: &CatalogSkill, tool: &GroupTool, arguments: &str) -> Served {
    if let Some(result) = &tool.result {
        return Served::Reply(ToolReply::ok(result));
    }
    let script = tool.script.as_deref().unwrap_or_default();
    let of_skill = skill.resources.iter().find(|file| file.name == script).map(|file| &file.body);
    let path = match (of_skill, &skill.path) {
        (Some(CatalogBody::File(path)), _) => path.clone(),
        (None, Some(folder)) => folder.join(script),
        (Some(CatalogBody::Text(_)) | None, _) => return Served::Reply(failed(&format!("there is no file {script}"))),
    };
    match path.extension().and_then(interpreter) {
        Some(interpreter) => Served::Perform(Effect::RunScript {
            skill: skill.id.clone(),
            script: script.into(),
            path,
            interpreter: interpreter.into(),
            arguments: arguments::command_line(arguments),
            approval: false,
            working_directory: None,
        }),
        None => Served::Reply(failed(&format!("nothing is known to run {script}"))),
    }
}

pub fn settle(done: Performed) -> ToolReply {
    match done {
        Performed::Ran(output) if output.exit_code == Some(0) => ToolReply::ok(output.stdout.trim()),
        Performed::Ran(output) if output.timed_out => failed("the script ran out of time"),
        Performed::Ran(output) => failed(output.stderr.trim()),
        Performed::Stubbed { text } => ToolReply::ok(text),
        Performed::Denied { reason } => failed(reason.as_deref().unwrap_or("the user rejected the call")),
        Performed::Failed { message, .. } => failed(&message),
        // Effects that a tool does not ask for.
        Performed::Agreed
        | Performed::Read { .. }
        | Performed::Wrote
        | Performed::Listed { .. }
        | Performed::Found { .. }
        | Performed::Delegated(_)
        | Performed::RanTogether { .. }
        | Performed::History(_)
        | Performed::Summarised { .. } => failed("Tool completed without returning a result"),
    }
}

/// What `ToolExecutor` makes of an exception.
fn failed(message: &str) -> ToolReply {
    ToolReply::error(format!("Error: Tool execution failed: {message}")).by(ReplyAuthor::Exception)
}
