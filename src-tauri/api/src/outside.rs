//! Other programs of the user's that a path is shown in: the file manager, and an editor.

use camino::Utf8Path;
use disk::outside::{self, OutsideError};

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
                let why = why(&error);
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
                let why = why(&error);
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

fn why(error: &OutsideError) -> Message {
    match error {
        OutsideError::Empty => message!("the command is empty", "命令是空的"),
        OutsideError::NoProgram(name) => message!("there is no program `{name}`", "没有程序 `{name}`"),
        OutsideError::Relative(name) => message!(
            "`{name}` is neither the name of a program nor its whole path",
            "`{name}` 既不是程序名称，也不是完整路径"
        ),
        OutsideError::Io(error) => wording::why(error),
    }
}

fn unset(path: &Utf8Path, said: Message) -> ApiError {
    let hint = message!("choose an editor in the settings of outside editors", "请在外部编辑器的设置中选择一个编辑器");
    ApiError::new(Code::Unknown, said).hint(hint).at(path)
}

#[cfg(test)]
mod tests {
    use camino::Utf8PathBuf;

    use super::*;
    use crate::dto::{NoArgs, SettingsArgs};
    use crate::{Freshness, Places};

    #[tokio::test(flavor = "multi_thread")]
    async fn an_editor_that_is_not_there_is_named_in_both_languages() {
        let home = tempfile::tempdir().unwrap();
        let home = Utf8PathBuf::try_from(home.path().canonicalize().unwrap()).unwrap();
        let skill = home.join("skills/demo");
        std::fs::create_dir_all(&skill).unwrap();
        std::fs::write(skill.join("SKILL.md"), "---\nname: demo\ndescription: A demo.\n---\n\nSay hello.\n").unwrap();
        let places = Places::below(home.join("home"), None);
        let bench = Workbench::open(places, vec![home.join("skills")], Freshness::ReadOnce, |_| {}).await;
        let mut settings = bench.bench_state(NoArgs {}).await.unwrap().settings;
        for (editor, en, zh) in [
            ("no-such-editor -w", "there is no program `no-such-editor`", "没有程序 `no-such-editor`"),
            (
                "./editor",
                "`./editor` is neither the name of a program nor its whole path",
                "`./editor` 既不是程序名称，也不是完整路径",
            ),
        ] {
            settings.editor = editor.to_owned();
            bench.settings_set(SettingsArgs { settings: settings.clone() }).await.unwrap();
            let path = skill.join("SKILL.md").to_string();
            let error = bench.path_edit(PathArgs { path }).await.unwrap_err();
            assert_eq!(error.message, format!("cannot start the editor: {en}"));
            assert_eq!(*error.message_zh, *format!("无法启动编辑器：{zh}"));
        }
    }
}
