//! The parts of the map in `ARCHITECTURE.md` that the compiler does not check: that it names every room, which rooms
//! within a crate may not use the rest of it, and that files use each other one way only.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use camino::{Utf8Path, Utf8PathBuf};

/// Rooms that live in another one's crate, and use nothing of it.
const LODGERS: [(&str, &str); 4] = [("skill", "source"), ("model", "secret"), ("trace", "clock"), ("engine", "tool")];

/// Files that use each other, and why that is one idea.
const CIRCLES: [(&[&str], &str); 0] = [];

/// A file that holds what one of many folders keeps for itself, under a name that each of them has. It has to name them
/// all, and they name the file, as they make what is in it: that is one idea. So for it, using these folders does not
/// count.
const HOLDERS: [(&str, &str, &str); 2] = [("harness", "catalog", "Detail"), ("harness", "session", "Memory")];

/// Items that other code may use must be public in their own module.
const ROOMS_OF_OTHERS: [&str; 11] =
    ["wording", "disk", "skill", "model", "config", "harness", "lint", "trace", "engine", "confine", "api"];

#[test]
fn the_map_names_every_room() {
    let map = fs::read_to_string(format!("{ROOT}/ARCHITECTURE.md")).unwrap();
    let rooms = Utf8Path::new(ROOT).join("src-tauri").read_dir_utf8().unwrap();
    let rooms = rooms.map(Result::unwrap).filter(|entry| entry.file_type().unwrap().is_dir());
    let unnamed: Vec<_> =
        rooms.map(|room| room.file_name().to_owned()).filter(|room| !map.contains(&format!("| `{room}` |"))).collect();
    assert_eq!(unnamed, ["capabilities", "icons"], "what the packaging tools read is no room");
}

#[test]
fn a_room_in_another_ones_crate_uses_nothing_of_it() {
    for (crate_name, lodger) in LODGERS {
        let files = Files::of(crate_name);
        let inside = |module: &str| module == lodger || module.starts_with(&format!("{lodger}::"));
        let leaving = files.uses.iter().filter(|(user, _)| inside(user));
        let leaving = leaving.flat_map(|(user, used)| used.iter().map(move |used| (user, used)));
        let wrong: Vec<_> = leaving.filter(|(_, used)| !inside(used)).collect();
        assert_eq!(wrong, [], "{crate_name}");
    }
}

#[test]
fn files_use_each_other_one_way() {
    let mut circles: BTreeSet<Vec<String>> = BTreeSet::new();
    for crate_name in crates() {
        let files = Files::of(&crate_name);
        for circle in files.circles() {
            circles.insert(circle.into_iter().map(|module| format!("{crate_name}::{module}")).collect());
        }
    }
    let known: BTreeSet<Vec<String>> =
        CIRCLES.iter().map(|(circle, _)| circle.iter().map(|&module| module.to_owned()).collect()).collect();
    assert_eq!(circles, known);
}

/// Code that uses something must name the room where it is defined.
#[test]
fn no_room_shows_what_is_another_ones() {
    let mut shown: Vec<String> = Vec::new();
    for crate_name in crates() {
        let folder = Utf8PathBuf::from(format!("{ROOT}/src-tauri/{crate_name}/src"));
        let own = Files::of(&crate_name).uses.into_keys().collect();
        for file in sources(&folder) {
            let code = without_tests(&fs::read_to_string(&file).unwrap());
            let name = module(file.strip_prefix(&folder).unwrap());
            shown.extend(passed_on(&code, &name, &own).iter().map(|path| format!("{crate_name}::{name}: {path}")));
        }
    }
    assert_eq!(shown, Vec::<String>::new());
}

/// Items of other rooms that the code re-exports by `pub use`, unless an own module has that name.
fn passed_on(code: &str, module: &str, own: &BTreeSet<String>) -> Vec<String> {
    let public = code.lines().map(str::trim_start).filter_map(|line| {
        let (head, path) = line.split_once("use ")?;
        let is_public = head == "pub " || (head.starts_with("pub(") && head.ends_with(") "));
        is_public.then(|| path.trim_start_matches("::").to_owned())
    });
    let first = |path: &str| path.split([':', ';', ' ']).next().unwrap_or_default().to_owned();
    let of_others = |path: &String| {
        let name = first(path);
        let child = if module.is_empty() { name.clone() } else { format!("{module}::{name}") };
        ROOMS_OF_OTHERS.contains(&name.as_str()) && !own.contains(&child)
    };
    public.filter(of_others).collect()
}

