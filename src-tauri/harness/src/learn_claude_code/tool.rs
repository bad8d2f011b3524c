//! The tools, by name.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    Bash,
    ReadFile,
    WriteFile,
    EditFile,
    Todo,
    LoadSkill,
    Task,
    Compact,
}

impl Tool {
    pub fn name(self) -> &'static str {
        match self {
            Self::Bash => "bash",
            Self::ReadFile => "read_file",
            Self::WriteFile => "write_file",
            Self::EditFile => "edit_file",
            Self::Todo => "todo",
            Self::LoadSkill => "load_skill",
            Self::Task => "task",
            Self::Compact => "compact",
        }
    }
}
