//! Folders of skills that are opened, dropped onto the window, and closed.

use std::fs;
use std::path::PathBuf;

use serde_json::json;
use thirtyfour::prelude::*;

use super::skills::PICK;
use super::x11::Drag;
use super::{Desk, access};
use crate::window::Window;

/// A folder with one skill, next to that of the desk. Its name is one that programs cannot pass on as it is.
fn folder(desk: &Desk, skill: &str) -> PathBuf {
    let folder = desk.folder.path().join(format!("{skill} 100% 技能"));
    let inside = folder.join(skill);
    fs::create_dir_all(&inside).unwrap();
    let text = format!("---\nname: {skill}\ndescription: Does {skill}. Use it for {skill}.\n---\n\nDo it.\n");
    fs::write(inside.join("SKILL.md"), text).unwrap();
    folder
}

fn row(skill: &str) -> String {
    format!("[data-testid=skill-row][data-name={skill}]")
}

/// Closes a folder by the menu that the right button opens.
async fn close(window: &Window, folder: &str) -> WebDriverResult<()> {
    let row = window.see_text("[data-testid=folder-row]", folder).await?;
    window.driver.action_chain().context_click_element(&row).perform().await?;
    window.click("[data-testid=menu-close-folder]").await?;
    window.see_no("[data-testid=tree-menu]").await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_is_opened_closed_and_opened_again_from_the_start() -> WebDriverResult<()> {
    let desk = Desk::new();
    let letters = folder(&desk, "letters");
    let window = desk.open().await?;
    window.driver.execute(PICK, vec![json!(letters)]).await?;
    window.click("[data-testid=open-folder]").await?;
    window.see(&row("letters")).await?;
    close(&window, "letters").await?;
    window.see_no(&row("letters")).await?;
    window.see(&row("unit-converter")).await?;
    assert!(letters.join("letters/SKILL.md").exists(), "only the window has closed it");
    window.close().await?;

    let window = desk.open().await?;
    window.see(&row("unit-converter")).await?;
    window.see_no(&row("letters")).await?;

    // The folders of before are offered.
    window.click_text("[data-testid=welcome] li button", "letters").await?;
    window.see(&row("letters")).await?;
    window.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn folders_that_are_dropped_onto_the_window_are_opened() -> WebDriverResult<()> {
    let desk = Desk::new();
    let (letters, parcels) = (folder(&desk, "letters"), folder(&desk, "parcels"));
    let window = desk.open().await?;
    window.see(&row("unit-converter")).await?;
    window.click("[data-testid=rail-inspect]").await?;

    // Held over the window and taken away, nothing happens.
    let drag = Drag::begin(&window, &[&letters]);
    window.wait_for(|| drag.is_accepted()).await;
    window.see_text("[data-testid=drop-overlay]", "Drop").await?;
    access::check_looks(&window, "body", "a folder over the window").await?;
    drag.leave();
    window.see_no("[data-testid=drop-overlay]").await?;

    // A SKILL.md stands for the folder that it lies in.
    let manifest = parcels.join("parcels/SKILL.md");
    let drag = Drag::begin(&window, &[&letters, &manifest]);
    window.wait_for(|| drag.is_accepted()).await;
    window.see("[data-testid=drop-overlay]").await?;
    drag.release();
    window.wait_for(|| drag.is_over()).await;
    window.see_no("[data-testid=drop-overlay]").await?;
    window.see("[data-testid=place-skills]").await?;
    window.see(&row("letters")).await?;
    window.see(&row("parcels")).await?;
    window.close().await
}