#[test]
fn finds_what_is_passed_on() {
    let code = "use model::Part;\npub use model::Image;\n    pub(crate) use ::trace::Step;\npub use lint::Earlier;\npub use self::error::Code;\n";
    let own = ["lint", "error"].map(str::to_owned).into();
    assert_eq!(passed_on(code, "", &own), ["model::Image;", "trace::Step;"]);
}

/// What a room shows is for others to use: each type and function, by name or in a public module, says what it is.
#[test]
fn what_a_room_shows_is_described() {
    let mut undescribed: Vec<String> = Vec::new();
    for crate_name in crates().into_iter().filter(|name| ROOMS_OF_OTHERS.contains(&name.as_str())) {
        let root = Utf8PathBuf::from(format!("{ROOT}/src-tauri/{crate_name}/src"));
        let mut files: Vec<(Utf8PathBuf, bool)> = Vec::new();
        let entry = root.join("lib.rs");
        if entry.is_file() {
            modules_below(&entry, &root, true, &mut files);
        }
        let texts = files.into_iter().map(|(file, is_public)| (fs::read_to_string(&file).unwrap(), file, is_public));
        let texts: Vec<_> = texts.collect();
        let names: BTreeSet<&str> = texts.iter().flat_map(|(text, ..)| shown_by_name(text)).collect();
        // Comments of options are their help in the form, which has one for each field.
        for (text, file, is_public) in
            texts.iter().filter(|(_, file, _)| !file.as_str().contains("/config/src/options"))
        {
            let types = types(text).into_iter().map(|(name, is_described)| (name, name, is_described));
            let shown = types.chain(functions(text)).filter(|(by, ..)| *is_public || names.contains(by));
            let bare = shown.filter(|(.., is_described)| !is_described);
            undescribed.extend(bare.map(|(by, name, _)| format!("{}: {by} {name}", file.strip_prefix(ROOT).unwrap())));
        }
    }
    assert_eq!(undescribed, Vec::<String>::new());
}

/// A module is shown if somebody outside of its room names it.
#[test]
fn a_room_shows_no_module_that_nobody_else_names() {
    let named: BTreeSet<String> = everybodys_files().into_iter().flat_map(|(of, text)| named(&text, &of)).collect();
    let mut unnamed: Vec<String> = Vec::new();
    for room in ROOMS_OF_OTHERS {
        let folder = Utf8PathBuf::from(format!("{ROOT}/src-tauri/{room}/src"));
        unnamed.extend(
            shown_below(&folder.join("lib.rs"), &folder, room).into_iter().filter(|path| !named.contains(path)),
        );
    }
    assert_eq!(unnamed, Vec::<String>::new());
}

/// The paths of the public modules in a file, and of those in them.
fn shown_below(file: &Utf8Path, folder: &Utf8Path, path: &str) -> Vec<String> {
    let Ok(text) = fs::read_to_string(file) else { return Vec::new() };
    let code = without_tests(&text);
    let shown = code.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    let with_inner = shown.flat_map(|name| {
        let path = format!("{path}::{name}");
        let inner = shown_below(&folder.join(format!("{name}.rs")), &folder.join(name), &path);
        std::iter::once(path).chain(inner)
    });
    with_inner.collect()
}

/// All Rust of the project, with the room that each file is of.
fn everybodys_files() -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut folders = vec![Utf8Path::new(ROOT).join("src-tauri"), Utf8Path::new(ROOT).join("tests")];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir_utf8().unwrap() {
            let path = entry.unwrap().into_path();
            if path.is_dir() && path.file_name() != Some("fixtures") {
                folders.push(path);
            } else if path.extension() == Some("rs") {
                let room = path.strip_prefix(ROOT).unwrap().components().nth(1).map(|name| name.as_str().to_owned());
                files.push((room.unwrap_or_default(), fs::read_to_string(&path).unwrap()));
            }
        }
    }
    files
}

