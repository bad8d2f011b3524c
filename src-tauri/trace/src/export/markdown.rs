//! A run as a document to read: its steps in order, with what was said, called and returned.

use std::fmt::Write;

use crate::review::{Judged, Review, Verdict};
use crate::{Event, RunSetup, RunStatus, StepKind, TurnSetup, fold};
use harness::Disclosure;
use model::{Document, Image};
use wording::{Language, Wording, message};

/// Fixed words are in `language`; texts of the run are between fences, so that none of them is markup.
pub fn to_markdown(events: &[Event], setup: &RunSetup, review: &Review, language: Language) -> String {
    let say = |words: Wording| words.text(language).to_owned();
    let mut text = String::new();
    let title = setup.prompt.lines().next().unwrap_or_default();
    let _ = writeln!(text, "# {}\n", plain(title));
    led(&mut text, &TurnSetup::of(setup), language);
    if let Some(Verdict { judged, line, .. }) = &review.verdict {
        let judged = say(match judged {
            Judged::Pass => Wording::new("pass", "通过"),
            Judged::Fail => Wording::new("fail", "不通过"),
            Judged::Unsure => Wording::new("unsure", "不确定"),
        });
        let line = if line.is_empty() { String::new() } else { format!(" – {}", plain(line)) };
        let judged = labelled(Wording::new("Verdict", "结论"), &judged, language);
        let _ = writeln!(text, "* {judged}{line}");
    }
    for step in fold::steps(events) {
        let note = review.of_event(step.event);
        let deeper = if step.within.is_some() { "#" } else { "" };
        let marked = if note.is_some_and(|note| note.bookmark) { " ★" } else { "" };
        let mut head = |words: String| {
            let _ = write!(text, "\n##{deeper} {}. {words}{marked}\n\n", step.index + 1);
        };
        match step.kind {
            StepKind::Prompt { text: said, images, setup, .. } => {
                head(say(Wording::new("Prompt", "提示词")));
                if let Some(setup) = setup {
                    led(&mut text, &setup, language);
                    text.push('\n');
                }
                fenced(&mut text, &said, "");
                pictures(&mut text, &images, language);
            }
            StepKind::Answer { text: said, reasoning, error, edited, .. } => {
                head(say(match edited {
                    true => Wording::new("Answer, edited by the user", "回答，经用户编辑"),
                    false => Wording::new("Answer", "回答"),
                }));
                if !reasoning.is_empty() {
                    let _ = writeln!(text, "{}\n", over(Wording::new("Reasoning", "思考"), language));
                    fenced(&mut text, &reasoning, "");
                }
                if !said.is_empty() {
                    fenced(&mut text, &said, "");
                }
                if let Some(error) = error {
                    let _ = writeln!(text, "{}\n", over(Wording::new("Error", "错误"), language));
                    fenced(&mut text, &error, "");
                }
            }
            StepKind::Tool { call, disclosed, reply, images, documents, .. } => {
                head(format!("{} {}", say(Wording::new("Call", "调用")), plain(&call.name)));
                if let Some(disclosed) = shown(&disclosed) {
                    let disclosed = labelled(Wording::new("Discloses", "披露"), &plain(&disclosed), language);
                    let _ = writeln!(text, "{disclosed}\n");
                }
                fenced(&mut text, &call.arguments, "json");
                if let Some(reply) = reply {
                    let _ = writeln!(text, "{}\n", over(Wording::new("Result", "结果"), language));
                    fenced(&mut text, &reply, "");
                }
                pictures(&mut text, &images, language);
                files(&mut text, &documents, language);
            }
            StepKind::Note { text: said, zh, .. } => {
                head(say(Wording::new("Note", "说明")));
                let said = zh.filter(|_| language == Language::Chinese).unwrap_or(said);
                fenced(&mut text, &said, "");
            }
            StepKind::End { status, error, zh, .. } => {
                head(labelled(Wording::new("End", "结束"), ended(status).text(language), language));
                let error = zh.filter(|_| language == Language::Chinese).or(error);
                if let Some(error) = error {
                    fenced(&mut text, &error, "");
                }
            }
        }
        if let Some(note) = note.filter(|note| !note.text.is_empty()) {
            let _ = writeln!(text, "{}\n", over(Wording::new("Reviewer's note", "评审批注"), language));
            fenced(&mut text, &note.text, "");
        }
    }
    text
}

/// Who leads a run or a turn, and over what.
fn led(text: &mut String, setup: &TurnSetup, language: Language) {
    let mut item = |name: Wording, value: &str| {
        let _ = writeln!(text, "* {}", labelled(name, &plain(value), language));
    };
    item(Wording::new("Framework", "框架"), [setup.harness.as_str(), &setup.variant].join(" ").trim());
    item(Wording::new("Model", "模型"), &setup.model);
    if !setup.skills.is_empty() {
        item(Wording::new("Skills", "技能"), &setup.skills.join(", "));
    }
}

