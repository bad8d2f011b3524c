//! Conversations of several turns of the user: three under every framework and client that runs, and one whose program was killed.

use thirtyfour::prelude::*;

use super::pictures::{LOOKS, set};
use super::{Desk, access, ask, window::Window};

/// What the user says. No scene has these prompts, so the rehearsal model loads the skill and reads what it names.
const SAID: [&str; 3] = ["Convert a mile to kilometres", "Convert a pound to kilograms", "Thanks"];

#[tokio::test(flavor = "multi_thread")]
async fn a_run_goes_on_twice_under_every_harness() -> WebDriverResult<()> {
    let desk = Desk::new();
    let window = desk.open().await?;
    window.click("[data-testid=rail-run]").await?;
    let choice = window.see("[data-testid=run-harness]").await?;
    let mut harnesses = Vec::new();
    for option in choice.find_all(By::Css("option")).await? {
        harnesses.push(option.prop("value").await?.unwrap());
    }
    let mut went_on = 0;
    for harness in harnesses {
        window.click(&format!("[data-testid=run-harness] option[value={harness}]")).await?;
        if window.shows("[data-testid=run-presents-only]").await? {
            continue;
        }
        // The conversation of the harness before is shown until this one begins.
        let prompts = SAID.map(|said| format!("{said}, {harness}."));
        window.click("[data-testid=prompt-box]").await?;
        window.chord(Key::Control, 'a').await?;
        window.type_text(&prompts[0]).await?;
        window.chord(Key::Control, Key::Enter).await?;
        end_of_turn(&window, &prompts[0]).await?;
        for prompt in &prompts[1..] {
            window.click("[data-testid=go-on-box]:enabled").await?;
            window.type_text(prompt).await?;
            window.chord(Key::Control, Key::Enter).await?;
            end_of_turn(&window, prompt).await?;
        }
        let prompts = prompts.each_ref().map(String::as_str);
        window.see_texts("[data-testid=conversation-item][data-kind=prompt] .said", &prompts).await?;
        went_on += 1;
    }
    assert!(went_on >= 10, "{went_on} harnesses run");
    for (language, theme) in LOOKS {
        set(&window, "language", "lang", language).await?;
        set(&window, "theme", "data-theme", theme).await?;
        window.picture(&format!("turns-{theme}-{language}")).await?;
        access::check(&window, "body", &format!("a conversation of three turns, {theme}, {language}")).await?;
    }
    window.close().await
}

/// Waits until what the user said is answered, and agrees to all that is asked on the way.
async fn end_of_turn(window: &Window, said: &str) -> WebDriverResult<()> {
    window.see_text("[data-testid=conversation-item] .said", said).await?;
    while !window.shows("[data-testid=go-on-box]:enabled").await? {
        let asked = window.see("[data-testid=approve-once]:enabled, [data-testid=go-on-box]:enabled").await?;
        if asked.attr("data-testid").await?.as_deref() == Some("approve-once") {
            window.click("[data-testid=approve-once]:enabled").await?;
        }
    }
    Ok(())
}

/// The program is killed while it waits for an answer, as if the machine went off; its run is whole up to there.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_whose_program_was_killed_goes_on() -> WebDriverResult<()> {
    let desk = Desk::new();
    let window = desk.open().await?;
    ask(&window).await?;
    window.see("[data-testid=approval-card]").await?;
    window.kill();

    let window = desk.open().await?;
    window.click("[data-testid=rail-traces]").await?;
    window.click("[data-testid=run-row][data-status=interrupted] .open").await?;
    window.see("[data-testid=run-view] [data-testid=run-status][data-status=interrupted]").await?;
    let steps = window.driver.find_all(By::Css("[data-testid=step-row]")).await?.len();
    assert!(steps > 1, "what was recorded before is there");
    window.click("[data-testid=go-on-box]:enabled").await?;
    window.type_text("Go on, please").await?;
    window.chord(Key::Control, Key::Enter).await?;
    window.see_text("[data-testid=step-row]", "Go on, please").await?;
    window.see("[data-testid=run-view] [data-testid=run-status][data-status=done]").await?;
    let after = window.driver.find_all(By::Css("[data-testid=step-row]")).await?.len();
    assert!(after >= steps + 2, "what the user said and an answer came after {steps} steps: {after}");
    for (language, theme) in LOOKS {
        set(&window, "language", "lang", language).await?;
        set(&window, "theme", "data-theme", theme).await?;
        window.picture(&format!("killed-{theme}-{language}")).await?;
    }
    window.close().await
}
