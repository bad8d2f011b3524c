//! What must hold for every harness, whatever is on disk and whatever a model calls.

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use skillbench_core::harness::{self, Marked, Options, Performed, ScriptOutput, Served, Session};
use skillbench_core::model::ToolCall;
use skillbench_core::skill::{Entry, File, Folder, Link, Root, SkillSet};
use skillbench_core::source::SourceText;

proptest! {
    #[test]
    fn no_skill_and_no_call_makes_a_harness_panic(
        tree in tree(), calls in vec(call(), 1..6), output in ".{0,40}", instructions in option::of(".{0,40}"),
    ) {
        let found = SkillSet { roots: vec![Root { path: "/root".into(), tree: placed(tree, "/root".into()) }], problems: Vec::new() };
        for harness in harness::all() {
            let catalog = harness.select(&found, &Options::default());
            let mut session = Session { agent_instructions: instructions.clone(), ..Session::default() };
            if let Some(shown) = harness.present(&catalog, &session).instructions {
                prop_assert!(is_covered(&shown), "every byte has one origin: {shown:?}");
            }
            for call in &calls {
                harness.disclosure(call, &catalog);
                let reply = match harness.serve(call, &catalog, &mut session) {
                    Served::Reply(reply) => reply,
                    Served::Perform(_) => match harness.settle(call, ran(&output), &catalog, &mut session) {
                        Served::Reply(reply) => reply,
                        other => panic!("{other:?}"),
                    },
                    Served::Abort(_) => continue,
                };
                if let Some(wire) = harness.wire(&reply, &catalog) {
                    let read_back: String = serde_json::from_str(&wire).expect("the wire text is a JSON string");
                    prop_assert_eq!(read_back, reply.text, "encoding loses nothing");
                }
            }
        }
    }
}

/// A folder without paths, which [`placed`] adds.
fn tree() -> impl Strategy<Value = Folder> {
    let folder = |name: String, link, entries| Folder { name, path: "".into(), link, listed: true, entries };
    let leaf = prop_oneof![
        3 => (name(), option::weighted(0.1, link()), text()).prop_map(|(name, link, text)| file(name, link, text)),
        2 => text().prop_map(|text| file("SKILL.md".into(), None, text)),
    ];
    leaf.prop_recursive(4, 24, 5, move |inner| {
        (name(), option::weighted(0.1, link()), vec(inner, 0..5))
            .prop_map(move |(name, link, entries)| Entry::Folder(folder(name, link, entries)))
    })
    .prop_map(move |entry| folder("root".into(), None, vec![entry]))
}

fn file(name: String, link: Option<Link>, text: String) -> Entry {
    let source = SourceText { path: "".into(), text, bom: false, invalid_at: None, truncated_from: None };
    let source = name.eq_ignore_ascii_case("SKILL.md").then(|| Arc::new(source));
    Entry::File(File { name, path: "".into(), size: 0, link, source })
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("a".to_owned()),
        Just("references".to_owned()),
        Just("skill.md".to_owned()),
        Just("x.py".to_owned()),
        Just("技能.md".to_owned()),
        "[a-z.-]{1,6}",
        "[^/\0]{1,6}",
    ]
}

fn link() -> impl Strategy<Value = Link> {
    any::<bool>().prop_map(|broken| Link { target: "../elsewhere".into(), broken })
}

/// Mostly texts that get far into the parser.
fn text() -> impl Strategy<Value = String> {
    let value = prop_oneof!["a", "\\PC{0,12}", "[|>][+-]?(\r?\n[ \t]{0,3}\\PC{0,5}){0,4}", "[\"'].{0,6}[\"']"];
    let line = (prop_oneof!["name", "description", "Compatibility", "\\PC{0,5}"], ":?[ \t\r]{0,2}", value)
        .prop_map(|(key, separator, value)| format!("{key}{separator}{value}\n"));
    prop_oneof![
        ".{0,30}",
        (vec(line, 0..5), ".{0,20}").prop_map(|(lines, body)| format!("---\n{}---\n{body}", lines.concat())),
        Just("---\nname: a\ndescription: b\n---\n".to_owned()),
    ]
}

fn call() -> impl Strategy<Value = ToolCall> {
    let tool = prop_oneof![
        Just("load_skill".to_owned()),
        Just("read_skill_resource".to_owned()),
        Just("run_skill_script".to_owned()),
        ".{0,8}",
    ];
    let value =
        prop_oneof!["\"a\"", "\"x\\.py\"", "null", "-?[0-9]{1,3}", "\\[1,\"\u{3000}\"\\]", "\\{\"k\":1e9\\}", ".{0,5}"];
    let key = prop_oneof!["skillName", "resourceName", "scriptName", "arguments", ".{0,4}"];
    let arguments = vec((key, value).prop_map(|(key, value)| format!("\"{key}\":{value}")), 0..4)
        .prop_map(|pairs| format!("{{{}}}", pairs.join(",")));
    (tool, prop_oneof![4 => arguments, 1 => ".{0,12}"]).prop_map(|(name, arguments)| ToolCall {
        id: "call".into(),
        name,
        arguments,
    })
}

fn placed(mut folder: Folder, path: Utf8PathBuf) -> Folder {
    for entry in &mut folder.entries {
        match entry {
            Entry::Folder(inner) => {
                let path = path.join(&inner.name);
                *inner = placed(inner.clone(), path);
            }
            Entry::File(file) => file.path = Utf8Path::new(&path).join(&file.name),
        }
    }
    Folder { path, ..folder }
}

fn ran(stdout: &str) -> Performed {
    Performed::Ran(ScriptOutput {
        stdout: stdout.into(),
        stderr: String::new(),
        exit_code: Some(0),
        timed_out: false,
        truncated: false,
        took: 0,
    })
}

fn is_covered(marked: &Marked) -> bool {
    let mut end = 0;
    for mark in &marked.marks {
        if mark.span.start != end || mark.span.end <= end || !marked.text.is_char_boundary(mark.span.end) {
            return false;
        }
        end = mark.span.end;
    }
    end == marked.text.len()
}
