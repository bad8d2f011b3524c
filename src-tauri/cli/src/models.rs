//! `models`: the models that `run` can ask, their settings and their keys. A key is never an argument: those are kept in
//! the shell's history, and other users see them.

mod fields;

use std::io::{IsTerminal, Read};

use api::dto::{
    KeyDeleteArgs, KeySetArgs, KeySource, KeyStanding, KeyState, ModelAddArgs, ModelInfo, ModelList, ModelNamesArgs,
    ModelOffer, ModelRemoveArgs, ModelUpdateArgs, NoArgs,
};
use api::{ApiError, Code, Workbench};
use clap::Subcommand;
use config::{FRESH_DAYS, ModelPreset, PRESETS};
use futures::StreamExt;
use jiff::Zoned;
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
use wording::{Message, message};

use crate::language::Chosen;

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
    /// Providers and servers that `add --preset` knows, or one of them in full
    Presets {
        #[arg(value_name = "PRESET")]
        id: Option<String>,
        #[command(flatten)]
        output: Formatted,
    },
    /// Write a model into models.yaml
    Add {
        /// The name for `run --model`
        #[arg(value_name = "ID")]
        id: String,
        #[command(flatten)]
        begin: Begin,
        #[command(flatten)]
        fields: Box<Fields>,
    },
    /// Change a model in models.yaml; other settings stay
    Set {
        #[arg(value_name = "ID")]
        id: String,
        /// Rename the model to ID
        #[arg(long, value_name = "ID")]
        rename: Option<String>,
        #[command(flatten)]
        fields: Box<Fields>,
    },
    /// Remove a model from models.yaml
    Remove {
        #[arg(value_name = "ID")]
        id: String,
    },
    /// What models.yaml says of a model
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
    /// Report models without a key, and presets whose names and prices are old; sends nothing
    Check {
        #[command(flatten)]
        output: Formatted,
    },
    /// Check step by step whether a model can be used, with a few small requests
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
        Some(Command::Check { output }) => check(&bench, output.format).await,
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
            offers(bench).await?.iter().for_each(|offer| print::note(offer));
        }
    }
    Ok(if list.error.is_some() { Outcome::Bad } else { Outcome::Good })
}

fn table(list: &ModelList) -> String {
    let row = |model: &ModelInfo| {
        let (style, state) = readiness(model);
        let title = if model.rehearsal {
            words!("Rehearsal: plays a screenplay", "排练：按剧本作答")
        } else {
            model.title.clone()
        };
        let place = model.base_url.clone().unwrap_or_else(|| words!("no network, no key", "无需网络和密钥"));
        vec![(BOLD, model.id.clone()), (PLAIN, title), (DIM, place), (style, state)]
    };
    let mut lines = vec![print::table(&list.models.iter().map(row).collect::<Vec<_>>(), &[])];
    for model in list.models.iter().filter(|model| model.key.state == KeyStanding::Unusable) {
        lines.push(format!("{} {}", styled(YELLOW, line(&format!("{}:", model.id))), hanging(&why(&model.key), "  ")));
    }
    lines.extend(list.error.as_ref().map(|error| {
        let error = Message { en: error.clone(), zh: list.error_zh.clone().unwrap_or_else(|| error.clone()) }.chosen();
        format!("{}{}", styled(RED, words!("error:", "错误：")) + &words!(" ", ""), hanging(&error, "  "))
    }));
    lines.push(styled(DIM, line(&words!("Models are configured in {}", "模型配置在 {}", list.path))));
    lines.join("\n")
}

/// Servers that no model uses yet, and how to use them.
async fn offers(bench: &Workbench) -> Result<Vec<String>, ApiError> {
    let told = |offer: ModelOffer| {
        let ModelOffer { preset: id, key_env } = offer;
        let model = ModelPreset::find(&id).and_then(|preset| preset.models.first()).map_or("NAME", |model| &model.id);
        match key_env {
            Some(name) => words!(
                "{name} is set: `skillbench models add {id} --preset {id} --model {model}` creates a model with it",
                "{name} 已设置：`skillbench models add {id} --preset {id} --model {model}` 可用它添加模型"
            ),
            None => words!(
                "Ollama seems to run on this machine: `skillbench models add {id} --preset {id} --model NAME` creates a \
                 model with it",
                "本机似乎正在运行 Ollama：`skillbench models add {id} --preset {id} --model NAME` 可用它添加模型"
            ),
        }
    };
    Ok(bench.model_offers(NoArgs {}).await?.into_iter().map(told).collect())
}

