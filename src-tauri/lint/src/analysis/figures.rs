//! How figures are said, and which texts can be over a limit at all.

use skill::source::line_ends;

/// `12345` as `12,345`.
pub fn grouped(figure: impl Into<u64>) -> String {
    let digits = figure.into().to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Whether a text of so many bytes may have more tokens than that. No text that people write has a token for every two
/// bytes or more, in English, in Chinese or in code.
pub fn may_exceed(bytes: usize, tokens: u32) -> bool {
    bytes / 2 > tokens as usize
}

/// As editors count them: an end of a line at the end begins no other.
pub fn lines(text: &str) -> u64 {
    line_ends(text) as u64 + u64::from(!text.is_empty() && !text.ends_with('\n'))
}
