//! Shell command lines, for the frameworks that read and run skills through a shell: writing one, and finding out which
//! part of a skill one uses.

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;

use super::{Catalog, CatalogBody, CatalogFile, CatalogSkill, Disclosure, Session};

/// A script's interpreter, the script, and its arguments, each quoted if the shell needs it. A map of arguments becomes
/// `--key value` words, without those that are `null`; a list, its values; anything else, one word.
pub fn line(interpreter: Option<&str>, path: &Utf8Path, with: Option<&Value>) -> String {
    let mut words: Vec<String> = interpreter.into_iter().map(str::to_owned).collect();
    words.push(path.as_str().to_owned());
    match with {
        None | Some(Value::Null) => {}
        Some(Value::Object(given)) => {
            for (key, value) in given.iter().filter(|(_, value)| !value.is_null()) {
                words.extend([format!("--{key}"), word(value)]);
            }
        }
        Some(Value::Array(given)) => words.extend(given.iter().map(word)),
        Some(given) => words.push(word(given)),
    }
    join(words.iter().map(String::as_str))
}

/// Words as one command line. NUL, which no shell accepts, is left out.
pub fn join<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words: Vec<String> = words.into_iter().map(|word| word.replace('\0', "")).collect();
    shlex::try_join(words.iter().map(String::as_str)).expect("only a NUL cannot be quoted, and none is left")
}

/// The file that a screenplay step's path means: one of the skill activated last, else `skill/path`. What neither finds
/// stays as it is, below the skill activated last if there is one.
pub fn locate(path: &str, catalog: &Catalog, session: &Session) -> Utf8PathBuf {
    let skill = |id: &str| catalog.skills.iter().find(|skill| skill.id == id);
    let last = session.activated.last().and_then(|id| skill(id));
    if let Some(found) = last.and_then(|skill| file(skill, path)) {
        return found;
    }
    if let Some((id, rest)) = path.split_once('/')
        && let Some(named) = skill(id)
        && let Some(folder) = &named.path
    {
        return file(named, rest).unwrap_or_else(|| folder.join(rest));
    }
    last.and_then(|skill| skill.path.as_ref()).map_or_else(|| path.into(), |folder| folder.join(path))
}

/// What a command line uses of a skill: the first script it runs, or else the first file it names. Words are split as
/// the shell does; expansions stay unknown.
pub fn disclosure(command: &str, catalog: &Catalog) -> Disclosure {
    let words = shlex::split(command).unwrap_or_else(|| command.split_whitespace().map(str::to_owned).collect());
    let mut folder: Option<Utf8PathBuf> = None;
    let mut before = Before::Nothing;
    let mut named = Disclosure::None;
    for word in words.iter().take(WORDS) {
        let (word, ends) = match word.trim_end_matches([';', '&', '|', ')']) {
            "" => {
                before = Before::Nothing;
                continue;
            }
            trimmed => (trimmed.trim_start_matches(['(', '<', '>']), trimmed.len() < word.len()),
        };
        if before == Before::Cd {
            folder = Some(folder.unwrap_or_default().join(word));
        } else {
            match (found(word, folder.as_deref(), catalog), before) {
                (Some(Disclosure::Script { skill, script }), Before::Nothing | Before::Interpreter) => {
                    return Disclosure::Script { skill, script };
                }
                (Some(Disclosure::Script { skill, script: resource }), _) if named == Disclosure::None => {
                    named = Disclosure::Resource { skill, resource };
                }
                (Some(other), _) if named == Disclosure::None => named = other,
                _ => {}
            }
        }
        before = match word {
            _ if ends => Before::Nothing,
            "cd" if before == Before::Nothing => Before::Cd,
            _ if before == Before::Nothing && is_interpreter(word) => Before::Interpreter,
            // `python3 -u script.py`, `A=1 python3 script.py`
            _ if before == Before::Interpreter && word.starts_with('-') => Before::Interpreter,
            _ if before == Before::Nothing && word.contains('=') => Before::Nothing,
            _ => Before::Word,
        };
    }
    named
}

/// How many words of a command are checked.
const WORDS: usize = 200;

const INTERPRETERS: [&str; 10] = ["python", "python3", "node", "bash", "sh", "zsh", "pwsh", "deno", "ruby", "perl"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    /// A command begins.
    Nothing,
    Interpreter,
    Cd,
    Word,
}

fn is_interpreter(word: &str) -> bool {
    let name = Utf8Path::new(word).file_name().unwrap_or(word);
    INTERPRETERS.contains(&name) || matches!(name, "env" | "exec" | "time" | "uv" | "run" | "source" | ".")
}

