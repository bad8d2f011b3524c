//! Findings: shown while the user types, fixed by a key, ignored with a reason, and switched off.

use std::fs;

use thirtyfour::prelude::*;

use super::{Desk, EDITOR, access, edit};
use crate::window::Window;

/// Types a line at the end of unit-converter's SKILL.md that names a file as only Windows does.
async fn type_windows_path(window: &Window) -> WebDriverResult<()> {
    edit(window).await?;
    window.chord(Key::Control, Key::End).await?;
    window.type_text("Read references\\conversion-table.md again.").await?;
    window.see("[data-testid=problem][data-rule=windows-path]").await?;
    window.see(".cm-lint-marker").await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fault_is_shown_repaired_by_a_key_and_back_after_undo() -> WebDriverResult<()> {
    let desk = Desk::new();
    let window = desk.open().await?;
    type_windows_path(&window).await?;
    window.see_text("[data-testid=skill-row][data-name=unit-converter]", "1").await?;

    // F8 goes to it, and one key repairs it.
    window.chord(Key::Control, Key::Home).await?;
    window.type_key(Key::F8).await?;
    window.chord(Key::Control, '.').await?;
    window.see_text(EDITOR, "Read references/conversion-table.md again.").await?;
    window.see_no("[data-testid=problem][data-rule=windows-path]").await?;
    window.chord(Key::Control, 'z').await?;
    window.see_text(EDITOR, "Read references\\conversion-table.md again.").await?;
    window.see("[data-testid=problem][data-rule=windows-path]").await?;

    // All at once, said how many, and taken back by the toast.
    window.click("[data-testid=fix-all]").await?;
    window.see_text(EDITOR, "Read references/conversion-table.md again.").await?;
    window.see_text("[data-testid=toast]", "Fixed").await?;
    window.click("[data-testid=toast-action]").await?;
    window.see_text(EDITOR, "Read references\\conversion-table.md again.").await?;
    window.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finding_is_ignored_with_a_reason() -> WebDriverResult<()> {
    let desk = Desk::new();
    let window = desk.open().await?;
    type_windows_path(&window).await?;
    window.click("[data-testid=problem][data-rule=windows-path]").await?;
    window.click("[data-testid=problem-ignore]").await?;
    window.see("[data-testid=ignore-popover]").await?;
    access::check_looks(&window, "[data-testid=ignore-popover]", "a reason").await?;
    window.type_text("it is quoted").await?;
    window.type_key(Key::Enter).await?;
    window.see_text(EDITOR, "<!-- lint-ignore windows-path: it is quoted -->").await?;
    window.see_no("[data-testid=problem][data-rule=windows-path]").await?;

    // By keys alone, if there is nothing to fix: the menu at the caret offers it first.
    window.chord(Key::Control, Key::End).await?;
    window.type_key(Key::Enter).await?;
    window.type_text("TODO: more").await?;
    window.see("[data-testid=problem][data-rule=todo-left]").await?;
    window.chord(Key::Alt, Key::Enter).await?;
    window.see("[data-testid=fix-menu]").await?;
    access::check_looks(&window, "[data-testid=fix-menu]", "the menu at the caret").await?;
    window.type_key(Key::Enter).await?;
    window.see("[data-testid=ignore-popover]").await?;
    window.type_text("later").await?;
    window.type_key(Key::Enter).await?;
    window.see_text(EDITOR, "<!-- lint-ignore todo-left: later -->").await?;
    window.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rule_is_read_about_and_switched_off() -> WebDriverResult<()> {
    let desk = Desk::new();
    let project = desk.skills().join("workbench.yaml");
    fs::write(&project, "# ours\nmodel: rehearsal\n").unwrap();
    let window = desk.open().await?;
    type_windows_path(&window).await?;
    window.click("[data-testid=problem][data-rule=windows-path]").await?;
    window.click("[data-testid=problem-about]").await?;
    window.see("[data-testid=rule-card][data-rule=windows-path]").await?;
    window.see("[data-testid=rule-bad]").await?;
    let setting = window.see("[data-testid=rule-setting]").await?;
    setting.find(By::Css("option[value=off]")).await?.click().await?;
    window.see("[data-testid=rule-row][data-rule=windows-path][data-weight=off]").await?;
    let wanted = "# ours\nmodel: rehearsal\nlint:\n  rules:\n    windows-path: off\n";
    window.wait_for(|| fs::read_to_string(&project).unwrap() == wanted).await;
    window.type_key(Key::Escape).await?;
    window.see_no("[data-testid=problem][data-rule=windows-path]").await?;
    window.close().await
}
