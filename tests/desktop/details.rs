//! Details of a pleasant window: where the focus goes, what keys can reach, what keeps its position.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::json;
use thirtyfour::prelude::*;

use super::{Desk, EDITOR, ask, edit};
use crate::window::Window;

/// What has the focus, by name for tests.
const FOCUS: &str = "const at = document.activeElement;
    return at === document.body ? 'body' : (at?.dataset.testid ?? at?.className ?? at?.tagName);";

/// Points of an element that are covered by something else.
const COVERED: &str = "const [css] = arguments;
    const shown = document.querySelector(css);
    const { left, top, width, height } = shown.getBoundingClientRect();
    const covers = [];
    for (let across = 0.02; across < 1; across += 0.08) {
        for (let down = 0.02; down < 1; down += 0.08) {
            const at = document.elementFromPoint(left + across * width, top + down * height);
            if (at === null || !(shown.contains(at) || at.contains(shown))) covers.push(at?.outerHTML.slice(0, 80) ?? 'nothing');
        }
    }
    return [...new Set(covers)];";

/// How far anything in the dialog is scrolled.
const SCROLLED: &str =
    "return Math.max(...[...document.querySelectorAll('.dialog, .dialog *')].map((each) => each.scrollTop))";

async fn focus(window: &Window) -> WebDriverResult<String> {
    window.driver.execute(FOCUS, Vec::new()).await?.convert()
}

async fn number(window: &Window, script: &str) -> WebDriverResult<f64> {
    window.driver.execute(script, Vec::new()).await?.convert()
}

