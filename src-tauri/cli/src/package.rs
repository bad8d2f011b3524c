//! `pack` and `unpack`: skills as one file.

use std::collections::BTreeMap;

use ::lint::verdict::Verdict;
use api::ApiError;
use api::dto::{PackageLeftOut, PackageLook, PackageOpenArgs, PackageSaveArgs, PackagedSkill, PathArgs};
use camino::Utf8PathBuf;
use skill::Severity;

use crate::language::Chosen;
use crate::lint;
use crate::print::{self, BOLD, DIM, RED, YELLOW, line, out, styled};
use crate::{Format, Formatted, Outcome, bench_on};

#[derive(clap::Args)]
pub struct PackArgs {
    /// The folder of one skill
    #[arg(value_name = "SKILL")]
    skill: Utf8PathBuf,
    /// Where to write it; defaults to the current folder, under the skill's name and `.skill`
    #[arg(long, short, value_name = "FILE")]
    output: Option<Utf8PathBuf>,
    #[command(flatten)]
    format: Formatted,
}

#[derive(clap::Args)]
pub struct UnpackArgs {
    /// A `.skill` or `.zip` file
    #[arg(value_name = "FILE")]
    file: Utf8PathBuf,
    /// The folder that the skills go into
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    into: Utf8PathBuf,
    /// Another name for the skill, in its SKILL.md too, if the file holds one
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Only show its contents and what the rules report; nothing is written
    #[arg(long, conflicts_with = "name")]
    look: bool,
    #[command(flatten)]
    format: Formatted,
}

pub async fn pack(args: PackArgs) -> Result<Outcome, ApiError> {
    let skill = api::absolute(&args.skill);
    let output = args.output.unwrap_or_else(|| format!("{}.skill", skill.file_name().unwrap_or("skill")).into());
    let bench = bench_on(std::slice::from_ref(&skill)).await;
    let saved = bench.package_save(PackageSaveArgs { skill: skill.into_string(), path: output.into_string() }).await?;
    if args.format.format == Format::Json {
        print::json(&saved)?;
        return Ok(Outcome::Good);
    }
    let (path, files, bytes) = (line(&saved.path), saved.files, saved.bytes);
    out(&words!("{path}: {files} files, {bytes} bytes", "{path}：{files} 个文件，{bytes} 字节"));
    left_out(&saved.left_out);
    Ok(Outcome::Good)
}

pub async fn unpack(args: UnpackArgs) -> Result<Outcome, ApiError> {
    let path = args.file.into_string();
    let folder = api::absolute(&args.into);
    let bench = bench_on(std::slice::from_ref(&folder)).await;
    let look = bench.package_look(PathArgs { path: path.clone() }).await?;
    if args.look {
        if args.format.format == Format::Json {
            print::json(&look)?;
        } else {
            show(&look);
        }
        return Ok(if look.skills.iter().any(|skill| skill.security_errors > 0 || is_dangerous(skill)) {
            Outcome::Bad
        } else {
            Outcome::Good
        });
    }
    let names = match (args.name, &*look.skills) {
        (None, _) => BTreeMap::new(),
        (Some(name), [one]) => BTreeMap::from([(one.folder.clone(), name)]),
        (Some(_), several) => {
            let count = several.len();
            let said = wording::message!("the file holds {count} skills", "文件中有 {count} 个技能");
            return Err(ApiError::new(api::Code::Invalid, said)
                .hint(wording::message!("leave out --name", "请不要使用 --name")));
        }
    };
    let renamed = names.iter().filter(|(folder, name)| folder != name).map(|(folder, _)| folder.clone()).collect();
    let version = Some(look.version.clone());
    let opened = PackageOpenArgs { path, version, folder: folder.into_string(), names, renamed };
    let taken = bench.package_open(opened).await?;
    if args.format.format == Format::Json {
        print::json(&taken)?;
        return Ok(Outcome::Good);
    }
    for skill in taken {
        out(&line(&skill.id));
    }
    left_out(&look.left_out);
    Ok(Outcome::Good)
}

fn show(look: &PackageLook) {
    for skill in &look.skills {
        out(&format!("{}  {}", styled(BOLD, line(&skill.folder)), line(&skill.description)));
        for file in &skill.files {
            let (name, size) = (line(&file.name), file.size);
            out(&words!("  {name}  {size} bytes", "  {name}  {size} 字节"));
        }
        let evidence = skill.security.iter().flat_map(|security| &security.evidence);
        let unlisted = evidence.filter(|evidence| !evidence.listed).map(|evidence| &evidence.finding);
        for finding in skill.findings.iter().chain(unlisted) {
            let (style, kind) = match finding.severity {
                Severity::Error => (RED, words!("error", "错误")),
                Severity::Warning => (YELLOW, words!("warning", "警告")),
                Severity::Info => (DIM, words!("hint", "提示")),
            };
            let place = finding.range.as_ref().map(|range| format!(":{}", range.line)).unwrap_or_default();
            let said = wording::Message { en: finding.message.clone(), zh: finding.message_zh.clone() };
            let (path, said) = (line(&finding.path), line(&said.chosen()));
            out(&format!("  {}  {path}{place}  {said}  [{}]", styled(style, kind), finding.rule));
        }
        if let Some(security) = &skill.security {
            let verdict = lint::worded(security.verdict);
            let told = words!("  Security: {verdict}", "  安全：{verdict}"; verdict);
            out(&styled(if is_dangerous(skill) { RED } else { DIM }, told));
        }
        let (errors, warnings, hints) = (skill.security_errors, skill.security_warnings, skill.security_hints);
        out(&styled(
            if errors > 0 { RED } else { DIM },
            words!(
                "  About security: {errors} errors, {warnings} warnings, {hints} hints. Read its scripts before you run them.",
                "  安全方面：{errors} 个错误，{warnings} 个警告，{hints} 条提示。运行其脚本前请先阅读。"
            ),
        ));
    }
    left_out(&look.left_out);
}

fn is_dangerous(skill: &PackagedSkill) -> bool {
    skill.security.as_ref().is_some_and(|security| security.verdict == Verdict::Dangerous)
}

fn left_out(left_out: &[PackageLeftOut]) {
    for PackageLeftOut { name, why } in left_out {
        let (name, why) = (line(name), line(&why.clone().chosen()));
        print::note(&words!("left out: {name} ({why})", "未包含：{name}（{why}）"));
    }
}
