//! The page of a replay, as `npm run build` made it. If the pages were not built there is none, and exports report
//! that.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let page = Path::new("../../ui/dist-replay/replay.html");
    println!("cargo::rerun-if-changed={}", page.display());
    let Some(folder) = env::var_os("OUT_DIR").map(PathBuf::from) else {
        println!("cargo::error=cargo names no OUT_DIR");
        return;
    };
    let text = fs::read(page).unwrap_or_default();
    if let Err(error) = fs::write(folder.join("replay.html"), text) {
        println!("cargo::error=cannot write the page of replays: {error}");
    }
}
