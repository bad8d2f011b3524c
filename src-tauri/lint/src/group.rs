//! The kinds of faults that rules look for.

use serde::Serialize;
use ts_rs::TS;
use wording::Wording;

/// What rules are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Group {
    /// Frontmatter and file form.
    Form,
    /// Name and description.
    Description,
    /// What a skill costs in tokens.
    Budget,
    /// The quality of the instructions.
    Instructions,
    /// Links and resources.
    Links,
    /// Scripts and commands.
    Scripts,
    Security,
    /// How one client or framework treats it.
    Clients,
    /// Several skills, compared with each other.
    Sets,
    /// Evaluations, packages and recorded runs.
    Evals,
}

impl Group {
    pub const ALL: [Self; 10] = [
        Self::Form,
        Self::Description,
        Self::Budget,
        Self::Instructions,
        Self::Links,
        Self::Scripts,
        Self::Security,
        Self::Clients,
        Self::Sets,
        Self::Evals,
    ];

    /// As settings and the command line name it.
    pub fn id(self) -> &'static str {
        match self {
            Self::Form => "form",
            Self::Description => "description",
            Self::Budget => "budget",
            Self::Instructions => "instructions",
            Self::Links => "links",
            Self::Scripts => "scripts",
            Self::Security => "security",
            Self::Clients => "clients",
            Self::Sets => "sets",
            Self::Evals => "evals",
        }
    }

    /// As a heading.
    pub fn title(self) -> Wording {
        match self {
            Self::Form => Wording::new("Frontmatter and file form", "格式"),
            Self::Description => Wording::new("Name and description", "名称与描述"),
            Self::Budget => Wording::new("Budgets", "Token 预算"),
            Self::Instructions => Wording::new("Instructions", "指令"),
            Self::Links => Wording::new("Links and resources", "链接与文件"),
            Self::Scripts => Wording::new("Scripts and commands", "脚本与命令"),
            Self::Security => Wording::new("Security", "安全"),
            Self::Clients => Wording::new("Clients and frameworks", "客户端与框架"),
            Self::Sets => Wording::new("Sets of skills", "技能之间"),
            Self::Evals => Wording::new("Evaluations, packages and runs", "评测、打包与运行"),
        }
    }
}
