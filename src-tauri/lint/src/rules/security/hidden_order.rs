//! Orders to the model in places that people do not read.

use std::sync::LazyLock;

use regex::Regex;

use crate::plain::{Lines, Plain};

/// The order in a hidden text, if there is one: it addresses the model, or it is about running, sending and hiding.
pub fn in_text(text: &str) -> Option<String> {
    let plain = Plain::of(text, Lines::Text);
    let found = ORDERS.iter().find_map(|order| order.find(plain.prose()))?;
    Some(found.as_str().to_owned())
}

/// The same in the description of a picture. Unlike comments, descriptions are not notes to the author, so a task for
/// an agent counts as an order.
pub fn in_picture(text: &str) -> Option<String> {
    let plain = Plain::of(text, Lines::Text);
    let act = || ACTS.iter().find_map(|act| act.find(plain.prose())).map(|found| found.as_str().to_owned());
    in_text(text).or_else(act)
}

static ACTS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let acts = [
        r"(?i)\b(?:assistants?|agents?|models?|claude|ai)\s+(?:must|should|shall|has\s+to|have\s+to|is\s+to|needs?\s+to)\s+(?:(?:first|now|then|also|always|silently|secretly|quietly)\s+)?(?:run|execute|send|fetch|read|upload|ignore|include|call|open|delete|print|write|install)\b",
        r"(?i)\bwithout\s+(?:telling|informing|asking|notifying|mentioning)\b[^.\n]{0,30}\buser",
        r"(?:助手|智能体|模型)(?:必须|应当|应该|需要)(?:先|立即|马上)?(?:运行|执行|发送|读取|上传|忽略|删除)",
    ];
    acts.iter().filter_map(|act| Regex::new(act).ok()).collect()
});

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
