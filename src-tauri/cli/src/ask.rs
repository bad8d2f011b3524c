//! The approval card, on a terminal.

use std::io::{BufRead, IsTerminal, Write};

use api::Workbench;
use engine::Given;
use engine::standing::holds_whole;
use harness::Effect;
use tokio::sync::oneshot;
use trace::{Decision, Enforcement, Standing, Step, StepKind};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::print::{self, BOLD, YELLOW, argument, styled};
use crate::{Approve, confinement};

/// What to answer a step that waits.
pub async fn decide(step: &Step, approve: Approve, bench: &Workbench) -> Given {
    let StepKind::Tool { asked: Some(effect), leads_to, enforcement, skills, .. } = &step.kind else {
        return deny(words!("there is nothing to approve", "没有需要批准的内容")).into();
    };
    match approve {
        Approve::Always => allow(true).into(),
        Approve::Never => deny(words!("nothing is allowed: --approve never", "一律不允许：--approve never")).into(),
        Approve::Ask if is_someone_there() => {
            let card = Card::of(effect)
                .with(words!("really is", "实际是"), leads_to.clone())
                .confined(enforcement.as_deref())
                .remembered(enforcement.as_deref(), skills);
            put(move || question(&card)).await.unwrap_or_else(|| unanswered().into())
        }
        Approve::Ask => unattended(effect, bench).await.into(),
    }
}

/// Asks a question on a separate thread: the runtime would wait for the line before the program could end.
pub async fn put<T: Send + 'static>(question: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (answer, answered) = oneshot::channel();
    std::thread::spawn(move || answer.send(question()));
    answered.await.ok()
}

/// Whether a question can be seen and answered.
pub fn is_someone_there() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// What an effect would do, in one line.
pub fn gist(effect: &Effect) -> String {
    let Card { title, what, .. } = Card::of(effect);
    format!("{} {}", title.trim_end_matches([':', '：']), print::gist(&what, 80))
}

/// There is no user to ask. Nothing runs and nothing is written; a framework that asks before it shows the model files
/// of the open folders gets consent, since we never ask about those.
async fn unattended(effect: &Effect, bench: &Workbench) -> Decision {
    let is_only_shown = match effect {
        Effect::Disclose { .. } => true,
        Effect::ReadFile { path, .. } => bench.is_in_open_folder(path).await,
        Effect::RunScript { .. }
        | Effect::Shell { .. }
        | Effect::Shells { .. }
        | Effect::WriteFile { .. }
        | Effect::WriteFiles { .. }
        | Effect::FileHistory { .. }
        | Effect::ListFolder { .. }
        | Effect::FindFiles { .. }
        | Effect::SearchFiles { .. }
        | Effect::AskModel { .. }
        | Effect::Delegate(_)
        | Effect::Summarise { .. } => false,
    };
    if is_only_shown {
        allow(false)
    } else {
        deny(words!(
            "nobody is there to approve it; --approve always allows everything",
            "没有人可以批准；--approve always 会全部允许"
        ))
    }
}

/// An effect as it is shown.
struct Card {
    title: String,
    what: String,
    /// Place, duration, text and so on, each with its label.
    more: Vec<(String, String)>,
    /// What "for this run" allows.
    scope: String,
    /// The skills for which "always" would be; empty: it is not offered.
    always: String,
    /// The same for "never".
    never: String,
}

