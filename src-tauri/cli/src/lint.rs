//! `lint`: problems of skills on disk and quirks of frameworks, with their lines.

mod baseline;
mod fixes;
mod github;
mod json;
mod sarif;
mod source;
mod targets;
mod text;
mod watch;

use std::collections::BTreeMap;

use api::dto::{
    CheckArgs, FindingDto, FixDto, LintArgs as Ask, LintResult, NoArgs, ProjectSettings, QuirkDto, SecurityDto,
    StepDto, SwitchedOff, TextRange,
};
use api::{ApiError, Asked, Code, Earlier, Workbench, absolute};
use camino::{Utf8Path, Utf8PathBuf};
use clap::{ArgAction, ValueEnum};
use config::Profile;
use lint::probe::Probe;
use lint::verdict::Verdict;
use lint::{Applicability, Check, Mark};
use skill::Severity;
use skill::manifest::FILE_NAME;
use skill::source::READ_LIMIT;

use self::baseline::{Baseline, Compared};
use self::fixes::Fixed;
use self::source::Sources;
use self::targets::Targets;
use crate::language::Chosen;
use crate::print::{OutputKind, Thing, counted, gist, line};
use crate::{Outcome, bench_on, choice, home, print};
use wording::{Message, message};

#[derive(clap::Args)]
pub struct Args {
    /// Folders of skills or of one skill, or files, each for the skill it belongs to (the outermost in the
    /// repository); `-` reads one SKILL.md from standard input and checks only that
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<Utf8PathBuf>,
    /// How to print the problems
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Which rules apply: those of the specification's validator (spec), those that are nearly always right
    /// (recommended), those about security (security), or all; defaults to `lint.profile` in workbench.yaml
    #[arg(long, value_name = "PROFILE", value_parser = profile)]
    profile: Option<Profile>,
    /// Only these rules or groups, with commas between them (see `skillbench rules`)
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    select: Vec<String>,
    /// Not these rules or groups
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    ignore: Vec<String>,
    /// Ignore the settings for rules and clients in workbench.yaml, and `lint-ignore` comments: for skills you do not trust
    #[arg(long)]
    no_project_settings: bool,
    /// Show no hints; twice: no warnings either
    #[arg(short, long, action = ArgAction::Count)]
    quiet: u8,
    /// Exit 1 if there are more than N warnings
    #[arg(long, value_name = "N")]
    max_warnings: Option<usize>,
    /// Apply safe fixes, then report what is left
    #[arg(long, group = "fixing")]
    fix: bool,
    /// With --fix or --diff: also apply fixes that need review
    #[arg(long, requires = "fixing")]
    unsafe_fixes: bool,
    /// Print what --fix would write as a unified diff, and write nothing; exit 1 if there is anything
    #[arg(long, group = "fixing", conflicts_with_all = ["format", "baseline"])]
    diff: bool,
    /// Leave out the problems that are in this file, and report which of them no longer occur
    #[arg(long, value_name = "FILE")]
    baseline: Option<Utf8PathBuf>,
    /// Write the problems into the baseline instead of showing them
    #[arg(long, requires = "baseline")]
    write_baseline: bool,
    /// Run each script with `--help` in a sandbox (bubblewrap), and judge what it does; without a sandbox none is run
    #[arg(long, conflicts_with_all = ["diff", "watch"])]
    probe: bool,
    /// Ignore files that belong to no skill: for hooks that name every changed file
    #[arg(long)]
    only_skills: bool,
    /// Check everything, even skills that have not changed since the last check, and store nothing for the next
    #[arg(long)]
    no_cache: bool,
    /// Check again whenever a file changes; Ctrl-C ends with the exit code of the last check
    #[arg(long, conflicts_with_all = ["fixing", "write_baseline"])]
    watch: bool,
    /// Also report quirks of these frameworks, as HARNESS/QUIRK; defaults to `harness` in workbench.yaml
    #[arg(long, value_name = "HARNESS", value_delimiter = ',')]
    harness: Vec<String>,
    /// With `-`: where the text would be saved; defaults to the current folder, whose name does not count unless it has a
    /// SKILL.md
    #[arg(long, value_name = "PATH")]
    stdin_path: Option<Utf8PathBuf>,
}

fn profile(name: &str) -> Result<Profile, String> {
    let named = Profile::ALL.into_iter().find(|profile| profile.id() == name);
    named.ok_or_else(|| {
        let known = Profile::ALL.map(Profile::id);
        let (en, zh) = (known.join(", "), known.join("、"));
        words!("one of {en}", "可选值为 {zh}")
    })
}

