//! Who sees what of one skill: a row for each framework and client in its default variant. It contains only what
//! Inspect and Compare show.

mod lines;
mod markdown;
mod svg;

use camino::Utf8Path;
use harness::{Group, Origin, Quirk, QuirkKind};
use model::tokens::Tokenizer;
use wording::{Language, Message, Wording, message};

use super::dto::{
    CardArgs, CardFormat, CardLoads, CardRow, CardSaveArgs, CardSeen, CardTextArgs, CataloguePlace, CompareArgs,
    HarnessChoice, InspectedSkill, Presence, QuirkDto, SkillCard,
};
use super::error::{ApiError, Code, Tried};
use super::inspect::{Sent, Stage};
use super::{Workbench, absolute, blocking, convert};

impl Workbench {
    pub async fn skill_card(&self, args: CardArgs) -> Result<SkillCard, ApiError> {
        let choice =
            |harness: &&dyn harness::Harness| HarnessChoice { harness: harness.profile().id.to_owned(), variant: None };
        let of = CompareArgs {
            roots: None,
            of: harness::all().iter().map(choice).collect(),
            prompt: None,
            cwd: None,
            neutral_paths: None,
            unsaved: Vec::new(),
            without: Vec::new(),
        };
        let (folder, tokenizer) = (args.skill.clone(), self.tokenizer());
        let found =
            self.row(of, &args.skill, move |stage, presence| row_of(stage, presence, &folder, tokenizer)).await?;
        let (name, rows) = found.ok_or_else(|| {
            let skill = &args.skill;
            ApiError::new(Code::Unknown, message!("there is no skill {skill}", "没有技能 {skill}"))
                .hint(message!("name the folder with its SKILL.md", "请指定含有 SKILL.md 的文件夹"))
        })?;
        Ok(SkillCard { name, rows, tokenizer })
    }

    /// As a document to put next to the skill.
    pub async fn skill_card_text(&self, args: CardTextArgs) -> Result<String, ApiError> {
        let card = self.skill_card(CardArgs { skill: args.skill }).await?;
        Ok(match args.format {
            CardFormat::Markdown => markdown::write(&card, Language::English),
            CardFormat::MarkdownChinese => markdown::write(&card, Language::Chinese),
            CardFormat::Svg => svg::draw(&card, Language::English),
            CardFormat::SvgChinese => svg::draw(&card, Language::Chinese),
        })
    }

    /// Writes what [`Workbench::skill_card_text`] gives to a file, over one that the user chose to replace.
    pub async fn skill_card_save(&self, args: CardSaveArgs) -> Result<(), ApiError> {
        let text = self.skill_card_text(CardTextArgs { skill: args.skill, format: args.format }).await?;
        let path = absolute(Utf8Path::new(&args.path));
        blocking(move || {
            disk::write_atomically(&path, text.as_bytes()).map_err(|error| ApiError::io(&path, Tried::Write, error))
        })
        .await
    }
}

fn row_of(stage: &Stage, presence: &Presence, folder: &str, tokenizer: Tokenizer) -> CardRow {
    let Stage { harness, catalog, .. } = stage;
    let (profile, refused) = (harness.profile(), &catalog.refused);
    let variant = profile.variant(Some(catalog.variant));
    let sent = Sent::of(stage, None);
    let skill = match presence {
        Presence::Loaded { id, .. } => sent.skill(stage, id, tokenizer),
        Presence::Skipped { .. } | Presence::Unseen => None,
    };
    let skill = skill.as_ref();
    let line = skill.and_then(|skill| lines::of(sent.texts(), &skill.id));
    let seen = match (presence, &line) {
        _ if refused.is_some() => CardSeen::Refused,
        (Presence::Skipped { .. }, _) => CardSeen::LeftOut,
        (Presence::Unseen, _) => CardSeen::Unseen,
        (Presence::Loaded { .. }, Some(_)) => CardSeen::Listed,
        (Presence::Loaded { .. }, None) if is_allowed(&sent.places(stage)) => CardSeen::Listed,
        (Presence::Loaded { .. }, None) => CardSeen::NotListed,
    };
    let quirks: Vec<&Quirk> = catalog.quirks.iter().filter(|quirk| is_about(quirk, skill, folder, stage)).collect();
    let quirks = convert::quirks_of(catalog, &quirks, &stage.paths, &stage.drafts);
    let of = |wanted: fn(QuirkKind) -> bool| -> Vec<Message> {
        quirks.iter().filter(|quirk| wanted(quirk.kind)).map(said).collect()
    };
    let mut why: Vec<Message> = match presence {
        Presence::Skipped { reason } => vec![reason.clone()],
        Presence::Unseen if refused.is_none() => vec![UNSEEN.into()],
        Presence::Unseen | Presence::Loaded { .. } => Vec::new(),
    };
    why.extend(refused.as_ref().map(Message::quoted));
    why.extend(of(|kind| !cuts(kind) && !asks(kind)));
    let asking = sent.tool_names().into_iter().filter(|tool| skill.is_some() && harness.asks(tool, catalog));
    let asking = asking.map(|tool| message!("each call of {tool}", "每次调用 {tool}"));
    CardRow {
        harness: catalog.harness.to_owned(),
        title: profile.title.to_owned(),
        variant: variant.title.into(),
        group: profile.group,
        verified: variant.verified,
        seen,
        line,
        cut: of(cuts),
        loads: skill.map(loads),
        asks: of(asks).into_iter().chain(asking).collect(),
        why,
    }
}

