//! Dialogs and views that no other test opens: axe-core looks at each of them in all themes and both languages.

use std::fs;
use std::path::Path;

use serde_json::json;
use thirtyfour::prelude::*;

use super::access::check_looks;
use super::day::palette;
use super::models::fill;
use super::skills::PICK;
use super::traces::{in_row, recorded};
use super::{Desk, edit};
use crate::window::Window;

/// Waits for a dialog, looks at it, and leaves it.
async fn look_at(window: &Window, dialog: &str) -> WebDriverResult<()> {
    let dialog = format!("[data-testid={dialog}]");
    window.see(&dialog).await?;
    check_looks(window, ".dialog", &dialog).await?;
    leave(window).await
}

async fn leave(window: &Window) -> WebDriverResult<()> {
    window.type_key(Key::Escape).await?;
    window.see_no(".dialog").await
}

/// Plays the scene in which a script writes a file, up to its question.
async fn say_hello(window: &Window) -> WebDriverResult<()> {
    palette(window, "Say hello", "Say hello").await?;
    window.click("[data-testid=run-button]:enabled").await?;
    window.see_text("[data-testid=approval-card]", "scripts/make.sh").await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_menu_and_the_card_of_a_skill_and_the_keys_are_accessible() -> WebDriverResult<()> {
    let desk = Desk::new();
    let window = desk.open().await?;
    edit(&window).await?;
    let row = window.see("[data-testid=skill-row][data-name=unit-converter]").await?;
    window.driver.action_chain().context_click_element(&row).perform().await?;
    window.see("[data-testid=tree-menu]").await?;
    check_looks(&window, "[data-testid=tree-menu]", "the menu of a skill").await?;
    window.type_key(Key::Escape).await?;
    window.see_no("[data-testid=tree-menu]").await?;
    window.click("[data-testid=card-open]").await?;
    window.see("[data-testid=card-row]").await?;
    look_at(&window, "card-dialog").await?;
    window.click("[data-testid=help-open]").await?;
    window.click("[data-testid=keys-change]").await?;
    window.click("[data-testid=key-add]").await?;
    check_looks(&window, ".dialog", "a key that is being changed").await?;
    window.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_trusted_and_what_was_answered_for_good_are_accessible() -> WebDriverResult<()> {
    let desk = Desk::new();
    let elsewhere = desk.folder.path().join("elsewhere");
    fs::create_dir_all(elsewhere.join("letters")).unwrap();
    let text = "---\nname: letters\ndescription: Writes letters. Use it for letters.\n---\n\nWrite it.\n";
    fs::write(elsewhere.join("letters/SKILL.md"), text).unwrap();
    let project = desk.skills().join("workbench.yaml");
    fs::write(&project, fs::read_to_string(&project).unwrap() + "\nroots:\n  - ../elsewhere\n").unwrap();
    let window = desk.open().await?;
    window.click("[data-testid=problem-row]").await?;
    window.see("[data-testid=trust-waiting]").await?;
    check_looks(&window, ".dialog", "a folder that is not trusted").await?;
    window.click("[data-testid=trust-add]").await?;
    window.see("[data-testid=trust-trusted]").await?;
    look_at(&window, "trust").await?;
    window.see("[data-testid=skill-row][data-name=letters]").await?;

    palette(&window, "remembered", "Remembered approvals…").await?;
    window.see("[data-testid=approvals-none]").await?;
    look_at(&window, "approvals").await?;
    say_hello(&window).await?;
    // The card takes no answer that comes before it could be read.
    window.see("[data-testid=approve-once]:enabled").await?;
    window.click("[data-testid=approve-never]").await?;
    window.see("[data-testid=run-bar][data-status=done]").await?;
    palette(&window, "remembered", "Remembered approvals…").await?;
    window.see_text("[data-testid=approval-entry][data-comes=never]", "hello-world").await?;
    look_at(&window, "approvals").await?;

    // It is not asked about again, until the answer is taken back.
    window.click("[data-testid=run-button]:enabled").await?;
    window.click("[data-testid=rail-traces]").await?;
    window.see_texts("[data-testid=run-row] [data-testid=departure]", &["⊘ denied", "⊘ denied"]).await?;
    palette(&window, "remembered", "Remembered approvals…").await?;
    window.click("[data-testid=approval-revoke]").await?;
    window.see("[data-testid=approvals-none]").await?;
    window.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_run_left_on_disk_is_accessible() -> WebDriverResult<()> {
    let desk = Desk::new();
    let window = desk.open().await?;
    say_hello(&window).await?;
    window.click("[data-testid=approve-once]:enabled").await?;
    window.see("[data-testid=run-bar][data-status=done]").await?;
    window.click("[data-testid=open-trace]").await?;
    window.click("[data-testid=run-files]").await?;
    let file = "[data-testid=changed-file][data-path='hello_world.py'][data-change=created]";
    window.see(&format!("[data-testid=run-files-dialog] {file}")).await?;
    check_looks(&window, ".dialog", "the files of a run").await?;
    // Where there is a file of this name, it is asked first.
    let saved = desk.folder.path().join("hello_world.py");
    fs::write(&saved, "Mine.").unwrap();
    window.driver.execute(PICK, vec![json!(desk.folder.path())]).await?;
    window.click("[data-testid=run-files-dialog] [data-testid=files-save-all]").await?;
    window.see_text("[data-testid=files-replace]", "hello_world.py").await?;
    check_looks(&window, "[data-testid=files-replace]", "the question before a file is replaced").await?;
    assert_eq!(fs::read_to_string(&saved).unwrap(), "Mine.");
    window.click("[data-testid=files-replace-do]").await?;
    window.see_no("[data-testid=files-replace]").await?;
    let written = "# Made by Skill hello-world\nprint('Hello, World!')\n";
    window.wait_for(|| fs::read_to_string(&saved).unwrap() == written).await;
    window.click("[data-testid=run-files-dialog] [data-testid=file-look]").await?;
    window.see_text("[data-testid=file-change]", "Hello, World!").await?;
    check_looks(&window, "[data-testid=file-change]", "a file of a run").await?;
    window.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn dialogs_about_recorded_runs_are_accessible() -> WebDriverResult<()> {
    let (desk, window) = recorded().await?;
    window.click("[data-testid=retention-open]").await?;
    window.see("[data-testid=retention-told]").await?;
    check_looks(&window, ".dialog", "which runs are kept").await?;
    fill(&window, "[data-testid=retention-days]", "soon").await?;
    window.see("[data-testid=retention-days][aria-invalid=true]").await?;
    look_at(&window, "retention").await?;

    in_row(&window, "run-delete").await?;
    window.see("[data-testid=run-delete-confirm]").await?;
    check_looks(&window, ".dialog", "the question before a run is deleted").await?;
    leave(&window).await?;

    // A file with a line that is none.
    let session = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/foreign/claude-code.jsonl");
    let damaged = desk.folder.path().join("damaged.jsonl");
    fs::write(&damaged, fs::read_to_string(session).unwrap() + "\n{damaged\n").unwrap();
    window.click("[data-testid=import-run]").await?;
    window.click("[data-testid=import-path]").await?;
    check_looks(&window, ".dialog", "an import").await?;
    window.click("[data-testid=import-path]").await?;
    window.type_text(damaged.to_str().unwrap()).await?;
    window.click("[data-testid=import-do]:enabled").await?;
    window.see("[data-testid=import-result] li").await?;
    check_looks(&window, ".dialog", "what came of an import").await?;
    leave(&window).await?;

    window.type_text("/").await?;
    window.type_text("2.20462").await?;
    window.see_text("[data-testid=found-step]", "2.20462").await?;
    check_looks(&window, "body", "what is found in runs").await?;
    window.click("[data-testid=search-clear]").await?;
    in_row(&window, "run-check-open").await?;
    window.see("[data-testid=check-told]").await?;
    check_looks(&window, "body", "the check of a run").await?;
    window.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn dialogs_about_one_run_are_accessible() -> WebDriverResult<()> {
    let (_desk, window) = recorded().await?;
    window.click("[data-testid=open-sample]").await?;
    window.see("[data-testid=run-view]").await?;
    for (button, dialog) in
        [("run-compare", "pair-chooser"), ("run-judge", "verdict-dialog"), ("run-files", "run-files-dialog")]
    {
        window.click(&format!("[data-testid={button}]")).await?;
        look_at(&window, dialog).await?;
    }
    window.click_text("[data-testid=step-row]", "How many pounds").await?;
    window.click("[data-testid=step-fork]").await?;
    look_at(&window, "fork-dialog").await?;
    window.click_text("[data-testid=step-row]", "scripts/convert.py").await?;
    for way in ["result", "say"] {
        window.click("[data-testid=step-fork]").await?;
        window.click(&format!("[data-testid=fork-way-{way}]")).await?;
        window.see("[data-testid=fork-text]").await?;
        look_at(&window, "fork-dialog").await?;
    }
    window.click("[data-testid=note-add]").await?;
    window.see("[data-testid=note-text]:focus").await?;
    check_looks(&window, "[data-testid=step-review]", "a note that is written").await?;
    window.close().await
}