fn readiness(model: &ModelInfo) -> (anstyle::Style, String) {
    let KeyState { source, name, state, .. } = &model.key;
    match (state, source, name) {
        (KeyStanding::Set | KeyStanding::Unneeded, ..) => (GREEN, words!("ready", "就绪")),
        (KeyStanding::Printed, ..) => {
            let name = line(name.as_deref().unwrap_or_default());
            (GREEN, words!("key from {name}", "密钥来自 {name}"))
        }
        (KeyStanding::Missing, KeySource::Env, Some(name)) => {
            (YELLOW, words!("set {name} to its key", "请将 {name} 设为其密钥"))
        }
        (KeyStanding::Missing | KeyStanding::Unusable, KeySource::Aws, _) => {
            (YELLOW, words!("it has no AWS credentials", "没有 AWS 凭证"))
        }
        (KeyStanding::Missing, ..) => (YELLOW, format!("`skillbench models key set {}`", model.id)),
        (KeyStanding::Unusable, ..) => (YELLOW, words!("its key cannot be used", "其密钥无法使用")),
    }
}

/// Why a key is not available, and what to do.
fn why(key: &KeyState) -> String {
    key.why.as_ref().map(|why| Message::list(&[why.worded(), why.hint()]).chosen()).unwrap_or_default()
}

fn presets(id: Option<&str>, format: Format) -> Result<Outcome, ApiError> {
    let one = id.map(preset).transpose()?;
    match (format, one) {
        (Format::Json, Some(preset)) => print::json(preset)?,
        (Format::Json, None) => print::json(&*PRESETS)?,
        (Format::Text, Some(preset)) => out(&card(preset)),
        (Format::Text, None) => {
            let row = |preset: &ModelPreset| {
                vec![(BOLD, preset.id.clone()), (PLAIN, preset.worded_title().chosen()), (DIM, preset.base_url.clone())]
            };
            out(&print::table(&PRESETS.iter().map(row).collect::<Vec<_>>(), &[]));
            let today = Zoned::now().date();
            let old: Vec<&str> = PRESETS.iter().filter(|it| it.stale(today).is_some()).map(|it| &*it.id).collect();
            if !old.is_empty() {
                print::note(&words!(
                    "names and prices of models are older than {FRESH_DAYS} days for: {}",
                    "以下预设的模型名称和价格已超过 {FRESH_DAYS} 天：{}",
                    old.join(", ")
                ));
            }
            out(&styled(
                DIM,
                words!(
                    "`skillbench models presets PRESET` shows more, `skillbench models add` creates a model from one",
                    "`skillbench models presets PRESET` 显示更多，`skillbench models add` 以它添加模型"
                ),
            ));
        }
    }
    Ok(Outcome::Good)
}

fn preset(id: &str) -> Result<&'static ModelPreset, ApiError> {
    ModelPreset::find(id).ok_or_else(|| {
        ApiError::new(Code::Unknown, message!("there is no preset `{id}`", "没有预设 `{id}`")).hint(message!(
            "`skillbench models presets` lists the presets",
            "`skillbench models presets` 会列出已有的预设"
        ))
    })
}

