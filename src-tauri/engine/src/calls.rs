//! One tool call: served by the harness, approved, performed, replied to.

use camino::{Utf8Path, Utf8PathBuf};

use super::access::{self, Question, Scope};
use super::approval::{AGREED, Answer};
use super::effect::{self, EFFECT_LIMIT, Means, Serving};
use super::left::{self, Before};
use super::provenance::{in_trace, whole};
use super::standing::holds_whole;
use super::tool::private::is_private;
use super::tool::reach::Reach;
use super::tool::room::{Room, folders};
use super::trial::{Tried, Wanted};
use super::{Dialogue, Halt, Plan, Run, bulk, places};
use crate::bulk::Long as _;
use config::Fidelity;
use harness::{Disclosure, Effect, Origin, Performed, Prepared, ReplyAuthor, Served, ToolReply};
use model::{Document, Image, Message, ToolCall, ToolResult};
use skill::source::is_of_the_system;
use trace::{Decision, EventKind, OriginMark, Outcome, Standing, Subject};
use wording::{Message as Words, Wording, message};

impl Run {
    /// Answers a call: when this returns, the reply is noted and part of the conversation.
    pub(super) async fn call(
        &mut self,
        dialogue: &mut Dialogue,
        turn: u32,
        call: &ToolCall,
    ) -> Result<ToolReply, Halt> {
        self.leave_past(dialogue);
        let disclosure = self.plan.harness.disclosure(call, &self.catalog);
        match self.past.as_mut() {
            Some(past) => past.called(call)?,
            None => self.recorder.note(EventKind::Called { turn, call: call.clone(), disclosure }),
        }

        let served = self.serve(dialogue, call).await;
        let (reply, origin) = match (self.edited_result(dialogue, call), served) {
            // Its own reply does not count, nor whether there is one.
            (Some(reply), Ok(_) | Err(Halt::Over)) => (reply, Origin::User),
            (_, served) => served?,
        };
        self.reply(dialogue, call, reply, origin).await
    }

    /// Gives a call its reply.
    pub(super) async fn reply(
        &mut self,
        dialogue: &mut Dialogue,
        call: &ToolCall,
        reply: ToolReply,
        mut origin: Origin,
    ) -> Result<ToolReply, Halt> {
        let reply = bulk::cut(reply, self.plan.harness.profile().title);
        let (reply, wire) = match self.past.as_mut() {
            Some(past) => {
                let replied = past.replied(call, reply)?;
                if past.was_edited(call) {
                    origin = Origin::User;
                }
                replied
            }
            None => {
                let reply = self.scrubbed(reply).await?;
                self.wire(reply).await?
            }
        };
        let result = ToolResult {
            call_id: call.id.clone(),
            text: reply.text.clone(),
            wire: wire.clone(),
            is_error: reply.is_error,
        };
        let tokens = bulk::count(self.brake.clone(), result.on_wire()).await?;
        let pictures = reply.images.iter().map(Image::tokens);
        let media = pictures.chain(reply.documents.iter().map(Document::tokens));
        let tokens = media.fold(tokens, u32::saturating_add);
        let message = Message::pictured_result(result, &reply.images).with_documents(&reply.documents);
        bulk::check_held(&dialogue.conversation, &message)?;
        let marks = marks(&reply, wire.as_deref(), origin, &message);
        dialogue.conversation.push(message, marks);
        let replied = EventKind::Replied {
            call_id: call.id.clone(),
            text: reply.text.clone(),
            images: reply.images.clone(),
            documents: reply.documents.clone(),
            wire,
            is_error: reply.is_error,
            tokens,
        };
        self.note(replied);
        Ok(reply)
    }

    /// A reply, and how the framework writes it.
    async fn wire(&mut self, reply: ToolReply) -> Result<(ToolReply, Option<String>), Halt> {
        let harness = self.plan.harness;
        if reply.size() <= bulk::AT_ONCE {
            let wire = harness.wire(&reply, &self.catalog);
            return Ok((reply, wire));
        }
        let (size, catalog) = (reply.size(), self.catalog.clone());
        let write = move || {
            let wire = harness.wire(&reply, &catalog);
            (reply, wire)
        };
        bulk::braked(self.brake.clone(), size, write).await
    }

