//! Places where a framework's real behaviour hurts an author.

use camino::Utf8PathBuf;
use serde::Serialize;
use ts_rs::TS;

use skill::Severity;
use skill::source::Span;
use wording::Wording;

/// One such place.
#[derive(Debug, Clone, PartialEq)]
pub struct Quirk {
    pub kind: QuirkKind,
    /// Id of the skill, where it is about one.
    pub skill: Option<String>,
    /// The file and the bytes of its text, if the quirk is about some.
    pub path: Option<Utf8PathBuf>,
    pub span: Option<Span>,
    /// What is lost, changed or hidden there: an excerpt, a name, a value as it is read. May be empty.
    pub detail: String,
}

/// The ways in which a harness hurts an author.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum QuirkKind {
    /// On each line, everything up to and with the first tab is deleted.
    LostBeforeTab,
    /// The frontmatter ends at the first `---`, even inside a value.
    CutAtDashes,
    /// A frontmatter value is not read as YAML reads it; `detail` is what is read.
    ReadDifferently,
    /// One skill that cannot be read keeps all of them from the model.
    OneBadSkillFailsAll,
    /// A folder without a `SKILL.md` keeps all skills from the model.
    MissingManifestRemovesTool,
    /// Of several skills loaded in one answer, only the first gets its instructions.
    OnlyFirstLoadOfATurn,
    /// The catalogue shows a name under which the skill cannot be loaded; `detail` is what loads it.
    ListedNameDoesNotLoad,
    /// Two skills have this name; only one of them can be loaded.
    HiddenByDuplicate,
    /// A file without frontmatter is offered as a skill without a description.
    OfferedWithoutFrontmatter,
    /// Name or description is put into markup as it is, and holds `<`, `>` or `&`.
    NotEscaped,
    /// The tag around the catalogue is opened twice and never closed.
    CatalogueNotClosed,
    /// A value that begins like a section of a docstring keeps the rest of the catalogue from the model.
    CutsCatalogue,
    /// A file of the skill that the framework does not offer.
    FileNotOffered,
    /// A byte order mark reaches the model, or keeps the frontmatter from being read.
    ByteOrderMark,
    /// A link leads out of the skill and is followed.
    LinkLeavesSkill,
    /// Any path is read, even outside of the skills.
    PathNotChecked,
    /// The instructions are longer than the framework reads; `detail` is its limit.
    CutWhenLong,
    /// The order of the skills follows a hash, not their names.
    OrderedByHash,
    /// Skills are listed in random order, which changes each time.
    OrderedByChance,
    /// A value that the framework does not know has no effect.
    ValueIgnored,
    /// The skill names an agent or a model that the project does not have.
    HubEntryMissing,
    /// The skill has scripts, and the framework has no tool to run them.
    ScriptsCannotRun,
    /// The framework starts the script with Python, which it is not written in; `detail` is its name.
    ScriptRunByPython,
    /// The instructions hold a command that the framework's own shell tool refuses to run; `detail` is what it stumbles
    /// over.
    CommandBlocked,
    /// There is no description in the frontmatter; the list shows the first line of the instructions, which is `detail`.
    DescribedByBody,
    /// The description is longer than the list shows of any; `detail` is the limit.
    DescriptionCut,
    /// All descriptions together are longer than the list may be, and this one is left out; `detail` is how many skills
    /// there are.
    DescriptionLeftOut,
    /// All descriptions together are longer than the list may be, and this one is shortened; `detail` is how many characters
    /// are left of it.
    DescriptionShortened,
    /// The list has no room for this skill, not even for its name; `detail` is how many skills there are.
    NoRoomInList,
    /// The client does not load this skill when a prompt says `$name`; `detail` is that.
    NotByMention,
    /// The skill can be loaded, and the list does not have it; `detail` is the field that does that.
    NotListed,
    /// Loading the skill asks the user first; `detail` is the field that does that.
    AsksBeforeLoad,
    /// A piece of the instructions is replaced when the skill is loaded: an argument is filled in, or a command runs.
    ReplacedOnLoad,
    /// The line that ends the frontmatter has more than three hyphens, so that the instructions are lost.
    InstructionsLost,
    /// The result of loading the skill names only some of its files; `detail` is how many.
    FilesLeftOut,
    /// Two skills have this name, and which of them is loaded is random; `detail` is the other one.
    ChosenByChance,
    /// With these settings the model has no tool that loads skills, though they are listed; `detail` is the setting.
    ToolNotOffered,
    /// The model gets only the name and description: the body is empty.
    NoInstructions,
}

