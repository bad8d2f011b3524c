//! Files and folders that only their owner may read. On systems without modes, they have the permissions of the folder
//! above.

use std::io;

use camino::Utf8Path;

/// Makes a folder, and those above it that are missing, for its owner only. One that is there is tightened.
pub fn make_private_folder(path: &Utf8Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    tighten(path);
    Ok(())
}

/// Makes an empty file for its owner only. One that is there keeps its content and is tightened.
pub fn make_private_file(path: &Utf8Path) -> io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            tighten(path);
            Ok(())
        }
        made => made.map(drop),
    }
}

/// Removes the permissions of everybody but the owner from an existing file or folder. Files of other users, files on
/// read-only disks, and the targets of links stay as they are.
#[cfg(unix)]
pub fn tighten(path: &Utf8Path) {
    use std::os::unix::fs::PermissionsExt;
    // Not by an open file: closing one takes from SQLite the locks that it holds on it.
    let Ok(facts) = std::fs::symlink_metadata(path) else { return };
    if facts.is_symlink() {
        return;
    }
    let mode = facts.permissions().mode();
    if mode & OTHERS != 0 {
        let _ = std::fs::set_permissions(path, PermissionsExt::from_mode(mode & !OTHERS));
    }
}

/// Files have no such permissions here, so nothing is done.
#[cfg(not(unix))]
pub fn tighten(_: &Utf8Path) {}

#[cfg(unix)]
const OTHERS: u32 = 0o077;

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use camino::Utf8PathBuf;

    use super::*;

    fn mode(path: &Utf8Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    fn folder() -> (tempfile::TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
        (folder, path)
    }

    #[test]
    fn what_is_made_is_for_its_owner_only() {
        let (_folder, path) = folder();
        make_private_folder(&path.join("a/b")).unwrap();
        make_private_file(&path.join("a/b/file")).unwrap();
        assert_eq!([mode(&path.join("a/b")), mode(&path.join("a/b/file"))], [0o700, 0o600]);
    }

    #[test]
    fn what_a_link_leads_to_keeps_its_mode() {
        let (_folder, path) = folder();
        let (file, link) = (path.join("file"), path.join("link"));
        std::fs::write(&file, "text").unwrap();
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o664)).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        make_private_file(&link).unwrap();
        assert_eq!(mode(&file), 0o664);
    }

    #[test]
    fn what_is_there_is_tightened_and_keeps_its_content() {
        let (_folder, path) = folder();
        let file = path.join("file");
        std::fs::write(&file, "text").unwrap();
        for (loose, mode) in [(&path, 0o755), (&file, 0o664)] {
            std::fs::set_permissions(loose, PermissionsExt::from_mode(mode)).unwrap();
        }
        make_private_folder(&path).unwrap();
        make_private_file(&file).unwrap();
        assert_eq!([mode(&path), mode(&file)], [0o700, 0o600]);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "text");
    }
}
