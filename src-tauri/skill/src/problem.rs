//! Texts of problems on disk, in each language of the workbench.

use crate::ProblemKind;
use wording::Message;

impl ProblemKind {
    /// The English half is that of `Display`.
    pub fn message(&self) -> Message {
        Message { en: self.to_string(), zh: self.chinese() }
    }

    fn chinese(&self) -> String {
        match self {
            Self::RootMissing => "文件夹不存在".into(),
            Self::RootNotFolder => "这是一个文件，不是技能文件夹".into(),
            Self::RootOutside { root } => format!("`roots` 指向 {root}，它在此文件夹之外；在你信任它之前不会读取"),
            Self::FolderUnreadable { reason } => format!("无法读取文件夹：{}", reason.zh),
            Self::FileUnreadable { reason } => format!("无法读取文件：{}", reason.zh),
            Self::Vanished => "列出文件夹时它还在，读取时已不存在".into(),
            Self::LinkBroken { target } => format!("链接指向 {target}，但它不存在"),
            Self::LinkLoop => "链接指回了它的上级文件夹；没有再次进入".into(),
            Self::LinkOutside { target } => {
                format!("链接指向 {target}，位于所打开的文件夹之外；在你信任它之前不会读取")
            }
            Self::NotEntered { target } => format!("没有读取 {target}：它属于系统，或包含所打开的文件夹本身"),
            Self::NameNotUtf8 { shown } => format!("这里有一个名称不是有效的 UTF-8，已略过：{shown}"),
            Self::TooDeep { limit } => format!("文件夹嵌套超过 {limit} 层；更深的内容没有读取"),
            Self::TooMany { limit } => format!("这里的文件多于 {limit} 个；其余的没有列出"),
            Self::TooLarge { size, limit } => format!("文件有 {size} 字节；只读取了前 {limit} 字节"),
            Self::NotUtf8 { offset } => format!("偏移 {offset} 处的字节不是有效的 UTF-8"),
            Self::Bom => "文件以字节顺序标记（BOM）开头，有些框架不接受".into(),
            Self::MixedNewlines => "行尾混用了 LF 和 CRLF".into(),
            Self::Empty => "文件是空的".into(),
            Self::FrontmatterMissing => "没有前置元数据：第一行必须是 `---`".into(),
            Self::FrontmatterUnclosed => "前置元数据没有结束：必须用一行 `---` 结束".into(),
            Self::YamlInvalid { reason } => format!("前置元数据不是有效的 YAML：{}", reason.zh),
            Self::YamlNotMap => "前置元数据必须由 `key: value` 行组成".into(),
            Self::KeyDuplicate { key } => format!("`{key}` 出现了两次"),
            Self::KeyMissing { key } => format!("缺少 `{key}`"),
            Self::KeyNotText { key } => format!("`{key}` 必须是文本"),
            Self::KeyEmpty { key } => format!("`{key}` 是空的"),
            Self::KeyTooLong { key, length, limit } => format!("`{key}` 有 {length} 个字符；最多允许 {limit} 个"),
            Self::NameInvalid => "名称只能使用 a-z、0-9 和其间的单个连字符".into(),
            Self::NameNotFolder { name, folder } => format!("名称 `{name}` 与文件夹名 `{folder}` 不一致"),
            Self::BodyEmpty => "没有指令内容".into(),
            Self::NameTaken { name, other } => format!("这里还有一个技能也叫 `{name}`：{other}"),
            Self::ManifestMiscased { found } => format!("文件名是 `{found}`；框架查找的是 `SKILL.md`"),
            Self::NoSkills => "这里没有任何文件夹包含 SKILL.md".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_figures_are_in_every_language() {
        let problem = ProblemKind::KeyTooLong { key: "name".into(), length: 70, limit: 64 };
        let Message { en, zh } = problem.message();
        assert_eq!(en, "`name` has 70 characters; at most 64 are allowed");
        assert_eq!(zh, "`name` 有 70 个字符；最多允许 64 个");
    }
}
