//! `skillbench-confine LIMIT… RULE… -- PROGRAM ARGUMENT…`: limits itself, keeps itself to what the rules allow of the
//! files that are there (Landlock), and becomes the program. It runs inside of what bubblewrap made, where Landlock
//! cannot be put on from outside: the kernel does not let a process under Landlock's rules mount anything.
//! `engine::tool::sandbox` says what to allow; this program decides nothing itself.

use std::process::ExitCode;

/// An exit code that no other program here uses: bubblewrap, shells and `env` have different ones.
const NOT_CONFINED: u8 = 121;

fn main() -> ExitCode {
    let Err(why) = become_program();
    eprintln!("skillbench-confine: {why}");
    ExitCode::from(NOT_CONFINED)
}

#[cfg(target_os = "linux")]
fn become_program() -> Result<std::convert::Infallible, String> {
    use std::os::unix::process::CommandExt;

    let mut words = std::env::args().skip(1);
    let mut rules = rules::Rules::new()?;
    for word in words.by_ref() {
        match word.split_once('=') {
            _ if word == "--" => break,
            Some((name, value)) if limits::is_one(name) => limits::set(name, value)?,
            Some((name, place)) => rules.allow(name, place)?,
            None => return Err(format!("`{word}` is neither a limit nor a rule")),
        }
    }
    let program = words.next().ok_or("there is no program to run")?;
    rules.enforce()?;
    Err(format!("{program}: {}", std::process::Command::new(&program).args(words).exec()))
}

#[cfg(not(target_os = "linux"))]
fn become_program() -> Result<std::convert::Infallible, String> {
    Err("there is Landlock on Linux only".to_owned())
}

#[cfg(target_os = "linux")]
mod limits {
    use rustix::process::{Resource, Rlimit, setrlimit};

    /// As `prlimit` calls them.
    const LIMITS: [(&str, Resource); 6] = [
        ("--nproc", Resource::Nproc),
        ("--data", Resource::Data),
        ("--fsize", Resource::Fsize),
        ("--cpu", Resource::Cpu),
        ("--nofile", Resource::Nofile),
        ("--core", Resource::Core),
    ];

    pub(super) fn is_one(name: &str) -> bool {
        LIMITS.iter().any(|(known, _)| *known == name)
    }

    pub(super) fn set(name: &str, value: &str) -> Result<(), String> {
        let wrong = |why: String| format!("{name}={value}: {why}");
        let (_, resource) =
            LIMITS.into_iter().find(|(known, _)| *known == name).ok_or_else(|| wrong("unknown".into()))?;
        let limit = value.parse().map_err(|_| wrong("not a number".into()))?;
        setrlimit(resource, Rlimit { current: Some(limit), maximum: Some(limit) })
            .map_err(|error| wrong(error.to_string()))
    }
}

#[cfg(target_os = "linux")]
mod rules {
    use landlock::{
        ABI, Access, AccessFs, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
        RulesetCreated, RulesetCreatedAttr, RulesetStatus, Scope,
    };

    /// Without this version, files that may not be written to could still be emptied.
    const LEAST: ABI = ABI::V3;
    /// Of which as much is asked for as the kernel has.
    const MOST: ABI = ABI::V10;

    pub(super) struct Rules(RulesetCreated);

    impl Rules {
        /// For files, and for signals and sockets without a file if the kernel supports that. Not of ports: if there is
        /// no network, the only ones are the sandbox's own.
        pub(super) fn new() -> Result<Self, String> {
            let rules = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
            let rules = rules.handle_access(AccessFs::from_all(LEAST)).map_err(said)?;
            let rules = rules.set_compatibility(CompatLevel::BestEffort);
            let rules = rules.handle_access(AccessFs::from_all(MOST)).map_err(said)?;
            let rules = rules.scope(Scope::from_all(MOST)).map_err(said)?;
            rules.create().map(Self).map_err(said)
        }

        /// Missing files need no rule.
        pub(super) fn allow(&mut self, rule: &str, place: &str) -> Result<(), String> {
            let access = access(rule).ok_or_else(|| format!("`{rule}` is no rule"))?;
            let Ok(facts) = std::fs::metadata(place) else { return Ok(()) };
            let access = if facts.is_dir() { access } else { access & AccessFs::from_file(MOST) };
            let handle = PathFd::new(place).map_err(said)?;
            (&mut self.0).add_rule(PathBeneath::new(handle, access)).map(drop).map_err(said)
        }

        pub(super) fn enforce(self) -> Result<(), String> {
            let status = self.0.restrict_self().map_err(said)?;
            match status.ruleset {
                RulesetStatus::NotEnforced => Err("Landlock is not in force".to_owned()),
                RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => Ok(()),
            }
        }
    }

    fn access(rule: &str) -> Option<BitFlags<AccessFs>> {
        let see = AccessFs::ReadFile | AccessFs::ReadDir;
        match rule {
            // Names, and nothing of what the files hold.
            "--list" => Some(AccessFs::ReadDir.into()),
            "--see" => Some(see),
            "--read" => Some(AccessFs::from_read(MOST)),
            "--use" => Some(see | AccessFs::WriteFile | AccessFs::Truncate | AccessFs::IoctlDev),
            "--write" => {
                Some(AccessFs::from_all(MOST) & !(AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::IoctlDev))
            }
            _ => None,
        }
    }

    fn said(error: impl std::fmt::Display) -> String {
        error.to_string()
    }
}
