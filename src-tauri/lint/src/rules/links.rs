//! Links and resources.

pub mod absolute_link;
pub mod auxiliary_document;
pub mod broken_image;
pub mod broken_link;
pub mod broken_path;
pub mod build_junk;
pub mod chain_too_deep;
pub mod dead_anchor;
pub mod dead_section;
pub mod dead_step;
pub mod duplicate_file;
pub mod empty_folder;
pub mod file_too_big;
pub mod http_url;
pub mod import_not_found;
pub mod link_escapes_skill;
pub mod name_unportable;
pub mod nested_skill;
pub mod nesting_too_deep;
pub mod orphan_file;
pub mod own_path_hard_coded;
pub mod path_case_mismatch;
pub mod path_escapes_skill;
pub mod reference_cycle;
pub mod sibling_skill_linked;
pub mod skill_too_big;
#[cfg(test)]
mod tests;
pub mod too_many_files;
pub mod undefined_reference;
pub mod unlinked_reference;
pub mod user_path;
pub mod windows_path;

use crate::analysis::copied::is_copied;
use crate::references::{Aim, Form, PageReferences, Reference, joined, relative};
use crate::texts::is_model;
use crate::{Finding, Report, Subject};
use wording::Wording;
use wording::message;

/// Findings of one rule in one page, or skill; further ones say nothing new.
const MOST: usize = 100;

/// References of all pages that fit.
fn found<'a>(
    skill: &'a Subject<'_>,
    fits: impl Fn(&Reference) -> bool + Copy,
) -> impl Iterator<Item = (&'a PageReferences, &'a Reference)> {
    skill.references().pages.iter().flat_map(move |page| {
        let fitting = page.references.iter().filter(move |reference| fits(reference));
        fitting.take(MOST).map(move |reference| (page, reference))
    })
}

/// A link from the root of a web site, as its pages have them. `/plugin:skill`, which is a command, is not a path on a
/// disk either. Paths on a disk begin with folders that systems have, or exist in the skill or above it.
fn is_of_site(skill: &Subject<'_>, reference: &Reference) -> bool {
    let Some(path) = reference.written.strip_prefix('/').filter(|_| reference.aim == Aim::Absolute) else {
        return false;
    };
    let first = path.split('/').next().unwrap_or_default();
    if SYSTEM_FOLDERS.contains(&first) && path.len() > first.len() {
        return false;
    }
    let above = skill.skill.path.ancestors().take(ABOVE).filter(|folder| folder.parent().is_some());
    path.is_empty() || !above.into_iter().any(|folder| skill.disk().exists(&folder.join(path)))
}

/// How far above a skill its repository may begin.
const ABOVE: usize = 6;

const SYSTEM_FOLDERS: [&str; 15] = [
    "Applications",
    "Users",
    "Volumes",
    "etc",
    "home",
    "media",
    "mnt",
    "opt",
    "private",
    "proc",
    "root",
    "srv",
    "tmp",
    "usr",
    "var",
];

/// A page that was copied from a web site: it has marks of a site's generator, links from the site's root, or links to pages
/// of HTML, of which the skill has none. What its generator makes of headings and paths cannot be seen here.
fn is_site_page(skill: &Subject<'_>, page: &PageReferences) -> bool {
    let file = &skill.skill.files[page.file];
    if skill.is_manifest(file) {
        return false;
    }
    let marked = || skill.read(file).is_some_and(|text| is_copied(text.text()));
    let from_root = page.references.iter().filter(|reference| is_of_site(skill, reference));
    from_root.take(SITE_LINKS).count() == SITE_LINKS || marked() || links_to_html(skill, page)
}

fn links_to_html(skill: &Subject<'_>, page: &PageReferences) -> bool {
    let is_html = |name: &str| [".html", ".htm"].iter().any(|end| name.ends_with(end));
    let links = page.references.iter().filter(|link| link.form == Form::Link && link.aim != Aim::Absolute);
    let to_html = links.filter(|link| is_html(&link.written)).take(SITE_LINKS);
    to_html.count() == SITE_LINKS && !skill.skill.files.iter().any(|file| is_html(&file.name))
}

