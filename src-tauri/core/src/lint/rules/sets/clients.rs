//! Folders of clients in a project.

use camino::Utf8Path;

/// Whether a folder `skills` in this one is a client's.
pub fn is_client_folder(folder: &Utf8Path) -> bool {
    folder.file_name().is_some_and(|name| FOLDERS.contains(&name))
}

const FOLDERS: [&str; 14] = [
    ".agents",
    ".amp",
    ".claude",
    ".cline",
    ".codex",
    ".cursor",
    ".factory",
    ".gemini",
    ".github",
    ".goose",
    ".kiro",
    ".opencode",
    ".roo",
    ".windsurf",
];
