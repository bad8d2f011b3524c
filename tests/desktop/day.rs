//! An author's day around one skill: what the menu of a skill does, which skills take part, what unsaved text counts for, what
//! the palette finds, and what git knows.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::json;
use thirtyfour::prelude::*;

use super::pictures::{LOOKS, set};
use super::{Desk, EDITOR, access, edit, misname};
use crate::window::Window;

/// The first entry of the palette that is chosen for these words.
pub async fn palette(window: &Window, words: &str, chosen: &str) -> WebDriverResult<()> {
    window.chord(Key::Control, 'k').await?;
    window.see("[data-testid=palette-input]:focus").await?;
    window.type_text(words).await?;
    let first = "[data-testid=palette-entry][aria-selected=true] .ellipsis:first-child";
    window.see_texts(first, &[chosen]).await?;
    window.type_key(Key::Enter).await?;
    window.see_no("[data-testid=palette-input]").await
}

/// Chooses something in the menu of a skill.
pub async fn menu(window: &Window, skill: &str, item: &str) -> WebDriverResult<()> {
    window.click("[data-testid=rail-skills]").await?;
    let open = "document.querySelector(`[data-testid=skill-row][data-name='${arguments[0]}'] [data-testid=row-menu]`).click();";
    window.driver.execute(open, vec![json!(skill)]).await?;
    window.see("[data-testid=tree-menu]").await?;
    window.click(&format!("[data-testid=menu-{item}]")).await?;
    window.see_no("[data-testid=tree-menu]").await
}

/// Chooses where a file is saved, as the user would in the system's own window, which pages cannot reach.
const SAVE: &str = r#"
    const [path] = arguments;
    const ask = window.fetch;
    window.fetch = (url, ...rest) =>
        decodeURIComponent(String(url)).includes("plugin:dialog|save")
            ? Promise.resolve(new Response(JSON.stringify(path), { headers: { "Content-Type": "application/json", "Tauri-Response": "ok" } }))
            : ask(url, ...rest);
"#;

