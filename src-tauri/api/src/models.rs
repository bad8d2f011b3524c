//! The models in `models.yaml`, and the keys they name. A key goes into the keyring and never comes back.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;

use camino::Utf8Path;
use futures::future::join_all;

use super::dto::{
    KeyArgs, KeyDeleteArgs, KeySetArgs, KeySource, KeyStanding, KeyState, ModelAddArgs, ModelInfo, ModelList,
    ModelOffer, ModelRemoveArgs, ModelUpdateArgs, NoArgs,
};
use super::error::{ApiError, Code, Tried};
use super::{Workbench, blocking, lock};
use config::{ConfigError, EditError, ModelPreset, Models, NEW_MODELS_FILE, PRESETS, REHEARSAL};
use engine::Priced;
use model::entry::{ModelEntry, Network, Prices};
use model::http::{Http, HttpModel};
use model::protocol::Protocol;
use model::secret::{Guard, KeyError, KeyRef, KeyringError, Keys, OwnKeys, aws, fetched, keyring};
use model::{ModelError, address};
use skill::source::SourceText;
use wording::message;

/// Bytes of `models.yaml`, as it is read.
const MODELS_LIMIT: u64 = 4 << 20;
/// How long finding out the state of a key may take. A locked keyring asks the user, but lists must not wait.
const KEY_STATE_TIMEOUT: Duration = Duration::from_secs(3);
/// For the keyring to take a key, with the time the user needs to unlock it.
const KEYRING_TIMEOUT: Duration = Duration::from_secs(60);

/// The address of Ollama, and the ending of its addresses.
const OLLAMA: (&str, &str) = ("127.0.0.1:11434", ":11434");
/// A server of this machine that is there answers at once.
const LOCAL_PATIENCE: Duration = Duration::from_millis(300);

/// The first preset of each variable that is set and that no model reads.
fn keyed(models: &[ModelEntry], is_set: impl Fn(&str) -> bool) -> Vec<ModelOffer> {
    let is_used = |name: &str| models.iter().any(|entry| entry.key == Some(KeyRef::Env(name.to_owned())));
    let mut seen = BTreeSet::new();
    let named = PRESETS.iter().filter_map(|preset| preset.key_env.as_ref().map(|name| (preset, name)));
    let free = named.filter(|(_, name)| seen.insert(name.as_str()) && is_set(name) && !is_used(name));
    free.map(|(preset, name)| ModelOffer { preset: preset.id.clone(), key_env: Some(name.clone()) }).collect()
}

impl Workbench {
    /// The models that runs can use, and the error in `models.yaml` if there is one.
    pub async fn model_list(&self, _: NoArgs) -> Result<ModelList, ApiError> {
        let path = self.inner.places.models();
        let file = path.clone();
        let (version, read) = blocking(move || {
            // Before it is read: who changes it in the meantime makes the version an old one, which is not written
            // over.
            let version = disk::read(&file, MODELS_LIMIT).ok().map(|bytes| disk::digest(&bytes));
            (version, Models::load(&file))
        })
        .await;
        let (configured, error) = match read {
            Ok(models) => (models.models, None),
            Err(error) => (Vec::new(), Some(error.worded())),
        };
        let configured = join_all(configured.into_iter().map(|entry| model_info(entry, Arc::new(OwnKeys)))).await;
        let models = std::iter::once(rehearsal()).chain(configured).collect();
        let (error, error_zh) = error.map(|error| (error.en, error.zh)).unzip();
        Ok(ModelList { models, path: path.to_string(), version, error, error_zh })
    }

    /// What a new model may begin with.
    pub async fn model_presets(&self, _: NoArgs) -> Result<Vec<ModelPreset>, ApiError> {
        Ok(PRESETS.clone())
    }