const SITE_LINKS: usize = 2;

/// A page that shows what another is to look like. Its links and paths are the other page's.
fn is_model_page(skill: &Subject<'_>, page: &PageReferences) -> bool {
    let file = &skill.skill.files[page.file];
    !skill.is_manifest(file) && is_model(&file.name)
}

/// `prompts/phaseN.md`
fn is_numbered(written: &str) -> bool {
    let name = written.rsplit('/').next().unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default();
    let is_number = |part: &str| part.len() > 1 && part.bytes().all(|byte| matches!(byte, b'X' | b'N'));
    stem.strip_suffix('N')
        .is_some_and(|rest| rest.ends_with(|letter: char| letter.is_lowercase() || "-_".contains(letter)))
        || stem.contains(['-', '_']) && stem.split(['-', '_']).any(is_number)
}

/// A path with a sample file name: `references/guide.md`, `scripts/helper.py`.
fn is_sample_name(written: &str) -> bool {
    let name = written.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default().trim_end_matches(|letter: char| letter.is_ascii_digit());
    [
        "example",
        "file",
        "foo",
        "bar",
        "helper",
        "myfile",
        "my_file",
        "my-file",
        "myscript",
        "my_script",
        "my-script",
        "my-skill",
        "script-name",
        "script_name",
        "file-name",
        "file_name",
        "name",
        "filename",
        "guide",
        "doc",
        "script",
        "xxx",
        "path",
    ]
    .contains(&stem)
}

/// The first folder of a path, as the skill has it, that is not there.
fn missing_folder(skill: &Subject<'_>, page: &PageReferences, written: &str) -> Option<String> {
    let own = page.path.strip_prefix(&skill.skill.path).ok()?.parent()?;
    let path = joined(own.as_str(), written)?;
    let mut folders = path.match_indices('/').map(|(end, _)| &path[..end]);
    folders.find(|folder| !skill.disk().exists(&skill.skill.path.join(folder))).map(str::to_owned)
}

/// A file that is not there, and the one that may be meant.
fn say_missing<'r>(
    skill: &Subject<'_>,
    report: &'r mut Report<'_>,
    page: &PageReferences,
    reference: &Reference,
    advice: Wording,
) -> &'r mut Finding {
    let written = &reference.written;
    let meant = meant(skill, written);
    let message = match meant {
        Some(meant) => message!(
            "there is no `{written}` in the skill; `{meant}` may be meant",
            "技能中没有 `{written}`；可能是指 `{meant}`"
        ),
        None => {
            let Wording { en, zh } = advice;
            message!("there is no `{written}` in the skill; {en}", "技能中没有 `{written}`；{zh}")
        }
    };
    let finding = report.at(&page.path, reference.span, message);
    let whole = |_: &&str| reference.span.len() == written.len();
    if let Some(meant) = meant.filter(whole).and_then(|meant| written_from(skill, page, reference, meant)) {
        finding.replace(message!("Write {meant}", "改为 {meant}"), reference.span, meant);
    }
    finding
}

/// The only file of the skill that is called like the one of a path.
fn meant<'a>(skill: &Subject<'a>, written: &str) -> Option<&'a str> {
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_lowercase();
    let wanted = name(written);
    let mut alike = skill.skill.files.iter().filter(|file| name(&file.name) == wanted);
    // Every folder may have one of these.
    let is_common = ["skill.md", "readme.md", "index.md", "index.html", "__init__.py", "main.py"].contains(&&*wanted);
    alike.next().filter(|_| !is_common && alike.next().is_none()).map(|file| &*file.name)
}

/// How a page names a file of the skill: links lead from the page, paths in prose and code from the skill's folder.
fn written_from(skill: &Subject<'_>, page: &PageReferences, reference: &Reference, name: &str) -> Option<String> {
    match reference.form {
        Form::Link | Form::Image => relative(page.path.parent()?, &skill.skill.path.join(name)),
        Form::Prose | Form::Code | Form::Import => Some(name.to_owned()),
    }
}

#[expect(clippy::cast_precision_loss, reason = "shown with one digit")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}
