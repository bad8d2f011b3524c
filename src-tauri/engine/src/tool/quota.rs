//! How much the folder of a run may hold. The kernel limits each file; the sum is checked before something runs and
//! repeatedly while it does.

use std::time::{Duration, Instant};

use camino::Utf8PathBuf;

use super::ToolError;

/// What a folder may hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quota {
    folder: Utf8PathBuf,
    /// MiB.
    limit: u32,
}

impl Quota {
    /// `limit`: MiB that all files in the folder may take together.
    pub fn new(folder: Utf8PathBuf, limit: u32) -> Self {
        Self { folder, limit }
    }

    /// An error if the folder holds more than it may.
    pub async fn check(&self) -> Result<(), ToolError> {
        let own = self.clone();
        let full = tokio::task::spawn_blocking(move || own.is_exceeded()).await.unwrap_or_default();
        if full { Err(self.full()) } else { Ok(()) }
    }

    /// Comes when the folder holds more than it may.
    pub async fn exceeded(&self) -> ToolError {
        loop {
            let begun = Instant::now();
            if let Err(full) = self.check().await {
                return full;
            }
            // However many files there are, checking takes at most a tenth of the time.
            tokio::time::sleep(PAUSE.max(begun.elapsed() * 9)).await;
        }
    }

    fn full(&self) -> ToolError {
        ToolError::Full { folder: self.folder.clone(), limit: self.limit }
    }

    fn is_exceeded(&self) -> bool {
        let limit = u64::from(self.limit) << 20;
        let mut held = 0_u64;
        for (count, entry) in walkdir::WalkDir::new(&self.folder).into_iter().flatten().enumerate() {
            held = held.saturating_add(entry.metadata().map_or(0, |facts| taken(&facts)));
            if held > limit || count > ENTRIES {
                return true;
            }
        }
        false
    }
}

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(250);
/// Files and folders: of more, even empty ones fill a disk.
const ENTRIES: usize = 100_000;

/// A file's size on disk: one with holes takes less than its length.
#[cfg(unix)]
fn taken(facts: &std::fs::Metadata) -> u64 {
    use std::os::unix::fs::MetadataExt;
    if facts.is_dir() { 0 } else { facts.blocks().saturating_mul(512) }
}

#[cfg(not(unix))]
fn taken(facts: &std::fs::Metadata) -> u64 {
    if facts.is_dir() { 0 } else { facts.len() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_folder_is_full_once_its_files_together_are_too_large() {
        let guard = tempfile::tempdir().unwrap();
        let folder = Utf8PathBuf::try_from(guard.path().to_owned()).unwrap();
        let quota = Quota::new(folder.clone(), 1);
        std::fs::create_dir(folder.join("a")).unwrap();
        for name in ["one", "a/two"] {
            quota.check().await.unwrap();
            std::fs::write(folder.join(name), vec![1; 600 << 10]).unwrap();
        }
        let error = quota.exceeded().await.to_string();
        assert_eq!(
            error,
            format!("{folder}, the folder of the run, holds more than 1 MiB, so nothing more runs or is written")
        );
        Quota::new(folder.join("gone"), 1).check().await.unwrap();
    }
}
