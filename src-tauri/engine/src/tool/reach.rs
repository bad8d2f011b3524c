//! What a model may touch on disk, and the only way to access it. The real path decides; then exactly that place is
//! opened, folder by folder from the root, without following links. So a path that is swapped after the check is
//! refused, and never read or written through.

use std::fs::File;

use camino::{Utf8Path, Utf8PathBuf};
use disk::{Blocked, EntryKind, Facts, Folder};
use skill::source::is_of_the_system;

use super::private::is_private;
use super::{ToolError, reachable, writable};

/// The real paths of the places that may be touched, with everything inside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    /// `None`: all but the system's own.
    places: Option<Vec<Utf8PathBuf>>,
    /// In this place, private files are excluded, and nothing is written.
    lent: Option<Utf8PathBuf>,
}

impl Reach {
    /// Allows what is in these places, by real paths, and nothing else.
    pub fn to(places: impl IntoIterator<Item = Utf8PathBuf>) -> Self {
        Self { places: Some(places.into_iter().collect()), lent: None }
    }

    /// For paths that the user wrote.
    pub fn everywhere() -> Self {
        Self { places: None, lent: None }
    }

    /// With a place that the user agreed to.
    #[must_use]
    pub fn and(mut self, place: Option<Utf8PathBuf>) -> Self {
        if let Some(places) = &mut self.places {
            places.extend(place);
        }
        self
    }

    /// With a place that a framework reads though the user did not open it.
    #[must_use]
    pub fn lending(self, place: Option<Utf8PathBuf>) -> Self {
        Self { lent: place, ..self }
    }

    fn holds(&self, real: &Utf8Path) -> bool {
        let is_lent = || self.lent.as_ref().is_some_and(|place| real.starts_with(place) && !is_private(real));
        self.is_open(real) || is_lent()
    }

    fn is_open(&self, real: &Utf8Path) -> bool {
        self.places.as_ref().is_none_or(|places| places.iter().any(|place| real.starts_with(place)))
    }

    /// Whether a walk passes over what it comes by. What it is in may be touched.
    pub(super) fn passes_over(&self, real: &Utf8Path) -> bool {
        is_of_the_system(real) || (self.lent.is_some() && !self.holds(real))
    }

    /// Opens what a path leads to, for reading.
    pub(super) fn open(&self, path: &Utf8Path) -> Result<Opened, ToolError> {
        let real = self.allowed(path, reachable(path)?)?;
        let blocked = |blocked| reading(path, blocked);
        let (Some(above), Some(name)) = (real.parent(), real.file_name()) else {
            let folder = Folder::enter(&real).map_err(blocked)?;
            return Ok(Opened::Folder(folder, real));
        };
        let folder = Folder::enter(above).map_err(blocked)?;
        let found = folder.look(name.as_ref()).map_err(|error| blocked(error.into()))?;
        match found.kind {
            EntryKind::Folder => {
                let folder = folder.below(name.as_ref()).map_err(blocked)?;
                Ok(Opened::Folder(folder, real))
            }
            EntryKind::File => {
                let (file, facts) = folder.open(name.as_ref()).map_err(blocked)?;
                Ok(Opened::File(file, facts))
            }
            EntryKind::Link => Err(ToolError::Moved { path: path.to_owned() }),
            EntryKind::Other => Err(ToolError::NotFile { path: path.to_owned() }),
        }
    }

    /// The facts of the file that a path leads to; `None` if it must not be touched, or does not exist.
    pub(super) fn look(&self, path: &Utf8Path) -> Option<Facts> {
        let real = disk::real(path).filter(|real| self.holds(real))?;
        let (Some(above), Some(name)) = (real.parent(), real.file_name()) else {
            return None;
        };
        Folder::enter(above).ok()?.look(name.as_ref()).ok()
    }

