//! The real window, as a user has it: opened, clicked and typed into through WebDriver.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod access;
mod approval;
mod author;
mod closing;
mod compare;
mod day;
mod details;
mod dialogs;
mod files;
mod folders;
mod fork;
mod keyring;
mod lint;
mod looks;
mod models;
mod offers;
mod options;
mod pictures;
mod skills;
mod traces;
mod truth;
mod turns;
mod window;
mod x11;

use std::fs;
use std::path::{Path, PathBuf};

use thirtyfour::prelude::*;
use window::Window;

const EDITOR: &str = "[data-testid=editor] .cm-content";

/// A home folder for the app and a copy of the bundled skills that a test may change.
struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    fn new() -> Self {
        let desk = Self { folder: tempfile::tempdir().unwrap() };
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../skills"), &desk.skills());
        desk
    }

    fn skills(&self) -> PathBuf {
        self.folder.path().join("skills")
    }

    fn manifest(&self) -> PathBuf {
        self.skills().join("unit-converter/SKILL.md")
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    async fn open(&self) -> WebDriverResult<Window> {
        Window::open(&self.home(), &self.skills()).await
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// Opens unit-converter's SKILL.md and puts the caret into it.
async fn edit(window: &Window) -> WebDriverResult<()> {
    window.click_text("[data-testid=skill-row]", "unit-converter").await?;
    window.click_text(EDITOR, "Use this skill when the user asks").await
}

/// Puts something behind the name of the skill in the editor, so that it is none.
async fn misname(window: &Window, behind: &str) -> WebDriverResult<()> {
    window.chord(Key::Control, Key::Home).await?;
    window.type_key(Key::Down).await?;
    window.type_key(Key::End).await?;
    window.type_text(behind).await?;
    window.see("[data-testid=problem]").await.map(drop)
}

/// Runs the unit-converter scene with the rehearsal model.
async fn ask(window: &Window) -> WebDriverResult<()> {
    window.click("[data-testid=rail-run]").await?;
    window.click("[data-testid=prompt-box]").await?;
    window.chord(Key::Control, 'a').await?;
    window.type_text("How many pounds is 1 kilogram?").await?;
    window.chord(Key::Control, Key::Enter).await
}

/// Goes through the eight steps of the run that is shown, each with its context.
async fn step_through(window: &Window) -> WebDriverResult<()> {
    window.click("[data-testid=open-trace]").await?;
    window.click("[data-testid=step-first]").await?;
    for step in 1..=8 {
        window.see_text("[data-testid=step-position]", &format!("{step} of 8")).await?;
        window.see(&format!("[data-testid=context-pane][data-step='{}']", step - 1)).await?;
        window.type_key(Key::Right).await?;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_skill_is_edited_inspected_run_and_stepped_through() -> WebDriverResult<()> {
    let desk = Desk::new();
    let before = fs::read_to_string(desk.manifest()).unwrap();
    let window = desk.open().await?;

    edit(&window).await?;
    window.see_no("[data-testid=problem]").await?;
    window.chord(Key::Control, Key::Home).await?;
    window.type_text("x").await?;
    window.see_text("[data-testid=problem]", "frontmatter").await?;
    window.see_text("[data-testid=status-problems]", "1").await?;
    window.chord(Key::Control, 'z').await?;
    window.see_no("[data-testid=problem]").await?;

    window.chord(Key::Control, Key::End).await?;
    window.type_text("Round to two decimals.").await?;
    window.chord(Key::Control, 's').await?;
    window.wait_for(|| fs::read_to_string(desk.manifest()).unwrap() == format!("{before}Round to two decimals.")).await;

    window.click("[data-testid=rail-inspect]").await?;
    window.see_text("[data-testid=inspect-instructions]", "<name>unit-converter</name>").await?;

    ask(&window).await?;
    window.see_text("[data-testid=approval-card]", "scripts/convert.py").await?;
    window.click("[data-testid=approve-once]:enabled").await?;
    window.see_text("[data-testid=place-run]", "1 kg is about").await?;
    step_through(&window).await?;
    window.see_text("[data-testid=step-detail]", "1 kg is about").await?;
    window.see_text("[data-testid=context-pane]", "Round to two decimals.").await?;
    window.close().await?;

    let window = desk.open().await?;
    window.click("[data-testid=rail-traces]").await?;
    window.see_text("[data-testid=run-row]", "How many pounds is 1 kilogram?").await?;
    let rows = window.driver.find_all(By::Css("[data-testid=run-row]")).await?;
    assert_eq!(rows.len(), 2, "the bundled run and the one that was made before the restart");
    window.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_outside_edit_does_not_cost_the_unsaved_text() -> WebDriverResult<()> {
    let desk = Desk::new();
    let before = fs::read_to_string(desk.manifest()).unwrap();
    let window = desk.open().await?;
    edit(&window).await?;
    window.chord(Key::Control, Key::End).await?;
    window.type_text("Mine.").await?;
    fs::write(desk.manifest(), before.replace("Use this skill", "Theirs. Use this skill")).unwrap();
    window.see("[data-testid=outside-bar]").await?;
    window.see_text(EDITOR, "Mine.").await?;
    window.click("[data-testid=merge]").await?;
    window.see_text(EDITOR, "Theirs. Use this skill").await?;
    window.see_text(EDITOR, "Mine.").await?;
    window.chord(Key::Control, 's').await?;
    let merged = format!("{}Mine.", before.replace("Use this skill", "Theirs. Use this skill"));
    window.wait_for(|| fs::read_to_string(desk.manifest()).unwrap() == merged).await;
    window.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_denied_script_does_not_run_and_a_stopped_run_stops() -> WebDriverResult<()> {
    let desk = Desk::new();
    let marker = desk.folder.path().join("it-ran");
    let script = format!("open({:?}, 'w')", marker.to_str().unwrap());
    fs::write(desk.skills().join("unit-converter/scripts/convert.py"), script).unwrap();
    let window = desk.open().await?;
    for way_out in ["[data-testid=approve-deny]", "[data-testid=stop-button]"] {
        ask(&window).await?;
        // The card takes no answer that comes before it could be read.
        window.see("[data-testid=approve-once]:enabled").await?;
        window.click(way_out).await?;
        window.see_no("[data-testid=approval-card]").await?;
        window.see("[data-testid=open-trace]").await?;
    }
    assert!(!marker.exists(), "nobody allowed it");
    window.close().await
}
