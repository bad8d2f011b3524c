//! A tool call: the skill tool here, the filesystem middleware's in [`files`]. What Go returns as an error ends the run.

use super::go_json::Arguments;
use super::quirks::DEFAULT_AGENT;
use super::tool::Tool;
use super::{Detail, Mode, catalogue, files, offload, tools};
use crate::{
    Catalog, CatalogSkill, Delegated, Delegation, DelegationEnd, Effect, Performed, ReplyAuthor, Served, Session,
    ToolReply,
};
use config::options::EinoOptions;
use model::{Message, ToolCall, ToolResult};

pub fn serve(call: &ToolCall, catalog: &Catalog, session: &mut Session) -> Served {
    let settings = &catalog.options.eino;
    let served = match Tool::find(&call.name, settings, session) {
        None => return Served::Abort(format!("tool {} not found in toolsNode indexes", call.name)),
        Some(Tool::Skill) => skill(call, catalog, session),
        Some(tool) => files::serve(tool, call, session),
    };
    finish(call, served, settings, session)
}

pub fn settle(call: &ToolCall, done: Performed, catalog: &Catalog, session: &mut Session) -> Served {
    let settings = &catalog.options.eino;
    if let Some((told, whole)) = session.memory.eino.offloading.remove(&call.id) {
        return match done {
            Performed::Wrote => Served::Reply(told),
            Performed::Failed { message, .. } => {
                Served::Abort(in_node(call, &format!("failed to open file for writing: {message}")))
            }
            // The user kept it from being written.
            _ => Served::Reply(whole),
        };
    }
    let served = match (done, Tool::find(&call.name, settings, session)) {
        (Performed::Denied { reason }, _) => return Served::Reply(denied(reason)),
        (Performed::Stubbed { text }, _) => Ok(Served::Reply(ToolReply::ok(text))),
        (Performed::Delegated(delegated), Some(Tool::Skill)) => finished(call, delegated, catalog),
        (Performed::Failed { message, .. }, Some(Tool::Skill) | None) => {
            Err(format!("failed to run agent event: {message}"))
        }
        (done, Some(tool)) => files::settle(tool, call, done, catalog, session),
        (_, None) => Err(files::OTHER_RESULT.to_owned()),
    };
    finish(call, served, settings, session)
}

/// The error that ends the run at the next request after a skill asked for a model that the hub does not have.
pub fn no_model(name: &str) -> String {
    format!("failed to get model '{name}' from ModelHub: model not found: {name}")
}

fn finish(call: &ToolCall, served: Result<Served, String>, settings: &EinoOptions, session: &mut Session) -> Served {
    match served {
        Ok(Served::Reply(reply)) => offload::reply(call, reply, settings, session),
        Ok(other) => other,
        Err(error) => Served::Abort(in_node(call, &error)),
    }
}

fn in_node(call: &ToolCall, error: &str) -> String {
    format!("failed to invoke tool[name:{} id:{}]: {error}", call.name, call.id)
}

/// The framework does not ask the user; this is the text for the model if the user refuses here.
fn denied(reason: Option<String>) -> ToolReply {
    let text = match reason {
        Some(reason) => format!("The user did not allow this call: {reason}"),
        None => "The user did not allow this call.".to_owned(),
    };
    ToolReply::error(text).by(ReplyAuthor::Caller)
}

fn skill(call: &ToolCall, catalog: &Catalog, session: &mut Session) -> Result<Served, String> {
    let (skill, detail) = named(call, catalog)?;
    let settings = &catalog.options.eino;
    let served = match detail.mode() {
        Mode::Inline => {
            if !detail.model.is_empty() {
                switch_model(&detail.model, settings, session);
            }
            Served::Reply(ToolReply::marked(catalogue::launch(skill, detail, settings.language)))
        }
        Mode::Fork | Mode::ForkWithContext => {
            Served::Perform(Effect::Delegate(delegation(call, skill, detail, settings)?))
        }
    };
    session.activate(&skill.id);
    Ok(served)
}

