//! Folders of skills that no author would write.

use std::sync::Arc;

use camino::Utf8PathBuf;
use proptest::collection::{hash_set, vec};
use proptest::option;
use proptest::prelude::*;
use skill::source::SourceText;
use skill::{Entry, File, Folder, Link, Root, SkillSet};

/// One or two roots of arbitrary depth: files outside of skills, skills in skills, links, names that differ only in
/// case, manifests of any bytes.
pub fn any_skills() -> impl Strategy<Value = SkillSet> {
    vec(tree(), 1..3).prop_map(|trees| {
        let roots = trees.into_iter().enumerate().map(|(number, tree)| {
            let path = Utf8PathBuf::from(format!("/roots/{number}"));
            Root { tree: placed(tree, path.clone()), path }
        });
        SkillSet { roots: roots.collect(), problems: Vec::new() }
    })
}

/// A folder without paths, which [`placed`] adds.
fn tree() -> impl Strategy<Value = Folder> {
    let leaf = prop_oneof![
        2 => (name(), option::weighted(0.1, link()), any::<u16>())
            .prop_map(|(name, link, size)| Entry::File(File { name, path: "".into(), size: size.into(), is_regular: true, link, seen: skill::Seen::default(), source: None })),
        3 => (manifest_name(), option::weighted(0.1, link()), manifest())
            .prop_map(|(name, link, bytes)| Entry::File(File {
                is_regular: true,
                seen: skill::Seen::default(),
                name,
                path: "".into(),
                size: u64::try_from(bytes.len()).expect("it is small"),
                link,
                source: Some(Arc::new(SourceText::decode("".into(), bytes, None))),
            })),
    ];
    let entry = leaf.prop_recursive(4, 24, 6, |inner| {
        (name(), option::weighted(0.1, link()), any::<bool>(), vec(inner, 0..6))
            .prop_map(|(name, link, listed, entries)| Entry::Folder(folder(name, link, listed, entries)))
    });
    vec(entry, 0..4).prop_map(|entries| folder("root".into(), None, true, entries))
}

/// No two entries of a folder have one name, and they are sorted, as the walk gives them.
fn folder(name: String, link: Option<Link>, listed: bool, mut entries: Vec<Entry>) -> Folder {
    let name_of = |entry: &Entry| match entry {
        Entry::Folder(folder) => folder.name.clone(),
        Entry::File(file) => file.name.clone(),
    };
    entries.sort_by_key(name_of);
    entries.dedup_by_key(|entry| name_of(entry));
    if !listed {
        entries.clear();
    }
    Folder { name, path: "".into(), link, listed, entries }
}

fn placed(mut folder: Folder, path: Utf8PathBuf) -> Folder {
    for entry in &mut folder.entries {
        match entry {
            Entry::Folder(inner) => {
                let path = path.join(&inner.name);
                *inner = placed(inner.clone(), path);
            }
            Entry::File(file) => {
                file.path = path.join(&file.name);
                file.source = file.source.take().map(|source| {
                    let source = SourceText { path: file.path.clone(), ..Arc::unwrap_or_clone(source) };
                    Arc::new(source)
                });
            }
        }
    }
    Folder { path, ..folder }
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("a".to_owned()),
        Just("b-c".to_owned()),
        Just("references".to_owned()),
        Just("scripts".to_owned()),
        Just("x.py".to_owned()),
        Just("notes.MD".to_owned()),
        Just("技能.md".to_owned()),
        "[a-z.-]{1,6}",
        "[^/\0]{1,6}",
    ]
    .prop_filter("the walk gives neither of these", |name| name != "." && name != "..")
}

fn manifest_name() -> impl Strategy<Value = String> {
    prop_oneof![6 => Just("SKILL.md".to_owned()), 1 => Just("skill.md".to_owned()), 1 => Just("Skill.MD".to_owned())]
}

fn link() -> impl Strategy<Value = Link> {
    let target = prop_oneof!["../[a-z]{1,4}", "/[a-z]{1,4}", "[a-z]{1,4}"];
    (target, any::<bool>()).prop_map(|(target, broken)| Link { target: target.into(), broken, outside: false })
}

/// Mostly texts that get far into a parser, with the line ends of either world, and some bytes that are not text.
fn manifest() -> impl Strategy<Value = Vec<u8>> {
    let text = prop_oneof![
        6 => whole(),
        1 => Just("---\nname: a\ndescription: b\n---\n".to_owned()),
        1 => ".{0,30}",
    ];
    let bytes = (text, any::<bool>(), any::<bool>()).prop_map(|(text, bom, crlf)| {
        let text = if crlf { text.replace('\n', "\r\n") } else { text };
        if bom { format!("\u{feff}{text}").into_bytes() } else { text.into_bytes() }
    });
    prop_oneof![
        8 => bytes.clone(),
        1 => vec(any::<u8>(), 0..60),
        1 => (bytes, any::<prop::sample::Index>(), any::<u8>()).prop_map(|(mut bytes, at, byte)| {
            if !bytes.is_empty() {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            bytes
        }),
    ]
}

fn whole() -> impl Strategy<Value = String> {
    let dashes = || prop_oneof![8 => Just("---\n"), 1 => Just("--- \n"), 1 => Just(""), 1 => Just("----\n")];
    let body = prop_oneof![".{0,30}", "(\\PC{0,6}\t?\\PC{0,6}\n){0,4}", "[\t ]{0,4}---[\t\n]{0,3}.{0,9}"];
    (dashes(), vec(line(), 0..6), dashes(), body).prop_map(|(open, lines, close, body)| {
        let lines: String = lines.concat();
        format!("{open}{lines}{close}{body}")
    })
}

fn line() -> impl Strategy<Value = String> {
    let key = prop_oneof![
        4 => Just("name".to_owned()),
        4 => Just("description".to_owned()),
        1 => Just("metadata".to_owned()),
        1 => Just("compatibility".to_owned()),
        1 => Just("context".to_owned()),
        1 => Just("agent".to_owned()),
        1 => Just("model".to_owned()),
        1 => Just("Name".to_owned()),
        1 => "\\PC{0,5}",
    ];
    let separator = prop_oneof![6 => Just(": ".to_owned()), 1 => ":?[ \t\r]{0,2}"];
    let value = prop_oneof![
        3 => Just("a".to_owned()),
        2 => "[a-z]{1,3}(-[a-z]{1,3}){0,2}",
        2 => "\\PC{0,12}",
        1 => "[|>][+-]?(\r?\n[ \t]{0,3}\\PC{0,5}){0,4}",
        1 => "[\"'].{0,6}[\"']",
        1 => "[\\[{].{0,6}[\\]}]",
        1 => "<[a-z]{1,3}>&[a-z]{0,3};? --- x: y",
        1 => "[a-z\u{4e00}-\u{4e10}]".prop_map(|letter| letter.repeat(1500)),
        1 => hash_set("[a-z]{1,2}", 0..3).prop_map(|keys| keys.iter().map(|key| format!("\n  {key}: 1")).collect()),
    ];
    (key, separator, value).prop_map(|(key, separator, value)| format!("{key}{separator}{value}\n"))
}