    /// Keys that are set in the environment, by the names of their variables, and Ollama on its port, if no model uses them.
    pub async fn model_offers(&self, _: NoArgs) -> Result<Vec<ModelOffer>, ApiError> {
        let path = self.inner.places.models();
        let models = blocking(move || Models::load(&path)).await.map(|models| models.models).unwrap_or_default();
        let mut offers = keyed(&models, |name| std::env::var_os(name).is_some_and(|value| !value.is_empty()));
        let knows_ollama = models.iter().any(|entry| entry.base_url.contains(OLLAMA.1));
        let connects = tokio::time::timeout(LOCAL_PATIENCE, tokio::net::TcpStream::connect(OLLAMA.0));
        if !knows_ollama && matches!(connects.await, Ok(Ok(_))) {
            offers.push(ModelOffer { preset: "ollama".to_owned(), key_env: None });
        }
        Ok(offers)
    }

    /// Writes one more model into `models.yaml`, which is made if there is none.
    pub async fn model_add(&self, args: ModelAddArgs) -> Result<ModelList, ApiError> {
        let entry = entry(&args.entry)?;
        self.edit_models(args.version, move |path, text| config::add_model(path, text, &entry)).await
    }

    pub async fn model_update(&self, args: ModelUpdateArgs) -> Result<ModelList, ApiError> {
        let entry = entry(&args.entry)?;
        self.edit_models(args.version, move |path, text| config::change_model(path, text, &args.id, &entry)).await
    }

    /// Its key stays where it is.
    pub async fn model_remove(&self, args: ModelRemoveArgs) -> Result<ModelList, ApiError> {
        self.edit_models(args.version, move |path, text| config::remove_model(path, text, &args.id)).await
    }

    /// Where the key that an entry names is stored, and whether it exists.
    pub async fn key_state(&self, args: KeyArgs) -> Result<KeyState, ApiError> {
        let key = serde_json::from_value(args.key)
            .map_err(|error| ApiError::new(Code::Invalid, wording::refusal(&error.to_string())))?;
        Ok(key_state(key, Arc::new(OwnKeys)).await)
    }

    /// Puts a key into the system's keyring, in place of another of this name.
    pub async fn key_set(&self, args: KeySetArgs) -> Result<KeyState, ApiError> {
        let entry = keyring_entry(&args.name)?;
        let secret = entry.checked(&args.secret)?;
        in_keyring(move || keyring::write(&args.name, &secret)).await?;
        Ok(key_state(Some(entry), Arc::new(OwnKeys)).await)
    }

    /// Deletes a key from the system's keyring.
    pub async fn key_delete(&self, args: KeyDeleteArgs) -> Result<KeyState, ApiError> {
        let entry = keyring_entry(&args.name)?;
        if !in_keyring(move || keyring::delete(&args.name)).await? {
            let entry = entry.worded();
            return Err(ApiError::new(Code::NotFound, message!("there is no {entry}", "没有{entry}"; entry)).hint(
                message!("`skillbench models` shows which keys there are", "`skillbench models` 会列出已有的密钥"),
            ));
        }
        Ok(key_state(Some(entry), Arc::new(OwnKeys)).await)
    }

    pub(super) fn model(&self, id: &str) -> Result<Priced, ApiError> {
        let (model, prices) = self.http_model(id)?;
        Ok(Priced { model: Arc::new(model), prices })
    }

    pub(super) fn http_model(&self, id: &str) -> Result<(HttpModel, Option<Prices>), ApiError> {
        let (mut entry, network) = self.model_entry(id)?;
        entry.parameters.max_tokens = entry.parameters.max_tokens.or_else(|| longest_answer(&entry));
        Ok((HttpModel::new(&entry, self.http().through(&network), Arc::new(OwnKeys)), entry.prices))
    }

    /// The reference to a model's key, or to what signs its requests; `None`: there is no such model, or it has no key.
    pub(super) fn model_key(&self, id: &str) -> Option<KeyRef> {
        self.model_entry(id).ok()?.0.credentials()
    }

    /// The connections all models share, made when first needed.
    pub(super) fn http(&self) -> Http {
        self.inner.http.get_or_init(Http::new).clone()
    }

    /// A model, and how all models are reached.
    fn model_entry(&self, id: &str) -> Result<(ModelEntry, Network), ApiError> {
        let path = self.inner.places.models();
        let Models { models, network, .. } = Models::load(&path)?;
        let entry = models.into_iter().find(|model| model.id == id);
        entry.map(|entry| (entry, network)).ok_or_else(|| {
            ApiError::new(Code::Unknown, message!("there is no model `{id}`", "没有模型 `{id}`"))
                .hint(message!(
                    "`rehearsal` needs no set-up; add others with `skillbench models add`, or to {path}",
                    "`rehearsal` 无需设置；其他模型请用 `skillbench models add` 添加，或写入 {path}"
                ))
                .at(&path)
        })
    }

