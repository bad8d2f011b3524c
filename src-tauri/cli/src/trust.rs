//! `trust`: which folders outside of the opened ones may be read.

use api::ApiError;
use api::dto::{NoArgs, PathArgs, TrustState};
use camino::Utf8PathBuf;
use clap::Subcommand;

use crate::{Format, Formatted, Outcome, bench_on, print};

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Trust>,
}

#[derive(Subcommand)]
enum Trust {
    /// Trusted places, and places that the projects in these folders ask to read
    List {
        /// Folders of skills
        #[arg(value_name = "ROOT")]
        roots: Vec<Utf8PathBuf>,
        #[command(flatten)]
        output: Formatted,
    },
    /// Let every project read a folder, or a file, and show it to models
    Add {
        #[arg(value_name = "PATH")]
        path: Utf8PathBuf,
    },
    /// Stop trusting a folder or file
    Remove {
        #[arg(value_name = "PATH")]
        path: Utf8PathBuf,
    },
}

pub async fn trust(args: Args) -> Result<Outcome, ApiError> {
    let command = args.command.unwrap_or(Trust::List { roots: Vec::new(), output: Formatted::default() });
    match command {
        Trust::List { roots, output } => {
            let found = bench_on(&roots).await.trust_list(NoArgs {}).await?;
            match output.format {
                Format::Json => print::json(&found)?,
                Format::Text => show(&found),
            }
        }
        Trust::Add { path } => {
            bench_on(&[]).await.trust_add(PathArgs { path: path.to_string() }).await?;
            print::out(&words!("trusted: {}", "已信任：{}", print::line(path.as_str())));
        }
        Trust::Remove { path } => {
            bench_on(&[]).await.trust_remove(PathArgs { path: path.to_string() }).await?;
            print::out(&words!("no longer trusted: {}", "已不再信任：{}", print::line(path.as_str())));
        }
    }
    Ok(Outcome::Good)
}

fn show(found: &TrustState) {
    if found.trusted.is_empty() && found.waiting.is_empty() {
        print::out(&words!("Nothing outside of your own folders is trusted.", "你自己的文件夹之外没有受信任的位置。"));
    }
    for path in &found.trusted {
        print::out(&words!("trusted      {}", "受信任  {}", print::line(path)));
    }
    for path in &found.waiting {
        print::out(&words!("not trusted  {}", "未信任  {}", print::line(path)));
    }
    if !found.waiting.is_empty() {
        print::hint(&words!(
            "look at what is there; `skillbench trust add PATH` lets projects read it",
            "请先查看其内容；`skillbench trust add PATH` 允许项目读取它"
        ));
    }
}
