//! An author's work with texts: finding, merging, renaming, splitting, going back, and completion.

use std::fs;

use thirtyfour::prelude::*;

use super::{Desk, access, edit};
use crate::window::Window;

const LINES: &str = "[data-testid=editor] .cm-line";
const OFFERED: &str = ".cm-tooltip-autocomplete li .cm-completionLabel";

/// Waits until the editor shows this text and no other.
pub async fn see_text(window: &Window, text: &str) -> WebDriverResult<()> {
    let lines: Vec<&str> = text.split('\n').map(str::trim_end).collect();
    window.see_texts(LINES, &lines).await
}

/// Waits until this place of this file is selected.
async fn see_place(window: &Window, file: &str, line: &str, selected: &str) -> WebDriverResult<()> {
    window.see_texts("[data-testid=tab][aria-selected=true] .file", &[file]).await?;
    window.see_texts(".cm-activeLine", &[line]).await?;
    window.see_selected(selected).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_is_found_in_all_skills_saved_or_not() -> WebDriverResult<()> {
    let desk = Desk::new();
    let window = desk.open().await?;
    edit(&window).await?;
    window.chord(Key::Control, Key::End).await?;
    window.type_text("Kilograms are kilograms.").await?;

    window.chord_of(&[Key::Control, Key::Shift], 'f').await?;
    window.see("[data-testid=find-text]:focus").await?;
    window.type_text("kilograms").await?;
    window.see_texts("[data-testid=find-said]", &["Places: 5. Files: 2"]).await?;
    window.see_texts("[data-testid=found-skill]", &["unit-converter5"]).await?;
    let files = ["SKILL.md unsaved text", "references/conversion-table.md"];
    window.see_texts("[data-testid=found-file]", &files).await?;
    window.picture("find").await?;
    access::check_looks(&window, ".dialog", "find in all skills").await?;
    window.click("[data-testid=find-matchCase]").await?;
    window.see_texts("[data-testid=find-said]", &["Places: 4. Files: 2"]).await?;

    // The keys go through the places, in the list and then without it.
    window.click("[data-testid=find-text]").await?;
    window.type_key(Key::Down).await?;
    window.type_key(Key::Enter).await?;
    window.see_no("[data-testid=find]").await?;
    see_place(&window, "SKILL.md", "Kilograms are kilograms.", "kilograms").await?;
    window.type_key(Key::F4).await?;
    see_place(&window, "conversion-table.md", "| pounds     | kilograms  | 0.453592 |", "kilograms").await?;
    window.type_key(Key::F4).await?;
    see_place(&window, "conversion-table.md", "| kilograms  | pounds     | 2.20462  |", "kilograms").await?;
    window.chord(Key::Shift, Key::F4).await?;
    see_place(&window, "conversion-table.md", "| pounds     | kilograms  | 0.453592 |", "kilograms").await?;
    window.close().await
}

/// Three places with nothing between them that both sides could have changed.
fn places(first: &str, second: &str, third: &str) -> String {
    format!(
        "---\nname: unit-converter\ndescription: Converts units. Use this skill when asked to.\n---\n\n{first}\n\nUse this skill when the user asks.\n\n{second}\n\nRead it again.\n\n{third}\n"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_that_both_sides_changed_are_merged_by_hand() -> WebDriverResult<()> {
    let desk = Desk::new();
    fs::write(desk.manifest(), places("One.", "Two.", "Three.")).unwrap();
    let window = desk.open().await?;
    edit(&window).await?;
    for line in ["One.", "Two.", "Three."] {
        window.click_text(LINES, line).await?;
        window.type_key(Key::End).await?;
        window.type_text(" Mine.").await?;
    }
    fs::write(desk.manifest(), places("One. Theirs.", "Two. Theirs.", "Three. Theirs.")).unwrap();
    window.see("[data-testid=outside-bar]").await?;
    window.picture("outside").await?;
    window.click("[data-testid=merge]").await?;
    window.see_text("[data-testid=conflict-bar]", "3 places were changed on both sides").await?;
    window.see_texts(".conflict-mine", &["One. Mine.", "Two. Mine.", "Three. Mine."]).await?;
    window.see_texts(".conflict-theirs", &["One. Theirs.", "Two. Theirs.", "Three. Theirs."]).await?;
    window.picture("merge").await?;
    access::check_looks(&window, "body", "a merge by hand").await?;

    for (choice, left) in [("mine", 2), ("theirs", 1), ("both", 0)] {
        window.click(&format!("[data-testid=conflict-{choice}]")).await?;
        window.see_texts(".conflict-mine", &["Two. Mine.", "Three. Mine."][2 - left..]).await?;
    }
    window.see_no("[data-testid=conflict-bar]").await?;
    let merged = places("One. Mine.", "Two. Theirs.", "Three. Mine.\nThree. Theirs.");
    see_text(&window, &merged).await?;
    window.chord(Key::Control, 's').await?;
    window.wait_for(|| fs::read_to_string(desk.manifest()).unwrap() == merged).await;
    // One choice is one step of undo.
    window.chord(Key::Control, 'z').await?;
    window.see_texts(".conflict-mine", &["Three. Mine."]).await?;
    window.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_gets_another_name_with_what_mentions_it() -> WebDriverResult<()> {
    let desk = Desk::new();
    let before = fs::read_to_string(desk.manifest()).unwrap();
    let (table, factors) = (
        desk.skills().join("unit-converter/references/conversion-table.md"),
        desk.skills().join("unit-converter/references/factors.md"),
    );
    let screenplay = desk.skills().join(".workbench/screenplays/unit-converter.yaml");
    let scene = fs::read_to_string(&screenplay).unwrap();
    let window = desk.open().await?;
    edit(&window).await?;
    window.click("[data-testid=file-row][data-name='conversion-table.md']").await?;
    window.type_key(Key::F2).await?;
    window.see("[data-testid=name-input]:focus").await?;
    window.chord(Key::Control, 'a').await?;
    window.type_text("factors.md").await?;
    window.see_texts("[data-testid=rename-mention] del", &["references/conversion-table.md"]).await?;
    window.see_texts("[data-testid=rename-mention] ins", &["references/factors.md"]).await?;
    window.picture("rename").await?;
    access::check_looks(&window, ".dialog", "another name").await?;
    assert!(table.exists(), "nothing is changed before it is said");
    window.type_key(Key::Enter).await?;
    window.see_text("[data-testid=toast]", "Renamed to factors.md, with 1 mention in 1 file.").await?;
    let after = before.replace("references/conversion-table.md", "references/factors.md");
    assert_eq!(fs::read_to_string(desk.manifest()).unwrap(), after);
    assert_eq!((table.exists(), factors.exists()), (false, true));
    window.see_texts("[data-testid=tab] .file", &["SKILL.md", "factors.md"]).await?;

    window.click("[data-testid=toast-action]").await?;
    window.wait_for(|| fs::read_to_string(desk.manifest()).unwrap() == before).await;
    assert_eq!((table.exists(), factors.exists()), (true, false));
    assert_eq!(fs::read_to_string(&screenplay).unwrap(), scene);
    window.see_texts("[data-testid=tab] .file", &["SKILL.md", "conversion-table.md"]).await?;
    window.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn selected_lines_get_a_file_of_their_own() -> WebDriverResult<()> {
    let desk = Desk::new();
    let before = fs::read_to_string(desk.manifest()).unwrap();
    let (above, steps) = before.split_at(before.find("- 1. Review").unwrap());
    let file = desk.skills().join("unit-converter/references/steps.md");
    let window = desk.open().await?;
    edit(&window).await?;
    // Half of a line: it counts as a whole one.
    window.click_text(LINES, "- 1. Review").await?;
    window.chord_of(&[Key::Control, Key::Shift], Key::End).await?;
    window.chord_of(&[Key::Control, Key::Shift], 'e').await?;
    window.see("[data-testid=extract-name]:focus").await?;
    window.see_texts("[data-testid=extract-dialog] .part", &[steps.trim()]).await?;
    window.picture("extract").await?;
    access::check_looks(&window, ".dialog", "lines that get a file of their own").await?;
    window.chord(Key::Control, 'a').await?;
    window.type_text("references/steps.txt").await?;
    window.see_text("[data-testid=extract-dialog]", "The name must end in .md.").await?;
    window.see("[data-testid=extract-submit]:disabled").await?;
    window.chord(Key::Control, 'a').await?;
    window.type_text("references/steps.md").await?;
    window.type_key(Key::Enter).await?;

    let after = format!("{above}[steps.md](references/steps.md)\n");
    see_text(&window, &after).await?;
    window.see_text("[data-testid=toast]", "Moved to references/steps.md.").await?;
    window.see_selected("[steps.md](references/steps.md)").await?;
    assert_eq!(fs::read_to_string(&file).unwrap(), steps);
    assert_eq!(fs::read_to_string(desk.manifest()).unwrap(), before, "the link is an edit, not a save");
    window.see("[data-testid=file-row][data-name='steps.md']").await?;
    window.picture("extracted").await?;

    window.click("[data-testid=toast-action]").await?;
    see_text(&window, &before).await?;
    window.wait_for(|| !file.exists()).await;
    window.see_no("[data-testid=file-row][data-name='steps.md']").await?;
    window.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_earlier_text_is_found_and_brought_back() -> WebDriverResult<()> {
    let desk = Desk::new();
    let before = fs::read_to_string(desk.manifest()).unwrap();
    let window = desk.open().await?;
    edit(&window).await?;
    for (added, whole) in [("One.", format!("{before}One.")), (" Two.", format!("{before}One. Two."))] {
        window.chord(Key::Control, Key::End).await?;
        window.type_text(added).await?;
        window.chord(Key::Control, 's').await?;
        window.wait_for(|| fs::read_to_string(desk.manifest()).unwrap() == whole).await;
    }
    window.chord_of(&[Key::Control, Key::Shift], 'h').await?;
    window.see("[data-testid=history-version][data-type=saved][aria-selected=true]:focus").await?;
    let changed = ["", "+1 −1", "+1 −0", ""];
    window.see_texts("[data-testid=history-version] .lines", &changed).await?;
    window.see_texts("[data-testid=history-diff] .removed .text", &["One."]).await?;
    window.see_texts("[data-testid=history-diff] .added .text", &["One. Two."]).await?;
    window.picture("history").await?;
    access::check_looks(&window, ".dialog", "earlier texts").await?;

    window.type_key(Key::Down).await?;
    window.see_texts("[data-testid=history-diff] .removed .text", &[]).await?;
    window.see_texts("[data-testid=history-diff] .added .text", &["One. Two."]).await?;
    window.click("[data-testid=history-restore]:enabled").await?;
    window.see_no("[data-testid=history]").await?;
    see_text(&window, &before).await?;
    assert_eq!(fs::read_to_string(desk.manifest()).unwrap(), format!("{before}One. Two."), "it is an edit, not a save");
    window.click(LINES).await?;
    window.chord(Key::Control, 'z').await?;
    see_text(&window, &format!("{before}One. Two.")).await?;
    window.chord_of(&[Key::Control, Key::Shift], 'z').await?;
    see_text(&window, &before).await?;
    window.chord(Key::Control, 's').await?;
    window.wait_for(|| fs::read_to_string(desk.manifest()).unwrap() == before).await;
    window.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn words_are_completed_where_they_are_known() -> WebDriverResult<()> {
    let desk = Desk::new();
    let before = fs::read_to_string(desk.manifest()).unwrap();
    let window = desk.open().await?;
    edit(&window).await?;

    // A field, as it is typed. The list takes a key once it could be read, which the look at it outlasts.
    window.click_text(LINES, "name: unit-converter").await?;
    window.type_key(Key::End).await?;
    window.type_key(Key::Enter).await?;
    window.type_text("dis").await?;
    window.see_texts(OFFERED, &["disable-model-invocation", "disabled", "disallowed-tools", "display-name"]).await?;
    access::check_looks(&window, "body", "fields that can come next").await?;
    window.see_texts(OFFERED, &["disable-model-invocation", "disabled", "disallowed-tools", "display-name"]).await?;
    window.type_key(Key::Enter).await?;

    // Completions, when requested.
    window.see_texts(".cm-activeLine", &["disable-model-invocation:"]).await?;
    window.chord(Key::Control, Key::Space).await?;
    window.see_texts(OFFERED, &["true", "false"]).await?;
    access::check_looks(&window, "body", "values that can come next").await?;
    window.see_texts(OFFERED, &["true", "false"]).await?;
    window.type_key(Key::Down).await?;
    window.see_texts(".cm-tooltip-autocomplete [aria-selected=true] .cm-completionLabel", &["false"]).await?;
    window.type_key(Key::Enter).await?;
    window.see_texts(".cm-activeLine", &["disable-model-invocation: false"]).await?;

    // A path, by the mouse.
    window.chord(Key::Control, Key::End).await?;
    window.type_text("See `ref").await?;
    window.see_texts(OFFERED, &["references/conversion-table.md"]).await?;
    window.picture("complete-path").await?;
    window.click_text(OFFERED, "references/conversion-table.md").await?;
    window.see_no(".cm-tooltip-autocomplete").await?;
    window.type_text("`.").await?;
    let field = "name: unit-converter\n";
    let after = before.replace(field, &format!("{field}disable-model-invocation: false\n"));
    see_text(&window, &format!("{after}See `references/conversion-table.md`.")).await?;
    window.close().await
}
