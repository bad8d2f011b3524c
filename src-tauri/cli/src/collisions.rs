//! `collisions`: which skills compete for the same request.

use api::ApiError;
use api::dto::{CollidingPair, CollisionArgs, SharedWord};
use camino::Utf8PathBuf;

use crate::print::{self, BOLD, DIM, YELLOW, line, out, styled};
use crate::{Format, Formatted, Outcome, bench};

#[derive(clap::Args)]
pub struct Args {
    /// Folders of skills
    #[arg(required = true, value_name = "ROOT")]
    roots: Vec<Utf8PathBuf>,
    /// What a user says: list the skills that have words of it, the likeliest first
    #[arg(long, value_name = "TEXT")]
    request: Option<String>,
    #[command(flatten)]
    output: Formatted,
}

pub async fn collisions(args: Args) -> Result<Outcome, ApiError> {
    let bench = bench(&args.roots).await?;
    let asks = args.request.is_some();
    let wanted = CollisionArgs { request: args.request, unsaved: Vec::new(), without: Vec::new() };
    let found = bench.collisions(wanted).await?;
    if args.output.format == Format::Json {
        print::json(&found)?;
    } else if asks {
        for asked in &found.asked {
            out(&format!("{}  {}", styled(BOLD, line(&asked.skill.name)), styled(DIM, words(&asked.words))));
        }
        if found.asked.is_empty() {
            out(&words!("No skill has a word of this request.", "没有技能含有其中的词。"));
        }
    } else {
        found.pairs.iter().for_each(pair);
        if found.pairs.is_empty() {
            let count = found.skills;
            out(&words!("None of {count} skills compete.", "{count} 个技能之间没有争抢。"));
        }
        if found.more {
            print::note(&words!("more are not listed", "其余未列出"));
        }
    }
    let is_bad = found.pairs.iter().any(|pair| pair.close || !pair.queries.is_empty());
    Ok(if is_bad && !asks { Outcome::Bad } else { Outcome::Good })
}

fn pair(pair: &CollidingPair) {
    let share = format!("{:.0} %", pair.share * 100.0);
    let style = if pair.close { YELLOW } else { DIM };
    let (a, b) = (line(&pair.a.name), line(&pair.b.name));
    let names = words!("{a} and {b}", "{a} 与 {b}");
    out(&format!("{}  {}", styled(BOLD, names), styled(style, share)));
    if !pair.words.is_empty() {
        out(&format!("  {} {}", styled(DIM, words!("words:", "词：")), words(&pair.words)));
    }
    for query in &pair.queries {
        out(&format!("  {} {}", styled(YELLOW, words!("both want:", "都应触发：")), line(query)));
    }
}

fn words(words: &[SharedWord]) -> String {
    words.iter().map(|shared| line(&shared.word)).collect::<Vec<_>>().join(", ")
}