    /// How the framework prepares a conversation before a request.
    async fn prepared(&mut self, dialogue: &mut Dialogue, done: Option<Performed>) -> Result<Prepared, Halt> {
        let (harness, size) = (self.plan.harness, dialogue.conversation.history.size());
        let Dialogue { conversation, session, .. } = dialogue;
        if size <= bulk::AT_ONCE {
            return Ok(harness.before_request(&mut conversation.history, done, &self.catalog, session));
        }
        // If the run must end here, they are not needed again.
        let (mut history, mut own) = (std::mem::take(&mut conversation.history), session.clone());
        let catalog = self.catalog.clone();
        let work = move || (harness.before_request(&mut history, done, &catalog, &mut own), history, own);
        let (prepared, history, own) = bulk::braked(self.brake.clone(), size, work).await?;
        (conversation.history, *session) = (history, own);
        Ok(prepared)
    }

    /// A reply without known keys: answers that a framework gives from memory are not effects, so nothing else removes
    /// keys.
    async fn scrubbed(&mut self, reply: ToolReply) -> Result<ToolReply, Halt> {
        let guard = self.plan.guard.clone();
        if guard.scrubber().is_idle() {
            return Ok(reply);
        }
        let size = reply.size();
        let work = move || match guard.scrubber().text(&reply.text) {
            text if text == reply.text => reply,
            text => ToolReply { text, marks: Vec::new(), ..reply },
        };
        bulk::braked(self.brake.clone(), size, work).await
    }

    /// Performs the effects that the harness asks for until it replies; returns the reply, and its author if it does
    /// not say.
    async fn serve(&mut self, dialogue: &mut Dialogue, call: &ToolCall) -> Result<(ToolReply, Origin), Halt> {
        let before = dialogue.session.clone();
        let mut serving = Serving::new(self.plan.harness, call.clone());
        let mut served = serving.begin(&self.catalog, &mut dialogue.session);
        let mut edited: Option<Edited> = None;
        let mut by_hand = false;
        // Why the user said no.
        let mut refused = None;
        let reply = loop {
            let effect = match served.map_err(Halt::failed)? {
                Served::Reply(reply) => break reply,
                Served::Perform(effect) => effect,
                Served::Abort(error) => return Err(Halt::failed(Words::quoted(error))),
            };
            let wanted = Wanted { call_id: &call.id, effect: &effect, call: Some((call, &before)) };
            let decision = match edited.take_if(|edited| edited.is_about(&effect)) {
                Some(edited) => self.agree_to_edit(wanted, edited).await?,
                None => self.decide(wanted).await?,
            };
            let done = match decision {
                Decision::Allow { arguments: None, .. } => self.perform(dialogue, &call.id, effect).await?,
                Decision::Allow { arguments: Some(arguments), for_run } => {
                    let seen = self.tried.take().filter(|tried| tried.arguments == arguments);
                    edited = Some(Edited { instead: std::mem::discriminant(&effect), seen, for_run });
                    dialogue.session = before.clone();
                    serving = Serving::new(self.plan.harness, ToolCall { arguments, ..call.clone() });
                    served = serving.begin(&self.catalog, &mut dialogue.session);
                    continue;
                }
                Decision::Deny { reason } => {
                    refused = reason.clone();
                    Performed::Denied { reason }
                }
                Decision::Stub { text } => {
                    by_hand = true;
                    Performed::Stubbed { text }
                }
            };
            let size = done.size();
            if size <= bulk::AT_ONCE {
                served = serving.go_on(done, &self.catalog, &mut dialogue.session);
                continue;
            }
            let (mut own, catalog, mut session) = (serving, self.catalog.clone(), dialogue.session.clone());
            let work = move || (own.go_on(done, &catalog, &mut session), own, session);
            (served, serving, dialogue.session) = bulk::braked(self.brake.clone(), size, work).await?;
        };
        let is_kept_back = |reason: &String| reply.author == ReplyAuthor::Caller && !reply.text.contains(reason);
        if refused.filter(|reason| !reason.is_empty()).as_ref().is_some_and(is_kept_back) {
            let title = self.plan.harness.profile().title;
            self.note(EventKind::noted(message!(
                "{title} tells the model that the call was refused, and not the reason",
                "{title} 只告诉模型调用被拒绝，不转告理由"
            )));
        }
        let origin = match by_hand {
            true => Origin::User,
            false => origin(&reply, self.plan.harness.disclosure(serving.call(), &self.catalog), &call.name),
        };
        Ok((reply, origin))
    }

