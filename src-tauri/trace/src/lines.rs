//! The lines of a file of any size, one at a time.

use std::io::{BufRead, BufReader, Read};

use wording::{Message, message, why};

use crate::TraceError;

/// The longest line, and the longest file that is one value.
pub(crate) const MOST: u64 = 1 << 30;

/// Bytes of a file between two reports of how far it is read.
pub(crate) const PACE: u64 = 1 << 20;

/// A file that is not imported, with the line, from 1.
pub(crate) fn refuse(line: usize, reason: Message) -> TraceError {
    TraceError::Import { line, reason }
}

pub(crate) fn unreadable(line: usize, error: &std::io::Error) -> TraceError {
    let why = why(error);
    refuse(line, message!("the file cannot be read: {why}", "无法读取文件：{why}"; why))
}

pub(crate) fn empty() -> TraceError {
    refuse(1, message!("the file is empty", "文件是空的"))
}

/// Those that are not blank.
pub(crate) struct Lines<R> {
    input: BufReader<R>,
    /// Bytes that were read so far.
    pub(crate) bytes: u64,
    /// Of the line that was read last, from 1.
    pub(crate) number: u32,
}

impl<R: Read> Lines<R> {
    pub(crate) fn of(input: R) -> Self {
        Self { input: BufReader::with_capacity(1 << 16, input), bytes: 0, number: 0 }
    }

    /// The next line that is not blank; `Err` within: it cannot be read.
    pub(crate) fn next(&mut self) -> std::io::Result<Option<Result<String, Message>>> {
        loop {
            let mut bytes = Vec::new();
            let length = (&mut self.input).take(MOST).read_until(b'\n', &mut bytes)?;
            if length == 0 {
                return Ok(None);
            }
            self.number = self.number.saturating_add(1);
            self.bytes = self.bytes.saturating_add(length as u64);
            if length as u64 == MOST && bytes.last() != Some(&b'\n') {
                self.input.skip_until(b'\n')?;
                let mebibytes = MOST >> 20;
                return Ok(Some(Err(message!("the line is longer than {mebibytes} MiB", "此行超过 {mebibytes} MiB"))));
            }
            let line = match String::from_utf8(bytes) {
                Ok(line) => line,
                Err(_) => return Ok(Some(Err(message!("not UTF-8", "不是 UTF-8")))),
            };
            let line = if self.number == 1 { line.trim_start_matches('\u{feff}').to_owned() } else { line };
            if !line.trim().is_empty() {
                return Ok(Some(Ok(line.trim_end_matches(['\n', '\r']).to_owned())));
            }
        }
    }

    /// A first line with all that follows it.
    pub(crate) fn rest(&mut self, mut first: String) -> std::io::Result<String> {
        first.push('\n');
        (&mut self.input).take(MOST).read_to_string(&mut first)?;
        Ok(first)
    }
}