    /// The keys that this process has in its environment, as `models.yaml` and the presets name them; those that it fetched
    /// from elsewhere; and, if a model is signed for with them, those of all AWS profiles.
    pub(super) async fn guard(&self) -> Guard {
        let path = self.inner.places.models();
        blocking(move || {
            // A file that cannot be used names no keys that a run could be using.
            let Models { models: configured, otlp, .. } = Models::load(&path).unwrap_or_default();
            let of_spans = otlp.and_then(|otlp| otlp.key);
            let signs = configured.iter().any(|entry| matches!(entry.credentials(), Some(KeyRef::Aws(_))));
            let profiles = if signs { aws::secrets(&OwnKeys) } else { Vec::new() };
            let named = configured.into_iter().map(|entry| entry.credentials()).chain([of_spans]);
            let configured = named.flat_map(|key| match key {
                Some(KeyRef::Env(name)) => vec![name],
                Some(KeyRef::Aws(_)) => aws::SECRET_VARIABLES.map(str::to_owned).into(),
                Some(KeyRef::Keyring(_) | KeyRef::Command { .. }) | None => Vec::new(),
            });
            let names: BTreeSet<String> =
                configured.chain(PRESETS.iter().filter_map(|preset| preset.key_env.clone())).collect();
            Guard::new(names, [fetched(), profiles].concat(), &OwnKeys)
        })
        .await
    }

    async fn edit_models(
        &self,
        version: Option<String>,
        edit: impl FnOnce(&Utf8Path, &str) -> Result<String, EditError> + Send + 'static,
    ) -> Result<ModelList, ApiError> {
        let path = self.inner.places.models();
        let saving = self.inner.saving.clone();
        blocking(move || {
            let _turn = lock(&saving);
            rewrite(&path, version.as_deref(), edit)
        })
        .await?;
        self.model_list(NoArgs {}).await
    }
}

impl From<ModelError> for ApiError {
    fn from(error: ModelError) -> Self {
        let why = Some(Box::new(error.without_raw()));
        let told = ApiError { why, ..ApiError::new(Code::Model, error.worded()) };
        match error.next_step() {
            Some(step) => told.hint(step),
            None => told,
        }
    }
}

impl From<KeyError> for ApiError {
    fn from(error: KeyError) -> Self {
        ApiError::new(Code::Invalid, error.worded()).hint(error.hint())
    }
}

impl From<KeyringError> for ApiError {
    fn from(error: KeyringError) -> Self {
        ApiError::new(Code::Io, error.worded()).hint(error.hint())
    }
}

impl From<EditError> for ApiError {
    fn from(error: EditError) -> Self {
        let message = error.worded();
        match error {
            EditError::Config(error) => error.into(),
            EditError::Taken { .. } => {
                ApiError::new(Code::Exists, message).hint(message!("choose another id", "请换一个 id"))
            }
            EditError::Unknown { .. } => {
                let hint = message!("`skillbench models` lists the models", "`skillbench models` 会列出已有的模型");
                ApiError::new(Code::Unknown, message).hint(hint)
            }
            EditError::Entry { .. } => ApiError::new(Code::Invalid, message),
            EditError::Risky { path, .. } => {
                let hint = message!("edit {path} by hand", "请手动编辑 {path}");
                ApiError::new(Code::Invalid, message).hint(hint).at(&path)
            }
        }
    }
}

/// The limit of an answer, which Anthropic's protocol requires in each request, if the entry names none and a preset
/// knows the model.
fn longest_answer(entry: &ModelEntry) -> Option<u32> {
    let preset = ModelPreset::of(entry.provider, &entry.base_url).filter(|_| entry.provider == Protocol::Anthropic)?;
    preset.known(&entry.model)?.max_output
}

pub(super) fn entry(fields: &serde_json::Value) -> Result<ModelEntry, ApiError> {
    config::checked_model(fields).map_err(|reason| EditError::Entry { reason }.into())
}

