//! The options of a harness as a form: what they are, what the project file says of them, and its text with one changed.

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;

use super::drafts::as_texts;
use super::dto::{OptionChoiceDto, OptionDto, OptionEdit, OptionForm, OptionKindDto, OptionValue, OptionsArgs};
use super::error::{ApiError, Code, Tried};
use super::{Workbench, absolute, blocking};
use config::options::{OptionInfo, OptionKind, described};
use config::{PROJECT_FILE, Project};
use skill::Drafts;
use skill::source::SourceText;
use wording::message;

impl Workbench {
    /// The options of the project file that counts: the first existing one, else one in the first folder.
    pub async fn harness_options(&self, args: OptionsArgs) -> Result<OptionForm, ApiError> {
        let known = known(&args.harness)?;
        let roots = self.roots().await;
        blocking(move || {
            let drafts = Drafts::new(as_texts(&args.unsaved));
            let mut there: Vec<(Utf8PathBuf, String)> = Vec::new();
            for root in &roots {
                let path = root.join(PROJECT_FILE);
                if let Some(draft) = drafts.text(&path) {
                    there.push((path, draft.text.clone()));
                } else if Project::load(root)?.is_some() {
                    let read = SourceText::read(&path).map_err(|error| ApiError::io(&path, Tried::Read, error))?;
                    there.push((path, read.text));
                }
            }
            let fresh = || roots.first().map(|root| root.join(PROJECT_FILE));
            let first = there.first().map(|(path, _)| path.clone()).or_else(fresh).ok_or_else(no_folder)?;
            let said = match there.first() {
                Some((path, text)) => raw(path, text)?,
                None => Value::Null,
            };
            let options = &said["harnesses"][&args.harness];
            let shadowed = there.iter().skip(1).filter(|(path, text)| {
                raw(path, text).is_ok_and(|said| said["harnesses"].get(&args.harness).is_some())
            });
            Ok(OptionForm {
                path: first.to_string(),
                exists: !there.is_empty(),
                shadowed: shadowed.map(|(path, _)| path.to_string()).collect(),
                options: known.into_iter().map(|option| dto(option, options)).collect(),
            })
        })
        .await
    }

    /// The text of the project file with one option set or removed, and every other line as it was.
    pub async fn option_edit(&self, args: OptionEdit) -> Result<String, ApiError> {
        if !known(&args.harness)?.iter().any(|option| option.name == args.option) {
            let (option, harness) = (args.option, args.harness);
            return Err(ApiError::new(
                Code::Invalid,
                message!("{harness} has no option `{option}`", "{harness} 没有选项 `{option}`"),
            ));
        }
        blocking(move || {
            let path = absolute(Utf8Path::new(&args.path));
            let value = match args.value {
                OptionValue::Default => None,
                OptionValue::Value { value } => Some(value),
                OptionValue::Yaml { text } => Some(serde_yaml::from_str(&text).map_err(|error| {
                    let why = wording::refusal(&error.to_string());
                    ApiError::new(Code::Invalid, message!("this is not YAML: {why}", "这不是 YAML：{why}"; why))
                })?),
            };
            let edited = config::set_option(&path, &args.text, &args.harness, &args.option, value)?;
            edited.ok_or_else(|| {
                let (option, harness) = (&args.option, &args.harness);
                ApiError::new(
                    Code::Invalid,
                    message!("{path} cannot be changed here without risk", "在这里修改 {path} 有风险"),
                )
                .hint(message!(
                    "edit the file: `{option}` belongs below `{harness}`, which belongs below `harnesses`",
                    "请编辑文件：`{option}` 写在 `{harness}` 之下，`{harness}` 写在 `harnesses` 之下"
                ))
                .at(&path)
            })
        })
        .await
    }
}

fn known(harness: &str) -> Result<Vec<OptionInfo>, ApiError> {
    super::inspect::find_harness(harness, None)?;
    Ok(described(harness))
}

/// The file's contents as JSON; an error if it is not a project file.
fn raw(path: &Utf8Path, text: &str) -> Result<Value, ApiError> {
    Project::parse(path, text)?;
    Ok(serde_yaml::from_str(text).unwrap_or_default())
}

fn no_folder() -> ApiError {
    ApiError::new(Code::NotFound, message!("no folder is open", "没有打开的文件夹"))
        .hint(message!("open a folder of skills", "请打开一个技能文件夹"))
}

fn dto(option: OptionInfo, said: &Value) -> OptionDto {
    let OptionInfo { name, kind, nullable, default, help } = option;
    let found = name.split('.').try_fold(said, |value, part| value.get(part));
    let is_other = kind == OptionKind::Other;
    let shown = |value: &Value| if is_other { Value::from(yaml(value)) } else { value.clone() };
    OptionDto {
        value: shown(found.unwrap_or(&default)),
        default: shown(&default),
        set: found.is_some(),
        kind: match kind {
            OptionKind::Flag => OptionKindDto::Flag,
            OptionKind::Choice(choices) => OptionKindDto::Choice {
                choices: choices
                    .into_iter()
                    .map(|choice| OptionChoiceDto { value: choice.value, help: choice.help })
                    .collect(),
            },
            OptionKind::Whole => OptionKindDto::Whole,
            OptionKind::Number => OptionKindDto::Number,
            OptionKind::Text => OptionKindDto::Text,
            OptionKind::Texts => OptionKindDto::Texts,
            OptionKind::Other => OptionKindDto::Other,
        },
        name,
        nullable,
        help,
    }
}

fn yaml(value: &Value) -> String {
    serde_yaml::to_string(value).unwrap_or_default().trim_end().to_owned()
}
