//! Closing a file or the window while a text is not saved: a question comes first, and its answer is what happens.

use std::fs;

use serde_json::json;
use thirtyfour::prelude::*;

use super::x11;
use super::{Desk, EDITOR, access, edit};
use crate::window::Window;

/// Types a word at the end of unit-converter's SKILL.md.
async fn type_behind(window: &Window, word: &str) -> WebDriverResult<()> {
    window.chord(Key::Control, Key::End).await?;
    window.type_text(word).await?;
    window.see("[data-testid=save-state][data-state=unsaved]").await.map(drop)
}

/// Presses a button that ends the app. The page presses it, a moment later: of a click that the app does not outlive, the driver
/// reports an error.
async fn end_by(window: &Window, css: &str) -> WebDriverResult<()> {
    window.see(css).await?;
    let press = "const [css] = arguments; setTimeout(() => document.querySelector(css).click(), 100);";
    window.driver.execute(press, vec![json!(css)]).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_an_unsaved_file_asks_first() -> WebDriverResult<()> {
    let desk = Desk::new();
    let before = fs::read_to_string(desk.manifest()).unwrap();
    let window = desk.open().await?;
    edit(&window).await?;
    type_behind(&window, "Mine.").await?;
    window.click("[data-testid=tab-close]").await?;
    window.see("[data-testid=close-file-dialog]").await?;
    access::check_looks(&window, ".dialog", "the question before an unsaved file is closed").await?;
    window.type_key(Key::Escape).await?;
    window.see_no("[data-testid=close-file-dialog]").await?;
    window.see_text(EDITOR, "Mine.").await?;
    assert_eq!(fs::read_to_string(desk.manifest()).unwrap(), before);

    window.click("[data-testid=tab-close]").await?;
    window.click("[data-testid=close-file-save]").await?;
    window.see_no("[data-testid=tab]").await?;
    let saved = format!("{before}Mine.");
    assert_eq!(fs::read_to_string(desk.manifest()).unwrap(), saved);

    edit(&window).await?;
    type_behind(&window, "Not mine.").await?;
    window.click("[data-testid=tab-close]").await?;
    window.click("[data-testid=close-file-discard]").await?;
    window.see_no("[data-testid=tab]").await?;
    edit(&window).await?;
    window.see_text(EDITOR, "Mine.").await?;
    assert_eq!(fs::read_to_string(desk.manifest()).unwrap(), saved);
    window.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_the_window_with_unsaved_text_asks_first() -> WebDriverResult<()> {
    let desk = Desk::new();
    let before = fs::read_to_string(desk.manifest()).unwrap();
    let window = desk.open().await?;
    edit(&window).await?;
    type_behind(&window, "Mine.").await?;
    x11::press_close_button(&window);
    window.see_text("[data-testid=close-dialog]", "1 file has changes that are not saved.").await?;
    access::check_looks(&window, ".dialog", "the question before the window closes").await?;
    // Pressed twice, it still asks once.
    x11::press_close_button(&window);
    window.see("[data-testid=close-dialog]").await?;
    window.type_key(Key::Escape).await?;
    window.see_no("[data-testid=close-dialog]").await?;
    window.see_text(EDITOR, "Mine.").await?;
    window.see("[data-testid=save-state][data-state=unsaved]").await?;
    assert_eq!(fs::read_to_string(desk.manifest()).unwrap(), before);

    x11::press_close_button(&window);
    end_by(&window, "[data-testid=close-save]").await?;
    window.wait_for(|| !x11::is_shown(&window)).await;
    let saved = format!("{before}Mine.");
    assert_eq!(fs::read_to_string(desk.manifest()).unwrap(), saved);
    drop(window);

    let window = desk.open().await?;
    edit(&window).await?;
    type_behind(&window, "Not mine.").await?;
    x11::press_close_button(&window);
    end_by(&window, "[data-testid=close-discard]").await?;
    window.wait_for(|| !x11::is_shown(&window)).await;
    assert_eq!(fs::read_to_string(desk.manifest()).unwrap(), saved);
    drop(window);

    // With nothing to lose it is not asked.
    let window = desk.open().await?;
    edit(&window).await?;
    x11::press_close_button(&window);
    window.wait_for(|| !x11::is_shown(&window)).await;
    drop(window);
    Ok(())
}
