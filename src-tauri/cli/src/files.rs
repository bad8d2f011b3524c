//! `trace files`, and the end of `run`: what a run changed on disk, and saving it elsewhere.

use api::dto::{FilesKnown, RunArgs, RunFile, RunFiles, SaveFilesArgs, SavedFiles, TurnFiles};
use api::{ApiError, Code, Workbench};
use camino::{Utf8Path, Utf8PathBuf};
use trace::{Change, LeftSkill, RunId, Unkept};

use crate::print::{DIM, GREEN, RED, YELLOW, line, out, padded, styled};
use crate::steps::find;
use crate::{Format, OneRun, Outcome, ask, print};
use wording::message;

pub async fn files(
    bench: &Workbench,
    args: OneRun,
    save_to: Option<Utf8PathBuf>,
    replace: bool,
) -> Result<Outcome, ApiError> {
    let run = find(bench, &args.run).await?.id;
    let found = bench.run_files(RunArgs { run }).await?;
    let saved = match &save_to {
        Some(folder) => Some(save(bench, run, folder, replace).await?),
        None => None,
    };
    if args.output.format == Format::Json {
        print::json(&serde_json::json!({ "files": found, "saved": saved }))?;
        return Ok(Outcome::Good);
    }
    if nothing(&found) {
        out(&words!("This run changed no files.", "这次运行没有改动任何文件。"));
    }
    list(&found, "");
    let Some(SavedFiles { saved, left_out, .. }) = saved else { return Ok(Outcome::Good) };
    for path in &saved {
        out(&words!("saved    {}", "已保存  {}", line(path)));
    }
    for path in &left_out {
        print::warning(&words!(
            "not saved, since neither the record nor the run's folder has it: {}",
            "未保存，因为记录和运行的文件夹里都没有它：{}",
            line(path)
        ));
    }
    Ok(if left_out.is_empty() { Outcome::Good } else { Outcome::Bad })
}

/// Asks before anything is overwritten; without a user to ask nothing is written.
async fn save(bench: &Workbench, run: RunId, folder: &Utf8Path, replace: bool) -> Result<SavedFiles, ApiError> {
    let args = SaveFilesArgs { run, turn: None, paths: Vec::new(), folder: folder.to_string(), replace };
    let saved = bench.run_files_save(args.clone()).await?;
    if saved.existing.is_empty() {
        return Ok(saved);
    }
    let there = saved.existing.iter().map(|path| line(path)).collect::<Vec<_>>().join(", ");
    let refused = || {
        let folder = line(folder.as_str());
        ApiError::new(
            Code::Exists,
            message!("{folder} has files of these names: {there}", "{folder} 中已有同名文件：{there}"),
        )
        .hint(message!(
            "choose another folder, or replace them with `--replace`",
            "请选择另一个文件夹，或用 `--replace` 替换它们"
        ))
    };
    if !ask::is_someone_there() {
        return Err(refused());
    }
    let question = words!("Replace these files: {there}? [y/n] ", "替换这些文件：{there}？[y/n] ");
    let answer = ask::put(move || {
        ask::answered(print::stderr(), &question, |typed| match typed {
            "y" | "yes" => Some(true),
            "n" | "no" | "" => Some(false),
            _ => None,
        })
    });
    match answer.await.flatten() {
        Some(true) => bench.run_files_save(SaveFilesArgs { replace: true, ..args }).await,
        _ => Err(refused()),
    }
}

fn nothing(found: &RunFiles) -> bool {
    found.outside.is_empty()
        && found.turns.iter().all(|turn| turn.files.is_empty() && turn.known != FilesKnown::Reported)
}

/// What a run changed, as the end of `run` and `trace files` show it. `indent` comes before each row.
pub fn list(found: &RunFiles, indent: &str) {
    let acted: Vec<(usize, &TurnFiles)> =
        found.turns.iter().enumerate().filter(|(_, turn)| turn.known != FilesKnown::Nothing).collect();
    for (number, turn) in &acted {
        if found.turns.len() > 1 {
            out(&format!("{indent}{}", words!("Turn {}", "第 {} 轮", number + 1)));
        }
        for file in &turn.files {
            out(&format!("{indent}{}", row(file)));
        }
        if turn.more > 0 {
            out(&format!("{indent}{}", words!("and {} more files", "另有 {} 个文件", turn.more)));
        }
        for said in remarks(turn) {
            out(&format!("{indent}{said}"));
        }
    }
    for file in &found.outside {
        let path = line(&file.path);
        out(&format!("{indent}{}", words!("written outside, with your approval: {path}", "经你同意写到外面：{path}")));
    }
    if let Some(folder) = found.folder.as_ref().filter(|_| acted.iter().any(|(_, turn)| !turn.files.is_empty())) {
        out(&styled(DIM, format!("{indent}{}", words!("in {}", "位于 {}", line(folder)))));
    }
}

fn row(file: &RunFile) -> String {
    let (style, what) = match file.change {
        Change::Created => (GREEN, words!("created", "新建")),
        Change::Changed => (YELLOW, words!("changed", "修改")),
        Change::Deleted => (RED, words!("deleted", "删除")),
    };
    let size = if file.unkept == Some(Unkept::Link) {
        words!("a link", "链接")
    } else if file.change == Change::Deleted {
        String::new()
    } else {
        words!("{} bytes", "{} 字节", file.size)
    };
    format!("{} {}  {}", styled(style, padded(&what, 8)), line(&file.path), styled(DIM, size))
}

/// Notes about the skills, and about missing information.
fn remarks(turn: &TurnFiles) -> Vec<String> {
    let mut said = Vec::new();
    match turn.known {
        FilesKnown::Found => said.push(words!(
            "The changes of this turn were not recorded: it was interrupted, or recorded by an earlier version. The list \
             shows what the folder holds now; whether the skills changed is not known.",
            "这一轮的改动没有记录：它中途断开，或来自较早的版本。这里列出的是文件夹现在的内容；技能是否保持原样，不得而知。"
        )),
        FilesKnown::Reported => said.push(words!(
            "The changes of this turn were not recorded: the list shows what its calls reported. Other changes are not \
             known.",
            "这一轮的改动没有记录：这里列出的是各次调用报告的文件。其他改动不得而知。"
        )),
        FilesKnown::Recorded | FilesKnown::Nothing => {}
    }
    if turn.known == FilesKnown::Recorded && turn.partial {
        said.push(words!(
            "Only a part of the folder was checked: it holds too much, or cannot be read in full.",
            "没有查看整个文件夹：内容太多，或无法读取。"
        ));
    }
    if turn.skills.is_empty() {
        return said;
    }
    let named = |same: Option<bool>| -> String {
        let of = turn.skills.iter().filter(|skill| skill.same == same);
        of.map(|LeftSkill { name, .. }| line(name)).collect::<Vec<_>>().join(", ")
    };
    let (changed, unknown) = (named(Some(false)), named(None));
    if changed.is_empty() && unknown.is_empty() {
        said.push(words!("The skills are unchanged, to the byte.", "技能没有任何改动，逐字节核对过。"));
    }
    if !changed.is_empty() {
        said.push(styled(
            RED,
            words!(
                "Skills that changed during the turn, by the run or by somebody else: {changed}",
                "这一轮期间有技能被改动（由这次运行或其他人）：{changed}"
            ),
        ));
    }
    if !unknown.is_empty() {
        said.push(words!(
            "Too large to be compared, so not known to be unchanged: {unknown}",
            "太大而无法比较，不知是否有改动：{unknown}"
        ));
    }
    said
}
