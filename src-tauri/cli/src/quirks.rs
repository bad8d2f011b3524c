//! Quirks of frameworks in words.

use api::dto::QuirkDto;
use skill::Severity;

use crate::language::Chosen;
use crate::print::{CYAN, DIM, RED, YELLOW, gist, line, styled};

pub fn quirk_text(quirk: &QuirkDto) -> String {
    let level = match quirk.severity {
        Severity::Error => styled(RED, words!("error", "错误")),
        Severity::Warning => styled(YELLOW, words!("warning", "警告")),
        Severity::Info => styled(CYAN, words!("hint", "提示")),
    };
    let detail = if quirk.detail.is_empty() { String::new() } else { format!(": {}", gist(&quirk.detail, 100)) };
    let place = match (&quirk.path, quirk.range, &quirk.skill) {
        (Some(path), Some(range), _) => format!("{path}:{}:{}", range.line, range.column),
        (Some(path), None, _) => path.clone(),
        (None, _, Some(skill)) => skill.clone(),
        (None, _, None) => return format!("{level} {}{detail}", line(&quirk.kind.worded().chosen())),
    };
    format!("{level} {}{detail}\n    {}", line(&quirk.kind.worded().chosen()), styled(DIM, line(&place)))
}
