//! The tools, by name.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    Skill,
    Ls,
    ReadFile,
    WriteFile,
    EditFile,
    Glob,
    Grep,
    Execute,
}

impl Tool {
    pub fn name(self) -> &'static str {
        match self {
            Self::Skill => "skill",
            Self::Ls => "ls",
            Self::ReadFile => "read_file",
            Self::WriteFile => "write_file",
            Self::EditFile => "edit_file",
            Self::Glob => "glob",
            Self::Grep => "grep",
            Self::Execute => "execute",
        }
    }
}