/// What a file names of other rooms: each path, and the paths to what it is in.
fn named(text: &str, of: &str) -> Vec<String> {
    let begins = |at: usize| {
        let before = text[..at].strip_suffix("::").unwrap_or(&text[..at]);
        !before.ends_with(|letter: char| letter.is_alphanumeric() || letter == '_')
    };
    let rooms = ROOMS_OF_OTHERS.iter().filter(|room| **room != of);
    let places = rooms.flat_map(|room| text.match_indices(&format!("{room}::")).map(|(at, _)| at).collect::<Vec<_>>());
    let paths = places.filter(|at| begins(*at)).flat_map(|at| paths(&text[at..]));
    let with_outer = paths.flat_map(|path| {
        let ends = path.match_indices("::").map(|(at, _)| at).chain([path.len()]);
        ends.map(|end| path[..end].to_owned()).collect::<Vec<_>>()
    });
    with_outer.collect()
}

/// A module's file and those below it, each with whether it can be named from outside.
fn modules_below(file: &Utf8Path, folder: &Utf8Path, is_public: bool, out: &mut Vec<(Utf8PathBuf, bool)>) {
    let code = without_tests(&fs::read_to_string(file).unwrap());
    out.push((file.to_owned(), is_public));
    for line in code.lines() {
        let (shown, line) = line.strip_prefix("pub ").map_or((false, line), |rest| (true, rest));
        let Some(name) = line.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';')) else { continue };
        let child = folder.join(format!("{name}.rs"));
        if child.is_file() {
            modules_below(&child, &folder.join(name), is_public && shown, out);
        }
    }
}

/// The names that a file takes out of its modules by `pub use`.
fn shown_by_name(text: &str) -> Vec<&str> {
    let uses = text.match_indices("\npub use ").map(|(at, found)| &text[at + found.len()..]);
    let of_one = |rest: &'_ str| rest.find(';').unwrap_or(rest.len());
    uses.flat_map(|rest| rest[..of_one(rest)].split(|letter: char| !letter.is_alphanumeric() && letter != '_'))
        .collect()
}

/// The public types of a file, and whether each is described. The options of frameworks are, field by field.
fn types(text: &str) -> Vec<(&str, bool)> {
    let lines: Vec<&str> = text.lines().collect();
    let name = |line: &'_ str| {
        let rest = line.strip_prefix("pub ")?;
        let rest = ["struct ", "enum ", "trait ", "type "].iter().find_map(|kind| rest.strip_prefix(kind))?;
        Some(rest.len())
    };
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(length) = name(line) else { continue };
        let rest = &line[line.len() - length..];
        let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len());
        let above = lines[..at].iter().rev().take_while(|line| !line.is_empty() && !line.starts_with('}'));
        found.push((&rest[..end], above.clone().any(|line| line.starts_with("///"))));
    }
    found
}

/// The public functions of a file: by what each is reached (its own name, or the type that it is a method of), its name, and whether
/// it is described.
fn functions(text: &str) -> Vec<(&str, &str, bool)> {
    let lines: Vec<&str> = text.lines().collect();
    let word =
        |rest: &'_ str| rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len());
    let mut found = Vec::new();
    // The type whose methods are here.
    let mut of = None;
    for (at, line) in lines.iter().enumerate() {
        if let Some(rest) = line.strip_prefix("impl") {
            let rest = if rest.starts_with('<') {
                rest.split_once("> ").map_or("", |(_, rest)| rest)
            } else {
                rest.trim_start()
            };
            of = Some(&rest[..word(rest)]).filter(|_| !line.contains(" for "));
        } else if line.starts_with('}') {
            of = None;
        }
        let (is_method, rest) = line.strip_prefix("    ").map_or((false, *line), |rest| (true, rest));
        let Some(rest) = rest.strip_prefix("pub ") else { continue };
        let rest = rest.strip_prefix("const ").unwrap_or(rest);
        let Some(rest) = rest.strip_prefix("async ").unwrap_or(rest).strip_prefix("fn ") else { continue };
        let name = &rest[..word(rest)];
        let by = if is_method { of } else { Some(name) };
        let above = lines[..at].iter().rev().find(|line| !line.trim_start().starts_with("#["));
        let is_described = above.is_some_and(|line| line.trim_start().starts_with("///"));
        found.extend(by.map(|by| (by, name, is_described)));
    }
    found
}

