//! `agents/openai.yaml` next to a `SKILL.md`: whether the skill is in the list. A file that does not have the client's
//! format is ignored as a whole.

use crate::yaml::{self, Content, Dialect, Document, Id, Limits};
use skill::source::SourceText;
use skill::{File, Folder};

/// The file, if there is one.
pub fn file(skill: &Folder) -> Option<&File> {
    skill.folders().find(|folder| folder.name == "agents")?.files().find(|file| file.name == "openai.yaml")
}

/// Whether the model may use the skill without being told to.
pub fn allows_implicit_use(source: &SourceText) -> bool {
    said(&source.text).flatten().unwrap_or(true)
}

/// `None`: the file is ignored. `Some(None)`: it does not say.
fn said(text: &str) -> Option<Option<bool>> {
    let document = yaml::compose(text, Dialect::C, Limits::of(Dialect::C)).ok()??;
    let is_scalar = |id: Id| matches!(document.node(id).content, Content::Scalar { .. });
    let root = map(&document, document.root)?;
    if let Some(interface) = field(&document, root, "interface")? {
        let interface = map(&document, interface)?;
        for key in INTERFACE {
            field(&document, interface, key)?.is_none_or(is_scalar).then_some(())?;
        }
    }
    if let Some(dependencies) = field(&document, root, "dependencies")? {
        map(&document, dependencies)?;
    }
    let Some(policy) = field(&document, root, "policy")? else { return Some(None) };
    let policy = map(&document, policy)?;
    if let Some(products) = field(&document, policy, "products")? {
        let Content::List(products) = &document.node(products).content else { return None };
        products.iter().all(|product| is_product(&document, *product)).then_some(())?;
    }
    let Some(allowed) = field(&document, policy, "allow_implicit_invocation")? else { return Some(None) };
    match &document.node(allowed).content {
        Content::Scalar { text, implicit: true, .. } => match text.as_str() {
            "true" | "True" | "TRUE" => Some(Some(true)),
            "false" | "False" | "FALSE" => Some(Some(false)),
            _ => None,
        },
        Content::Scalar { .. } | Content::List(_) | Content::Map(_) | Content::Alias { .. } => None,
    }
}

/// One that the client knows.
fn is_product(document: &Document, id: Id) -> bool {
    let known = ["chatgpt", "codex", "atlas"];
    match &document.node(id).content {
        Content::Scalar { text, .. } => known.iter().any(|known| *known == text || known.to_uppercase() == *text),
        Content::List(_) | Content::Map(_) | Content::Alias { .. } => false,
    }
}

const INTERFACE: [&str; 6] =
    ["display_name", "short_description", "icon_small", "icon_large", "brand_color", "default_prompt"];

fn map(document: &Document, id: Id) -> Option<&[(Id, Id)]> {
    match &document.node(id).content {
        Content::Map(pairs) => Some(pairs),
        Content::Scalar { .. } | Content::List(_) | Content::Alias { .. } => None,
    }
}

/// `None`: the key is there twice. `Some(None)`: it is not there, or null.
fn field(document: &Document, pairs: &[(Id, Id)], key: &str) -> Option<Option<Id>> {
    let is_key = |id: Id| matches!(&document.node(id).content, Content::Scalar { text, .. } if text == key);
    let mut found = pairs.iter().filter(|(name, _)| is_key(*name)).map(|(_, value)| *value);
    let first = found.next();
    if found.next().is_some() {
        return None;
    }
    let is_null = |id: &Id| {
        matches!(
            &document.node(*id).content,
            Content::Scalar { text, implicit: true, .. } if matches!(text.as_str(), "" | "~" | "null" | "Null" | "NULL")
        )
    };
    Some(first.filter(|id| !is_null(id)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_not_as_it_should_be_is_ignored() {
        let allows = |text: &str| allows_implicit_use(&SourceText::of_text("openai.yaml".into(), text.into()));
        for text in [
            "policy:\n  allow_implicit_invocation: false\n",
            "{policy: {allow_implicit_invocation: False, products: [codex]}}",
        ] {
            assert!(!allows(text), "{text}");
        }
        for text in [
            "",
            "policy:\n",
            "policy:\n  allow_implicit_invocation: true\n",
            "policy:\n  allow_implicit_invocation: 'false'\n",
            "policy:\n  allow_implicit_invocation: no\n",
            "policy: [\n",
            "policy: {allow_implicit_invocation: false}\npolicy: {}\n",
            "policy: {allow_implicit_invocation: false}\ninterface: [x]\n",
            "policy: {allow_implicit_invocation: false, products: codex}\n",
            "policy: {allow_implicit_invocation: false, products: [x]}\n",
        ] {
            assert!(allows(text), "{text}");
        }
    }
}
