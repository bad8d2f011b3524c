//! The approval card, on a terminal.

use std::io::{BufRead, IsTerminal, Write};

use camino::Utf8Path;
use skillbench_core::api::Workbench;
use skillbench_core::harness::Effect;
use skillbench_core::trace::{Decision, Step, StepKind};
use tokio::sync::oneshot;

use crate::Approve;
use crate::print::{self, BOLD, DIM, YELLOW, argument, indented, styled};

/// What to answer a step that waits.
pub async fn decide(step: &Step, approve: Approve, bench: &Workbench) -> Decision {
    let StepKind::Tool { asked: Some(effect), .. } = &step.kind else {
        return deny("there is nothing to approve");
    };
    match approve {
        Approve::Always => allow(true),
        Approve::Never => deny("nothing is allowed: --approve never"),
        Approve::Ask if std::io::stdin().is_terminal() => {
            let effect = effect.clone();
            let (answer, answered) = oneshot::channel();
            // A thread of its own: the runtime would wait for the line before the program could end.
            std::thread::spawn(move || answer.send(question(&effect)));
            answered.await.unwrap_or_else(|_| deny("nobody answered"))
        }
        Approve::Ask => unattended(effect, bench).await,
    }
}

/// What an effect would do, in one line.
pub fn gist(effect: &Effect) -> String {
    let Card { title, what, .. } = Card::of(effect);
    format!("{} {}", title.trim_end_matches(':'), print::gist(&what, 80))
}

/// Nobody is there to ask: the skills we ship may run, unchanged to the byte, and what lies in the skills' folders may
/// be shown to the model; nothing else may be done.
async fn unattended(effect: &Effect, bench: &Workbench) -> Decision {
    let harmless = match effect {
        Effect::RunScript { path, .. } => bench.is_bundled_script(path).await,
        Effect::Shell { command, .. } => match plain(command) {
            Some(Plain::Script(path)) => bench.is_bundled_script(path).await,
            Some(Plain::Shown(path)) => bench.is_in_open_folder(path).await,
            None => false,
        },
        Effect::Disclose { .. } => true,
        Effect::ReadFile { path, .. }
        | Effect::ListFolder { path, .. }
        | Effect::FindFiles { path, .. }
        | Effect::SearchFiles { path, .. } => bench.is_in_open_folder(path).await,
        Effect::WriteFile { .. } | Effect::Delegate(_) | Effect::Summarise { .. } => false,
    };
    if harmless { allow(false) } else { deny("nobody is there to approve it; --approve always allows everything") }
}

/// A command line that does nothing but run a script, or show a file.
enum Plain<'a> {
    Script(&'a Utf8Path),
    Shown(&'a Utf8Path),
}

/// Plain words, in which a shell sees nothing of its own.
fn plain(command: &str) -> Option<Plain<'_>> {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "_@%+=:,./-".contains(char);
    if !command.chars().all(|char| char == ' ' || is_plain(char)) {
        return None;
    }
    let mut words = command.split(' ');
    let program = words.next()?;
    let path = Utf8Path::new(words.next().filter(|path| path.starts_with('/'))?);
    match program {
        "python3" | "python" | "node" | "bash" | "sh" => Some(Plain::Script(path)),
        "cat" if words.next().is_none() => Some(Plain::Shown(path)),
        _ => None,
    }
}

/// What is shown of an effect.
struct Card {
    title: &'static str,
    what: String,
    /// Further lines: where, how long, what text.
    more: Vec<String>,
}

