//! Server-sent events, as far as model servers use them: bytes in, `data` payloads out. Names, ids and retry times of
//! events are dropped. Does no I/O and keeps no limits; [`Reader::pending`] lets the caller set one.

/// Splits a byte stream into payloads. Chunks may end anywhere, in the middle of a character too.
#[derive(Debug, Default)]
pub struct Reader {
    line: Vec<u8>,
    data: Option<String>,
    /// A line ended with CR, so an LF that comes next belongs to it.
    after_cr: bool,
    /// A BOM may be before the first line only.
    past_first_line: bool,
}

impl Reader {
    /// The payloads that are complete with these bytes. Bytes that are not UTF-8 become U+FFFD.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut payloads = Vec::new();
        let mut rest = bytes;
        while let Some(&first) = rest.first() {
            let lf_of_crlf = first == b'\n' && self.after_cr;
            self.after_cr = false;
            if lf_of_crlf {
                rest = &rest[1..];
                continue;
            }
            let Some(end) = memchr::memchr2(b'\r', b'\n', rest) else {
                self.line.extend_from_slice(rest);
                break;
            };
            self.line.extend_from_slice(&rest[..end]);
            self.after_cr = rest[end] == b'\r';
            payloads.extend(self.end_line());
            rest = &rest[end + 1..];
        }
        payloads
    }

    /// The payload that no empty line followed before the stream ended. Browsers drop it; servers mean it.
    pub fn finish(mut self) -> Option<String> {
        self.end_line().or(self.data)
    }

    /// Bytes held back until their payload is complete.
    pub fn pending(&self) -> usize {
        self.line.len() + self.data.as_ref().map_or(0, String::len)
    }

    fn end_line(&mut self) -> Option<String> {
        let bytes = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&bytes);
        let line = match std::mem::replace(&mut self.past_first_line, true) {
            true => &*line,
            false => line.strip_prefix('\u{feff}').unwrap_or(&line),
        };
        if line.is_empty() {
            return self.data.take();
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        if field == "data" {
            let value = value.strip_prefix(' ').unwrap_or(value);
            match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            }
        }
        None
    }
}

/// Nothing was said in a whole stream, if it is one: there are only comments in it, as servers send while they are at work,
/// and what surrounds payloads.
pub fn is_silent(stream: &str) -> bool {
    let says_nothing = |line: &str| {
        let field = line.split_once(':').map(|(field, _)| field);
        line.is_empty() || field.is_some_and(|field| ["", "event", "id", "retry"].contains(&field))
    };
    stream.lines().all(says_nothing)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Vec<String> {
        let mut reader = Reader::default();
        let mut payloads: Vec<_> = chunks.into_iter().flat_map(|chunk| reader.push(chunk)).collect();
        payloads.extend(reader.finish());
        payloads
    }

    #[test]
    fn reads_payloads_between_comments_names_and_any_line_ends() {
        let stream = "\u{feff}: OPENROUTER PROCESSING\n\ndata: {\"a\":1}\n\nevent: delta\r\nid: 7\r\ndata:{\"b\":\"é漢🙂\"}\r\n\r\n\
                      retry: 10\rdata: one\rdata: two\rdata\r\rdatum: no\n\ndata: [DONE]";
        assert_eq!(read([stream.as_bytes()]), ["{\"a\":1}", "{\"b\":\"é漢🙂\"}", "one\ntwo\n", "[DONE]"]);
    }

    #[test]
    fn comments_say_nothing() {
        let silent = ["", "\n", ": ping - 2026-11-21 20:48:42\n\n", ":\r\nevent: ping\r\nretry: 10\r\n\r\n"];
        assert_eq!(silent.map(is_silent), [true; 4]);
        let said = [": ping\n\ndata: {}", "{\"id\": 1}", "<html>", "busy", "error: busy"];
        assert_eq!(said.map(is_silent), [false; 5]);
    }

    #[test]
    fn replaces_bytes_that_are_not_utf8_and_goes_on() {
        assert_eq!(read([b"data: a\xff\n\ndata: b\n\n".as_slice()]), ["a\u{fffd}", "b"]);
    }

    #[test]
    fn tells_how_much_it_holds_back() {
        let mut reader = Reader::default();
        reader.push(b"data: abc\ndat");
        assert_eq!(reader.pending(), 6);
        reader.push(b"\n\n");
        assert_eq!(reader.pending(), 0);
    }

    proptest! {
        #[test]
        fn any_chunking_gives_the_same_payloads(
            bytes in prop::collection::vec(prop::sample::select(b"data: \r\n\xe6\xbc\xa2\xff{}\xef\xbb\xbf".to_vec()), 0..200),
            lines in "(data: ?(a|é|漢|🙂)*(\r|\n|\r\n)|:x\n|\n|\r\n){0,20}",
            sizes in prop::collection::vec(1usize..9, 1..20),
        ) {
            for stream in [bytes.as_slice(), lines.as_bytes()] {
                let mut rest = stream;
                let mut chunks = Vec::new();
                for size in sizes.iter().cycle() {
                    if rest.is_empty() { break }
                    let (chunk, after) = rest.split_at((*size).min(rest.len()));
                    chunks.push(chunk);
                    rest = after;
                }
                let at_once = read([stream]);
                prop_assert_eq!(&read(chunks), &at_once);
                prop_assert_eq!(&read(stream.chunks(1)), &at_once);
            }
        }

        #[test]
        fn arbitrary_bytes_never_panic(bytes in any::<Vec<u8>>()) {
            read([bytes.as_slice()]);
        }
    }
}
