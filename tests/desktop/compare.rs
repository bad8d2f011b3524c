//! The same skills under several frameworks, side by side.

use thirtyfour::prelude::*;

use super::pictures::{LOOKS, set};
use super::{Desk, access, edit};
use crate::window::Window;

const HARNESSES: [&str; 5] = ["agent-framework", "eino", "learn-claude-code", "strands", "agentscope"];
const CLIENTS: [&str; 6] = ["claude-code", "codex", "gemini-cli", "opencode", "deepagents", "agent-skills"];

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

/// The scene of seven messages, in all five at once.
#[tokio::test(flavor = "multi_thread")]
async fn one_scene_is_rehearsed_under_five_frameworks() -> WebDriverResult<()> {
    let desk = Desk::new();
    let window = desk.open().await?;
    compare(&window).await?;
    window.click("[data-testid=compare-tab-rehearsal]").await?;
    window.click("[data-testid=rehearse-prompt]").await?;
    window.chord(Key::Control, 'a').await?;
    window.type_text("How many pounds is 1 kilogram?").await?;
    window.click("[data-testid=rehearse-start]").await?;
    window.see("[data-testid=rehearse-approvals]").await?;
    window.click("[data-testid=rehearse-for-all]").await?;
    // One answer holds for those that ask about the same to the letter; the others ask for themselves.
    let next = "[data-testid=approve-once]:enabled, [data-testid=aligned-table][data-aligned=true]";
    let mut asked = 0;
    while window.see(next).await?.attr("data-aligned").await?.is_none() {
        window.click(next).await?;
        asked += 1;
        assert!(asked <= HARNESSES.len(), "no framework asks twice about one script");
    }
    let done = window.driver.find_all(By::Css("[data-testid=rehearse-status][data-status=done]")).await?;
    assert_eq!(done.len(), HARNESSES.len());
    window.see_text("[data-testid=aligned-step]", "load_skill_through_path").await?;
    window.click_text("[data-testid=aligned-step]", "execute").await?;
    window.see_text("[data-testid=place-traces]", "--value 1 --factor 2.20462").await?;
    window.close().await
}

/// Every framework and client that is known, in one table, and what each of them makes of the open skill.
#[tokio::test(flavor = "multi_thread")]
async fn all_frameworks_and_clients_stand_side_by_side_and_on_the_card() -> WebDriverResult<()> {
    let desk = Desk::new();
    let window = desk.open().await?;
    compare(&window).await?;
    window.see("[data-testid=compare-group]").await?.find(By::Css("option[value=all]")).await?.click().await?;
    for harness in HARNESSES.iter().chain(&CLIENTS) {
        window.see(&format!("[data-testid=compare-column][data-harness={harness}]")).await?;
    }
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
