//! Files that are not text, recognised by their first bytes.

use std::io::Read;

use camino::Utf8Path;

use crate::Subject;
use crate::analysis::context::extension;
use skill::SkillFile;
use wording::Wording;

/// What kind of program a file is; `None`: it is none.
pub fn program<'a>(skill: &Subject<'a>, file: &'a SkillFile) -> Option<Wording> {
    if file.size < 4 || skill.read(file).is_some() {
        return None;
    }
    match skill.disk().start(&file.path)?.as_slice() {
        [0x7F, b'E', b'L', b'F', ..] => Some(LINUX),
        [0xFE, 0xED, 0xFA, 0xCE | 0xCF, ..] | [0xCE | 0xCF, 0xFA, 0xED, 0xFE, ..] => Some(MACOS),
        // A class file of Java starts alike; its next bytes are a version.
        [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, count, ..] if *count < 20 => Some(MACOS),
        start @ [b'M', b'Z', ..] if is_windows_program(start) => Some(WINDOWS),
        _ => None,
    }
}

const LINUX: Wording = Wording::new("a Linux program or library", "一个 Linux 程序或库");
const MACOS: Wording = Wording::new("a macOS program or library", "一个 macOS 程序或库");
const WINDOWS: Wording = Wording::new("a Windows program or library", "一个 Windows 程序或库");
const SCRIPT: Wording = Wording::new("a script", "一个脚本");

/// `MZ`, and the mark `PE` at the place that it names.
fn is_windows_program(start: &[u8]) -> bool {
    let Some(place) = start.get(0x3C..0x40).and_then(|place| place.try_into().ok()) else { return false };
    let place = u32::from_le_bytes(place) as usize;
    start.get(place..place.saturating_add(4)) == Some(b"PE\0\0")
}

/// A script under the name of a picture or font.
pub fn disguised_script<'a>(skill: &Subject<'a>, file: &'a SkillFile) -> Option<Wording> {
    let passive =
        ["png", "jpg", "jpeg", "gif", "webp", "bmp", "ico", "pdf", "ttf", "otf", "woff", "woff2", "mp3", "mp4"];
    if !passive.contains(&extension(&file.path).as_str()) {
        return None;
    }
    let text = skill.read(file)?;
    (text.text().starts_with("#!") || text.text().starts_with("<?php")).then_some(SCRIPT)
}

/// Endings of files that are viewed and not run.
pub fn claims_to_be_passive(path: &Utf8Path) -> bool {
    PASSIVE.contains(&extension(path).as_str())
}

const PASSIVE: [&str; 31] = [
    "png", "jpg", "jpeg", "gif", "webp", "bmp", "ico", "svg", "pdf", "txt", "md", "csv", "tsv", "json", "yaml", "yml",
    "xml", "html", "css", "ttf", "otf", "woff", "woff2", "mp3", "mp4", "wav", "docx", "xlsx", "pptx", "rst", "toml",
];

/// The first bytes of a file, up to `most`.
pub fn bytes(skill: &Subject<'_>, file: &SkillFile, most: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    let opened = skill.disk().open(&file.path);
    if opened.is_none_or(|opened| opened.take(most).read_to_end(&mut bytes).is_err()) {
        bytes.clear();
    }
    bytes
}

pub fn is_pickle_name(path: &Utf8Path) -> bool {
    matches!(extension(path).as_str(), "pkl" | "pickle" | "joblib" | "pt" | "pth" | "dill")
}

pub const PICKLE_LOOKED_AT: u64 = 1 << 20;

/// A pickle's calls: the old form `cos\nsystem\n`, or the names one after the other as strings.
pub fn names_code(pickle: &[u8]) -> bool {
    CALLS.iter().any(|(module, name)| {
        let old = [b"c", module.as_bytes(), b"\n", name.as_bytes(), b"\n"].concat();
        let short = |text: &str| [&[0x8C, u8::try_from(text.len()).unwrap_or_default()], text.as_bytes()].concat();
        holds(pickle, &old) || (holds(pickle, &short(module)) && holds(pickle, &short(name)))
    })
}

const CALLS: [(&str, &str); 14] = [
    ("os", "system"),
    ("posix", "system"),
    ("nt", "system"),
    ("os", "popen"),
    ("subprocess", "Popen"),
    ("subprocess", "run"),
    ("subprocess", "call"),
    ("subprocess", "check_output"),
    ("builtins", "eval"),
    ("builtins", "exec"),
    ("__builtin__", "eval"),
    ("__builtin__", "exec"),
    ("builtins", "__import__"),
    ("runpy", "run_path"),
];

fn holds(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}

/// The source that a compiled file was made from, by its path in the skill's folder.
pub fn source_of(name: &str) -> Option<String> {
    let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
    let (stem, ending) = file.rsplit_once('.')?;
    let source = match ending {
        "pyc" | "pyo" => "py",
        "class" => "java",
        _ => return None,
    };
    let folder = folder.strip_suffix("__pycache__").map_or(folder, |folder| folder.trim_end_matches('/'));
    // `run.cpython-312.opt-1.pyc`, `Run$Inner.class`
    let stem = stem.split(['.', '$']).next().unwrap_or(stem);
    Some(if folder.is_empty() { format!("{stem}.{source}") } else { format!("{folder}/{stem}.{source}") })
}
