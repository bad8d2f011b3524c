//! Runs on their way to a tracing back end, by OTLP: whole ones when asked, and live ones if `models.yaml` says so.
//! Runs never wait for this, and failures are reported but do not affect the run.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::watch;

use super::dto::{NoArgs, OtlpState, PrivateText, Push, PushArgs, Pushed, TraceSent};
use super::error::{ApiError, Code};
use super::held::Held;
use super::open_runs::Source;
use super::private::{Private, sorted, without};
use super::{VERSION, Workbench, blocking, lock};
use config::Models;
use model::entry::{Network, Otlp};
use model::http::SpanReceiver;
use model::secret::OwnKeys;
use model::{ModelError, address};
use trace::open_run::OpenRun;
use trace::spans::{self, OtlpSpan, Said, Spans};
use trace::{RunId, RunStatus, StepKind};
use wording::message;

/// Steps that are made into spans at once.
const STEPS: usize = 64;
/// Bytes of a message, about.
const BYTES: usize = 2 << 20;
/// How long spans of a running run are gathered.
const GATHERS: Duration = Duration::from_millis(500);
/// How long the program waits at its end for the rest of a run to be sent.
const LAST_WAIT: Duration = Duration::from_secs(10);

/// Which parts of a run are sent, and where to.
#[derive(Clone)]
struct Target {
    receiver: SpanReceiver,
    /// As it may be shown.
    url: String,
    said: Said,
}

/// Sends a running run.
pub(super) struct Sender(watch::Sender<()>);

impl Sender {
    /// There is more to send.
    pub fn wake(&self) {
        self.0.send_replace(());
    }
}

impl Workbench {
    /// What `models.yaml` says about sending runs.
    pub async fn otlp_state(&self, _: NoArgs) -> Result<OtlpState, ApiError> {
        let (otlp, _) = self.sending_of_user().await?;
        let path = self.inner.places.models().to_string();
        Ok(match otlp {
            None => OtlpState { endpoint: None, live: false, contents: false, skills: false, path },
            Some(Otlp { endpoint, live, contents, skills, .. }) => {
                OtlpState { endpoint: Some(address::shown(&endpoint)), live, contents, skills, path }
            }
        })
    }

    /// Private texts in the spans of a run.
    pub async fn push_private(&self, args: PushArgs) -> Result<Vec<PrivateText>, ApiError> {
        let said = said(&args, self.sending_of_user().await?.0.as_ref());
        let mut private = Private::default();
        let mut making = Making::of(self, args.run, said).await?;
        loop {
            let mut made = making.next(self).await?;
            if made.is_empty() {
                return Ok(private.listed());
            }
            for span in &mut made {
                spans::texts(span, &mut |text| private.look(text));
            }
        }
    }

    /// Sends the spans of a run; of a running one, those that are over. Spans that were sent before are sent again
    /// unchanged.
    pub async fn run_push(&self, args: PushArgs) -> Result<Pushed, ApiError> {
        let target = self.target(&args).await?;
        let mut making = Making::of(self, args.run, target.said).await?;
        let mut pushed = Pushed { url: target.url.clone(), ..Pushed::default() };
        loop {
            let made = making.next(self).await?;
            if made.is_empty() {
                return Ok(pushed);
            }
            target.send(&making.spans, made, args.redact.as_deref(), &mut pushed).await?;
        }
    }

    /// How the live sending of a run ended, once that is so; `None`: it is not sent, or takes too long.
    pub async fn live_sent(&self, run: RunId) -> Option<TraceSent> {
        let mut sending = lock(&self.inner.sending).get(&run).cloned()?;
        tokio::time::timeout(LAST_WAIT, sending.wait_for(Option::is_some)).await.ok()?.ok()?.clone()
    }

    /// Sends a run while it goes on, if `models.yaml` says so.
    pub(super) async fn send_live(&self, run: RunId, held: Arc<Held>) -> Option<Sender> {
        // A file that cannot be used is reported by whatever needs a model of it.
        let (otlp, network) = self.sending_of_user().await.ok()?;
        let otlp = otlp.filter(|otlp| otlp.live)?;
        let said = Said { contents: otlp.contents, skills: otlp.skills };
        let target = self.target_of(&otlp, &network, said);
        let (wakes, woken) = watch::channel(());
        let (done, sending) = watch::channel(None);
        lock(&self.inner.sending).insert(run, sending);
        let bench = self.clone();
        let (open, spans) = (held.run.clone(), new_spans(run, said));
        // Events that a continued run recorded before are not sent again.
        lock(&spans).skip(&lock(&open));
        let mut making = Making { run, open, source: Source::Memory(held), spans };
        tokio::spawn(async move {
            let mut pushed = Pushed { url: target.url.clone(), ..Pushed::default() };
            let error = bench.follow(&mut making, &target, woken, &mut pushed).await.err();
            let Pushed { url, spans, rejected, .. } = pushed;
            let sent = TraceSent { run, url, spans, rejected, error };
            (bench.inner.push)(Push::TraceSent(sent.clone()));
            // There may be no receiver.
            let _ = done.send(Some(sent));
        });
        Some(Sender(wakes))
    }

