//! Recorded runs in the window: imported, found, stepped by keys, noted, judged, checked, compared, presented, copied, deleted and brought back.

use std::fs;
use std::path::Path;

use skillbench_tests::mock::whole;
use thirtyfour::prelude::*;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::pictures::{LOOKS, set};
use super::{Desk, access, ask};
use crate::window::Window;

const PROMPT: &str = "How many pounds is 1 kilogram?";

/// Runs the scene to its end, and goes to the list of runs.
async fn record(window: &Window) -> WebDriverResult<()> {
    ask(window).await?;
    window.click("[data-testid=approve-once]:enabled").await?;
    window.see("[data-testid=open-trace]").await?;
    traces(window).await
}

/// A window with one run of the scene.
pub async fn recorded() -> WebDriverResult<(Desk, Window)> {
    let desk = Desk::new();
    let window = desk.open().await?;
    record(&window).await?;
    Ok((desk, window))
}

async fn traces(window: &Window) -> WebDriverResult<()> {
    window.click("[data-testid=rail-traces]").await?;
    window.see_text("[data-testid=run-row]", PROMPT).await.map(drop)
}

/// Looks for something among all runs, as one does who types.
async fn look_for(window: &Window, words: &str) -> WebDriverResult<()> {
    window.click("[data-testid=run-search]").await?;
    window.chord(Key::Control, 'a').await?;
    window.type_text(words).await
}

/// Presses a button in the row of the newest run with the scene's prompt.
pub async fn in_row(window: &Window, button: &str) -> WebDriverResult<()> {
    let row = window.see_text("[data-testid=run-row]", PROMPT).await?;
    row.find(By::Css(format!("[data-testid={button}]"))).await?.click().await
}

async fn choose(window: &Window, filter: &str, value: &str) -> WebDriverResult<()> {
    let filter = window.see(&format!("[data-testid=filter-{filter}]")).await?;
    filter.find(By::Css(format!("option[value='{value}']"))).await?.click().await
}

