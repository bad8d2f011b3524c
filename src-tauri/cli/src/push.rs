//! `trace push`: a run to a tracing back end.

use api::dto::{PrivateKind, PrivateText, PushArgs, Pushed, TraceSent};
use api::{ApiError, Workbench};
use clap::ValueEnum;

use crate::language::Chosen;
use crate::print::{GREEN, line, out, styled};
use crate::steps::find;
use crate::{Format, Formatted, Outcome, Redact, print};

#[derive(clap::Args)]
pub struct Args {
    #[arg(value_name = "RUN")]
    run: String,
    /// The address of the back end; without it `otlp.endpoint` of models.yaml. Any other server gets no key
    #[arg(long, value_name = "URL")]
    to: Option<String>,
    /// Whether prompts, answers, arguments and results are sent; defaults to models.yaml
    #[arg(long, value_enum, value_name = "YES|NO")]
    contents: Option<Switch>,
    /// Whether the draft attributes gen_ai.skill.* are sent; defaults to models.yaml
    #[arg(long, value_enum, value_name = "YES|NO")]
    skills: Option<Switch>,
    /// What to remove; defaults to all that is found
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WHAT")]
    redact: Vec<Redact>,
    #[command(flatten)]
    output: Formatted,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Switch {
    /// They are sent
    Yes,
    /// They are not sent
    No,
}

pub async fn push(bench: &Workbench, args: Args) -> Result<Outcome, ApiError> {
    let run = find(bench, &args.run).await?.id;
    let is_yes = |switch: Option<Switch>| switch.map(|switch| switch == Switch::Yes);
    let push =
        PushArgs { run, to: args.to, contents: is_yes(args.contents), skills: is_yes(args.skills), redact: None };
    let found = bench.push_private(push.clone()).await?;
    let chosen = |kind: PrivateKind| args.redact.is_empty() || args.redact.contains(&Redact::of(kind));
    for PrivateText { kind, text, count } in &found {
        let text = line(&shown(*kind, text));
        if chosen(*kind) {
            print::note(&words!("removed: {text} ({count} times)", "已去除：{text}（{count} 处）"));
        } else {
            print::warning(&words!("the spans contain {text} ({count} times)", "span 中含有 {text}（{count} 处）"));
        }
    }
    let redact = found.into_iter().filter(|each| chosen(each.kind)).collect();
    let pushed = bench.run_push(PushArgs { redact: Some(redact), ..push }).await?;
    if args.output.format == Format::Json {
        print::json(&pushed)?;
    } else {
        let Pushed { url, spans, .. } = &pushed;
        let url = line(url);
        out(&styled(GREEN, words!("{spans} spans sent to {url}", "已向 {url} 发送 {spans} 个 span")));
    }
    if pushed.rejected > 0 {
        let (rejected, reason) = (pushed.rejected, line(pushed.reason.as_deref().unwrap_or_default()));
        print::warning(&words!(
            "the back end did not accept {rejected} of them: {reason}",
            "后端没有接受其中 {rejected} 个：{reason}"
        ));
        return Ok(Outcome::Bad);
    }
    Ok(Outcome::Good)
}

/// A key only by its beginning.
pub fn shown(kind: PrivateKind, text: &str) -> String {
    match kind {
        PrivateKind::Key => text.chars().take(8).chain(['…']).collect(),
        PrivateKind::Home | PrivateKind::Email => text.to_owned(),
    }
}

impl Redact {
    pub fn of(kind: PrivateKind) -> Self {
        match kind {
            PrivateKind::Key => Self::Keys,
            PrivateKind::Home => Self::Homes,
            PrivateKind::Email => Self::Emails,
        }
    }
}

/// The result of sending a run while it went on.
pub fn told(sent: &TraceSent) {
    let TraceSent { run, url, spans, rejected, error } = sent;
    let url = line(url);
    match error {
        None if *rejected > 0 => print::warning(&words!(
            "{spans} spans sent to {url}, which did not accept {rejected} of them",
            "已向 {url} 发送 {spans} 个 span，其中 {rejected} 个未被接受"
        )),
        None => print::note(&words!("{spans} spans sent to {url}", "已向 {url} 发送 {spans} 个 span")),
        Some(error) => {
            let why = line(&error.worded().chosen());
            print::warning(&words!(
                "{why}; send it later with `skillbench trace push {run}`",
                "{why}；稍后可用 `skillbench trace push {run}` 发送"
            ));
        }
    }
}