#[test]
fn public_functions_are_found_with_what_they_belong_to() {
    let text = "/// It does.\n#[must_use]\npub const fn one() {}\npub fn two() {}\nimpl<T: Ord> Some<T> {\n    pub async fn three(self) {}\n\
                \x20   fn own() {}\n}\nimpl Display for Some {\n    pub fn no() {}\n}\n";
    assert_eq!(functions(text), [("one", "one", true), ("two", "two", false), ("Some", "three", false)]);
}

/// The pages, as the crates.
#[test]
fn pages_import_each_other_one_way() {
    let folder = Utf8PathBuf::from(format!("{ROOT}/ui/src"));
    let pages = pages(&folder);
    let uses = pages.iter().filter(|page| !page.as_str().ends_with(".test.ts")).map(|page| {
        let text = fs::read_to_string(page).unwrap();
        let imported = imports(&text).into_iter().filter_map(|path| imported(page, &path, &pages));
        let name = |page: &Utf8Path| page.strip_prefix(&folder).unwrap().to_string();
        (name(page), imported.filter(|other| other != page).map(|other| name(&other)).collect())
    });
    let files = Files { uses: uses.collect() };
    assert!(files.uses.len() > 300, "{}", files.uses.len());
    assert_eq!(files.circles(), BTreeSet::new());
}

/// TypeScript and Svelte.
fn pages(folder: &Utf8Path) -> BTreeSet<Utf8PathBuf> {
    let mut out = BTreeSet::new();
    for entry in folder.read_dir_utf8().unwrap() {
        let path = entry.unwrap().into_path();
        if path.is_dir() {
            out.extend(pages(&path));
        } else if matches!(path.extension(), Some("ts" | "svelte")) {
            out.insert(path);
        }
    }
    out
}

/// The paths from here that a page imports, at once or later.
fn imports(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for before in [" from \"", "import(\"", "import \""] {
        for (at, _) in text.match_indices(before) {
            let path = text[at + before.len()..].split('"').next().unwrap_or_default();
            if path.starts_with('.') {
                out.push(path.to_owned());
            }
        }
    }
    out
}

fn imported(from: &Utf8Path, path: &str, pages: &BTreeSet<Utf8PathBuf>) -> Option<Utf8PathBuf> {
    let mut to = from.parent()?.to_owned();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => to = to.parent()?.to_owned(),
            name => to.push(name),
        }
    }
    let ways = ["", ".ts", ".svelte.ts", "/index.ts"].map(|ending| Utf8PathBuf::from(format!("{to}{ending}")));
    ways.into_iter().find(|way| pages.contains(way))
}

/// The places that start a process, and which. What a model causes is started by the room alone: `tool::room` decides,
/// `tool::sandbox` confines, and `tool::script` runs what the room says.
const STARTERS: [(&str, &str); 11] = [
    ("confine/src/main.rs", "becomes what the sandbox is to run, inside of it"),
    (
        "disk/src/git.rs",
        "git, which the user asks about a file, or agrees to show a model; it only reads, and runs nothing that the repository names",
    ),
    (
        "disk/src/outside.rs",
        "the file manager, and the editor that the user's own settings name, with a path of the open folders",
    ),
    ("engine/src/tool/group.rs", "shells of ours that look after the processes of a script, and no more"),
    ("engine/src/tool/overseer.rs", "between this program and a script, what the script is"),
    (
        "engine/src/tool/sandbox/landlock.rs",
        "what Landlock confines, and a shell of ours that looks after its processes",
    ),
    ("engine/src/tool/sandbox/seatbelt.rs", "macOS's own sandbox, with what it confines"),
    ("engine/src/tool/sandbox.rs", "bubblewrap, with what it confines"),
    ("engine/src/tool/script.rs", "a script or a command"),
    (
        "model/src/secret/command.rs",
        "the command of the user's own models.yaml that prints a key: no model, skill or project file can bring one",
    ),
    ("app/heap.rs", "this program, once more, with what its page is to keep of memory"),
];

/// The files that may run a script with the user's rights: the room, and the proof of the sandbox, whose script is
/// ours.
const ROOMS: [&str; 2] = ["engine/src/tool/room.rs", "engine/src/tool/sandbox/proof.rs"];