    /// Writes a file whole, and makes the folders on the way.
    pub(super) fn write(&self, path: &Utf8Path, bytes: &[u8]) -> Result<(), ToolError> {
        let real = writable(path)?;
        if !self.is_open(&real) {
            return Err(ToolError::Moved { path: path.to_owned() });
        }
        let (Some(above), Some(name)) = (real.parent(), real.file_name()) else {
            return Err(ToolError::IsFolder { path: path.to_owned() });
        };
        let unwritten = |source| ToolError::Write { path: path.to_owned(), source };
        let folder = Folder::make(above).map_err(|blocked| match blocked {
            Blocked::Link => ToolError::Moved { path: path.to_owned() },
            Blocked::Error(source) => unwritten(source),
        })?;
        match folder.look(name.as_ref()) {
            Ok(Facts { kind: EntryKind::Folder, .. }) => return Err(ToolError::IsFolder { path: path.to_owned() }),
            Ok(Facts { kind: EntryKind::Other, .. }) => return Err(ToolError::NotFile { path: path.to_owned() }),
            Ok(Facts { kind: EntryKind::File, names, .. }) if names > 1 => {
                return Err(ToolError::HasOtherNames { path: path.to_owned() });
            }
            // A link is replaced by the file, and what it leads to stays as it is.
            Ok(Facts { kind: EntryKind::Link | EntryKind::File, .. }) | Err(_) => {}
        }
        folder.write(name, bytes).map_err(unwritten)
    }

    fn allowed(&self, path: &Utf8Path, real: Utf8PathBuf) -> Result<Utf8PathBuf, ToolError> {
        if self.holds(&real) { Ok(real) } else { Err(ToolError::Moved { path: path.to_owned() }) }
    }
}

/// Open for reading. A folder with where it really is.
pub(super) enum Opened {
    File(File, Facts),
    Folder(Folder, Utf8PathBuf),
}

