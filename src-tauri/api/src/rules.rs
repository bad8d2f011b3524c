//! The rules as the window and the terminal show them, and what a project says of them.

use camino::{Utf8Path, Utf8PathBuf};

use super::dto::{NoArgs, RuleDto, RuleExampleFile, RuleProfileArgs, RuleSetArgs};
use super::error::{ApiError, Code, Tried};
use super::trust::Open;
use super::{Workbench, blocking, judge, rule_ids};
use config::{ConfigError, PROJECT_FILE, Profile};
use lint::{Example, LintOptions, Rule, docs};
use skill::source::SourceText;
use wording::{Message, message};

impl Workbench {
    /// With the settings of the project whose file [`Workbench::rule_set`] changes.
    pub async fn rule_list(&self, _: NoArgs) -> Result<Vec<RuleDto>, ApiError> {
        let options = self.own_options().await;
        Ok(lint::rules().map(|rule| rule_dto(rule, &options)).collect())
    }

    /// The profile that this project follows.
    pub async fn rule_profile(&self, _: NoArgs) -> Result<Profile, ApiError> {
        Ok(self.own_options().await.profile)
    }

    /// The options of the project whose settings can be changed here.
    async fn own_options(&self) -> LintOptions {
        let loaded = self.loaded().await;
        let judges = self.judges(&loaded).await;
        let own = self.own_folder().map(|folder| judges.of_path(&folder));
        own.map(|judge| judge.options().clone()).unwrap_or_default()
    }

    /// The rules as they are if no project says otherwise.
    pub fn rules() -> Vec<RuleDto> {
        lint::rules().map(|rule| rule_dto(rule, &LintOptions::default())).collect()
    }

    /// The rule with an id, or those of a group.
    pub fn rules_named(id: &str) -> Result<Vec<RuleDto>, ApiError> {
        let mut named = Self::rules();
        named.retain(|rule| rule.id == id || rule.group.id() == id);
        if named.is_empty() { Err(rule_ids::unknown(id)) } else { Ok(named) }
    }

    /// Writes what the project says of a rule into the project file by which the first folder goes that is not the
    /// bundled one.
    pub async fn rule_set(&self, args: RuleSetArgs) -> Result<Vec<RuleDto>, ApiError> {
        if lint::find(&args.rule).is_none() {
            return Err(ApiError::new(Code::Invalid, message!("there is no rule `{}`", "没有规则 `{}`", args.rule)));
        }
        let RuleSetArgs { rule, setting } = args;
        let hint = message!(
            "edit the file: `{rule}` belongs below `rules`, which belongs below `lint`",
            "请编辑文件：`{rule}` 写在 `rules` 之下，`rules` 写在 `lint` 之下"
        );
        self.change_settings(hint, move |path, text| config::set_rule(path, text, &rule, setting)).await
    }

    /// The same for the profile.
    pub async fn rule_profile_set(&self, args: RuleProfileArgs) -> Result<Vec<RuleDto>, ApiError> {
        let hint = message!("edit the file: `profile` belongs below `lint`", "请编辑文件：`profile` 写在 `lint` 之下");
        self.change_settings(hint, move |path, text| config::set_profile(path, text, args.profile)).await
    }

    async fn change_settings(
        &self,
        hint: Message,
        change: impl Fn(&Utf8Path, &str) -> Result<Option<String>, ConfigError> + Send + 'static,
    ) -> Result<Vec<RuleDto>, ApiError> {
        let folder = self.own_folder().ok_or_else(|| {
            let message = message!(
                "only the bundled skills are open, and they have no settings",
                "只打开了自带的技能，而它们没有设置"
            );
            ApiError::new(Code::Invalid, message).hint(message!(
                "open a folder of your own: its {PROJECT_FILE} sets the severity of rules",
                "请打开你自己的文件夹：其中的 {PROJECT_FILE} 决定规则的严重程度"
            ))
        })?;
        let places = self.inner.places.clone();
        let written = blocking(move || {
            let project = judge::settled_by(&folder).unwrap_or(folder);
            let path = project.join(PROJECT_FILE);
            // Its folder is the user's; what it leads to from there need not be.
            Open::now(&[project], &places).through(&path)?;
            write_change(&path, hint, change)
        })
        .await;
        self.forget_loaded();
        written?;
        self.rule_list(NoArgs {}).await
    }

