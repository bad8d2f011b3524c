//! `models`: the models that `run` can ask, their settings and their keys. A key is never an argument: those are kept in
//! the shell's history, and other users see them.

mod fields;

use std::collections::BTreeSet;
use std::io::{IsTerminal, Read};
use std::time::Duration;

use api::dto::{
    KeyDeleteArgs, KeySetArgs, KeySource, KeyStanding, KeyState, ModelAddArgs, ModelInfo, ModelList, ModelNamesArgs,
    ModelRemoveArgs, ModelUpdateArgs, NoArgs,
};
use api::{ApiError, Code, Workbench};
use clap::Subcommand;
use config::{ModelPreset, PRESETS};
use futures::StreamExt;
use jiff::civil::Date;
use jiff::{Unit, Zoned};
use model::address;
use model::check::{Check, CheckKind, CheckState};
use model::entry::ModelEntry;
use model::http::ListedModel;
use model::secret::keyring::SERVICE;
use model::secret::{KeyRef, Secret};
use serde_json::json;

use self::fields::{Begin, Fields};
use crate::print::{self, BOLD, CYAN, DIM, GREEN, PLAIN, RED, YELLOW, hanging, line, out, styled};
use crate::{Format, Formatted, Outcome, bench};

#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    output: Formatted,
}

#[derive(Subcommand)]
enum Command {
    /// Providers and servers that `add --preset` knows, or all about one of them
    Presets {
        #[arg(value_name = "PRESET")]
        id: Option<String>,
        #[command(flatten)]
        output: Formatted,
    },
    /// Write a model into models.yaml
    Add {
        /// What `run --model` is to call it
        #[arg(value_name = "ID")]
        id: String,
        #[command(flatten)]
        begin: Begin,
        #[command(flatten)]
        fields: Box<Fields>,
    },
    /// Change a model in models.yaml; what is not named stays
    Set {
        #[arg(value_name = "ID")]
        id: String,
        /// Call it so from now on
        #[arg(long, value_name = "ID")]
        rename: Option<String>,
        #[command(flatten)]
        fields: Box<Fields>,
    },
    /// Take a model out of models.yaml
    Remove {
        #[arg(value_name = "ID")]
        id: String,
    },
    /// A model as models.yaml has it
    Show {
        #[arg(value_name = "ID")]
        id: String,
        #[command(flatten)]
        output: Formatted,
    },
    /// The models that the server of a configured model lists
    Names {
        #[arg(value_name = "ID")]
        id: String,
        #[command(flatten)]
        output: Formatted,
    },
    /// Check step by step whether a model can be used: it is asked a few small things
    Test {
        #[arg(value_name = "ID")]
        id: String,
        #[command(flatten)]
        output: Formatted,
    },
    /// The keys that are kept in the system's keyring
    #[command(subcommand)]
    Key(KeyCommand),
}

#[derive(Subcommand)]
enum KeyCommand {
    /// Store the key of a model, which is asked for without showing it, or read from standard input
    Set {
        #[arg(value_name = "ID")]
        id: String,
    },
    /// Delete the key of a model
    Delete {
        #[arg(value_name = "ID")]
        id: String,
    },
}

pub async fn models(args: Args) -> Result<Outcome, ApiError> {
    let bench = bench(&[]).await?;
    match args.command {
        None => list(&bench, args.output.format).await,
        Some(Command::Presets { id, output }) => presets(id.as_deref(), output.format),
        Some(Command::Add { id, begin, fields }) => add(&bench, &id, &begin, &fields).await,
        Some(Command::Set { id, rename, fields }) => set(&bench, id, rename, &fields).await,
        Some(Command::Remove { id }) => remove(&bench, id).await,
        Some(Command::Show { id, output }) => show(&bench, &id, output.format).await,
        Some(Command::Names { id, output }) => names(&bench, &id, output.format).await,
        Some(Command::Test { id, output }) => test(&bench, &id, output.format).await,
        Some(Command::Key(KeyCommand::Set { id })) => key_set(&bench, &id).await,
        Some(Command::Key(KeyCommand::Delete { id })) => key_delete(&bench, &id).await,
    }
}

async fn list(bench: &Workbench, format: Format) -> Result<Outcome, ApiError> {
    let list = bench.model_list(NoArgs {}).await?;
    match format {
        Format::Json => print::json(&ModelList { models: list.models.iter().map(shown).collect(), ..list.clone() })?,
        Format::Text => {
            out(&table(&list));
            offers(&list).await.iter().for_each(|offer| print::note(offer));
        }
    }
    Ok(if list.error.is_some() { Outcome::Bad } else { Outcome::Good })
}

