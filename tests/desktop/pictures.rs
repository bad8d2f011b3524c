//! Every view in all themes and both languages: nothing sticks out or keeps anybody out, and with `SKILLBENCH_PICTURES` set to a folder,
//! a picture of each.

use thirtyfour::prelude::*;

use super::access;
use super::compare::compare;
use super::{Desk, EDITOR, ask, edit, misname};
use crate::window::Window;

pub const LANGUAGES: [&str; 2] = ["en", "zh-CN"];
/// Language and theme.
pub const LOOKS: [(&str, &str); 5] =
    [("en", "light"), ("en", "dark"), ("en", "contrast"), ("zh-CN", "light"), ("zh-CN", "dark")];

/// Labels that are cut off, by their text. Elements that may scroll or end in dots on purpose have a style for that.
const CLIPPED: &str = r#"
    const cut = [];
    for (const element of document.querySelectorAll("button, label, h1, h2, h3, [role=tab], .panel-title")) {
        const style = getComputedStyle(element);
        const spoken = element.classList.contains("visually-hidden");
        const shown = !spoken && element.offsetParent !== null && element.clientWidth > 0;
        if (shown && style.textOverflow !== "ellipsis" && element.scrollWidth > element.clientWidth + 1) {
            cut.push(element.textContent.trim());
        }
    }
    return cut;
"#;