fn reading(path: &Utf8Path, blocked: Blocked) -> ToolError {
    match blocked {
        Blocked::Link => ToolError::Moved { path: path.to_owned() },
        Blocked::Error(source) => ToolError::Read { path: path.to_owned(), source },
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::io::read_to_string;
    use std::os::unix::fs::symlink;

    use super::*;

    const SECRET: &str = "canary-5e1d";

    /// A folder in which all is allowed, and one next to it.
    struct Bench {
        _folder: tempfile::TempDir,
        inside: Utf8PathBuf,
        outside: Utf8PathBuf,
        reach: Reach,
    }

    impl Bench {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let base = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
            let (inside, outside) = (base.join("inside"), base.join("outside"));
            fs::create_dir_all(inside.join("a")).unwrap();
            fs::create_dir_all(outside.join("a")).unwrap();
            fs::write(inside.join("a/file"), "ours").unwrap();
            fs::write(outside.join("a/file"), SECRET).unwrap();
            fs::write(outside.join("file"), SECRET).unwrap();
            let reach = Reach::to([inside.clone()]);
            Self { _folder: folder, inside, outside, reach }
        }

        fn read(&self, path: &str) -> Result<String, String> {
            match self.reach.open(&self.inside.join(path)) {
                Ok(Opened::File(file, _)) => Ok(read_to_string(file).unwrap()),
                Ok(Opened::Folder(..)) => Ok("a folder".to_owned()),
                Err(error) => Err(error.to_string().replace(self.inside.as_str(), "")),
            }
        }

        fn write(&self, path: &str) -> Result<(), String> {
            let written = self.reach.write(&self.inside.join(path), b"new");
            written.map_err(|error| error.to_string().replace(self.inside.as_str(), ""))
        }
    }

    fn moved(path: &str) -> String {
        format!("{path} leads out of what may be touched here, so it is left alone")
    }

    #[test]
    fn no_trick_with_a_path_leads_out() {
        let bench = Bench::new();
        symlink(&bench.outside, bench.inside.join("out")).unwrap();
        symlink("../../outside/file", bench.inside.join("a/linked")).unwrap();
        symlink("../..", bench.inside.join("a/up")).unwrap();
        symlink("a/file", bench.inside.join("within")).unwrap();
        let secret = bench.outside.join("file");
        let tricks = [
            "../outside/file",
            "a/../../outside/file",
            "out/file",
            "out/../outside/file",
            "a/linked",
            "a/up/outside/file",
            secret.as_str(),
        ];
        for trick in tricks {
            let named = if trick == secret { secret.to_string() } else { format!("/{trick}") };
            assert_eq!(bench.read(trick), Err(moved(&named)));
            assert_eq!(bench.write(trick), Err(moved(&named)));
        }
        for trick in ["out", "out/a", "a/up"] {
            assert_eq!(bench.read(trick), Err(moved(&format!("/{trick}"))));
        }
        assert_eq!(fs::read_to_string(&secret).unwrap(), SECRET);
        assert_eq!(bench.read("within"), Ok("ours".into()), "a link that stays within");
        assert_eq!(bench.read("a/../a/./file"), Ok("ours".into()));
        assert_eq!(bench.read("a/up/inside/a/file"), Ok("ours".into()), "out and back in");
        // Of another case it is another file, or the same one on systems that know no case, and never one outside.
        assert!(bench.read("A/FILE").is_err_and(|error| error.contains("cannot read")) || cfg!(target_os = "macos"));
        assert!(bench.read("../INSIDE/a/file").is_err());
    }

    #[test]
    fn what_the_user_agreed_to_is_reached_and_nothing_next_to_it() {
        let bench = Bench::new();
        let file = bench.outside.join("a/file");
        let reach = bench.reach.clone().and(Some(file.clone()));
        assert!(matches!(reach.open(&file), Ok(Opened::File(..))));
        assert!(matches!(reach.open(&bench.outside.join("file")), Err(ToolError::Moved { .. })));
        reach.write(&file, b"agreed").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "agreed");
        // Its folder becomes a link: the path is the same, and the place is not.
        fs::rename(bench.outside.join("a"), bench.outside.join("b")).unwrap();
        symlink(&bench.inside, bench.outside.join("a")).unwrap();
        fs::write(bench.inside.join("file"), "").unwrap();
        let other = Reach::to([file.clone()]);
        assert!(matches!(other.open(&file), Err(ToolError::Moved { .. })));
        assert!(matches!(other.write(&file, b""), Err(ToolError::Moved { .. })));
    }

    #[test]
    fn what_is_lent_is_read_without_what_is_private_and_never_written() {
        let bench = Bench::new();
        fs::create_dir(bench.outside.join(".ssh")).unwrap();
        for key in [".ssh/config", "server.key"] {
            fs::write(bench.outside.join(key), SECRET).unwrap();
        }
        symlink("server.key", bench.outside.join("notes.md")).unwrap();
        let reach = bench.reach.clone().lending(Some(bench.outside.clone()));
        for path in ["file", "a/file"] {
            assert!(matches!(reach.open(&bench.outside.join(path)), Ok(Opened::File(..))), "{path}");
        }
        for path in [".ssh", ".ssh/config", "server.key", "notes.md"] {
            assert!(matches!(reach.open(&bench.outside.join(path)), Err(ToolError::Moved { .. })), "{path}");
            assert!(reach.look(&bench.outside.join(path)).is_none(), "{path}");
        }
        assert!(matches!(reach.write(&bench.outside.join("file"), b"new"), Err(ToolError::Moved { .. })));
        assert!(matches!(reach.open(&bench.inside.join("a/file")), Ok(Opened::File(..))));
        assert!(matches!(bench.reach.lending(None).open(&bench.outside.join("file")), Err(ToolError::Moved { .. })));
    }

    #[test]
    fn other_names_of_a_file_outside_are_not_written_to() {
        let bench = Bench::new();
        fs::hard_link(bench.outside.join("file"), bench.inside.join("hard")).unwrap();
        let why = "/hard has other names on this disk (hard links), so it is not written to";
        assert_eq!(bench.write("hard"), Err(why.to_owned()));
        assert_eq!(fs::read_to_string(bench.outside.join("file")).unwrap(), SECRET);
    }

    #[test]
    fn pipes_sockets_and_devices_are_neither_read_nor_written() {
        let bench = Bench::new();
        assert!(std::process::Command::new("mkfifo").arg(bench.inside.join("pipe")).status().unwrap().success());
        let _socket = std::os::unix::net::UnixListener::bind(bench.inside.join("socket")).unwrap();
        symlink("pipe", bench.inside.join("piped")).unwrap();
        for name in ["pipe", "socket", "piped"] {
            assert_eq!(bench.read(name), Err(format!("/{name} is not a file")));
            assert_eq!(bench.write(name), Err(format!("/{name} is not a file")));
        }
        symlink("/dev/zero", bench.inside.join("zero")).unwrap();
        assert_eq!(bench.read("zero"), Err("/zero is the system's own, and not for a model".into()));
        assert!(bench.inside.join("pipe").exists() && bench.inside.join("socket").exists());
    }

    #[test]
    fn a_link_to_nowhere_is_replaced_and_what_it_names_is_not_made() {
        let bench = Bench::new();
        symlink(bench.outside.join("new"), bench.inside.join("dangling")).unwrap();
        assert_eq!(bench.write("dangling"), Ok(()));
        assert!(!bench.outside.join("new").exists());
        assert!(!bench.inside.join("dangling").is_symlink());
        assert_eq!(bench.read("dangling"), Ok("new".into()));
    }

    /// While a thread swaps a folder, and a file, for links that lead out, again and again.
    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn nothing_outside_is_read_or_written_while_folders_and_links_are_swapped() {
        use std::sync::Arc;
        use std::sync::atomic::{AtomicBool, Ordering};

        use crate::tool::search::{Query, search};
        use crate::tool::{files, folders};
        use rustix::fs::{CWD, RenameFlags, renameat_with};

        let bench = Bench::new();
        let Bench { inside, outside, reach, .. } = &bench;
        fs::write(outside.join("a/hidden"), SECRET).unwrap();
        symlink(outside.join("a"), inside.join("other")).unwrap();
        fs::create_dir(inside.join("b")).unwrap();
        fs::write(inside.join("b/file"), "ours").unwrap();
        symlink(outside.join("file"), inside.join("b/other")).unwrap();
        let over = Arc::new(AtomicBool::new(false));
        let (is_over, base) = (over.clone(), inside.clone());
        let swapper = std::thread::spawn(move || {
            let swap = |one: &str, two: &str| {
                renameat_with(
                    CWD,
                    base.join(one).as_std_path(),
                    CWD,
                    base.join(two).as_std_path(),
                    RenameFlags::EXCHANGE,
                )
            };
            let mut swaps = 0;
            while !is_over.load(Ordering::Relaxed) {
                swap("a", "other").unwrap();
                swap("b/file", "b/other").unwrap();
                swaps += 1;
            }
            swaps
        });
        let (mut seen, mut read, mut written) = (0, 0, 0);
        let mut round = 0;
        while round < 1000 || (read < 50 || written < 50 || seen < 50) && round < 100_000 {
            round += 1;
            seen += u32::from(fs::read_to_string(inside.join("a/file")).is_ok_and(|text| text == SECRET));
            for path in ["a/file", "b/file", "other/file", "b/other"] {
                if let Ok(bytes) = files::read(&inside.join(path), reach).await {
                    assert_ne!(bytes, SECRET.as_bytes());
                    read += 1;
                }
            }
            for path in ["a/file", "other/file", "a/new/deep", "other/new/deep"] {
                written += u32::from(files::write(&inside.join(path), "ours".into(), reach).await.is_ok());
            }
            if round % 20 == 0 {
                let listed = folders::list(inside, 9, reach).await.unwrap().items;
                let found = folders::find(inside, "**", reach).await.unwrap().items;
                let named = listed.iter().chain(&found).find(|entry| entry.path.file_name() == Some("hidden"));
                assert_eq!(named, None);
                for path in [inside.clone(), inside.join("a"), inside.join("b/file")] {
                    let query = Query::new("canary", None, false, false).unwrap();
                    let lines = search(&path, query, reach).await.map(|found| found.items).unwrap_or_default();
                    assert_eq!(lines, []);
                }
            }
        }
        over.store(true, Ordering::Relaxed);
        let swaps = swapper.join().unwrap();
        assert!(swaps > 1000 && seen > 0 && read > 0 && written > 0, "{swaps} {seen} {read} {written}");
        assert_eq!(fs::read_to_string(outside.join("a/file")).unwrap(), SECRET);
        assert_eq!(fs::read_to_string(outside.join("file")).unwrap(), SECRET);
        let mut names: Vec<_> =
            outside.join("a").read_dir_utf8().unwrap().map(|entry| entry.unwrap().file_name().to_owned()).collect();
        names.sort();
        assert_eq!(names, ["file", "hidden"], "nothing was made there");
    }
}
