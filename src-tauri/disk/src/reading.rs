//! Reading what has an end. A pipe, a device or a file that is far too large is refused before it is read.

use std::io::{self, ErrorKind, Read};

use camino::Utf8Path;
use wording::{message, refused};

use crate::opening::open;

/// The bytes of a regular file, which may have `limit` of them.
pub fn read(path: &Utf8Path, limit: u64) -> io::Result<Vec<u8>> {
    read_stream(open(path)?.0, limit)
}

/// As [`read`], for text.
pub fn read_text(path: &Utf8Path, limit: u64) -> io::Result<String> {
    text(read(path, limit)?)
}

/// The bytes of a stream up to its end, which must come within `limit` bytes.
pub fn read_stream(stream: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(refused(ErrorKind::FileTooLarge, message!("it is larger than {}", "它大于 {}", size(limit))));
    }
    Ok(bytes)
}

/// Bytes as text.
pub fn text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        refused(ErrorKind::InvalidData, message!("byte {at} is not valid UTF-8", "偏移 {at} 处的字节不是有效的 UTF-8"))
    })
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1_048_576 => format!("{} KiB", bytes >> 10),
        _ => format!("{} MiB", bytes >> 20),
    }
}

#[cfg(test)]
mod tests {
    use camino::Utf8PathBuf;

    use super::*;

    fn refused(path: &str, limit: u64) -> String {
        read(Utf8Path::new(path), limit).unwrap_err().to_string()
    }

    #[test]
    fn reads_a_file_up_to_the_limit_and_refuses_a_larger_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(folder.path().join("file")).unwrap();
        std::fs::write(&path, "x".repeat(2048)).unwrap();
        assert_eq!(read_text(&path, 2048).unwrap().len(), 2048);
        assert_eq!(refused(path.as_str(), 1024), "it is larger than 1 KiB");
    }

    #[cfg(unix)]
    #[test]
    fn reads_no_device_and_no_pipe() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for endless in ["/dev/zero", pipe.to_str().unwrap()] {
            assert_eq!(refused(endless, 1024), "it is not a regular file", "{endless}");
        }
    }

    #[test]
    fn says_where_a_text_is_none() {
        assert_eq!(text(b"ab\xFFc".to_vec()).unwrap_err().to_string(), "byte 2 is not valid UTF-8");
    }
}
