//! Folders of clients in a project.

use camino::Utf8Path;

/// A client's folder, e.g. `project/.claude` of `project/.claude/skills/demo`.
pub fn scope(skill: &Utf8Path) -> Option<&Utf8Path> {
    let skills = skill.ancestors().skip(1).find(|folder| folder.file_name() == Some("skills"))?;
    skills.parent().filter(|client| is_client_folder(client))
}

/// Whether two skills are in the folders of two clients of one project.
pub fn are_for_two_clients(one: &Utf8Path, other: &Utf8Path) -> bool {
    let (Some(one), Some(other)) = (scope(one), scope(other)) else { return false };
    one != other && one.parent() == other.parent()
}

/// Whether no client loads two skills together: each is in another folder `skills`, or one is in a client's or a
/// plugin's.
pub fn are_loaded_apart(one: &Utf8Path, other: &Utf8Path) -> bool {
    let home = |skill: &Utf8Path| {
        let is_home = |folder: &&Utf8Path| matches!(folder.file_name(), Some("skills" | "skill"));
        skill.ancestors().skip(1).find(is_home).map(Utf8Path::to_path_buf)
    };
    let homes = (home(one), home(other));
    let is_apart = |skill: &Utf8Path| {
        let mut folders = skill.ancestors().skip(1).filter_map(Utf8Path::file_name);
        folders.any(|name| name == "plugins" || FOLDERS.contains(&name))
    };
    if are_builds(one, other) {
        return true;
    }
    let both = homes.0.is_some() && homes.1.is_some();
    are_for_two_clients(one, other) || (homes.0 != homes.1 && (both || is_apart(one) || is_apart(other)))
}

/// Whether two skills were made for two clients: the folders in which their paths part are called after clients
/// (`dist/codex`, `providers/claude`), or are those of agents (`agents/cli`).
fn are_builds(one: &Utf8Path, other: &Utf8Path) -> bool {
    let mut parts = one.components().zip(other.components()).skip_while(|(one, other)| one == other);
    let Some((first, second)) = parts.next() else { return false };
    let is_client = |name: &str| {
        let mut words = name.split(['-', '_', '.']).filter(|word| !word.is_empty());
        words.any(|word| CLIENTS.contains(&word.to_ascii_lowercase().as_str()))
    };
    let same = one.components().count().abs_diff(other.components().count()) <= 1;
    let above = one.ancestors().skip(1).filter_map(Utf8Path::file_name);
    let of_agents = one != other
        && above
            .zip(one.ancestors())
            .any(|(folder, child)| folder == "agents" && child.file_name() == Some(first.as_str()));
    same && ((is_client(first.as_str()) && is_client(second.as_str())) || of_agents)
}

const CLIENTS: [&str; 18] = [
    "amp",
    "claude",
    "cline",
    "codebuddy",
    "codex",
    "copilot",
    "cursor",
    "factory",
    "gemini",
    "github",
    "goose",
    "kiro",
    "openclaw",
    "opencode",
    "qwen",
    "roo",
    "vscode",
    "windsurf",
];

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