fn table(list: &ModelList) -> String {
    let row = |model: &ModelInfo| {
        let (style, state) = readiness(model);
        let place = model.base_url.as_deref().unwrap_or("no network, no key");
        vec![(BOLD, model.id.clone()), (PLAIN, model.title.clone()), (DIM, place.to_owned()), (style, state)]
    };
    let mut lines = vec![print::table(&list.models.iter().map(row).collect::<Vec<_>>(), &[])];
    for model in list.models.iter().filter(|model| model.key.state == KeyStanding::Unusable) {
        lines.push(format!("{} {}", styled(YELLOW, line(&format!("{}:", model.id))), hanging(&why(&model.key), "  ")));
    }
    lines.extend(list.error.as_ref().map(|error| format!("{} {}", styled(RED, "error:"), hanging(error, "  "))));
    lines.push(styled(DIM, line(&format!("Models are configured in {}", list.path))));
    lines.join("\n")
}

/// What is there and used by no model yet: keys in the environment, by name, and Ollama.
async fn offers(list: &ModelList) -> Vec<String> {
    let entries: Vec<&ModelEntry> = list.models.iter().filter_map(|model| model.entry.as_ref()).collect();
    let is_used = |name: &str| entries.iter().any(|entry| entry.key == Some(KeyRef::Env(name.to_owned())));
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let mut seen = BTreeSet::new();
    let keyed = PRESETS.iter().filter_map(|preset| preset.key_env.as_ref().map(|name| (preset, name)));
    let keyed = keyed.filter(|(_, name)| seen.insert(name.as_str()) && is_set(name) && !is_used(name));
    let mut offers: Vec<String> = keyed
        .map(|(preset, name)| {
            let id = &preset.id;
            let model = preset.models.first().map_or("NAME", |model| &model.id);
            format!("{name} is set: `skillbench models add {id} --preset {id} --model {model}` makes a model of it")
        })
        .collect();
    let knows_ollama = entries.iter().any(|entry| entry.base_url.contains(OLLAMA.1));
    let connects = tokio::time::timeout(LOCAL_PATIENCE, tokio::net::TcpStream::connect(OLLAMA.0));
    if !knows_ollama && matches!(connects.await, Ok(Ok(_))) {
        offers.push(
            "Ollama seems to run on this machine: `skillbench models add ollama --preset ollama --model NAME` makes a \
             model of it"
                .to_owned(),
        );
    }
    offers
}

fn readiness(model: &ModelInfo) -> (anstyle::Style, String) {
    let KeyState { source, name, state, .. } = &model.key;
    match (state, source, name) {
        (KeyStanding::Set | KeyStanding::Unneeded, ..) => (GREEN, "ready".to_owned()),
        (KeyStanding::Missing, KeySource::Env, Some(name)) => (YELLOW, format!("set {name} to its key")),
        (KeyStanding::Missing, ..) => (YELLOW, format!("`skillbench models key set {}`", model.id)),
        (KeyStanding::Unusable, ..) => (YELLOW, "its key cannot be used".to_owned()),
    }
}

/// Why a key is not to be had, and what to do.
fn why(key: &KeyState) -> String {
    let known = [&key.reason, &key.hint].into_iter().flatten().map(String::as_str);
    known.collect::<Vec<_>>().join("; ")
}

fn presets(id: Option<&str>, format: Format) -> Result<Outcome, ApiError> {
    let one = id.map(preset).transpose()?;
    match (format, one) {
        (Format::Json, Some(preset)) => print::json(preset)?,
        (Format::Json, None) => print::json(&*PRESETS)?,
        (Format::Text, Some(preset)) => out(&card(preset)),
        (Format::Text, None) => {
            let row = |preset: &ModelPreset| {
                vec![(BOLD, preset.id.clone()), (PLAIN, preset.title.clone()), (DIM, preset.base_url.clone())]
            };
            out(&print::table(&PRESETS.iter().map(row).collect::<Vec<_>>(), &[]));
            let today = Zoned::now().date();
            let old: Vec<&str> = PRESETS.iter().filter(|it| stale(it, today).is_some()).map(|it| &*it.id).collect();
            if !old.is_empty() {
                print::note(&format!(
                    "names and prices of models are older than {FRESH_DAYS} days for: {}",
                    old.join(", ")
                ));
            }
            out(&styled(
                DIM,
                "`skillbench models presets PRESET` tells more, `skillbench models add` makes a model of one",
            ));
        }
    }
    Ok(Outcome::Good)
}

