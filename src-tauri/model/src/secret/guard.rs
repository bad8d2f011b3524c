//! Keys that are in the environment of this process: nothing that is started gets them, and what tools bring back is
//! searched for them. A script that may run can still read what its user may read, such as the environment of this process:
//! on Linux [`close_memory`] refuses that to everybody but root.

use super::scrub::DISTINCT;
use super::{KeyRef, Keys, Scrubber, Secret};

/// Which variables hold keys, and the keys that are in them.
#[derive(Debug, Clone, Default)]
pub struct Guard {
    names: Vec<String>,
    scrubber: Scrubber,
}

impl Guard {
    /// For the variables of these names, and for keys from elsewhere. Keys of less than eight characters are not looked
    /// for: files contain such words anyway, for example `test`.
    pub fn new(names: impl IntoIterator<Item = String>, further: Vec<Secret>, keys: &dyn Keys) -> Self {
        let names: Vec<String> = names.into_iter().collect();
        let found = names.iter().filter_map(|name| KeyRef::Env(name.clone()).resolve(keys).ok());
        let found = found.chain(further).map(|key| key.reveal().trim().to_owned());
        let keys: Vec<String> = found.filter(|key| key.len() >= DISTINCT).collect();
        Self { scrubber: Scrubber::new(keys), names }
    }

    /// The variables that nothing we start may have.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Removes these keys from texts.
    pub fn scrubber(&self) -> &Scrubber {
        &self.scrubber
    }
}

/// Keeps other processes of this user from reading the memory and the environment of this one, and the system from
/// writing them to a core file. Programs that this one starts are not affected. Root may still read everything, and on
/// other systems than Linux there is nothing of the kind.
pub fn close_memory() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable) {
        tracing::warn!(%error, "other programs of this user can read the keys in the environment of this one");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_keys_that_are_set() {
        let keys = |name: &str| match name {
            "ONE_KEY" => Some(" sk-canary-5d2f9c\n".to_owned()),
            "SHORT_KEY" => Some("test".to_owned()),
            _ => None,
        };
        let names = ["ONE_KEY", "SHORT_KEY", "UNSET_KEY"].map(String::from);
        let guard = Guard::new(names.clone(), vec![Secret::new("tok-printed-1\n".to_owned())], &keys);
        assert_eq!(guard.names(), names);
        assert_eq!(guard.scrubber().text("tok-printed-1"), "[key]");
        assert_eq!(guard.scrubber().text("ONE_KEY=sk-canary-5d2f9c\0SHORT_KEY=test"), "ONE_KEY=[key]\0SHORT_KEY=test");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_memory_of_the_process_is_closed() {
        close_memory();
        let behaviour = rustix::process::dumpable_behavior().unwrap();
        assert_eq!(behaviour, rustix::process::DumpableBehavior::NotDumpable);
    }
}