fn rehearsal() -> ModelInfo {
    ModelInfo {
        id: REHEARSAL.to_owned(),
        title: "Rehearsal: plays a screenplay".to_owned(),
        rehearsal: true,
        base_url: None,
        key: UNNEEDED,
        ready: true,
        context: None,
        counts: false,
        preset: None,
        entry: None,
    }
}

async fn model_info(entry: ModelEntry, keys: Arc<dyn Keys>) -> ModelInfo {
    let key = key_state(entry.credentials(), keys).await;
    ModelInfo {
        id: entry.id.clone(),
        title: entry.model.clone(),
        rehearsal: false,
        base_url: Some(address::shown(&entry.base_url)),
        ready: matches!(key.state, KeyStanding::Set | KeyStanding::Unneeded | KeyStanding::Printed),
        key,
        context: entry.context,
        counts: entry.provider.count_url(&entry.base_url, &entry.model).is_some(),
        preset: ModelPreset::of(entry.provider, &entry.base_url).map(|preset| preset.id.clone()),
        entry: Some(entry),
    }
}

const UNNEEDED: KeyState =
    KeyState { source: KeySource::None, name: None, state: KeyStanding::Unneeded, reason: None, hint: None, why: None };

fn keyring_entry(name: &str) -> Result<KeyRef, ApiError> {
    KeyRef::keyring(name.to_owned()).map_err(|why| ApiError::new(Code::Invalid, why))
}

/// Where the key is stored and whether it exists. The key itself is read and dropped.
async fn key_state(key: Option<KeyRef>, keys: Arc<dyn Keys>) -> KeyState {
    let Some(key) = key else { return UNNEEDED };
    let source = match &key {
        KeyRef::Env(_) => KeySource::Env,
        KeyRef::Keyring(_) => KeySource::Keyring,
        KeyRef::Aws(_) => KeySource::Aws,
        KeyRef::Command { .. } => KeySource::Command,
    };
    let name = Some(key.name().to_owned()).filter(|name| !name.is_empty());
    if key.may_change() {
        // A list starts no programs: the command may ask the user to log in.
        return KeyState { source, name, state: KeyStanding::Printed, reason: None, hint: None, why: None };
    }
    let looked_up = key.clone();
    let look = blocking(move || looked_up.resolve(&*keys).map(drop));
    let (state, why) = match tokio::time::timeout(KEY_STATE_TIMEOUT, look).await {
        Ok(Ok(())) => (KeyStanding::Set, None),
        Ok(Err(why @ KeyError::Missing { .. })) => (KeyStanding::Missing, Some(why)),
        Ok(Err(why)) => (KeyStanding::Unusable, Some(why)),
        Err(_) => (KeyStanding::Unusable, Some(KeyError::Slow { key, seconds: KEY_STATE_TIMEOUT.as_secs() })),
    };
    let (reason, hint) = (why.as_ref().map(ToString::to_string), why.as_ref().map(|why| why.hint().en));
    KeyState { source, name, state, reason, hint, why }
}

async fn in_keyring<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, KeyringError> + Send + 'static,
) -> Result<T, ApiError> {
    match tokio::time::timeout(KEYRING_TIMEOUT, blocking(work)).await {
        Ok(done) => Ok(done?),
        Err(_) => {
            let seconds = KEYRING_TIMEOUT.as_secs();
            let reason = message!("it did not answer within {seconds} s", "它在 {seconds} 秒内没有回应");
            Err(KeyringError::Locked { reason }.into())
        }
    }
}

