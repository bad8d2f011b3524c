//! How often each rule was right on real skills. `judged.json` is written by a test from `tests/precision/judged.json`, which
//! has each judgement with its place.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// Of the findings of a rule that were judged and that it still reports.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judged {
    /// The finding is right, and the author would want to know.
    pub right: u32,
    /// True, and of no use.
    pub noise: u32,
    pub wrong: u32,
}

impl Judged {
    /// Findings that were reviewed.
    pub fn all(self) -> u32 {
        self.right + self.noise + self.wrong
    }
}

/// `None`: none of its findings was judged.
pub fn judged(rule: &str) -> Option<Judged> {
    JUDGED.get(rule).copied()
}

static JUDGED: LazyLock<BTreeMap<String, Judged>> =
    LazyLock::new(|| serde_json::from_str(include_str!("judged.json")).unwrap_or_default());

#[cfg(test)]
mod tests {
    use super::*;

    const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

    #[derive(Deserialize)]
    struct Judgement {
        rule: String,
        verdict: String,
        reported: bool,
    }

    #[test]
    fn the_sums_are_up_to_date() {
        let all = std::fs::read_to_string(format!("{FOLDER}/../../tests/precision/judged.json")).unwrap();
        let mut sums: BTreeMap<String, Judged> = BTreeMap::new();
        for one in serde_json::from_str::<Vec<Judgement>>(&all).unwrap().into_iter().filter(|one| one.reported) {
            let sum = sums.entry(one.rule).or_default();
            match one.verdict.as_str() {
                "true and useful" => sum.right += 1,
                "true but noise" => sum.noise += 1,
                "false" => sum.wrong += 1,
                verdict => panic!("{verdict} is no verdict"),
            }
        }
        if std::env::var_os("SKILLBENCH_GENERATE").is_some() {
            let written = serde_json::to_string_pretty(&sums).unwrap();
            std::fs::write(format!("{FOLDER}/src/judged.json"), format!("{written}\n")).unwrap();
            return;
        }
        assert!(*JUDGED == sums, "run `cargo xtask generate` and review the difference");
    }

    #[test]
    fn only_rules_were_judged() {
        let unknown: Vec<&String> = JUDGED.keys().filter(|id| crate::find(id).is_none()).collect();
        assert_eq!(unknown, [""; 0]);
    }
}
