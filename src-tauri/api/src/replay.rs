//! A run as one page that any browser opens without a network, with the parts of the window that show runs. Before it
//! is written, it is searched for keys, home folders and e-mail addresses, and those that the user chose are removed.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use camino::Utf8Path;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::dto::{
    PrivateText, ReplayArgs, ReplayBody, ReplayContext, ReplaySaveArgs, ReplayTool, ReplayedRun, RunArgs, RunDetail,
};
use super::error::{ApiError, Code, Tried};
use super::private::{Private, sorted, without};
use super::{Workbench, absolute, blocking};
use trace::context::Reads;
use trace::open_run::OpenRun;
use trace::review::Review;
use trace::{ContextAtStep, ContextMessage, ContextTool};
use wording::message;

/// What `npm run build` made of `ui/replay.html`; empty if it was not run.
const PAGE: &str = include_str!(concat!(env!("OUT_DIR"), "/replay.html"));
/// The place in the page for the run.
const PLACE: &str = ">RUN</script>";
/// How many steps' contexts a page contains.
const MOST_STEPS: usize = 20_000;
/// How many steps' events are in memory at once.
const AT_ONCE: usize = if cfg!(test) { 3 } else { 250 };

impl Workbench {
    /// Private texts in a run, the most frequent first.
    pub async fn replay_private(&self, args: RunArgs) -> Result<Vec<PrivateText>, ApiError> {
        let replayed = self.replayed(args.run, false).await?;
        Ok(blocking(move || private(&replayed)).await)
    }

    /// The page with a run in it, without the texts in `redact`.
    pub async fn replay(&self, args: ReplayArgs) -> Result<String, ApiError> {
        let replayed = self.replayed(args.run, args.chinese).await?;
        if PAGE.is_empty() {
            let message = message!("this build has no page for replays", "此构建不含回放页面");
            return Err(ApiError::new(Code::Unknown, message).hint(message!(
                "build the pages before the program: `npm run build` in `ui`",
                "请先构建页面再构建程序：在 `ui` 中运行 `npm run build`"
            )));
        }
        Ok(blocking(move || page(&replayed, &args.redact)).await)
    }

    /// Writes the page to a file, over one that the user chose to replace.
    pub async fn replay_save(&self, args: ReplaySaveArgs) -> Result<(), ApiError> {
        let ReplaySaveArgs { path, run, chinese, redact } = args;
        let page = self.replay(ReplayArgs { run, chinese, redact }).await?;
        let path = absolute(Utf8Path::new(&path));
        blocking(move || {
            disk::write_atomically(&path, page.as_bytes()).map_err(|error| ApiError::io(&path, Tried::Write, error))
        })
        .await
    }

    async fn replayed(&self, run: trace::RunId, chinese: bool) -> Result<ReplayedRun, ApiError> {
        let mut detail = self.run_get(RunArgs { run }).await?;
        detail.summary.setup.for_others();
        if detail.steps.len() > MOST_STEPS {
            let message = message!(
                "the run has more than {MOST_STEPS} steps, too many for one page",
                "运行超过 {MOST_STEPS} 步，无法放入一个页面"
            );
            return Err(
                ApiError::new(Code::Invalid, message).hint(message!("export it as jsonl", "请以 jsonl 格式导出"))
            );
        }
        let events = self.events_without_bodies(run).await?;
        let review = self.said_about(run).await;
        let open = Arc::new(blocking(move || OpenRun::of(&events)).await);
        let steps: Vec<u32> = detail.steps.iter().map(|step| step.index).collect();
        let mut telling = Telling::of(detail, review, chinese);
        // Requests repeat each other and are most of a run: they are read for some steps at a time.
        for steps in steps.chunks(AT_ONCE) {
            let of_steps: Vec<Reads> = steps.iter().filter_map(|step| open.reads(*step)).collect();
            let all = |list: fn(&Reads) -> &Vec<u32>| -> Vec<u32> {
                of_steps.iter().flat_map(list).copied().collect::<BTreeSet<u32>>().into_iter().collect()
            };
            let reads = Reads { events: all(|reads| &reads.events), bodies: all(|reads| &reads.bodies) };
            let events = self.read_some(run, reads).await?;
            let (open, steps) = (open.clone(), steps.to_vec());
            let tell = move || {
                let contexts = steps.iter().filter_map(|step| open.context_among(*step, &events));
                contexts.for_each(|found| telling.context(found));
                telling
            };
            telling = blocking(tell).await;
        }
        Ok(telling.replayed)
    }
}

