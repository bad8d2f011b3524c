//! The card of a skill, and documents made from it.

use std::fs;

use camino::Utf8PathBuf;

use super::*;
use crate::dto::CardRow;
use crate::{Freshness, Places};

async fn bench(files: &[(&str, &str)]) -> (tempfile::TempDir, Workbench, Utf8PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let base = Utf8PathBuf::try_from(folder.path().canonicalize().expect("it is there")).expect("UTF-8");
    let root = base.join("skills");
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("it is below the root")).expect("writable");
        fs::write(path, text).expect("writable");
    }
    let places = Places::below(base.join("state"), None);
    let bench = Workbench::open(places, vec![root.clone()], Freshness::ReadOnce, |_| {}).await;
    (folder, bench, root)
}

fn row<'a>(card: &'a SkillCard, harness: &str) -> &'a CardRow {
    card.rows.iter().find(|row| row.harness == harness).expect("every harness has a row")
}

#[tokio::test(flavor = "multi_thread")]
async fn each_row_says_what_that_one_makes_of_the_skill() {
    let text = "---\nname: demo\ndescription: Use when: asked | <b>\n---\nDo it.\n";
    let (_folder, bench, root) = bench(&[("demo/SKILL.md", text), ("demo/scripts/x.py", "print(1)\n")]).await;
    let skill = root.join("demo").into_string();
    let card = bench.skill_card(CardArgs { skill: skill.clone() }).await.expect("it is there");
    let known: Vec<&str> = harness::all().iter().map(|harness| harness.profile().id).collect();
    assert_eq!(card.rows.iter().map(|row| row.harness.as_str()).collect::<Vec<_>>(), known);
    let codex = row(&card, "codex");
    assert_eq!(
        (codex.seen, codex.line.as_deref()),
        (CardSeen::Listed, Some("- demo: Use when: asked | <b> (file: r0/demo/SKILL.md)"))
    );
    let loaded = |harness: &str| {
        let loads = row(&card, harness).loads.as_ref()?;
        Some((loads.tool.clone(), loads.files))
    };
    let with = |tool: &str| Some(tool.to_owned());
    assert_eq!(loaded("codex"), Some((with("exec_command"), 1)));
    assert_eq!(loaded("claude-code").map(|(tool, _)| tool), Some(with("Skill")));
    assert_eq!(loaded("gemini-cli").map(|(tool, _)| tool), Some(with("activate_skill")));
    assert_eq!(loaded("opencode").map(|(tool, _)| tool), Some(with("skill")));
    let deepagents = row(&card, "deepagents");
    assert_eq!((deepagents.seen, &deepagents.line, &deepagents.loads), (CardSeen::LeftOut, &None, &None));
    assert!(!deepagents.why.is_empty());
    let markdown = CardTextArgs { skill: skill.clone(), format: CardFormat::Markdown };
    let markdown = bench.skill_card_text(markdown).await.expect("it is there");
    assert!(markdown.contains("`- demo: Use when: asked \\| <b> (file: r0/demo/SKILL.md)`"), "{markdown}");
    assert!(markdown.contains("Loads: with activate\\_skill, "), "{markdown}");
    let svg = bench.skill_card_text(CardTextArgs { skill, format: CardFormat::SvgChinese }).await.expect("it is there");
    assert!(svg.contains("- demo: Use when: asked | &lt;b&gt; (file: r0/demo/SKILL.md)"), "{svg}");
    assert!(svg.contains("客户端") && !svg.contains("<b>") && !svg.contains("http://example"));
    let missing =
        bench.skill_card(CardArgs { skill: root.join("none").into_string() }).await.expect_err("no such skill");
    assert_eq!(missing.code, Code::Unknown);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_skill_for_users_only_loads_with_what_they_type() {
    let text = "---\nname: demo\ndescription: Deploys.\ndisable-model-invocation: true\n---\nDo it.\n";
    let (_folder, bench, root) = bench(&[("demo/SKILL.md", text)]).await;
    let card = bench.skill_card(CardArgs { skill: root.join("demo").into_string() }).await.expect("it is there");
    let claude = row(&card, "claude-code");
    assert_eq!(claude.seen, CardSeen::NotListed);
    assert_eq!(claude.loads.as_ref().and_then(|loads| loads.tool.as_deref()), Some("/demo"));
    assert_eq!(row(&card, "codex").seen, CardSeen::Listed);
}