    /// Sends finished parts of a run until all of it is finished. The first failure ends it: the whole run can be sent
    /// later.
    async fn follow(
        &self,
        making: &mut Making,
        target: &Target,
        mut woken: watch::Receiver<()>,
        pushed: &mut Pushed,
    ) -> Result<(), ApiError> {
        loop {
            // After the run has ended, in whatever way, there is no sender left.
            let is_gone = woken.changed().await.is_err();
            let is_over = || is_gone || lock(&making.open).fold().status() != RunStatus::Running;
            if !is_over() {
                tokio::time::sleep(GATHERS).await;
            }
            woken.mark_unchanged();
            let is_last = is_over();
            loop {
                let made = making.next(self).await?;
                if made.is_empty() {
                    break;
                }
                target.send(&making.spans, made, None, pushed).await?;
            }
            if is_last {
                return Ok(());
            }
        }
    }

    /// What `models.yaml` says about sending, and about the way there.
    async fn sending_of_user(&self) -> Result<(Option<Otlp>, Network), ApiError> {
        let path = self.inner.places.models();
        let Models { otlp, network, .. } = blocking(move || Models::load(&path)).await?;
        Ok((otlp, network))
    }

    async fn target(&self, args: &PushArgs) -> Result<Target, ApiError> {
        let (otlp, network) = self.sending_of_user().await?;
        let said = said(args, otlp.as_ref());
        let otlp = match (otlp, args.to.as_deref().map(str::trim).filter(|to| !to.is_empty())) {
            (Some(otlp), None) => otlp,
            (otlp, Some(to)) => {
                let own = otlp.unwrap_or_else(|| Otlp::new(to));
                own.at(to).map_err(|why| ApiError::new(Code::Invalid, why))?
            }
            (None, None) => {
                let path = self.inner.places.models();
                return Err(ApiError::new(
                    Code::NotFound,
                    message!("no tracing back end is set up", "没有设置追踪后端"),
                )
                .hint(message!(
                    "name its address, or write it into {path} under `otlp`",
                    "请写明其地址，或写入 {path} 的 `otlp` 下"
                ))
                .at(&path));
            }
        };
        Ok(self.target_of(&otlp, &network, said))
    }

    fn target_of(&self, otlp: &Otlp, network: &Network, said: Said) -> Target {
        let receiver = SpanReceiver::new(otlp, self.http().through(network), Arc::new(OwnKeys));
        Target { receiver, url: address::shown(&otlp.url()), said }
    }
}

/// The arguments, else the user's settings.
fn said(args: &PushArgs, otlp: Option<&Otlp>) -> Said {
    let set = |of: fn(&Otlp) -> bool| otlp.is_some_and(of);
    Said {
        contents: args.contents.unwrap_or_else(|| set(|otlp| otlp.contents)),
        skills: args.skills.unwrap_or_else(|| set(|otlp| otlp.skills)),
    }
}

/// The spans of a run, as they are made.
struct Making {
    run: RunId,
    open: Arc<Mutex<OpenRun>>,
    source: Source,
    spans: Arc<Mutex<Spans>>,
}

fn new_spans(run: RunId, said: Said) -> Arc<Mutex<Spans>> {
    Arc::new(Mutex::new(Spans::new(run, said, VERSION)))
}

impl Making {
    async fn of(bench: &Workbench, run: RunId, said: Said) -> Result<Self, ApiError> {
        let (mut open, source) = bench.opened(run).await?;
        if lock(&open).is_brief() {
            // Spans have all texts.
            let events = bench.events_without_bodies(run).await?;
            open = blocking(move || Arc::new(Mutex::new(OpenRun::of(&events)))).await;
        }
        Ok(Self { run, open, source, spans: new_spans(run, said) })
    }

