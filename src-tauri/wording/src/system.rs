//! The errors of the operating system, in each language.

use std::{fmt, io};

use crate::{Message, message};

/// An operating system's error in words, without its number.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

/// An error of ours where those of the operating system are: [`why`] gives its text back, in each language.
pub fn refused(kind: io::ErrorKind, text: Message) -> io::Error {
    io::Error::new(kind, Refused(text))
}

#[derive(Debug)]
struct Refused(Message);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.en)
    }
}

impl std::error::Error for Refused {}

/// Why the operating system refused, in each language. What has no common name is quoted.
pub fn why(error: &io::Error) -> Message {
    use io::ErrorKind as E;
    if let Some(Refused(text)) = error.get_ref().and_then(|inner| inner.downcast_ref()) {
        return text.clone();
    }
    match error.kind() {
        E::NotFound => message!("no such file or folder", "文件或文件夹不存在"),
        E::PermissionDenied => message!("permission denied", "没有权限"),
        E::AlreadyExists => message!("it already exists", "它已存在"),
        E::IsADirectory => message!("it is a folder, not a file", "它是文件夹，不是文件"),
        E::NotADirectory => message!("part of the path is a file, not a folder", "路径中的一段是文件，不是文件夹"),
        E::StorageFull => message!("the disk is full", "磁盘已满"),
        E::BrokenPipe => message!("nobody reads it", "无人读取"),
        E::ConnectionRefused => message!("connection refused", "连接被拒绝"),
        E::ConnectionReset => message!("connection reset by peer", "连接被对方重置"),
        E::NetworkUnreachable | E::NetworkDown => message!("the network is not available", "网络不可用"),
        E::HostUnreachable => message!("there is no route to it", "没有通往它的路由"),
        E::TimedOut => message!("it timed out", "超时"),
        _ => Message::quoted(reason(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_words() {
        assert_eq!(reason(&io::Error::from_raw_os_error(13)), "permission denied");
        assert_eq!(reason(&io::Error::other("it is not a regular file")), "it is not a regular file");
    }

    #[test]
    fn what_we_say_ourselves_is_in_each_language() {
        let own = refused(io::ErrorKind::NotFound, message!("it has gone", "它已不在"));
        assert_eq!((own.to_string(), why(&own)), ("it has gone".to_owned(), message!("it has gone", "它已不在")));
        assert_eq!(why(&io::ErrorKind::NotFound.into()).en, "no such file or folder");
    }

    #[test]
    fn a_connection_that_is_refused_is_said_in_each_language() {
        let refused = why(&io::ErrorKind::ConnectionRefused.into());
        assert_eq!(refused, message!("connection refused", "连接被拒绝"));
    }
}