#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Format {
    /// With the lines of source
    #[default]
    Text,
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations for GitHub Actions
    Github,
}

impl Args {
    /// Whether anything is run that must not outlive the command.
    pub fn runs_scripts(&self) -> bool {
        self.probe
    }
}

pub async fn lint(args: Args) -> Result<Outcome, ApiError> {
    if args.paths.iter().any(|path| path == "-") {
        return of_input(&args).await;
    }
    let targets = Targets::of(&args.paths)?;
    match targets.strays.as_slice() {
        _ if args.only_skills => {}
        [] => {}
        [stray] => print::warning(&words!("{} belongs to no skill", "{} 不属于任何技能", line(stray.as_str()))),
        [first, more @ ..] => {
            let (more, files) = (more.len(), if more.len() == 1 { "file" } else { "files" });
            let first = line(first.as_str());
            print::warning(&words!(
                "{first} and {more} other {files} belong to no skill",
                "{first} 和另外 {more} 个文件不属于任何技能"
            ));
        }
    }
    if args.watch {
        return watch::watch(&args, &targets).await;
    }
    round(&bench_on(&targets.roots).await, &args, &targets, &mut Sources::new(here())).await
}

/// One `SKILL.md` from standard input.
async fn of_input(args: &Args) -> Result<Outcome, ApiError> {
    let only_text = args.paths.len() == 1 && !args.fix && !args.diff && !args.watch && !args.write_baseline;
    if !only_text || args.probe || !args.harness.is_empty() {
        let message = message!(
            "`-` cannot be combined with other paths, fixes, --probe, --harness or --watch",
            "`-` 不能与其他路径、修复、--probe、--harness 或 --watch 一起使用"
        );
        return Err(ApiError::new(Code::Invalid, message)
            .hint(message!("save the text and name its file", "请先保存文本，再指定文件")));
    }
    let text = disk::read_stream(std::io::stdin().lock(), READ_LIMIT).map_err(print::unread)?;
    let text = String::from_utf8_lossy(&text);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\r\n", "\n");
    let path = absolute(args.stdin_path.as_deref().unwrap_or(Utf8Path::new(FILE_NAME)));
    let mut ask = args.ask();
    // A draft from standard input need not belong to the folder.
    if args.stdin_path.is_none() && ask.select.is_empty() && !path.exists() {
        let about_folder = lint::rules().filter(|rule| rule.marks.contains(&Mark::FolderName));
        ask.ignore.extend(about_folder.map(|rule| rule.id.to_owned()));
    }
    // Only if its place is named does the text count together with what is there.
    let skill = args.stdin_path.as_ref().and_then(|_| home::skill_of(&path, home::holds_manifest));
    let roots: Vec<Utf8PathBuf> = skill.map(Utf8Path::to_owned).into_iter().collect();
    let bench = bench_on(&roots).await;
    let mut sources = Sources::new(here()).with(&path, &text);
    let check = CheckArgs { path: path.to_string(), text, unsaved: Vec::new() };
    let mut found = match roots.is_empty() {
        true => bench.lint_alone(check, ask).await?,
        false => bench.lint_text(check, ask).await?,
    };
    found.findings.retain(|finding| finding.path == path);
    for security in found.security.iter_mut().flatten() {
        security.evidence.retain(|evidence| evidence.finding.path == path);
    }
    sources.hide(&found.secrets);
    let mut answer = Answer::new(found, args);
    answer.leave_out_known(&roots, args)?;
    answer.print(args, &mut sources)
}

/// Looks once.
async fn round(bench: &Workbench, args: &Args, targets: &Targets, sources: &mut Sources) -> Result<Outcome, ApiError> {
    // With no folder at all the bench would have opened those of the last session.
    let nothing = targets.roots.is_empty();
    if args.diff && !nothing {
        return fixes::diff(bench, args, sources).await;
    }
    let fixed = if args.fix && !nothing { Some(fixes::write(bench, args).await?) } else { None };
    let found = if nothing {
        LintResult {
            skills: 0,
            rules: 0,
            findings: Vec::new(),
            security: None,
            complaints: Vec::new(),
            switched_off: SwitchedOff::default(),
            secrets: lint::Secrets::default(),
        }
    } else {
        bench.lint_on_disk(args.ask(), probes(bench, args).await?, args.earlier()).await?
    };
    let quirks = if nothing { Vec::new() } else { quirks(bench, args).await? };
    if args.write_baseline
        && let Some(path) = &args.baseline
    {
        let count = Baseline::read_to_renew(path)?.write(&found.findings, &targets.roots, args)?;
        let problems = counted(count, Thing::Problem);
        print::note(&line(&words!("{problems} written to {path}", "已将 {problems}写入 {path}"; problems)));
        return Ok(Outcome::Good);
    }
    sources.hide(&found.secrets);
    let mut answer = Answer { quirks, fixed, ..Answer::new(found, args) };
    answer.leave_out_known(&targets.roots, args)?;
    answer.print(args, sources)
}

