//! `find`: a text in all files of skills.

use api::ApiError;
use api::dto::{FindArgs, FoundFile, FoundPlace, FoundTexts, LargeFile};
use camino::Utf8PathBuf;

use crate::print::{self, BOLD, DIM, GREEN, WaitingLine, line, out, styled};
use crate::{Format, Formatted, Outcome, bench};

#[derive(clap::Args)]
pub struct Args {
    /// What to look for
    text: String,
    /// Folders of skills
    #[arg(required = true, value_name = "ROOT")]
    roots: Vec<Utf8PathBuf>,
    /// Upper and lower case differ
    #[arg(long)]
    match_case: bool,
    /// Only whole words
    #[arg(long)]
    whole_words: bool,
    /// TEXT is a regular expression, in which `^` and `$` mean lines
    #[arg(long)]
    regex: bool,
    #[command(flatten)]
    output: Formatted,
}

pub async fn find(args: Args) -> Result<Outcome, ApiError> {
    let bench = bench(&args.roots).await?;
    let Args { text, match_case, whole_words, regex, output, .. } = args;
    let mut wanted = FindArgs { text, match_case, whole_words, regex, unsaved: Vec::new(), after: None };
    let waiting = WaitingLine::start();
    let mut found: Vec<FoundFile> = Vec::new();
    let mut large: Vec<LargeFile> = Vec::new();
    let limit = loop {
        let FoundTexts { files, looked, of, too_large, text_limit, next } = match bench.text_find(wanted.clone()).await
        {
            Ok(answer) => answer,
            Err(error) => {
                waiting.finish_and_clear();
                return Err(error);
            }
        };
        found.extend(files);
        large.extend(too_large);
        if next.is_none() {
            break text_limit >> 20;
        }
        waiting.set_message(words!("searched {looked} of {of} files", "已搜索 {looked} / {of} 个文件"));
        wanted.after = next;
    };
    waiting.finish_and_clear();
    match output.format {
        Format::Json => print::json(&found)?,
        Format::Text => found.iter().for_each(one),
    }
    if !large.is_empty() {
        let names = large.iter().map(|file| line(&file.path)).collect::<Vec<_>>().join(", ");
        print::note(&words!("not searched, over {limit} MiB: {names}", "超过 {limit} MiB，未搜索：{names}"));
    }
    Ok(if found.is_empty() { Outcome::Bad } else { Outcome::Good })
}

fn one(FoundFile { path, places, more, .. }: &FoundFile) {
    out(&styled(BOLD, line(path)));
    for FoundPlace { range, before, text, after } in places {
        let place = format!("{:>5}:{:<3}", range.line, range.column);
        let (before, text, after) = (line(before), styled(GREEN.bold(), line(text)), line(after));
        out(&format!("{} {before}{text}{after}", styled(DIM, place)));
    }
    if *more {
        out(&styled(DIM, words!("       and further places", "       还有其他位置")));
    }
}
