use camino::Utf8PathBuf;
use serde_json::{Value, json};

use super::*;
use crate::sample::{disk, manifest};
use crate::{
    Delegated, DelegationEnd, Effect, FailureKind, ListedEntry, Origin, Quirk, QuirkKind, ReplyAuthor, ScriptOutput,
};
use config::options::{EinoAgent, EinoAgentTools, EinoLanguage, EinoOptions};
use model::{ToolDef, ToolResult};

mod filesystem;
mod skills;

fn select(files: &[(&str, &str)], set: impl FnOnce(&mut EinoOptions)) -> Catalog {
    let mut options = Options::default();
    set(&mut options.settings.eino);
    Eino.select(&disk(files), &options)
}

fn call(name: &str, arguments: &Value) -> ToolCall {
    ToolCall::new("call_1", name, arguments.to_string())
}

fn session() -> Session {
    Session { working_directory: Some("/work".into()), ..Session::default() }
}

fn serve(catalog: &Catalog, name: &str, arguments: Value) -> Served {
    Eino.serve(&call(name, &arguments), catalog, &mut session())
}

fn settle(catalog: &Catalog, name: &str, arguments: Value, done: Performed) -> Served {
    Eino.settle(&call(name, &arguments), done, catalog, &mut session())
}

fn text(served: Served) -> String {
    match served {
        Served::Reply(reply) => reply.text,
        other => panic!("{other:?}"),
    }
}

fn error(served: Served) -> String {
    match served {
        Served::Abort(error) => error,
        other => panic!("{other:?}"),
    }
}

fn skill(frontmatter: &str, body: &str) -> String {
    format!("---\n{frontmatter}\n---\n{body}\n")
}
