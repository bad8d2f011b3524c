//! A run that goes another way than a recorded one.

use thirtyfour::prelude::*;

use super::pictures::{LOOKS, set};
use super::{Desk, access};

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_run_again_from_a_call_with_another_result() -> WebDriverResult<()> {
    let desk = Desk::new();
    let window = desk.open().await?;
    window.click("[data-testid=rail-traces]").await?;
    window.click("[data-testid=open-sample]").await?;
    window.see("[data-testid=run-view]").await?;
    // The cost of loading everything up front is shown next to the final size.
    window.see("[data-testid=eager]").await?;
    window.click_text("[data-testid=step-row]", "scripts/convert.py").await?;
    window.see_text("[data-testid=step-detail]", "run_skill_script").await?;
    window.click("[data-testid=step-fork]").await?;
    window.see("[data-testid=fork-dialog]").await?;
    window.click("[data-testid=fork-way-result]").await?;
    window.click("[data-testid=fork-text]").await?;
    window.chord(Key::Control, 'a').await?;
    window.type_text("three pounds").await?;
    window.see_text("[data-testid=fork-edited]", "the result").await?;
    window.click("[data-testid=fork-start]").await?;
    window.click("[data-testid=open-trace]").await?;

    window.see_text("[data-testid=fork-line]", "How many pounds is 1 kilogram?").await?;
    window.click("[data-testid=fork-compare]").await?;
    window.see_text("[data-testid=pair-view]", "three").await?;
    window.click("[data-testid=pair-back]").await?;
    window.click("[data-testid=fork-parent]").await?;
    window.see_text("[data-testid=step-detail]", "run_skill_script").await?;
    window.click("[data-testid=fork-child]").await?;
    window.see("[data-testid=fork-parent]").await?;
    window.see_text("[data-testid=step-detail]", "three pounds").await?;

    // Each has the other as a lane, from the step at which they part.
    window.see_text("[data-testid=fork-lane][data-from='6']", "this run was forked at step 7").await?;
    for (language, theme) in LOOKS {
        set(&window, "language", "lang", language).await?;
        set(&window, "theme", "data-theme", theme).await?;
        window.picture(&format!("fork-{theme}-{language}")).await?;
        access::check(&window, "body", &format!("a fork, {theme}, {language}")).await?;
    }
    window.click("[data-testid=fork-lane]").await?;
    window.see("[data-testid=fork-child]").await?;
    window.see_text("[data-testid=step-detail]", "2.20462").await?;
    window.click("[data-testid=fork-lane][data-from='6']").await?;
    window.see_text("[data-testid=step-detail]", "three pounds").await?;
    window.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_prompt_is_said_again_with_a_picture() -> WebDriverResult<()> {
    let desk = Desk::new();
    let picture = desk.folder.path().join("square.png");
    std::fs::write(&picture, SQUARE).unwrap();
    let window = desk.open().await?;
    window.click("[data-testid=rail-traces]").await?;
    window.click("[data-testid=open-sample]").await?;
    window.see("[data-testid=run-view]").await?;
    window.click_text("[data-testid=step-row]", "How many pounds is 1 kilogram?").await?;
    window.click("[data-testid=step-fork]").await?;
    window.see("[data-testid=fork-dialog]").await?;
    let field = window.driver.find(By::Css("[data-testid=fork-dialog] [data-testid=picture-add]")).await?;
    field.send_keys(picture.to_str().unwrap()).await?;
    window.see("[data-testid=fork-dialog] [data-testid=pictures] img").await?;
    window.see_text("[data-testid=fork-edited]", "its images").await?;
    window.click("[data-testid=fork-start]").await?;
    // All of the run comes again, its script too.
    window.click("[data-testid=approve-once]:enabled").await?;
    window.click("[data-testid=open-trace]").await?;
    window.see_text("[data-testid=fork-line]", "How many pounds is 1 kilogram?").await?;
    window.click_text("[data-testid=step-row]", "How many pounds is 1 kilogram?").await?;
    window.see("[data-testid=step-detail] [data-testid=pictures] img").await?;
    window.close().await
}

/// A PNG of one pixel.
const SQUARE: &[u8] = b"\x89PNG\x0d\x0a\x1a\x0a\x00\x00\x00\x0dIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89\x00\x00\x00\x0dIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\x00\x05\x00\x01\xff\x89\x99=\x1d\x00\x00\x00\x00IEND\xaeB`\x82";
