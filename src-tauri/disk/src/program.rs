//! Finds programs of the user.

use camino::Utf8PathBuf;

/// A program by name, in the folders of `PATH`. Relative folders in `PATH` do not count: the programs there may belong
/// to a skill.
pub fn program(name: &str) -> Option<Utf8PathBuf> {
    let paths = std::env::var_os("PATH")?;
    let folders = std::env::split_paths(&paths).filter(|folder| folder.is_absolute());
    let mut found = folders.filter_map(|folder| Utf8PathBuf::from_path_buf(folder).ok());
    found.find_map(|folder| ENDINGS.iter().map(|ending| folder.join(format!("{name}{ending}"))).find(runs))
}

#[cfg(windows)]
const ENDINGS: [&str; 2] = [".exe", ""];
#[cfg(not(windows))]
const ENDINGS: [&str; 1] = [""];

#[cfg(unix)]
fn runs(path: &Utf8PathBuf) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).is_ok_and(|facts| facts.is_file() && facts.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn runs(path: &Utf8PathBuf) -> bool {
    path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_a_program_by_its_name_and_nothing_else() {
        assert!(program("git").is_some_and(|found| found.is_absolute()));
        assert_eq!(program("no-such-program-anywhere"), None);
    }
}