    /// Lets the framework get ready for a request; `false`: it ends the conversation instead.
    pub(super) async fn prepare(&mut self, dialogue: &mut Dialogue) -> Result<bool, Halt> {
        let turn = dialogue.turn;
        let mut done = None;
        for number in 0..=EFFECT_LIMIT {
            self.leave_past(dialogue);
            let effect = match self.prepared(dialogue, done.take()).await? {
                Prepared::Send => return Ok(true),
                Prepared::End => return Ok(false),
                Prepared::Abort(error) => return Err(Halt::failed(Words::quoted(error))),
                Prepared::Perform(effect) => effect,
            };
            let id = format!("before-request-{turn}-{number}");
            done = Some(match self.decide(Wanted::of_framework(&id, &effect)).await? {
                Decision::Allow { .. } => self.perform(dialogue, &id, effect).await?,
                Decision::Deny { reason } => Performed::Denied { reason },
                // There is no call whose reply the user could write.
                Decision::Stub { .. } => Performed::Denied { reason: None },
            });
        }
        let title = self.plan.harness.profile().title;
        Err(Halt::failed(message!(
            "{title} asked for more than {EFFECT_LIMIT} things to be done before one request",
            "{title} 在一次请求之前要求做的事超过 {EFFECT_LIMIT} 件"
        )))
    }

    pub(super) async fn decide(&mut self, wanted: Wanted<'_>) -> Result<Decision, Halt> {
        let Wanted { call_id, effect, .. } = wanted;
        if let Some(past) = self.past.as_mut() {
            return past.decision(call_id, effect);
        }
        if effect::has_place(effect) {
            make_folder(&self.plan.working_directory).await?;
        }
        self.reach = self.open.reach();
        self.withheld = None;
        let Some(mut question) = self.question(effect).await else { return Ok(AGREED) };
        if question.lacks_sandbox(effect) {
            return Ok(AGREED);
        }
        loop {
            self.withheld = self.withholds(effect, &question);
            if self.withheld.is_some() {
                // The reach refuses it.
                return Ok(AGREED);
            }
            if !question.is_asked {
                self.reach = self.reach_of(&question);
                let given = self.says_of(effect, &question.subject, &GIVEN);
                self.recorder.record(EventKind::noted(given)).await?;
                return Ok(AGREED);
            }
            let standing = self.standing(&question).await;
            if standing == Some(Standing::Never) {
                return self.decide_by_memory(call_id, effect, question.subject, Standing::Never).await;
            }
            if self.gate.is_open_for(&question) {
                self.reach = self.reach_of(&question);
                return Ok(AGREED);
            }
            if let Some(standing) = standing {
                return self.decide_by_memory(call_id, effect, question.subject, standing).await;
            }
            let held = self.brake.hold();
            let answer = self.answer(wanted, &question).await;
            self.brake.go_on(held);
            let Answer { decision, remember } = answer?;
            let Decision::Allow { arguments: None, for_run } = decision else {
                if let (Decision::Deny { .. }, Some(Standing::Never)) = (&decision, remember) {
                    self.remember(&question, Standing::Never).await?;
                }
                return Ok(decision);
            };
            // What the user saw must be what happens.
            match self.question(effect).await {
                Some(now) if now != question => {
                    question = now;
                    self.recorder.record(EventKind::noted(CHANGED.into())).await?;
                }
                Some(_) | None => {
                    self.reach = self.reach_of(&question);
                    if for_run {
                        self.gate.grant(&question);
                    }
                    if remember == Some(Standing::Sandbox) && holds_whole(question.subject.enforcement.as_ref()) {
                        self.remember(&question, Standing::Sandbox).await?;
                    }
                    return Ok(decision);
                }
            }
        }
    }

    /// What may be touched after the user agreed. Keys outside of the folders are excluded.
    fn reach_of(&self, question: &Question) -> Reach {
        if let Scope::Writes { files } = &question.scope {
            return Reach::to(files.iter().map(|(real, _)| real.clone()));
        }
        let (reach, place) = (self.open.reach(), question.scope.place().cloned());
        if question.outside { reach.lending(place) } else { reach.and(place) }
    }