/// All that the page shows, of which what repeats is there once, as it is put together.
struct Telling {
    replayed: ReplayedRun,
    known: Known,
    /// The messages of the context before, with their places.
    before: Vec<(ContextMessage, u32)>,
    /// The body before.
    last: String,
}

impl Telling {
    fn of(detail: RunDetail, review: Review, chinese: bool) -> Self {
        let replayed = ReplayedRun {
            detail,
            review,
            chinese,
            contexts: Vec::new(),
            messages: Vec::new(),
            tools: Vec::new(),
            tool_lists: Vec::new(),
            groups: Vec::new(),
            skills: Vec::new(),
            bodies: Vec::new(),
        };
        Self { replayed, known: Known::default(), before: Vec::new(), last: String::new() }
    }

    /// Takes the context of the next step in.
    fn context(&mut self, found: ContextAtStep) {
        let Self { replayed, known, before, last } = self;
        let added = ranges(&found.messages);
        let messages = found.messages.into_iter().map(|message| ContextMessage { added: false, ..message });
        let messages: Vec<_> = messages.collect();
        let same = match replayed.contexts.len() % WHOLE {
            0 => 0,
            _ => messages.iter().zip(&*before).take_while(|(message, (before, _))| *message == before).count(),
        };
        before.truncate(same);
        for message in messages.into_iter().skip(same) {
            let place = known.messages.place(&mut replayed.messages, &message);
            before.push((message, place));
        }
        let tools: Vec<_> = found
            .tools
            .into_iter()
            .map(|tool| {
                let added = tool.added;
                let tool = known.tools.place(&mut replayed.tools, &ContextTool { added: false, ..tool });
                ReplayTool { tool, added }
            })
            .collect();
        let body = found.body.map(|body| {
            if replayed.bodies.is_empty() || body != *last {
                if replayed.bodies.len().is_multiple_of(WHOLE) {
                    last.clear();
                }
                replayed.bodies.push(difference(last, &body));
                *last = body;
            }
            number(replayed.bodies.len() - 1)
        });
        replayed.contexts.push(ReplayContext {
            body,
            exact: found.exact,
            tools: known.tool_lists.place(&mut replayed.tool_lists, &tools),
            groups: known.groups.place(&mut replayed.groups, &found.groups),
            skills: known.skills.place(&mut replayed.skills, &found.skills),
            same: number(same),
            further: before[same..].iter().map(|(_, place)| *place).collect(),
            added,
            tokens: found.tokens,
        });
    }
}

/// Each so manieth context and body has nothing of the one before.
const WHOLE: usize = 64;

/// The ranges of new messages.
fn ranges(messages: &[ContextMessage]) -> Vec<(u32, u32)> {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for (place, _) in messages.iter().enumerate().filter(|(_, message)| message.added) {
        let place = number(place);
        match ranges.last_mut() {
            Some((_, until)) if *until == place => *until += 1,
            _ => ranges.push((place, place + 1)),
        }
    }
    ranges
}

