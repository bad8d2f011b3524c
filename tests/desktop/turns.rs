//! A conversation of three turns of the user under every framework and client that runs: the run goes on twice.

use thirtyfour::prelude::*;

use super::pictures::{LOOKS, set};
use super::{Desk, access, window::Window};

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