/// Changes `models.yaml`, if it is still what `version` was given for.
fn rewrite(
    path: &Utf8Path,
    version: Option<&str>,
    edit: impl FnOnce(&Utf8Path, &str) -> Result<String, EditError>,
) -> Result<(), ApiError> {
    let changed = || {
        ApiError::new(Code::Changed, message!("{path} has changed since", "{path} 在此期间有改动"))
            .hint(message!(
                "nothing was written; look at it as it is now and try again",
                "没有写入任何内容；请查看它现在的样子再重试"
            ))
            .at(path)
    };
    if let Some(folder) = path.parent() {
        disk::make_private_folder(folder).map_err(|error| ApiError::io(folder, Tried::Create, error))?;
    }
    // Held to the end: what another process writes in between would be lost.
    let _turn = disk::turn(path).map_err(|error| ApiError::io(path, Tried::Change, error))?;
    let before = bytes(path)?;
    if version.is_some() && before.as_deref().map(disk::digest).as_deref() != version {
        return Err(changed());
    }
    let after = match &before {
        None => edit(path, NEW_MODELS_FILE)?.into_bytes(),
        Some(bytes) => {
            let source = SourceText::decode(path.to_owned(), bytes.clone(), None);
            if let Some(offset) = source.invalid_at {
                let reason = message!("byte {offset} is not valid UTF-8", "偏移 {offset} 处的字节不是有效的 UTF-8");
                return Err(ConfigError::Unusable { path: path.to_owned(), reason }.into());
            }
            let mark = if source.bom { "\u{feff}" } else { "" };
            [mark, &edit(path, &source.text)?].concat().into_bytes()
        }
    };
    if before.as_ref() == Some(&after) {
        return Ok(());
    }
    // The user may have saved it in an editor in the meantime: editors do not take turns.
    if bytes(path)? != before {
        return Err(changed());
    }
    disk::write_privately(path, &after).map_err(|error| ApiError::io(path, Tried::Write, error))
}