fn number(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

#[derive(Default)]
struct Known {
    messages: Places,
    tools: Places,
    tool_lists: Places,
    groups: Places,
    skills: Places,
}

/// The places of values in a list, by a hash of their text.
#[derive(Default)]
struct Places(HashMap<[u8; 32], u32>);

impl Places {
    fn place<T: serde::Serialize + Clone>(&mut self, all: &mut Vec<T>, value: &T) -> u32 {
        let key = Sha256::digest(serde_json::to_vec(value).unwrap_or_default()).into();
        *self.0.entry(key).or_insert_with(|| {
            all.push(value.clone());
            number(all.len() - 1)
        })
    }
}

/// In UTF-16 units, by which the page cuts.
fn difference(before: &str, body: &str) -> ReplayBody {
    let common = before.chars().zip(body.chars()).take_while(|(a, b)| a == b);
    let (bytes, head) =
        common.fold((0, 0), |(bytes, units), (char, _)| (bytes + char.len_utf8(), units + char.len_utf16()));
    let (before, rest) = (&before[bytes..], &body[bytes..]);
    let common = before.chars().rev().zip(rest.chars().rev()).take_while(|(a, b)| a == b);
    let (bytes, tail) =
        common.fold((0, 0), |(bytes, units), (char, _)| (bytes + char.len_utf8(), units + char.len_utf16()));
    let count = |units: usize| u32::try_from(units).unwrap_or(u32::MAX);
    ReplayBody { head: count(head), text: rest[..rest.len() - bytes].to_owned(), tail: count(tail) }
}

fn private(replayed: &ReplayedRun) -> Vec<PrivateText> {
    let mut private = Private::default();
    texts(&serde_json::to_value(replayed).unwrap_or_default(), &mut |text| private.look(text));
    private.listed()
}

fn texts(value: &Value, look: &mut impl FnMut(&str)) {
    match value {
        Value::String(text) => look(text),
        Value::Array(values) => values.iter().for_each(|value| texts(value, look)),
        Value::Object(fields) => fields.values().for_each(|value| texts(value, look)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn page(replayed: &ReplayedRun, redact: &[PrivateText]) -> String {
    let redact = sorted(redact);
    let value = match redact.is_empty() {
        true => serde_json::to_value(replayed),
        false => serde_json::to_value(whole_bodies(replayed, &redact)),
    };
    let mut value = value.unwrap_or_default();
    if !redact.is_empty() {
        change(&mut value, &redact);
    }
    let written = value.to_string();
    drop(value);
    let Some((before, behind)) = PAGE.split_once(PLACE) else { return PAGE.to_owned() };
    let mut page = String::with_capacity(PAGE.len() + written.len() + written.len() / 16);
    page.push_str(before);
    page.push('>');
    let mut rest = written.as_str();
    // Nothing in the run may end the element that it is in, or begin another.
    while let Some(at) = rest.find(['<', '\u{2028}', '\u{2029}']) {
        let (plain, special) = rest.split_at(at);
        page.push_str(plain);
        let mut chars = special.chars();
        page.push_str(match chars.next() {
            Some('<') => "\\u003c",
            Some('\u{2028}') => "\\u2028",
            _ => "\\u2029",
        });
        rest = chars.as_str();
    }
    page.extend([rest, "</script>", behind]);
    page
}

/// A removed text may be where a body was cut, so bodies are put together, changed and cut again. Marks refer to places
/// in texts, which move when something is removed.
fn whole_bodies(replayed: &ReplayedRun, redact: &[&PrivateText]) -> ReplayedRun {
    let mut changed = replayed.clone();
    let (mut before, mut last): (Vec<u16>, String) = (Vec::new(), String::new());
    for (place, body) in changed.bodies.iter_mut().enumerate() {
        if place.is_multiple_of(WHOLE) {
            (before, last) = (Vec::new(), String::new());
        }
        let tail = before.len().saturating_sub(body.tail as usize);
        let mut units = before[..(body.head as usize).min(before.len())].to_vec();
        units.extend(body.text.encode_utf16());
        units.extend(&before[tail..]);
        let whole = without(&String::from_utf16_lossy(&units), redact);
        *body = difference(&last, &whole);
        (before, last) = (units, whole);
    }
    for message in &mut changed.messages {
        for mark in &mut message.marks {
            mark.span.start = moved(&message.text, mark.span.start, redact);
            mark.span.end = moved(&message.text, mark.span.end, redact);
        }
    }
    changed
}

/// A place in a text after something was removed from it, in UTF-16 units.
fn moved(text: &str, place: usize, redact: &[&PrivateText]) -> usize {
    let mut units = 0;
    let bytes = text.char_indices().find(|(_, char)| {
        let here = units >= place;
        units += char.len_utf16();
        here
    });
    let bytes = bytes.map_or(text.len(), |(at, _)| at);
    without(&text[..bytes], redact).encode_utf16().count()
}

fn change(value: &mut Value, redact: &[&PrivateText]) {
    match value {
        Value::String(text) => *text = without(text, redact),
        Value::Array(values) => values.iter_mut().for_each(|value| change(value, redact)),
        Value::Object(fields) => fields.values_mut().for_each(|value| change(value, redact)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dto::{ExportArgs, ImportArgs, NoArgs, NoteArgs, PrivateKind, RunExport, VerdictArgs};
    use crate::{Freshness, Places};
    use camino::Utf8PathBuf;

    async fn sample() -> (Workbench, trace::RunId, tempfile::TempDir) {
        let home = tempfile::tempdir().unwrap();
        let places = Places::below(Utf8PathBuf::try_from(home.path().to_owned()).unwrap(), None);
        let bench = Workbench::open(places, Vec::new(), Freshness::ReadOnce, |_| {}).await;
        let run = bench.sample_run(NoArgs {}).await.unwrap();
        (bench, run, home)
    }

    #[test]
    fn a_body_is_what_differs_from_the_one_before() {
        for (before, body) in
            [("", "abc"), ("abc", "abc"), ("a🙂c", "a🙂🙂c"), ("aa", "a"), ("漢x字", "漢y字"), ("ab", "")]
        {
            let ReplayBody { head, text, tail } = difference(before, body);
            let units: Vec<u16> = before.encode_utf16().collect();
            let mut again = units[..head as usize].to_vec();
            again.extend(text.encode_utf16());
            again.extend(&units[units.len() - tail as usize..]);
            assert_eq!(String::from_utf16(&again).unwrap(), body);
        }
    }

    /// If `CI` is set, the pages were built before.
    #[tokio::test(flavor = "multi_thread")]
    async fn the_page_that_was_built_takes_the_run() {
        let built = (!PAGE.is_empty()).then_some(()).ok_or("no page was built: `npm run build` in `ui/`");
        if needed::require_or_skip(built).is_none() {
            return;
        }
        assert_eq!(PAGE.matches(PLACE).count(), 1);
        let (bench, run, _home) = sample().await;
        let page = bench.replay(ReplayArgs { run, chinese: false, redact: Vec::new() }).await.unwrap();
        assert!(!page.contains(PLACE) && page.contains(&run.to_string()));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn notes_and_the_verdict_go_with_the_page_and_without_what_is_private() {
        let (bench, run, _home) = sample().await;
        let event = bench.run_get(RunArgs { run }).await.unwrap().steps[2].event;
        let text = "ask ada@example.org".to_owned();
        bench.note_set(NoteArgs { run, event, text: text.clone(), bookmark: true }).await.unwrap();
        let review = bench
            .verdict_set(VerdictArgs { run, judged: Some(trace::review::Judged::Fail), line: "too early".into() })
            .await
            .unwrap();
        assert_eq!(bench.replayed(run, false).await.unwrap().review, review);
        if PAGE.is_empty() {
            return;
        }
        let found = bench.replay_private(RunArgs { run }).await.unwrap();
        let mail: Vec<_> = found.into_iter().filter(|each| each.text == "ada@example.org").collect();
        assert_eq!(mail.len(), 1);
        let page = async |redact| bench.replay(ReplayArgs { run, chinese: false, redact }).await.unwrap();
        let plain = page(Vec::new()).await;
        assert!(plain.contains(&text) && plain.contains("too early"));
        let redacted = page(mail).await;
        assert!(!redacted.contains("ada@example.org") && redacted.contains("too early"));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_is_private_is_found_and_taken_out_everywhere() {
        let (bench, run, _home) = sample().await;
        let key = format!("sk-ant-api03-{}", "0123456789abcdef".repeat(2));
        let text = bench.run_export(ExportArgs { run, format: RunExport::Jsonl }).await.unwrap();
        let said = format!("mail ada@example.org from /home/ada/x with {key} and </script><b>");
        let text = text.replace("How many pounds is 1 kilogram?", &said);
        bench.run_delete(RunArgs { run }).await.unwrap();
        let run = bench.run_import(ImportArgs { text }).await.unwrap();
        let found = bench.replay_private(RunArgs { run }).await.unwrap();
        let told: Vec<_> = found.iter().map(|each| (each.kind, &*each.text)).collect();
        for expected in
            [(PrivateKind::Key, &*key), (PrivateKind::Home, "/home/ada"), (PrivateKind::Email, "ada@example.org")]
        {
            assert!(told.contains(&expected), "{told:?}");
        }
        let replayed = bench.replayed(run, false).await.unwrap();
        let plain = serde_json::to_string(&replayed).unwrap();
        assert!(plain.contains(&key) && plain.contains("ada@example.org"));
        let redact: Vec<&PrivateText> = found.iter().collect();
        let mut value = serde_json::to_value(whole_bodies(&replayed, &redact)).unwrap();
        change(&mut value, &redact);
        for private in [&*key, "/home/ada", "ada@example.org"] {
            assert!(!value.to_string().contains(private), "{private}");
        }
        let written = super::page(&replayed, &found);
        assert!(written.is_empty() || !written[written.find("id=\"run\"").unwrap()..].contains("</script><b>"));
    }
}