#[test]
fn nothing_but_the_room_starts_what_a_model_causes() {
    let folder = Utf8Path::new(ROOT).join("src-tauri");
    // The window's own crate starts nothing; xtask is only for developers.
    let crates = crates().into_iter().filter(|name| name != "xtask").map(|name| folder.join(name).join("src"));
    let files: Vec<_> = crates.chain([folder.join("app")]).flat_map(|crate_folder| sources(&crate_folder)).collect();
    let with = |words: &[&str]| -> Vec<String> {
        let holds = |path: &&Utf8PathBuf| {
            let code = without_tests(&fs::read_to_string(path).unwrap());
            words.iter().any(|word| code.contains(word))
        };
        files.iter().filter(holds).map(|path| path.strip_prefix(&folder).unwrap().to_string()).collect()
    };
    assert_eq!(with(&["Command::new(", "process::Command"]), STARTERS.map(|(path, _)| path));
    assert_eq!(with(&["script::run("]), ROOMS);
}

/// The places of the engine that go to the disk by a path, and what paths those are. What a model named is opened by
/// `tool::reach` alone, by handles.
const BY_PATH: [(&str, &str); 14] = [
    ("engine/src/tool/contents.rs", "what is in the folder of the run before and after a turn"),
    ("engine/src/tool/fingerprint.rs", "reads what would run, of which nothing but a sum is kept"),
    ("engine/src/tool/group.rs", "a pipe of ours that is open"),
    ("engine/src/tool/history.rs", "what the disk says of a file that the reach opened"),
    ("engine/src/tool/overseer.rs", "/proc, and the pipe that it waits at"),
    ("engine/src/tool/quota.rs", "sizes in the folder of the run"),
    ("engine/src/tool/sandbox/landlock.rs", "/proc, and folders of the system, the skills and the run"),
    ("engine/src/tool/sandbox/left.rs", "folders of the sandbox's own that a dead process left"),
    ("engine/src/tool/sandbox/proof.rs", "files of ours that the proof is about"),
    ("engine/src/tool/sandbox/seatbelt.rs", "programs of the system, and where the skills and the run really lie"),
    ("engine/src/tool/sandbox.rs", "folders of the sandbox's own, and those of the system, the skills and the run"),
    ("engine/src/tool/script.rs", "programs on PATH, and the folder that a script runs in"),
    ("engine/src/tool/signals.rs", "/proc/self/status"),
    ("engine/src/tool.rs", "looks whether a path leads anywhere, for the words of an error"),
];

#[test]
fn nothing_but_the_reach_opens_a_path_that_a_model_named() {
    let folder = Utf8Path::new(ROOT).join("src-tauri");
    let files = sources(&folder.join("engine/src"));
    let with = |words: &[&str]| -> Vec<String> {
        let holds = |path: &&Utf8PathBuf| {
            // An open file is not a path.
            let code = without_tests(&fs::read_to_string(path).unwrap()).replace("use std::fs::File;", "");
            words.iter().any(|word| code.contains(word))
        };
        files.iter().filter(holds).map(|path| path.strip_prefix(&folder).unwrap().to_string()).collect()
    };
    let by_path = [
        "std::fs",
        "tokio::fs",
        "use std::{fs",
        "File::open(",
        "File::create(",
        "OpenOptions",
        "WalkDir",
        ".read_dir",
        ".metadata()",
        ".canonicalize",
        ".exists()",
        ".is_file()",
        ".is_dir()",
        ".is_symlink()",
        ".read_link",
        "disk::open",
        "disk::read(",
        "disk::read_text(",
        "disk::write",
        "disk::remove_tree",
    ];
    assert_eq!(with(&by_path), BY_PATH.map(|(path, _)| path));
    assert_eq!(with(&["Folder::enter(", "Folder::make("]), HANDLES);
    assert_eq!(with(&["Reach::everywhere("]), Vec::<String>::new(), "for paths that the user wrote, by the api");
}

/// Tests must ask for what they need of a machine by `needed::require_or_skip`, so that none has its own rule for being
/// skipped in CI.
#[test]
fn no_test_decides_by_itself_whether_this_is_ci() {
    let words = ["var_os(\"CI\")", "var(\"CI\")", "println!(\"skipped"];
    let folders = ["src-tauri", "tests"].map(|folder| Utf8Path::new(ROOT).join(folder));
    let mut deciding: Vec<String> = Vec::new();
    for file in folders.iter().flat_map(|folder| all_sources(folder)) {
        let text = fs::read_to_string(&file).unwrap();
        if words.iter().any(|word| text.contains(word)) {
            deciding.push(file.strip_prefix(ROOT).unwrap().to_string());
        }
    }
    // Whole checks that CI must have, in place of tests.
    assert_eq!(deciding, ["src-tauri/xtask/src/tally.rs", "tests/needed/lib.rs"]);
}

