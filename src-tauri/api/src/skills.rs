//! Skills as the window lists and edits them.

use std::collections::HashSet;

use camino::{Utf8Path, Utf8PathBuf};

use super::dto::{
    FieldDto, FieldEdit, FindingDto, MergeArgs, MergeResult, NewSkill, NoArgs, OutlineEntry, ProblemDto, SecurityDto,
    SkillArgs, SkillDetail, SkillFileDto, SkillList, SkillSummary, TemplateInfo, TextArgs, TextCheck, TierTokens,
};
use super::error::{ApiError, Code};
use super::trust::Open;
use super::{Loaded, Workbench, absolute, blocking, convert};
use lint::Disk;
use model::tokens::Tokenizer;
use skill::source::{SourceText, Span};
use skill::{Manifest, Problem, Skill, SkillFile, body, edit, merge, template};
use wording::message;

/// Files above this size, in bytes, are listed without a token count.
const COUNTED: u64 = 1 << 20;

impl Workbench {
    pub async fn skill_list(&self, _: NoArgs) -> Result<SkillList, ApiError> {
        let loaded = self.loaded().await;
        let folders = self.folders();
        Ok(blocking(move || SkillList {
            folders,
            skills: loaded.skills.iter().map(summary).collect(),
            problems: outside_skills(&loaded),
        })
        .await)
    }

    pub async fn skill_get(&self, args: SkillArgs) -> Result<SkillDetail, ApiError> {
        let loaded = self.loaded().await;
        let judges = self.judges(&loaded).await;
        let (roots, places) = (self.open_folders().await, self.inner.places.clone());
        let (tokenizer, waits) = (self.tokenizer(), self.waits_for_all());
        blocking(move || {
            let counting = Counting { open: Open::now(&roots, &places), tokenizer };
            let found = loaded.skills.iter().find(|skill| skill.path == args.id).ok_or_else(|| gone(&args.id))?;
            let judge = judges.of_path(&found.path);
            let security = |security| convert::security(&found.path, security, &Disk);
            let judged = match waits || judge.has_looked() {
                true => (convert::findings(judge.found_in(found), &Disk), judge.security_of(found).map(security)),
                false => {
                    let judged = judge.linter().judge(found, &Disk);
                    (convert::findings(&judged.findings, &Disk), judged.security.as_ref().map(security))
                }
            };
            Ok(detail(found, judged, &counting))
        })
        .await
    }

    pub async fn skill_new(&self, args: NewSkill) -> Result<SkillSummary, ApiError> {
        let folder = absolute(Utf8Path::new(&args.folder));
        let made = blocking(move || template::create(&folder, &args.name, &args.description, &args.template)).await?;
        self.forget_loaded();
        Ok(self.skill_get(SkillArgs { id: made.into_string() }).await?.summary)
    }

    pub async fn template_list(&self, _: NoArgs) -> Result<Vec<TemplateInfo>, ApiError> {
        let templates = template::templates().iter().map(|template| TemplateInfo {
            id: template.id.to_owned(),
            title: template.title.to_owned(),
            summary: template.summary.to_owned(),
            files: template.files.iter().map(|file| file.path.to_owned()).collect(),
        });
        Ok(templates.collect())
    }

    /// The Markdown as sanitised HTML.
    pub async fn text_preview(&self, args: TextArgs) -> Result<String, ApiError> {
        Ok(blocking(move || body::preview(&args.text)).await)
    }

    pub async fn text_merge(&self, args: MergeArgs) -> Result<MergeResult, ApiError> {
        let merged = blocking(move || merge::merge(&args.base, &args.mine, &args.theirs)).await;
        Ok(MergeResult { text: merged.text, conflicts: u32::try_from(merged.conflicts).unwrap_or(u32::MAX) })
    }

    /// The text with one frontmatter field set or removed, and every other byte as it was.
    pub async fn field_edit(&self, args: FieldEdit) -> Result<String, ApiError> {
        blocking(move || {
            let edited = edit::set_field(&args.text, &args.key, args.value.as_deref());
            let manifest = Manifest::parse(SourceText::of_text("SKILL.md".into(), edited.clone()).into());
            let found = manifest.field(&args.key).and_then(|field| field.value.as_str());
            // The edit leaves a text alone that it could not change safely.
            if found.unwrap_or_default() == args.value.as_deref().unwrap_or_default() {
                return Ok(edited);
            }
            Err(ApiError::new(
                Code::Invalid,
                message!(
                    "`{}` cannot be changed here without risk to the rest",
                    "在这里修改 `{}` 可能影响其余内容",
                    args.key
                ),
            )
            .hint(message!("edit the frontmatter in the source", "请在源文本中编辑前置元数据")))
        })
        .await
    }
}

impl From<template::TemplateError> for ApiError {
    fn from(error: template::TemplateError) -> Self {
        use template::TemplateError as E;
        let code = match &error {
            E::Exists { .. } => Code::Exists,
            E::Write { .. } => Code::Io,
            E::Name { .. } | E::DescriptionEmpty | E::DescriptionTooLong { .. } | E::Unknown { .. } => Code::Invalid,
        };
        ApiError::new(code, error.worded())
    }
}

/// Problems inside a skill are reported with the skill.
fn outside_skills(loaded: &Loaded) -> Vec<ProblemDto> {
    let folders: HashSet<&Utf8Path> = loaded.skills.iter().map(|skill| &*skill.path).collect();
    let outside = |problem: &&Problem| !problem.path.ancestors().any(|folder| folders.contains(folder));
    loaded.set.problems.iter().filter(outside).map(convert::unplaced).collect()
}