fn bytes(path: &Utf8Path) -> Result<Option<Vec<u8>>, ApiError> {
    match SourceText::read_bytes(path) {
        Ok((bytes, None)) => Ok(Some(bytes)),
        Ok((_, Some(size))) => {
            let reason = message!("the file is too large: {size} bytes", "文件太大：{size} 字节");
            Err(ConfigError::Unusable { path: path.to_owned(), reason }.into())
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ApiError::io(path, Tried::Read, error)),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use camino::Utf8PathBuf;

    use super::*;
    use model::secret::{CommandError, Secret};
    use wording::Message;

    /// A machine with one variable, and a keyring with a fixed answer.
    struct Fake(Result<Option<&'static str>, KeyringError>);

    impl Keys for Fake {
        fn env(&self, name: &str) -> Option<String> {
            (name == "SET").then(|| "sk-1".to_owned())
        }

        fn keyring(&self, _: &str) -> Result<Option<Secret>, KeyringError> {
            Ok(self.0.clone()?.map(|value| Secret::new(value.to_owned())))
        }

        fn command(&self, _: &[String], _: Duration) -> Result<Secret, CommandError> {
            Err(CommandError::NotStarted { reason: Message::quoted("a list starts nothing") })
        }

        fn forget(&self, _: &KeyRef) {}
    }

    #[test]
    fn a_key_that_is_set_is_offered_once_by_its_name_until_a_model_reads_it() {
        let is_set = |name: &str| ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "DASHSCOPE_API_KEY"].contains(&name);
        let offer = |preset: &str, name: &str| ModelOffer { preset: preset.into(), key_env: Some(name.into()) };
        let (openai, anthropic, qwen) = (
            offer("openai", "OPENAI_API_KEY"),
            offer("anthropic", "ANTHROPIC_API_KEY"),
            offer("qwen", "DASHSCOPE_API_KEY"),
        );
        assert_eq!(keyed(&[], is_set), [openai.clone(), anthropic, qwen.clone()]);
        let used = ModelEntry {
            key: Some(KeyRef::Env("ANTHROPIC_API_KEY".into())),
            ..ModelEntry::new("claude", Protocol::Anthropic, "https://api.anthropic.com/v1", "claude")
        };
        assert_eq!(keyed(&[used], is_set), [openai, qwen]);
        assert_eq!(keyed(&[], |_| false), []);
    }

    fn folder() -> (tempfile::TempDir, Utf8PathBuf) {
        let guard = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(guard.path()).unwrap().join("config/models.yaml");
        (guard, path)
    }

    fn add(path: &Utf8Path, version: Option<&str>, id: &str) -> Result<(), ApiError> {
        let entry = ModelEntry::new(id, Protocol::OpenAi, "http://x", "m");
        rewrite(path, version, |path, text| config::add_model(path, text, &entry))
    }

    #[tokio::test]
    async fn says_where_a_key_is_and_what_to_do_where_it_is_not() {
        let state = async |key: KeyRef, keyring| {
            let info = key_state(Some(key), Arc::new(Fake(keyring))).await;
            (info.state, info.reason.unwrap_or_default(), info.hint.unwrap_or_default())
        };
        let env = |name: &str| KeyRef::Env(name.to_owned());
        let entry = || KeyRef::Keyring("some".to_owned());
        let set = (KeyStanding::Set, String::new(), String::new());
        assert_eq!(state(env("SET"), Ok(None)).await, set);
        assert_eq!(state(entry(), Ok(Some("sk-1"))).await, set);
        assert_eq!(
            state(env("UNSET"), Ok(None)).await,
            (
                KeyStanding::Missing,
                "environment variable UNSET is not set".to_owned(),
                "set UNSET to the key and start again".to_owned()
            )
        );
        assert_eq!(
            state(entry(), Ok(None)).await,
            (
                KeyStanding::Missing,
                "there is no keyring entry some".to_owned(),
                "store the key with `skillbench models key set`, or in the window under Models".to_owned()
            )
        );
        let command = KeyRef::Command { command: vec!["vault".into()], lifetime: None };
        let printed = (KeyStanding::Printed, String::new(), String::new());
        assert_eq!(state(command, Ok(None)).await, printed, "it is asked when a request is made");
        let absent = KeyringError::Absent { reason: Message::quoted("no bus") };
        let (state, reason, hint) = state(entry(), Err(absent)).await;
        assert_eq!(state, KeyStanding::Unusable);
        assert!(reason.contains("no keyring that can be reached") && hint.contains("works everywhere"), "{reason}");
    }

    #[test]
    fn an_answer_of_anthropic_may_be_as_long_as_a_preset_knows() {
        let longest =
            |provider, model| longest_answer(&ModelEntry::new("a", provider, "https://api.anthropic.com/v1", model));
        assert_eq!(longest(Protocol::Anthropic, "claude-opus-5-5"), Some(128_000));
        assert_eq!(longest(Protocol::Anthropic, "some-model"), None);
        assert_eq!(longest(Protocol::OpenAi, "claude-opus-5-5"), None);
    }

    #[test]
    fn a_file_that_was_not_there_is_made_for_its_owner_alone() {
        let (_guard, path) = folder();
        add(&path, None, "a").unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with(NEW_MODELS_FILE) && text.contains("- id: a\n"), "{text}");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            add(&path, None, "b").unwrap();
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }

    #[test]
    fn an_edit_of_an_older_version_writes_nothing() {
        let (_guard, path) = folder();
        add(&path, None, "a").unwrap();
        let version = disk::digest(fs::read(&path).unwrap());
        add(&path, Some(&version), "b").unwrap();
        let before = fs::read(&path).unwrap();
        assert_eq!(add(&path, Some(&version), "c").unwrap_err().code, Code::Changed);
        let entry = ModelEntry::new("c", Protocol::OpenAi, "http://x", "m");
        let raced = rewrite(&path, None, |path, text| {
            fs::write(path, format!("{text}# theirs\n")).unwrap();
            config::add_model(path, text, &entry)
        });
        assert_eq!(raced.unwrap_err().code, Code::Changed);
        assert_eq!(fs::read(&path).unwrap(), [&before[..], b"# theirs\n"].concat());
    }

    #[test]
    fn a_mark_at_the_beginning_stays_and_a_broken_file_is_left_alone() {
        let (_guard, path) = folder();
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "\u{feff}models: []\r\n").unwrap();
        add(&path, None, "a").unwrap();
        assert!(fs::read_to_string(&path).unwrap().starts_with("\u{feff}models:\r\n  - id: a\r\n"));
        for broken in [&b"models: [\n"[..], b"models: \xff\n"] {
            fs::write(&path, broken).unwrap();
            let error = add(&path, None, "a").unwrap_err();
            assert!(error.code == Code::Invalid && error.message.starts_with(path.as_str()), "{error}");
            assert_eq!(fs::read(&path).unwrap(), broken);
        }
    }
}
