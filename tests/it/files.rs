//! Editing through the api: no text is lost, and nothing outside the open folders is touched.

use std::fs;
use std::time::Duration;

use api::Code;
use api::dto::{
    CheckArgs, FieldEdit, FileMove, FileSave, GitHistory, NewSkill, NoArgs, PathArgs, Push, SaveResult, SkillArgs,
    TrashArgs, Trashed, VersionArgs, VersionRef,
};
use camino::Utf8PathBuf;
use skill::ProblemKind;
use skill::source::READ_LIMIT;

use crate::examples::Bench;

/// An opened folder with one skill in it.
async fn desk(manifest: &[u8]) -> (Bench, Utf8PathBuf, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
    let file = root.join("demo/SKILL.md");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, manifest).unwrap();
    (Bench::on(&root).await, file, folder)
}

const MANIFEST: &str = "---\nname: demo\ndescription: Shows things. Use when asked to.\n---\n\n# Demo\n";

fn path(path: &Utf8PathBuf) -> PathArgs {
    PathArgs { path: path.to_string() }
}

#[tokio::test(flavor = "multi_thread")]
async fn saves_what_was_edited_and_keeps_the_mark_and_the_line_ends() {
    let disk = format!("\u{feff}{}", MANIFEST.replace('\n', "\r\n"));
    let (bench, file, _folder) = desk(disk.as_bytes()).await;
    let opened = bench.bench.file_read(path(&file)).await.unwrap();
    assert_eq!((opened.text.as_str(), opened.bom), (MANIFEST, true), "the editor gets plain lines");
    let text = opened.text.replace("# Demo", "# Démo 演示");
    let save = FileSave { path: file.to_string(), text, base: Some(opened.version), force: false };
    let saved = bench.bench.file_save(save).await.unwrap();
    assert!(matches!(saved, SaveResult::Saved { .. }));
    assert_eq!(fs::read_to_string(&file).unwrap(), disk.replace("# Demo", "# Démo 演示"));
}

#[tokio::test(flavor = "multi_thread")]
async fn opens_the_beginning_of_a_huge_file_for_reading_only() {
    let (bench, file, _folder) = desk(MANIFEST.as_bytes()).await;
    let huge = file.with_file_name("huge.txt");
    let size = READ_LIMIT + 10;
    fs::File::create(&huge).unwrap().set_len(size).unwrap();
    let opened = bench.bench.file_read(path(&huge)).await.unwrap();
    assert_eq!(opened.text.len() as u64, READ_LIMIT);
    let kind = opened.read_only.map(|problem| problem.kind);
    assert_eq!(kind, Some(ProblemKind::TooLarge { size, limit: READ_LIMIT }));
}

#[tokio::test(flavor = "multi_thread")]
async fn writes_over_nobody_who_was_faster() {
    let (bench, file, _folder) = desk(MANIFEST.as_bytes()).await;
    let opened = bench.bench.file_read(path(&file)).await.unwrap();
    fs::write(&file, "theirs").unwrap();
    let save =
        |force| FileSave { path: file.to_string(), text: "mine".into(), base: Some(opened.version.clone()), force };
    let SaveResult::Changed { theirs } = bench.bench.file_save(save(false)).await.unwrap() else {
        panic!("a newer file is reported");
    };
    assert_eq!((theirs.text.as_str(), fs::read_to_string(&file).unwrap().as_str()), ("theirs", "theirs"));

    fs::remove_file(&file).unwrap();
    assert_eq!(bench.bench.file_save(save(false)).await.unwrap(), SaveResult::Gone);
    assert!(matches!(bench.bench.file_save(save(true)).await.unwrap(), SaveResult::Saved { .. }));
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_saves_at_once_one_is_reported_to_the_other() {
    let (bench, file, _folder) = desk(MANIFEST.as_bytes()).await;
    let opened = bench.bench.file_read(path(&file)).await.unwrap();
    let saves = (0..8).map(|number| {
        let (bench, path, base) = (bench.bench.clone(), file.to_string(), Some(opened.version.clone()));
        let save = FileSave { path, text: format!("text {number}"), base, force: false };
        tokio::spawn(async move { bench.file_save(save).await.unwrap() })
    });
    let mut saved = 0;
    for save in saves.collect::<Vec<_>>() {
        saved += u32::from(matches!(save.await.unwrap(), SaveResult::Saved { .. }));
    }
    assert_eq!(saved, 1, "all were edited from the same version");
}

#[tokio::test(flavor = "multi_thread")]
async fn edits_and_watches_folders_that_the_project_file_names() {
    let folder = tempfile::tempdir().unwrap();
    let base = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
    let file = base.join("more/demo/SKILL.md");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, MANIFEST).unwrap();
    fs::create_dir(base.join("open")).unwrap();
    fs::write(base.join("open/workbench.yaml"), "roots: [../more]\n").unwrap();
    let bench = Bench::on(&base.join("open")).await;
    assert_eq!(
        bench.bench.skill_list(NoArgs {}).await.unwrap().skills.len(),
        0,
        "a project decides nothing outside of it"
    );
    bench.bench.trust_add(path(&base.join("more"))).await.unwrap();
    bench.pushes.try_recv().expect("whoever shows the skills hears that there are others");

    let opened = bench.bench.file_read(path(&file)).await.unwrap();
    assert_eq!(opened.text, MANIFEST);
    assert_eq!(bench.bench.skill_list(NoArgs {}).await.unwrap().skills.len(), 1);
    fs::write(&file, "no frontmatter").unwrap();
    tokio::task::block_in_place(|| bench.pushes.recv_timeout(Duration::from_secs(20))).unwrap();
    assert_eq!(bench.bench.lint_counts(NoArgs {}).await.unwrap()[0].errors, 1, "nothing old is shown");
}