/// The file of a skill that a word names, as the kind of file it is; its `SKILL.md` is its instructions.
fn found(word: &str, folder: Option<&Utf8Path>, catalog: &Catalog) -> Option<Disclosure> {
    let path = match folder {
        Some(folder) => plain(&folder.join(word)),
        None => plain(Utf8Path::new(word)),
    };
    let (skill, within) = if path.is_absolute() { catalog.skill_at(&path)? } else { below_a_root(&path, catalog)? };
    let within = within.as_str();
    let id = skill.id.clone();
    if skill.scripts.iter().any(|file| file.name == within) {
        Some(Disclosure::Script { skill: id, script: within.into() })
    } else if skill.resources.iter().any(|file| file.name == within) {
        Some(Disclosure::Resource { skill: id, resource: within.into() })
    } else {
        (within == "SKILL.md").then_some(Disclosure::Instructions { skill: id })
    }
}

/// A relative path that goes through the folder of a skill, by the folder's name.
fn below_a_root<'a>(path: &'a Utf8Path, catalog: &'a Catalog) -> Option<(&'a CatalogSkill, &'a Utf8Path)> {
    path.ancestors().skip(1).find_map(|folder| {
        let name = folder.file_name()?;
        let named = |skill: &&CatalogSkill| {
            skill.path.as_ref().is_some_and(|own| own.file_name() == Some(name) && own.ends_with(folder))
        };
        let skill = catalog.skills.iter().find(named)?;
        Some((skill, path.strip_prefix(folder).ok()?))
    })
}

/// Without `.` and `..`, as far as the text tells.
fn plain(path: &Utf8Path) -> Utf8PathBuf {
    let mut out = Utf8PathBuf::new();
    for part in path.components() {
        match part.as_str() {
            "." => {}
            ".." => {
                if !out.pop() {
                    out.push("..");
                }
            }
            part => out.push(part),
        }
    }
    out
}

fn file(skill: &CatalogSkill, name: &str) -> Option<Utf8PathBuf> {
    let known = |file: &&CatalogFile| file.name == name;
    let found = skill.resources.iter().find(known).or_else(|| skill.scripts.iter().find(known))?;
    match &found.body {
        CatalogBody::File(path) => Some(path.clone()),
        CatalogBody::Text(_) => None,
    }
}

fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::sample::{disk, manifest};
    use crate::{Options, find};

    fn catalog() -> Catalog {
        let text = manifest("a");
        let found = disk(&[("a/SKILL.md", text.as_str()), ("a/x.md", ""), ("a/scripts/x.py", "")]);
        find("learn-claude-code").unwrap().select(&found, &Options::default())
    }

    #[test]
    fn writes_arguments_as_words_and_quotes_what_needs_it() {
        let with = json!({"value": 1, "factor": 2.20462, "none": null, "text": "it's a b", "yes": true, "empty": ""});
        assert_eq!(
            line(Some("python3"), Utf8Path::new("/s/a b.py"), Some(&with)),
            r#"python3 '/s/a b.py' --value 1 --factor 2.20462 --text "it's a b" --yes true --empty ''"#
        );
        assert_eq!(line(None, Utf8Path::new("/s/x"), Some(&json!(["-n", 3]))), "/s/x -n 3");
        assert_eq!(line(Some("bash"), Utf8Path::new("x.sh"), Some(&json!("a\0;b"))), "bash x.sh 'a;b'");
    }

    #[test]
    fn tells_what_a_command_uses_of_a_skill() {
        let catalog = catalog();
        let of = |command: &str| disclosure(command, &catalog);
        let skill = || "a".to_owned();
        let script = Disclosure::Script { skill: skill(), script: "scripts/x.py".into() };
        let read = |resource: &str| Disclosure::Resource { skill: skill(), resource: resource.into() };
        assert_eq!(of("python3 /skills/a/scripts/x.py --value 1"), script);
        assert_eq!(of("cd /skills/a && python3 -u scripts/x.py; echo done"), script);
        assert_eq!(of("cd /skills/a; cd scripts; A=1 ./x.py"), script);
        assert_eq!(of("python3 skills/a/scripts/x.py"), script);
        assert_eq!(of("cat '/skills/a/x.md' | python3 /skills/a/scripts/x.py"), script);
        assert_eq!(of("cat /skills/a/scripts/x.py"), read("scripts/x.py"));
        assert_eq!(of("cat /skills/b/../a/x.md"), read("x.md"));
        assert_eq!(of("cat 'unclosed /skills/a/x.md"), read("x.md"));
        assert_eq!(of("cat /skills/a/SKILL.md"), Disclosure::Instructions { skill: skill() });
        assert_eq!(of("cat /skills/a/none.md /elsewhere/x.md x.md"), Disclosure::None);
        assert_eq!(of(""), Disclosure::None);
    }

    #[test]
    fn finds_the_file_that_a_step_means() {
        let catalog = catalog();
        let active = Session { activated: vec!["a".into()], ..Session::default() };
        assert_eq!(locate("x.md", &catalog, &active), "/skills/a/x.md");
        assert_eq!(locate("a/scripts/x.py", &catalog, &Session::default()), "/skills/a/scripts/x.py");
        assert_eq!(locate("none.md", &catalog, &active), "/skills/a/none.md");
        assert_eq!(locate("none.md", &catalog, &Session::default()), "none.md");
    }
}
