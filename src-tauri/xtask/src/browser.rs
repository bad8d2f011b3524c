//! The replay page in a real browser: Chromium or one that is based on it.

use std::path::PathBuf;

use crate::tally::Tally;
use crate::{binary, command, root};

const NAME: &str = "the replay page in Chromium";

/// As systems call it.
const PROGRAMS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Where it is; `None`: there is none.
pub fn path() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let mut places = std::env::split_paths(&folders).flat_map(|folder| PROGRAMS.map(|program| folder.join(program)));
    places.find(|place| place.is_file())
}

/// To be run after the app is built, whose `skillbench` exports the page.
pub fn tests(tally: &mut Tally) {
    match path() {
        Some(browser) => {
            let mut test = command("node", &["browser/replay.mjs"]);
            test.arg(binary("skillbench")).current_dir(root().join("ui")).env("SKILLBENCH_CHROMIUM", browser);
            tally.check(NAME, test);
        }
        None => tally.lacks(NAME, "there is no Chromium; `cargo xtask setup` installs it on Debian"),
    }
}
