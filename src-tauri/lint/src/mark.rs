//! Properties that few rules have, or those of one group.

/// A property of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// What its findings are evidence of: every rule of security has one such mark, other rules have none.
    Evidence(Deed),
    /// The text that it finds could be deleted.
    Needless,
    /// It compares something with the name of the skill's folder.
    FolderName,
    /// Its fix is safe if every framework makes the same of the skill afterwards.
    SafeIfSame,
}

/// What a skill does. Pieces of evidence that are weak by themselves support each other if they are of different kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Deed {
    /// Tells the model to leave its own rules, or to hide something from the user.
    Orders,
    /// Has what its reader does not see.
    Hides,
    /// Reads or asks for what is private.
    Reads,
    /// Sends what is private.
    Sends,
    /// Runs what a server sends.
    Fetches,
    /// Runs what it should not.
    Runs,
    /// Changes the machine so that it lasts.
    Stays,
    /// Has secrets of its author in it.
    Leaks,
    /// Has files that are not what they claim to be, or that cannot be read.
    Files,
    /// Claims more than it needs.
    Claims,
}
