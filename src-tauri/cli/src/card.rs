//! `card`: who sees what of one skill.

use api::dto::{CardArgs, CardFormat, CardLoads, CardRow, CardSeen, CardTextArgs, SkillCard};
use api::{ApiError, Code};
use camino::Utf8PathBuf;
use clap::ValueEnum;
use harness::Group;
use wording::{Language, Message, message};

use crate::counting::Counting;
use crate::language::Chosen;
use crate::print::{self, BOLD, DIM, GREEN, OutputKind, RED, YELLOW, hanging, indented, line, out, styled};
use crate::{Outcome, bench, language};

#[derive(clap::Args)]
pub struct Args {
    /// The folder of one skill. The skills next to it share the length of the lists
    #[arg(value_name = "SKILL")]
    skill: Utf8PathBuf,
    #[command(flatten)]
    counting: Counting,
    /// How to print the answer
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Format {
    /// For people
    #[default]
    Text,
    /// For programs
    Json,
    /// A document to read
    Markdown,
    /// A picture that needs nothing else
    Svg,
}

pub async fn card(args: Args) -> Result<Outcome, ApiError> {
    let skill = api::absolute(&args.skill);
    let Some(around) = skill.parent().filter(|_| skill.is_dir()) else {
        let said = message!("{skill} is not the folder of a skill", "{skill} 不是技能的文件夹");
        return Err(ApiError::new(Code::Invalid, said).at(&skill));
    };
    let bench = bench(&[around.to_owned()]).await?;
    args.counting.apply(&bench);
    let skill = skill.into_string();
    let format = match (args.format, language::language()) {
        (Format::Text | Format::Json, _) => {
            let card = bench.skill_card(CardArgs { skill }).await?;
            if args.format == Format::Json {
                print::json(&card)?;
            } else {
                text(&card);
            }
            return Ok(outcome(&card));
        }
        (Format::Markdown, Language::English) => CardFormat::Markdown,
        (Format::Markdown, Language::Chinese) => CardFormat::MarkdownChinese,
        (Format::Svg, Language::English) => CardFormat::Svg,
        (Format::Svg, Language::Chinese) => CardFormat::SvgChinese,
    };
    let text = bench.skill_card_text(CardTextArgs { skill, format }).await?;
    print::data(OutputKind::Data, text.trim_end());
    Ok(Outcome::Good)
}

/// If no framework sees it, that is bad news.
fn outcome(card: &SkillCard) -> Outcome {
    let is_listed = card.rows.iter().any(|row| row.seen == CardSeen::Listed);
    if is_listed { Outcome::Good } else { Outcome::Bad }
}

fn text(card: &SkillCard) {
    for group in [Group::Framework, Group::Client] {
        let rows: Vec<&CardRow> = card.rows.iter().filter(|row| row.group == group).collect();
        if rows.is_empty() {
            continue;
        }
        out(&styled(
            DIM,
            match group {
                Group::Framework => words!("Frameworks", "框架"),
                Group::Client => words!("Clients", "客户端"),
            },
        ));
        rows.into_iter().for_each(row);
        out("");
    }
    let tokenizer = card.tokenizer.name();
    out(&styled(DIM, words!("Tokens by {tokenizer}", "token 数按 {tokenizer} 计")));
}

fn row(row: &CardRow) {
    let (style, seen) = match row.seen {
        CardSeen::Listed => (GREEN, words!("listed", "已列出")),
        CardSeen::NotListed => (YELLOW, words!("loaded, not listed", "已加载，未列出")),
        CardSeen::LeftOut => (RED, words!("left out", "被略过")),
        CardSeen::Unseen => (DIM, words!("folder not searched", "未查找该文件夹")),
        CardSeen::Refused => (RED, words!("refuses to start", "拒绝启动")),
    };
    out(&format!(
        "{} {}  {}",
        styled(BOLD, line(&row.title)),
        styled(DIM, line(&row.variant.clone().chosen())),
        styled(style, seen)
    ));
    if let Some(shown) = &row.line {
        out(&indented(shown, "  | "));
    }
    let loads = row.loads.as_ref().map(|CardLoads { tool, instructions, files, resources }| {
        let with = tool.as_ref().map(|tool| words!("with {tool}, ", "用 {tool}，")).unwrap_or_default();
        words!(
            "{with}{instructions} tokens; in files ({files}): {resources} tokens",
            "{with}{instructions} 个 token；文件中（{files} 个）：{resources} 个 token"
        )
    });
    let list = |messages: &[Message]| Message::list(messages).chosen();
    let notes = [
        (words!("cut:", "截短："), list(&row.cut)),
        (words!("loads:", "加载："), loads.unwrap_or_default()),
        (words!("asks:", "询问："), list(&row.asks)),
        (words!("why:", "原因："), list(&row.why)),
    ];
    for (about, note) in notes.iter().filter(|(_, note)| !note.is_empty()) {
        out(&format!("  {} {}", styled(DIM, about), hanging(&line(note), "    ")));
    }
}
