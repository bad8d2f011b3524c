use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::{found, is_model_page, is_site_page, meant, missing_folder, say_missing, written_from};
use crate::analysis::page::weigh;
use crate::references::{Aim, Form, PageReferences, Reference};
use crate::{Applicability, Check, Edit, Example, Group, Report, Rule, Subject};
use skill::Severity;
use wording::{Wording, message};

pub static RULE: Rule = Rule {
    id: "broken-link",
    group: Group::Links,
    severity: Severity::Warning,
    on: true,
    title: Wording::new("Link to a file that is not there", "链接的文件不存在"),
    what: Wording::new(
        "A Markdown link to a file of the skill that does not exist, relative to the page or to the skill's \
         folder. URLs, placeholders such as `<file>.md`, code samples, and pages below `assets`, `templates`, \
         `examples` and the like are left alone, as are pages that were copied from a web site and, next to it, \
         what a page shows that is called an example or a template. In a page it is a hint.",
        "Markdown 链接指向的技能文件不存在，无论相对于当前页面还是技能文件夹。URL、`<file>.md` 之类的占位符、\
         代码示例，以及 `assets`、`templates`、`examples` 等文件夹下的页面不检查；从网站复制来的页面，以及示例、模板页面中\
         指向同一文件夹的链接也不检查。在参考页面中只作提示。",
    ),
    why: Wording::new(
        "The agent tries to read the file, fails, and goes on without what you wrote there.",
        "智能体读取该文件会失败，然后在缺少这部分内容的情况下继续。",
    ),
    bad: Example::skill(&[(
        "SKILL.md",
        r"---
name: demo
description: Use when asked for a demo.
---
Read [the guide](references/guide.md) first.
",
    )]),
    good: Example::skill(&[
        (
            "SKILL.md",
            r"---
name: demo
description: Use when asked for a demo.
---
Read [the guide](references/guide.md) first.
",
        ),
        ("references/guide.md", "# Guide\n"),
    ]),
    hides: &[],
    marks: &[],
    source: "agentskills.io specification, file references; agnix REF-002; skillsaw",
    fix: Some(Applicability::Unsafe),
    check: Check::Skill(check),
};

fn check(skill: &Subject<'_>, report: &mut Report<'_>) {
    let broken = |reference: &Reference| reference.form == Form::Link && reference.aim == Aim::Missing;
    let mut folders: BTreeMap<(usize, &str), Vec<(&PageReferences, &Reference)>> = BTreeMap::new();
    let mut sites: BTreeMap<usize, bool> = BTreeMap::new();
    for (page, reference) in found(skill, broken) {
        let is_copied = *sites.entry(page.file).or_insert_with(|| is_site_page(skill, page));
        if is_copied || is_model_page(skill, page) || is_call(skill, page, reference) || is_value(&reference.written) {
            continue;
        }
        let folder = reference.written.rsplit_once('/').map_or("", |(folder, _)| folder);
        folders.entry((page.file, folder)).or_default().push((page, reference));
    }
    // A folder that is not there, to which several pages link, is one fault of them all.
    let mut gone: BTreeMap<String, Vec<(&PageReferences, &Reference)>> = BTreeMap::new();
    for (page, reference) in folders.values().flatten().filter(|(_, one)| meant(skill, &one.written).is_none()) {
        if let Some(folder) = missing_folder(skill, page, &reference.written) {
            gone.entry(folder).or_default().push((page, reference));
        }
    }
    gone.retain(|_, links| links.iter().map(|(page, _)| page.file).collect::<BTreeSet<_>>().len() >= MANY);
    for (folder, links) in &gone {
        let (page, first) = links[0];
        let pages = links.iter().map(|(page, _)| page.file).collect::<BTreeSet<_>>().len();
        let message = message!(
            "there is no `{folder}` in the skill, into which {} links of {pages} pages lead; correct the paths, or delete the links",
            "技能中没有 `{folder}`，{pages} 个页面中有 {} 个链接指向它；改正路径，或删除这些链接",
            links.len()
        );
        weigh(report.at(&page.path, first.span, message), skill.path());
    }
    let said: HashSet<(usize, usize)> =
        gone.values().flatten().map(|(page, one)| (page.file, one.span.start)).collect();
    folders.values_mut().for_each(|links| links.retain(|(page, one)| !said.contains(&(page.file, one.span.start))));
    folders.retain(|_, links| !links.is_empty());
    // A page of which most links lead nowhere was written for another place: one cause, one finding.
    let mut pages: BTreeMap<usize, Vec<(&PageReferences, &Reference)>> = BTreeMap::new();
    folders.iter().for_each(|((page, _), links)| pages.entry(*page).or_default().extend(links));
    pages.retain(|_, links| links.len() >= MANY_OF_PAGE);
    for mut links in pages.into_values() {
        links.sort_by_key(|(_, reference)| reference.span.start);
        let (page, first) = links[0];
        say_gone(skill, report, page, first, &links, false);
        folders.retain(|(file, _), _| *file != page.file);
    }
    for ((_, folder), links) in folders {
        let (page, first) = links[0];
        let is_gone = !folder.trim_matches(['.', '/']).is_empty() && !has_folder(skill, page, folder);
        if is_gone && links.len() >= MANY {
            say_gone(skill, report, page, first, &links, true);
            continue;
        }
        for (page, reference) in links {
            let advice = Wording::new("correct the path, or delete the link", "改正路径，或删除链接");
            weigh(say_missing(skill, report, page, reference, advice), skill.path());
        }
    }
}