/// With tests.
fn all_sources(folder: &Utf8Path) -> Vec<Utf8PathBuf> {
    let mut out = Vec::new();
    for entry in folder.read_dir_utf8().unwrap() {
        let path = entry.unwrap().into_path();
        if path.is_dir() {
            out.extend(all_sources(&path));
        } else if path.extension() == Some("rs") {
            out.push(path);
        }
    }
    out.sort();
    out
}

/// The files that make handles: for paths of a model, and for the folder of the run, whose files are read and counted.
const HANDLES: [&str; 3] = ["engine/src/tool/contents.rs", "engine/src/tool/files.rs", "engine/src/tool/reach.rs"];

#[test]
fn finds_what_a_file_uses() {
    let text = "
//! `crate::lint` in a comment counts for nothing.
use crate::{harness::Effect, model::{Message, Part}, trace};
use super::clock::Millis;
mod child;
fn f() -> crate::skill::Skill { child::new() }
#[cfg(test)]
use crate::engine;
#[cfg(test)]
mod tests {
    use crate::api;
}
";
    let modules = ["", "a", "a::b", "a::b::child", "a::clock", "api", "engine", "harness", "model", "skill", "trace"];
    let texts = modules.map(|module| (module.to_owned(), String::new())).into();
    let used: Vec<String> = used(&without_tests(text), "a::b", &Names::of(&texts)).into_iter().collect();
    assert_eq!(used, ["a::b::child", "a::clock", "harness", "model", "skill", "trace"]);
}

#[test]
fn follows_what_is_passed_on_to_the_file_that_defines_it() {
    let texts = [
        ("", "mod a;\nmod b;\npub use a::{inner::Deep, Own as Other};\nuse serde::Value;"),
        ("a", "mod inner;\npub struct Own;"),
        ("a::inner", "pub struct Deep;"),
        ("b", "use crate::{Deep, Value};\nuse super::a::Own;"),
        ("c", "use super::b;\nfn f() { b::g() }"),
        ("d", "use crate::{\n    Deep,\n};"),
        ("e", "use crate::Other;"),
        ("f", "use crate::{Deep as Sea,\n    a as first};\nfn f() { first::g() }"),
    ];
    let texts = texts.map(|(module, text)| (module.to_owned(), text.to_owned())).into();
    let names = Names::of(&texts);
    let used = |module: &str| used(&texts[module], module, &names).into_iter().collect::<Vec<_>>();
    assert_eq!(["b", "c", "d", "e"].map(used).concat(), ["a", "a::inner", "b", "a::inner", "a"]);
    assert_eq!(used("f"), ["a", "a::inner"]);
}

#[test]
fn finds_which_folders_a_file_holds_one_of() {
    assert_eq!(holding("enum Detail { A(a::Detail), B(b::Detail), C(c::Other) }", "Detail"), ["a", "b"]);
}

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

fn crates() -> Vec<String> {
    let rooms = Utf8Path::new(ROOT).join("src-tauri").read_dir_utf8().unwrap().map(Result::unwrap);
    let rooms = rooms.filter(|room| room.path().join("src").is_dir()).map(|room| room.file_name().to_owned());
    let mut rooms: Vec<String> = rooms.collect();
    rooms.sort();
    rooms
}

/// The files of a crate, by the modules they are, and which others each uses: those that define what it names, however
/// that is passed on. Using declarations of the modules above a file does not count.
struct Files {
    uses: BTreeMap<String, BTreeSet<String>>,
}

