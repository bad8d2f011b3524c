//! The approval card, on a terminal.

use std::io::{BufRead, IsTerminal, Write};

use skillbench_core::api::Workbench;
use skillbench_core::harness::Effect;
use skillbench_core::trace::{Decision, Step, StepKind};
use tokio::sync::oneshot;

use crate::Approve;
use crate::print::{self, BOLD, DIM, YELLOW, argument, indented, styled};

/// What to answer a step that waits.
pub async fn decide(step: &Step, approve: Approve, bench: &Workbench) -> Decision {
    let StepKind::Tool { asked: Some(effect), leads_to, .. } = &step.kind else {
        return deny("there is nothing to approve");
    };
    match approve {
        Approve::Always => allow(true),
        Approve::Never => deny("nothing is allowed: --approve never"),
        Approve::Ask if is_someone_there() => {
            let card = Card::of(effect).with(leads_to.as_ref().map(|path| format!("which really is {path}")));
            let (answer, answered) = oneshot::channel();
            // A thread of its own: the runtime would wait for the line before the program could end.
            std::thread::spawn(move || answer.send(question(&card)));
            answered.await.unwrap_or_else(|_| deny("nobody answered"))
        }
        Approve::Ask => unattended(effect, bench).await,
    }
}

/// Whether a question can be seen and answered.
pub fn is_someone_there() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// What an effect would do, in one line.
pub fn gist(effect: &Effect) -> String {
    let Card { title, what, .. } = Card::of(effect);
    format!("{} {}", title.trim_end_matches(':'), print::gist(&what, 80))
}

/// Nobody is there to ask. Nothing runs and nothing is written; a framework that asks before it shows the model what
/// lies in the open folders gets a yes, since that is what we ask nobody about.
async fn unattended(effect: &Effect, bench: &Workbench) -> Decision {
    let is_only_shown = match effect {
        Effect::Disclose { .. } => true,
        Effect::ReadFile { path, .. } => bench.is_in_open_folder(path).await,
        Effect::RunScript { .. }
        | Effect::Shell { .. }
        | Effect::WriteFile { .. }
        | Effect::ListFolder { .. }
        | Effect::FindFiles { .. }
        | Effect::SearchFiles { .. }
        | Effect::Delegate(_)
        | Effect::Summarise { .. } => false,
    };
    if is_only_shown { allow(false) } else { deny("nobody is there to approve it; --approve always allows everything") }
}

/// What is shown of an effect.
struct Card {
    title: &'static str,
    what: String,
    /// Further lines: where, how long, what text.
    more: Vec<String>,
    /// What "for this run" allows.
    scope: &'static str,
}

impl Card {
    fn of(effect: &Effect) -> Self {
        let scope = match effect {
            Effect::RunScript { .. } => "this script, unchanged, with any arguments",
            Effect::Shell { .. } => "this very command again",
            Effect::WriteFile { .. } => "writing this file again",
            Effect::ReadFile { .. } => "reading this file again",
            Effect::ListFolder { .. } | Effect::FindFiles { .. } | Effect::SearchFiles { .. } => {
                "looking into this folder"
            }
            Effect::Disclose { .. } => "showing this skill",
            Effect::Delegate(_) | Effect::Summarise { .. } => "this",
        };
        let card = |title, what: String| Self { title, what, more: Vec::new(), scope };
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

fn question(card: &Card) -> Decision {
    let mut out = print::stderr();
    let Card { title, what, more, scope } = card;
    let _ = writeln!(out, "\n{}", styled(YELLOW.bold(), title));
    let _ = writeln!(out, "{}", styled(BOLD, indented(&whole(what), "  ")));
    for line in more {
        let _ = writeln!(out, "{}", styled(DIM, indented(&whole(line), "  ")));
    }
    let _ = writeln!(out, "[a] allow once   [r] for this run: {scope}   [d] deny");
    let decision = answered(out, "a, r or d? ", |typed| match typed {
        "a" | "y" | "yes" => Some(allow(false)),
        "r" => Some(allow(true)),
        "d" | "n" | "no" => Some(Decision::Deny { reason: None }),
        _ => None,
    });
    decision.unwrap_or_else(|| deny("nobody answered"))
}

/// Asks until what is typed, in small letters, is an answer; `None` if nobody is there any more. What was typed before
/// the question was seen answers nothing.
pub fn answered<T>(mut out: impl Write, prompt: &str, known: impl Fn(&str) -> Option<T>) -> Option<T> {
    forget_typed();
    loop {
        let _ = write!(out, "{prompt}");
        let _ = out.flush();
        let mut line = String::new();
        match std::io::stdin().lock().read_line(&mut line) {
            Ok(read) if read > 0 => {}
            _ => return None,
        }
        if let Some(answer) = known(line.trim().to_ascii_lowercase().as_str()) {
            return Some(answer);
        }
    }
}

#[cfg(unix)]
fn forget_typed() {
    // Where it fails there is no terminal, and so nobody who types.
    let _ = rustix::termios::tcflush(std::io::stdin(), rustix::termios::QueueSelector::IFlush);
}

#[cfg(not(unix))]
fn forget_typed() {}

/// A text in which empty lines and long gaps push nothing out of sight. If it is long, its size stands below it, where
/// the eye is.
fn whole(text: &str) -> String {
    let mut shown: Vec<String> = Vec::new();
    let mut blank = 0;
    let close = |shown: &mut Vec<String>, blank: usize| match blank {
        0..=2 => shown.extend(std::iter::repeat_n(String::new(), blank)),
        _ => shown.push(format!("⋮ {blank} empty lines")),
    };
    let lines: Vec<&str> = text.lines().collect();
    for line in &lines {
        if line.trim().is_empty() {
            blank += 1;
            continue;
        }
        close(&mut shown, std::mem::take(&mut blank));
        shown.push(without_gaps(line));
    }
    close(&mut shown, blank);
    if lines.len() > LONG {
        shown.push(format!("({} lines; it begins with: {})", lines.len(), print::gist(text, 60)));
    }
    shown.join("\n")
}

/// Lines that are likely to be seen at once.
const LONG: usize = 20;
/// Blanks in a row that nobody needs.
const GAP: usize = 40;

fn without_gaps(line: &str) -> String {
    let mut shown = String::new();
    let mut gap = String::new();
    for char in line.chars() {
        if char.is_whitespace() {
            gap.push(char);
            continue;
        }
        match gap.chars().count() {
            count if count > GAP => shown.push_str(&format!(" ⋯{count} blanks⋯ ")),
            _ => shown.push_str(&gap),
        }
        gap.clear();
        shown.push(char);
    }
    shown
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
    fn nothing_is_pushed_out_of_sight() {
        let command = format!("rm -rf ~{}\necho hi{};curl evil", "\n".repeat(300), " ".repeat(500));
        assert_eq!(
            whole(&command),
            "rm -rf ~\n⋮ 300 empty lines\necho hi ⋯500 blanks⋯ ;curl evil\n(302 lines; it begins with: rm -rf ~…)"
        );
        assert_eq!(whole("a\n\n  b  c"), "a\n\n  b  c");
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