    /// Why a look outside comes to nothing, for the user; `None`: it may happen.
    pub(super) fn withholds(&self, effect: &Effect, question: &Question) -> Option<Words> {
        if !question.outside {
            return None;
        }
        let is_given = question.is_asked || self.plan.sandbox.fidelity == Fidelity::On;
        let is_withheld = |real: &Utf8PathBuf| is_private(real) || is_of_the_system(real);
        let why = match question.scope.place() {
            _ if !is_given => REFUSED,
            Some(real) if is_withheld(real) => PRIVATE,
            _ => return None,
        };
        Some(self.says_of(effect, &question.subject, &why))
    }

    /// A message about what the framework looks at, and the consequence.
    fn says_of(&self, effect: &Effect, subject: &Subject, what: &Wording) -> Words {
        let title = self.plan.harness.profile().title;
        let path = access::looked_at(effect).map(Utf8Path::as_str).unwrap_or_default();
        let leads = subject.leads_to.as_ref().map(|real| message!(", which leads to {real},", "（实际指向 {real}）"));
        let leads = leads.unwrap_or_else(|| message!(",", ""));
        message!(
            "{title} reads {path}{leads} outside of the skills and the folders that you opened: {what}",
            "{title} 会读取 {path}{leads}，它不在技能和你打开的文件夹之内：{what}";
            leads, what
        )
    }

    /// The user's permanent answer about this. Permission to run in the sandbox counts only if one works completely.
    pub(super) fn standing(&self, question: &Question) -> impl Future<Output = Option<Standing>> + Send + use<> {
        let (concern, said) = (question.concern.clone(), self.plan.memory.said.clone());
        let holds = holds_whole(question.subject.enforcement.as_ref());
        async move {
            let concern = concern?;
            let standing = tokio::task::spawn_blocking(move || said(&concern)).await.ok()??;
            (standing == Standing::Never || holds).then_some(standing)
        }
    }

    async fn decide_by_memory(
        &mut self,
        call_id: &str,
        effect: &Effect,
        subject: Subject,
        standing: Standing,
    ) -> Result<Decision, Halt> {
        let decision = match standing {
            Standing::Sandbox => AGREED,
            Standing::Never => Decision::Deny { reason: Some(NEVER.to_owned()) },
        };
        let (call_id, effect, decided) = (call_id.to_owned(), effect.clone(), decision.clone());
        self.recorder.record(EventKind::Remembered { call_id, effect, subject, standing, decision }).await?;
        Ok(decided)
    }

    /// Saves the user's permanent answer, for the scripts as they were when they saw them.
    async fn remember(&mut self, question: &Question, standing: Standing) -> Result<(), Halt> {
        let Some(concern) = question.concern.clone() else { return Ok(()) };
        let (names, keep) = (concern.names().join(", "), self.plan.memory.keep.clone());
        let what = concern.program.wording();
        let kept = tokio::task::spawn_blocking(move || keep(&concern, standing)).await;
        let kept = kept.unwrap_or_else(|error| Err(Words::quoted(error.to_string())));
        let said = match (kept, standing) {
            (Ok(()), Standing::Sandbox) => message!(
                "from now on {what} of {names} run in the sandbox without a question, until the skill changes",
                "今后 {names} 的{what}在沙箱中运行时不再询问，直到技能有改动";
                what
            ),
            (Ok(()), Standing::Never) => {
                message!("from now on {what} of {names} never run", "今后不再运行 {names} 的{what}"; what)
            }
            (Err(why), _) => {
                message!("the answer could not be kept for later: {why}", "无法保存这个决定供以后使用：{why}"; why)
            }
        };
        self.recorder.record(EventKind::noted(said)).await?;
        Ok(())
    }

    /// Agrees to arguments that the user edited, unless the effect differs from what they were shown.
    async fn agree_to_edit(&mut self, wanted: Wanted<'_>, edited: Edited) -> Result<Decision, Halt> {
        let Wanted { call_id, effect, .. } = wanted;
        if let Some(past) = self.past.as_mut() {
            return past.decision(call_id, effect);
        }
        self.reach = self.open.reach();
        let question = self.question(effect).await;
        let subject = question.as_ref().map(|question| question.subject.clone()).unwrap_or_default();
        if let Some(question) = question {
            let is_withheld = self.withholds(effect, &question).is_some();
            if is_withheld || !question.is_asked || question.lacks_sandbox(effect) {
                return self.decide(wanted).await;
            }
            if self.standing(&question).await == Some(Standing::Never) {
                return self.decide_by_memory(call_id, effect, subject, Standing::Never).await;
            }
            if edited.seen.is_some_and(|seen| seen.question != question) {
                self.recorder.record(EventKind::noted(CHANGED.into())).await?;
                return self.decide(wanted).await;
            }
            self.reach = self.reach_of(&question);
            if edited.for_run {
                self.gate.grant(&question);
            }
        }
        let agreed = EventKind::Agreed { call_id: call_id.to_owned(), effect: effect.clone(), subject };
        self.recorder.record(agreed).await?;
        Ok(AGREED)
    }