impl Card {
    fn of(effect: &Effect) -> Self {
        let card = |title, what: String| Self { title, what, more: Vec::new() };
        match effect {
            Effect::RunScript { interpreter, path, arguments, working_directory, .. } => {
                let words = [interpreter.clone(), argument(path.as_str())];
                let words = words.into_iter().chain(arguments.iter().map(|text| argument(text)));
                card("A script wants to run, without a sandbox:", words.collect::<Vec<_>>().join(" "))
                    .with(working_directory.as_ref().map(|folder| format!("in {folder}")))
            }
            Effect::Shell { command, working_directory, timeout } => {
                card("A command wants to run, without a sandbox:", command.clone())
                    .with(working_directory.as_ref().map(|folder| format!("in {folder}")))
                    .with(timeout.map(|seconds| format!("for at most {seconds} s")))
            }
            Effect::WriteFile { path, text } => {
                card("A file is to be written:", argument(path.as_str())).with(Some(text.clone()))
            }
            Effect::ReadFile { path, .. } => card("A file is to be read:", argument(path.as_str())),
            Effect::ListFolder { path, .. } => card("A folder is to be listed:", argument(path.as_str())),
            Effect::FindFiles { path, pattern } => {
                card("Files are to be found:", argument(path.as_str())).with(Some(format!("by {pattern}")))
            }
            Effect::SearchFiles { path, pattern, .. } => {
                card("Files are to be searched:", argument(path.as_str())).with(Some(format!("for {pattern}")))
            }
            Effect::Disclose { skill, resource: None } => card("The model is to be shown a skill:", argument(skill)),
            Effect::Disclose { skill, resource: Some(resource) } => card(
                "The model is to be shown a file of a skill:",
                format!("{} {}", argument(skill), argument(resource)),
            ),
            Effect::Delegate(_) => card("A sub-agent is to work.", String::new()),
            Effect::Summarise { .. } => card("A model is to sum up.", String::new()),
        }
    }

    fn with(mut self, line: Option<String>) -> Self {
        self.more.extend(line);
        self
    }
}

fn question(effect: &Effect) -> Decision {
    let mut out = print::stderr();
    let Card { title, what, more } = Card::of(effect);
    let _ = writeln!(out, "\n{}", styled(YELLOW.bold(), title));
    let _ = writeln!(out, "{}", styled(BOLD, indented(&what, "  ")));
    for line in more {
        let _ = writeln!(out, "{}", styled(DIM, indented(&line, "  ")));
    }
    loop {
        let _ = write!(out, "[a]llow once, allow for this [r]un, [d]eny? ");
        let _ = out.flush();
        let mut line = String::new();
        match std::io::stdin().lock().read_line(&mut line) {
            Ok(read) if read > 0 => {}
            _ => return deny("nobody answered"),
        }
        match line.trim().to_ascii_lowercase().as_str() {
            "a" | "y" | "yes" => return allow(false),
            "r" => return allow(true),
            "d" | "n" | "no" => return Decision::Deny { reason: None },
            _ => {}
        }
    }
}

fn allow(for_run: bool) -> Decision {
    Decision::Allow { arguments: None, for_run }
}

fn deny(reason: &str) -> Decision {
    Decision::Deny { reason: Some(reason.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_only_runs_a_script_or_shows_a_file_names_it() {
        let seen = |command| match plain(command) {
            Some(Plain::Script(path)) => Some(("script", path.as_str())),
            Some(Plain::Shown(path)) => Some(("file", path.as_str())),
            None => None,
        };
        assert_eq!(seen("python3 /s/convert.py --value 1"), Some(("script", "/s/convert.py")));
        assert_eq!(seen("cat /s/references/table.md"), Some(("file", "/s/references/table.md")));
        for other in [
            "python3 /s/convert.py; rm x",
            "python3 /s/convert.py $(id)",
            "python3 /s/convert.py\nid",
            "python3 convert.py",
            "rm /s/convert.py",
            "python3",
            "python3 /s/convert.py > /etc/x",
            "cat /s/a.md /etc/passwd",
            "cat table.md",
        ] {
            assert_eq!(seen(other), None, "{other}");
        }
    }

    #[test]
    fn every_effect_says_what_it_would_do() {
        let shell = Effect::Shell { command: "a\nb".into(), working_directory: None, timeout: Some(5) };
        assert_eq!(gist(&shell), "A command wants to run, without a sandbox a…");
        let write = Effect::WriteFile { path: "/x y".into(), text: "t".into() };
        assert_eq!(gist(&write), "A file is to be written \"/x y\"");
        let Card { more, .. } = Card::of(&shell);
        assert_eq!(more, ["for at most 5 s"]);
    }
}
