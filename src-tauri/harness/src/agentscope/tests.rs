mod select;
mod serve;

use serde_json::Value;

use super::AgentScope;
use crate::sample::disk;
use crate::{Catalog, Harness, Options, Served, Session, ToolReply};
use config::options::AgentScopeOptions;
use config::{GroupTool, ToolGroup};
use model::ToolCall;

fn select(files: &[(&str, &str)], variant: &str) -> Catalog {
    with(files, variant, Vec::new(), |_| {})
}

fn with(
    files: &[(&str, &str)],
    variant: &str,
    tool_groups: Vec<ToolGroup>,
    set: impl FnOnce(&mut AgentScopeOptions),
) -> Catalog {
    let mut options = Options { variant: Some(variant.into()), tool_groups, ..Options::default() };
    set(&mut options.settings.agentscope);
    AgentScope.select(&disk(files), &options)
}

fn group(skill: &str, name: &str, script: Option<&str>) -> ToolGroup {
    ToolGroup {
        skill: skill.into(),
        tools: vec![GroupTool {
            name: name.into(),
            description: "Does it.".into(),
            parameters: serde_json::json!({"type": "object", "properties": {"value": {"type": "number"}}}),
            script: script.map(str::to_owned),
            result: script.is_none().then(|| "done".into()),
        }],
    }
}

fn call(name: &str, arguments: &str) -> ToolCall {
    ToolCall::new("1", name, arguments)
}

fn serve(catalog: &Catalog, session: &mut Session, name: &str, arguments: &Value) -> Served {
    AgentScope.serve(&call(name, &arguments.to_string()), catalog, session)
}

fn reply(catalog: &Catalog, session: &mut Session, name: &str, arguments: &Value) -> ToolReply {
    match serve(catalog, session, name, arguments) {
        Served::Reply(reply) => reply,
        other => panic!("{other:?}"),
    }
}
