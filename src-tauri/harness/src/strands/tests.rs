mod edit;
mod run;
mod select;

use proptest::prelude::*;

use crate::sample::disk;
use crate::{Catalog, Harness, Options, Performed, Served, Session, ToolReply};
use model::ToolCall;

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
    ToolCall::new(id, name, arguments)
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

/// Texts near what the readers look for.
fn texts() -> impl Strategy<Value = String> {
    let parts = prop::sample::select(vec![
        "---",
        "\n",
        "\r\n",
        "name:",
        "description:",
        " ",
        "\t",
        "a",
        "中",
        "😀",
        "\"",
        "'",
        ":",
        "|",
        "[",
        "{",
        "args:",
        "\u{0}",
        "\u{85}",
        "-",
        "$",
        "\\1",
        "(",
    ]);
    prop::collection::vec(parts, 0..40).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn no_text_and_no_call_panics(
        manifest in texts(),
        input in texts(),
        variant in prop::sample::select(vec!["seed", "demo-repo", "vended-1.62"]),
        tool in prop::sample::select(vec!["Skill", "skills", "file_read", "shell", "editor", "file_write", "x"]),
        key in prop::sample::select(vec!["command", "skill_name", "path"]),
    ) {
        let manifest = format!("---\n{manifest}");
        let catalog = catalog_with(variant, &[("a/SKILL.md", &manifest), ("b/SKILL.md", &input)], |options| {
            options.settings.strands.file_write = true;
        });
        let mut session = Session::default();
        let shown = Strands.present(&catalog, &session);
        for tool in &shown.tools {
            let end = tool.marks.last().map_or(0, |mark| mark.span.end);
            prop_assert_eq!(end, tool.definition.description.len());
        }
        let edit = serde_json::json!({
            "command": "pattern_replace", "path": "a", "pattern": input, "new_str": manifest, "content": input,
        });
        let object = serde_json::json!({key: input});
        for arguments in [input.clone(), object.to_string(), edit.to_string()] {
            let call = call("1", tool, &arguments);
            Strands.disclosure(&call, &catalog);
            let mut served = Strands.serve(&call, &catalog, &mut session);
            for _ in 0..4 {
                if let Served::Perform(_) = served {
                    let done = Performed::Read { bytes: manifest.clone().into_bytes() };
                    served = Strands.settle(&call, done, &catalog, &mut session);
                }
            }
            let mut history = vec![model::Message::tool_calls([call])];
            Strands.before_request(&mut history, None, &catalog, &mut session);
            super::bedrock::blocks(&history);
        }
    }
}
