//! `approvals`: the user's permanent answers about what skills may run.

use api::ApiError;
use api::dto::{ApprovalArgs, ApprovalEntry, ApprovalSetArgs, NoArgs};
use camino::Utf8PathBuf;
use clap::{Subcommand, ValueEnum};
use trace::Standing;

use crate::language::Chosen;
use crate::print::{DIM, GREEN, RED, YELLOW, line, out, styled};
use crate::{Format, Formatted, Outcome, bench_on, print};

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Approvals>,
}

#[derive(Subcommand)]
enum Approvals {
    /// All of them, and which skills have changed since
    List(Formatted),
    /// Let a skill run in the sandbox without a question, as long as nothing in it changes
    Allow(Skill),
    /// Never let a skill run anything, in any project
    Never(Skill),
    /// Revoke an answer: you are asked again
    Revoke(Skill),
}

#[derive(clap::Args)]
struct Skill {
    /// The skill's folder
    #[arg(value_name = "SKILL")]
    folder: Utf8PathBuf,
    /// Its scripts, or commands in runs that have it; defaults to both
    #[arg(long = "only", value_enum, value_name = "KIND")]
    program: Option<Program>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Program {
    Scripts,
    Commands,
}

impl From<Program> for trace::Program {
    fn from(program: Program) -> Self {
        match program {
            Program::Scripts => Self::Scripts,
            Program::Commands => Self::Commands,
        }
    }
}

pub async fn approvals(args: Args) -> Result<Outcome, ApiError> {
    let bench = bench_on(&[]).await;
    let set = |skill: Skill, answer| ApprovalSetArgs {
        folder: skill.folder.into_string(),
        program: skill.program.map(Into::into),
        answer,
    };
    let found = match args.command.unwrap_or(Approvals::List(Formatted::default())) {
        Approvals::List(output) => {
            let found = bench.approval_list(NoArgs {}).await?;
            if output.format == Format::Json {
                print::json(&found)?;
                return Ok(Outcome::Good);
            }
            found
        }
        Approvals::Allow(skill) => bench.approval_set(set(skill, Standing::Sandbox)).await?,
        Approvals::Never(skill) => bench.approval_set(set(skill, Standing::Never)).await?,
        Approvals::Revoke(Skill { folder, program }) => {
            let args = ApprovalArgs { folder: folder.into_string(), program: program.map(Into::into) };
            bench.approval_revoke(args).await?
        }
    };
    show(&found);
    Ok(Outcome::Good)
}

fn show(found: &[ApprovalEntry]) {
    if found.is_empty() {
        out(&words!("Nothing is remembered: you are asked about each skill.", "没有保存任何决定：每个技能都会询问。"));
    }
    for entry in found {
        let answer = match entry.answer {
            Standing::Sandbox if !entry.there => styled(YELLOW, words!("allowed, but gone", "曾允许，现已不在")),
            Standing::Sandbox if !entry.holds => {
                styled(YELLOW, words!("asks again: it has changed", "会再次询问：已有改动"))
            }
            Standing::Sandbox => styled(GREEN, words!("runs in the sandbox", "在沙箱中运行")),
            Standing::Never => styled(RED, words!("never runs", "一律不运行")),
        };
        let program = entry.program.wording().chosen();
        out(&format!("{}  {program}  {answer}  {}", line(&entry.name), styled(DIM, line(&entry.folder))));
    }
}