impl Files {
    fn of(crate_name: &str) -> Self {
        let folder = Utf8PathBuf::from(format!("{ROOT}/src-tauri/{crate_name}/src"));
        let files: BTreeMap<String, Utf8PathBuf> =
            sources(&folder).into_iter().map(|path| (module(path.strip_prefix(&folder).unwrap()), path)).collect();
        let texts: BTreeMap<String, String> = files
            .iter()
            .map(|(module, path)| (module.clone(), without_tests(&fs::read_to_string(path).unwrap())))
            .collect();
        let names = Names::of(&texts);
        let uses = texts.iter().map(|(module, code)| {
            let mut used = used(code, module, &names);
            used.retain(|used| used != module && !is_within(module, used));
            for (_, _, kept) in HOLDERS.iter().filter(|(name, holder, _)| (*name, *holder) == (crate_name, module)) {
                let folders = holding(code, kept);
                used.retain(|used| !folders.iter().any(|folder| used == folder || is_within(used, folder)));
            }
            (module.clone(), used)
        });
        Self { uses: uses.collect() }
    }

    /// Modules that lead to each other.
    fn circles(&self) -> BTreeSet<Vec<String>> {
        let reached: BTreeMap<&str, BTreeSet<&str>> =
            self.uses.keys().map(|module| (module.as_str(), self.reached(module))).collect();
        let circle = |module: &str| -> Vec<String> {
            let others = reached[module].iter().filter(|other| reached[*other].contains(module));
            others.map(|other| (*other).to_owned()).collect()
        };
        reached.keys().map(|module| circle(module)).filter(|circle| !circle.is_empty()).collect()
    }

    fn reached(&self, from: &str) -> BTreeSet<&str> {
        let mut reached = BTreeSet::new();
        let mut next: Vec<&str> = self.uses[from].iter().map(String::as_str).collect();
        while let Some(module) = next.pop() {
            if reached.insert(module) {
                next.extend(self.uses[module].iter().map(String::as_str));
            }
        }
        reached
    }
}

/// `a/b.rs` as `a::b`; the crate itself is empty.
fn module(file: &Utf8Path) -> String {
    let path = file.with_extension("");
    let names: Vec<&str> = path.components().map(|name| name.as_str()).collect();
    match names[..] {
        ["lib" | "main"] => String::new(),
        _ => names.join("::"),
    }
}

fn is_within(module: &str, outer: &str) -> bool {
    outer.is_empty() || module.starts_with(&format!("{outer}::"))
}

fn sources(folder: &Utf8Path) -> Vec<Utf8PathBuf> {
    let mut out = Vec::new();
    for entry in folder.read_dir_utf8().unwrap() {
        let path = entry.unwrap().into_path();
        if path.file_stem() == Some("tests") {
            continue;
        }
        if path.is_dir() {
            out.extend(sources(&path));
        } else if path.extension() == Some("rs") {
            out.push(path);
        }
    }
    out.sort();
    out
}

/// Folders that the code names right before `kept`.
fn holding<'a>(code: &'a str, kept: &str) -> Vec<&'a str> {
    let named = code.match_indices(kept).filter_map(|(at, _)| code[..at].strip_suffix("::"));
    named.filter_map(|before| before.rsplit(|letter: char| !letter.is_alphanumeric() && letter != '_').next()).collect()
}

/// The modules of a crate, and the names that each of them imports, for itself or for others.
struct Names {
    modules: BTreeSet<String>,
    /// The path that a module imports, by the module and the name that it has there.
    imported: BTreeMap<(String, String), String>,
}

impl Names {
    /// `texts`: the code of each module.
    fn of(texts: &BTreeMap<String, String>) -> Self {
        let mut imported = BTreeMap::new();
        for (module, code) in texts {
            let uses = code.match_indices("use ").filter(|(at, _)| {
                let before = code[..*at].rsplit('\n').next().unwrap_or_default().trim();
                before.is_empty() || before.starts_with("pub")
            });
            for (at, start) in uses {
                for (path, name) in imports_of(&code[at + start.len()..]) {
                    imported.insert((module.clone(), name), path);
                }
            }
        }
        Self { modules: texts.keys().cloned().collect(), imported }
    }

    /// The module that defines what a path in `module` names, if it is one of this crate.
    fn definer(&self, path: &str, module: &str) -> Option<String> {
        self.followed(path, module, 0)
    }