fn preset(id: &str) -> Result<&'static ModelPreset, ApiError> {
    ModelPreset::find(id).ok_or_else(|| {
        ApiError::new(Code::Unknown, format!("there is no preset `{id}`"))
            .hint("`skillbench models presets` lists those there are")
    })
}

/// How many days ago the month of a preset ended, if that is too long.
fn stale(preset: &ModelPreset, today: Date) -> Option<i32> {
    let month = preset.prices_as_of.as_ref()?;
    let end = format!("{month}-01").parse::<Date>().ok()?.last_of_month();
    let days = today.since((Unit::Day, end)).ok()?.get_days();
    (days > FRESH_DAYS).then_some(days)
}

fn card(preset: &ModelPreset) -> String {
    let mut lines =
        vec![format!("{}  {}", styled(BOLD, &preset.id), preset.title), format!("address  {}", preset.base_url)];
    let placeholder = preset.placeholders.iter();
    lines.extend(placeholder.map(|part| format!("         {{{}}}: {}, e.g. {}", part.name, part.what, part.example)));
    let key = [&preset.key_env, &preset.key_url].into_iter().flatten().map(String::as_str).collect::<Vec<_>>();
    lines.push(format!("key      {}", if key.is_empty() { "none".to_owned() } else { key.join(", from ") }));
    lines.extend(preset.docs.as_ref().map(|docs| format!("more     {docs}")));
    for (place, model) in preset.models.iter().enumerate() {
        let context = model.context.map(|tokens| format!(", {tokens} tokens"));
        let prices = model.prices.map(|prices| format!(", ${} in and ${} out", prices.input, prices.output));
        let label = if place == 0 { "models   " } else { "         " };
        lines.push(format!("{label}{}{}{}", model.id, context.unwrap_or_default(), prices.unwrap_or_default()));
    }
    if let Some(month) = &preset.prices_as_of {
        lines.push(styled(DIM, format!("         US dollars for a million tokens, as of {month}")));
    }
    if let Some(days) = stale(preset, Zoned::now().date()) {
        let docs = preset.docs.as_deref().unwrap_or("the provider's pages");
        let text = format!("         these names and prices are {days} days old: compare them with {docs}");
        lines.push(styled(YELLOW, text));
    }
    lines.extend(preset.note.clone());
    lines.join("\n")
}

async fn add(bench: &Workbench, id: &str, begin: &Begin, fields: &Fields) -> Result<Outcome, ApiError> {
    let entry = fields.begin(begin, id)?;
    let list = bench.model_add(ModelAddArgs { entry: json!(entry), version: None }).await?;
    written("Added", id, &list);
    Ok(Outcome::Good)
}

async fn set(bench: &Workbench, id: String, rename: Option<String>, fields: &Fields) -> Result<Outcome, ApiError> {
    let mut tries = 0..TRIES;
    loop {
        let list = bench.model_list(NoArgs {}).await?;
        let mut entry = configured(&list, &id)?.clone();
        fields.apply(&mut entry)?;
        entry.id = rename.clone().unwrap_or(entry.id);
        let args = ModelUpdateArgs { id: id.clone(), entry: json!(entry), version: list.version };
        match bench.model_update(args).await {
            // Somebody else changed the file since it was read: what was asked for is done to what it holds now.
            Err(error) if error.code == Code::Changed && tries.next().is_some() => {}
            changed => {
                written("Changed", &entry.id, &changed?);
                return Ok(Outcome::Good);
            }
        }
    }
}

/// What was written, and what is still to be done before it can be used.
fn written(done: &str, id: &str, list: &ModelList) {
    out(&format!("{done} {} in {}", styled(BOLD, line(id)), line(&list.path)));
    let Some(model) = list.models.iter().find(|model| model.id == id) else { return };
    match (model.key.state, model.key.source) {
        (KeyStanding::Set | KeyStanding::Unneeded, _) => {}
        (KeyStanding::Missing, KeySource::Keyring) => {
            print::note(&format!("`skillbench models key set {id}` stores its key in the system's keyring"));
        }
        (KeyStanding::Missing | KeyStanding::Unusable, _) => print::note(&why(&model.key)),
    }
}