    /// A model other than the one the user chose needs the user's consent, once in a run: a project file or a skill may
    /// name any model of `models.yaml`, and that model sees the conversation.
    pub(super) async fn may_ask(&mut self, label: &str) -> Result<(), Halt> {
        let effect = Effect::AskModel { model: label.to_owned() };
        match self.decide(Wanted::of_framework(&format!("model-{label}"), &effect)).await? {
            Decision::Allow { .. } => {
                if self.past.is_none()
                    && let Some(question) = self.question(&effect).await
                {
                    self.gate.grant(&question);
                }
                Ok(())
            }
            Decision::Deny { reason } => {
                let reason = reason.map(|reason| message!(": {reason}", "：{reason}")).unwrap_or_default();
                Err(Halt::failed(message!(
                    "the model {label} may not be asked{reason}",
                    "不允许询问模型 {label}{reason}";
                    reason
                )))
            }
            Decision::Stub { .. } => {
                Err(Halt::failed(message!("the model {label} may not be asked", "不允许询问模型 {label}")))
            }
        }
    }

    pub(super) fn question(&self, effect: &Effect) -> impl Future<Output = Option<Question>> + Send + use<> {
        let Plan { working_directory, paths, sandbox, .. } = &self.plan;
        let real = places::real(effect, working_directory, paths);
        let harness = self.plan.harness;
        let asked = real.map(|effect| access::question(harness, &effect, &self.catalog, &self.open, sandbox, paths));
        let program = effect::program(effect).map(str::to_owned);
        let (room, paths) = (self.room(), paths.clone());
        async move {
            // Nothing is there; the framework will get that as the result.
            let mut question = asked.ok()?.await?;
            if let Some(program) = program {
                question.subject.enforcement = room.enforcement(&program).await;
            }
            question.subject = places::subject(question.subject, &paths);
            Some(question)
        }
    }

    pub(super) fn room(&self) -> Room {
        let Plan { sandbox, working_directory, paths, .. } = &self.plan;
        let shown = folders(self.catalog.skills.iter().map(|skill| skill.path.as_deref()));
        let shown = shown.iter().filter_map(|folder| paths.real(folder)).collect();
        Room::new(sandbox.clone(), shown, working_directory.clone()).showing(paths.clone())
    }

    async fn perform(&mut self, dialogue: &Dialogue, call_id: &str, effect: Effect) -> Result<Performed, Halt> {
        if matches!(effect, Effect::Delegate(_) | Effect::Summarise { .. }) {
            self.set_aside(dialogue);
        }
        match effect {
            Effect::Delegate(delegation) => return self.delegate(dialogue, call_id, delegation).await,
            Effect::Summarise { messages, max_tokens } => return self.summarise(dialogue, messages, max_tokens).await,
            _ => {}
        }
        if let Some(past) = self.past.as_mut() {
            return past.performed(call_id, &effect);
        }
        // Effects that cannot be noticed outside may begin before their record is on disk.
        let could_change = left::could_change(&effect);
        if could_change {
            self.recorder.flush().await?;
        }
        if self.before.is_none() && could_change {
            self.before =
                Some(Before::take(self.plan.working_directory.clone(), &self.catalog, &self.plan.paths).await);
        }
        let room = self.room();
        let Plan { limits, working_directory, paths, guard, .. } = &self.plan;
        let means = Means { limits, room: &room, working_directory, paths, reach: &self.reach, guard };
        let done = tokio::select! {
            biased;
            halt = self.brake.pulled() => return Err(halt),
            done = self.recorder.while_writing(effect::perform(&effect, means)) => done,
        };
        let output = match &done.performed {
            Performed::Ran(output) => Some(output.clone()),
            // Frameworks may keep the reason from the model, so it is noted for the reader.
            Performed::Failed { message, .. } => {
                let why = self.withheld.take().or(done.why.clone()).unwrap_or_else(|| Words::quoted(message));
                self.recorder.record(EventKind::noted(why)).await?;
                None
            }
            Performed::Wrote => {
                if let Some(why) = done.why.clone() {
                    self.recorder.record(EventKind::noted(why)).await?;
                }
                None
            }
            _ => None,
        };
        if let Some(before) = &mut self.before {
            before.wrote(&done.files);
        }
        let outcome = Outcome::of(&done.performed);
        let (call_id, changed) = (call_id.to_owned(), output.is_some() || !done.files.is_empty());
        if changed || outcome.is_some() {
            let (files, enforcement) = (done.files, done.enforcement);
            self.recorder.note(EventKind::Performed { call_id, output, files, enforcement, outcome });
        }
        if changed {
            self.recorder.flush().await?;
        }
        if done.cut {
            let text =
                message!("the search found more than it returns; the rest is left out", "搜索结果太多，其余的已略去");
            self.recorder.record(EventKind::noted(text)).await?;
        }
        Ok(done.performed)
    }
}

