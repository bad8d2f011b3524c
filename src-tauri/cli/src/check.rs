//! `trace check`: a run's recorded calls against the skills as they are now. A test of skills that costs no tokens.

use ::trace::RunId;
use ::trace::check::{Checked, CheckedCall};
use api::dto::{CheckRunArgs, PlayAgainArgs, Push, RunCheck};
use api::{ApiError, Freshness, Places, Workbench, folder_at};
use camino::Utf8PathBuf;
use config::RECORDED;
use similar::{ChangeTag, TextDiff};
use tokio::sync::mpsc;

use crate::language::Chosen;
use crate::print::{BOLD, DIM, GREEN, RED, YELLOW, line, out, styled};
use crate::run::Followed;
use crate::signals::Signals;
use crate::{Approve, Format, OneRun, Outcome, Sandbox, numbered, print, steps};

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    run: OneRun,
    /// Folders of the skills; default: those that the run was made on, for a run from elsewhere the ones that are open
    #[arg(value_name = "ROOT")]
    roots: Vec<Utf8PathBuf>,
    /// Run scripts and commands too: the run is played again from its record, and recorded as a run of its own
    #[arg(long)]
    pub scripts: bool,
    /// With --scripts: before anything runs or is written, ask on the terminal, never allow it, or always allow it
    #[arg(long, value_enum, default_value_t, requires = "scripts")]
    approve: Approve,
    /// With --scripts: as for `run`
    #[arg(long, value_enum, requires = "scripts")]
    sandbox: Option<Sandbox>,
}

pub async fn check(args: Args, signals: &Signals) -> Result<Outcome, ApiError> {
    args.roots.iter().try_for_each(|root| folder_at(root).map(drop))?;
    let (pushes, mut updates) = mpsc::unbounded_channel();
    let bench = Workbench::open(Places::standard(None), args.roots.clone(), Freshness::ReadOnce, move |push| {
        // Once the command is over there is no receiver.
        let _ = pushes.send(push);
    })
    .await;
    let run = steps::find(&bench, &args.run.run).await?.id;
    let roots: Option<Vec<String>> =
        (!args.roots.is_empty()).then(|| args.roots.iter().map(ToString::to_string).collect());
    let played = match args.scripts {
        true => Some(play(&bench, run, roots.clone(), &args, &mut updates, signals).await?),
        false => None,
    };
    let found = bench.run_check(CheckRunArgs { run, roots, played }).await?;
    match args.run.output.format {
        Format::Json => numbered::json(&found, &["calls/*/step"])?,
        Format::Text => text(&found),
    }
    Ok(if found.bad == 0 && found.refused == 0 { Outcome::Good } else { Outcome::Bad })
}

/// Plays the run again and gives the new one. Its steps are not printed: the comparison says what matters of them.
async fn play(
    bench: &Workbench,
    run: RunId,
    roots: Option<Vec<String>>,
    args: &Args,
    updates: &mut mpsc::UnboundedReceiver<Push>,
    signals: &Signals,
) -> Result<RunId, ApiError> {
    let (sandbox, ask_all) = (args.sandbox.map(Into::into), args.approve == Approve::Never);
    let played = bench.run_play_again(PlayAgainArgs { run, roots, sandbox, ask_all }).await?;
    let model = format!("{RECORDED}{run}");
    let followed = Followed { bench, run: played, model: &model, approve: args.approve, text: false };
    followed.to_its_end(updates, signals).await?;
    Ok(played)
}

fn text(found: &RunCheck) {
    let harness = line(&format!("{} {}", found.harness, found.variant));
    let roots = found.roots.iter().map(|root| line(root)).collect::<Vec<_>>().join(", ");
    out(&styled(BOLD, words!("{harness} over {roots}", "{harness}，基于 {roots}")));
    if let Some(played) = found.played {
        out(&styled(DIM, words!("  played again as run {played}", "  重放为运行 {played}")));
    }
    for call in &found.calls {
        out(&one(call));
    }
    let of = |is_it: fn(&Checked) -> bool| found.calls.iter().filter(|call| is_it(&call.result)).count();
    let (same, changed, unresolved, not_run, unchecked) = (
        of(|result| matches!(result, Checked::Same)),
        of(|result| matches!(result, Checked::Changed { .. })),
        of(|result| matches!(result, Checked::Unresolved { .. })),
        of(|result| matches!(result, Checked::NotRun { .. } | Checked::Refused)),
        of(|result| matches!(result, Checked::Unchecked { .. })),
    );
    let style = if found.bad == 0 && found.refused == 0 { GREEN } else { RED };
    let told = words!(
        "{same} the same, {changed} changed, {unresolved} no longer resolve, {not_run} not run, {unchecked} not checked",
        "{same} 个相同，{changed} 个有变化，{unresolved} 个不再可用，{not_run} 个未运行，{unchecked} 个未检查"
    );
    out(&styled(style, told));
    if found.refused > 0 {
        print::hint(&words!("--approve always allows them", "加上 --approve always 即允许它们"));
    } else if not_run > 0 {
        print::hint(&words!("--scripts runs them too", "加上 --scripts 也会运行它们"));
    }
}

fn one(call: &CheckedCall) -> String {
    let (mark, style, told, diff) = match &call.result {
        Checked::Same => ("=", DIM, words!("the same", "相同"), None),
        Checked::Changed { recorded, now } => ("~", YELLOW, words!("changed", "有变化"), Some((recorded, now))),
        Checked::Unresolved { recorded, now } => {
            ("✗", RED, words!("no longer resolves", "不再可用"), Some((recorded, now)))
        }
        Checked::NotRun { unchanged: Some(true) } => {
            ("·", DIM, words!("not run; its skill is as it was", "未运行；其技能没有改动"), None)
        }
        Checked::NotRun { unchanged: Some(false) } => {
            ("·", YELLOW, words!("not run; its skill has changed", "未运行；其技能有改动"), None)
        }
        Checked::Refused => ("!", RED, words!("not run; nobody allowed it", "未运行；没有人允许"), None),
        Checked::NotRun { unchanged: None } => ("·", DIM, words!("not run", "未运行"), None),
        Checked::Unchecked { reason } => {
            let reason = reason.clone().chosen();
            ("?", DIM, words!("not checked: {reason}", "未检查：{reason}"), None)
        }
    };
    let title = format!("{} {}", line(&call.tool), styled(DIM, line(&call.arguments)));
    let head = format!("{} {:>3}  {title}  {}", styled(style, mark), call.step + 1, styled(style, told));
    match diff {
        Some((recorded, now)) => format!("{head}\n{}", differing_lines(recorded, now)),
        None => head,
    }
}

/// The lines that differ, with one line around them.
fn differing_lines(recorded: &str, now: &str) -> String {
    let diff = TextDiff::from_lines(recorded, now);
    let mut told = Vec::new();
    for (number, group) in diff.grouped_ops(1).iter().enumerate() {
        if number > 0 {
            told.push(styled(DIM, "      …"));
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let (mark, style) = match change.tag() {
                ChangeTag::Delete => ("-", RED),
                ChangeTag::Insert => ("+", GREEN),
                ChangeTag::Equal => (" ", DIM),
            };
            told.push(styled(style, format!("      {mark} {}", line(change.value().trim_end_matches(['\r', '\n'])))));
        }
    }
    told.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_around_a_change_are_printed() {
        let recorded = "a\nb\nc\nd\n";
        let told = print::unstyled(&differing_lines(recorded, "a\nb\nC\nd\n"));
        assert_eq!(told, "        b\n      - c\n      + C\n        d");
    }
}