    /// The next ones, about as many as fit into a message; none: there are none now.
    async fn next(&mut self, bench: &Workbench) -> Result<Vec<OtlpSpan>, ApiError> {
        let mut made: Vec<OtlpSpan> = Vec::new();
        let mut bytes = 0;
        while bytes < BYTES {
            let (open, spans) = (self.open.clone(), self.spans.clone());
            let due = blocking(move || {
                let open = lock(&open);
                let due = lock(&spans).due(&open, STEPS);
                let reads = |step: u32| {
                    let is_answer = matches!(open.steps()[step as usize].kind, StepKind::Answer { .. });
                    is_answer.then(|| open.reads(step)).flatten()
                };
                due.into_iter().map(|step| (step, reads(step))).collect::<Vec<_>>()
            })
            .await;
            if due.is_empty() {
                break;
            }
            for (step, reads) in due {
                let events = match reads {
                    Some(reads) => Some(bench.read(self.run, self.source.clone(), reads).await?),
                    None => None,
                };
                let (open, spans) = (self.open.clone(), self.spans.clone());
                let of_step = blocking(move || {
                    let open = lock(&open);
                    let context = events.and_then(|events| open.context(step, &events));
                    lock(&spans).make(&open, step, context.as_ref())
                });
                for span in of_step.await {
                    bytes += spans::weight(&span);
                    made.push(span);
                }
            }
        }
        Ok(made)
    }
}

impl Target {
    /// `redact`: the texts to remove; `None`: everything that is found.
    async fn send(
        &self,
        spans: &Mutex<Spans>,
        mut made: Vec<OtlpSpan>,
        redact: Option<&[PrivateText]>,
        pushed: &mut Pushed,
    ) -> Result<(), ApiError> {
        for span in &mut made {
            let found = match redact {
                Some(redact) => redact.to_vec(),
                None => {
                    let mut private = Private::default();
                    spans::texts(span, &mut |text| private.look(text));
                    private.listed()
                }
            };
            let redact = sorted(&found);
            spans::texts(span, &mut |text| *text = without(text, &redact));
        }
        let mut rest = made.into_iter().peekable();
        while rest.peek().is_some() {
            let (mut batch, mut bytes) = (Vec::new(), 0);
            while let Some(span) = rest.next_if(|span| batch.is_empty() || bytes + spans::weight(span) <= BYTES) {
                bytes += spans::weight(&span);
                batch.push(span);
            }
            let count = u32::try_from(batch.len()).unwrap_or(u32::MAX);
            let message = lock(spans).message(batch);
            let answer = self.receiver.deliver(message).await.map_err(|error| failed(&error))?;
            pushed.spans = pushed.spans.saturating_add(count);
            if let Some((rejected, reason)) = spans::rejected(&answer) {
                pushed.rejected = pushed.rejected.saturating_add(u32::try_from(rejected).unwrap_or(u32::MAX));
                pushed.reason = Some(reason.chars().take(REASON).collect());
            }
        }
        Ok(())
    }
}

/// Characters of what a server says about spans that it did not take.
const REASON: usize = 500;

/// Why spans did not arrive, and what to do about it.
fn failed(error: &ModelError) -> ApiError {
    let hint = match error {
        ModelError::Unreachable { .. } => message!(
            "check that the tracing back end is running and that `otlp.endpoint` in models.yaml is its address",
            "请检查追踪后端是否在运行，以及 models.yaml 中的 `otlp.endpoint` 是否是它的地址"
        ),
        ModelError::Refused { status: Some(401 | 403), .. } => message!(
            "check `otlp.key`, `keyHeader` and `keyScheme` in models.yaml",
            "请检查 models.yaml 中的 `otlp.key`、`keyHeader` 和 `keyScheme`"
        ),
        ModelError::Refused { status: Some(300..=399 | 404 | 405 | 415), .. } => message!(
            "check the address: it must accept OTLP over HTTP as protobuf, for example `http://localhost:4318`",
            "请检查地址：它须接受 HTTP 上的 OTLP protobuf，例如 `http://localhost:4318`"
        ),
        ModelError::Refused { status: Some(413), .. } => message!(
            "send the run without contents, or raise the limit of the back end",
            "请不带内容地发送，或提高后端的上限"
        ),
        ModelError::Key { why } => why.hint(),
        ModelError::Certificate { .. } | ModelError::Setting { .. } => match error.next_step() {
            Some(step) => step,
            None => message!("correct it in models.yaml", "请在 models.yaml 中更正"),
        },
        _ => message!("try again later; the run is recorded here either way", "请稍后重试；无论如何运行已在本机记录"),
    };
    let why = error.worded();
    ApiError::new(Code::Io, message!("the run was not sent: {why}", "运行未能发送：{why}"; why)).hint(hint)
}

#[cfg(test)]
mod tests;
