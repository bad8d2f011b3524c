//! `list`, `inspect`, `harnesses`.

use api::dto::{CountArgs, HarnessChoice, InspectArgs as Inspect, InspectedSkill, Inspection, NoArgs, ProviderTokens};
use api::{ApiError, Code, Workbench};
use harness::{Agent, Group, GroupState};
use serde_json::{Value, json};
use wording::message;

use crate::choice::Chosen;
use crate::language::Chosen as _;
use crate::paths::{Look, places_text};
use crate::print::{BOLD, DIM, RED, YELLOW, gist, hanging, indented, line, out, styled};
use crate::quirks::quirk_text;
use crate::{Format, InspectArgs, ListArgs, Outcome, bench, compare, print};

pub async fn list(ListArgs { shown, counting }: ListArgs) -> Result<Outcome, ApiError> {
    let bench = bench(&shown.roots).await?;
    counting.apply(&bench);
    warn_of_folders(&bench).await?;
    let found = look(&bench, shown.harness.one(&bench).await?, Look::default()).await?;
    match shown.output.format {
        Format::Json => print::json(&json!({
            "harness": found.harness,
            "variant": found.variant,
            "verified": found.verified,
            "skills": found.skills.iter().map(skill_json).collect::<Vec<_>>(),
            "skipped": found.skipped,
            "refused": found.refused,
            "tokenizer": found.tokens.tokenizer,
        }))?,
        Format::Text => list_text(&found),
    }
    Ok(outcome(&found))
}

pub async fn inspect(args: InspectArgs) -> Result<Outcome, ApiError> {
    let bench = bench(&args.shown.roots).await?;
    args.counting.apply(&bench);
    let how = Look { cwd: args.cwd.as_ref().map(|cwd| cwd.to_string()), neutral_paths: args.neutral_paths };
    let chosen = args.shown.harness.chosen(&bench).await?;
    warn_of_folders(&bench).await?;
    let (found, counted) = match chosen {
        Chosen::One(choice) => {
            let of = looked_at(choice, how);
            let found = bench.inspect(of.clone()).await?;
            let counted = match args.count_with {
                Some(model) if found.refused.is_none() => {
                    Some(bench.inspect_count(CountArgs { of: Inspect { prompt: args.prompt, ..of }, model }).await?)
                }
                Some(_) | None => None,
            };
            (found, counted)
        }
        Chosen::Several(_) if args.count_with.is_some() => {
            let message = message!("--count-with takes one framework", "--count-with 一次只接受一个框架");
            return Err(ApiError::new(Code::Invalid, message)
                .hint(message!("name one with --harness", "请用 --harness 指定一个")));
        }
        Chosen::Several(of) => return compare::compare(&bench, of, how, args.shown.output.format).await,
    };
    match args.shown.output.format {
        Format::Json => print::json(&json!({
            "harness": found.harness,
            "variant": found.variant,
            "verified": found.verified,
            "agent": found.agent,
            "instructions": found.instructions.as_ref().map(|marked| &marked.text),
            "tools": found.tools.iter().map(|tool| json!({
                "name": tool.name, "description": tool.description, "parameters": tool.parameters, "asks": tool.asks,
                "compared": tool.compared,
            })).collect::<Vec<_>>(),
            "groups": found.groups,
            "skills": found.skills.iter().map(skill_json).collect::<Vec<_>>(),
            "skipped": found.skipped,
            "log": found.log,
            "quirks": found.quirks,
            "refused": found.refused,
            "tokens": found.tokens,
            "providerTokens": counted,
            "neutral": found.neutral,
        }))?,
        Format::Text => {
            inspect_text(&found);
            if let Some(counted) = &counted {
                provider_text(counted);
            }
        }
    }
    Ok(outcome(&found))
}

pub async fn harnesses(format: Format) -> Result<Outcome, ApiError> {
    let list = bench(&[]).await?.harness_list(NoArgs {}).await?;
    if format == Format::Json {
        print::json(&list)?;
        return Ok(Outcome::Good);
    }
    let mut group = None;
    for harness in &list {
        if group.replace(harness.group) != Some(harness.group) {
            out(&styled(DIM, group_name(harness.group)));
        }
        let runs = if harness.runs { String::new() } else { words!("  (presents only)", "  （只呈现）") };
        out(&format!("{}  {}{runs}", styled(BOLD, &harness.id), harness.title));
        for variant in &harness.variants {
            let verified = if variant.verified { String::new() } else { unverified() };
            out(&format!("  {:<16} {}{}", variant.id, variant.title.clone().chosen(), styled(YELLOW, &verified)));
            out(&format!("  {:<16} {}", "", styled(DIM, variant.source.clone().chosen())));
        }
    }
    Ok(Outcome::Good)
}

