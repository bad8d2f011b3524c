//! Orders to the model in places that people do not read.

use std::sync::LazyLock;

use regex::Regex;

use crate::plain::{Lines, Plain};

/// The order where a hidden text gives one: it speaks to the model, or it is about running, sending and hiding.
pub fn in_text(text: &str) -> Option<String> {
    let plain = Plain::of(text, Lines::Text);
    let found = ORDERS.iter().find_map(|order| order.find(plain.prose()))?;
    Some(found.as_str().to_owned())
}

static ORDERS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let orders = [
        r"(?i)(?:ignore|disregard|forget)\s+(?:all\s+)?(?:the\s+|your\s+)?(?:previous|prior|earlier|above)\s+(?:instructions?|rules|prompts?)",
        r"(?i)(?:^|[\s\-!])(?:assistant|claude|chatgpt|gpt|codex|ai agent|agent|ai|llm|model|system)\s*[:,]\s*(?:you\s+must|please|always|never|do\s+not|run|execute|send|fetch|read|upload|ignore|include|when)",
        r"(?i)(?:do\s+not|don't|never)\s+(?:tell|mention|reveal|inform|disclose)[^.\n]{0,30}(?:the\s+)?user",
        r"(?i)(?:send|upload|post|exfiltrate)\s+[^.\n]{0,60}\s+to\s+https?://",
        r"(?i)(?:curl|wget)\s+[^\n|]{0,200}\|\s*(?:ba|z)?sh",
        r"忽略[^。\n]{0,8}(?:之前|以上|先前)[^。\n]{0,6}(?:指令|提示|规则)",
        r"(?:不要|别)(?:告诉|告知|让)用户",
        r"(?:发送|上传)[^。\n]{0,30}(?:到|至)\s*https?://",
    ];
    orders.iter().filter_map(|order| Regex::new(order).ok()).collect()
});
