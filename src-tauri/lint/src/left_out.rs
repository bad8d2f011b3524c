//! Checks that other tools have, or that users asked for, and that no rule here does.

/// A check that is left out on purpose.
pub struct LeftOut {
    /// As a rule of it would be called.
    pub name: &'static str,
    /// What it would look for.
    pub what: &'static str,
    /// What it would need that a linter does not have.
    pub why: &'static str,
}

pub const LEFT_OUT: &[LeftOut] = &[
    LeftOut {
        name: "help-probe-fails-or-hangs",
        what: "A script that fails, hangs or asks when it is run with `--help`",
        why: "It runs the skill's scripts, which nothing may do that only looks",
    },
    LeftOut {
        name: "exfil-cross-skill",
        what: "One skill writes a secret where another one sends it from",
        why: "The order in which skills run is the model's; within a skill, flows are followed",
    },
    LeftOut {
        name: "complementary-chain",
        what: "Two skills that are harmless alone and harm together",
        why: "What a pair is meant for needs a model's judgement; without it nearly all hits are false",
    },
    LeftOut {
        name: "kiro-plugin-skip",
        what: "Skills of a plugin that Kiro leaves out",
        why: "Kiro does not document which ones, and nothing was recorded",
    },
    LeftOut {
        name: "compat-range-of-client",
        what: "`compatibility` names a version of a client that lacks what the skill uses",
        why: "There is no list of the versions in which clients learned what",
    },
    LeftOut {
        name: "eino-agent-needs-hub",
        what: "`agent` in an Eino application without an agent hub",
        why: "The application says so in its code, not the skill; the window shows it for the framework that is chosen",
    },
    LeftOut {
        name: "eino-model-unresolved",
        what: "`model` that the Eino application does not have",
        why: "The application says so in its code, not the skill; the window shows it for the framework that is chosen",
    },
    LeftOut {
        name: "helper-reinvented-in-runs",
        what: "The same helper script, written again in several runs",
        why: "Recorded runs hold the calls of tools, not the files that came of them",
    },
    LeftOut {
        name: "instruction-ignored-in-runs",
        what: "An instruction that no recorded run followed",
        why: "Whether a run followed a sentence needs a model's judgement",
    },
    LeftOut {
        name: "package-contents-differ-from-folder",
        what: "A `.skill` package whose files are not those of the folder",
        why: "Packages lie elsewhere, and nothing tells which folder one was made of",
    },
    LeftOut {
        name: "version-not-bumped-on-change",
        what: "A changed skill with its old `version`",
        why: "It needs the history; a linter sees the files as they are",
    },
    LeftOut {
        name: "known-vulnerability",
        what: "A dependency with a published vulnerability",
        why: "It needs a network and a list that is new each day",
    },
    LeftOut {
        name: "known-malware",
        what: "A file whose hash virus scanners know",
        why: "It needs a network, and tells a third party what the skill holds",
    },
    LeftOut {
        name: "model-judgement",
        what: "Injections, harm and poor instructions as a language model sees them",
        why: "It needs a model, costs money, and differs from run to run; the judge can itself be injected",
    },
    LeftOut {
        name: "pattern-packs",
        what: "The packs of Agent Threat Rules and PromptGuard, some 740 patterns",
        why: "They are made for texts that agents get at run time, and find much in good skills",
    },
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::find;

    /// All checks of all tools that were compared, one a line, followed by our rule for it, if that has another name.
    const SUPERSET: &str = include_str!("superset.txt");

    #[test]
    fn everything_that_any_tool_checks_is_a_rule_or_left_out() {
        let missing: Vec<&str> = SUPERSET
            .lines()
            .filter(|line| {
                let mut words = line.split(' ');
                let name = words.next().unwrap_or_default();
                find(words.next().unwrap_or(name)).is_none() && LEFT_OUT.iter().all(|left| left.name != name)
            })
            .collect();
        assert_eq!(missing, [""; 0]);
        assert_eq!(SUPERSET.lines().collect::<BTreeSet<_>>().len(), 295);
    }

    #[test]
    fn what_is_left_out_is_no_rule_and_named_once() {
        let names: BTreeSet<&str> = LEFT_OUT.iter().map(|left| left.name).collect();
        assert_eq!(names.len(), LEFT_OUT.len());
        assert!(names.iter().all(|name| find(name).is_none()));
    }
}
