//! Options of a framework, as a form.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use super::parts::UnsavedText;
use wording::Message;

/// The options of a harness, as the project file has them that holds.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct OptionForm {
    /// The project file, which need not be there yet.
    pub path: String,
    pub exists: bool,
    /// Project files of other open folders that say something of this harness, which does not count.
    pub shadowed: Vec<String>,
    pub options: Vec<OptionDto>,
}

/// An option of a harness, with its value.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct OptionDto {
    /// With a dot before what is within another option.
    pub name: String,
    pub kind: OptionKindDto,
    /// It may also be `null`.
    pub nullable: bool,
    /// For `other`: as YAML.
    #[ts(type = "unknown")]
    pub default: Value,
    /// What counts, which is the default where the file does not say it.
    #[ts(type = "unknown")]
    pub value: Value,
    /// The file says it.
    pub set: bool,
    pub help: Message,
}

/// How the form asks for a value.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum OptionKindDto {
    Flag,
    Choice {
        choices: Vec<OptionChoiceDto>,
    },
    Whole,
    Number,
    Text,
    /// A list of texts.
    Texts,
    /// Anything else, as YAML.
    Other,
}

/// One of the values to choose from.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct OptionChoiceDto {
    pub value: String,
    pub help: Option<Message>,
}

/// What an option becomes.
#[derive(Debug, Clone, PartialEq, Deserialize, TS)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum OptionValue {
    /// The file says nothing of it.
    Default,
    Value {
        #[ts(type = "unknown")]
        value: Value,
    },
    Yaml {
        text: String,
    },
}

arguments! {
    /// `unsaved`: texts that are in place of those on disk.
    OptionsArgs { harness: String, unsaved: Vec<UnsavedText> }
    /// `text`: of the project file as it is edited. `option`: with dots, as in its description.
    OptionEdit { path: String, text: String, harness: String, option: String, value: OptionValue }
}