fn group_name(group: Group) -> String {
    match group {
        Group::Framework => words!("Frameworks", "框架"),
        Group::Client => words!("Clients", "客户端"),
    }
}

/// A framework that would not start is bad news.
fn outcome(found: &Inspection) -> Outcome {
    if found.refused.is_some() { Outcome::Bad } else { Outcome::Good }
}

/// Problems of the folders themselves are printed to standard error.
async fn warn_of_folders(bench: &Workbench) -> Result<(), ApiError> {
    for problem in bench.skill_list(NoArgs {}).await?.problems {
        print::warning(&format!("{}: {}", line(&problem.path), problem.kind.message().chosen()));
    }
    Ok(())
}

async fn look(bench: &Workbench, choice: HarnessChoice, how: Look) -> Result<Inspection, ApiError> {
    bench.inspect(looked_at(choice, how)).await
}

fn looked_at(choice: HarnessChoice, how: Look) -> Inspect {
    let HarnessChoice { harness, variant } = choice;
    let Look { cwd, neutral_paths } = how;
    let (unsaved, without) = (Vec::new(), Vec::new());
    Inspect { roots: None, harness, variant, prompt: None, cwd, neutral_paths, unsaved, without }
}

/// What the provider counted, with its name at the number.
fn provider_text(counted: &ProviderTokens) {
    let ProviderTokens { named, server, request, prompt, stand_in, instructions, tools, skills, files, asked, .. } =
        counted;
    let (server, named) = (line(server), line(named));
    out("");
    out(&format!(
        "{} {}",
        styled(BOLD, words!("First request", "首个请求")),
        styled(
            DIM,
            words!(
                "{request} tokens (counted by {server} for {named})",
                "{request} token（由 {server} 按 {named} 计数）"
            )
        )
    ));
    let number = |what: String, tokens: &dyn std::fmt::Display| out(&format!("  {tokens:>8}  {what}"));
    number(words!("instructions", "指令"), instructions);
    number(words!("tools", "工具"), tools);
    match stand_in {
        true => number(words!("the prompt “Hello”, since none is given", "提示词“Hello”（未给出提示词）"), prompt),
        false => number(words!("the prompt", "提示词"), prompt),
    }
    out(&styled(DIM, words!("What follows in a run, all skills together:", "运行中随后加入的内容，所有技能合计：")));
    number(words!("when they are activated", "激活后"), skills);
    match files {
        Some(files) => number(words!("in their files", "文件中"), files),
        None => number(words!("in their files: too long to be asked about", "文件中：过长，无法查询"), &"?"),
    }
    if *asked == 0 {
        out(&styled(DIM, words!("Nothing was sent: it was counted before.", "未发送任何内容：此前已计数。")));
    }
}

fn skill_json(skill: &InspectedSkill) -> serde_json::Value {
    let names =
        |files: &[api::dto::InspectedFile]| -> Vec<String> { files.iter().map(|file| file.name.clone()).collect() };
    json!({
        "id": skill.id,
        "name": skill.name,
        "description": skill.description,
        "path": skill.path,
        "resources": names(&skill.resources),
        "scripts": names(&skill.scripts),
        "content": skill.content,
        "kept": skill.kept,
        "tokens": skill.tokens,
    })
}

fn unverified() -> String {
    words!("  (not verified against a run)", "  （未经实际运行验证）")
}

/// Which framework this is, and how sure we are of it.
pub fn harness_text(harness: &str, variant: &str, verified: bool) -> String {
    let note = if verified { String::new() } else { styled(YELLOW, unverified()) };
    format!("{} {variant}{note}", styled(BOLD, harness))
}

fn list_text(found: &Inspection) {
    if refused_text(found) {
        return;
    }
    out(&harness_text(&found.harness, &found.variant, found.verified));
    if found.skills.is_empty() {
        out(&words!("No skills.", "没有技能。"));
    }
    for skill in &found.skills {
        let place = skill.path.as_deref().map_or_else(|| words!("inline", "内联"), str::to_owned);
        out(&format!("{}  {}", styled(BOLD, line(&skill.name)), styled(DIM, line(&place))));
        out(&indented(&gist(&skill.description, 160), "  "));
        kept_text(skill);
    }
    skipped_text(found);
}