#[tokio::test(flavor = "multi_thread")]
async fn the_menu_of_a_skill_runs_inspects_copies_saves_and_shows_it() -> WebDriverResult<()> {
    let desk = Desk::new();
    let shown = desk.folder.path().join("shown");
    let programs = desk.folder.path().join("programs");
    fs::create_dir(&programs).unwrap();
    // A fake file manager and editor, which write down their arguments.
    for name in ["xdg-open", "ours"] {
        let program = programs.join(name);
        fs::write(&program, format!("#!/bin/sh\necho {name} \"$1\" >> {}\n", shown.display())).unwrap();
        Command::new("chmod").arg("+x").arg(&program).status().unwrap();
    }
    fs::create_dir_all(desk.home().join("config")).unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let variables = [("PATH", &*path), ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")];
    let window = Window::open_with(&desk.home(), &desk.skills(), &variables).await?;
    let skills = "return document.querySelectorAll('[data-testid=skill-row]').length;";
    window.see("[data-testid=skill-row][data-name=unit-converter]").await?;
    let all: usize = window.driver.execute(skills, Vec::new()).await?.convert()?;
    assert!(all > 2, "{all}");

    // Only this skill is inspected and run, until the user wants all again.
    menu(&window, "unit-converter", "inspect").await?;
    window.see_text("[data-testid=inspect-instructions]", "<name>unit-converter</name>").await?;
    window.see_text("[data-testid=some-skills]", "unit-converter").await?;
    let inspected = "return document.querySelectorAll('[data-testid=inspect-skill]').length === 1;";
    window.see_so("one skill is inspected", inspected).await?;
    for (language, theme) in LOOKS {
        set(&window, "language", "lang", language).await?;
        set(&window, "theme", "data-theme", theme).await?;
        window.picture(&format!("inspect-this-{theme}-{language}")).await?;
        access::check(&window, "[data-testid=place-inspect]", &format!("one skill, {theme}, {language}")).await?;
    }
    set(&window, "language", "lang", "en").await?;
    menu(&window, "unit-converter", "use-all").await?;
    menu(&window, "unit-converter", "run").await?;
    window.see_text("[data-testid=run-skills]", &format!("1 of {all}")).await?;

    // Which skills take part: none, one that is searched for, all.
    window.click("[data-testid=skills-none]").await?;
    window.see_text("[data-testid=run-skills]", &format!("0 of {all}")).await?;
    window.click("[data-testid=skills-all]").await?;
    window.see_text("[data-testid=run-skills]", &format!("{all} of {all}")).await?;
    menu(&window, "unit-converter", "only").await?;
    window.click("[data-testid=rail-run]").await?;
    window.see_text("[data-testid=run-skills]", &format!("1 of {all}")).await?;
    window.click("[data-testid=skills-all]").await?;

    // A copy under another name, and the skill as one file.
    menu(&window, "unit-converter", "duplicate").await?;
    window.see("[data-testid=name-input]:focus").await?;
    window.picture("duplicate").await?;
    access::check_looks(&window, ".dialog", "a copy of a skill").await?;
    window.chord(Key::Control, 'a').await?;
    window.type_text("weights").await?;
    window.click("[data-testid=name-submit]:enabled").await?;
    window.see("[data-testid=skill-row][data-name=weights]").await?;
    let copy = fs::read_to_string(desk.skills().join("weights/SKILL.md")).unwrap();
    assert_eq!(copy, fs::read_to_string(desk.manifest()).unwrap().replacen("name: unit-converter", "name: weights", 1));
    let scripts = ["unit-converter", "weights"]
        .map(|name| fs::read(desk.skills().join(name).join("scripts/convert.py")).unwrap());
    assert_eq!(scripts[0], scripts[1]);
    for ending in ["skill", "zip"] {
        let file = desk.folder.path().join(format!("weights.{ending}"));
        window.driver.execute(SAVE, vec![json!(file)]).await?;
        menu(&window, "weights", "package").await?;
        window.wait_for(|| file.exists()).await;
        let packed = skill::package::look(fs::File::open(&file).unwrap(), "weights").unwrap();
        assert_eq!(packed.skills.iter().map(|skill| &*skill.folder).collect::<Vec<_>>(), ["weights"]);
    }

    // In the file manager, and in the editor of the settings.
    menu(&window, "weights", "reveal").await?;
    let told = |wanted: &str| fs::read_to_string(&shown).is_ok_and(|told| told.lines().any(|line| line == wanted));
    let folder = format!("xdg-open {}", desk.skills().join("weights").display());
    window.wait_for(|| told(&folder)).await;
    menu(&window, "weights", "edit").await?;
    window.see("[data-testid=outside-command]").await?;
    window.picture("outside-editor").await?;
    access::check_looks(&window, ".dialog", "an outside editor").await?;
    window.click("[data-testid=outside-command]").await?;
    window.chord(Key::Control, 'a').await?;
    window.type_text("ours").await?;
    window.type_key(Key::Enter).await?;
    let edited = format!("ours {}", desk.skills().join("weights").display());
    window.wait_for(|| told(&edited)).await;
    window.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn unsaved_text_counts_everywhere_or_is_said_not_to() -> WebDriverResult<()> {
    let desk = Desk::new();
    let window = desk.open().await?;
    edit(&window).await?;
    // A name that no framework takes.
    misname(&window, "!!").await?;
    window.see_text("[data-testid=frameworks] [data-testid=drafts-note]", "With unsaved text (1 file)").await?;
    window.see("[data-testid=framework][data-sign=skipped]").await?;
    let places = [
        ("inspect", "[data-testid=place-inspect] [data-testid=drafts-note]", "With unsaved text (1 file)"),
        ("compare", "[data-testid=place-compare] [data-testid=drafts-note]", "With unsaved text (1 file)"),
        ("run", "[data-testid=saved-only]", "A run uses saved files. 1 file has unsaved changes."),
    ];
    window.click("[data-testid=rail-inspect]").await?;
    window.see("[data-testid=inspect-skipped]").await?;
    window.see_text("[data-testid=inspect-skipped]", "unit-converter").await?;
    for (place, css, said) in places {
        window.click(&format!("[data-testid=rail-{place}]")).await?;
        window.see_text(css, said).await?;
    }
    for (language, theme) in LOOKS {
        set(&window, "language", "lang", language).await?;
        set(&window, "theme", "data-theme", theme).await?;
        for (place, css, _) in places {
            window.click(&format!("[data-testid=rail-{place}]")).await?;
            window.see(css).await?;
            window.picture(&format!("unsaved-{place}-{theme}-{language}")).await?;
            access::check(&window, css, &format!("unsaved text in {place}, {theme}, {language}")).await?;
        }
    }
    set(&window, "language", "lang", "en").await?;

    // After undoing, nothing is left of it anywhere.
    window.click("[data-testid=rail-skills]").await?;
    window.click_text(EDITOR, "Use this skill").await?;
    while window.shows("[data-testid=save-state][data-state=unsaved]").await? {
        window.chord(Key::Control, 'z').await?;
    }
    for (place, css, _) in places {
        window.click(&format!("[data-testid=rail-{place}]")).await?;
        window.see_no(css).await?;
    }
    window.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_palette_finds_runs_scenes_rules_and_settings() -> WebDriverResult<()> {
    let desk = Desk::new();
    let window = desk.open().await?;
    edit(&window).await?;
    palette(&window, "windows-path", "Path with backslashes").await?;
    window.see("[data-testid=rule-card][data-rule=windows-path]").await?;
    window.type_key(Key::Escape).await?;
    window.see_no("[data-testid=rule-card]").await?;

    // Tokens are named with what counts them, and another may count.
    let counted = async |window: &Window, name: &str| {
        window.click("[data-testid=rail-inspect]").await?;
        window.see_text("[data-testid=inspect-tokens]", name).await?;
        window.see_text("[data-testid=tokenizer]", name).await.map(drop)
    };
    counted(&window, "o200k_base").await?;
    palette(&window, "cl100k", "Count tokens with cl100k_base").await?;
    counted(&window, "cl100k_base").await?;
    window.click("[data-testid=tokenizer]").await?;
    window.see("[data-testid=tokenizer-o200k_base]").await?;
    access::check_looks(&window, "body", "the tokenizers").await?;
    window.see("[data-testid=tokenizer-o200k_base]").await?;
    window.click("[data-testid=tokenizer-o200k_base]").await?;
    counted(&window, "o200k_base").await?;

    let prompt = "How many pounds is 1 kilogram?";
    window.chord(Key::Control, 'k').await?;
    window.see("[data-testid=palette-input]:focus").await?;
    window.type_text("kilogram").await?;
    window.see_text("[data-testid=palette-entry]", prompt).await?;
    let groups = "return [...document.querySelectorAll('[data-testid=palette] .heading')].map((each) => each.textContent).sort();";
    let found: Vec<String> = window.driver.execute(groups, Vec::new()).await?.convert()?;
    assert_eq!(found, ["Recorded runs", "Scenes"], "what was asked, and what can be");
    window.picture("palette-groups").await?;
    window.click_text("[data-testid=palette-entry]", "Recorded runs").await?;
    window.see("[data-testid=step-detail]").await?;
    window.close().await
}

/// git as its user has it, with nothing of this machine's settings.
fn git(folder: &Path, words: &[&str]) {
    let done = Command::new("git")
        .args(["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "commit.gpgsign=false"])
        .args(words)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    assert!(done.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&done.stderr));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_is_compared_with_head_and_any_revision_before_it_is_saved() -> WebDriverResult<()> {
    let desk = Desk::new();
    let before = fs::read_to_string(desk.manifest()).unwrap();
    git(&desk.skills(), &["init", "--quiet"]);
    for (said, text) in [("First", before.clone()), ("Second", format!("{before}Second.\n"))] {
        fs::write(desk.manifest(), text).unwrap();
        git(&desk.skills(), &["add", "."]);
        git(&desk.skills(), &["commit", "--quiet", "-m", said]);
    }
    let window = desk.open().await?;
    edit(&window).await?;
    window.chord(Key::Control, Key::End).await?;
    window.type_text("Third.").await?;
    window.chord_of(&[Key::Control, Key::Shift], 'h').await?;

    // What a save would change, before there is one.
    window.see("[data-testid=history-version][data-type=disk][aria-selected=true]").await?;
    window.see_texts("[data-testid=history-diff] .added .text", &["Third."]).await?;
    window.see_text("[data-testid=history-version][data-type=revision]", "Second").await?;
    for (language, theme) in LOOKS {
        let there: String =
            window.driver.execute("return document.documentElement.lang;", Vec::new()).await?.convert()?;
        if there != language || theme != "light" {
            // The dialog covers the buttons.
            window.type_key(Key::Escape).await?;
            window.see_no("[data-testid=history]").await?;
            set(&window, "language", "lang", language).await?;
            set(&window, "theme", "data-theme", theme).await?;
            window.click(EDITOR).await?;
            window.chord_of(&[Key::Control, Key::Shift], 'h').await?;
        }
        window.see("[data-testid=history-version][data-type=revision]").await?;
        window.picture(&format!("history-git-{theme}-{language}")).await?;
        access::check(&window, ".dialog", &format!("revisions of git, {theme}, {language}")).await?;
    }
    window.click_text("[data-testid=history-version][data-type=revision]", "First").await?;
    window.see_texts("[data-testid=history-diff] .added .text", &["Second.", "Third."]).await?;
    window.click_text("[data-testid=history-version][data-type=revision]", "Second").await?;
    window.see_texts("[data-testid=history-diff] .added .text", &["Third."]).await?;
    window.click_text("[data-testid=history-version][data-type=revision]", "First").await?;
    window.see_texts("[data-testid=history-diff] .added .text", &["Second.", "Third."]).await?;
    window.click("[data-testid=history-restore]:enabled").await?;
    window.see_no("[data-testid=history]").await?;
    window.chord(Key::Control, 's').await?;
    window.wait_for(|| fs::read_to_string(desk.manifest()).unwrap() == before).await;
    window.close().await
}