const UNSEEN: Wording = Wording::new("it does not look where the skill lies", "不在此技能所在之处查找");

/// The ids of skills are the values that a tool's parameter may have.
fn is_allowed(places: &[CataloguePlace]) -> bool {
    places.iter().any(|place| matches!(place, CataloguePlace::ToolParameter { .. }))
}

fn loads(skill: &InspectedSkill) -> CardLoads {
    let files = skill.resources.len() + skill.scripts.len();
    CardLoads {
        tool: skill.loaded_with.clone(),
        instructions: skill.tokens.instructions,
        files: u32::try_from(files).unwrap_or(u32::MAX),
        resources: skill.tokens.resources,
    }
}

/// By its file, else by the skill that it names.
fn is_about(quirk: &Quirk, skill: Option<&InspectedSkill>, folder: &str, stage: &Stage) -> bool {
    match (&quirk.path, &quirk.skill, skill) {
        (_, Some(named), Some(skill)) => *named == skill.id,
        (Some(path), _, _) => stage.real(path).starts_with(folder),
        (None, _, _) => false,
    }
}

/// What the model gets is shorter than what the author wrote.
fn cuts(kind: QuirkKind) -> bool {
    matches!(
        kind,
        QuirkKind::DescriptionCut
            | QuirkKind::DescriptionLeftOut
            | QuirkKind::DescriptionShortened
            | QuirkKind::NoRoomInList
            | QuirkKind::CutWhenLong
            | QuirkKind::CutAtDashes
            | QuirkKind::CutsCatalogue
            | QuirkKind::LostBeforeTab
    )
}

fn asks(kind: QuirkKind) -> bool {
    kind == QuirkKind::AsksBeforeLoad
}

fn said(quirk: &QuirkDto) -> Message {
    let (worded, detail) = (quirk.kind.worded(), gist(&quirk.detail));
    if detail.is_empty() { worded.into() } else { message!("{worded}: {detail}", "{worded}：{detail}"; worded) }
}

/// On one line, and not long.
fn gist(text: &str) -> String {
    const SHOWN: usize = 80;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// The skill that a byte belongs to; `None` if to none.
fn owner(origin: &Origin) -> Option<&str> {
    match origin {
        Origin::Skill { skill, .. } => Some(skill),
        Origin::Framework | Origin::User | Origin::Tool { .. } | Origin::Withheld { .. } => None,
    }
}

/// The words of the documents.
struct Words(Language);

impl Words {
    fn of(&self, en: &'static str, zh: &'static str) -> &'static str {
        Wording::new(en, zh).text(self.0)
    }

    fn group(&self, group: Group) -> &'static str {
        match group {
            Group::Framework => self.of("Frameworks", "框架"),
            Group::Client => self.of("Clients", "客户端"),
        }
    }

    fn seen(&self, seen: CardSeen) -> &'static str {
        match seen {
            CardSeen::Listed => self.of("listed", "已列出"),
            CardSeen::NotListed => self.of("loaded, not listed", "已加载，未列出"),
            CardSeen::LeftOut => self.of("left out", "被略过"),
            CardSeen::Unseen => self.of("folder not searched", "未查找该文件夹"),
            CardSeen::Refused => self.of("refuses to start", "拒绝启动"),
        }
    }

    fn loads(&self, loads: &CardLoads) -> String {
        let CardLoads { tool, instructions, files, resources } = loads;
        let said = match files {
            0 => message!("{instructions} tokens", "{instructions} 个 token"),
            1 => message!(
                "{instructions} tokens; 1 file, {resources} tokens",
                "{instructions} 个 token；1 个文件，{resources} 个 token"
            ),
            _ => message!(
                "{instructions} tokens; {files} files, {resources} tokens",
                "{instructions} 个 token；{files} 个文件，{resources} 个 token"
            ),
        };
        let said = match tool {
            Some(tool) => message!("with {tool}, {said}", "用 {tool}，{said}"; said),
            None => said,
        };
        said.text(self.0).to_owned()
    }

    fn list(&self, messages: &[Message]) -> String {
        Message::list(messages).text(self.0).to_owned()
    }

    /// The notes below a row's line, each with its subject.
    fn notes(&self, row: &CardRow) -> Vec<(&'static str, String)> {
        let loads = row.loads.as_ref().map(|loads| self.loads(loads)).unwrap_or_default();
        let notes = [
            (self.of("Cut", "截短"), self.list(&row.cut)),
            (self.of("Loads", "加载"), loads),
            (self.of("Asks", "询问"), self.list(&row.asks)),
            (self.of("Why", "原因"), self.list(&row.why)),
        ];
        notes.into_iter().filter(|(_, text)| !text.is_empty()).collect()
    }

    fn counted(&self, card: &SkillCard) -> String {
        let tokenizer = card.tokenizer.name();
        message!("Tokens by {tokenizer}", "token 数按 {tokenizer} 计").text(self.0).to_owned()
    }

    fn title(&self, card: &SkillCard) -> String {
        let name = &card.name;
        let said = message!("Who sees what of {name}", "各方看到 {name} 的哪些内容");
        said.text(self.0).to_owned()
    }
}

/// The rows of each group, in their order.
fn grouped(card: &SkillCard) -> impl Iterator<Item = (Group, Vec<&CardRow>)> {
    let groups = [Group::Framework, Group::Client];
    let rows = groups.map(|group| (group, card.rows.iter().filter(|row| row.group == group).collect::<Vec<_>>()));
    rows.into_iter().filter(|(_, rows)| !rows.is_empty())
}

#[cfg(test)]
mod tests;
