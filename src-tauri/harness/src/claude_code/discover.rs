//! Which files are skills: `SKILL.md` one level below `.claude/skills`, and `.md` files of `.claude/commands`, of the user
//! and of the project. Files are followed through links; of two folders that are one file the first by name stays.
//!
//! An opened folder that has `.claude` in it is a project, or the home folder if the option `home` names it. One that has
//! none is a folder of skills itself.

use std::collections::HashMap;

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Map;

use super::frontmatter::{self, Parsed};
use super::{Detail, MANIFEST, PROFILE, Variant, expand, quirks};
use crate::paths;
use crate::reasons;
use crate::{CatalogSkill, Detail as AnyDetail, Loaded, Options, Quirk, QuirkKind, not_entered, scripts_and_others};
use config::options::ClaudeCodeOptions;
use skill::source::SourceText;
use skill::{File, FileKind, Folder, SkillSet};
use wording::{Wording, message};

/// What Claude Code loads of the folders, and why it leaves out the rest. It knows no inline skills.
pub fn load(found: &SkillSet, options: &Options) -> Loaded {
    let variant = Variant::named(PROFILE.variant(options.variant.as_deref()).id);
    let settings = &options.settings.claude_code;
    let mut loading =
        Loading { variant, settings, loaded: Loaded::default(), files: HashMap::new(), names: HashMap::new() };
    for skill in &options.inline_skills {
        loading.loaded.skip(&skill.name, INLINE);
    }
    let mut places: Vec<Place> = found.roots.iter().map(|root| Place::of(&root.tree, settings)).collect();
    // Those of the user come first.
    places.sort_by_key(|place| !place.is_user);
    for place in &places {
        loading.skills(place);
    }
    for place in &places {
        loading.commands(place);
    }
    let mut loaded = loading.loaded;
    for skill in &mut loaded.skills {
        let AnyDetail::ClaudeCode(detail) = &skill.detail else { continue };
        skill.content = expand::Loading::new(skill, detail, &skill.name, None).text().text;
    }
    quirks::of_list(&mut loaded, variant, settings);
    loaded
}

const INLINE: Wording = Wording::new("Claude Code reads skills from folders only", "Claude Code 只从文件夹读取技能");
const IN_ITSELF: Wording = Wording::new(
    "lies in the folder of skills itself, not in a folder below it",
    "位于技能文件夹本身，而不是其下的某个文件夹",
);
const ELSEWHERE: Wording = Wording::new(
    "lies outside of .claude/skills, where Claude Code looks",
    "不在 Claude Code 查找的 .claude/skills 中",
);

/// What an opened folder is to the client.
struct Place<'a> {
    is_user: bool,
    root: &'a Folder,
    skills: Option<&'a Folder>,
    commands: Option<&'a Folder>,
}

impl<'a> Place<'a> {
    fn of(root: &'a Folder, settings: &ClaudeCodeOptions) -> Self {
        let home = settings.home.as_deref().map(Utf8Path::new);
        let is_user = home.is_some_and(|home| root.path == home || root.path.starts_with(home.join(CLIENT_FOLDER)));
        let child = |folder: &'a Folder, name: &str| folder.folders().find(|inner| inner.name == name);
        let place = |skills, commands| Self { is_user, root, skills, commands };
        let client = if root.name == CLIENT_FOLDER { Some(root) } else { child(root, CLIENT_FOLDER) };
        let inner = client.map(|client| (child(client, "skills"), child(client, "commands")));
        match inner {
            Some((skills, commands)) if skills.is_some() || commands.is_some() => place(skills, commands),
            Some(_) | None if root.path.ends_with(".claude/commands") => place(None, Some(root)),
            Some(_) | None => place(Some(root), None),
        }
    }
}

const CLIENT_FOLDER: &str = ".claude";

struct Loading<'a> {
    variant: Variant,
    settings: &'a ClaudeCodeOptions,
    loaded: Loaded,
    /// The folder under which each file was found first, by its real path.
    files: HashMap<Utf8PathBuf, Utf8PathBuf>,
    /// The first skill of a name.
    names: HashMap<String, Utf8PathBuf>,
}

