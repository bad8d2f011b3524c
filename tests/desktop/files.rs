//! Skills and files that are made, changed by the form, and deleted in the window, and what the disk holds after that.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use camino::Utf8Path;
use thirtyfour::prelude::*;

use super::author::see_text;
use super::day::{menu, palette};
use super::{Desk, EDITOR, access, edit};
use crate::window::Window;

/// All files below a folder, by their paths in it.
fn files_in(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = PathBuf::from(path.file_name().unwrap());
        if path.is_dir() {
            found.extend(files_in(&path).into_iter().map(|(inside, text)| (name.join(inside), text)));
        } else {
            found.insert(name, String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned());
        }
    }
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_skill_is_made_and_is_on_disk() -> WebDriverResult<()> {
    let desk = Desk::new();
    let window = desk.open().await?;
    window.click("[data-testid=new-skill]").await?;
    window.see("[data-testid=new-skill-name]:focus").await?;
    window.type_text("Parcels").await?;
    window.see_text("[data-testid=new-skill-dialog]", "Only lowercase letters a–z, digits and hyphens.").await?;
    window.chord(Key::Control, 'a').await?;
    window.type_text("parcel-weigher").await?;
    window.click("[data-testid=new-skill-create]").await?;
    window.see_text("[data-testid=new-skill-dialog]", "A description is needed.").await?;
    access::check_looks(&window, ".dialog", "a new skill without a description").await?;
    assert!(!desk.skills().join("parcel-weigher").exists(), "nothing is made that is not whole");

    let description = "Weighs parcels. Use if a parcel is to be sent.";
    window.click("[data-testid=new-skill-dialog] input[value=with-script]").await?;
    window.click("[data-testid=new-skill-description]").await?;
    window.type_text(description).await?;
    window.click("[data-testid=new-skill-create]:enabled").await?;
    window.see_no("[data-testid=new-skill-dialog]").await?;
    window.see("[data-testid=skill-row][data-name=parcel-weigher]").await?;
    window.see_texts("[data-testid=tab] .file", &["SKILL.md"]).await?;

    let alike = tempfile::tempdir().unwrap();
    let folder = Utf8Path::from_path(alike.path()).unwrap();
    skill::template::create(folder, "parcel-weigher", description, "with-script").unwrap();
    let made = files_in(&desk.skills().join("parcel-weigher"));
    assert_eq!(made, files_in(&alike.path().join("parcel-weigher")));
    see_text(&window, &made[Path::new("SKILL.md")]).await?;
    window.close().await
}