/// Goes to a place, of which nothing sticks out and which keeps nobody out, and takes its picture.
async fn fits(window: &Window, place: &str, theme: &str, language: &str) -> WebDriverResult<()> {
    window.click(&format!("[data-testid=rail-{place}]")).await?;
    window.see(&format!("[data-testid=place-{place}]")).await?;
    window.picture(&format!("{place}-{theme}-{language}")).await?;
    let cut: Vec<String> = window.driver.execute(CLIPPED, Vec::new()).await?.convert()?;
    assert_eq!(cut, Vec::<String>::new(), "{place}, {theme}, {language}");
    access::check(window, "body", &format!("{place}, {theme}, {language}")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn every_view_fits_in_all_themes_and_languages() -> WebDriverResult<()> {
    let desk = Desk::new();
    let window = desk.open().await?;
    edit(&window).await?;
    // A name that is none, so that a problem is seen.
    misname(&window, "!").await?;
    ask(&window).await?;
    window.see("[data-testid=approval-card]").await?;
    window.click("[data-testid=rail-traces]").await?;
    window.click("[data-testid=open-sample]").await?;
    window.see("[data-testid=step-detail]").await?;
    for step in 1..=4 {
        window.type_key(Key::Right).await?;
        window.see(&format!("[data-testid=context-pane][data-step='{step}']")).await?;
    }

    window.click("[data-testid=rail-inspect]").await?;
    window.see("[data-testid=inspect-instructions]").await?;
    compare(&window).await?;
    for (language, theme) in LOOKS {
        set(&window, "language", "lang", language).await?;
        set(&window, "theme", "data-theme", theme).await?;
        for place in ["skills", "inspect", "compare", "run"] {
            fits(&window, place, theme, language).await?;
        }
    }
    // A reader of runs has no problem in the editor.
    window.click("[data-testid=rail-skills]").await?;
    window.click(EDITOR).await?;
    window.chord(Key::Control, 'z').await?;
    window.see_no("[data-testid=problem]").await?;
    for (language, theme) in LOOKS {
        set(&window, "language", "lang", language).await?;
        set(&window, "theme", "data-theme", theme).await?;
        fits(&window, "traces", theme, language).await?;
    }
    window.close().await
}

/// What a window of 960 by 600 points shows at 150 %: text that ends in dots after less than four letters, and content
/// that reaches over the edge without a scroll bar.
const SQUEEZED: &str = r#"
    const found = [];
    const scrolls = (element) => {
        for (let at = element.parentElement; at !== null; at = at.parentElement) {
            if (/auto|scroll/.test(getComputedStyle(at).overflowX) && at.scrollWidth > at.clientWidth) {
                return true;
            }
        }
        return false;
    };
    for (const element of document.querySelectorAll("body *")) {
        const box = element.getBoundingClientRect();
        if (element.offsetParent === null || box.width < 2 || element.closest(".visually-hidden, svg, .cm-editor") !== null) {
            continue;
        }
        const style = getComputedStyle(element);
        const name = `${element.tagName} ${element.textContent.trim().slice(0, 40)}`;
        const dotted = style.textOverflow === "ellipsis" && element.scrollWidth > element.clientWidth + 1;
        if (dotted && element.clientWidth < 3 * parseFloat(style.fontSize)) {
            found.push(`ends early: ${name}`);
        }
        if (element.matches("button, label, h1, h2, h3, p, select, input, textarea") && box.right > innerWidth + 1 && !scrolls(element)) {
            found.push(`sticks out: ${name}`);
        }
    }
    return found;
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_small_window_at_150_percent_cuts_nothing_to_a_letter() -> WebDriverResult<()> {
    let desk = Desk::new();
    let window = desk.open().await?;
    edit(&window).await?;
    window.click("[data-testid=rail-inspect]").await?;
    window.see("[data-testid=inspect-instructions]").await?;
    compare(&window).await?;
    window.click("[data-testid=rail-traces]").await?;
    window.click("[data-testid=open-sample]").await?;
    window.see("[data-testid=context-pane]").await?;
    window.driver.set_window_rect(0, 0, 960, 600).await?;
    for _ in 0..3 {
        window.chord(Key::Control, '=').await?;
    }
    // There is room for the step or for its context.
    window.see_no("[data-testid=context-pane]").await?;
    window.see("[data-testid=step-detail]").await?;
    window.type_text("c").await?;
    window.see("[data-testid=context-pane]").await?;
    window.see_no("[data-testid=step-detail]").await?;
    window.type_text("c").await?;
    window.see("[data-testid=step-detail]").await?;
    for language in LANGUAGES {
        let is_it = format!("return document.documentElement.lang === {language:?};");
        if !window.driver.execute(is_it, Vec::new()).await?.convert::<bool>()? {
            press(&window, "language").await?;
        }
        for place in ["skills", "inspect", "compare", "run", "traces"] {
            press(&window, &format!("rail-{place}")).await?;
            window.see(&format!("[data-testid=place-{place}]")).await?;
            window.picture(&format!("{place}-small-{language}")).await?;
            let found: Vec<String> = window.driver.execute(SQUEEZED, Vec::new()).await?.convert()?;
            assert_eq!(found, Vec::<String>::new(), "{place}, {language}");
        }
    }
    press(&window, "run-back").await?;
    window.see("[data-testid=run-row] .open .brief").await?;
    let hidden = "return document.querySelector('[data-testid=run-row] .started').offsetParent === null;";
    assert!(
        window.driver.execute(hidden, Vec::new()).await?.convert::<bool>()?,
        "when it began is in the line of the prompt"
    );
    window.picture("runs-small").await?;
    let found: Vec<String> = window.driver.execute(SQUEEZED, Vec::new()).await?.convert()?;
    assert_eq!(found, Vec::<String>::new(), "the list of runs");
    window.close().await
}

/// Points across and down, and the zoom in percent.
const SIZES: [(u32, u32, u32); 4] = [(960, 600, 100), (1360, 880, 100), (1920, 1080, 100), (1360, 880, 200)];

/// All views at each size, in both languages and themes. Pictures alone need both themes: no box depends on one.
#[tokio::test(flavor = "multi_thread")]
async fn every_view_fits_at_every_size() -> WebDriverResult<()> {
    let desk = Desk::new();
    let window = desk.open().await?;
    edit(&window).await?;
    ask(&window).await?;
    window.see("[data-testid=approve-once]:enabled").await?;
    window.click("[data-testid=rail-inspect]").await?;
    window.see("[data-testid=inspect-instructions]").await?;
    compare(&window).await?;
    window.click("[data-testid=rail-traces]").await?;
    window.click("[data-testid=open-sample]").await?;
    window.see("[data-testid=step-detail]").await?;
    window.type_key(Key::Right).await?;
    for (width, height, zoom) in SIZES {
        window.driver.set_window_rect(0, 0, width, height).await?;
        window.chord(Key::Control, '0').await?;
        // 110, 125, 150, 175 and 200 %.
        for _ in 0..(if zoom == 200 { 5 } else { 0 }) {
            window.chord(Key::Control, '=').await?;
        }
        let is_so = format!("return Math.abs(innerWidth * {zoom} / 100 - {width}) < 8;");
        window.see_so(&format!("{width} points at {zoom} %"), &is_so).await?;
        for language in LANGUAGES {
            until(&window, "language", "lang", language).await?;
            for theme in ["light", "dark"] {
                until(&window, "theme", "data-theme", theme).await?;
                for place in ["skills", "inspect", "compare", "run", "traces"] {
                    press(&window, &format!("rail-{place}")).await?;
                    window.see(&format!("[data-testid=place-{place}]")).await?;
                    window.picture(&format!("{place}-{width}-{zoom}-{theme}-{language}")).await?;
                    // Panes find their sizes some frames after the window has its own.
                    let what = format!("{place}, {width} by {height} at {zoom} %, {language}");
                    window.see_nothing(&what, SQUEEZED).await?;
                    window.see_nothing(&what, CLIPPED).await?;
                }
            }
        }
    }
    window.close().await
}

/// Strokes that the zoom makes thicker twice: WebKit divides by it what it zooms once.
const THICK: &str = r#"
    const zoom = Math.round(outerWidth / innerWidth);
    return [...document.querySelectorAll("svg > *")].flatMap((stroke) => {
        const { stroke: color, strokeWidth } = getComputedStyle(stroke);
        const width = parseFloat(strokeWidth) * zoom;
        return color === "none" || (width > 0.9 && width < 2.1) ? [] : [`${strokeWidth}: ${stroke.parentElement.outerHTML.slice(0, 100)}`];
    });
"#;

/// The largest zoom, which the key for more does not leave.
#[tokio::test(flavor = "multi_thread")]
async fn every_view_can_be_used_at_300_percent() -> WebDriverResult<()> {
    let desk = Desk::new();
    let window = desk.open().await?;
    edit(&window).await?;
    window.click("[data-testid=rail-inspect]").await?;
    window.see("[data-testid=inspect-instructions]").await?;
    compare(&window).await?;
    window.click("[data-testid=rail-traces]").await?;
    window.click("[data-testid=open-sample]").await?;
    window.see("[data-testid=step-detail]").await?;
    window.driver.set_window_rect(0, 0, 1920, 1080).await?;
    for _ in 0..9 {
        window.chord(Key::Control, '=').await?;
    }
    window.see_so("300 %", "return Math.abs(innerWidth * 3 - 1920) < 8;").await?;
    for language in LANGUAGES {
        until(&window, "language", "lang", language).await?;
        for place in ["skills", "inspect", "compare", "run", "traces"] {
            press(&window, &format!("rail-{place}")).await?;
            window.see(&format!("[data-testid=place-{place}]")).await?;
            window.picture(&format!("{place}-300-{language}")).await?;
            let what = format!("{place} at 300 %, {language}");
            window.see_nothing(&what, SQUEEZED).await?;
            window.see_nothing(&what, CLIPPED).await?;
            window.see_nothing(&what, THICK).await?;
        }
    }
    window.close().await
}

/// As [`set`], in a zoomed window or under a dialog.
pub async fn until(window: &Window, button: &str, attribute: &str, wanted: &str) -> WebDriverResult<()> {
    let script = format!("return document.documentElement.getAttribute({attribute:?});");
    for _ in 0..4 {
        let found: Option<String> = window.driver.execute(script.as_str(), Vec::new()).await?.convert()?;
        if found.as_deref() == Some(wanted) {
            return Ok(());
        }
        press(window, button).await?;
    }
    panic!("{button} does not lead to {wanted}");
}

/// By the page itself: WebDriver's clicks miss if the window is zoomed, and under a dialog.
async fn press(window: &Window, testid: &str) -> WebDriverResult<()> {
    let script = format!("document.querySelector('[data-testid={testid}]').click();");
    window.driver.execute(script, Vec::new()).await.map(drop)
}

/// Presses a button that goes round some values until the page has the one wanted.
pub async fn set(window: &Window, button: &str, attribute: &str, wanted: &str) -> WebDriverResult<()> {
    let script = format!("return document.documentElement.getAttribute({attribute:?});");
    for _ in 0..4 {
        let found: Option<String> = window.driver.execute(script.as_str(), Vec::new()).await?.convert()?;
        if found.as_deref() == Some(wanted) {
            return Ok(());
        }
        window.click(&format!("[data-testid={button}]")).await?;
    }
    panic!("{button} does not lead to {wanted}");
}
