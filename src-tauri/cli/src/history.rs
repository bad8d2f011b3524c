//! `history`: earlier texts of a file, what changed since, and bringing one back.

use api::dto::{
    DiffKind, FileHistory, FileSave, GitHistory, GitRevision, LineDiff, PathArgs, SaveResult, SavedVersion,
    TextDiffArgs, VersionArgs, VersionRef,
};
use api::{ApiError, Code, Workbench};
use camino::{Utf8Path, Utf8PathBuf};
use wording::{Message, message};

use crate::print::{self, CYAN, DIM, GREEN, PLAIN, RED, line, out, styled, table};
use crate::{Format, Formatted, Outcome, bench};

#[derive(clap::Args)]
pub struct Args {
    /// A file of a skill
    #[arg(value_name = "FILE")]
    file: Utf8PathBuf,
    /// Show what changed since this version: the beginning of its id, or HEAD
    #[arg(value_name = "VERSION")]
    version: Option<String>,
    /// Write this version into the file. The present text stays in the history
    #[arg(long, requires = "version")]
    restore: bool,
    #[command(flatten)]
    output: Formatted,
}

pub async fn history(args: Args) -> Result<Outcome, ApiError> {
    let file = api::absolute(&args.file);
    let Some(folder) = file.parent().filter(|_| file.is_file()) else {
        let said = message!("{file} is not a file", "{file} 不是文件");
        return Err(ApiError::new(Code::Invalid, said).at(&file));
    };
    let bench = bench(&[folder.to_owned()]).await?;
    let path = || PathArgs { path: file.to_string() };
    let known = bench.file_history(path()).await?;
    let Some(wanted) = args.version else {
        match args.output.format {
            Format::Json => print::json(&known)?,
            Format::Text => list(&known),
        }
        return Ok(Outcome::Good);
    };
    let of = find(&known, &wanted).map_err(|error| error.at(&file))?;
    let earlier = bench.file_version(VersionArgs { path: file.to_string(), of }).await?;
    let now = bench.file_read(path()).await?;
    if args.restore {
        return restore(&bench, &file, earlier, now.version).await;
    }
    let changed = bench.text_lines(TextDiffArgs { a: earlier, b: now.text }).await?;
    match args.output.format {
        Format::Json => print::json(&changed)?,
        Format::Text => show(&changed),
    }
    Ok(Outcome::Good)
}

async fn restore(bench: &Workbench, file: &Utf8Path, text: String, version: String) -> Result<Outcome, ApiError> {
    let save = FileSave { path: file.to_string(), text, base: Some(version), force: false };
    match bench.file_save(save).await? {
        SaveResult::Saved { .. } => {
            out(&words!("restored: {}", "已恢复：{}", line(file.as_str())));
            Ok(Outcome::Good)
        }
        SaveResult::Changed { .. } | SaveResult::Gone => {
            let said = message!("{file} has changed since it was read", "{file} 在读取之后又有改动");
            Err(ApiError::new(Code::Changed, said).hint(message!("try again", "请重试")).at(file))
        }
    }
}

