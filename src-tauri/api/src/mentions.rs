//! Finds places in texts that name a file or a skill that is about to be renamed.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};

use super::convert::Ruler;
use super::drafts::as_texts;
use super::dto::{Mention, MentionArgs};
use super::error::ApiError;
use super::excerpt::excerpt;
use super::{Workbench, absolute, blocking};
use lint::renamed::{file_renamed, skill_renamed};
use lint::{Disk, Edit, Files, Overlay};
use skill::Drafts;

impl Workbench {
    /// By file, then place. Nothing is written.
    pub async fn file_mentions(&self, args: MentionArgs) -> Result<Vec<Mention>, ApiError> {
        let loaded = self.loaded().await;
        Ok(blocking(move || {
            let texts = as_texts(&args.unsaved);
            let drafts = Drafts::new(texts.clone());
            let set = skill::drafted(&loaded.set, &drafts);
            let skills = skill::skills(&set);
            let files = Overlay { below: &Disk, texts };
            let (from, to) = (absolute(Utf8Path::new(&args.from)), absolute(Utf8Path::new(&args.to)));
            let edits = match skills.iter().find(|skill| from.starts_with(&skill.path)) {
                Some(skill) if skill.path == from => skill_renamed(&skills, &from, &to),
                Some(skill) => file_renamed(skill, &files, &from, &to),
                None => Vec::new(),
            };
            as_mentions(edits, &files)
        })
        .await)
    }
}

/// Places as an editor has them.
fn as_mentions(edits: Vec<Edit>, files: &dyn Files) -> Vec<Mention> {
    let mut by_file: BTreeMap<Utf8PathBuf, Vec<Edit>> = BTreeMap::new();
    for edit in edits {
        by_file.entry(edit.path.clone()).or_default().push(edit);
    }
    let mut mentions = Vec::new();
    for (path, mut edits) in by_file {
        let Some(source) = files.text(&path) else { continue };
        edits.sort_by_key(|edit| edit.span.start);
        let ruler = Ruler::of_editor(&source.text);
        mentions.extend(edits.into_iter().map(|Edit { span, text, .. }| Mention {
            path: path.to_string(),
            place: excerpt(&source.text, span, &ruler),
            text,
        }));
    }
    mentions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dto::UnsavedText;
    use crate::{Freshness, Places};

    #[tokio::test(flavor = "multi_thread")]
    async fn mentions_are_those_of_the_texts_as_they_stand_in_the_editor() {
        let folder = tempfile::tempdir().unwrap();
        let home = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
        let skill = home.join("skills/demo");
        std::fs::create_dir_all(skill.join("references")).unwrap();
        std::fs::write(skill.join("references/a.md"), "x").unwrap();
        let text = "---\r\nname: demo\r\ndescription: x\r\n---\r\n[一](references/a.md)\r\n";
        std::fs::write(skill.join("SKILL.md"), text).unwrap();
        let places = Places::below(home.join("state"), None);
        let bench = Workbench::open(places, vec![home.join("skills")], Freshness::ReadOnce, |_| {}).await;
        let asked = |unsaved: &[(&str, &str)]| MentionArgs {
            from: skill.join("references/a.md").into(),
            to: skill.join("references/b.md").into(),
            unsaved: unsaved
                .iter()
                .map(|(name, text)| UnsavedText { path: skill.join(name).into(), text: (*text).to_owned() })
                .collect(),
        };
        let found = bench.file_mentions(asked(&[])).await.unwrap();
        let shown = text.replace("\r\n", "\n");
        let at = shown.find("references").unwrap() - "一".len() + 1;
        let place = &found[0].place;
        assert_eq!((found.len(), place.range.from as usize, place.range.line), (1, at, 5));
        assert_eq!(format!("{}<{}>{}", place.before, place.text, place.after), "[一](<references/a.md>)");
        assert_eq!(found[0].text, "references/b.md");
        let drafts = [("SKILL.md", "---\nname: demo\n---\nNothing.\n"), ("notes.md", "`references/a.md`")];
        let found = bench.file_mentions(asked(&drafts)).await.unwrap();
        assert_eq!(found.iter().map(|mention| &*mention.path).collect::<Vec<_>>(), [skill.join("notes.md")]);
    }
}