async fn attributes(window: &Window, css: &str, name: &str) -> WebDriverResult<Vec<String>> {
    let mut values = Vec::new();
    for element in window.driver.find_all(By::Css(css)).await? {
        values.push(element.attr(name).await?.unwrap_or_default());
    }
    Ok(values)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_found_by_its_text_and_by_filters() -> WebDriverResult<()> {
    let (_desk, window) = recorded().await?;

    // The key moves to the field; a result opens at its step, and going back leads to the results again.
    window.type_text("/").await?;
    window.type_text("2.20462").await?;
    window.see_text("[data-testid=found-step]", "2.20462").await?;
    let step = window.see("[data-testid=found-step]").await?;
    let wanted: usize = step.attr("data-step").await?.unwrap().parse().unwrap();
    step.click().await?;
    window.see_text("[data-testid=step-position]", &format!("{} of ", wanted + 1)).await?;
    window.type_key(Key::Escape).await?;
    window.see("[data-testid=found-step]:focus").await?;

    look_for(&window, "no such words in any run").await?;
    window.see_text("[data-testid=search-told]", "Nothing matches").await?;
    window.click("[data-testid=search-clear]").await?;
    window.see_text("[data-testid=run-row]", PROMPT).await?;

    choose(&window, "harness", "agent-framework").await?;
    window.see_text("[data-testid=run-row]", PROMPT).await?;
    choose(&window, "skill", "unit-converter").await?;
    window.see_text("[data-testid=search-told]", "2 runs match").await?;
    look_for(&window, "dur:>soon").await?;
    window.see_text("[data-testid=search-error]", "dur:").await?;
    window.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn notes_and_a_verdict_stay_when_the_run_is_deleted_and_brought_back() -> WebDriverResult<()> {
    let (_desk, window) = recorded().await?;
    window.click_text("[data-testid=run-row] .open", PROMPT).await?;
    window.see("[data-testid=run-view]").await?;
    window.type_key(Key::Home).await?;
    window.type_key(Key::Right).await?;
    window.see_text("[data-testid=step-position]", "2 of 8").await?;
    window.click("[data-testid=note-add]").await?;
    window.type_text("Why is the skill loaded here?").await?;
    window.chord(Key::Control, Key::Enter).await?;
    window.see_text("[data-testid=step-note]", "Why is the skill loaded here?").await?;
    window.click("[data-testid=step-bookmark]").await?;
    window.see("[data-testid=row-bookmark]").await?;
    window.click("[data-testid=run-judge]").await?;
    window.click("[data-testid=verdict-fail]").await?;
    window.click("[data-testid=verdict-line]").await?;
    window.type_text("It asks for the factor twice.").await?;
    window.click("[data-testid=verdict-save]").await?;
    window.see_text("[data-testid=run-verdict]", "It asks for the factor twice.").await?;
    window.click("[data-testid=run-back]").await?;

    choose(&window, "verdict", "fail").await?;
    window.see_text("[data-testid=search-told]", "1 run").await?;
    window.click("[data-testid=search-clear]").await?;

    in_row(&window, "run-export").await?;
    window.click_text(".menu-item", "Copy as JSONL").await?;
    window.see_text("body", "Copied").await?;
    in_row(&window, "run-delete").await?;
    window.click("[data-testid=run-delete-confirm]").await?;
    window.see_no("[data-testid=verdict-tag]").await?;

    window.click("[data-testid=import-run]").await?;
    window.click("[data-testid=import-text]").await?;
    window.chord(Key::Control, 'v').await?;
    window.click("[data-testid=import-do]:enabled").await?;
    window.see("[data-testid=run-view]").await?;
    window.see_text("[data-testid=run-verdict]", "It asks for the factor twice.").await?;
    window.type_key(Key::Home).await?;
    window.type_text("n").await?;
    window.see_text("[data-testid=step-note]", "Why is the skill loaded here?").await?;
    window.close().await
}

/// The position of the walk, by its text.
async fn stands(window: &Window, step: usize) -> WebDriverResult<()> {
    window.see_text("[data-testid=step-position]", &format!("{step} of 8")).await?;
    // The step, its row and its context have come, too.
    window.see(&format!("[data-testid=step-detail][data-step='{}']", step - 1)).await?;
    window.see(&format!("[data-testid=step-row][data-step='{}'][aria-selected=true]", step - 1)).await?;
    window.see(&format!("[data-testid=context-pane][data-step='{}']", step - 1)).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_stepped_through_by_keys_alone() -> WebDriverResult<()> {
    let (_desk, window) = recorded().await?;
    window.click_text("[data-testid=run-row] .open", PROMPT).await?;
    window.see("[data-testid=run-view]").await?;
    stands(&window, 1).await?;
    for (key, step) in [
        ("j", 2),
        ("j", 3),
        ("k", 2),
        ("G", 8),
        ("gg", 1),
        // The next call, and the one after it; back again.
        ("t", 3),
        ("t", 5),
        ("T", 3),
        // There is one skill, and one turn of the user.
        ("gg", 1),
        ("s", 3),
        ("h", 1),
    ] {
        window.type_text(key).await?;
        stands(&window, step).await?;
    }
    for (key, step) in
        [(Key::Right, 2), (Key::PageDown, 3), (Key::PageUp, 2), (Key::Left, 1), (Key::End, 8), (Key::Home, 1)]
    {
        window.type_key(key).await?;
        stands(&window, step).await?;
    }
    // Nothing failed in this run, and the key reports that.
    window.type_text("e").await?;
    window.see_text("body", "None after this step").await?;
    stands(&window, 1).await?;

    // It plays to its end, fast, and stops there.
    window.type_text("]]").await?;
    window.type_text(" ").await?;
    window.see("[data-testid=step-play][aria-pressed=true]").await?;
    stands(&window, 8).await?;
    window.see("[data-testid=step-play][aria-pressed=false]").await?;

    // Letters rest in a field.
    window.click("[data-testid=note-add]").await?;
    window.type_text("jk").await?;
    stands(&window, 8).await?;
    window.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_of_the_walk_is_changed_and_put_back() -> WebDriverResult<()> {
    let (_desk, window) = recorded().await?;
    window.click_text("[data-testid=run-row] .open", PROMPT).await?;
    stands(&window, 1).await?;
    window.type_text("?").await?;
    window.click("[data-testid=keys-change]").await?;
    // The key of another command is not taken from it.
    window.click("[data-testid=key-add][data-command='trace.next']").await?;
    window.type_text("k").await?;
    window.see_text("[data-testid=help] .taken", "already the key for: Previous step").await?;
    window.type_text("w").await?;
    window.see("[data-testid=key-reset]").await?;
    window.type_key(Key::Escape).await?;
    window.see_no("[data-testid=help]").await?;
    for (key, step) in [("w", 2), ("j", 3), ("k", 2)] {
        window.type_text(key).await?;
        stands(&window, step).await?;
    }
    window.type_text("?").await?;
    window.click("[data-testid=keys-reset]").await?;
    window.see_no("[data-testid=keys-reset]").await?;
    window.type_key(Key::Escape).await?;
    window.see_no("[data-testid=help]").await?;
    // It no longer leads anywhere: the next key counts from the same step.
    window.type_text("w").await?;
    window.type_text("j").await?;
    stands(&window, 3).await?;
    window.close().await
}

/// As another program wrote it: its path is typed, as one does with a hidden folder.
#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_another_program_is_imported_stepped_exported_and_deleted() -> WebDriverResult<()> {
    let desk = Desk::new();
    let window = desk.open().await?;
    window.click("[data-testid=rail-traces]").await?;
    let missing = desk.skills().join("no-such-session.jsonl");
    let session = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/foreign/claude-code.jsonl");
    window.click("[data-testid=import-run]").await?;
    window.click("[data-testid=import-path]").await?;
    window.type_text(missing.to_str().unwrap()).await?;
    window.click("[data-testid=import-do]:enabled").await?;
    window.see_text(".dialog", "no such file").await?;
    window.click("[data-testid=import-path]").await?;
    window.chord(Key::Control, 'a').await?;
    window.type_text(session.to_str().unwrap()).await?;
    window.click("[data-testid=import-do]:enabled").await?;
    window.see("[data-testid=run-view]").await?;
    window.see_text("[data-testid=step-detail]", PROMPT).await?;
    window.type_text("s").await?;
    window.see_text("[data-testid=step-detail]", "Skill").await?;
    window.see_text("[data-testid=context-pane]", "reconstructed").await?;
    window.type_text("a").await?;
    window.see_text("[data-testid=agent-lane][aria-current=true]", "Task").await?;
    window.type_key(Key::Escape).await?;

    let row = "[data-testid=run-row]:not(:has(.sample))";
    window.see(row).await?;
    window.click(&format!("{row} [data-testid=run-export]")).await?;
    window.click_text(".menu-item", "Copy as JSONL").await?;
    window.see_text("body", "Copied").await?;
    window.click(&format!("{row} [data-testid=run-delete]")).await?;
    window.click("[data-testid=run-delete-confirm]").await?;
    window.see_no(row).await?;
    window.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_shared_of_a_run_is_shown_before_it_goes() -> WebDriverResult<()> {
    let (_desk, window) = recorded().await?;
    for (item, dialog, ready) in [
        ("Save as a replay page", "replay-dialog", "[data-testid=replay-save]:enabled"),
        ("Send to", "push-dialog", "[data-testid=push-to]"),
    ] {
        in_row(&window, "run-export").await?;
        window.click_text(".menu-item", item).await?;
        window.see(ready).await?;
        access::check_looks(&window, ".dialog", dialog).await?;
        window.type_key(Key::Escape).await?;
        window.see_no(&format!("[data-testid={dialog}]")).await?;
    }

    let back_end = TcpListener::bind("127.0.0.1:0").await?;
    let address = back_end.local_addr()?;
    let received = tokio::spawn(received(back_end));
    in_row(&window, "run-export").await?;
    window.click_text(".menu-item", "Send to").await?;
    window.click("[data-testid=push-to]").await?;
    window.type_text(&format!("http://{address}")).await?;
    window.click("[data-testid=push-contents]").await?;
    window.click("[data-testid=push-send]:enabled").await?;
    window.see_text("body", &format!("http://{address}/v1/traces")).await?;
    window.see_no("[data-testid=push-dialog]").await?;
    let request = String::from_utf8_lossy(&received.await.unwrap()?).into_owned();
    assert!(request.starts_with("POST /v1/traces HTTP/1.1\r\n"), "{request}");
    assert!(request.to_ascii_lowercase().contains("content-type: application/x-protobuf\r\n"), "{request}");
    for sent in ["invoke_agent", "execute_tool", "gen_ai.input.messages", PROMPT] {
        assert!(request.contains(sent), "{sent}");
    }
    window.close().await
}

/// The first request that a tracing back end gets, which accepts it.
async fn received(back_end: TcpListener) -> std::io::Result<Vec<u8>> {
    let (mut socket, _) = back_end.accept().await?;
    let mut request = Vec::new();
    while whole(&request).is_none() {
        if socket.read_buf(&mut request).await? == 0 {
            break;
        }
    }
    let answer = "HTTP/1.1 200 OK\r\ncontent-type: application/x-protobuf\r\ncontent-length: 0\r\n\r\n";
    socket.write_all(answer.as_bytes()).await?;
    Ok(request)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_checked_against_the_skills_as_they_are_now() -> WebDriverResult<()> {
    let (desk, window) = recorded().await?;
    in_row(&window, "run-check-open").await?;
    window.see("[data-testid=check-told][data-bad='0']").await?;
    window.click("[data-testid=check-back]").await?;

    let manifest = fs::read_to_string(desk.manifest()).unwrap();
    fs::write(desk.manifest(), format!("{manifest}\nRound to two decimals.\n")).unwrap();
    in_row(&window, "run-check-open").await?;
    window.see("[data-testid=check-told][data-bad='1']").await?;
    let results = attributes(&window, "[data-testid=checked-call]", "data-result").await?;
    assert_eq!(results, ["changed", "same", "notRun"]);
    window.click("[data-testid=check-diff]").await?;
    window.see_text("[data-testid=check-text]", "Round to two decimals.").await?;
    access::check_looks(&window, ".dialog", "what a call gives now").await?;
    window.type_key(Key::Escape).await?;

    // The step that made the call is one click away.
    window.click("[data-testid=checked-call][data-result=changed] [data-testid=check-step]").await?;
    window.see_text("[data-testid=step-detail]", "load_skill").await?;

    // The framework sends the reply as a JSON string: it is shown once, as it reads or as it was sent.
    window.see_text("[data-testid=tool-reply]", "Use this skill when").await?;
    let sent = "return document.querySelector('[data-testid=tool-reply]')?.textContent.includes('\\\\n');";
    window.see_no("[data-testid=tool-wire]").await?;
    window.click("[data-testid=step-detail] [data-testid=as-sent]").await?;
    window.see_so("the reply as it was sent", sent).await?;
    window.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn two_runs_are_compared_step_by_step() -> WebDriverResult<()> {
    let (desk, window) = recorded().await?;
    let manifest = fs::read_to_string(desk.manifest()).unwrap();
    fs::write(desk.manifest(), manifest.replace("Use this skill when", "Take this skill if")).unwrap();
    record(&window).await?;
    let rows =
        window.driver.find_all(By::Css("[data-testid=run-row]:not(:has(.sample)) [data-testid=run-pair]")).await?;
    assert_eq!(rows.len(), 2, "the two runs of this test");
    for row in rows {
        row.click().await?;
    }
    window.see_text("[data-testid=pair-summary]", "differ").await?;
    let kinds = attributes(&window, "[data-testid=pair-row]", "data-kind").await?;
    assert_eq!(kinds, ["same", "same", "changed", "same", "same", "same", "same", "same"]);
    window.see("[data-testid=pair-row].first[aria-selected=true]").await?;
    window.see_text("[data-testid=pair-figures]", "Tokens in").await?;
    window.see_text("[data-testid=pair-diff]", "TakeUse").await?;
    window.type_text("w").await?;
    window.see_text("[data-testid=pair-diff]", "UseTake").await?;
    for (language, theme) in LOOKS {
        set(&window, "language", "lang", language).await?;
        set(&window, "theme", "data-theme", theme).await?;
        window.picture(&format!("pair-{theme}-{language}")).await?;
        access::check(&window, "body", &format!("two runs, {theme}, {language}")).await?;
    }
    window.type_text("d").await?;
    window.see("[data-testid=pair-only][aria-pressed=true]").await?;
    window.click("[data-testid=pair-back]").await?;
    window.see("[data-testid=run-table]").await?;
    window.close().await
}

/// As with a clicker: it sends Page Down.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_presented_one_thing_at_a_time() -> WebDriverResult<()> {
    let (_desk, window) = recorded().await?;
    window.click_text("[data-testid=run-row] .open", PROMPT).await?;
    window.see("[data-testid=run-view]").await?;
    window.type_key(Key::Home).await?;
    window.type_text("f").await?;
    window.see("[data-testid=presenter]").await?;
    let mut scenes = Vec::new();
    for place in 1..=10 {
        window.see_text("[data-testid=presenter-place]", &format!("{place} / 10")).await?;
        let scene = window.see("[data-testid=presenter-scene]").await?;
        scenes.push(scene.attr("data-scene").await?.unwrap_or_default());
        access::check(&window, "[data-testid=presenter]", &format!("scene {place}")).await?;
        if place == 4 {
            for (language, theme) in LOOKS {
                window.type_key(Key::Escape).await?;
                set(&window, "language", "lang", language).await?;
                set(&window, "theme", "data-theme", theme).await?;
                window.click("[data-testid=present]").await?;
                window.see_text("[data-testid=presenter-place]", "4 / 10").await?;
                window.picture(&format!("presenter-{theme}-{language}")).await?;
                access::check(&window, "[data-testid=presenter]", &format!("{theme}, {language}")).await?;
            }
        }
        window.type_key(Key::PageDown).await?;
    }
    assert_eq!(
        scenes,
        ["catalogue", "prompt", "asks", "instructions", "asks", "resource", "asks", "script", "answer", "end"]
    );
    window.type_text("b").await?;
    window.see("[data-testid=presenter-blank]").await?;
    window.type_text("b").await?;
    window.see("[data-testid=presenter-end]").await?;
    window.type_key(Key::Escape).await?;
    window.see("[data-testid=run-view]").await?;
    window.close().await
}