/// What scripts do with `--help`, if that was asked for.
async fn probes(bench: &Workbench, args: &Args) -> Result<BTreeMap<Utf8PathBuf, Probe>, ApiError> {
    if !args.probe {
        return Ok(BTreeMap::new());
    }
    bench
        .probe(|Asked { path, left_out, done, of }| match left_out {
            Some(why) => print::note(&line(
                &words!("{done}/{of} {path}: left out, {why}", "{done}/{of} {path}：略过，{why}"; why),
            )),
            None => print::note(&line(&format!("{done}/{of} {path}"))),
        })
        .await
}

/// Of the frameworks named, else of the one the project uses, if it says. Rules that were selected come without.
async fn quirks(bench: &Workbench, args: &Args) -> Result<Vec<QuirkDto>, ApiError> {
    if !args.harness.is_empty() {
        let known = bench.harness_list(NoArgs {}).await?;
        return bench.quirks(&choice::several(&args.harness, &known)).await;
    }
    if !args.select.is_empty() || args.no_project_settings {
        return Ok(Vec::new());
    }
    let of_project = match bench.project_choice(NoArgs {}).await.map(|choice| choice.harness) {
        Ok(Some(harness)) => bench.quirks(&[harness]).await,
        Ok(None) => Ok(Vec::new()),
        Err(error) => Err(error),
    };
    // Problems of the skills are reported all the same.
    Ok(of_project.unwrap_or_else(|error| {
        print::warning(&error.worded().chosen());
        Vec::new()
    }))
}

/// The folder the program was started in.
fn here() -> Utf8PathBuf {
    absolute(Utf8Path::new("."))
}

impl Args {
    fn ask(&self) -> Ask {
        Ask { profile: self.profile, select: ids(&self.select), ignore: ids(&self.ignore), settings: self.settings() }
    }

    fn earlier(&self) -> Earlier {
        if self.no_cache { Earlier::Ignored } else { Earlier::Used }
    }

    fn settings(&self) -> ProjectSettings {
        if self.no_project_settings { ProjectSettings::Ignored } else { ProjectSettings::Followed }
    }

    /// Only findings of at least this severity are shown.
    fn least(&self) -> Severity {
        match self.quiet {
            0 => Severity::Info,
            1 => Severity::Warning,
            _ => Severity::Error,
        }
    }
}

/// The parts between commas: `form, links,` is two. Nothing but commas stays, to be reported.
fn ids(given: &[String]) -> Vec<String> {
    let ids: Vec<String> = given.iter().map(|id| id.trim().to_owned()).collect();
    let named: Vec<String> = ids.iter().filter(|id| !id.is_empty()).cloned().collect();
    if named.is_empty() { ids } else { named }
}

/// All there is to say.
struct Answer {
    skills: usize,
    rules: usize,
    /// Those that are not in the baseline.
    findings: Vec<FindingDto>,
    /// Of each skill that is not clear, with all evidence, that of the baseline included. `None`: only some rules were asked for.
    security: Option<Vec<SecurityDto>>,
    quirks: Vec<QuirkDto>,
    complaints: Vec<Message>,
    switched_off: SwitchedOff,
    fixed: Option<Fixed>,
    baseline: Option<Compared>,
    counts: Counts,
    least: Severity,
}

impl Answer {
    fn new(found: LintResult, args: &Args) -> Self {
        Self {
            skills: found.skills as usize,
            rules: found.rules as usize,
            counts: Counts::of_all(&found.findings),
            findings: found.findings,
            security: found.security,
            quirks: Vec::new(),
            complaints: found.complaints,
            switched_off: found.switched_off,
            fixed: None,
            baseline: None,
            least: args.least(),
        }
    }

    fn leave_out_known(&mut self, roots: &[Utf8PathBuf], args: &Args) -> Result<(), ApiError> {
        let Some(path) = &args.baseline else { return Ok(()) };
        self.baseline = Some(Baseline::read(path)?.apply(&mut self.findings, roots, args));
        self.counts = Counts::of_all(&self.findings);
        Ok(())
    }

