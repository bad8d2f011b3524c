//! Texts as several frameworks put them into markup.

/// With entities for `& < > "` and for the apostrophe, which frameworks write in different ways.
pub fn escape(text: &str, apostrophe: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str(apostrophe),
            _ => out.push(letter),
        }
    }
    out
}
