//! A question before something runs: what edited arguments would do is shown before they are allowed, and their result
//! afterwards.

use std::fs;

use thirtyfour::prelude::*;

use super::{Desk, access, ask};

const ARGUMENTS: &str = "[data-testid=approval-arguments]";

#[tokio::test(flavor = "multi_thread")]
async fn edited_arguments_are_tried_out_as_they_are_typed() -> WebDriverResult<()> {
    let desk = Desk::new();
    let script = desk.skills().join("unit-converter/scripts/convert.py");
    let script = script.to_str().unwrap();
    let window = desk.open().await?;
    ask(&window).await?;
    window.see("[data-testid=approve-once]:enabled").await?;
    let facts = |arguments: &'static str| ["unit-converter", "python3", script, arguments, "the run's own"];
    // The interpreter's path depends on the machine.
    let shown = "[data-testid=approval-outlook][data-stale=false] dd:nth-of-type(-n+5)";
    window.see_texts(shown, &facts("--value 1 --factor 2.20462")).await?;
    window.picture("approval").await?;
    access::check_looks(&window, "body", "a question").await?;

    // Invalid JSON shows the place of the error, and cannot be allowed.
    window.click(ARGUMENTS).await?;
    window.chord(Key::Control, 'a').await?;
    let call =
        r#"{"skillName": "unit-converter", "scriptName": "scripts/convert.py", "arguments": {"value": 2, "factor": 3}"#;
    window.type_text(call).await?;
    window.see_texts("[data-testid=approval-mistake]", &["Line 1, column 107: the JSON ends too early"]).await?;
    window.see("[data-testid=approval-outlook][data-stale=true]").await?;
    window.see("[data-testid=approve-once]:disabled").await?;
    window.picture("approval-mistake").await?;
    window.type_text("}").await?;
    window.see_texts(shown, &facts("--value 2 --factor 3")).await?;
    window.see_no("[data-testid=approval-mistake]").await?;
    window.picture("approval-edited").await?;
    access::check_looks(&window, "body", "a question with edited arguments").await?;

    // A script that the skill does not have: the framework answers that itself.
    window.chord(Key::Control, 'a').await?;
    window.type_text(&call.replace("convert.py", "none.py")).await?;
    window.type_text("}").await?;
    let reply = "Error: Script 'scripts/none.py' not found in skill 'unit-converter'.";
    window.see_texts("[data-testid=approval-reply]", &[reply]).await?;
    window.picture("approval-reply").await?;
    window.chord(Key::Control, 'a').await?;
    window.type_text(call).await?;
    window.type_text("}").await?;
    window.see_texts(shown, &facts("--value 2 --factor 3")).await?;

    window.click("[data-testid=approve-once]:enabled").await?;
    window.see("[data-testid=open-trace]").await?;
    let asked = format!("python3 {script} --value 1 --factor 2.20462");
    let ran = format!("python3 {script} --value 2 --factor 3");
    window.see_texts("[data-testid=call-effect] .text", &[&asked]).await?;
    window.see_texts("[data-testid=ran-effect] .text", &[&ran]).await?;
    window.picture("approval-ran").await?;
    let sides = window.driver.find_all(By::Css("[data-testid=asked-and-ran] .side")).await?;
    let [left, right] = [sides[0].rect().await?, sides[1].rect().await?];
    assert!(left.y == right.y && left.x + left.width < right.x, "they stand next to each other: {left:?}, {right:?}");
    window.see_text("[data-testid=conversation-result]", "{\"result\": 6.0, \"value\": 2.0, \"factor\": 3.0}").await?;
    access::check_looks(&window, "body", "what was asked and what ran").await?;
    window.close().await
}

/// The scene of unit-converter with its script called twice, for other values.
const TWICE: &str = "\
title: Convert two units
prompt: How many pounds is 1 kilogram?
steps:
  - activate: unit-converter
  - run: scripts/convert.py
    with: {value: 1, factor: 2.20462}
  - run: scripts/convert.py
    with: {value: 2, factor: 2.20462}
  - say: 2 kg are about **4.40924 lb**.
";

/// A desk with that scene.
fn twice() -> Desk {
    let desk = Desk::new();
    fs::write(desk.skills().join(".workbench/screenplays/unit-converter.yaml"), TWICE).unwrap();
    desk
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stub_is_the_result_and_nothing_runs() -> WebDriverResult<()> {
    let desk = twice();
    let window = desk.open().await?;
    ask(&window).await?;
    for pounds in ["2 pounds", "4 pounds"] {
        window.see("[data-testid=approve-once]:enabled").await?;
        window.type_text("t").await?;
        window.see("[data-testid=approval-stub-text]:focus").await?;
        window.type_text(pounds).await?;
        access::check_looks(&window, "[data-testid=place-run]", "a stub").await?;
        window.click("[data-testid=approve-stub-send]").await?;
        window.see_text("[data-testid=conversation-result]", pounds).await?;
    }
    window.see("[data-testid=run-bar][data-status=done]").await?;
    window.see_texts("[data-testid=ran-effect]", &[]).await?;
    window.see_texts("[data-testid=conversation-item] [data-testid=departure]", &["✎ stubbed", "✎ stubbed"]).await?;
    // The model was given it.
    window.click("[data-testid=open-trace]").await?;
    window.see("[data-testid=context-pane]").await?;
    window.type_key(Key::End).await?;
    for pounds in ["2 pounds", "4 pounds"] {
        window.see_text("[data-testid=context-pane]", pounds).await?;
    }
    window.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_allowed_for_the_run_is_not_asked_again() -> WebDriverResult<()> {
    let desk = twice();
    let window = desk.open().await?;
    for (answer, more) in [("approve-once", true), ("approve-run", false)] {
        ask(&window).await?;
        window
            .see_texts("[data-testid=approval-scope]", &["For this run: this script as it is now, with any arguments."])
            .await?;
        window.click(&format!("[data-testid={answer}]:enabled")).await?;
        if more {
            window.see_text("[data-testid=approval-card]", "--value 2 --factor 2.20462").await?;
            window.click("[data-testid=approve-once]:enabled").await?;
        }
        window.see("[data-testid=run-bar][data-status=done]").await?;
        for result in ["{\"result\": 2.20462", "{\"result\": 4.40924"] {
            window.see_text("[data-testid=conversation-result]", result).await?;
        }
    }
    // A run takes nothing from the one before it.
    ask(&window).await?;
    window.see("[data-testid=approval-card]").await?;
    window.close().await
}