/// What the user agreed to by editing the arguments of a call.
struct Edited {
    /// The kind of the effect in question.
    instead: std::mem::Discriminant<Effect>,
    /// The effect as it was shown to them.
    seen: Option<Tried>,
    for_run: bool,
}

impl Edited {
    /// Whether this is what they agreed to: what they were shown, else the first thing of the kind that was asked about.
    fn is_about(&self, effect: &Effect) -> bool {
        match &self.seen {
            Some(seen) => seen.effect == *effect,
            None => self.instead == std::mem::discriminant(effect),
        }
    }
}

/// The text for the model after a permanent refusal.
const NEVER: &str = "the user never allows this skill to run anything of this kind";

const REFUSED: Wording = Wording::new(
    "here that is refused. To answer as the framework does, begin the run with fidelity (`skillbench run --fidelity`, or in \
     Run's form)",
    "此处已拒绝。若要允许，请在运行表单中勾选“按框架的真实行为读取”，或使用 `skillbench run --fidelity`",
);

const PRIVATE: Wording = Wording::new(
    "it holds keys, or belongs to the system or to programs in a home folder; no model is given it, with fidelity neither",
    "它含有密钥，或属于系统或主目录中的程序；即使按框架的真实行为读取，也不会交给模型",
);

const GIVEN: Wording = Wording::new(
    "the model is given it, since the run answers as the framework does (fidelity)",
    "本次运行按框架的真实行为读取，因此会交给模型",
);

const CHANGED: Wording = Wording::new(
    "it changed while the question was open, so you are asked again",
    "在等待答复期间内容有变，因此再次询问",
);

/// Who wrote a reply that does not say it. Error texts are the framework's.
fn origin(reply: &ToolReply, disclosure: Disclosure, tool: &str) -> Origin {
    if reply.is_error {
        return Origin::Framework;
    }
    match disclosure {
        Disclosure::Instructions { skill } => Origin::Skill { skill, field: "body".into() },
        Disclosure::Resource { skill, resource } => Origin::Skill { skill, field: resource },
        Disclosure::Script { .. } | Disclosure::None => Origin::Tool { tool: tool.to_owned() },
    }
}

/// The reply's own marks if they fit the text that is sent, else one for the whole.
fn marks(reply: &ToolReply, wire: Option<&str>, origin: Origin, message: &Message) -> Vec<OriginMark> {
    match wire {
        None if !reply.marks.is_empty() => in_trace(&reply.marks),
        Some(wire) if wire == reply.text && !reply.marks.is_empty() => in_trace(&reply.marks),
        _ => whole(message, origin),
    }
}

/// A run that only talks leaves no folder behind.
async fn make_folder(working_directory: &Utf8Path) -> Result<(), Halt> {
    let folder = working_directory.to_owned();
    let made = tokio::task::spawn_blocking(move || disk::make_private_folder(&folder)).await;
    made.unwrap_or_else(|error| Err(error.into())).map_err(|error| {
        let why = wording::why(&error);
        Halt::failed(message!(
            "cannot create {working_directory}, the run's working directory: {why}",
            "无法创建运行的工作目录 {working_directory}：{why}";
            why
        ))
    })
}
