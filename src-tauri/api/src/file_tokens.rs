//! What files come to in tokens. Several frameworks list the same file, and it is read and counted for one of them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

use camino::{Utf8Path, Utf8PathBuf};

use super::lock;
use model::tokens::Tokenizer;

/// Files as they were when they were first asked for; none if a file holds no text.
#[derive(Default)]
pub struct FileTokens(Mutex<HashMap<(Utf8PathBuf, Tokenizer), Counted>>);

type Counted = Arc<OnceLock<Option<u32>>>;

impl FileTokens {
    /// `text`: asked for once. Whoever asks at the same time waits for the first answer, and others for nothing.
    pub fn of(&self, path: &Utf8Path, tokenizer: Tokenizer, text: impl FnOnce() -> Option<String>) -> Option<u32> {
        let counted = lock(&self.0).entry((path.to_owned(), tokenizer)).or_default().clone();
        *counted.get_or_init(|| text().map(|text| tokenizer.count(&text)))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn counts_each_file_once_for_each_tokenizer() {
        let counted = FileTokens::default();
        let asked = Cell::new(0);
        let of = |path: &str, tokenizer, text: Option<&str>| {
            counted.of(path.into(), tokenizer, || {
                asked.set(asked.get() + 1);
                text.map(str::to_owned)
            })
        };
        let first = Tokenizer::default();
        let second = Tokenizer::ALL.iter().copied().find(|&tokenizer| tokenizer != first).unwrap();
        assert_eq!(of("/a", first, Some("two words")), Some(2));
        assert_eq!(of("/a", first, Some("now three words")), Some(2));
        assert_eq!(of("/image.png", first, None), None);
        assert_eq!(of("/image.png", first, Some("text")), None);
        assert_eq!(asked.get(), 2);
        assert_eq!(of("/a", second, Some("two words")), Some(2));
        assert_eq!(asked.get(), 3);
    }
}
