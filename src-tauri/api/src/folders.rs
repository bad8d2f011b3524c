//! The open folders and the settings, which the window restores.

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::dto::{BenchState, FilesChanged, Folder, NoArgs, PathArgs, Push, Settings, SettingsArgs};
use super::error::{ApiError, Code, Tried};
use super::trust::Trusted;
use super::{Cache, Places, VERSION, Workbench, absolute, blocking, lock};
use model::tokens::Tokenizer;
use skill::watch::Watcher;
use wording::message;

/// Folders opened before that are still offered.
const RECENT: usize = 8;

/// State that is kept between sessions, in `desk.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Desk {
    folders: Vec<Utf8PathBuf>,
    recent: Vec<Utf8PathBuf>,
    settings: Settings,
    #[serde(skip)]
    bundled: Option<Utf8PathBuf>,
    /// Folders named on the command line are for this session: these are the ones to come back to.
    #[serde(skip)]
    set_aside: Option<Vec<Utf8PathBuf>>,
    /// The file as it was when this desk was opened: what differs from it was changed here.
    #[serde(skip)]
    opened: Value,
}

impl Desk {
    /// A desk file that cannot be read counts as none: it holds nothing that the user wrote.
    pub(super) fn open(places: &Places, folders: Vec<Utf8PathBuf>) -> Self {
        let kept = read(&places.desk()).and_then(|kept| serde_json::from_value::<Desk>(kept).ok());
        let mut desk = kept.unwrap_or_default();
        desk.bundled = places.bundled.clone();
        if folders.is_empty() {
            desk.folders.retain(|folder| folder.is_dir());
        } else {
            let named = folders.iter().map(|folder| absolute(folder)).collect();
            desk.set_aside = Some(std::mem::replace(&mut desk.folders, named));
        }
        if desk.folders.is_empty() {
            desk.folders.extend(places.bundled.clone());
        }
        desk.opened = desk.kept();
        desk
    }

    pub(super) fn paths(&self) -> Vec<Utf8PathBuf> {
        self.folders.clone()
    }

    /// The bundled folder comes last: if only one of several can count, the user's own does.
    pub(super) fn by_weight(&self) -> Vec<Utf8PathBuf> {
        let mut paths = self.paths();
        paths.sort_by_key(|path| self.bundled.as_ref() == Some(path));
        paths
    }

    fn list(&self, watched: impl Fn(&Utf8Path) -> bool) -> Vec<Folder> {
        self.folders.iter().map(|path| self.folder(path, watched(path))).collect()
    }

    fn folder(&self, path: &Utf8Path, watched: bool) -> Folder {
        Folder {
            path: path.to_string(),
            name: path.file_name().unwrap_or(path.as_str()).to_owned(),
            bundled: self.bundled.as_deref() == Some(path),
            watched,
        }
    }

    fn add(&mut self, path: Utf8PathBuf) {
        if !self.folders.contains(&path) {
            self.folders.push(path.clone());
        }
        self.recent.retain(|recent| *recent != path);
        self.recent.insert(0, path);
        self.recent.truncate(RECENT);
    }

    /// As the file has it.
    fn kept(&self) -> Value {
        let folders = self.set_aside.as_ref().unwrap_or(&self.folders).clone();
        serde_json::to_value(Self { folders, ..self.clone() }).unwrap_or_default()
    }

    /// Writes the changes made here; changes of other windows since this desk was opened stay.
    fn save(&self, places: &Places) -> Result<(), ApiError> {
        let path = places.desk();
        let unwritable = |error| ApiError::io(&path, Tried::Write, error);
        disk::make_private_folder(&places.state).map_err(unwritable)?;
        let _turn = disk::turn(&path).map_err(unwritable)?;
        let theirs = read(&path).unwrap_or_else(|| self.opened.clone());
        let text = serde_json::to_vec_pretty(&merged(&self.opened, self.kept(), theirs))
            .map_err(|error| unwritable(error.into()))?;
        disk::write_privately(&path, &text).map_err(unwritable)
    }
}

fn read(path: &Utf8Path) -> Option<Value> {
    serde_json::from_slice(&disk::read(path, DESK_BYTES).ok()?).ok()
}

/// Far more than any desk holds.
const DESK_BYTES: u64 = 1 << 20;

