//! What every command that runs needs: its prompt, its waiting line, when it is over.

use api::dto::RunUpdate;
use api::{ApiError, Code};
use trace::RunStatus;

use crate::RunArgs;
use crate::print::WaitingLine;
use wording::message;

/// The prompt, else that of the screenplay. Only a recorded run can do without.
pub fn said(args: &RunArgs) -> Result<String, ApiError> {
    if let Some(prompt) = &args.prompt {
        return Ok(prompt.clone());
    }
    let Some(path) = &args.screenplay else {
        return Err(ApiError::new(Code::Invalid, message!("there is no prompt", "没有提示词"))
            .hint(message!("give the user's prompt with --prompt \"…\"", "请用 --prompt \"…\" 写明用户的提示词")));
    };
    Ok(api::screenplay_at(path)?.prompt)
}

/// Says what the run waits for.
pub fn waiting_line() -> WaitingLine {
    WaitingLine::start()
}

pub fn is_over(update: &RunUpdate) -> bool {
    update.status != RunStatus::Running
}
