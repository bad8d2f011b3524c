//! One `#[tauri::command]` for each method of the workbench, made from the table in `api::commands`.

use api::dto::*;
use api::for_each_command;
use api::{ApiError, Workbench};
use config::{ModelPreset, Profile, RunLimits};
use model::check::Check;
use model::http::ListedModel;
use tauri::State;
use trace::columns::Columns;
use trace::diff::RunDiff;
use trace::review::Review;
use trace::store::Found;
use trace::{ContextAtStep, RunId, RunSummary, Step};

macro_rules! shell {
    ($($name:ident($arguments:ty) -> $result:ty $(, changes [$($data:ident),*])?;)*) => {
        $(#[tauri::command]
        async fn $name(bench: State<'_, Workbench>, args: $arguments) -> Result<$result, ApiError> {
            bench.$name(args).await
        })*

        pub fn handler() -> impl Fn(tauri::ipc::Invoke) -> bool {
            tauri::generate_handler![$($name),*]
        }
    };
}

for_each_command!(shell);
