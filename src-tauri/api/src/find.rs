//! Searches all files of all skills for a text. Each answer takes only a short time and says where the next one
//! continues, so that callers can show results and progress, and stop by not asking again.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use camino::Utf8Path;

use super::convert::Ruler;
use super::drafts::as_texts;
use super::dto::{FindArgs, FoundFile, FoundTexts, LargeFile};
use super::error::{ApiError, Code};
use super::excerpt::excerpt;
use super::pattern::{Pattern, Places};
use super::{Workbench, blocking};
use lint::{Disk, Files, TEXT_LIMIT, is_too_large};
use skill::source::SourceText;
use skill::{Drafts, FileKind, Skill, SkillFile};
use wording::message;

impl Workbench {
    /// Unsaved texts are in place of those on disk.
    pub async fn text_find(&self, args: FindArgs) -> Result<FoundTexts, ApiError> {
        if args.text.is_empty() {
            return Err(ApiError::new(Code::Invalid, message!("there is no text to find", "没有要查找的文本"))
                .hint(message!("type what to look for", "请输入要查找的内容")));
        }
        let pattern = Pattern::new(&args.text, args.match_case, args.whole_words, args.regex);
        let pattern = pattern.map_err(|why| {
            ApiError::new(Code::Invalid, why)
                .hint(message!("correct it, or look for the text as it stands", "请改正，或按原文查找"))
        })?;
        let loaded = self.loaded().await;
        Ok(blocking(move || {
            let begun = Instant::now();
            let drafts = Drafts::new(as_texts(&args.unsaved));
            let set = skill::drafted(&loaded.set, &drafts);
            let skills = skill::skills(&set);
            let search = Search { pattern, drafts, until: begun + SLICE };
            search.next(&files(&skills), args.after.as_deref().map(Utf8Path::new))
        })
        .await)
    }
}

/// How long one answer may take, except for the files that are being read then.
const SLICE: Duration = Duration::from_millis(200);

/// Files that are read between two looks at the clock.
const STRIDE: usize = 64;

/// Places of one file that are listed.
const OF_FILE: usize = 500;

/// Places of one answer.
const OF_ANSWER: usize = 2000;

/// Each file once, by path.
fn files(skills: &[Skill]) -> Vec<(&Skill, &SkillFile)> {
    let mut seen = HashSet::new();
    let each = skills.iter().flat_map(|skill| skill.files.iter().map(move |file| (skill, file)));
    let mut files: Vec<_> = each.filter(|(_, file)| !file.outside && seen.insert(&file.path)).collect();
    files.sort_by(|(_, a), (_, b)| a.path.cmp(&b.path));
    files
}

struct Search {
    pattern: Pattern,
    drafts: Drafts,
    until: Instant,
}

impl Search {
    fn next(&self, files: &[(&Skill, &SkillFile)], after: Option<&Utf8Path>) -> FoundTexts {
        let first = after.map_or(0, |after| files.partition_point(|(_, file)| *file.path <= *after));
        let mut found = FoundTexts {
            files: Vec::new(),
            looked: 0,
            of: count(files.len()),
            too_large: Vec::new(),
            text_limit: TEXT_LIMIT,
            next: None,
        };
        let (mut at, mut places) = (first, 0);
        while at < files.len() {
            let stride = &files[at..files.len().min(at + STRIDE)];
            let looked = skill::in_parallel(stride.len(), |number| self.look(stride[number].0, stride[number].1));
            for looked in looked {
                match looked {
                    Looked::Found(file) => {
                        places += file.places.len();
                        found.files.push(file);
                    }
                    Looked::TooLarge(file) => found.too_large.push(file),
                    Looked::Nothing => {}
                }
            }
            at += stride.len();
            if at < files.len() && (places >= OF_ANSWER || Instant::now() > self.until) {
                found.next = Some(files[at - 1].1.path.to_string());
                break;
            }
        }
        found.looked = count(at);
        found
    }

    fn look(&self, skill: &Skill, file: &SkillFile) -> Looked {
        let draft = self.drafts.text(&file.path);
        let Some(source) = draft.cloned().or_else(|| on_disk(skill, file)) else {
            return match is_too_large(&file.path, file.size) {
                true => Looked::TooLarge(LargeFile {
                    skill_name: skill.name().to_owned(),
                    path: file.path.to_string(),
                    name: file.name.clone(),
                }),
                false => Looked::Nothing,
            };
        };
        let text = as_in_an_editor(&source.text);
        // A file is looked through to its end, or its places would never be found.
        let Places { spans, more } = self.pattern.places(&text, OF_FILE, self.until + SLICE);
        if spans.is_empty() {
            return Looked::Nothing;
        }
        let ruler = Ruler::new(&text);
        Looked::Found(FoundFile {
            skill: skill.path.to_string(),
            skill_name: skill.name().to_owned(),
            path: file.path.to_string(),
            name: file.name.clone(),
            unsaved: draft.is_some(),
            places: spans.into_iter().map(|span| excerpt(&text, span, &ruler)).collect(),
            more,
        })
    }
}

enum Looked {
    Found(FoundFile),
    TooLarge(LargeFile),
    Nothing,
}

/// With LF alone.
fn as_in_an_editor(text: &str) -> Cow<'_, str> {
    if text.contains('\r') { text.replace("\r\n", "\n").into() } else { text.into() }
}

