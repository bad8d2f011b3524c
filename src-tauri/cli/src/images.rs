//! The files that `--image` names.

use api::{ApiError, Code};
use camino::Utf8PathBuf;
use model::Image;
use model::image::{IMAGE_BYTES, Unfit};

use crate::RunArgs;
use wording::{Message, message};

/// The pictures that a prompt is said with.
pub fn images(args: &RunArgs) -> Result<Vec<Image>, ApiError> {
    let read = |path: &Utf8PathBuf| {
        let refused = |why: Message| {
            ApiError::new(Code::Invalid, message!("cannot send {path}: {why}", "无法发送 {path}：{why}"; why))
        };
        match disk::read(path, IMAGE_BYTES as u64) {
            Ok(bytes) => Image::of(&bytes).map_err(|unfit| refused(unfit.worded())),
            Err(error) if error.kind() == std::io::ErrorKind::FileTooLarge => Err(refused(Unfit::TooLong.worded())),
            Err(error) => Err(refused(wording::why(&error))),
        }
    };
    args.image.iter().map(read).collect()
}