impl Loading<'_> {
    fn skills(&mut self, place: &Place) {
        let Some(skills) = place.skills else { return self.overlooked(place.root, place.commands) };
        if skills.path != place.root.path {
            self.overlooked(place.root, Some(skills));
        }
        for file in skills.files().filter(|file| file.name == MANIFEST) {
            self.loaded.skip(file.path.as_str(), IN_ITSELF);
        }
        for folder in skills.folders() {
            if let Some(reason) = not_entered(folder) {
                self.loaded.skip(folder.path.as_str(), reason);
            }
            let inside = match folder.files().find(|file| file.name == MANIFEST) {
                Some(file) => {
                    self.skill(folder, file);
                    reasons::inside(folder.path.as_str())
                }
                None => {
                    self.loaded.skip_miscased(folder);
                    reasons::ONE_LEVEL.into()
                }
            };
            if folder.link.is_none() {
                self.loaded.skip_below(folder, &inside);
            }
        }
    }

    /// Files of an opened folder that are neither among its skills nor its commands.
    fn overlooked(&mut self, root: &Folder, but: Option<&Folder>) {
        if root.link.is_none() {
            let is_entered = |folder: &Folder| but.is_some_and(|but| but.path == folder.path);
            self.loaded.skip_all(root, &is_entered, &ELSEWHERE.into());
        }
    }

    fn skill(&mut self, folder: &Folder, file: &File) {
        let Some(source) = self.read(file) else { return };
        let real = real(folder, file);
        if let Some(other) = self.files.get(&real) {
            let reason = message!("is the same file as {other}", "与 {other} 是同一个文件");
            return self.loaded.skip(file.path.as_str(), reason);
        }
        self.files.insert(real, file.path.clone());
        let Some(parsed) = self.parsed(file, &source) else { return };
        let (scripts, resources) = scripts_and_others(folder, |file| file.kind != FileKind::Manifest);
        let skill =
            CatalogSkill { path: Some(folder.path.clone()), resources, scripts, ..skill(&folder.name, &parsed, false) };
        self.offer(skill, &source, &parsed);
    }

    fn commands(&mut self, place: &Place) {
        let files = place.commands.into_iter().flat_map(|folder| folder.files());
        for file in files {
            let Some(name) = file.name.strip_suffix(".md").filter(|name| !name.is_empty()) else { continue };
            let Some(source) = self.read(file) else { continue };
            let Some(parsed) = self.parsed(file, &source) else { continue };
            self.offer(skill(name, &parsed, true), &source, &parsed);
        }
    }

    fn read(&mut self, file: &File) -> Option<std::sync::Arc<SourceText>> {
        if let Some(source) = &file.source {
            return Some(std::sync::Arc::clone(source));
        }
        self.loaded.skip(file.path.as_str(), reasons::unread(file));
        None
    }

    fn parsed(&mut self, file: &File, source: &SourceText) -> Option<Parsed> {
        frontmatter::parse(source, self.variant == Variant::Older)
            .map_err(|reason| self.loaded.skip(file.path.as_str(), reason))
            .ok()
    }

    /// Of two with one name both are listed, or one: calls find the first.
    fn offer(&mut self, skill: CatalogSkill, source: &SourceText, parsed: &Parsed) {
        let first = self.names.get(&skill.name).cloned();
        if let Some(first) = first {
            self.loaded.quirks.push(Quirk {
                kind: QuirkKind::HiddenByDuplicate,
                skill: (self.variant == Variant::Older).then(|| skill.id.clone()),
                path: Some(source.path.clone()),
                span: None,
                detail: first.to_string(),
            });
            if self.variant == Variant::Newest {
                let reason = message!("{first} has the same name and comes first", "{first} 同名，且排在前面");
                return self.loaded.skip(source.path.as_str(), reason);
            }
        } else {
            self.names.insert(skill.name.clone(), source.path.clone());
        }
        quirks::of_skill(&skill, source, parsed, self.settings, &mut self.loaded.quirks);
        self.loaded.skills.push(skill);
    }
}