/// The first of the skills with the name in the arguments.
fn named<'a>(call: &ToolCall, catalog: &'a Catalog) -> Result<(&'a CatalogSkill, &'a Detail), String> {
    let bad = |error| format!("failed to unmarshal arguments: {error}");
    let arguments = Arguments::parse(&call.arguments, "skill", "inputArguments").map_err(bad)?;
    let name = arguments.text("skill");
    arguments.check().map_err(bad)?;
    if let Some(refused) = &catalog.refused {
        // The tool's description failed with this; `Get` lists again.
        let error = refused.strip_prefix("failed to list skills: ").unwrap_or(refused);
        return Err(format!("failed to get skill: {error}"));
    }
    let found = catalog.skills.iter().find(|skill| skill.name == name);
    let found = found.and_then(|skill| Some((skill, Detail::of(skill)?)));
    found.ok_or_else(|| format!("failed to get skill: skill not found: {name}"))
}

/// For all requests that follow; a later skill without a model leaves it. Without a hub nothing happens.
fn switch_model(name: &str, settings: &EinoOptions, session: &mut Session) {
    let Some(hub) = &settings.models else { return };
    match hub.get(name) {
        Some(model) => {
            session.model = Some(model.clone());
            session.memory.eino.missing_model = None;
        }
        None => session.memory.eino.missing_model = Some(name.to_owned()),
    }
}

fn delegation(
    call: &ToolCall,
    skill: &CatalogSkill,
    detail: &Detail,
    settings: &EinoOptions,
) -> Result<Delegation, String> {
    let Detail { context, agent: agent_name, model: model_name, .. } = detail;
    let Some(agents) = &settings.agents else {
        return Err(format!("skill '{}' requires context:{context} but AgentHub is not configured", skill.name));
    };
    let model = match (model_name.as_str(), &settings.models) {
        ("", _) => None,
        (name, None) => {
            return Err(format!("skill '{}' requires model '{name}' but ModelHub is not configured", skill.name));
        }
        (name, Some(models)) => Some(models.get(name).cloned().ok_or_else(|| no_model(name))?),
    };
    let key = if agent_name.is_empty() { DEFAULT_AGENT } else { agent_name };
    let agent = agents
        .get(key)
        .ok_or_else(|| format!("failed to get agent '{agent_name}' from AgentHub: agent not found: {key}"))?;
    let own_model = || {
        let name = agent.model.as_ref()?;
        Some(settings.models.as_ref().and_then(|models| models.get(name)).unwrap_or(name).clone())
    };
    let text = catalogue::launch(skill, detail, settings.language).text;
    let mode = detail.mode();
    let task = match mode {
        Mode::Inline | Mode::Fork => Message::user(text),
        Mode::ForkWithContext => {
            Message::tool_result(ToolResult { call_id: call.id.clone(), text, wire: None, is_error: false })
        }
    };
    Ok(Delegation {
        agent: Some(agent_name.clone()).filter(|name| !name.is_empty()),
        model: model.or_else(own_model),
        with_history: mode == Mode::ForkWithContext,
        messages: agent.instructions.iter().map(Message::system).chain([task]).collect(),
        tools: tools::of_sub_agent(agent.tools, settings),
        iterations: None,
        max_tokens: None,
    })
}

fn finished(call: &ToolCall, delegated: Delegated, catalog: &Catalog) -> Result<Served, String> {
    let (skill, _) = named(call, catalog)?;
    match delegated.end {
        DelegationEnd::Done => {}
        DelegationEnd::Limited => return Err("failed to run agent event: exceeds max iterations".to_owned()),
        DelegationEnd::Failed(error) => return Err(format!("failed to run agent event: {error}")),
    }
    let contents = delegated.messages.iter().flat_map(|message| {
        let results = message.results().map(|result| result.on_wire().to_owned());
        std::iter::once(message.text()).chain(results)
    });
    let said: Vec<String> = contents.filter(|content| !content.is_empty()).collect();
    Ok(Served::Reply(ToolReply::marked(catalogue::finished(skill, &said, &catalog.options.eino))))
}
