//! Screenplays: which one a rehearsal plays, with which pictures, and runs written as one.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};

use super::blocking;
use super::dto::{RunRequest, ScreenplayInfo};
use super::error::{ApiError, Code, Tried};
use config::{Screenplay, ScreenplayStep};
use model::Image;
use trace::{Event, RunSetup, export, turns};
use wording::message;

/// What the user says in a turn of a screenplay.
pub(super) struct Turn {
    pub prompt: String,
    pub images: Vec<Image>,
}

/// The screenplay in a file that the user names.
pub fn screenplay_at(path: &Utf8Path) -> Result<Screenplay, ApiError> {
    let text = disk::read_text(path, SCREENPLAY_BYTES).map_err(|error| ApiError::io(path, Tried::Read, error))?;
    Ok(Screenplay::parse(path, &text)?)
}

/// More than any that is written by hand.
const SCREENPLAY_BYTES: u64 = 16 << 20;

/// The screenplay asked for, else the one for this prompt, else none. If one cannot be read, it may be the right one,
/// so that is an error. `first`: the first prompt, in a run that begins after it.
pub(super) fn of(
    request: &RunRequest,
    first: Option<&str>,
    roots: &[Utf8PathBuf],
) -> Result<Option<(Utf8PathBuf, Screenplay)>, ApiError> {
    let prompt = first.unwrap_or(&request.prompt).trim();
    if let Some(path) = &request.screenplay {
        let path = Utf8PathBuf::from(path);
        let screenplay = screenplay_at(&path)?;
        return Ok(Some((path, screenplay)));
    }
    let mut unreadable = None;
    for (path, screenplay) in roots.iter().flat_map(|root| config::screenplays(root)) {
        match screenplay {
            Ok(screenplay) if screenplay.prompt.trim() == prompt => return Ok(Some((path, screenplay))),
            Ok(_) => {}
            Err(error) => unreadable = unreadable.or(Some(error)),
        }
    }
    unreadable.map_or(Ok(None), |error| Err(error.into()))
}

/// What the user says in a screenplay, turn by turn, with its pictures.
pub(super) async fn said(found: Option<(Utf8PathBuf, Screenplay)>) -> Result<Vec<Turn>, ApiError> {
    let Some((path, screenplay)) = found else { return Ok(Vec::new()) };
    let read = move || {
        let turns = screenplay.turns().into_iter().map(|turn| {
            let images = Screenplay::pictures(&path, turn.images)?;
            Ok(Turn { prompt: turn.prompt.to_owned(), images })
        });
        turns.collect()
    };
    blocking(read).await
}

pub(super) fn info((path, screenplay): (Utf8PathBuf, Result<Screenplay, config::ConfigError>)) -> ScreenplayInfo {
    let name = path.file_stem().unwrap_or_default().to_owned();
    let nothing = || Screenplay { prompt: String::new(), images: Vec::new(), title: None, steps: Vec::new() };
    let (screenplay, error) = match screenplay {
        Ok(screenplay) => (screenplay, None),
        Err(error) => (nothing(), Some(error.worded())),
    };
    ScreenplayInfo { path: path.to_string(), name, screenplay, error }
}

/// A run as the text of a screenplay, with its pictures in the text.
pub(super) fn written(events: &[Event], setup: &RunSetup) -> Result<String, ApiError> {
    let text = as_yaml(&export::to_screenplay(events, setup))?;
    let has_images = turns::said(events).any(|setup| !setup.images.is_empty());
    if has_images && text.len() > config::BYTE_LIMIT {
        let most = config::BYTE_LIMIT >> 10;
        let message = message!(
            "with its images the screenplay has more than {most} KiB, which is not read back",
            "连同图片，这个剧本超过 {most} KiB，无法再读取"
        );
        return Err(ApiError::new(Code::Invalid, message).hint(message!(
            "save it to a file, in the terminal with --output FILE: images become files next to it",
            "请保存到文件（在终端用 --output FILE）：图片会成为它旁边的文件"
        )));
    }
    Ok(text)
}

/// Writes a run as a screenplay to a file, and its pictures to files next to it. None that is there is replaced by one.
pub(super) fn save(events: &[Event], setup: &RunSetup, path: &Utf8Path) -> Result<(), ApiError> {
    let mut screenplay = export::to_screenplay(events, setup);
    let mut saved = Saved { path, names: BTreeMap::new() };
    let further = screenplay.steps.iter_mut().filter_map(|step| match step {
        ScreenplayStep::Prompt { images, .. } => Some(images),
        _ => None,
    });
    for image in std::iter::once(&mut screenplay.images).chain(further).flatten() {
        *image = saved.name_of(image)?;
    }
    let text = as_yaml(&screenplay)?;
    disk::write_atomically(path, text.as_bytes()).map_err(|error| ApiError::io(path, Tried::Write, error))
}

fn as_yaml(screenplay: &Screenplay) -> Result<String, ApiError> {
    serde_yaml::to_string(screenplay).map_err(|error| {
        ApiError::new(
            Code::Invalid,
            message!("cannot write the run as a screenplay: {error}", "无法将运行写成剧本：{error}"),
        )
    })
}

/// The pictures that were written next to a screenplay.
struct Saved<'a> {
    path: &'a Utf8Path,
    /// By their `data:` addresses.
    names: BTreeMap<String, String>,
}

impl Saved<'_> {
    /// The name of a picture's file, which is written if it is not there.
    fn name_of(&mut self, address: &str) -> Result<String, ApiError> {
        if let Some(name) = self.names.get(address) {
            return Ok(name.clone());
        }
        // An address that cannot be saved as a file stays as the run has it.
        let image = Image::of_data_url(address);
        let Some((image, bytes)) = image.and_then(|image| image.bytes().map(|bytes| (image, bytes))) else {
            return Ok(address.to_owned());
        };
        let stem = self.path.file_stem().unwrap_or_default();
        let mut number = self.names.len();
        let name = loop {
            number += 1;
            let name = format!("{stem}-{number}.{}", image.media_type.format());
            if is_now(&self.path.with_file_name(&name), &bytes)? {
                break name;
            }
        };
        self.names.insert(address.to_owned(), name.clone());
        Ok(name)
    }
}

/// Whether a file holds these bytes now; one that is there keeps its own.
fn is_now(path: &Utf8Path, bytes: &[u8]) -> Result<bool, ApiError> {
    match disk::write_itself(path, bytes, false) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            Ok(disk::read(path, bytes.len() as u64).is_ok_and(|there| there == bytes))
        }
        Err(error) => Err(ApiError::io(path, Tried::Write, error)),
    }
}
