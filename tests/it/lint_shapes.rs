//! Skills that are much of one thing are linted in time about linear in their size, and never bring the program down.

use std::time::Duration;

use camino::Utf8Path;
use lint::{LintOptions, Linter};
use skillbench_tests::shapes::{self, Shape};

const BYTES: usize = 15_000;
const TIMES: usize = 4;
/// Quadratic work takes 16 times as long for four times as much.
const MOST: u32 = 11;
/// Shorter times say nothing about how they grow.
const LEAST: Duration = Duration::from_millis(50);
/// A busy machine may make a fool of one try.
const TRIES: usize = 3;
/// Each test looks at a share of the shapes.
const SHARES: usize = 4;

fn grows_in_time(share: usize) {
    let folder = tempfile::tempdir().unwrap();
    let root = Utf8Path::from_path(folder.path()).unwrap();
    let linter = Linter::new(LintOptions::default());
    let pairs = shapes::all(BYTES).into_iter().zip(shapes::all(BYTES * TIMES));
    for (small, large) in pairs.skip(share).step_by(SHARES) {
        let is_in_time = (0..TRIES).any(|_| in_time(&small, &large, &linter, root));
        assert!(is_in_time, "{} takes more than linear time", large.name);
    }
}

fn in_time(small: &Shape, large: &Shape, linter: &Linter, root: &Utf8Path) -> bool {
    let least = small.time(linter, root);
    large.time(linter, root) < least.max(LEAST) * MOST
}

#[test]
fn shapes_grow_in_time_first_share() {
    grows_in_time(0);
}

#[test]
fn shapes_grow_in_time_second_share() {
    grows_in_time(1);
}

#[test]
fn shapes_grow_in_time_third_share() {
    grows_in_time(2);
}

#[test]
fn shapes_grow_in_time_fourth_share() {
    grows_in_time(3);
}
