//! The client's knowledge of models, as far as a list of skills depends on it. An unknown model is treated as the known
//! one with the longest name that it begins with.

/// What a request looks like for a model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Model {
    /// The list of skills is followed by how to use them. For newer models that is in the client's own prompt, and for
    /// unknown models it is missing.
    pub says_how: bool,
    /// Tools are an item of the conversation, and the model calls them from programs in JavaScript, for which it has the tool
    /// `exec`.
    pub tools_as_item: bool,
    /// `exec` has a tool for the time, too.
    pub clock: bool,
    /// Two more of the client's own texts follow the list: about the agents that work together.
    pub agents: bool,
}

/// `model` may have the name of a provider and a slash before it.
pub fn of(model: &str) -> Model {
    known(model).or_else(|| known(behind_provider(model)?)).unwrap_or_default()
}

fn known(model: &str) -> Option<Model> {
    let found = KNOWN.iter().filter(|(name, _)| model.starts_with(name));
    found.max_by_key(|(name, _)| name.len()).map(|(_, model)| *model)
}

fn behind_provider(model: &str) -> Option<&str> {
    let (provider, name) = model.split_once('/')?;
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    (!name.contains('/') && !provider.is_empty() && provider.chars().all(is_letter)).then_some(name)
}

const OLDER: Model = Model { says_how: true, tools_as_item: false, clock: false, agents: false };
const FIVE: Model = Model { says_how: false, tools_as_item: true, clock: false, agents: true };
const ALONE: Model = Model { agents: false, ..FIVE };
const SIX: Model = Model { clock: true, ..FIVE };

const KNOWN: [(&str, Model); 12] = [
    ("gpt-5.5", OLDER),
    ("gpt-5.6-sol", FIVE),
    ("gpt-5.6-terra", FIVE),
    ("gpt-5.6-luna", ALONE),
    ("gpt-6-sol", SIX),
    ("gpt-6-luna", SIX),
    ("gpt-6-astra", SIX),
    ("gpt-6.1-sol", SIX),
    ("gpt-6.1-terra", SIX),
    ("gpt-daybreak-blue-latest", FIVE),
    ("gpt-daybreak-red-latest", FIVE),
    ("codex-auto-review", ALONE),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_begins_with_a_known_one_is_that_model() {
        assert_eq!(["gpt-5.5", "gpt-5.5-foo", "gpt-5.50", "openai/gpt-5.5"].map(of), [OLDER; 4]);
        assert_eq!(["gpt-5.6-sol", "gpt-5.6-sol-2026", "azure_1/gpt-5.6-sol"].map(of), [FIVE; 3]);
        assert_eq!(["gpt-6.1-sol", "azure_1/gpt-6-sol"].map(of), [SIX; 2]);
        assert_eq!(of("gpt-5.6-luna"), ALONE);
        let unknown =
            ["gpt-5", "gpt-5.4", "gpt-5.6", "gpt-6", "GPT-5.5", "unknown-model", "a/b/gpt-5.5", "/gpt-5.5", ""];
        assert_eq!(unknown.map(of), [Model::default(); 9]);
    }
}