/// Field by field: `ours` if it differs from `opened`, else `theirs`.
fn merged(opened: &Value, ours: Value, theirs: Value) -> Value {
    match (ours, theirs) {
        (Value::Object(ours), Value::Object(mut theirs)) => {
            for (field, ours) in ours {
                let opened = opened.get(&field).unwrap_or(&Value::Null);
                let there = theirs.remove(&field).unwrap_or_else(|| opened.clone());
                theirs.insert(field, merged(opened, ours, there));
            }
            Value::Object(theirs)
        }
        (ours, theirs) if ours == *opened => theirs,
        (ours, _) => ours,
    }
}

/// Watches the desk's folders: on a change, loaded skills are dropped, then the change is pushed.
pub(super) fn watch(
    desk: &Desk,
    trusted: &Trusted,
    loaded: Cache,
    push: Arc<dyn Fn(Push) + Send + Sync>,
) -> Option<Watcher> {
    let watcher = Watcher::start(move |changed| {
        lock(&loaded).forget();
        let paths = changed.unwrap_or_else(|error| {
            // It is unknown what was missed: without a path, everything open is read again.
            tracing::warn!(%error, "watching");
            Vec::new()
        });
        let paths = paths.into_iter().map(Utf8PathBuf::into_string).collect();
        push(Push::FilesChanged(FilesChanged { paths }));
    });
    let mut watcher = match watcher {
        Ok(watcher) => watcher,
        Err(error) => {
            tracing::warn!(%error, "folders are not watched");
            return None;
        }
    };
    for folder in &desk.folders {
        if let Err(error) = watcher.add(folder, trusted.unmoved()) {
            tracing::warn!(%error, %folder, "a folder is not watched");
        }
    }
    Some(watcher)
}

/// The whole path of a folder that can be opened.
pub fn folder_at(path: &Utf8Path) -> Result<Utf8PathBuf, ApiError> {
    let path = absolute(path);
    match std::fs::metadata(&path) {
        Ok(found) if found.is_dir() => Ok(path),
        Ok(_) => {
            Err(ApiError::new(Code::Invalid, message!("{path} is a file, not a folder", "{path} 是文件，不是文件夹"))
                .hint(message!("open the folder that contains your skills", "请打开存放技能的文件夹"))
                .at(&path))
        }
        Err(error) => Err(ApiError::io(&path, Tried::Open, error)),
    }
}

impl Workbench {
    pub async fn bench_state(&self, _: NoArgs) -> Result<BenchState, ApiError> {
        let desk = lock(&self.inner.desk).clone();
        let recent = desk.recent.iter().filter(|path| !desk.folders.contains(path));
        Ok(BenchState {
            version: VERSION.to_owned(),
            folders: desk.list(|path| self.watched(path)),
            recent: recent.map(|path| path.to_string()).collect(),
            settings: desk.settings.clone(),
            state_directory: self.inner.places.state.to_string(),
            config_directory: self.inner.places.config.to_string(),
            tokenizers: Tokenizer::ALL.to_vec(),
        })
    }

    pub(super) fn settings(&self) -> Settings {
        lock(&self.inner.desk).settings.clone()
    }

    /// Another tokenizer changes what all listings say, so they are asked for again as if files had changed.
    pub async fn settings_set(&self, args: SettingsArgs) -> Result<Settings, ApiError> {
        let before = self.settings();
        self.keep_desk(|desk| desk.settings = args.settings.clone()).await?;
        if before.tokenizer != args.settings.tokenizer {
            (self.inner.push)(Push::FilesChanged(FilesChanged { paths: Vec::new() }));
        }
        Ok(args.settings)
    }

    /// The tokenizer: set for this process, or else by the settings.
    pub(super) fn tokenizer(&self) -> Tokenizer {
        self.inner.counts_with.get().copied().unwrap_or_else(|| lock(&self.inner.desk).settings.tokenizer)
    }

    /// Counts with this tokenizer, whatever the settings say. The first call counts.
    pub fn count_with(&self, tokenizer: Tokenizer) {
        self.inner.counts_with.get_or_init(|| tokenizer);
    }

