//! `--watch`: looks again whenever something changes.

use api::dto::{NoArgs, Push};
use api::{ApiError, Code, Freshness, Places, Workbench};
use tokio::sync::mpsc;

use super::source::Sources;
use super::targets::Targets;
use super::{Args, round};
use crate::{Outcome, print};
use wording::message;

/// Runs until the terminal interrupts it, or its output has no reader; then the last answer counts. Errors after the
/// first check, for example in a project file that is being written, are reported and do not end it.
pub async fn watch(args: &Args, targets: &Targets) -> Result<Outcome, ApiError> {
    // Asked for first, so that none is missed during a round.
    let mut interrupted = tokio::spawn(tokio::signal::ctrl_c());
    let (sender, mut changes) = mpsc::unbounded_channel();
    let push = move |push| {
        if let Push::FilesChanged(_) = push {
            // If the program is about to end there is no receiver.
            let _ = sender.send(());
        }
    };
    let bench = Workbench::open(Places::standard(None), targets.roots.clone(), Freshness::Watched, push).await;
    if !bench.bench_state(NoArgs {}).await?.folders.iter().all(|folder| folder.watched) {
        return Err(ApiError::new(
            Code::Io,
            message!("cannot watch these folders for changes", "无法监视这些文件夹的更改"),
        )
        .hint(message!(
            "run it without --watch; on Linux fs.inotify.max_user_watches may be too low",
            "请去掉 --watch 运行；在 Linux 上可能是 fs.inotify.max_user_watches 太小"
        )));
    }
    let look = async || round(&bench, args, targets, &mut Sources::new(super::here())).await;
    let mut last = Ok(look().await?);
    loop {
        print::note(&words!("watching for changes; Ctrl-C ends", "正在监视更改；Ctrl-C 结束"));
        tokio::select! {
            _ = &mut interrupted => return last,
            () = print::reader_left() => return last,
            _ = changes.recv() => {}
        }
        while changes.try_recv().is_ok() {}
        print::clear();
        last = look().await;
        if let Err(error) = &last {
            print::error(error);
        }
    }
}