/// The one version that is meant.
fn find(known: &FileHistory, wanted: &str) -> Result<VersionRef, ApiError> {
    let (revisions, without): (&[GitRevision], Message) = match &known.git {
        GitHistory::Revisions { revisions, .. } => {
            (revisions, message!("no revision of git has this file", "git 的任何修订版都没有这个文件"))
        }
        GitHistory::None => (&[], message!("this file is in no git repository", "这个文件不在任何 git 仓库中")),
        GitHistory::Missing => (&[], message!("git is not installed", "未安装 git")),
        GitHistory::Failed { said, .. } => {
            let said = line(said);
            (&[], message!("git: {said}", "git：{said}"))
        }
    };
    if wanted == "HEAD" {
        let newest = revisions.first().map(|revision| VersionRef::Revision { id: revision.id.clone() });
        return newest.ok_or_else(|| ApiError::new(Code::NotFound, without));
    }
    let saved = known.saved.iter().filter(|version| version.id.starts_with(wanted));
    let mut found: Vec<VersionRef> = saved.map(|version| VersionRef::Saved { id: version.id.clone() }).collect();
    found.dedup();
    let committed = revisions.iter().filter(|revision| revision.id.starts_with(wanted));
    found.extend(committed.map(|revision| VersionRef::Revision { id: revision.id.clone() }));
    let shown = line(wanted);
    match found.as_slice() {
        [one] => Ok(one.clone()),
        [] => {
            Err(ApiError::new(Code::NotFound, message!("no version begins with {shown}", "没有以 {shown} 开头的版本"))
                .hint(message!("`skillbench history FILE` lists them", "`skillbench history FILE` 会列出所有版本")))
        }
        _ => Err(ApiError::new(
            Code::Invalid,
            message!("several versions begin with {shown}", "有多个版本以 {shown} 开头"),
        )
        .hint(message!("give more of its id", "请写出更长的标识"))),
    }
}

/// Letters of an id that are listed.
const SHORT: usize = 10;

fn list(known: &FileHistory) {
    let short = |id: &str| id.chars().take(SHORT).collect::<String>();
    let saved = |version: &SavedVersion| {
        let changed = version.changed.map(|lines| format!("+{} -{}", lines.added, lines.removed)).unwrap_or_default();
        let (at, size) = (moment(version.saved_at), version.size);
        let size = words!("{size} bytes", "{size} 字节");
        vec![(CYAN, short(&version.id)), (PLAIN, at), (DIM, size), (PLAIN, changed)]
    };
    let revision = |revision: &GitRevision| {
        let (at, author) = (moment(revision.committed_at), revision.author.clone());
        vec![(CYAN, short(&revision.id)), (PLAIN, at), (DIM, author), (PLAIN, revision.subject.clone())]
    };
    out(&styled(DIM, words!("Saved here", "在此保存")));
    if known.saved.is_empty() {
        out(&words!("Nothing yet: each save in the window is kept.", "暂无：窗口中的每次保存都会保留。"));
    } else {
        out(&table(&known.saved.iter().map(saved).collect::<Vec<_>>(), &[2]));
    }
    let said = match &known.git {
        GitHistory::Revisions { revisions, more } if !revisions.is_empty() => {
            out("");
            out(&styled(DIM, words!("Revisions of git that changed it", "改动过它的 git 修订版")));
            out(&table(&revisions.iter().map(revision).collect::<Vec<_>>(), &[]));
            if *more {
                print::note(&words!("older ones are not listed", "更早的未列出"));
            }
            return;
        }
        GitHistory::Revisions { .. } => words!("git does not have this file yet", "git 中还没有这个文件"),
        GitHistory::None => return,
        GitHistory::Missing => words!("git is not installed", "未安装 git"),
        GitHistory::Failed { said, .. } => words!("git: {}", "git：{}", line(said)),
    };
    print::note(&said);
}

fn show(changed: &LineDiff) {
    if changed.places.is_empty() {
        out(&words!("No difference.", "没有差异。"));
    }
    for (at, place) in changed.places.iter().enumerate() {
        if at > 0 {
            out(&styled(DIM, "⋯"));
        }
        for line in place {
            let (style, mark) = match line.kind {
                DiffKind::Same => (PLAIN, ' '),
                DiffKind::Removed => (RED, '-'),
                DiffKind::Added => (GREEN, '+'),
            };
            out(&styled(style, format!("{mark} {}", print::line(&line.text))));
        }
    }
}

fn moment(at: i64) -> String {
    let here = |at: jiff::Timestamp| at.to_zoned(jiff::tz::TimeZone::system());
    jiff::Timestamp::from_millisecond(at).map(|at| here(at).strftime("%Y-%m-%d %H:%M").to_string()).unwrap_or_default()
}