fn card(preset: &ModelPreset) -> String {
    let mut lines = vec![
        format!("{}  {}", styled(BOLD, &preset.id), preset.worded_title().chosen()),
        words!("address  {}", "地址     {}", preset.base_url),
    ];
    let placeholder = preset.placeholders.iter();
    lines.extend(placeholder.map(|part| {
        let what = Message { en: part.what.clone(), zh: part.what_zh.clone() };
        let (name, example) = (&part.name, &part.example);
        words!("         {{{name}}}: {what}, e.g. {example}", "         {{{name}}}：{what}，例如 {example}"; what)
    }));
    let key = [&preset.key_env, &preset.key_url].into_iter().flatten().map(String::as_str).collect::<Vec<_>>();
    let key = match &key[..] {
        [] => words!("none", "无"),
        key => key.join(&words!(", from ", "，获取于 ")),
    };
    lines.push(words!("key      {key}", "密钥     {key}"));
    lines.extend(preset.docs.as_ref().map(|docs| words!("more     {docs}", "更多     {docs}")));
    for (place, model) in preset.models.iter().enumerate() {
        let context = model.context.map(|tokens| words!(", {tokens} tokens", "，{tokens} token"));
        let prices = model
            .prices
            .map(|prices| words!(", ${} in and ${} out", "，输入 ${}，输出 ${}", prices.input, prices.output));
        let label = if place == 0 { words!("models   ", "模型     ") } else { " ".repeat(9) };
        lines.push(format!("{label}{}{}{}", model.id, context.unwrap_or_default(), prices.unwrap_or_default()));
    }
    if let Some(month) = &preset.as_of {
        lines.push(styled(
            DIM,
            words!("         US dollars for a million tokens, as of {month}", "         美元/百万 token，截至 {month}"),
        ));
    }
    if let Some(days) = preset.stale(Zoned::now().date()) {
        let docs = preset.docs.as_ref().map(Message::quoted);
        let docs = docs.unwrap_or_else(|| message!("the provider's pages", "提供商的网页"));
        let text = words!(
            "         these names and prices are {days} days old: compare them with {docs}",
            "         这些名称和价格是 {days} 天前的：请对照 {docs}";
            docs
        );
        lines.push(styled(YELLOW, text));
    }
    lines.extend(preset.note.as_ref().map(|en| {
        let zh = preset.note_zh.as_ref().unwrap_or(en);
        Message { en: en.clone(), zh: zh.clone() }.chosen()
    }));
    lines.join("\n")
}

async fn add(bench: &Workbench, id: &str, begin: &Begin, fields: &Fields) -> Result<Outcome, ApiError> {
    let entry = fields.begin(begin, id)?;
    let list = bench.model_add(ModelAddArgs { entry: json!(entry), version: None }).await?;
    out(&words!("Added {} to {}", "已将 {} 加入 {}", styled(BOLD, line(id)), line(&list.path)));
    written(id, &list);
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
            // Another process changed the file since it was read: the change is applied to the new contents.
            Err(error) if error.code == Code::Changed && tries.next().is_some() => {}
            changed => {
                let changed = changed?;
                let (id, path) = (styled(BOLD, line(&entry.id)), line(&changed.path));
                out(&words!("Changed {id} in {path}", "已修改 {path} 中的 {id}"));
                written(&entry.id, &changed);
                return Ok(Outcome::Good);
            }
        }
    }
}

/// What is still to be done before a model can be used.
fn written(id: &str, list: &ModelList) {
    let Some(model) = list.models.iter().find(|model| model.id == id) else { return };
    match (model.key.state, model.key.source) {
        (KeyStanding::Set | KeyStanding::Printed | KeyStanding::Unneeded, _) => {}
        (KeyStanding::Missing, KeySource::Keyring) => {
            print::note(&words!(
                "`skillbench models key set {id}` stores its key in the system's keyring",
                "`skillbench models key set {id}` 可将其密钥存入系统的密钥环"
            ));
        }
        (KeyStanding::Missing | KeyStanding::Unusable, _) => print::note(&why(&model.key)),
    }
}

