//! Beyond the recordings: what is left out and why, quirks, options, compaction, the other variant.

mod history;
mod select;
mod serve;

use serde_json::json;

use super::*;
use crate::sample::{disk, manifest};
use crate::{Effect, Origin, ToolReply};
use config::options::LearnClaudeCodeOptions;
use skill::SkillSet;

fn catalog_of(found: &SkillSet, variant: &str, change: impl FnOnce(&mut LearnClaudeCodeOptions)) -> Catalog {
    let mut options = Options { variant: Some(variant.into()), ..Options::default() };
    change(&mut options.settings.learn_claude_code);
    LearnClaudeCode.select(found, &options)
}

fn catalog(variant: &str) -> Catalog {
    let text = manifest("greeter");
    let found = disk(&[
        ("greeter/SKILL.md", text.as_str()),
        ("greeter/references/words.md", ""),
        ("greeter/scripts/greet.py", ""),
    ]);
    catalog_of(&found, variant, |_| {})
}

fn session() -> Session {
    Session { working_directory: Some("/project".into()), ..Session::default() }
}

fn call(name: &str, arguments: &str) -> ToolCall {
    ToolCall::new(format!("call of {name}"), name, arguments)
}

fn text(served: Served) -> String {
    match served {
        Served::Reply(reply) => reply.text,
        other => panic!("{other:?}"),
    }
}

fn effect(served: Served) -> Effect {
    match served {
        Served::Perform(effect) => effect,
        other => panic!("{other:?}"),
    }
}

/// Each stretch of text with who put it there.
fn marked(marked: &Marked) -> String {
    let lines = marked.marks.iter().map(|mark| {
        let origin = match &mark.origin {
            Origin::Framework => "framework".into(),
            Origin::Skill { skill, field } => format!("{skill}.{field}"),
            Origin::User => "user".into(),
            Origin::Tool { tool } => tool.clone(),
            Origin::Withheld { client, .. } => client.clone(),
        };
        format!("{origin}: {:?}", mark.span.of(&marked.text))
    });
    lines.collect::<Vec<_>>().join("\n")
}