    /// `times`: how many imports led here.
    fn followed(&self, path: &str, module: &str, times: usize) -> Option<String> {
        let mut names = path.split("::").peekable();
        let mut base: Vec<&str> = module.split("::").filter(|name| !name.is_empty()).collect();
        let starts = base.len();
        if names.next_if_eq(&"crate").is_some() {
            base.clear();
        }
        // What begins with a name may be of another crate.
        let mut may_be_foreign = names.next_if_eq(&"self").is_none() && !path.starts_with("crate::");
        while names.next_if_eq(&"super").is_some() {
            base.pop()?;
        }
        may_be_foreign &= base.len() == starts;
        let mut found = Some(base.join("::")).filter(|base| self.modules.contains(base))?;
        while let Some(name) = names.next() {
            let inner = if found.is_empty() { name.to_owned() } else { format!("{found}::{name}") };
            if self.modules.contains(&inner) {
                found = inner;
            } else if let Some(import) = self.imported.get(&(found.clone(), name.to_owned())) {
                let rest = names.map(|name| format!("::{name}")).collect::<String>();
                let import = format!("{import}{rest}");
                // A crate may have the name of what is taken from it.
                return if times > 9 || import == path { None } else { self.followed(&import, &found, times + 1) };
            } else {
                return (!may_be_foreign).then_some(found);
            }
            may_be_foreign = false;
        }
        Some(found)
    }
}

/// The modules that define what the code of `module` names.
fn used(code: &str, module: &str, names: &Names) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    for (at, _) in code.char_indices() {
        let starts = !code[..at].ends_with(|before: char| before.is_alphanumeric() || "_:$".contains(before));
        if !starts || !code[at..].starts_with(char::is_lowercase) {
            continue;
        }
        for path in paths(&code[at..]) {
            used.extend(names.definer(&path, module));
        }
    }
    used
}

/// A path, or each branch of one that ends in a `{…}` group. One name alone leads nowhere.
fn paths(code: &str) -> Vec<String> {
    let end = code.find(|letter: char| !letter.is_alphanumeric() && !"_:".contains(letter)).unwrap_or(code.len());
    let (head, rest) = code.split_at(end);
    if let (true, Some(group)) = (head.ends_with("::"), rest.strip_prefix('{')) {
        return branches(group).iter().flat_map(|branch| paths(&format!("{head}{branch}"))).collect();
    }
    if head.contains("::") { vec![head.trim_end_matches("::").to_owned()] } else { Vec::new() }
}

/// The paths that a `use` imports, each with the name that it has then; what is behind `use`, and more.
fn imports_of(code: &str) -> Vec<(String, String)> {
    let tree = code.split(';').next().unwrap_or_default().trim().trim_start_matches("::");
    let mut imports = Vec::new();
    let mut open = vec![tree.to_owned()];
    while let Some(tree) = open.pop() {
        if let Some((head, group)) = tree.split_once('{') {
            open.extend(branches(group).iter().map(|branch| format!("{}{branch}", head.trim())));
            continue;
        }
        let (path, alias) = tree.split_once(" as ").unwrap_or((&tree, ""));
        let path = path.trim().strip_suffix("::self").unwrap_or(path.trim());
        let name = if alias.is_empty() { path.rsplit("::").next().unwrap_or(path) } else { alias.trim() };
        imports.push((path.to_owned(), name.to_owned()));
    }
    imports
}

/// What a `{…}` group holds between its commas; ` as ` keeps its blanks.
fn branches(group: &str) -> Vec<String> {
    let (mut depth, mut branches) = (0, vec![String::new()]);
    for letter in group.chars() {
        match letter {
            '}' if depth == 0 => break,
            ',' if depth == 0 => {
                branches.push(String::new());
                continue;
            }
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        let letter = if letter.is_whitespace() { ' ' } else { letter };
        let branch = branches.last_mut().unwrap();
        if letter != ' ' || !branch.ends_with(' ') {
            branch.push(letter);
        }
    }
    branches.iter().map(|branch| branch.trim().to_owned()).filter(|branch| !branch.is_empty()).collect()
}

/// Drops comments and the items under `#[cfg(test)]`; relies on rustfmt's layout.
fn without_tests(text: &str) -> String {
    let mut out = String::new();
    let mut lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    while let Some(line) = lines.next() {
        if line.trim() != "#[cfg(test)]" {
            out.push_str(line);
            out.push('\n');
            continue;
        }
        let indent = &line[..line.len() - line.trim_start().len()];
        let item = lines.by_ref().find(|line| !line.trim_start().starts_with("#[")).unwrap_or_default();
        if item.ends_with('{') {
            let end = format!("{indent}}}");
            lines.by_ref().find(|line| *line == end);
        }
    }
    out
}