/// A skill without its files.
fn skill(name: &str, parsed: &Parsed, is_command: bool) -> CatalogSkill {
    let described = parsed.text("description").map(str::trim);
    let description = described.map_or_else(|| first_line(&parsed.body).to_owned(), str::to_owned);
    let listed = match parsed.text("when_to_use").map(str::trim) {
        Some(when) if description.is_empty() => when.to_owned(),
        Some(when) => format!("{description} - {when}"),
        None => description.clone(),
    };
    let alias = parsed.text("name").map(str::trim).filter(|alias| *alias != name && !is_command);
    let named = |field: &str| parsed.text(field).map(|text| text.trim().to_owned());
    let for_users_only = parsed.is_true("disable-model-invocation");
    let detail = Detail {
        body: parsed.body.clone(),
        alias: alias.map(str::to_owned),
        listed,
        described: described.is_some(),
        is_command,
        // One that is bound to paths is listed once a file of them was touched, which was not recorded.
        in_list: !for_users_only && !parsed.has("paths"),
        for_users_only,
        for_users: !parsed.is_false("user-invocable"),
        asks: parsed.has("allowed-tools"),
        forks: parsed.text("context").is_some_and(|context| context.trim() == "fork"),
        agent: named("agent"),
        model: named("model"),
        kept: KEPT
            .iter()
            .filter_map(|key| Some(((*key).to_owned(), parsed.fields.get(*key)?.clone())))
            .collect::<Map<_, _>>(),
    };
    CatalogSkill {
        id: name.to_owned(),
        name: name.to_owned(),
        description,
        path: None,
        content: parsed.body.clone(),
        resources: Vec::new(),
        scripts: Vec::new(),
        detail: AnyDetail::ClaudeCode(detail),
    }
}

const KEPT: [&str; 10] = [
    "when_to_use",
    "argument-hint",
    "allowed-tools",
    "disable-model-invocation",
    "user-invocable",
    "context",
    "agent",
    "model",
    "paths",
    "hooks",
];

/// The first line that is not blank, without the marks of a heading.
fn first_line(body: &str) -> &str {
    let is_blank = |letter: char| letter.is_whitespace() || letter == '\u{feff}';
    let first = body.lines().map(|line| line.trim_matches(is_blank)).find(|line| !line.is_empty()).unwrap_or_default();
    let heading = first.trim_start_matches('#');
    match heading.strip_prefix(char::is_whitespace) {
        Some(text) if heading.len() < first.len() && !text.trim().is_empty() => text.trim(),
        Some(_) | None => first,
    }
}

/// The real path of a `SKILL.md`, as far as links show it.
fn real(folder: &Folder, file: &File) -> Utf8PathBuf {
    let around = folder.path.parent().unwrap_or(Utf8Path::new(""));
    let lies =
        folder.link.as_ref().map_or_else(|| folder.path.clone(), |link| paths::plain(&around.join(&link.target)));
    match &file.link {
        Some(link) => paths::plain(&lies.join(&link.target)),
        None => lies.join(&file.name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_of_the_body_describes_it() {
        let lines = ["# Heading first\n\nmore", "\n\n  Body.\n", "#hash", "##", "\u{feff}---\nname: a", ""];
        assert_eq!(lines.map(first_line), ["Heading first", "Body.", "#hash", "##", "---", ""]);
    }

    #[test]
    fn a_link_and_its_target_are_one_file() {
        let of = |path: &str, link: Option<&str>| {
            let folder = Folder {
                name: String::new(),
                path: path.into(),
                link: link.map(skill::Link::to),
                listed: true,
                entries: Vec::new(),
            };
            let file = File {
                name: MANIFEST.into(),
                path: folder.path.join(MANIFEST),
                size: 0,
                is_regular: true,
                seen: skill::Seen::default(),
                link: None,
                source: None,
            };
            real(&folder, &file)
        };
        assert_eq!(of("/s/linked", Some("unit")), of("/s/unit", None));
        assert_eq!(of("/s/linked", Some("../t/unit")), of("/t/unit", None));
    }
}