impl QuirkKind {
    /// The kind as linters name their rules, e.g. `lost-before-tab`.
    pub fn code(self) -> String {
        let mut code = String::new();
        for letter in format!("{self:?}").chars() {
            if letter.is_ascii_uppercase() && !code.is_empty() {
                code.push('-');
            }
            code.push(letter.to_ascii_lowercase());
        }
        code
    }

    /// A warning if the model gets something else than the author wrote, or misses it; else only information.
    pub fn severity(self) -> Severity {
        let harmless = matches!(
            self,
            Self::OnlyFirstLoadOfATurn
                | Self::CatalogueNotClosed
                | Self::FileNotOffered
                | Self::PathNotChecked
                | Self::OrderedByHash
                | Self::OrderedByChance
                | Self::ValueIgnored
                | Self::DescribedByBody
                | Self::NotListed
                | Self::NotByMention
                | Self::AsksBeforeLoad
                | Self::FilesLeftOut
        );
        if harmless { Severity::Info } else { Severity::Warning }
    }

    /// What happens, in one sentence. The window has its own words.
    pub fn worded(self) -> Wording {
        match self {
            Self::LostBeforeTab => Wording::new(
                "everything on a line up to its first tab is deleted",
                "每一行中，第一个制表符及其之前的内容都会被删掉",
            ),
            Self::CutAtDashes => Wording::new(
                "the frontmatter ends at the first `---`, even inside a value",
                "前置元数据在第一个 `---` 处结束，即使它出现在值里",
            ),
            Self::ReadDifferently => Wording::new("the value is not read as YAML reads it", "这个值没有按 YAML 读取"),
            Self::OneBadSkillFailsAll => {
                Wording::new("this one skill keeps all skills from loading", "这一个技能会使所有技能都无法加载")
            }
            Self::MissingManifestRemovesTool => Wording::new(
                "a folder without SKILL.md removes the skill tool",
                "缺少 SKILL.md 的文件夹会使技能工具消失",
            ),
            Self::OnlyFirstLoadOfATurn => Wording::new(
                "of several skills loaded in one answer only the first gets its instructions",
                "一次回答中加载多个技能时，只有第一个能得到指令",
            ),
            Self::ListedNameDoesNotLoad => Wording::new(
                "the skill cannot be loaded under the name the catalogue shows",
                "目录中显示的名称无法加载此技能",
            ),
            Self::HiddenByDuplicate => Wording::new(
                "another skill has the same name, and only one of them can be loaded",
                "另有同名技能，两者只有一个能被加载",
            ),
            Self::OfferedWithoutFrontmatter => Wording::new(
                "it is offered as a skill although it has no frontmatter",
                "没有前置元数据，却仍作为技能提供给模型",
            ),
            Self::NotEscaped => Wording::new(
                "`<`, `>` and `&` go into the catalogue's markup as they are",
                "`<`、`>` 和 `&` 未经转义就写进目录的标记中",
            ),
            Self::CatalogueNotClosed => {
                Wording::new("the catalogue's tag is opened twice and never closed", "目录的标签打开了两次，却从未关闭")
            }
            Self::CutsCatalogue => Wording::new(
                "the rest of the catalogue is lost, because the value begins like a list of arguments",
                "这个值的开头像参数列表，目录的其余部分因此丢失",
            ),
            Self::FileNotOffered => Wording::new("the framework does not offer this file", "框架不提供这个文件"),
            Self::ByteOrderMark => Wording::new("the byte order mark is not removed", "字节顺序标记（BOM）没有去除"),
            Self::LinkLeavesSkill => {
                Wording::new("a link that leads out of the skill is followed", "会跟随指向技能之外的链接")
            }
            Self::PathNotChecked => {
                Wording::new("any path is read, even outside of the skills", "任何路径都会被读取，包括技能之外的路径")
            }
            Self::CutWhenLong => Wording::new("the file is longer than the framework reads", "文件超过框架读取的长度"),
            Self::OrderedByHash => Wording::new(
                "the skills are listed in the order of a hash, not of their names",
                "技能按哈希顺序排列，而不是按名称",
            ),
            Self::OrderedByChance => Wording::new(
                "the skills are listed in random order, which changes each time",
                "技能的排列顺序是随机的，每次都不同",
            ),
            Self::ValueIgnored => {
                Wording::new("the framework does not know this value, and ignores it", "框架不认识这个值，会忽略它")
            }
            Self::HubEntryMissing => Wording::new(
                "the skill names an agent or a model that the project does not have",
                "技能指定了项目中不存在的智能体或模型",
            ),
            Self::ScriptsCannotRun => {
                Wording::new("the framework has no tool to run the skill's scripts", "框架没有运行技能脚本的工具")
            }
            Self::ScriptRunByPython => Wording::new(
                "the framework starts this script with python3, whatever its extension",
                "框架一律用 python3 启动这个脚本，不看扩展名",
            ),
            Self::CommandBlocked => Wording::new(
                "the framework's shell tool refuses to run this command",
                "框架的 shell 工具拒绝运行这条命令",
            ),
            Self::DescribedByBody => Wording::new(
                "without a description, the list shows the first line of the instructions",
                "没有描述时，列表显示指令的第一行",
            ),
            Self::DescriptionCut => {
                Wording::new("the list shows only the beginning of the description", "列表只显示描述的开头部分")
            }
            Self::DescriptionLeftOut => Wording::new(
                "the list has no room for this description and shows only the name",
                "列表容不下这段描述，只显示名称",
            ),
            Self::DescriptionShortened => Wording::new(
                "the list has no room for all of this description and shows its beginning",
                "列表容不下整段描述，只显示开头部分",
            ),
            Self::NoRoomInList => Wording::new(
                "the list has no room for this skill, so the model does not see it",
                "列表容不下此技能，模型不知道有它",
            ),
            Self::NotByMention => Wording::new(
                "a prompt cannot load this skill by `$name`: another one has the name, or it is not recognised as a name",
                "提示词中的 `$名称` 无法加载此技能：另有同名技能，或该名称无法识别",
            ),
            Self::NotListed => Wording::new("the list does not show this skill to the model", "列表不向模型显示此技能"),
            Self::AsksBeforeLoad => {
                Wording::new("the user is asked before the skill is loaded", "加载此技能前会先询问用户")
            }
            Self::ReplacedOnLoad => Wording::new(
                "this piece of the instructions is replaced when the skill is loaded",
                "加载技能时，指令中的这一处会被替换",
            ),
            Self::InstructionsLost => Wording::new(
                "the line that ends the frontmatter holds more than `---`, so the instructions are lost",
                "结束前置元数据的那一行除 `---` 外还有别的内容，指令因此丢失",
            ),
            Self::FilesLeftOut => Wording::new(
                "loading the skill names only some of its files to the model",
                "加载技能时，只向模型列出部分文件",
            ),
            Self::ChosenByChance => Wording::new(
                "another skill has the same name, and which of them is loaded is random",
                "另有同名技能，加载哪一个全凭偶然",
            ),
            Self::ToolNotOffered => Wording::new(
                "the skills are listed, but with these settings none can be loaded",
                "技能会列出，但在当前设置下一个也无法加载",
            ),
            Self::NoInstructions => Wording::new("the skill has no instructions", "技能没有指令"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_the_kind_in_kebab_case() {
        assert_eq!(QuirkKind::LostBeforeTab.code(), "lost-before-tab");
        assert_eq!(QuirkKind::OnlyFirstLoadOfATurn.code(), "only-first-load-of-a-turn");
    }
}
