//! Texts that are in the lines after the command that reads them.

use super::{HereDocument, Reader};

impl Reader<'_> {
    /// One that begins at the next line.
    pub(super) fn await_here_document(&mut self, operator: &str, until: &str) {
        self.awaited.push(HereDocument {
            until: until.chars().filter(|letter| !matches!(letter, '"' | '\'' | '\\')).collect(),
            indented: operator == "<<-",
            expands: !until.contains(['"', '\'', '\\']),
        });
    }

    /// Those that begin here.
    pub(super) fn here_documents(&mut self) {
        for document in std::mem::take(&mut self.awaited) {
            self.here_document(&document);
        }
    }

    fn here_document(&mut self, document: &HereDocument) {
        let start = self.at;
        let mut at = start;
        while at < self.end {
            let rest = &self.source[at..self.end];
            let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
            let next = (at + line.len() + 1).min(self.end);
            let line = line.trim_end_matches('\r');
            let line = if document.indented { line.trim_start_matches('\t') } else { line };
            if line == document.until {
                self.within(start, at, |reader| {
                    if document.expands {
                        reader.text();
                    }
                });
                self.at = next;
                return;
            }
            at = next;
        }
        self.sound = false;
        self.at = self.end;
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_told, assert_unsound};

    #[test]
    fn a_here_document_is_code_unless_its_delimiter_is_quoted() {
        assert_told(&[
            (
                "cat <<E | b\n$(c) '$D\nE\nd\n",
                &["cat captured fed", "<<E captured fed", "b captured fed", "c captured", "$D", "d"],
            ),
            ("cat <<'E'\n$(c)\nE\n", &["cat captured fed", "<<'E' captured fed"]),
        ]);
    }

    #[test]
    fn a_here_document_without_an_end_is_not_sound() {
        assert_unsound(&["cat <<E\na\n"]);
    }
}
