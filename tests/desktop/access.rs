//! axe-core in the real window: nothing that it calls serious or critical, in any view and dialog.

use std::fs;
use std::path::Path;

use serde_json::json;
use thirtyfour::prelude::*;

use super::pictures::{LANGUAGES, LOOKS, set, until};
use super::{Desk, EDITOR, edit};
use crate::window::Window;

const RUN: &str = r#"
    const [within, done] = arguments;
    // Half-faded text has half its contrast. What turns without end cannot be finished.
    for (const animation of document.getAnimations()) {
        if (animation.effect.getComputedTiming().endTime !== Infinity) {
            animation.finish();
        }
    }
    axe.run(within, { resultTypes: ["violations"] }).then((found) => {
        const bad = found.violations.filter((each) => ["serious", "critical"].includes(each.impact));
        done(bad.flatMap((each) => each.nodes.map((node) => `${each.id}: ${node.html.slice(0, 200)}`)));
    }, (error) => done([String(error)]));
"#;

/// Ten narrow letters and ten wide ones, set as code is.
const WIDTHS: &str = r#"
    return ["iiiiiiiiii", "mmmmmmmmmm"].map((letters) => {
        const line = document.body.appendChild(document.createElement("code"));
        line.textContent = letters;
        const { width } = line.getBoundingClientRect();
        line.remove();
        return width;
    });
"#;

/// Fails with the errors in the current view `within` a part of the page.
pub async fn check(window: &Window, within: &str, what: &str) -> WebDriverResult<()> {
    let there: bool = window.driver.execute("return 'axe' in window;", Vec::new()).await?.convert()?;
    if !there {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui/node_modules/axe-core/axe.min.js");
        let source = fs::read_to_string(path).unwrap();
        window.driver.execute(source, Vec::new()).await?;
    }
    let found: Vec<String> = window.driver.execute_async(RUN, vec![json!(within)]).await?.convert()?;
    assert_eq!(found, Vec::<String>::new(), "{what}");
    Ok(())
}

/// The same in all themes and languages, while what is shown stays open. Ends in English and light.
pub async fn check_looks(window: &Window, within: &str, what: &str) -> WebDriverResult<()> {
    for (language, theme) in LOOKS {
        until(window, "language", "lang", language).await?;
        until(window, "theme", "data-theme", theme).await?;
        window.picture(&format!("{}-{theme}-{language}", what.replace(' ', "-"))).await?;
        check(window, within, &format!("{what}, {theme}, {language}")).await?;
    }
    until(window, "language", "lang", LOOKS[0].0).await?;
    until(window, "theme", "data-theme", LOOKS[0].1).await
}

/// Opens a dialog by its button, looks, and leaves.
async fn dialog(window: &Window, button: &str, shown: &str, what: &str) -> WebDriverResult<()> {
    window.click(&format!("[data-testid={button}]")).await?;
    window.see(&format!("[data-testid={shown}]")).await?;
    check(window, ".dialog", &format!("{shown}, {what}")).await?;
    window.type_key(Key::Escape).await?;
    window.see_no(&format!("[data-testid={shown}]")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn every_dialog_is_accessible_in_all_themes_and_languages() -> WebDriverResult<()> {
    let desk = Desk::new();
    let window = desk.open().await?;
    check(&window, "body", "the first start").await?;
    edit(&window).await?;
    for (language, theme) in LOOKS {
        set(&window, "language", "lang", language).await?;
        set(&window, "theme", "data-theme", theme).await?;
        let what = format!("{theme}, {language}");
        window.click("[data-testid=rail-skills]").await?;
        dialog(&window, "palette-open", "palette-input", &what).await?;
        dialog(&window, "help-open", "help", &what).await?;
        dialog(&window, "new-skill", "new-skill-dialog", &what).await?;
        dialog(&window, "skills-rules", "rule-row", &what).await?;
        dialog(&window, "skills-find", "find-text", &what).await?;
        dialog(&window, "skills-collisions", "collisions-request", &what).await?;
        dialog(&window, "history-open", "history-version", &what).await?;
        window.click("[data-testid=rail-run]").await?;
        dialog(&window, "models-open", "models", &what).await?;
    }
    window.click("[data-testid=rail-skills]").await?;
    window.click("[data-testid=form-toggle]").await?;
    check(&window, "body", "the form").await?;
    window.click("[data-testid=source-toggle]").await?;
    window.click_text(EDITOR, "Use this skill when").await?;
    window.chord(Key::Control, 'f').await?;
    window.see(".cm-search").await?;
    check_looks(&window, "body", "find").await?;
    window.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn code_is_monospaced_in_every_language() -> WebDriverResult<()> {
    let desk = Desk::new();
    let window = desk.open().await?;
    // The face is there once something is set in it.
    edit(&window).await?;
    for language in LANGUAGES {
        set(&window, "language", "lang", language).await?;
        let face = "const done = arguments[0]; document.fonts.load('13px \"JetBrains Mono Variable\"').then((found) => done(found.length));";
        let found: usize = window.driver.execute_async(face, Vec::new()).await?.convert()?;
        assert!(found > 0, "the window brings the face of its code");
        let [narrow, wide]: [f64; 2] = window.driver.execute(WIDTHS, Vec::new()).await?.convert()?;
        assert!(narrow > 0.0 && (narrow - wide).abs() < 0.1, "{language}: {narrow} and {wide}");
    }
    window.close().await
}
