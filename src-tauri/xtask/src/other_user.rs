//! The attacks on the sandbox again, as somebody else: as an ordinary user if the tests run as root, and as root if
//! they do not. What confines a script differs between the two.

use std::process::{Command, Stdio};

use crate::cargo;
use crate::tally::Tally;

const NAME: &str = "attacks on the sandbox as another user";

/// The user and group `nobody`.
const NOBODY: &str = "65534";

/// Runs a program of tests from a place that everybody may read, since a checkout may be in a home folder.
const ORDINARY: &str = r#"set -e
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cp "$0" "$place/tests"
cp "${0%/*}/../skillbench-confine" "$place/skillbench-confine"
mkdir "$place/home"
chmod 0755 "$place" "$place/tests" "$place/skillbench-confine" "$place/home"
chown NOBODY:NOBODY "$place/home"
cd "$place"
HOME="$place/home" setpriv --reuid=NOBODY --regid=NOBODY --clear-groups --inh-caps=-all --bounding-set=-all "$place/tests" "$@""#;

pub fn tests(tally: &mut Tally) {
    if !cfg!(target_os = "linux") {
        return;
    }
    let is_root = says(Command::new("id").arg("-u")).is_some_and(|id| id.trim() == "0");
    let words = if is_root {
        vec!["bash".to_owned(), "-c".to_owned(), ORDINARY.replace("NOBODY", NOBODY)]
    } else if says(Command::new("sudo").args(["-n", "true"])).is_some() {
        ["sudo", "-n", "-E"].map(str::to_owned).to_vec()
    } else {
        return tally.lacks(NAME, "it takes root, and sudo asks for a password");
    };
    tally.tests(NAME, command(&words));
}

/// Uses what was built for the tests before it.
fn command(runner: &[String]) -> Command {
    // Strings of TOML, which has the same escapes.
    let runner = format!("target.'cfg(unix)'.runner = {runner:?}");
    cargo(&[
        "test",
        "--config",
        &runner,
        "--no-fail-fast",
        "--workspace",
        "--exclude",
        "skill-workbench",
        "--test",
        "it",
        "sandbox::",
    ])
}

/// What a program prints, if it starts and succeeds.
fn says(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
