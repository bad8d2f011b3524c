//! The same skills under several frameworks, side by side.

use thirtyfour::prelude::*;

use super::pictures::{LOOKS, set};
use super::{Desk, access, edit};
use crate::window::Window;

const HARNESSES: [&str; 5] = ["agent-framework", "eino", "learn-claude-code", "strands", "agentscope"];
const CLIENTS: [&str; 6] = ["claude-code", "codex", "gemini-cli", "opencode", "deepagents", "agent-skills"];

const SCENE: &str = "How many pounds is 1 kilogram?";

/// Opens Compare with all five frameworks.
pub async fn compare(window: &Window) -> WebDriverResult<()> {
    window.click("[data-testid=rail-compare]").await?;
    window.see("[data-testid=place-compare]").await?;
    for harness in HARNESSES {
        window.see(&format!("[data-testid=compare-column][data-harness={harness}]")).await?;
    }
    window.see("[data-testid=compare-skill][data-skill=unit-converter]").await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn five_frameworks_are_compared() -> WebDriverResult<()> {
    let desk = Desk::new();
    std::fs::create_dir(desk.skills().join("broken")).unwrap();
    std::fs::write(desk.skills().join("broken/SKILL.md"), "no frontmatter\n").unwrap();
    let window = desk.open().await?;
    compare(&window).await?;
    // One bad skill: Eino loads none, Learn Claude Code offers it all the same, the others leave it out.
    for (harness, presence) in HARNESSES.iter().zip(["skipped", "refused", "loaded", "skipped", "skipped"]) {
        let place = HARNESSES.iter().position(|known| known == harness).unwrap();
        let row = window.see("[data-testid=compare-skill][data-skill=broken]").await?;
        let cells = row.find_all(By::Css("[data-testid=presence]")).await?;
        assert_eq!(cells[place].attr("data-type").await?.as_deref(), Some(presence), "{harness}");
    }
    std::fs::remove_dir_all(desk.skills().join("broken")).unwrap();
    window.see_no("[data-testid=compare-skill][data-skill=broken]").await?;

    window.click("[data-testid=compare-tab-instructions]").await?;
    window.see_text("[data-testid=compare-instructions]", "# Skills System").await?;
    window.see_text("[data-testid=compare-instructions]", "Skills available:").await?;
    window.click("[data-testid=compare-tab-tools]").await?;
    window.see("[data-testid=compare-tool][data-tool=load_skill_through_path]").await?;
    window.close().await
}

/// Plays the scene of seven messages in all columns that there are, allowing what asks.
async fn rehearse(window: &Window) -> WebDriverResult<()> {
    window.click("[data-testid=compare-tab-rehearsal]").await?;
    window.click("[data-testid=rehearse-prompt]").await?;
    window.chord(Key::Control, 'a').await?;
    window.type_text(SCENE).await?;
    window.click("[data-testid=rehearse-start]").await?;
    window.see("[data-testid=rehearse-approvals]").await?;
    window.click("[data-testid=rehearse-for-all]").await?;
    // One answer holds for those that ask about the same to the letter; the others ask for themselves.
    let next = "[data-testid=approve-once]:enabled, [data-testid=aligned-table][data-aligned=true]";
    let mut asked = 0;
    while window.see(next).await?.attr("data-aligned").await?.is_none() {
        window.click(next).await?;
        asked += 1;
        // The skill, its table and its script: clients that have no tools for skills ask about each command.
        assert!(asked <= 3 * (HARNESSES.len() + CLIENTS.len()), "nothing asks twice about one thing");
    }
    Ok(())
}

/// The scene of seven messages, in all five at once.
#[tokio::test(flavor = "multi_thread")]
async fn one_scene_is_rehearsed_under_five_frameworks() -> WebDriverResult<()> {
    let desk = Desk::new();
    let window = desk.open().await?;
    compare(&window).await?;
    rehearse(&window).await?;
    let done = window.driver.find_all(By::Css("[data-testid=rehearse-status][data-status=done]")).await?;
    assert_eq!(done.len(), HARNESSES.len());
    window.see_text("[data-testid=aligned-step]", "load_skill_through_path").await?;
    window.click_text("[data-testid=aligned-step]", "execute").await?;
    window.see_text("[data-testid=place-traces]", "--value 1 --factor 2.20462").await?;
    window.close().await
}

/// The scene under all harnesses that can load a skill. Those that only present skills say so, there and in Run.
#[tokio::test(flavor = "multi_thread")]
async fn the_scene_is_rehearsed_under_all_frameworks_and_clients_that_load_skills() -> WebDriverResult<()> {
    let desk = Desk::new();
    let window = desk.open().await?;
    compare(&window).await?;
    everything(&window).await?;
    rehearse(&window).await?;
    let mut played = Vec::new();
    for status in window.driver.find_all(By::Css("[data-testid=rehearse-status]")).await? {
        played.push(status.attr("data-status").await?.unwrap_or_default());
    }
    played.sort_unstable();
    assert_eq!(played, [vec!["done"; HARNESSES.len() + CLIENTS.len() - 1], vec!["none"]].concat());
    window.see_text("[data-testid=rehearse-presents-only]", "Agent Skills reference library only presents").await?;
    for how in ["load_skill_through_path", "activate_skill", "exec_command", "read_file"] {
        window.see_text("[data-testid=aligned-step]", how).await?;
    }
    window.picture("rehearsal-of-all").await?;

    window.click("[data-testid=rail-run]").await?;
    let choice = window.see("[data-testid=run-harness]").await?;
    choice.find(By::Css("option[value=agent-skills]")).await?.click().await?;
    window.see_text("[data-testid=run-presents-only]", "only presents skills").await?;
    window.click("[data-testid=prompt-box]").await?;
    window.chord(Key::Control, 'a').await?;
    window.type_text(SCENE).await?;
    window.see("[data-testid=run-button]:disabled").await?;
    window.see_no("[data-testid=stop-button]").await?;
    window.close().await
}

/// A column for each framework and client.
async fn everything(window: &Window) -> WebDriverResult<()> {
    window.see("[data-testid=compare-group]").await?.find(By::Css("option[value=all]")).await?.click().await?;
    for harness in HARNESSES.iter().chain(&CLIENTS) {
        window.see(&format!("[data-testid=compare-column][data-harness={harness}]")).await?;
    }
    Ok(())
}

/// Every framework and client that is known, in one table, and what each of them makes of the open skill.
#[tokio::test(flavor = "multi_thread")]
async fn all_frameworks_and_clients_stand_side_by_side_and_on_the_card() -> WebDriverResult<()> {
    let desk = Desk::new();
    let window = desk.open().await?;
    compare(&window).await?;
    everything(&window).await?;
    for (language, theme) in LOOKS {
        set(&window, "language", "lang", language).await?;
        set(&window, "theme", "data-theme", theme).await?;
        let what = format!("{theme}, {language}");
        window.click("[data-testid=rail-compare]").await?;
        window.see("[data-testid=compare-skill][data-skill=unit-converter]").await?;
        window.picture(&format!("clients-{theme}-{language}")).await?;
        access::check(&window, "body", &format!("eleven columns, {what}")).await?;

        window.click("[data-testid=rail-skills]").await?;
        edit(&window).await?;
        window.click("[data-testid=card-open]").await?;
        window.see("[data-testid=card-row][data-harness=opencode]").await?;
        window.picture(&format!("card-{theme}-{language}")).await?;
        access::check(&window, ".dialog", &format!("who sees what, {what}")).await?;
        let rows = window.driver.find_all(By::Css("[data-testid=card-row]")).await?;
        assert_eq!(rows.len(), HARNESSES.len() + CLIENTS.len());
        window.type_key(Key::Escape).await?;
        window.see_no("[data-testid=card-dialog]").await?;
    }
    window.close().await
}