async fn remove(bench: &Workbench, id: String) -> Result<Outcome, ApiError> {
    let before = bench.model_list(NoArgs {}).await?;
    let key = configured(&before, &id)?.key.clone();
    let list = bench.model_remove(ModelRemoveArgs { id: id.clone(), version: None }).await?;
    out(&words!("Removed {} from {}", "已将 {} 从 {} 中移除", styled(BOLD, line(&id)), line(&list.path)));
    let is_used = list.models.iter().filter_map(|model| model.entry.as_ref()).any(|entry| entry.key == key);
    if let Some(KeyRef::Keyring(name)) = key.filter(|_| !is_used) {
        print::note(&words!(
            "A key may still be in the system's keyring, as {name} of {SERVICE}: delete it there, or add a model with \
             `--key-keyring {name}` again and use `skillbench models key delete`",
            "系统的密钥环中可能还留有密钥（{SERVICE} 的 {name}）：请在那里删除，或再次用 `--key-keyring {name}` 添加模型并使用 \
             `skillbench models key delete`"
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
            let text = serde_yaml::to_string(&entry.written()).map_err(|error| {
                ApiError::new(
                    Code::Invalid,
                    message!("cannot write `{id}` as YAML: {error}", "无法将 `{id}` 写成 YAML：{error}"),
                )
            })?;
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
        Format::Text if names.is_empty() => {
            print::note(&words!("the server lists no models", "服务器没有列出任何模型"))
        }
        Format::Text => {
            let row = |model: &ListedModel| {
                let context =
                    model.context.map(|tokens| words!("{tokens} tokens", "{tokens} token")).unwrap_or_default();
                let title = model.title.clone().unwrap_or_default();
                vec![(BOLD, model.id.clone()), (PLAIN, title), (DIM, context)]
            };
            out(&print::table(&names.iter().map(row).collect::<Vec<_>>(), &[]));
        }
    }
    Ok(Outcome::Good)
}

/// What to look at before a model is used, without a request.
async fn check(bench: &Workbench, format: Format) -> Result<Outcome, ApiError> {
    let list = bench.model_list(NoArgs {}).await?;
    let today = Zoned::now().date();
    let mut found: Vec<(String, Message)> = Vec::new();
    found.extend(list.error.iter().map(|en| {
        let zh = list.error_zh.clone().unwrap_or_else(|| en.clone());
        (list.path.clone(), Message { en: en.clone(), zh })
    }));
    for model in list.models.iter().filter(|model| !model.rehearsal) {
        if let Some(why) = &model.key.why {
            found.push((model.id.clone(), Message::list(&[why.worded(), why.hint()])));
        }
        let preset = model.preset.as_deref().and_then(ModelPreset::find);
        if let Some((preset, days)) = preset.and_then(|preset| Some((preset, preset.stale(today)?))) {
            let source = preset.source.as_deref().unwrap_or_default();
            let (title, source) = (preset.worded_title(), Message::quoted(source));
            let days = Message::quoted(days.to_string());
            let old = message!(
                "what is known of the models of {title} is {days} days old: compare name, limits and prices with {source}",
                "关于 {title} 的模型的信息是 {days} 天前的：请对照 {source} 检查名称、上限和价格";
                title, days, source
            );
            found.push((model.id.clone(), old));
        }
    }
    match format {
        Format::Json => {
            let findings =
                found.iter().map(|(model, text)| json!({ "model": model, "text": text.en, "textZh": text.zh }));
            print::json(&findings.collect::<Vec<_>>())?;
        }
        Format::Text if found.is_empty() => out(&words!("nothing to report", "没有需要报告的问题")),
        Format::Text => {
            let line_of = |(model, text): &(String, Message)| {
                format!("{} {}", styled(YELLOW, line(&format!("{model}:"))), hanging(&text.clone().chosen(), "  "))
            };
            out(&found.iter().map(line_of).collect::<Vec<_>>().join("\n"));
        }
    }
    Ok(if found.is_empty() { Outcome::Good } else { Outcome::Bad })
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
        CheckState::Passed => (GREEN, words!("passed", "通过")),
        CheckState::Warned => (YELLOW, words!("warned", "警告")),
        CheckState::Failed => (RED, words!("failed", "失败")),
        CheckState::Skipped => (DIM, words!("skipped", "略过")),
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
    let hint = check.next_step().map(Chosen::chosen);
    let hint = hint.map(|hint| format!("{below}{} {}", styled(CYAN, words!("hint:", "提示：")), line(&hint)));
    let text = hanging(&check.found.worded().chosen(), below.trim_start_matches('\n'));
    format!("{}  {kind:<6}  {text}{took}{}", styled(style, print::padded(&state, 7)), hint.unwrap_or_default())
}

/// The entry of a model, if `models.yaml` has one.
fn configured<'a>(list: &'a ModelList, id: &str) -> Result<&'a ModelEntry, ApiError> {
    if let Some(error) = &list.error {
        return Err(ApiError::new(
            Code::Invalid,
            Message { en: error.clone(), zh: list.error_zh.clone().unwrap_or_else(|| error.clone()) },
        )
        .hint(message!("correct the file and try again", "请更正文件后重试")));
    }
    let model = list.models.iter().find(|model| model.id == id);
    match model {
        Some(ModelInfo { entry: Some(entry), .. }) => Ok(entry),
        Some(_) => Err(ApiError::new(
            Code::Invalid,
            message!(
                "`{id}` is built in; there is nothing to set or to test",
                "`{id}` 是内置的，没有可设置或测试的内容"
            ),
        )),
        None => Err(ApiError::new(Code::Unknown, message!("there is no model `{id}`", "没有模型 `{id}`"))
            .hint(message!("`skillbench models` lists the models", "`skillbench models` 会列出已有的模型"))),
    }
}