    fn print(&self, args: &Args, sources: &mut Sources) -> Result<Outcome, ApiError> {
        self.complaints.iter().for_each(|complaint| print::warning(&complaint.clone().chosen()));
        match args.format {
            Format::Text => print::stream(OutputKind::Text, |out| text::write(self, sources, out))?,
            Format::Json => print::stream(OutputKind::Json, |out| json::write(self, sources, out))?,
            Format::Sarif => print::stream(OutputKind::Json, |out| sarif::write(self, sources, out))?,
            Format::Github => print::stream(OutputKind::Commands, |out| github::write(self, sources, out))?,
        }
        let gone = self.baseline.as_ref().map_or(0, |compared| compared.gone.len());
        if gone > 0 && matches!(args.format, Format::Sarif | Format::Github) {
            let problems = counted(gone, Thing::Problem);
            print::note(&words!(
                "{problems} of the baseline no longer occur: write it again with --write-baseline",
                "基线中有 {problems}已不再出现：请用 --write-baseline 重写基线";
                problems
            ));
        }
        if args.format == Format::Sarif {
            self.told_security(sources).iter().for_each(|(_, told)| print::note(told));
        }
        if matches!(args.format, Format::Sarif | Format::Github) {
            self.told_switched_off().iter().for_each(|told| print::note(told));
        }
        let too_many = args.max_warnings.is_some_and(|most| self.counts.of(Severity::Warning) > most);
        let dangerous = self.verdicts().any(|security| security.verdict == Verdict::Dangerous);
        Ok(if self.counts.of(Severity::Error) > 0 || too_many || dangerous { Outcome::Bad } else { Outcome::Good })
    }

    /// Verdicts on skills that should be reviewed.
    fn verdicts(&self) -> impl Iterator<Item = &SecurityDto> {
        self.verdicts_from(Verdict::Look)
    }

    /// Verdicts that are at least so serious. Those in the baseline were reviewed already.
    fn verdicts_from(&self, least: Verdict) -> impl Iterator<Item = &SecurityDto> {
        let is_known = |security: &SecurityDto| {
            let in_baseline = |path: &str| !self.findings.iter().any(|finding| finding.path == path);
            self.baseline.is_some() && security.evidence.iter().all(|evidence| in_baseline(&evidence.finding.path))
        };
        let verdicts = self.security.iter().flatten().filter(move |security| security.verdict >= least);
        verdicts.filter(move |security| !is_known(security))
    }

    /// A line for each skill that should be reviewed, and one that counts unlisted findings of the others.
    fn told_security(&self, sources: &Sources) -> Vec<(Verdict, String)> {
        let mut lines: Vec<(Verdict, String)> =
            self.verdicts().map(|security| (security.verdict, told_verdict(security, sources))).collect();
        let hints = self.security.iter().flatten().filter(|security| security.verdict == Verdict::Hints);
        let hints: Vec<usize> = hints.map(unlisted).filter(|count| *count > 0).collect();
        if !hints.is_empty() {
            let (count, skills) = (hints.iter().sum::<usize>(), counted(hints.len(), Thing::Skill));
            let (weak, are, them) = match count {
                1 => ("1 weak problem".to_owned(), "is", "it"),
                _ => (format!("{count} weak problems"), "are", "them"),
            };
            lines.push((
                Verdict::Hints,
                words!(
                    "{weak} of security in {skills} {are} not listed; --profile security lists {them}",
                    "{skills}中有 {count} 个较弱的安全问题没有列出；--profile security 会列出它们";
                    skills
                ),
            ));
        }
        lines
    }

    /// A note for reviewers who see no findings of security; `None`: none is needed.
    fn told_switched_off(&self) -> Option<String> {
        let SwitchedOff { settings, comments } = self.switched_off;
        let by = match (settings, comments) {
            (0, 0) => return None,
            (_, 0) => message!("by the project's settings", "由项目设置"),
            (0, _) => message!("by comments", "由注释"),
            (settings, comments) => message!(
                "by the project: {settings} by its settings, {comments} by comments",
                "由项目（设置 {settings} 个，注释 {comments} 个）"
            ),
        };
        let count = (settings + comments) as usize;
        let are = if count == 1 { "is" } else { "are" };
        let problems = counted(count, Thing::Problem).en;
        Some(words!(
            "{problems} of security {are} switched off {by}; --no-project-settings shows them",
            "{by}关闭了 {count} 个安全问题；--no-project-settings 会显示它们"; by
        ))
    }

