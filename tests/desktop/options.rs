//! What an application can set for a framework: changed next to the request to the model, and written when the user
//! says so.

use std::fs;

use thirtyfour::prelude::*;

use super::{Desk, access};
use crate::window::Window;

const INSTRUCTIONS: &str = "[data-testid=inspect-instructions]";

/// The text for the model about one skill alone.
const ALONE: &str = "\
You have access to skills containing domain-specific knowledge and capabilities.
Each skill provides specialized instructions, reference documents, and assets for specific tasks.

<available_skills>
  <skill>
    <name>unit-converter</name>
    <description>Convert between common units using a multiplication factor. Use when asked to convert miles, kilometers, pounds, or kilograms.</description>
  </skill>
</available_skills>

When a task aligns with a skill's domain, follow these steps in exact order:
- Use `load_skill` to retrieve the skill's instructions.
- Follow the provided guidance.
- Use `read_skill_resource` to read any referenced resources, using the name exactly as listed
   (e.g. `\"style-guide\"` not `\"style-guide.md\"`, `\"references/FAQ.md\"` not `\"FAQ.md\"`).
- Use `run_skill_script` to run referenced scripts, using the name exactly as listed.
Only load what is needed, when it is needed.";

/// Types the option's value again.
async fn set(window: &Window, value: &str) -> WebDriverResult<()> {
    window.click("[data-testid=option][data-option=filter] [data-testid=option-value]").await?;
    window.chord(Key::Control, 'a').await?;
    window.type_text(value).await?;
    window.chord(Key::Control, Key::Enter).await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_option_counts_at_once_and_is_written_when_asked() -> WebDriverResult<()> {
    let desk = Desk::new();
    let project = desk.skills().join("workbench.yaml");
    let before = "# ours\nharness: agent-framework\n";
    fs::write(&project, before).unwrap();
    let window = desk.open().await?;
    window.click("[data-testid=rail-inspect]").await?;
    window.see_text(INSTRUCTIONS, "<name>hello-world</name>").await?;
    window.click("[data-testid=inspect-options]").await?;
    window.click("[data-testid=options-search]").await?;
    window.type_text("UseFilter").await?;
    window.see_texts("[data-testid=option] code", &["filter", "UseFilter", "null"]).await?;
    window.picture("options").await?;
    access::check_looks(&window, "body", "options").await?;

    set(&window, "[unit-converter]").await?;
    window.see_texts(INSTRUCTIONS, &[ALONE]).await?;
    window.see("[data-testid=options-write]:enabled").await?;
    window.picture("options-set").await?;
    access::check_looks(&window, "body", "an option that is not written").await?;
    assert_eq!(fs::read_to_string(&project).unwrap(), before, "nothing is written unasked");

    // An invalid value shows why, and the earlier one stays in force.
    set(&window, "{name: [}").await?;
    window.see("[data-testid=option][data-option=filter] [role=alert]").await?;
    window.picture("options-wrong").await?;
    access::check_looks(&window, "body", "an option that is wrong").await?;
    window.see_texts(INSTRUCTIONS, &[ALONE]).await?;

    window.click("[data-testid=options-undo]").await?;
    window.see_text(INSTRUCTIONS, "<name>hello-world</name>").await?;
    set(&window, "[unit-converter]").await?;
    window.see_texts(INSTRUCTIONS, &[ALONE]).await?;
    window.click("[data-testid=options-write]").await?;
    let written = format!("{before}harnesses:\n  agent-framework:\n    filter:\n    - unit-converter\n");
    window.wait_for(|| fs::read_to_string(&project).unwrap() != before).await;
    assert_eq!(fs::read_to_string(&project).unwrap(), written);
    window.see("[data-testid=options-write]:disabled").await?;
    window.close().await
}