/// Nothing covers any part of it.
async fn is_free(window: &Window, css: &str) -> WebDriverResult<()> {
    let covers: Vec<String> = window.driver.execute(COVERED, vec![json!(css)]).await?.convert()?;
    assert_eq!(covers, Vec::<String>::new(), "over {css}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_go_in_and_out_and_the_focus_is_never_lost() -> WebDriverResult<()> {
    let desk = Desk::new();
    let window = desk.open().await?;
    edit(&window).await?;

    // Tab indents, says once how to leave, and Escape lets it go on.
    window.chord(Key::Control, Key::End).await?;
    window.type_key(Key::Tab).await?;
    window.see_text("[data-testid=toast]", "Esc").await?;
    assert_eq!(focus(&window).await?, "editor-content", "it stays in the text");
    window.chord(Key::Control, 'z').await?;

    // Over no dialog, also in a small window.
    window.driver.set_window_rect(0, 0, 960, 600).await?;
    for (button, shown) in [
        ("palette-open", "palette-input"),
        ("help-open", "help"),
        ("new-skill", "new-skill-dialog"),
        ("skills-rules", "rule-row"),
        ("skills-find", "find-text"),
        ("skills-collisions", "collisions-request"),
        ("history-open", "history-version"),
    ] {
        window.click(&format!("[data-testid={button}]")).await?;
        window.see(&format!("[data-testid={shown}]")).await?;
        if button == "palette-open" {
            assert!(window.shows("[data-testid=toast]").await?, "it is still there");
        }
        is_free(&window, ".dialog").await?;
        let inside = "return document.activeElement.closest('.dialog') !== null;";
        assert!(window.driver.execute(inside, Vec::new()).await?.convert::<bool>()?, "the keys are in {shown}");
        window.type_key(Key::Escape).await?;
        window.see_no(&format!("[data-testid={shown}]")).await?;
        assert_eq!(focus(&window).await?, button, "it goes back");
    }
    window.click_text(EDITOR, "Use this skill").await?;
    window.type_key(Key::Escape).await?;
    window.type_key(Key::Tab).await?;
    let left = focus(&window).await?;
    assert!(left != "editor-content" && left != "body", "{left}");

    // The list of keys is longer than the window, and the keys scroll it.
    window.click("[data-testid=help-open]").await?;
    window.see("[data-testid=help]").await?;
    window.see_so("the keys are shown from the first", &format!("{SCROLLED} === 0;")).await?;
    window.type_key(Key::PageDown).await?;
    window.see_so("Page Down scrolls the keys", &format!("{SCROLLED} > 50;")).await?;
    window.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_editor_counts_what_it_finds_names_the_folder_and_scrolls_the_preview() -> WebDriverResult<()> {
    let desk = Desk::new();
    let mut text = "---\nname: another-name\ndescription: Converts units. Use it to convert.\n---\n\n".to_owned();
    for at in 0..40 {
        // A short line is a tall picture of it, and a long one is not.
        let rows =
            if at % 2 == 0 { "| a | b |\n|---|---|\n| needle | 2 |\n\n".repeat(3) } else { "Word.\n\n".to_owned() };
        text.push_str(&format!("## Heading {at}\n\n{rows}"));
    }
    fs::write(desk.manifest(), &text).unwrap();
    let window = desk.open().await?;
    window
        .click("[data-testid=skill-row][data-name=another-name], [data-testid=skill-row][data-name=unit-converter]")
        .await?;
    window.click(EDITOR).await?;
    window.see_texts("[data-testid=file-place]", &["unit-converter/SKILL.md"]).await?;

    window.chord(Key::Control, Key::Home).await?;
    window.chord(Key::Control, 'f').await?;
    window.see(".cm-search").await?;
    window.type_text("needle").await?;
    window.see_texts("[data-testid=match-count]", &["60 found"]).await?;
    window.type_key(Key::Enter).await?;
    window.see_texts("[data-testid=match-count]", &["1 of 60"]).await?;
    window.type_key(Key::Enter).await?;
    window.see_texts("[data-testid=match-count]", &["2 of 60"]).await?;
    window.picture("found-count").await?;
    window.type_key(Key::Escape).await?;

    if !window.shows("[data-testid=preview]").await? {
        window.click("[data-testid=preview-toggle]").await?;
    }
    window.see("[data-testid=preview] iframe").await?;
    for (go, at) in [("Heading 20", 20), ("Heading 31", 31), ("Heading 4", 4)] {
        let scroll = format!(
            "const scroller = document.querySelector('[data-testid=editor] .cm-scroller');
             scroller.scrollTop = {at} / 40 * (scroller.scrollHeight - scroller.clientHeight); return 0;"
        );
        number(&window, &scroll).await?;
        window.see_so(&format!("{go} in the source and in the preview"), FIRST).await?;
    }
    window.picture("preview-scrolled").await?;
    window.close().await
}

/// Whether the last heading that was passed is the same in the source and in the preview, and not the first one.
const FIRST: &str = r#"
    const scroller = document.querySelector("[data-testid=editor] .cm-scroller");
    const above = (all, top) => all.filter((each) => each.getBoundingClientRect().top <= top).at(-1);
    const heads = [...scroller.querySelectorAll(".cm-line")].filter((line) => line.textContent.startsWith('## '));
    const source = above(heads, scroller.getBoundingClientRect().top + 2)?.textContent.slice(3);
    const page = document.querySelector("[data-testid=preview] iframe").contentDocument;
    const preview = above([...page.querySelectorAll("h2")], 2)?.textContent;
    return source !== undefined && source === preview && source !== "Heading 0";
"#;

/// The tree asks the disk and the editor asks about its text: both find the same.
#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_not_utf_8_counts_the_same_open_or_not() -> WebDriverResult<()> {
    let desk = Desk::new();
    let folder = desk.skills().join("latin");
    fs::create_dir(&folder).unwrap();
    fs::write(
        folder.join("SKILL.md"),
        b"---\nname: latin\ndescription: Reads caf\xe9. Use it for caf\xe9s.\n---\n\nRead it.\n",
    )
    .unwrap();
    let window = desk.open().await?;
    let errors = "[data-testid=skill-row][data-name=latin] .badge.error";
    window.see(errors).await?;
    let told = "return [...document.querySelectorAll('[data-testid=skill-row][data-name=latin] .badge')].map((each) => each.title);";
    let before: Vec<String> = window.driver.execute(told, Vec::new()).await?.convert()?;
    window.click_text("[data-testid=skill-row]", "latin").await?;
    window.see("[data-testid=problem]").await?;
    let after: Vec<String> = window.driver.execute(told, Vec::new()).await?.convert()?;
    assert_eq!(after, before);
    let errors = window.driver.find_all(By::Css("[data-testid=problem] .badge.error")).await?.len();
    let all = window.driver.find_all(By::Css("[data-testid=problem]")).await?.len();
    assert!(before[0].contains(&errors.to_string()), "{errors} errors of {all} problems, and the tree says {before:?}");
    window.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_three_first_things_are_there_at_first_and_in_help() -> WebDriverResult<()> {
    let desk = Desk::new();
    let window = desk.open().await?;
    for step in ["see", "scene", "open"] {
        window.see(&format!("[data-testid=welcome-{step}]")).await?;
    }
    window.picture("welcome").await?;
    window.click("[data-testid=welcome-see]").await?;
    window.see("[data-testid=inspect-instructions]").await?;
    for (step, shown) in [("scene", "[data-testid=prompt-box]"), ("see", "[data-testid=inspect-instructions]")] {
        window.click("[data-testid=help-open]").await?;
        window.see("[data-testid=help-open], [data-testid=help]").await?;
        window.click(&format!("[data-testid=help-{step}]")).await?;
        window.see(shown).await?;
        window.see_no("[data-testid=help]").await?;
    }
    window.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_prompt_is_not_run_and_a_denied_scene_says_that_its_answer_is_none() -> WebDriverResult<()> {
    let desk = Desk::new();
    let window = desk.open().await?;
    ask(&window).await?;
    window.see("[data-testid=approve-once]:enabled").await?;

    // All of the card can be reached in a small window, also what a stub needs.
    window.driver.set_window_rect(0, 0, 960, 600).await?;
    for _ in 0..3 {
        window.chord(Key::Control, '=').await?;
    }
    let press = "document.querySelector('[data-testid=approve-stub]').click(); return 0;";
    number(&window, press).await?;
    window.see("[data-testid=approve-stub-send]").await?;
    is_free(&window, "[data-testid=approve-stub-send]").await?;
    is_free(&window, "[data-testid=approval-stub-text]").await?;
    window.picture("stub-small").await?;
    number(&window, press).await?;
    window.chord(Key::Control, '0').await?;
    window.driver.set_window_rect(0, 0, 1360, 880).await?;

    window.click("[data-testid=approve-deny]").await?;
    window.see("[data-testid=open-trace]").await?;
    window.see_text("[data-testid=answer-text]", "was not allowed, so what follows did not come about").await?;
    window.see_text("[data-testid=place-run]", "denied").await?;
    window.picture("denied").await?;

    window.click("[data-testid=prompt-box]").await?;
    for nothing in ["", "   "] {
        window.chord(Key::Control, 'a').await?;
        window.type_key(Key::Backspace).await?;
        window.type_text(nothing).await?;
        window.see("[data-testid=run-button]:disabled").await?;
        window.chord(Key::Control, Key::Enter).await?;
    }
    window.click("[data-testid=rail-traces]").await?;
    window.see("[data-testid=run-row]").await?;
    let rows = window.driver.find_all(By::Css("[data-testid=run-row]")).await?;
    assert_eq!(rows.len(), 2, "the bundled run and the one with a prompt");
    window.close().await
}

/// A run in the terminal, at the same home, while the window is open; and what each view keeps while another one is
/// open.
#[tokio::test(flavor = "multi_thread")]
async fn runs_made_elsewhere_appear_and_each_view_stays_as_it_was_left() -> WebDriverResult<()> {
    let desk = Desk::new();
    for at in 0..80 {
        let skill = desk.skills().join(format!("skill-{at:02}"));
        fs::create_dir(&skill).unwrap();
        let text = format!("---\nname: skill-{at:02}\ndescription: Does thing {at}. Use it for {at}.\n---\n\nDo it.\n");
        fs::write(skill.join("SKILL.md"), text).unwrap();
    }
    let window = desk.open().await?;
    window.click("[data-testid=rail-traces]").await?;
    window.see("[data-testid=run-row]").await?;
    let app = std::env::var("SKILL_WORKBENCH_APP").unwrap();
    let program = Path::new(&app).with_file_name("skillbench");
    for at in 0..30 {
        let prompt = format!("Say hello, number {at}.");
        let run = Command::new(&program)
            .arg("run")
            .arg(desk.skills())
            .args(["--model", "rehearsal", "--prompt", &prompt])
            .env("SKILL_WORKBENCH_HOME", desk.home())
            .output()
            .unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        if at == 0 {
            window.see_text("[data-testid=run-row]", &prompt).await?;
        }
    }
    window.see_text("[data-testid=run-row]", "number 29").await?;

    // Each place is scrolled, left, and found as it was.
    let places =
        [("skills", "skill-row"), ("inspect", "inspect-skill"), ("compare", "compare-skill"), ("traces", "run-row")];
    let mut left = Vec::new();
    for (place, row) in places {
        window.click(&format!("[data-testid=rail-{place}]")).await?;
        window.see(&format!("[data-testid={row}]")).await?;
        let scroll = format!("{SCROLLERS} all.forEach((each) => (each.scrollTop = 120)); return all.length;");
        assert!(window.driver.execute(scroll, vec![json!(place)]).await?.convert::<usize>()? > 0, "{place} scrolls");
        left.push(tops(&window, place).await?);
    }
    window.click("[data-testid=rail-run]").await?;
    for ((place, _), left) in places.into_iter().zip(left) {
        window.click(&format!("[data-testid=rail-{place}]")).await?;
        assert_eq!(tops(&window, place).await?, left, "{place}");
    }

    // A run that was opened far down is found again in the list.
    let open = "const rows = [...document.querySelectorAll('[data-testid=run-row]')];
        const row = rows.at(-2); row.querySelector('.open').click(); return 0;";
    number(&window, open).await?;
    window.see("[data-testid=step-detail]").await?;
    window.click("[data-testid=run-back]").await?;
    window.see("[data-testid=run-row]").await?;
    let is_row = "return document.activeElement.closest('[data-testid=run-row]') !== null;";
    assert!(
        window.driver.execute(is_row, Vec::new()).await?.convert::<bool>()?,
        "the run that was opened has the focus"
    );
    window.close().await
}

/// How far each part of a place is scrolled once all is drawn.
async fn tops(window: &Window, place: &str) -> WebDriverResult<Vec<i64>> {
    let tops = format!(
        "const done = arguments[1]; {SCROLLERS}
         requestAnimationFrame(() => requestAnimationFrame(() => done(all.map((each) => Math.round(each.scrollTop)))));"
    );
    window.driver.execute_async(tops, vec![json!(place)]).await?.convert()
}

/// What can be scrolled by more than 120 points in a place.
const SCROLLERS: &str = "const [place] = arguments;
    const all = [...document.querySelectorAll(`[data-testid=place-${place}] *`)].filter((each) =>
        /auto|scroll/.test(getComputedStyle(each).overflowY) && each.scrollHeight - each.clientHeight > 120);";