    /// Those that are shown.
    fn findings(&self) -> impl Iterator<Item = &FindingDto> {
        self.findings.iter().filter(|finding| finding.severity >= self.least)
    }

    fn quirks(&self) -> impl Iterator<Item = &QuirkDto> {
        self.quirks.iter().filter(|quirk| quirk.severity >= self.least)
    }

    fn said(&self) -> impl Iterator<Item = Said<'_>> {
        self.findings().map(Said::from).chain(self.quirks().map(Said::from))
    }
}

/// How many findings there are of each kind, those that are not shown included.
#[derive(Default)]
struct Counts {
    severities: [usize; 3],
    /// What `--fix` fixes.
    fixable: usize,
    /// What `--fix --unsafe-fixes` also fixes.
    fixable_unsafely: usize,
}

impl Counts {
    fn of_all(findings: &[FindingDto]) -> Self {
        let mut counts = Self::default();
        for finding in findings {
            counts.severities[finding.severity as usize] += 1;
            // Fixes are made a skill at a time.
            let alone = lint::find(&finding.rule).is_some_and(|rule| !matches!(rule.check, Check::Set(_)));
            match finding.fix.as_ref().filter(|_| alone).map(|fix| fix.applicability) {
                Some(Applicability::Safe) => counts.fixable += 1,
                Some(Applicability::Unsafe) => counts.fixable_unsafely += 1,
                None => {}
            }
        }
        counts
    }

    fn of(&self, severity: Severity) -> usize {
        self.severities[severity as usize]
    }
}

/// How many pieces of evidence are not among the findings.
fn unlisted(security: &SecurityDto) -> usize {
    security.evidence.iter().filter(|evidence| !evidence.listed).count()
}

/// The verdict on a skill in a line, with how much there is.
fn told_verdict(security: &SecurityDto, sources: &Sources) -> String {
    let skill = line(sources.shown(&security.skill));
    let found = counted(security.evidence.len(), Thing::Problem);
    let verdict = worded(security.verdict);
    let more = match unlisted(security) {
        0 => Message::default(),
        more => message!(
            ", {more} of them not listed; `skillbench lint --profile security {skill}` lists all",
            "，其中 {more} 个没有列出；`skillbench lint --profile security {skill}` 会全部列出"
        ),
    };
    words!(
        "{skill}: {verdict} ({found} of security{more})",
        "{skill}：{verdict}（安全方面有 {found}{more}）";
        verdict, found, more
    )
}

/// A verdict in a line.
pub fn worded(verdict: Verdict) -> Message {
    match verdict {
        Verdict::Clear => message!("nothing found", "没有发现问题"),
        Verdict::Hints => message!("hints only", "只有提示"),
        Verdict::Look => message!("look at it before you use it", "使用前请检查"),
        Verdict::Dangerous => message!("dangerous", "危险"),
    }
}

/// A finding or a quirk.
struct Said<'a> {
    severity: Severity,
    /// The rule; of a quirk, framework and kind.
    code: &'a str,
    /// What all such cases have in common.
    gist: &'a str,
    message: String,
    path: Option<&'a str>,
    range: Option<TextRange>,
    fix: Option<&'a FixDto>,
    steps: &'a [StepDto],
    fingerprint: Option<&'a str>,
}

impl<'a> From<&'a FindingDto> for Said<'a> {
    fn from(finding: &'a FindingDto) -> Self {
        Self {
            severity: finding.severity,
            code: &finding.rule,
            gist: &finding.message,
            message: Message { en: finding.message.clone(), zh: finding.message_zh.clone() }.chosen(),
            path: Some(&finding.path),
            range: finding.range,
            fix: finding.fix.as_ref(),
            steps: &finding.steps,
            fingerprint: Some(&finding.fingerprint),
        }
    }
}

impl<'a> From<&'a QuirkDto> for Said<'a> {
    fn from(quirk: &'a QuirkDto) -> Self {
        let detail =
            if quirk.detail.is_empty() { String::new() } else { words!(": {}", "：{}", gist(&quirk.detail, 100)) };
        Self {
            severity: quirk.severity,
            code: &quirk.code,
            gist: &quirk.message,
            message: format!("{}{detail}", quirk.kind.worded().chosen()),
            path: quirk.path.as_deref(),
            range: quirk.range,
            fix: None,
            steps: &[],
            fingerprint: None,
        }
    }
}
