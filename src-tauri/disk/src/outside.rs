//! Shows a file or a folder in another program of the user's: the file manager, or the editor that their settings name. The
//! path is one argument of it, and no shell reads it.

use std::io;
use std::process::{Command, Stdio};

use camino::{Utf8Path, Utf8PathBuf};

use crate::program;

/// Placeholder for the path in a command; without it the path comes last.
pub const PATH: &str = "{path}";

/// Why no program was started.
#[derive(Debug, thiserror::Error)]
pub enum OutsideError {
    #[error("the command is empty")]
    Empty,
    #[error("there is no program `{0}`")]
    NoProgram(String),
    /// A path that is relative to the current folder, whichever that is.
    #[error("`{0}` is neither the name of a program nor its whole path")]
    Relative(String),
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Starts a program with the words of a command, of which the first is its name or its whole path.
pub fn edit(words: &[String], path: &Utf8Path) -> Result<(), OutsideError> {
    let (name, arguments) = words.split_first().ok_or(OutsideError::Empty)?;
    let program = match Utf8Path::new(name) {
        whole if whole.is_absolute() => whole.exists().then(|| whole.to_owned()),
        relative if relative.components().count() > 1 => return Err(OutsideError::Relative(name.clone())),
        _ => program(name),
    };
    let mut command = Command::new(program.ok_or_else(|| OutsideError::NoProgram(name.clone()))?);
    if arguments.iter().any(|argument| argument.contains(PATH)) {
        command.args(arguments.iter().map(|argument| argument.replace(PATH, path.as_str())));
    } else {
        command.args(arguments).arg(path);
    }
    start(command)
}

/// Shows a file or a folder in the file manager, selected in its folder where the system can do that.
#[cfg(target_os = "macos")]
pub fn reveal(path: &Utf8Path) -> Result<(), OutsideError> {
    let mut command = Command::new("/usr/bin/open");
    command.arg("-R").arg(path);
    start(command)
}

/// Shows a file or a folder in the file manager, selected in its folder.
#[cfg(windows)]
pub fn reveal(path: &Utf8Path) -> Result<(), OutsideError> {
    let mut command = Command::new(found("explorer")?);
    command.arg(format!("/select,{path}"));
    start(command)
}

/// Shows a file or a folder in the file manager, selected in its folder if one answers on the bus; else its folder is opened.
/// Only folders are: what a file opens with may run it.
#[cfg(not(any(target_os = "macos", windows)))]
pub fn reveal(path: &Utf8Path) -> Result<(), OutsideError> {
    if is_shown_over_the_bus(path) {
        return Ok(());
    }
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
    let mut command = Command::new(found("xdg-open")?);
    command.arg(folder);
    start(command)
}

#[cfg(not(any(target_os = "macos", windows)))]
fn is_shown_over_the_bus(path: &Utf8Path) -> bool {
    let Some(asking) = program("dbus-send") else { return false };
    let mut command = Command::new(asking);
    command.args([
        "--session",
        "--print-reply",
        "--reply-timeout=3000",
        "--dest=org.freedesktop.FileManager1",
        "--type=method_call",
        "/org/freedesktop/FileManager1",
        "org.freedesktop.FileManager1.ShowItems",
        &format!("array:string:{}", address(path)),
        "string:",
    ]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// A path as a `file:` address, with every character escaped that could have a meaning to whoever parses it.
#[cfg(not(any(target_os = "macos", windows)))]
fn address(path: &Utf8Path) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte);
    let escaped = path.as_str().bytes().map(|byte| match plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    });
    format!("file://{}", escaped.collect::<String>())
}

/// Editors that can be found here, by their names, each with the command that opens a file.
pub fn editors() -> Vec<(&'static str, Utf8PathBuf)> {
    EDITORS.iter().filter_map(|(title, name)| Some((*title, program(name)?))).collect()
}

/// Editors that open their own window.
const EDITORS: [(&str, &str); 14] = [
    ("Visual Studio Code", "code"),
    ("VSCodium", "codium"),
    ("Cursor", "cursor"),
    ("Zed", "zed"),
    ("Sublime Text", "subl"),
    ("IntelliJ IDEA", "idea"),
    ("PyCharm", "pycharm"),
    ("GNOME Text Editor", "gnome-text-editor"),
    ("gedit", "gedit"),
    ("Kate", "kate"),
    ("Mousepad", "mousepad"),
    ("GVim", "gvim"),
    ("Emacs", "emacs"),
    ("Notepad++", "notepad++"),
];

/// It runs on its own; a thread waits for it so that no zombie process is left.
fn start(mut command: Command) -> Result<(), OutsideError> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    std::thread::spawn(move || child.wait());
    Ok(())
}

#[cfg(not(target_os = "macos"))]
fn found(name: &str) -> Result<Utf8PathBuf, OutsideError> {
    program(name).ok_or_else(|| OutsideError::NoProgram(name.to_owned()))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    /// What a program was started with, by one that writes its arguments down and then puts the file in its place.
    fn started(words: &[&str], path: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let out = Utf8PathBuf::from_path_buf(folder.path().join("out")).unwrap();
        assert!(Command::new("mkfifo").arg(&out).status().unwrap().success());
        let script = format!("printf '[%s]' \"$@\" > {out}");
        let mut all = vec!["/bin/sh".to_owned(), "-c".to_owned(), script, "sh".to_owned()];
        all.extend(words.iter().map(|word| (*word).to_owned()));
        edit(&all, Utf8Path::new(path)).unwrap();
        std::fs::read_to_string(&out).unwrap()
    }

    #[test]
    fn the_path_is_one_argument_whatever_is_in_it() {
        let path = "/skills/a b/$(touch x); 'SKILL'.md";
        assert_eq!(started(&["-g", "{path}:1"], path), format!("[-g][{path}:1]"));
        assert_eq!(started(&["--wait"], path), format!("[--wait][{path}]"), "without its place it comes last");
    }

    #[test]
    fn a_program_is_found_by_its_name_or_its_whole_path_alone() {
        let refused = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            edit(&words, Utf8Path::new("/x")).unwrap_err().to_string()
        };
        assert_eq!(refused(&[]), "the command is empty");
        assert_eq!(refused(&["./editor"]), "`./editor` is neither the name of a program nor its whole path");
        assert_eq!(refused(&["no-such-editor", "-w"]), "there is no program `no-such-editor`");
        assert_eq!(refused(&["/no/such/editor"]), "there is no program `/no/such/editor`");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn an_address_has_nothing_in_it_that_parts_a_list() {
        assert_eq!(address(Utf8Path::new("/a b/c,d/术")), "file:///a%20b/c%2Cd/%E6%9C%AF");
    }
}