/// Links of one page into a folder that is not there are one finding.
const MANY: usize = 3;
/// As many into folders that are there are one finding, too.
const MANY_OF_PAGE: usize = 6;

/// `row[0](x)` is code and not a link: it has no words.
fn is_call(skill: &Subject<'_>, page: &PageReferences, reference: &Reference) -> bool {
    let Some(text) = skill.skill.files.get(page.file).and_then(|file| skill.read(file)) else { return false };
    let before = &text.text()[..reference.span.start];
    let label = before.strip_suffix("](").and_then(|before| before.rsplit('[').next());
    label.is_some_and(|label| !label.is_empty() && !label.chars().any(char::is_alphabetic))
        && !reference.written.contains('.')
}

/// `[Pexels](photo_url)`: the name of a value that is put there.
fn is_value(written: &str) -> bool {
    written.contains('_')
        && written.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
        && written.rsplit('_').next().is_some_and(|word| matches!(word, "url" | "link" | "href" | "path" | "uri"))
}

/// Whether a folder is there, from the page or from the skill's folder.
fn has_folder(skill: &Subject<'_>, page: &PageReferences, folder: &str) -> bool {
    let from_page = page.path.parent().is_some_and(|above| skill.disk().exists(&above.join(folder)));
    from_page || skill.disk().exists(&skill.skill.path.join(folder))
}

/// One finding, with one fix if all the files that are meant are known.
fn say_gone(
    skill: &Subject<'_>,
    report: &mut Report<'_>,
    page: &PageReferences,
    first: &Reference,
    links: &[(&PageReferences, &Reference)],
    in_one_folder: bool,
) {
    let more = links.len() - 1;
    let message = if in_one_folder {
        message!(
            "there is no `{}` in the skill, nor the files that {more} other links of this page lead to in the same folder; correct the paths, or delete the links",
            "技能中没有 `{}`，本页另外 {more} 个链接指向同一文件夹，那里的文件也不存在；改正路径，或删除这些链接",
            first.written
        )
    } else {
        message!(
            "there is no `{}` in the skill, nor the files that {more} other links of this page lead to; correct the paths, or delete the links",
            "技能中没有 `{}`，本页另外 {more} 个链接指向的文件也不存在；改正路径，或删除这些链接",
            first.written
        )
    };
    let finding = report.at(&page.path, first.span, message);
    weigh(finding, skill.path());
    let edit = |reference: &Reference| {
        let meant = meant(skill, &reference.written).filter(|_| reference.span.len() == reference.written.len())?;
        let text = written_from(skill, page, reference, meant)?;
        Some(Edit { path: page.path.clone(), span: reference.span, text })
    };
    let edits: Option<Vec<Edit>> = links.iter().map(|(_, reference)| edit(reference)).collect();
    if let Some(edits) = edits {
        finding.fixed_by(Wording::new("Write the paths of the files that are meant", "改为所指文件的路径"), edits);
    }
}
