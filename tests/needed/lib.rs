//! Requirements of tests on the machine: a sandbox, a program, a page that was built. Every test that may be skipped
//! uses this, so that none is skipped in CI, where it counts.

use std::ffi::OsStr;
use std::fmt::Display;

/// The required thing; `None`, with the reason on the error stream, if this machine lacks it.
///
/// # Panics
/// If `CI` is set and it is missing.
pub fn require_or_skip<T, E: Display>(needed: Result<T, E>) -> Option<T> {
    found(needed, std::env::var_os("CI").as_deref())
}

fn found<T, E: Display>(needed: Result<T, E>, ci: Option<&OsStr>) -> Option<T> {
    match needed {
        Ok(needed) => Some(needed),
        Err(why) => {
            assert!(ci.is_none_or(OsStr::is_empty), "CI is set, and a test lacks what it needs: {why}");
            eprintln!("skipped: {why}");
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_given() {
        for ci in [None, Some(OsStr::new("true"))] {
            assert_eq!(found(Ok::<_, &str>(1), ci), Some(1));
        }
    }

    #[test]
    fn a_test_is_left_out_where_ci_is_not_set() {
        for ci in [None, Some(OsStr::new(""))] {
            assert_eq!(found(Err::<(), _>("no sandbox"), ci), None);
        }
    }

    #[test]
    #[should_panic(expected = "CI is set, and a test lacks what it needs: no sandbox")]
    fn it_fails_where_ci_is_set() {
        found(Err::<(), _>("no sandbox"), Some(OsStr::new("true")));
    }
}