    /// Opens a folder of skills in addition to those already open.
    pub async fn folder_open(&self, args: PathArgs) -> Result<Vec<Folder>, ApiError> {
        let path = folder_at(Utf8Path::new(&args.path))?;
        if let Some(watcher) = lock(&self.inner.watcher).as_mut()
            && let Err(error) = watcher.add(&path, Trusted::read(&self.inner.places).unmoved())
        {
            tracing::warn!(%error, %path, "the folder is not watched");
        }
        self.change_desk(|desk| desk.add(path)).await?;
        Ok(self.folders())
    }

    pub async fn folder_close(&self, args: PathArgs) -> Result<Vec<Folder>, ApiError> {
        let path = absolute(Utf8Path::new(&args.path));
        if let Some(watcher) = lock(&self.inner.watcher).as_mut() {
            watcher.remove(&path);
        }
        self.change_desk(|desk| desk.folders.retain(|folder| *folder != path)).await?;
        Ok(self.folders())
    }

    pub(super) fn folders(&self) -> Vec<Folder> {
        let desk = lock(&self.inner.desk).clone();
        desk.list(|path| self.watched(path))
    }

    fn watched(&self, folder: &Utf8Path) -> bool {
        lock(&self.inner.watcher).as_ref().is_some_and(|watcher| watcher.watches(folder))
    }

    /// Changes the folders.
    async fn change_desk(&self, change: impl FnOnce(&mut Desk)) -> Result<(), ApiError> {
        let kept = self.keep_desk(change).await;
        self.forget_loaded();
        kept
    }

    async fn keep_desk(&self, change: impl FnOnce(&mut Desk)) -> Result<(), ApiError> {
        let desk = {
            let mut desk = lock(&self.inner.desk);
            change(&mut desk);
            desk.clone()
        };
        let places = self.inner.places.clone();
        blocking(move || desk.save(&places)).await
    }
}

#[cfg(test)]
mod tests {
    use super::super::dto::Theme;
    use super::*;

    #[test]
    fn keeps_settings_but_not_the_folders_named_for_one_session() {
        let home = tempfile::tempdir().expect("a folder");
        let base = Utf8PathBuf::try_from(home.path().to_owned()).expect("UTF-8");
        let places = Places::below(base.join("home"), None);
        let [usual, other] = ["usual", "other"].map(|name| base.join(name));
        for folder in [&usual, &other] {
            std::fs::create_dir_all(folder).expect("writable");
        }
        let mut desk = Desk::open(&places, Vec::new());
        desk.add(usual.clone());
        desk.save(&places).expect("writable");

        let mut desk = Desk::open(&places, vec![other.clone()]);
        assert_eq!(desk.paths(), [other]);
        desk.settings.theme = Theme::Dark;
        desk.save(&places).expect("writable");

        let desk = Desk::open(&places, Vec::new());
        assert_eq!((desk.paths(), desk.settings.theme), (vec![usual], Theme::Dark));
    }

    #[test]
    fn of_two_windows_each_keeps_what_the_other_changed() {
        let home = tempfile::tempdir().expect("a folder");
        let base = Utf8PathBuf::try_from(home.path().to_owned()).expect("UTF-8");
        let places = Places::below(base.join("home"), None);
        std::fs::create_dir_all(base.join("skills")).expect("writable");
        let [mut one, mut other] = [(), ()].map(|()| Desk::open(&places, Vec::new()));
        one.settings.theme = Theme::Dark;
        one.save(&places).expect("writable");
        other.add(base.join("skills"));
        other.save(&places).expect("writable");
        let desk = Desk::open(&places, Vec::new());
        assert_eq!((desk.paths(), desk.settings.theme), (vec![base.join("skills")], Theme::Dark));
    }

    #[tokio::test]
    async fn a_folder_that_is_missing_keeps_no_other_from_being_watched() {
        let home = tempfile::tempdir().expect("a folder");
        let base = Utf8PathBuf::try_from(home.path().to_owned()).expect("UTF-8");
        let folders = ["missing", "here"].map(|name| base.join(name));
        std::fs::create_dir_all(&folders[1]).expect("writable");
        let places = Places::below(base.join("home"), None);
        let bench = Workbench::open(places, folders.to_vec(), crate::Freshness::Watched, |_| {}).await;
        let watched: Vec<bool> = bench.folders().iter().map(|folder| folder.watched).collect();
        assert_eq!(watched, [true, true], "the missing one from when it is there");
    }
}
