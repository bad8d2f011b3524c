//! Why a framework leaves files out, as far as several frameworks do it for the same reason and say nothing of it
//! themselves. What they do say is quoted.

use skill::File;
use wording::{Message, Wording, message};

pub const ONE_LEVEL: Wording =
    Wording::new("lies more than one level below the folder of skills", "位于技能文件夹之下一层以上的位置");
pub const FOLDERS_ONLY: Wording =
    Wording::new("the framework loads skills from folders only", "该框架只从文件夹加载技能");

pub const BROKEN_LINK: Wording = Wording::new("the link is broken", "该链接指向的内容不存在");
pub const UNREADABLE: Wording = Wording::new("the file cannot be read", "无法读取该文件");

/// Why a file has no text.
pub fn unread(file: &File) -> Wording {
    if file.link.as_ref().is_some_and(|link| link.broken) { BROKEN_LINK } else { UNREADABLE }
}

/// A file whose name differs from one of `names` in the case of letters.
pub fn wrong_name(names: &[&str], found: &str) -> Message {
    let (en, zh) = (names.join(" or "), names.join(" 或 "));
    Message {
        en: format!("the file must be called {en}, not {found}"),
        zh: format!("文件名必须是 {zh}，而不是 {found}"),
    }
}

/// A skill in the folder of another one.
pub fn inside(skill: &str) -> Message {
    message!("lies inside the skill {skill}", "位于技能 {skill} 之内")
}

/// What only we do not read. The framework may.
pub fn not_read(what: &Message) -> Message {
    message!("Skill Workbench does not read {what}", "Skill Workbench 不读取{what}"; what)
}

/// A pipe, a socket or a device. Reading one may wait for ever, so the framework may do just that.
pub fn not_regular() -> Message {
    not_read(&message!("what is not a regular file", "非普通文件"))
}

/// Why a file is not a skill to a framework.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// In its own words.
    Theirs(String),
    /// It may well read the file, and we do not.
    Ours(Message),
}

impl Refusal {
    /// As a reader is shown it.
    pub fn message(self) -> Message {
        match self {
            Self::Theirs(text) => Message::quoted(text),
            Self::Ours(message) => message,
        }
    }
}

impl From<String> for Refusal {
    fn from(text: String) -> Self {
        Self::Theirs(text)
    }
}

impl From<&str> for Refusal {
    fn from(text: &str) -> Self {
        Self::Theirs(text.to_owned())
    }
}