fn labelled(name: Wording, value: &str, language: Language) -> String {
    message!("{name}: {value}", "{name}：{value}"; name).text(language).to_owned()
}

/// Above what is on lines of its own.
fn over(name: Wording, language: Language) -> String {
    message!("{name}:", "{name}："; name).text(language).to_owned()
}

fn ended(status: RunStatus) -> Wording {
    match status {
        RunStatus::Running => Wording::new("running", "进行中"),
        RunStatus::Done => Wording::new("done", "完成"),
        RunStatus::Failed => Wording::new("failed", "失败"),
        RunStatus::Stopped => Wording::new("stopped", "已停止"),
        RunStatus::Limited => Wording::new("limited", "达到上限"),
        RunStatus::Interrupted => Wording::new("interrupted", "中断"),
    }
}

fn shown(disclosed: &Disclosure) -> Option<String> {
    match disclosed {
        Disclosure::Instructions { skill } => Some(skill.clone()),
        Disclosure::Resource { skill, resource } => Some(format!("{skill}/{resource}")),
        Disclosure::Script { skill, script } => Some(format!("{skill}/{script}")),
        Disclosure::None => None,
    }
}

const IMAGE: Wording = Wording::new("Image", "图片");

/// Each as a picture of the document itself.
fn pictures(out: &mut String, images: &[Image], language: Language) {
    for image in images {
        let name = labelled(IMAGE, &image.described(), language);
        let _ = write!(out, "![{name}]({})\n\n", image.data_url());
    }
}

const FILE: Wording = Wording::new("File", "文件");

/// Each by name, format and size.
fn files(out: &mut String, documents: &[Document], language: Language) {
    for document in documents {
        let _ = write!(out, "{}\n\n", labelled(FILE, &plain(&document.described()), language));
    }
}

/// With a fence that is longer than any in the text.
fn fenced(out: &mut String, text: &str, language: &str) {
    let longest = text.split(|char| char != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let _ = write!(out, "{fence}{language}\n{}\n{fence}\n\n", text.trim_end_matches('\n'));
}

/// One line, in which nothing is markup.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for char in text.chars().map(|char| if char.is_control() { ' ' } else { char }) {
        if "\\`*_{}[]<>#|!&".contains(char) {
            plain.push('\\');
        }
        plain.push(char);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::StepNote;
    use crate::{EventKind, sample};

    #[test]
    fn every_step_has_a_heading_and_texts_are_fenced() {
        let text = to_markdown(&sample::seven_messages(), &sample::setup(), &Review::default(), Language::English);
        assert!(text.starts_with("# 一公斤有几磅?\n\n* Framework: agent-framework seed\n"), "{text}");
        assert!(text.contains("\n## 3. Call load\\_skill\n\nDiscloses: unit-converter\n\n```json\n"), "{text}");
        let mut events = sample::seven_messages();
        events.last_mut().unwrap().kind = EventKind::ended(RunStatus::Limited, None, None);
        let chinese = to_markdown(&events, &sample::setup(), &Review::default(), Language::Chinese);
        assert!(chinese.contains("\n* 框架：agent-framework seed\n"), "{chinese}");
        assert!(chinese.contains("## 3. 调用 load\\_skill\n\n披露：unit-converter\n"), "{chinese}");
        assert!(chinese.contains("\n结果：\n") && chinese.contains(". 结束：达到上限\n"), "{chinese}");
    }

    #[test]
    fn notes_and_the_verdict_are_where_they_belong() {
        let note = StepNote { event: 3, text: "# too early".into(), bookmark: true, changed_at: 0 };
        let verdict = Verdict { judged: Judged::Unsure, line: "see step 3".into(), changed_at: 0 };
        let review = Review { verdict: Some(verdict), notes: vec![note] };
        let text = to_markdown(&sample::seven_messages(), &sample::setup(), &review, Language::English);
        assert!(text.contains("\n* Verdict: unsure – see step 3\n"), "{text}");
        let step = &text[text.find("\n## 3. Call load\\_skill ★\n").unwrap()..text.find("\n## 4.").unwrap()];
        assert!(step.ends_with("Reviewer's note:\n\n```\n# too early\n```\n\n"), "{step}");
    }

    #[test]
    fn no_text_of_a_run_closes_its_fence_or_becomes_markup() {
        let hostile = "```\n# <script>alert(1)</script>\n`````";
        let setup = RunSetup { prompt: hostile.into(), ..sample::setup() };
        let events = sample::events_of([EventKind::Started { setup: setup.clone() }]);
        let text = to_markdown(&events, &setup, &Review::default(), Language::English);
        assert!(text.contains(&format!("``````\n{hostile}\n``````\n")), "{text}");
        assert!(text.starts_with("# \\`\\`\\`\n"), "{text}");
    }
}