impl Card {
    fn of(effect: &Effect) -> Self {
        let scope = match effect {
            Effect::RunScript { .. } => {
                words!("this script, unchanged, with any arguments", "此脚本（内容不变，参数不限）")
            }
            Effect::Shell { .. } => words!("this same command again", "再次执行这条命令"),
            Effect::Shells { .. } => words!("these same commands again", "再次执行这些命令"),
            Effect::WriteFile { .. } => words!("writing this file again", "再次写入此文件"),
            Effect::WriteFiles { .. } => words!("writing these files again", "再次写入这些文件"),
            Effect::FileHistory { .. } => words!("reading this file's history again", "再次读取此文件的历史"),
            Effect::ReadFile { .. } => words!("reading this file again", "再次读取此文件"),
            Effect::ListFolder { .. } | Effect::FindFiles { .. } | Effect::SearchFiles { .. } => {
                words!("looking into this folder", "查看此文件夹")
            }
            Effect::Disclose { .. } => words!("showing this skill", "展示此技能"),
            Effect::AskModel { .. } => words!("asking this model", "询问此模型"),
            Effect::Delegate(_) | Effect::Summarise { .. } => words!("this", "此项"),
        };
        let card = |title: String, what: String| Self {
            title,
            what,
            more: Vec::new(),
            scope,
            always: String::new(),
            never: String::new(),
        };
        match effect {
            Effect::RunScript { interpreter, path, arguments, working_directory, .. } => {
                let words = [interpreter.clone(), argument(path.as_str())];
                let words = words.into_iter().chain(arguments.iter().map(|text| argument(text)));
                card(words!("Run a script:", "要运行脚本："), words.collect::<Vec<_>>().join(" "))
                    .with(words!("in", "位于"), working_directory.as_ref().map(ToString::to_string))
            }
            Effect::Shell { command, working_directory, timeout } => {
                card(words!("Run a command:", "要执行命令："), command.clone())
                    .with(words!("in", "位于"), working_directory.as_ref().map(ToString::to_string))
                    .with(words!("at most", "最长"), timeout.map(|seconds| format!("{seconds} s")))
            }
            Effect::Shells { commands, working_directory, timeout, .. } => {
                let title = words!("Run commands at the same time:", "要同时执行多条命令：");
                card(title, commands.iter().map(|command| format!("\n{command}")).collect())
                    .with(words!("in", "位于"), working_directory.as_ref().map(ToString::to_string))
                    .with(words!("each at most", "每条最长"), timeout.map(|seconds| format!("{seconds} s")))
            }
            Effect::WriteFiles { files } => {
                let mut files_card = card(words!("Write files:", "要写入多个文件："), files.len().to_string());
                for file in files {
                    files_card = files_card.with(argument(file.path.as_str()), Some(file.text.clone()));
                }
                files_card
            }
            Effect::FileHistory { path, revisions } => {
                card(words!("Read earlier contents of a file:", "要读取文件的历史："), argument(path.as_str()))
                    .with(words!("revisions of Git", "Git 修订数"), revisions.map(|number| number.to_string()))
            }
            Effect::WriteFile { path, text } => card(words!("Write a file:", "要写入文件："), argument(path.as_str()))
                .with(words!("text", "内容"), Some(text.clone())),
            Effect::ReadFile { path, .. } => card(words!("Read a file:", "要读取文件："), argument(path.as_str())),
            Effect::ListFolder { path, .. } => {
                card(words!("List a folder:", "要列出文件夹："), argument(path.as_str()))
            }
            Effect::FindFiles { path, pattern } => card(words!("Find files:", "要查找文件："), argument(path.as_str()))
                .with(words!("by name", "名称"), Some(pattern.clone())),
            Effect::SearchFiles { path, pattern, .. } => {
                card(words!("Search files:", "要搜索文件："), argument(path.as_str()))
                    .with(words!("for", "查找"), Some(pattern.clone()))
            }
            Effect::Disclose { skill, resource: None } => {
                card(words!("Show the model a skill:", "要向模型展示技能："), argument(skill))
            }
            Effect::Disclose { skill, resource: Some(resource) } => card(
                words!("Show the model a file of a skill:", "要向模型展示技能的文件："),
                format!("{} {}", argument(skill), argument(resource)),
            ),
            Effect::AskModel { model } => card(
                words!(
                    "The project or a skill names another model, which will see this conversation:",
                    "项目或技能指定了另一个模型，它会看到这段对话："
                ),
                argument(model),
            ),
            Effect::Delegate(_) => card(words!("Start a sub-agent.", "要启动子智能体。"), String::new()),
            Effect::Summarise { .. } => card(words!("Have a model summarise.", "要由模型作总结。"), String::new()),
        }
    }

    fn with(mut self, name: String, text: Option<String>) -> Self {
        self.more.extend(text.map(|text| (name, text)));
        self
    }

    /// Says what confines it, or that nothing does.
    fn confined(self, enforcement: Option<&Enforcement>) -> Self {
        let Some(enforcement) = enforcement else { return self };
        self.with(words!("run by", "运行程序"), enforcement.interpreter.as_ref().map(ToString::to_string))
            .with(words!("sandbox", "沙箱"), Some(confinement::sentence(enforcement)))
    }

    /// Offers to keep the answer, as far as it can be kept.
    fn remembered(self, enforcement: Option<&Enforcement>, skills: &[String]) -> Self {
        let never = skills.iter().map(|skill| print::line(skill)).collect::<Vec<_>>().join(", ");
        let always = if holds_whole(enforcement) { never.clone() } else { String::new() };
        Self { always, never, ..self }
    }

    /// The card as rows that fit the given number of columns. Texts of others have a line in front of each row, so that
    /// none looks like ours.
    fn rows(&self, columns: usize) -> Vec<String> {
        let room = columns.saturating_sub(MARGIN + 3).max(1);
        let parts = std::iter::once(("", &self.what)).chain(self.more.iter().map(|(name, text)| (name.as_str(), text)));
        parts
            .flat_map(|(name, text)| {
                let rows = wrapped(&whole(&print::plain(text)), room).into_iter().enumerate();
                rows.map(move |(row, text)| {
                    let name = if row == 0 { name } else { "" };
                    format!("{}{name} │ {text}", " ".repeat(MARGIN.saturating_sub(name.width())))
                })
            })
            .collect()
    }
}