#[tokio::test(flavor = "multi_thread")]
async fn touches_nothing_outside_the_open_folders() {
    let (bench, file, folder) = desk(MANIFEST.as_bytes()).await;
    let outside = Utf8PathBuf::try_from(folder.path().with_extension("secret")).unwrap();
    let climbing = file.parent().unwrap().join("../../").join(outside.file_name().unwrap());
    for place in [outside.clone(), climbing] {
        let error = bench.bench.file_create(path(&place)).await.unwrap_err();
        assert_eq!(error.code, Code::Invalid, "{place}");
        let moved = bench.bench.file_move(FileMove { from: file.to_string(), to: place.to_string() }).await;
        assert_eq!(moved.unwrap_err().code, Code::Invalid, "{place}");
    }
    assert!(!outside.exists() && file.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_deleted_is_listed_and_put_back_or_removed() {
    let (bench, file, _folder) = desk(MANIFEST.as_bytes()).await;
    let note = file.with_file_name("note.md");
    bench.bench.file_create(path(&note)).await.unwrap();
    assert_eq!(bench.bench.file_create(path(&note)).await.unwrap_err().code, Code::Exists);
    fs::write(&note, "keep me").unwrap();
    let trashed = bench.bench.file_trash(path(&note)).await.unwrap();
    assert!(!note.exists());
    let found = bench.home.path().join("state/trash").join(&trashed.id).join("note.md");
    assert_eq!(fs::read_to_string(found).unwrap(), "keep me", "it is found by hand too");
    assert_eq!(bench.bench.trash_list(NoArgs {}).await.unwrap(), std::slice::from_ref(&trashed));

    let id = |trashed: &Trashed| TrashArgs { id: trashed.id.clone() };
    fs::write(&note, "another").unwrap();
    let refused = bench.bench.trash_restore(id(&trashed)).await.unwrap_err();
    assert_eq!((refused.code, fs::read_to_string(&note).unwrap()), (Code::Exists, "another".to_owned()));
    let other = bench.bench.file_trash(path(&note)).await.unwrap();
    assert_eq!(bench.bench.trash_restore(id(&trashed)).await.unwrap(), trashed);
    assert_eq!(fs::read_to_string(&note).unwrap(), "keep me");
    assert_eq!(bench.bench.trash_remove(id(&other)).await.unwrap(), []);
    assert_eq!(bench.bench.trash_restore(id(&other)).await.unwrap_err().code, Code::NotFound);

    let skill = file.parent().unwrap().to_owned();
    let deleted = bench.bench.file_trash(path(&skill)).await.unwrap();
    assert_eq!((deleted.is_folder, skill.exists()), (true, false));
    bench.bench.trash_restore(id(&deleted)).await.unwrap();
    assert_eq!(fs::read(&file).unwrap(), MANIFEST.as_bytes());

    let again = bench.bench.file_trash(path(&note)).await.unwrap();
    let folder = skill.parent().unwrap().to_string();
    bench.bench.folder_close(PathArgs { path: folder }).await.unwrap();
    let outside = bench.bench.trash_restore(id(&again)).await.unwrap_err();
    assert_eq!((outside.code, note.exists()), (Code::Invalid, false), "nothing is written outside of the open folders");
}

#[tokio::test(flavor = "multi_thread")]
async fn tells_of_an_outside_edit_and_shows_nothing_old() {
    let (bench, file, _folder) = desk(MANIFEST.as_bytes()).await;
    assert_eq!(bench.bench.lint_counts(NoArgs {}).await.unwrap()[0].errors, 0);
    fs::write(&file, "no frontmatter").unwrap();
    let push = tokio::task::block_in_place(|| bench.pushes.recv_timeout(Duration::from_secs(20))).unwrap();
    let Push::FilesChanged(changed) = push else { panic!("{push:?}") };
    assert_eq!(changed.paths, [file.to_string()]);
    assert_eq!(bench.bench.lint_counts(NoArgs {}).await.unwrap()[0].errors, 1, "nothing old is shown");
}

#[tokio::test(flavor = "multi_thread")]
async fn checks_a_text_that_is_not_on_disk() {
    let (bench, file, _folder) = desk(MANIFEST.as_bytes()).await;
    let check = |text: &str| {
        bench.bench.text_check(CheckArgs { path: file.to_string(), text: text.into(), unsaved: Vec::new() })
    };
    assert_eq!(check(MANIFEST).await.unwrap().findings, []);
    let broken = MANIFEST.replace("name: demo", "name: Not A Name");
    let found = check(&broken).await.unwrap();
    let range = found.findings[0].range.unwrap();
    assert_eq!(&broken[range.from as usize..range.to as usize], "Not A Name");
    assert_eq!((range.line, range.column), (2, 7));
}

#[tokio::test(flavor = "multi_thread")]
async fn knows_the_files_next_to_a_manifest_that_was_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
    fs::create_dir_all(root.join("demo/references")).unwrap();
    fs::write(root.join("demo/references/a.md"), "# A\n").unwrap();
    let bench = Bench::on(&root).await;
    let text = format!("{MANIFEST}\nRead [a](references/a.md) when asked for it.\n");
    let path = root.join("demo/SKILL.md").to_string();
    let checked = bench.bench.text_check(CheckArgs { path, text, unsaved: Vec::new() }).await.unwrap();
    assert_eq!(checked.findings, [], "its folder holds what it links to");
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_one_field_or_says_that_it_cannot() {
    let (bench, file, _folder) = desk(MANIFEST.as_bytes()).await;
    let edit = |text: &str, value: &str| {
        bench.bench.field_edit(FieldEdit {
            path: file.to_string(),
            text: text.into(),
            key: "description".into(),
            value: Some(value.into()),
        })
    };
    let edited = edit(MANIFEST, "Answers: all of them").await.unwrap();
    assert_eq!(edited, MANIFEST.replace("Shows things. Use when asked to.", "\"Answers: all of them\""));
    let error = edit("---\nname: [\n---\n", "x").await.unwrap_err();
    assert_eq!(error.code, Code::Invalid);
}

#[tokio::test(flavor = "multi_thread")]
async fn makes_skills_without_problems_from_every_template() {
    let (bench, file, _folder) = desk(MANIFEST.as_bytes()).await;
    let folder = file.parent().unwrap().parent().unwrap().to_string();
    for template in bench.bench.template_list(NoArgs {}).await.unwrap() {
        let new = NewSkill {
            folder: folder.clone(),
            name: format!("new-{}", template.id),
            description: "Does: \"things\" # really. Use when asked.".into(),
            template: template.id.clone(),
        };
        let made = bench.bench.skill_new(new.clone()).await.unwrap();
        let detail = bench.bench.skill_get(SkillArgs { id: made.id }).await.unwrap();
        assert_eq!((detail.summary.description, detail.findings), (new.description.clone(), vec![]), "{}", template.id);
        assert_eq!(bench.bench.skill_new(new).await.unwrap_err().code, Code::Exists);
    }
}

/// An opened folder with links in its skill, and a folder outside of it.
#[cfg(unix)]
async fn linked() -> (Bench, Utf8PathBuf, Utf8PathBuf, tempfile::TempDir) {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let base = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
    let (skill, outside) = (base.join("open/demo"), base.join("outside"));
    for made in [skill.join("references"), skill.join("real"), outside.clone()] {
        fs::create_dir_all(made).unwrap();
    }
    fs::write(skill.join("SKILL.md"), MANIFEST).unwrap();
    fs::write(skill.join("real/in.md"), "inside").unwrap();
    fs::write(outside.join("secret.md"), "secret").unwrap();
    symlink(outside.join("secret.md"), skill.join("references/out.md")).unwrap();
    symlink(&outside, skill.join("assets")).unwrap();
    symlink("../real/in.md", skill.join("references/in.md")).unwrap();
    (Bench::on(&base.join("open")).await, skill, outside, folder)
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_link_that_leads_out_of_the_open_folders_is_neither_read_nor_written_through() {
    let (bench, skill, outside, _folder) = linked().await;
    let bench = &bench.bench;
    let secret = outside.join("secret.md");
    for link in [skill.join("references/out.md"), skill.join("assets/secret.md")] {
        let refused = bench.file_read(path(&link)).await.unwrap_err();
        assert_eq!((refused.code, refused.path.as_deref()), (Code::Untrusted, Some(secret.as_str())));
        for force in [false, true] {
            let save = FileSave { path: link.to_string(), text: "mine".into(), base: None, force };
            assert_eq!(bench.file_save(save).await.unwrap_err().code, Code::Untrusted);
        }
    }
    let create = bench.file_create(path(&skill.join("assets/new/made.md"))).await.unwrap_err();
    let moves = [
        (skill.join("assets/secret.md"), skill.join("taken.md")),
        (skill.join("real/in.md"), skill.join("assets/in.md")),
    ];
    let mut codes = vec![create.code, bench.file_trash(path(&skill.join("assets/secret.md"))).await.unwrap_err().code];
    for (from, to) in moves {
        let moved = bench.file_move(FileMove { from: from.into_string(), to: to.into_string() }).await;
        codes.push(moved.unwrap_err().code);
    }
    assert_eq!(codes, [Code::Untrusted; 4]);
    assert_eq!(fs::read_to_string(&secret).unwrap(), "secret");
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 1, "nothing is made there");

    let shown = bench.skill_get(SkillArgs { id: skill.to_string() }).await.unwrap();
    let led: Vec<_> =
        shown.files.into_iter().filter_map(|file| Some((file.name, file.leads_to?, file.outside))).collect();
    let inner = skill.join("real/in.md");
    let expected = [
        ("assets", outside.as_str(), true),
        ("references/in.md", inner.as_str(), false),
        ("references/out.md", secret.as_str(), true),
    ];
    assert_eq!(led, expected.map(|(name, leads_to, outside)| (name.to_owned(), leads_to.to_owned(), outside)));
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_link_is_renamed_and_deleted_itself_and_read_once_its_folder_is_trusted() {
    let (bench, skill, outside, _folder) = linked().await;
    let bench = &bench.bench;
    let inner = bench.file_read(path(&skill.join("references/in.md"))).await.unwrap();
    let save = FileSave { path: inner.path, text: "changed".into(), base: Some(inner.version), force: false };
    assert!(matches!(bench.file_save(save).await.unwrap(), SaveResult::Saved { .. }));
    assert_eq!(fs::read_to_string(skill.join("real/in.md")).unwrap(), "changed", "within the folder a link is a file");
    assert!(fs::symlink_metadata(skill.join("references/in.md")).unwrap().is_symlink(), "and stays a link");

    let (old, new) = (skill.join("references/out.md"), skill.join("references/renamed.md"));
    bench.file_move(FileMove { from: old.into_string(), to: new.to_string() }).await.unwrap();
    assert!(fs::symlink_metadata(&new).unwrap().is_symlink());
    bench.file_trash(path(&new)).await.unwrap();
    assert!(fs::symlink_metadata(&new).is_err());
    assert_eq!(fs::read_to_string(outside.join("secret.md")).unwrap(), "secret");

    bench.trust_add(path(&outside)).await.unwrap();
    assert_eq!(bench.file_read(path(&skill.join("assets/secret.md"))).await.unwrap().text, "secret");
    bench.file_create(path(&skill.join("assets/made.md"))).await.unwrap();
    assert!(outside.join("made.md").exists());
    bench.file_trash(path(&skill.join("assets"))).await.unwrap();
    assert!(outside.join("secret.md").exists(), "the link is gone, and what it led to is not");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_save_is_an_earlier_version_of_the_next_one_and_follows_the_file() {
    let (bench, file, _folder) = desk(MANIFEST.replace('\n', "\r\n").as_bytes()).await;
    let mut base = bench.bench.file_read(path(&file)).await.unwrap().version;
    for text in [format!("{MANIFEST}more\n"), MANIFEST.to_owned()] {
        let save = FileSave { path: file.to_string(), text, base: Some(base), force: false };
        let SaveResult::Saved { version } = bench.bench.file_save(save).await.unwrap() else { panic!("it is saved") };
        base = version;
    }
    let moved = file.with_file_name("notes.md");
    bench.bench.file_move(FileMove { from: file.to_string(), to: moved.to_string() }).await.unwrap();
    let known = bench.bench.file_history(path(&moved)).await.unwrap();
    let changed: Vec<_> =
        known.saved.iter().map(|version| version.changed.map(|lines| (lines.added, lines.removed))).collect();
    assert_eq!(changed, [Some((0, 1)), Some((1, 0)), None], "the newest first, and what was there before");
    assert_eq!(known.git, GitHistory::None);
    let of = VersionRef::Saved { id: known.saved[1].id.clone() };
    let text = bench.bench.file_version(VersionArgs { path: moved.to_string(), of: of.clone() }).await.unwrap();
    assert_eq!(text, format!("{MANIFEST}more\n"), "with the line ends of the editor");
    let outside = bench.bench.file_version(VersionArgs { path: "/etc/hostname".into(), of }).await.unwrap_err();
    assert_eq!(outside.code, Code::Invalid);
}