async fn key_set(bench: &Workbench, id: &str) -> Result<Outcome, ApiError> {
    // If the model has no such key, that is reported before the user is asked for one.
    let name = keyring_entry(&bench.model_list(NoArgs {}).await?, id)?;
    let secret = typed_key(id)?;
    if secret.reveal().trim().is_empty() {
        return Err(ApiError::new(
            Code::Invalid,
            message!("no key came: the input is empty", "没有收到密钥：输入为空"),
        )
        .hint(message!(
            "type or paste the key, or give it on standard input; nothing was stored",
            "请输入或粘贴密钥，或由标准输入给出；没有存入任何内容"
        )));
    }
    bench.key_set(KeySetArgs { name: name.clone(), secret }).await?;
    let (id, name) = (styled(BOLD, line(id)), line(&name));
    out(&words!(
        "The key of {id} is in the system's keyring, as {name} of {SERVICE}",
        "{id} 的密钥已存入系统的密钥环（{SERVICE} 的 {name}）"
    ));
    Ok(Outcome::Good)
}

/// The keyring entry of a model's key, if the key is in the keyring.
fn keyring_entry(list: &ModelList, id: &str) -> Result<String, ApiError> {
    let instead = message!(
        "`skillbench models set {id} --key-keyring {id}` makes it come from the keyring",
        "`skillbench models set {id} --key-keyring {id}` 可改为从密钥环读取"
    );
    match &configured(list, id)?.key {
        Some(KeyRef::Keyring(name)) => Ok(name.clone()),
        Some(key @ KeyRef::Env(name)) => {
            let key = key.worded();
            let read = message!("the key of `{id}` is read from {key}", "`{id}` 的密钥从{key} 读取"; key);
            Err(ApiError::new(Code::Invalid, read)
                .hint(message!("set {name} to the key; {instead}", "请将 {name} 设为密钥；{instead}"; instead)))
        }
        Some(key @ KeyRef::Aws(_)) => {
            let key = key.worded();
            let read = message!("requests to `{id}` are signed: {key}", "发给 `{id}` 的请求带有签名：{key}"; key);
            Err(ApiError::new(Code::Invalid, read).hint(instead))
        }
        Some(key @ KeyRef::Command { .. }) => {
            let name = key.name();
            let read = message!("the command {name} prints the key of `{id}`", "`{id}` 的密钥由命令 {name} 给出");
            Err(ApiError::new(Code::Invalid, read).hint(instead))
        }
        None => Err(ApiError::new(Code::Invalid, message!("`{id}` names no key", "`{id}` 没有写明密钥")).hint(instead)),
    }
}

/// From the terminal without an echo, else all of standard input.
fn typed_key(id: &str) -> Result<Secret, ApiError> {
    let unreadable = print::unread;
    if std::io::stdin().is_terminal() {
        let prompt = words!("Key of {id} (it is not shown): ", "{id} 的密钥（不会显示）：");
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
    out(&words!(
        "The key of {id} is no longer in the system's keyring ({name} of {SERVICE})",
        "{id} 的密钥已从系统的密钥环中删除（{SERVICE} 的 {name}）"
    ));
    Ok(Outcome::Good)
}

/// How often a file that others change at the same time is read again.
const TRIES: u32 = 100;

/// The most bytes of standard input; no key is that long.
const KEY_LIMIT: u64 = 1 << 16;