fn inspect_text(found: &Inspection) {
    let head = |title: &str, note: String| out(&format!("{} {}", styled(BOLD, title), styled(DIM, note)));
    if refused_text(found) {
        quirks_text(found);
        return;
    }
    out(&harness_text(&found.harness, &found.variant, found.verified));
    if let Some(Agent { name, description }) = &found.agent {
        let about = description.as_ref().map(|text| format!("  {}", styled(DIM, line(text)))).unwrap_or_default();
        out(&format!("{} {}{about}", words!("agent", "智能体"), styled(BOLD, line(name))));
    }
    places_text(&found.neutral);
    out("");
    let tokenizer = found.tokens.tokenizer.name();
    head(
        &words!("Instructions", "指令"),
        words!("{} tokens ({tokenizer})", "{} token（{tokenizer}）", found.tokens.instructions),
    );
    match &found.instructions {
        Some(marked) => out(&indented(&marked.text, "  ")),
        None => {
            out(&words!("  none: without skills this framework adds nothing", "  无：没有技能时此框架不添加任何内容"))
        }
    }
    out("");
    head(&words!("Tools", "工具"), words!("{} tokens", "{} token", found.tokens.tools));
    for tool in &found.tools {
        out(&format!("  {}  {}", styled(BOLD, line(&tool.name)), hanging(&tool.description, "    ")));
        out(&styled(DIM, format!("    {}", tool.parameters)));
        if !tool.compared {
            out(&styled(DIM, words!("    not compared with the client", "    未与客户端比对")));
        }
        if tool.asks {
            out(&styled(YELLOW, words!("    the framework asks before each call", "    框架在每次调用前都会询问")));
        }
    }
    if !found.groups.is_empty() {
        out("");
        head(&words!("Tool groups", "工具组"), String::new());
        for group in &found.groups {
            out(&format!("  {}", group_text(group)));
        }
    }
    out("");
    head(
        &words!("Skills", "技能"),
        words!("tokens: in the catalogue · when activated · in its files", "token 数：目录中 · 激活后 · 文件中"),
    );
    for skill in &found.skills {
        let tiers = skill.tokens;
        out(&format!(
            "  {:<24} {:>6} · {:>6} · {:>6}",
            line(&skill.name),
            tiers.catalogue,
            tiers.instructions,
            tiers.resources
        ));
        kept_text(skill);
    }
    skipped_text(found);
    quirks_text(found);
}

/// What the framework keeps of a skill next to its name and description.
fn kept_text(skill: &InspectedSkill) {
    for (key, value) in &skill.kept {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Array(items) if items.is_empty() => continue,
            other => other.to_string(),
        };
        if !text.is_empty() {
            out(&styled(DIM, format!("    {}: {}", line(key), gist(&text, 160))));
        }
    }
}

/// A group of tools: whether the model sees them, and which they are.
pub fn group_text(group: &GroupState) -> String {
    let state = if group.is_active { words!("active", "已启用") } else { words!("inactive", "未启用") };
    let tools: Vec<String> = group.tools.iter().map(|tool| line(tool)).collect();
    words!("{} ({state}): {}", "{}（{state}）：{}", line(&group.name), tools.join(", "))
}

fn quirks_text(found: &Inspection) {
    if found.quirks.is_empty() {
        return;
    }
    out("");
    out(&styled(YELLOW, words!("Where {} hurts:", "{} 的特异行为：", found.harness)));
    for quirk in &found.quirks {
        out(&format!("  {}", quirk_text(quirk)));
    }
}

fn refused_text(found: &Inspection) -> bool {
    let Some(refused) = &found.refused else { return false };
    let by = words!("refused by {}:", "{} 拒绝：", found.harness);
    out(&format!("{} {}", styled(RED, by), hanging(refused, "  ")));
    true
}

fn skipped_text(found: &Inspection) {
    if found.skipped.is_empty() {
        return;
    }
    out("");
    out(&styled(YELLOW, words!("Left out by {}:", "{} 略过的：", found.harness)));
    for skipped in &found.skipped {
        out(&format!("  {}\n    {}", line(&skipped.path), hanging(&skipped.reason.clone().chosen(), "    ")));
    }
}
