//! What a command can answer instead of its result.

use camino::Utf8Path;
use serde::Serialize;
use ts_rs::TS;

use model::ModelError;
use wording::{Message, Wording, message};

/// An error the window can act on: `code` to switch on, `message` for people, `hint` for the next step.
#[derive(Debug, Clone, PartialEq, Serialize, TS, thiserror::Error)]
#[serde(rename_all = "camelCase")]
#[error("{message}")]
pub struct ApiError {
    pub code: Code,
    /// Lower case, what failed and with which thing.
    pub message: String,
    /// The same in Chinese.
    pub message_zh: Box<str>,
    /// What to do next.
    pub hint: Option<String>,
    /// The same in Chinese.
    pub hint_zh: Option<Box<str>>,
    pub path: Option<String>,
    /// What the message says of a model, to be said in other words.
    pub why: Option<Box<ModelError>>,
}

impl ApiError {
    /// Without a hint; [`ApiError::hint`] adds what to do.
    pub fn new(code: Code, message: Message) -> Self {
        let Message { en, zh } = message;
        Self { code, message: en, message_zh: zh.into(), hint: None, hint_zh: None, path: None, why: None }
    }

    /// What the user can do.
    pub fn hint(mut self, hint: Message) -> Self {
        (self.hint, self.hint_zh) = (Some(hint.en), Some(hint.zh.into()));
        self
    }

    /// Names the file or folder that the error is about.
    pub fn at(mut self, path: &Utf8Path) -> Self {
        self.path = Some(path.to_string());
        self
    }

    /// The operating system's error about `path`.
    pub fn io(path: &Utf8Path, tried: Tried, error: std::io::Error) -> Self {
        Self::of_system(Message::quoted(path.as_str()), tried, error).at(path)
    }

    /// The operating system's error about something without a path, such as standard input.
    pub fn of_system(what: Message, tried: Tried, error: std::io::Error) -> Self {
        use std::io::ErrorKind;
        let (code, hint) = match error.kind() {
            ErrorKind::NotFound => {
                (Code::NotFound, message!("it may have been moved or deleted", "它可能已被移动或删除"))
            }
            ErrorKind::PermissionDenied => (
                Code::Io,
                message!("check the permissions of the file and its folder", "请检查文件及其所在文件夹的权限"),
            ),
            ErrorKind::AlreadyExists => {
                (Code::Exists, message!("choose another name, or delete it first", "请换一个名称，或先将其删除"))
            }
            ErrorKind::IsADirectory => (Code::Invalid, message!("name a file in it", "请指定其中的一个文件")),
            ErrorKind::NotADirectory => (Code::Invalid, message!("check the path", "请检查路径")),
            ErrorKind::InvalidInput => (Code::Invalid, message!("name a regular file", "请指定一个普通文件")),
            ErrorKind::FileTooLarge | ErrorKind::InvalidData => {
                (Code::Invalid, message!("check that it is the file you mean", "请确认这是你要的文件"))
            }
            ErrorKind::ResourceBusy => (Code::Io, message!("try again", "请重试")),
            ErrorKind::StorageFull => (Code::Io, message!("free some space and try again", "请腾出空间后重试")),
            _ => {
                (Code::Io, message!("try again; if it happens again, check the disk", "请重试；若一再如此，请检查磁盘"))
            }
        };
        let (tried, why) = (tried.worded(), wording::why(&error));
        Self::new(code, message!("{tried} {what}: {why}", "{tried} {what}：{why}"; tried, what, why)).hint(hint)
    }

    /// The message in both languages, without the hint.
    pub fn worded(&self) -> Message {
        Message { en: self.message.clone(), zh: self.message_zh.to_string() }
    }

    /// `None`: there is no hint.
    pub fn worded_hint(&self) -> Option<Message> {
        Some(Message { en: self.hint.clone()?, zh: self.hint_zh.as_deref()?.to_owned() })
    }
}

/// What was tried with a file or a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tried {
    Open,
    Read,
    Write,
    Change,
    Create,
    Move,
    Delete,
    Use,
    Trust,
}

impl Tried {
    fn worded(self) -> Wording {
        match self {
            Self::Open => Wording::new("cannot open", "无法打开"),
            Self::Read => Wording::new("cannot read", "无法读取"),
            Self::Write => Wording::new("cannot write", "无法写入"),
            Self::Change => Wording::new("cannot change", "无法修改"),
            Self::Create => Wording::new("cannot create", "无法创建"),
            Self::Move => Wording::new("cannot move", "无法移动"),
            Self::Delete => Wording::new("cannot delete", "无法删除"),
            Self::Use => Wording::new("cannot use", "无法使用"),
            Self::Trust => Wording::new("cannot trust", "无法信任"),
        }
    }
}

/// What a program makes of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Code {
    /// The named thing is not there (any more).
    NotFound,
    /// The file on disk is newer than the text it was edited from.
    Changed,
    /// The thing to be made is there already.
    Exists,
    /// The request makes no sense; the message says why.
    Invalid,
    /// The operating system refused.
    Io,
    /// The trace store is broken or locked.
    Store,
    /// No such harness, variant, model or screenplay.
    Unknown,
    /// The model could not be used.
    Model,
    /// It leads outside of what the user opened or trusts; `trust_list` says where.
    Untrusted,
}