/// Opens the question whether a file is deleted.
async fn ask_to_delete(window: &Window, file: &str) -> WebDriverResult<()> {
    window.click(&format!("[data-testid=file-row][data-name='{file}']")).await?;
    window.type_key(Key::Delete).await?;
    window.see_text("[data-testid=delete-dialog]", file).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_made_written_and_deleted() -> WebDriverResult<()> {
    let desk = Desk::new();
    let file = desk.skills().join("unit-converter/references/units/rare.md");
    let window = desk.open().await?;
    edit(&window).await?;
    menu(&window, "unit-converter", "new-file").await?;
    window.see("[data-testid=name-input]:focus").await?;
    window.type_text("references/conversion-table.md").await?;
    window.see_text("[data-testid=name-dialog]", "There is a file of this name.").await?;
    window.see("[data-testid=name-submit]:disabled").await?;
    access::check_looks(&window, ".dialog", "a new file").await?;
    window.chord(Key::Control, 'a').await?;
    window.type_text("references/units/rare.md").await?;
    window.type_key(Key::Enter).await?;
    window.see_no("[data-testid=name-dialog]").await?;
    window.see_texts("[data-testid=tab][aria-selected=true] .file", &["rare.md"]).await?;
    assert_eq!(fs::read_to_string(&file).unwrap(), "");
    window.click(EDITOR).await?;
    window.type_text("A furlong is 660 feet.").await?;
    window.chord(Key::Control, 's').await?;
    window.wait_for(|| fs::read_to_string(&file).unwrap() == "A furlong is 660 feet.").await;

    ask_to_delete(&window, "rare.md").await?;
    access::check_looks(&window, ".dialog", "the question before a file is deleted").await?;
    window.type_key(Key::Escape).await?;
    window.see_no("[data-testid=delete-dialog]").await?;
    assert!(file.exists(), "nothing is deleted before it is said");
    ask_to_delete(&window, "rare.md").await?;
    window.click("[data-testid=delete-confirm]").await?;
    window.see_no("[data-testid=file-row][data-name='rare.md']").await?;
    window.see_texts("[data-testid=tab] .file", &["SKILL.md"]).await?;
    assert!(!file.exists());

    window.click("[data-testid=toast-action]").await?;
    window.see("[data-testid=file-row][data-name='rare.md']").await?;
    window.see_texts("[data-testid=tab][aria-selected=true] .file", &["rare.md"]).await?;
    assert_eq!(fs::read_to_string(&file).unwrap(), "A furlong is 660 feet.");

    menu(&window, "unit-converter", "delete").await?;
    window.see_text("[data-testid=delete-dialog]", "The skill and everything in its folder").await?;
    window.click("[data-testid=delete-confirm]").await?;
    window.see_no("[data-testid=skill-row][data-name=unit-converter]").await?;
    window.see_no("[data-testid=tab]").await?;
    assert!(!desk.manifest().exists());
    palette(&window, "Deleted files", "Deleted files…").await?;
    access::check_looks(&window, ".dialog", "deleted files").await?;
    window.click("[data-testid=deleted-restore]").await?;
    window.see("[data-testid=deleted-none]").await?;
    window.see("[data-testid=skill-row][data-name=unit-converter]").await?;
    assert_eq!(fs::read_to_string(&file).unwrap(), "A furlong is 660 feet.");
    window.close().await
}

/// Writes into a field of the form, over whatever is there.
async fn fill(window: &Window, field: &str, text: &str) -> WebDriverResult<()> {
    window.click(&format!("[data-testid=field-{field}]")).await?;
    window.chord(Key::Control, 'a').await?;
    window.type_text(text).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_form_changes_a_field_and_the_source_follows() -> WebDriverResult<()> {
    let desk = Desk::new();
    let text = |fields: &str| format!("---\n# Ours.\n{fields}---\n\nUse this skill when the user asks.\n");
    let before =
        "name: unit-converter\ndescription: >-\n  Converts units.\n  Use it to convert.\nmetadata: {version: '1'}\n";
    fs::write(desk.manifest(), text(before)).unwrap();
    let window = desk.open().await?;
    edit(&window).await?;
    window.click("[data-testid=form-toggle]").await?;
    let description = window.see("[data-testid=field-description]").await?;
    assert_eq!(description.prop("value").await?.as_deref(), Some("Converts units. Use it to convert."));
    access::check_looks(&window, "[data-testid=form]", "the form").await?;
    // Words that YAML reads otherwise unless they are quoted.
    fill(&window, "description", "Converts: units # and more.").await?;
    fill(&window, "license", "MIT").await?;
    let after =
        "name: unit-converter\ndescription: \"Converts: units # and more.\"\nmetadata: {version: '1'}\nlicense: MIT\n";
    // Under the form the fields are folded.
    window.click("[data-testid=source-toggle]").await?;
    see_text(&window, &text(after)).await?;
    window.see("[data-testid=save-state][data-state=unsaved]").await?;
    assert_eq!(fs::read_to_string(desk.manifest()).unwrap(), text(before), "it is an edit, not a save");
    window.chord(Key::Control, 's').await?;
    window.wait_for(|| fs::read_to_string(desk.manifest()).unwrap() == text(after)).await;

    // A field without a text is none, and what is typed in the source is in the form.
    window.click("[data-testid=form-toggle]").await?;
    window.click("[data-testid=field-license]").await?;
    window.chord(Key::Control, 'a').await?;
    window.type_key(Key::Backspace).await?;
    window.click("[data-testid=source-toggle]").await?;
    let without = after.replace("license: MIT\n", "");
    see_text(&window, &text(&without)).await?;
    window.click_text("[data-testid=editor] .cm-line", "name: unit-converter").await?;
    window.type_key(Key::End).await?;
    window.type_text("s").await?;
    window.click("[data-testid=form-toggle]").await?;
    let is_there = "return document.querySelector('[data-testid=field-name]').value === 'unit-converters';";
    window.see_so("the name in the form", is_there).await?;
    window.close().await
}
