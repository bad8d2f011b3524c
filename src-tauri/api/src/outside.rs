//! Other programs of the user's that a path is shown in: the file manager, and an editor.

use camino::Utf8Path;
use disk::outside;

use super::dto::{NoArgs, OutsideEditor, PathArgs};
use super::error::{ApiError, Code};
use super::{Workbench, blocking};
use wording::{Message, message};

impl Workbench {
    /// Shows a file or a folder in the file manager.
    pub async fn path_reveal(&self, args: PathArgs) -> Result<(), ApiError> {
        let (path, open) = self.in_sight(&args.path).await?;
        blocking(move || {
            let place = open.itself(&path).or_else(|_| open.through(&path))?;
            outside::reveal(&place).map_err(|error| {
                let why = wording::why(&error);
                let said = message!("cannot show {path}: {why}", "无法显示 {path}：{why}"; why);
                let hint = message!("copy the path, and open it by hand", "请复制路径，再手动打开");
                ApiError::new(Code::Io, said).hint(hint).at(&path)
            })
        })
        .await
    }

    /// Opens a file or a folder in the editor of the settings.
    pub async fn path_edit(&self, args: PathArgs) -> Result<(), ApiError> {
        let (path, open) = self.in_sight(&args.path).await?;
        let command = self.settings().editor;
        blocking(move || {
            let place = open.through(&path)?;
            let words = shlex::split(&command).filter(|words| !words.is_empty()).ok_or_else(|| {
                let said = match command.trim().is_empty() {
                    true => message!("no outside editor is set", "尚未设置外部编辑器"),
                    false => {
                        message!("`{command}` is not a command: a quote is open", "`{command}` 不是命令：引号没有闭合")
                    }
                };
                unset(&path, said)
            })?;
            outside::edit(&words, &place).map_err(|error| {
                let why = wording::why(&error);
                unset(&path, message!("cannot start the editor: {why}", "无法启动编辑器：{why}"; why))
            })
        })
        .await
    }

    /// Editors that were found here.
    pub async fn editor_list(&self, _: NoArgs) -> Result<Vec<OutsideEditor>, ApiError> {
        let found = blocking(outside::editors).await;
        let editor = |(title, program): (&str, camino::Utf8PathBuf)| OutsideEditor {
            title: title.to_owned(),
            command: shlex::try_join([program.as_str(), outside::PATH]).unwrap_or_default(),
        };
        Ok(found.into_iter().map(editor).collect())
    }
}

fn unset(path: &Utf8Path, said: Message) -> ApiError {
    let hint = message!("choose an editor in the settings of outside editors", "请在外部编辑器的设置中选择一个编辑器");
    ApiError::new(Code::Unknown, said).hint(hint).at(path)
}