async fn remove(bench: &Workbench, id: String) -> Result<Outcome, ApiError> {
    let before = bench.model_list(NoArgs {}).await?;
    let key = configured(&before, &id)?.key.clone();
    let list = bench.model_remove(ModelRemoveArgs { id: id.clone(), version: None }).await?;
    out(&format!("Removed {} from {}", styled(BOLD, line(&id)), line(&list.path)));
    let is_used = list.models.iter().filter_map(|model| model.entry.as_ref()).any(|entry| entry.key == key);
    if let Some(KeyRef::Keyring(name)) = key.filter(|_| !is_used) {
        print::note(&format!(
            "A key may still be in the system's keyring, as {name} of {SERVICE}: delete it there, or add a model with \
             `--key-keyring {name}` again and use `skillbench models key delete`"
        ));
    }
    Ok(Outcome::Good)
}

async fn show(bench: &Workbench, id: &str, format: Format) -> Result<Outcome, ApiError> {
    let list = bench.model_list(NoArgs {}).await?;
    let entry = configured(&list, id)?;
    match format {
        Format::Json => print::json(&list.models.iter().find(|model| model.id == id).map(shown))?,
        Format::Text => {
            let entry = ModelEntry { base_url: address::shown(&entry.base_url), ..entry.clone() };
            let text = serde_yaml::to_string(&entry.written())
                .map_err(|error| ApiError::new(Code::Invalid, format!("`{id}` cannot be written as YAML: {error}")))?;
            out(text.trim_end());
        }
    }
    Ok(Outcome::Good)
}

/// The model as it is printed: an address may hold a key.
fn shown(model: &ModelInfo) -> ModelInfo {
    let entry = model.entry.clone();
    let entry = entry.map(|entry| ModelEntry { base_url: address::shown(&entry.base_url), ..entry });
    ModelInfo { entry, ..model.clone() }
}

async fn names(bench: &Workbench, id: &str, format: Format) -> Result<Outcome, ApiError> {
    let list = bench.model_list(NoArgs {}).await?;
    let entry = json!(configured(&list, id)?);
    let names = bench.model_names(ModelNamesArgs { entry }).await?;
    match format {
        Format::Json => print::json(&names)?,
        Format::Text if names.is_empty() => print::note("the server lists no models"),
        Format::Text => {
            let row = |model: &ListedModel| {
                let context = model.context.map(|tokens| format!("{tokens} tokens")).unwrap_or_default();
                let title = model.title.clone().unwrap_or_default();
                vec![(BOLD, model.id.clone()), (PLAIN, title), (DIM, context)]
            };
            out(&print::table(&names.iter().map(row).collect::<Vec<_>>(), &[]));
        }
    }
    Ok(Outcome::Good)
}

async fn test(bench: &Workbench, id: &str, format: Format) -> Result<Outcome, ApiError> {
    let list = bench.model_list(NoArgs {}).await?;
    let mut checks = bench.model_checks(&json!(configured(&list, id)?)).await?;
    let mut ended = Vec::new();
    while let Some(check) = checks.next().await {
        if format == Format::Text {
            out(&check_text(&check));
        }
        ended.push(check);
    }
    if format == Format::Json {
        print::json(&ended)?;
    }
    let failed = ended.iter().any(|check| check.state == CheckState::Failed);
    Ok(if failed { Outcome::Bad } else { Outcome::Good })
}

/// A check with what to do about it.
fn check_text(check: &Check) -> String {
    let (style, state) = match check.state {
        CheckState::Passed => (GREEN, "passed"),
        CheckState::Warned => (YELLOW, "warned"),
        CheckState::Failed => (RED, "failed"),
        CheckState::Skipped => (DIM, "skipped"),
    };
    let kind = match check.kind {
        CheckKind::Reach => "reach",
        CheckKind::Tls => "tls",
        CheckKind::Key => "key",
        CheckKind::Model => "model",
        CheckKind::Answer => "answer",
        CheckKind::Stream => "stream",
        CheckKind::Tool => "tool",
    };
    let took = check.took.map(|took| styled(DIM, format!(" ({took} ms)"))).unwrap_or_default();
    let below = "\n                 ";
    let hint = check.hint.as_ref().map(|hint| format!("{below}{} {}", styled(CYAN, "hint:"), line(hint)));
    let text = hanging(&check.text, below.trim_start_matches('\n'));
    format!("{}  {kind:<6}  {text}{took}{}", styled(style, format!("{state:<7}")), hint.unwrap_or_default())
}