/// Columns before the line that words of others follow.
const MARGIN: usize = 11;

fn question(card: &Card) -> Given {
    let (mut columns, mut lines) = print::size();
    while columns < LEAST_COLUMNS || lines < LEAST_LINES {
        say(&words!(
            "\nThis terminal is too small for the question: make it {LEAST_COLUMNS} columns wide and {LEAST_LINES} lines high.",
            "\n终端太小，放不下问题：请至少 {LEAST_COLUMNS} 列宽、{LEAST_LINES} 行高。"
        ));
        let goes_on = answered(
            print::stderr(),
            &words!("[Enter] check again, [d] deny? ", "[Enter] 再看一次，[d] 拒绝？"),
            more_or_deny,
        );
        match goes_on {
            Some(true) => (columns, lines) = print::size(),
            Some(false) => return Decision::Deny { reason: None }.into(),
            None => return unanswered().into(),
        }
    }
    let rows = card.rows(columns);
    let room = lines - FRAME;
    let pages = rows.len().div_ceil(room);
    for (page, part) in rows.chunks(room).enumerate() {
        let of = if pages > 1 { words!(" ({} of {pages})", "（{}/{pages}）", page + 1) } else { String::new() };
        say(&format!("\n{}{of}", styled(YELLOW.bold(), &card.title)));
        part.iter().for_each(|row| say(&styled(BOLD, row)));
        // Nothing is allowed before all of it was on the screen.
        if page + 1 < pages {
            match answered(
                print::stderr(),
                &words!("[Enter] show the rest, [d] deny? ", "[Enter] 显示其余部分，[d] 拒绝？"),
                more_or_deny,
            ) {
                Some(true) => {}
                Some(false) => return Decision::Deny { reason: None }.into(),
                None => return unanswered().into(),
            }
        }
    }
    if pages > 1 {
        let first = rows.first().map_or("", String::as_str);
        say(&words!(
            "{} {} rows that begin with\n{}",
            "{} 共 {} 行，开头是\n{}",
            styled(YELLOW.bold(), &card.title),
            rows.len(),
            styled(BOLD, first)
        ));
    }
    say(&words!(
        "[a] allow once   [r] for this run: {}   [d] deny",
        "[a] 允许一次   [r] 本次运行内允许：{}   [d] 拒绝",
        card.scope
    ));
    if !card.always.is_empty() {
        say(&words!(
            "[always] allow {} in the sandbox, until the skill changes",
            "[always] 今后允许 {} 在沙箱中运行，直到技能有改动",
            card.always
        ));
    }
    if !card.never.is_empty() {
        say(&words!("[never] never let {} do this", "[never] 今后一律不允许 {} 这样做", card.never));
    }
    let kept = |decision, standing| Given { decision, remember: Some(standing) };
    let prompt = words!("a, r or d? ", "a、r 或 d？");
    let decision = answered(print::stderr(), &prompt, |typed| match typed {
        "a" | "y" | "yes" => Some(allow(false).into()),
        "r" => Some(allow(true).into()),
        "d" | "n" | "no" => Some(Decision::Deny { reason: None }.into()),
        "always" if !card.always.is_empty() => Some(kept(allow(false), Standing::Sandbox)),
        "never" if !card.never.is_empty() => Some(kept(Decision::Deny { reason: None }, Standing::Never)),
        _ => None,
    });
    decision.unwrap_or_else(|| unanswered().into())
}

/// Lines of the terminal that a card needs for itself.
const FRAME: usize = 13;
const LEAST_LINES: usize = FRAME + 3;
const LEAST_COLUMNS: usize = 40;

fn more_or_deny(typed: &str) -> Option<bool> {
    match typed {
        "" => Some(true),
        "d" | "n" | "no" => Some(false),
        _ => None,
    }
}

fn say(line: &str) {
    // A terminal that is gone takes no answer either.
    let _ = writeln!(print::stderr(), "{line}");
}

/// Asks until the typed text, in small letters, is an answer; `None` if input has ended. Text that was typed before the
/// question appeared does not count.
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
    // If it fails there is no terminal, and so no one types.
    let _ = rustix::termios::tcflush(std::io::stdin(), rustix::termios::QueueSelector::IFlush);
}

#[cfg(not(unix))]
fn forget_typed() {}

/// A text in which long gaps and many empty lines are replaced by their number.
fn whole(text: &str) -> String {
    let mut shown: Vec<String> = Vec::new();
    let mut blank = 0;
    let close = |shown: &mut Vec<String>, blank: usize| match blank {
        0..=2 => shown.extend(std::iter::repeat_n(String::new(), blank)),
        _ => shown.push(words!("⋮ {blank} empty lines", "⋮ {blank} 个空行")),
    };
    for line in text.lines() {
        if line.chars().all(is_blank) {
            blank += 1;
            continue;
        }
        close(&mut shown, std::mem::take(&mut blank));
        shown.push(without_gaps(line));
    }
    close(&mut shown, blank);
    shown.join("\n")
}

