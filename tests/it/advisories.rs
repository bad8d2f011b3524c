//! No dependency has a known vulnerability, or is known to be unsound or abandoned, unless `deny.toml` says why we keep
//! it. This uses a snapshot of RustSec's database, so that it needs no network; `cargo xtask advisories` takes a new
//! one, and `cargo xtask deny` asks the database itself.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use semver::{Version, VersionReq};
use serde::{Deserialize, Serialize};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
const SNAPSHOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/advisories.json");

/// The parts of RustSec's database that concern us.
#[derive(Serialize, Deserialize)]
struct Snapshot {
    about: String,
    /// Of the database.
    commit: String,
    /// Of that commit.
    date: String,
    /// About crates of `Cargo.lock`, by id.
    advisories: Vec<Advisory>,
    /// Other crates with advisories. One that becomes a dependency needs a new snapshot.
    others: BTreeSet<String>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Advisory {
    id: String,
    package: String,
    title: String,
    /// `unmaintained`, `unsound` or `notice`; absent for a vulnerability.
    #[serde(skip_serializing_if = "Option::is_none")]
    informational: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    patched: Vec<VersionReq>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    unaffected: Vec<VersionReq>,
    /// Absent for CC0, which the database is under unless it says otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    license: Option<String>,
    /// Where it was first published; only for texts whose licence asks for that.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
}

impl Advisory {
    fn affects(&self, version: &Version) -> bool {
        !self.patched.iter().chain(&self.unaffected).any(|range| range.matches(version))
    }
}

#[test]
fn no_dependency_has_an_advisory_that_deny_toml_does_not_explain() {
    let snapshot = snapshot();
    let explained = ignored(&read("deny.toml"));
    let mut affected = BTreeMap::<&str, String>::new();
    for (name, versions) in locked() {
        for advisory in snapshot.advisories.iter().filter(|advisory| advisory.package == name) {
            for version in versions.iter().filter(|version| advisory.affects(version)) {
                let kind = advisory.informational.as_deref().unwrap_or("vulnerable");
                affected
                    .insert(&advisory.id, format!("{}: {name} {version} is {kind}: {}", advisory.id, advisory.title));
            }
        }
    }
    let unexplained: Vec<_> =
        affected.iter().filter(|(id, _)| !explained.contains_key(**id)).map(|(_, text)| text).collect();
    assert_eq!(unexplained, Vec::<&String>::new(), "update them, or say in deny.toml why they do no harm");
    let needless: Vec<_> = explained.keys().filter(|id| !affected.contains_key(id.as_str())).collect();
    assert_eq!(needless, Vec::<&String>::new(), "deny.toml explains advisories that no dependency has any more");
    let silent: Vec<_> = explained.iter().filter(|(_, reason)| reason.trim().is_empty()).collect();
    assert!(silent.is_empty(), "no reason is given for {silent:?}");
}

#[test]
fn the_snapshot_knows_every_dependency_with_advisories() {
    let others = snapshot().others;
    let unknown: Vec<_> = locked().into_keys().filter(|name| others.contains(name)).collect();
    assert_eq!(unknown, Vec::<String>::new(), "run `cargo xtask advisories`");
}

#[test]
fn a_version_is_affected_unless_a_range_excepts_it() {
    let advisory = advisory(
        "```toml\n[advisory]\nid = \"RUSTSEC-2021-0074\"\npackage = \"ammonia\"\n[versions]\n\
         patched = [\">= 3.1.0\", \">= 2.1.3, < 3.0.0\"]\nunaffected = [\"< 1.0.0\"]\n```\n\n# Markup\n\nText.\n",
    )
    .unwrap();
    let affected =
        ["0.9.0", "1.0.0", "2.1.3", "3.0.0", "3.1.0"].map(|version| advisory.affects(&version.parse().unwrap()));
    assert_eq!(affected, [false, true, false, true, false]);
    assert_eq!((advisory.title.as_str(), advisory.informational), ("Markup", None));
}

#[test]
#[ignore = "`cargo xtask advisories` runs it, with the database's folder in SKILLBENCH_ADVISORIES"]
fn takes_a_new_snapshot() {
    let database = std::env::var("SKILLBENCH_ADVISORIES").unwrap();
    let (mut advisories, mut others, locked) = (Vec::new(), BTreeSet::new(), locked());
    for krate in fs::read_dir(Path::new(&database).join("crates")).unwrap() {
        for file in fs::read_dir(krate.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            let Some(advisory) = advisory(&fs::read_to_string(&path).unwrap()) else { continue };
            if locked.contains_key(&advisory.package) {
                advisories.push(advisory);
            } else {
                others.insert(advisory.package);
            }
        }
    }
    assert!(!advisories.is_empty() && !others.is_empty(), "{database} is no copy of RustSec's database");
    advisories.sort_by(|a, b| a.id.cmp(&b.id));
    let git = |format: &str| {
        let output = Command::new("git").args(["-C", &database, "log", "-1", format]).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    let snapshot = Snapshot {
        about: "Written by `cargo xtask advisories` from github.com/rustsec/advisory-db; NOTICE has its licence."
            .to_owned(),
        commit: git("--format=%H"),
        date: git("--format=%cs"),
        advisories,
        others,
    };
    fs::write(SNAPSHOT, serde_json::to_string_pretty(&snapshot).unwrap() + "\n").unwrap();
}

fn snapshot() -> Snapshot {
    serde_json::from_str(&fs::read_to_string(SNAPSHOT).unwrap()).unwrap()
}

fn read(path: &str) -> toml::Table {
    fs::read_to_string(Path::new(ROOT).join(path)).unwrap().parse().unwrap()
}

/// Versions of every crate in `Cargo.lock`, on whatever system it is used.
fn locked() -> BTreeMap<String, Vec<Version>> {
    let mut versions = BTreeMap::<String, Vec<Version>>::new();
    for package in read("Cargo.lock")["package"].as_array().unwrap() {
        let field = |name: &str| package[name].as_str().unwrap();
        versions.entry(field("name").to_owned()).or_default().push(field("version").parse().unwrap());
    }
    versions
}

/// Ids that `deny.toml` ignores, each with its reason.
fn ignored(deny: &toml::Table) -> BTreeMap<String, String> {
    let entries = deny["advisories"]["ignore"].as_array().unwrap();
    let field =
        |entry: &toml::Value, name: &str| entry.get(name).and_then(toml::Value::as_str).unwrap_or_default().to_owned();
    entries.iter().map(|entry| (field(entry, "id"), field(entry, "reason"))).collect()
}

/// A file of the database: TOML in a fence, then Markdown that begins with the title. `None`: it was withdrawn.
fn advisory(text: &str) -> Option<Advisory> {
    let (front, rest) = text.trim_start().strip_prefix("```toml").unwrap().split_once("\n```").unwrap();
    let front: toml::Table = front.parse().unwrap();
    let about = &front["advisory"];
    if about.get("withdrawn").is_some() {
        return None;
    }
    let field = |name: &str| about.get(name).and_then(toml::Value::as_str).map(str::to_owned);
    let ranges = |name: &str| {
        let ranges = front["versions"].get(name).and_then(toml::Value::as_array);
        ranges.into_iter().flatten().map(|range| range.as_str().unwrap().parse().unwrap()).collect()
    };
    let license = field("license").filter(|license| license != "CC0-1.0");
    Some(Advisory {
        id: field("id").unwrap(),
        package: field("package").unwrap(),
        title: rest.lines().find_map(|line| line.strip_prefix("# ")).unwrap().trim().to_owned(),
        informational: field("informational"),
        patched: ranges("patched"),
        unaffected: ranges("unaffected"),
        url: field("url").filter(|_| license.is_some()),
        license,
    })
}
