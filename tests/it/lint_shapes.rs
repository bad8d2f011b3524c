//! Skills that are much of one thing are linted in time linear in their size, and never bring the program down.

use std::time::Duration;

use camino::Utf8Path;
use skillbench_core::lint::{LintOptions, Linter};
use skillbench_tests::shapes;

/// Ten times what the slowest shape takes, in a build without optimisation on a busy machine. What takes the square of
/// its size takes minutes.
const MOST: Duration = Duration::from_secs(30);
const BYTES: usize = 100_000;
/// Each runs a share of the shapes.
const SHARES: usize = 4;

fn lints(share: usize) {
    let folder = tempfile::tempdir().unwrap();
    let root = Utf8Path::from_path(folder.path()).unwrap();
    let linter = Linter::new(LintOptions::default());
    for shape in shapes::all(BYTES).into_iter().skip(share).step_by(SHARES) {
        let took = shape.time(&linter, root);
        assert!(took < MOST, "{} of {BYTES} bytes took {took:?}", shape.name);
    }
}

#[test]
fn shapes_are_linted_in_time_first_share() {
    lints(0);
}

#[test]
fn shapes_are_linted_in_time_second_share() {
    lints(1);
}

#[test]
fn shapes_are_linted_in_time_third_share() {
    lints(2);
}

#[test]
fn shapes_are_linted_in_time_fourth_share() {
    lints(3);
}