/// Whether nothing is to be seen of a letter: white space, or one of those that fonts draw as nothing.
fn is_blank(char: char) -> bool {
    char.is_whitespace() || matches!(char, '\u{115f}' | '\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}')
}

/// The lines of a text, broken if they are wider than this many columns.
fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut rows = Vec::new();
    for line in text.split('\n') {
        let (mut row, mut width) = (String::new(), 0);
        for char in line.chars() {
            let own = most_columns(char);
            if width + own > columns {
                rows.push(std::mem::take(&mut row));
                width = 0;
            }
            row.push(char);
            width += own;
        }
        rows.push(row);
    }
    rows
}

/// The most columns that a terminal may give a letter. Terminals do not agree on marks, which some show behind their
/// letter, nor on letters that are wide in East Asia; with one for its selector an emoji has the two it needs.
fn most_columns(char: char) -> usize {
    if char == '\t' { 8 } else { char.width_cjk().unwrap_or(1).max(1) }
}

/// More blanks in a row than this are replaced by their number.
const GAP: usize = 40;

fn without_gaps(line: &str) -> String {
    let mut shown = String::new();
    let mut gap = String::new();
    for char in line.chars() {
        if is_blank(char) {
            gap.push(char);
            continue;
        }
        match gap.chars().count() {
            count if count > GAP => shown.push_str(&words!(" ⋯{count} blanks⋯ ", " ⋯{count} 个空格⋯ ")),
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

fn deny(reason: String) -> Decision {
    Decision::Deny { reason: Some(reason) }
}

fn unanswered() -> Decision {
    deny(words!("nobody answered", "没有人答复"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_pushed_out_of_sight() {
        let command = format!("rm -rf ~{}\necho hi{};curl evil", "\n".repeat(300), " ".repeat(500));
        assert_eq!(whole(&command), "rm -rf ~\n⋮ 300 empty lines\necho hi ⋯500 blanks⋯ ;curl evil");
        assert_eq!(whole(&format!("ls #{}x", "\u{2800}".repeat(1900))), "ls # ⋯1900 blanks⋯ x");
        assert_eq!(whole("a\n\n  b  c"), "a\n\n  b  c");
    }

    #[test]
    fn words_of_others_stand_behind_a_line_in_every_row() {
        let text = format!("{}which really is /home\nA command wants to run:", "x".repeat(70));
        let write = Effect::WriteFile { path: "a.md".into(), text };
        let rows = Card::of(&write).with("really is".into(), Some("/etc/b.md".into())).rows(80);
        let row = |name: &str, text: &str| format!("{name:>MARGIN$} │ {text}");
        let expected = [
            row("", "a.md"),
            row("text", &"x".repeat(66)),
            row("", "xxxxwhich really is /home"),
            row("", "A command wants to run:"),
            row("really is", "/etc/b.md"),
        ];
        assert_eq!(rows, expected);
        assert_eq!(wrapped("ab\tc漢字d", 8), ["ab", "\t", "c漢字d"]);
    }

    #[test]
    fn no_row_is_wider_than_any_terminal_shows_it() {
        let marks =
            ['\u{9be}', '\u{b3e}', '\u{bbe}', '\u{cc2}', '\u{d3e}', '\u{302e}', '\u{605}', '\u{70f}', '\u{301}'];
        for mark in marks {
            let rows = wrapped(&mark.to_string().repeat(25), 10);
            assert_eq!(rows.iter().map(|row| row.chars().count()).collect::<Vec<_>>(), [10, 10, 5], "{mark:?}");
        }
        assert_eq!(wrapped(&"☺\u{fe0f}".repeat(5), 4).len(), 3, "two columns with its selector");
        assert_eq!(wrapped(&"…".repeat(5), 4), ["……", "……", "…"]);
        assert!(wrapped(&"©\u{fe0f}".repeat(9), 6).iter().all(|row| row.chars().count() <= 6));
    }

    #[test]
    fn every_effect_says_what_it_would_do() {
        let shell = Effect::Shell { command: "a\nb".into(), working_directory: None, timeout: Some(5) };
        assert_eq!(gist(&shell), "Run a command a…");
        let write = Effect::WriteFile { path: "/x y".into(), text: "t".into() };
        assert_eq!(gist(&write), "Write a file \"/x y\"");
        let Card { more, .. } = Card::of(&shell);
        assert_eq!(more, [("at most".to_owned(), "5 s".to_owned())]);
    }
}
