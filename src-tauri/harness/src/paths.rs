//! Paths as frameworks and clients take them apart: by their letters, without a look at the disk.

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

/// Without `.` and `..`; what would lead above the first part stays there.
pub fn plain(path: &Utf8Path) -> Utf8PathBuf {
    let mut out = Utf8PathBuf::new();
    for part in path.components() {
        match part {
            Utf8Component::ParentDir => {
                out.pop();
            }
            Utf8Component::CurDir => {}
            part => out.push(part.as_str()),
        }
    }
    out
}
