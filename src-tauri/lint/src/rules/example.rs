//! Examples that are too long to be written out.

/// A document of about 12,000 tokens.
pub const LONG_DOCUMENT: &str = text(&DOCUMENT);
static DOCUMENT: [u8; 50_000] = filled("# All\n\n", "Take one, look at it, and put it back. ", "");
/// Twice as long.
pub const LONGER_DOCUMENT: &str = text(&LONGER);
static LONGER: [u8; 100_000] = filled("# All\n\n", "Take one, look at it, and put it back. ", "");

/// `head`, then `unit` again and again, and `tail` at the end: `N` bytes in all.
pub const fn filled<const N: usize>(head: &str, unit: &str, tail: &str) -> [u8; N] {
    let (head, unit, tail) = (head.as_bytes(), unit.as_bytes(), tail.as_bytes());
    let mut out = [0; N];
    let mut at = 0;
    while at < N {
        out[at] = if at < head.len() {
            head[at]
        } else if at >= N - tail.len() {
            tail[at - (N - tail.len())]
        } else {
            unit[(at - head.len()) % unit.len()]
        };
        at += 1;
    }
    out
}

/// The ASCII text that [`filled`] made.
pub const fn text(bytes: &'static [u8]) -> &'static str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => panic!("an example is ASCII"),
    }
}