/// The entry of a model, where `models.yaml` has one.
fn configured<'a>(list: &'a ModelList, id: &str) -> Result<&'a ModelEntry, ApiError> {
    if let Some(error) = &list.error {
        return Err(ApiError::new(Code::Invalid, error.clone()).hint("correct the file and try again"));
    }
    let model = list.models.iter().find(|model| model.id == id);
    match model {
        Some(ModelInfo { entry: Some(entry), .. }) => Ok(entry),
        Some(_) => Err(ApiError::new(Code::Invalid, format!("`{id}` is built in; there is nothing to set or to test"))),
        None => Err(ApiError::new(Code::Unknown, format!("there is no model `{id}`"))
            .hint("`skillbench models` lists those there are")),
    }
}

async fn key_set(bench: &Workbench, id: &str) -> Result<Outcome, ApiError> {
    // A model that has no such key is told before anybody is asked for one.
    let name = keyring_entry(&bench.model_list(NoArgs {}).await?, id)?;
    let secret = typed_key(id)?;
    if secret.reveal().trim().is_empty() {
        return Err(ApiError::new(Code::Invalid, "no key came: the input is empty")
            .hint("type or paste the key, or give it on standard input; nothing was stored"));
    }
    bench.key_set(KeySetArgs { name: name.clone(), secret }).await?;
    let (id, name) = (styled(BOLD, line(id)), line(&name));
    out(&format!("The key of {id} is in the system's keyring, as {name} of {SERVICE}"));
    Ok(Outcome::Good)
}

/// Where the key of a model is kept, if that is the keyring.
fn keyring_entry(list: &ModelList, id: &str) -> Result<String, ApiError> {
    let instead = format!("`skillbench models set {id} --key-keyring {id}` reads it from the keyring from now on");
    match &configured(list, id)?.key {
        Some(KeyRef::Keyring(name)) => Ok(name.clone()),
        Some(key @ KeyRef::Env(name)) => {
            let error = ApiError::new(Code::Invalid, format!("the key of `{id}` is read from {key}"));
            Err(error.hint(format!("set {name} to the key; {instead}")))
        }
        None => Err(ApiError::new(Code::Invalid, format!("`{id}` names no key")).hint(instead)),
    }
}

/// From the terminal without an echo, else all of standard input.
fn typed_key(id: &str) -> Result<Secret, ApiError> {
    let unreadable = |error| ApiError::io("standard input".into(), "cannot read", error);
    if std::io::stdin().is_terminal() {
        let prompt = format!("Key of {id} (it is not shown): ");
        return print::typed_unseen(&prompt).map(Secret::new).map_err(unreadable);
    }
    let mut key = String::new();
    std::io::stdin().lock().take(KEY_LIMIT).read_to_string(&mut key).map_err(unreadable)?;
    Ok(Secret::new(key))
}

async fn key_delete(bench: &Workbench, id: &str) -> Result<Outcome, ApiError> {
    let name = keyring_entry(&bench.model_list(NoArgs {}).await?, id)?;
    bench.key_delete(KeyDeleteArgs { name: name.clone() }).await?;
    let (id, name) = (styled(BOLD, line(id)), line(&name));
    out(&format!("The key of {id} is no longer in the system's keyring ({name} of {SERVICE})"));
    Ok(Outcome::Good)
}

/// Where Ollama listens, and what its address in an entry has.
const OLLAMA: (&str, &str) = ("127.0.0.1:11434", ":11434");

/// For a server of this machine to take a connection.
const LOCAL_PATIENCE: Duration = Duration::from_millis(300);

/// Days after which names and prices of a provider's models have to be looked up again.
const FRESH_DAYS: i32 = 90;

/// How often a file that others change at the same time is read again.
const TRIES: u32 = 100;

/// Bytes of standard input; no key is as long.
const KEY_LIMIT: u64 = 1 << 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preset_is_stale_ninety_days_after_its_month() {
        let preset = ModelPreset { prices_as_of: Some("2025-10".into()), ..PRESETS[0].clone() };
        let on = |day: &str| stale(&preset, day.parse().unwrap());
        assert_eq!(["2025-10-01", "2026-01-29", "2026-01-30"].map(on), [None, None, Some(91)]);
        let undated = ModelPreset { prices_as_of: None, ..preset.clone() };
        assert_eq!(stale(&undated, "2030-01-01".parse().unwrap()), None);
    }
}
