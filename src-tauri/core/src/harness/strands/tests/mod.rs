mod edit;
mod run;
mod select;

use crate::harness::sample::disk;
use crate::harness::{Catalog, Harness, Options, Performed, Served, Session, ToolReply};
use crate::model::ToolCall;

use super::Strands;

fn catalog(variant: &str, files: &[(&str, &str)]) -> Catalog {
    catalog_with(variant, files, |_| {})
}

fn catalog_with(variant: &str, files: &[(&str, &str)], set: impl FnOnce(&mut Options)) -> Catalog {
    let mut options = Options { variant: Some(variant.into()), ..Options::default() };
    set(&mut options);
    Strands.select(&disk(files), &options)
}

fn call(id: &str, name: &str, arguments: &str) -> ToolCall {
    ToolCall { id: id.into(), name: name.into(), arguments: arguments.into() }
}

fn reply(served: Served) -> ToolReply {
    match served {
        Served::Reply(reply) => reply,
        other => panic!("{other:?}"),
    }
}

/// A call of the demo's tool for a file with this text.
fn load(id: &str, command: &str, text: &str, catalog: &Catalog, session: &mut Session) -> String {
    let call = call(id, "Skill", &serde_json::json!({"command": command}).to_string());
    assert!(matches!(Strands.serve(&call, catalog, session), Served::Perform(_)));
    reply(Strands.settle(&call, Performed::Read { bytes: text.into() }, catalog, session)).text
}