    /// The first open folder whose settings can be changed.
    fn own_folder(&self) -> Option<Utf8PathBuf> {
        self.folders().into_iter().find(|folder| !folder.bundled).map(|folder| folder.path.into())
    }
}

/// Changes one setting of a project file, which need not be there yet.
fn write_change(
    path: &Utf8Path,
    hint: Message,
    change: impl Fn(&Utf8Path, &str) -> Result<Option<String>, ConfigError>,
) -> Result<(), ApiError> {
    let _turn = disk::turn(path).map_err(|error| ApiError::io(path, Tried::Change, error))?;
    let source = match SourceText::read(path) {
        Ok(source) => source,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            SourceText::of_text(path.to_owned(), String::new())
        }
        Err(error) => return Err(ApiError::io(path, Tried::Read, error)),
    };
    let unusable = |reason: Message| ConfigError::Unusable { path: path.to_owned(), reason };
    if source.truncated_from.is_some() || source.invalid_at.is_some() {
        return Err(unusable(message!("it is not text, or is too long", "它不是文本，或者太长")).into());
    }
    let Some(changed) = change(path, &source.text)? else {
        return Err(ApiError::new(
            Code::Invalid,
            message!("{path} cannot be changed here without risk", "在这里修改 {path} 有风险"),
        )
        .hint(hint)
        .at(path));
    };
    if changed == source.text {
        return Ok(());
    }
    let mark = if source.bom { "\u{feff}" } else { "" };
    disk::write_atomically(path, [mark, &changed].concat().as_bytes())
        .map_err(|error| ApiError::io(path, Tried::Write, error))
}

fn rule_dto(rule: &'static Rule, options: &LintOptions) -> RuleDto {
    let usual = options.profile_severity(rule);
    RuleDto {
        id: rule.id.to_owned(),
        group: rule.group,
        severity: usual.unwrap_or(rule.severity),
        on: usual.is_some(),
        setting: options.setting(rule),
        title: rule.title.en.to_owned(),
        title_zh: rule.title.zh.to_owned(),
        what: rule.what.en.to_owned(),
        what_zh: rule.what.zh.to_owned(),
        why: rule.why.en.to_owned(),
        why_zh: rule.why.zh.to_owned(),
        source: rule.source.to_owned(),
        fix: rule.fix,
        bad: example(&rule.bad),
        good: example(&rule.good),
    }
}

fn example(example: &Example) -> Vec<RuleExampleFile> {
    docs::shown_files(example).map(|(path, text)| RuleExampleFile { path, text }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use config::Setting;

    fn write_setting(path: &Utf8Path, rule: &str, setting: Option<Setting>) -> Result<(), ApiError> {
        let hint = message!("edit the file", "请编辑文件");
        write_change(path, hint, |path, text| config::set_rule(path, text, rule, setting))
    }

    #[test]
    fn a_setting_is_written_and_taken_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::try_from(folder.path().join(PROJECT_FILE)).unwrap();
        let text = || std::fs::read_to_string(&path).unwrap();
        write_setting(&path, "todo-left", None).unwrap();
        assert!(!path.exists(), "nothing to say, no file");
        write_setting(&path, "todo-left", Some(Setting::Off)).unwrap();
        assert_eq!(text(), "lint:\n  rules:\n    todo-left: off\n");
        std::fs::write(&path, "\u{feff}# mine\r\nmodel: m\r\n").unwrap();
        write_setting(&path, "todo-left", Some(Setting::Error)).unwrap();
        assert_eq!(text(), "\u{feff}# mine\r\nmodel: m\r\nlint:\r\n  rules:\r\n    todo-left: error\r\n");
        write_setting(&path, "todo-left", None).unwrap();
        assert_eq!(text(), "\u{feff}# mine\r\nmodel: m\r\n");
    }

    #[test]
    fn a_file_that_cannot_be_changed_safely_is_named_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::try_from(folder.path().join(PROJECT_FILE)).unwrap();
        std::fs::write(&path, "lint: {rules: {todo-left: error}}\n").unwrap();
        let error = write_setting(&path, "todo-left", Some(Setting::Off)).unwrap_err();
        assert_eq!(error.message, format!("{path} cannot be changed here without risk"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "lint: {rules: {todo-left: error}}\n");
    }
}
