//! How bad each problem is: an error if a framework that follows the spec would not load the skill, a warning if some
//! would not, or if something is left out.

use super::{ProblemKind, Severity};

impl ProblemKind {
    pub fn severity(&self) -> Severity {
        match self {
            Self::RootMissing
            | Self::RootNotFolder
            | Self::FolderUnreadable { .. }
            | Self::FileUnreadable { .. }
            | Self::NotUtf8 { .. }
            | Self::Empty
            | Self::FrontmatterMissing
            | Self::FrontmatterUnclosed
            | Self::YamlInvalid { .. }
            | Self::YamlNotMap
            | Self::KeyDuplicate { .. }
            | Self::KeyMissing { .. }
            | Self::KeyNotText { .. }
            | Self::KeyEmpty { .. }
            | Self::KeyTooLong { .. }
            | Self::NameInvalid
            | Self::NameNotFolder { .. }
            | Self::ManifestMiscased { .. } => Severity::Error,
            Self::Vanished
            | Self::LinkBroken { .. }
            | Self::LinkLoop
            | Self::LinkOutside { .. }
            | Self::NotEntered { .. }
            | Self::NameNotUtf8 { .. }
            | Self::TooDeep { .. }
            | Self::TooMany { .. }
            | Self::TooLarge { .. }
            | Self::Bom
            | Self::BodyEmpty
            | Self::NameTaken { .. }
            | Self::RootOutside { .. }
            | Self::NoSkills => Severity::Warning,
            Self::MixedNewlines => Severity::Info,
        }
    }
}