fn on_disk(skill: &Skill, file: &SkillFile) -> Option<Arc<SourceText>> {
    match file.kind {
        FileKind::Manifest if skill.manifest.source.path == file.path => Some(skill.manifest.source.clone()),
        _ => Disk.text(&file.path),
    }
}

fn count(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use camino::Utf8PathBuf;

    use super::*;
    use crate::dto::{FoundPlace, UnsavedText};
    use crate::{Freshness, Places as Folders};

    fn args(text: &str) -> FindArgs {
        FindArgs {
            text: text.into(),
            match_case: false,
            whole_words: false,
            regex: false,
            unsaved: Vec::new(),
            after: None,
        }
    }

    async fn bench(home: &Utf8Path, files: &[(&str, &[u8])]) -> (Workbench, Utf8PathBuf) {
        let skills = home.join("skills");
        for (name, text) in files {
            let path = skills.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let places = Folders::below(home.join("state"), None);
        (Workbench::open(places, vec![skills.clone()], Freshness::ReadOnce, |_| {}).await, skills)
    }

    fn told(found: &FoundTexts, below: &Utf8Path) -> Vec<String> {
        let lines = found.files.iter().flat_map(|file| {
            let path = Utf8Path::new(&file.path).strip_prefix(below).unwrap();
            let mark = if file.unsaved { "*" } else { "" };
            file.places.iter().map(move |FoundPlace { range, before, text, after }| {
                format!("{path}{mark} {}:{} {before}[{text}]{after}", range.line, range.column)
            })
        });
        lines.collect()
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn every_file_of_every_skill_is_looked_through_with_unsaved_texts_in_place() {
        let folder = tempfile::tempdir().unwrap();
        let home = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
        let (bench, skills) = bench(
            &home,
            &[
                ("a/SKILL.md", b"---\nname: a\ndescription: Rolls.\n---\n  Roll the dice.\n"),
                ("a/references/x.md", "一\r\n二 ROLL 三\r\n".as_bytes()),
                ("a/assets/x.bin", b"roll\0"),
                ("b/SKILL.md", b"---\nname: b\ndescription: x\n---\nroll\n"),
                ("c/SKILL.md", b"---\nname: c\ndescription: x\n---\n"),
            ],
        )
        .await;
        let found = bench.text_find(args("roll")).await.unwrap();
        let expected = [
            "a/SKILL.md 3:14 description: [Roll]s.",
            "a/SKILL.md 5:3 [Roll] the dice.",
            "a/references/x.md 2:3 二 [ROLL] 三",
            "b/SKILL.md 5:1 [roll]",
        ];
        assert_eq!(told(&found, &skills), expected);
        assert_eq!((found.looked, found.of, found.next), (5, 5, None));
        let range = found.files[1].places[0].range;
        assert_eq!((range.from, range.to), (4, 8), "as the editor counts: a line end is one unit");

        let unsaved = |name: &str, text: &str| UnsavedText { path: skills.join(name).into(), text: text.into() };
        let drafts = vec![
            unsaved("b/SKILL.md", "---\nname: b\ndescription: x\n---\nnothing\n"),
            unsaved("c/notes.md", "roll on"),
        ];
        let found = bench.text_find(FindArgs { unsaved: drafts, match_case: true, ..args("roll") }).await.unwrap();
        assert_eq!(told(&found, &skills), ["c/notes.md* 1:1 [roll] on"]);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn texts_that_are_too_large_are_named_and_what_is_no_text_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let home = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
        let long = "roll \n".repeat(usize::try_from(TEXT_LIMIT).unwrap() / 6 + 1);
        let picture = [&[0; 64][..], long.as_bytes()].concat();
        let manifest = b"---\nname: a\ndescription: x\n---\nroll\n";
        let files: [(&str, &[u8]); 3] =
            [("a/SKILL.md", manifest), ("a/data/long.csv", long.as_bytes()), ("a/data/x.bin", &picture)];
        let (bench, skills) = bench(&home, &files).await;
        let found = bench.text_find(args("roll")).await.unwrap();
        assert_eq!(told(&found, &skills), ["a/SKILL.md 5:1 [roll]"]);
        let path = skills.join("a/data/long.csv").into_string();
        let large = LargeFile { skill_name: "a".into(), path, name: "data/long.csv".into() };
        assert_eq!((found.too_large, found.text_limit), (vec![large], 4 << 20));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn an_answer_goes_on_behind_a_file_even_if_it_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let home = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
        let text = b"---\nname: x\ndescription: x\n---\nroll\n";
        let (bench, skills) = bench(&home, &[("a/SKILL.md", text), ("b/SKILL.md", text), ("d/SKILL.md", text)]).await;
        for gone in ["b/SKILL.md", "c/SKILL.md"] {
            let after = Some(skills.join(gone).into_string());
            let found = bench.text_find(FindArgs { after, ..args("roll") }).await.unwrap();
            assert_eq!(told(&found, &skills), ["d/SKILL.md 5:1 [roll]"]);
            assert_eq!((found.looked, found.of), (3, 3));
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn nothing_to_find_and_a_wrong_expression_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let home = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
        let (bench, _) = bench(&home, &[("a/SKILL.md", b"x")]).await;
        let refused = bench.text_find(args("")).await.unwrap_err();
        assert_eq!((refused.code, &*refused.message), (Code::Invalid, "there is no text to find"));
        let refused = bench.text_find(FindArgs { regex: true, ..args("(") }).await.unwrap_err();
        assert_eq!((refused.code, &*refused.message), (Code::Invalid, "the expression is not valid: unclosed group"));
    }
}
