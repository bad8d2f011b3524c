//! The errors of the operating system, in each language.

use std::io;

use crate::{Message, message};

/// An operating system's error in words, without its number.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

/// Why the operating system refused, in each language. What has no common name is quoted.
pub fn why(error: &io::Error) -> Message {
    use io::ErrorKind as E;
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
        // What `disk` says of files that it does not read.
        _ => {
            let en = reason(error);
            let zh = if let Some(size) = en.strip_prefix("it is larger than ") {
                format!("它大于 {size}")
            } else if let Some(at) = en.strip_prefix("byte ").and_then(|rest| rest.strip_suffix(" is not valid UTF-8"))
            {
                format!("偏移 {at} 处的字节不是有效的 UTF-8")
            } else if error.kind() == E::ResourceBusy {
                "另一个进程正在更改它".to_owned()
            } else if en == "it is not a regular file" {
                "它不是普通文件".to_owned()
            } else {
                en.clone()
            };
            Message { en, zh }
        }
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
    fn a_connection_that_is_refused_is_said_in_each_language() {
        let refused = why(&io::ErrorKind::ConnectionRefused.into());
        assert_eq!(refused, message!("connection refused", "连接被拒绝"));
    }
}