pub(super) fn gone(id: &str) -> ApiError {
    ApiError::new(Code::NotFound, message!("there is no skill in {id}", "{id} 中没有技能"))
        .hint(message!("it may have been moved or deleted", "它可能已被移动或删除"))
        .at(Utf8Path::new(id))
}

fn summary(skill: &Skill) -> SkillSummary {
    let relative = skill.path.strip_prefix(&skill.root).unwrap_or(&skill.path);
    SkillSummary {
        id: skill.path.to_string(),
        name: skill.name().to_owned(),
        description: description(&skill.manifest).to_owned(),
        folder: skill.root.to_string(),
        relative: relative.components().map(|part| part.as_str()).collect::<Vec<_>>().join("/"),
    }
}

pub(super) fn description(manifest: &Manifest) -> &str {
    manifest.field("description").and_then(|field| field.value.as_str()).unwrap_or_default()
}

/// The tokenizer for files, and the places that may be read: files outside of the open folders are not read.
pub(super) struct Counting {
    pub open: Open,
    pub tokenizer: Tokenizer,
}

fn detail(
    skill: &Skill,
    (findings, security): (Vec<FindingDto>, Option<SecurityDto>),
    counting: &Counting,
) -> SkillDetail {
    let files: Vec<SkillFileDto> = skill.files.iter().map(|each| file(each, counting)).collect();
    let tokens = tokens_in(skill, &files, counting.tokenizer);
    SkillDetail { summary: summary(skill), findings, security, tokens, files }
}

/// Of all that a skill holds.
pub(super) fn tokens_of(skill: &Skill, counting: &Counting) -> TierTokens {
    let files: Vec<SkillFileDto> = skill.files.iter().map(|each| file(each, counting)).collect();
    tokens_in(skill, &files, counting.tokenizer)
}

fn tokens_in(skill: &Skill, files: &[SkillFileDto], tokenizer: Tokenizer) -> TierTokens {
    let resources = files.iter().skip(1).filter_map(|file| file.tokens).sum();
    TierTokens { resources, ..tiers(skill.name(), &skill.manifest, tokenizer) }
}

/// The two tiers that `SKILL.md` itself holds.
fn tiers(name: &str, manifest: &Manifest, tokenizer: Tokenizer) -> TierTokens {
    TierTokens {
        catalogue: tokenizer.count(name) + tokenizer.count(description(manifest)),
        instructions: tokenizer.count(&manifest.source.text),
        resources: 0,
    }
}

/// A file behind a link out of the open folders is not read.
fn file(file: &SkillFile, Counting { open, tokenizer }: &Counting) -> SkillFileDto {
    let leads_to = if file.link { disk::real(&file.path) } else { None };
    let outside = file.link && matches!(open.through(&file.path), Err(error) if error.code == Code::Untrusted);
    let text = (!outside && file.size <= COUNTED).then(|| SourceText::read(&file.path).ok()).flatten();
    let text = text.filter(|text| text.invalid_at.is_none() && !text.text.contains('\0'));
    SkillFileDto {
        path: file.path.to_string(),
        name: file.name.clone(),
        kind: file.kind,
        size: file.size,
        tokens: text.as_ref().map(|text| tokenizer.count(&text.text)),
        text: outside
            || text.is_some()
            || file.size > COUNTED && skill::files::is_text_file(&file.path).unwrap_or(false),
        leads_to: leads_to.map(Utf8PathBuf::into_string),
        outside,
    }
}

/// Facts about a text; `findings` are those in its skill. `alone`: see [`TextCheck`].
pub(super) fn check(
    path: &Utf8Path,
    text: String,
    (findings, security, alone): (Vec<FindingDto>, Option<SecurityDto>, bool),
    tokenizer: Tokenizer,
) -> TextCheck {
    let source = SourceText::of_text(path.to_owned(), text);
    let tokens = tokenizer.count(&source.text);
    let name = path.file_name().unwrap_or_default();
    if !name.eq_ignore_ascii_case("SKILL.md") {
        let outline = if name.to_ascii_lowercase().ends_with(".md") {
            body::headings(&source.text, Span::new(0, source.text.len()))
        } else {
            Vec::new()
        };
        let outline = outlined(&outline, &source);
        return TextCheck { findings, security, alone, outline, fields: None, tokens, tiers: None };
    }
    let manifest = Manifest::parse(source.into());
    let folder = path.parent().and_then(Utf8Path::file_name).unwrap_or_default();
    let ruler = convert::Ruler::new(&manifest.source.text);
    let fields = manifest.frontmatter.as_ref().map(|frontmatter| {
        let field = |field: &skill::Field| FieldDto {
            key: field.key.clone(),
            value: match &field.value {
                skill::YamlValue::Null => Some(String::new()),
                other => other.as_str().map(str::to_owned),
            },
            source: field.value_span.of(&manifest.source.text).to_owned(),
            range: ruler.range(field.value_span),
        };
        frontmatter.fields.iter().map(field).collect()
    });
    let name = manifest.field("name").and_then(|field| field.value.as_str()).unwrap_or(folder);
    TextCheck {
        findings,
        security,
        alone,
        outline: outlined(&manifest.headings(), &manifest.source),
        fields,
        tokens,
        tiers: Some(tiers(name, &manifest, tokenizer)),
    }
}

fn outlined(headings: &[skill::Heading], source: &SourceText) -> Vec<OutlineEntry> {
    let ruler = convert::Ruler::new(&source.text);
    let entry = |heading: &skill::Heading| OutlineEntry {
        level: heading.level,
        text: heading.text.clone(),
        range: ruler.range(heading.span),
    };
    headings.iter().map(entry).collect()
}
