//! From the rooms' values, which count bytes, to the window's, which count UTF-16 units.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

use super::dto::{
    EditDto, EvidenceDto, FindingDto, FixDto, MarkedText, ProblemDto, QuirkDto, SecurityDto, StepDto, TextMark,
    TextPlace, TextRange, TextStart,
};
use harness::{Catalog, Mark, Marked, Quirk, QuirkKind};
use lint::analysis::flow::Step;
use lint::verdict::{Security, Verdict};
use lint::{Disk, Edit, Files, Finding, Fix, Secrets};
use skill::paths::Paths;
use skill::source::{LineIndex, SourceText, Span};
use skill::{Drafts, Problem};

/// A problem of a file as a whole.
pub(super) fn unplaced(problem: &Problem) -> ProblemDto {
    ProblemDto {
        severity: problem.kind.severity(),
        message: problem.kind.to_string(),
        path: problem.path.to_string(),
        kind: problem.kind.clone(),
    }
}

/// Findings with their places as editors count them, and the fixes that an editor can make.
pub(super) fn findings<'a>(found: impl IntoIterator<Item = &'a Finding>, files: &dyn Files) -> Vec<FindingDto> {
    converted(found, files, |_| None)
}

/// As [`findings`], with the fixes that an editor cannot make because it would see no change, of line ends: they come
/// without edits.
pub(super) fn findings_on_disk<'a>(found: impl IntoIterator<Item = &'a Finding>, files: &dyn Files) -> Vec<FindingDto> {
    converted(found, files, |fix| {
        Some(FixDto {
            title: fix.title.en.clone(),
            title_zh: fix.title.zh.clone(),
            applicability: fix.applicability,
            edits: Vec::new(),
        })
    })
}

fn converted<'a>(
    found: impl IntoIterator<Item = &'a Finding>,
    files: &dyn Files,
    unseen: fn(&Fix) -> Option<FixDto>,
) -> Vec<FindingDto> {
    let mut texts: HashMap<&Utf8Path, Option<Shown>> = HashMap::new();
    let mut seen: HashMap<String, u32> = HashMap::new();
    let converted = found.into_iter().map(|finding| {
        // They mostly come file by file: texts that were read long ago are not needed again.
        if texts.len() > TEXTS_KEPT {
            texts.clear();
        }
        let place = finding.span.and_then(|span| Some((shown(&mut texts, &finding.path, files)?, span)));
        let line = place.map(|(shown, span)| shown.line(span)).unwrap_or_default();
        let range = place.map(|(shown, span)| shown.ruler.range(span));
        let plain = format!("{}\n{}\n{}", finding.rule.id, finding.path.file_name().unwrap_or_default(), line.trim());
        let nth = seen.entry(format!("{}\n{plain}", finding.path)).and_modify(|nth| *nth += 1).or_default();
        let mut fingerprint = disk::digest(format!("{plain}\n{nth}"));
        fingerprint.truncate(16);
        FindingDto {
            rule: finding.rule.id.to_owned(),
            severity: finding.severity,
            message: finding.message.en.clone(),
            message_zh: finding.message.zh.clone(),
            problem: finding.problem.clone(),
            path: finding.path.to_string(),
            range,
            end: place.map(|(shown, span)| shown.ruler.place(span.end)),
            fix: finding.fix.as_ref().and_then(|fix| fix_of(fix, &mut texts, files, unseen)),
            steps: finding.steps.iter().map(|step| step_of(step, &mut texts, files)).collect(),
            fingerprint,
        }
    });
    converted.collect()
}

fn step_of<'a>(step: &'a Step, texts: &mut HashMap<&'a Utf8Path, Option<Shown>>, files: &dyn Files) -> StepDto {
    let ruler = shown(texts, &step.path, files).map(|shown| &shown.ruler);
    StepDto {
        path: step.path.to_string(),
        range: ruler.map(|ruler| ruler.range(step.span)),
        end: ruler.map(|ruler| ruler.place(step.span.end)),
        message: step.message.en.clone(),
        message_zh: step.message.zh.clone(),
    }
}

/// The verdict on a skill as programs and the window have it.
pub(super) fn security(skill: &Utf8Path, found: &Security<Finding>, files: &dyn Files) -> SecurityDto {
    let converted = findings(found.evidence.iter().map(|evidence| &evidence.finding), files);
    let listed = found.evidence.iter().map(|evidence| evidence.listed);
    of_security(skill, found.verdict, converted.into_iter().zip(listed))
}

pub(super) fn of_security(
    skill: &Utf8Path,
    verdict: Verdict,
    evidence: impl IntoIterator<Item = (FindingDto, bool)>,
) -> SecurityDto {
    let evidence = evidence.into_iter().map(|(finding, listed)| EvidenceDto { finding, listed }).collect();
    SecurityDto { skill: skill.to_string(), verdict, evidence }
}

/// How many bytes of its line are used to distinguish a finding: a file may be one line with many findings.
const LINE_COUNTED: usize = 1 << 10;

/// Texts held at once while findings are measured.
const TEXTS_KEPT: usize = 32;

fn fix_of<'a>(
    fix: &'a Fix,
    texts: &mut HashMap<&'a Utf8Path, Option<Shown>>,
    files: &dyn Files,
    unseen: fn(&Fix) -> Option<FixDto>,
) -> Option<FixDto> {
    let edits: Option<Vec<EditDto>> = fix
        .edits
        .iter()
        .map(|edit| {
            let shown = shown(texts, &edit.path, files)?;
            let text = edit.text.replace("\r\n", "\n");
            let range = shown.ruler.range(edit.span);
            Some(EditDto { path: edit.path.to_string(), range, text })
        })
        .collect();
    // An editor knows neither line ends nor byte order marks.
    let changes = |edit: &Edit| {
        let before = texts
            .get(&*edit.path)
            .and_then(Option::as_ref)
            .and_then(|shown| Some(shown.source.text.get(edit.span.start..edit.span.end)?.replace("\r\n", "\n")));
        before.is_none_or(|before| before != edit.text.replace("\r\n", "\n"))
    };
    if !fix.edits.iter().any(changes) {
        return unseen(fix);
    }
    Some(FixDto {
        title: fix.title.en.clone(),
        title_zh: fix.title.zh.clone(),
        applicability: fix.applicability,
        edits: edits?,
    })
}

/// A file's text, ready to be measured.
struct Shown {
    source: Arc<SourceText>,
    ruler: Ruler,
}

impl Shown {
    /// The beginning of the line on which a span begins. The file may have changed since it was found.
    fn line(&self, span: Span) -> &str {
        let text = &self.source.text;
        let line = self.ruler.lines.line(span.start);
        &text[line.start..text.floor_char_boundary(line.end.min(line.start + LINE_COUNTED))]
    }
}

fn shown<'a, 'b>(
    texts: &'b mut HashMap<&'a Utf8Path, Option<Shown>>,
    path: &'a Utf8Path,
    files: &dyn Files,
) -> Option<&'b Shown> {
    let read = || {
        // A `SKILL.md` is read whatever is in it.
        let source = files.text(path).or_else(|| SourceText::read(path).ok().map(Arc::new))?;
        Some(Shown { ruler: Ruler::of_editor(&source.text), source })
    };
    texts.entry(path).or_insert_with(read).as_ref()
}

pub(super) fn marked(marked: &Marked) -> MarkedText {
    let TextStart { text, marks, .. } = start(&marked.text, &marked.marks, usize::MAX);
    MarkedText { text, marks }
}

/// The first `most` UTF-16 units of a text, or one less if a character ends behind them.
pub(super) fn start(text: &str, marks: &[Mark], most: usize) -> TextStart {
    let ruler = Ruler::new(text);
    let end = ruler.lines.byte(u32::try_from(most).unwrap_or(u32::MAX));
    let seen = marks.iter().filter(|mark| mark.span.start < end);
    let marks = seen.map(|mark| {
        let range = ruler.range(Span::new(mark.span.start, mark.span.end.min(end)));
        TextMark { from: range.from, to: range.to, origin: mark.origin.clone() }
    });
    TextStart { marks: marks.collect(), text: text[..end].to_owned(), units: ruler.lines.utf16(text.len()) }
}

/// Reads the files that quirks point into. What they quote comes without the secrets of their skills.
pub(super) fn quirks(catalog: &Catalog, paths: &Paths, drafts: &Drafts) -> Vec<QuirkDto> {
    quirks_of(catalog, &catalog.quirks.iter().collect::<Vec<_>>(), paths, drafts)
}

/// The same of some of them.
pub(super) fn quirks_of(catalog: &Catalog, some: &[&Quirk], paths: &Paths, drafts: &Drafts) -> Vec<QuirkDto> {
    let real = |path: &Utf8PathBuf| paths.real(path).unwrap_or_else(|| path.clone());
    let places: Vec<Option<Utf8PathBuf>> = some.iter().map(|quirk| quirk.path.as_ref().map(real)).collect();
    let mut rulers: BTreeMap<&Utf8Path, Option<Ruler>> = BTreeMap::new();
    let mut secrets: BTreeMap<&Utf8Path, Secrets> = BTreeMap::new();
    let converted = some.iter().zip(&places).map(|(quirk, path)| {
        let path = path.as_deref();
        let range = path.zip(quirk.span).and_then(|(path, span)| {
            let read = || match drafts.text(path) {
                Some(draft) => Some(Ruler::of_editor(&draft.text)),
                None => SourceText::read(path).ok().map(|source| Ruler::of_editor(&source.text)),
            };
            rulers.entry(path).or_insert_with(read).as_ref().map(|ruler| ruler.range(span))
        });
        let mut detail = quirk.detail.clone();
        if !detail.is_empty() && !is_a_count(quirk) {
            let folder = path.and_then(folder_of);
            let secrets = folder.map(|folder| secrets.entry(folder).or_insert_with(|| secrets_of(folder)));
            secrets.into_iter().for_each(|secrets| _ = secrets.hide(&mut detail));
            _ = secrets_in(path.unwrap_or(Utf8Path::new("")), &detail).hide(&mut detail);
        }
        QuirkDto {
            kind: quirk.kind,
            code: format!("{}/{}", catalog.harness, quirk.kind.code()),
            severity: quirk.kind.severity(),
            message: quirk.kind.worded().en.to_owned(),
            skill: quirk.skill.clone(),
            path: path.map(Utf8Path::to_string),
            range,
            detail,
        }
    });
    converted.collect()
}

/// Whether the detail of a quirk is a number that the framework's model here made, and no text of a skill.
fn is_a_count(quirk: &Quirk) -> bool {
    use QuirkKind as K;
    let counts = [K::DescriptionCut, K::DescriptionLeftOut, K::DescriptionShortened, K::FilesLeftOut, K::NoRoomInList];
    counts.contains(&quirk.kind) && quirk.detail.bytes().all(|byte| byte.is_ascii_digit())
}

/// The folder of the skill to which a file belongs, or that it is.
fn folder_of(path: &Utf8Path) -> Option<&Utf8Path> {
    path.ancestors().find(|folder| folder.join(skill::manifest::FILE_NAME).is_file())
}

fn secrets_of(folder: &Utf8Path) -> Secrets {
    let found = skill::skills(&skill::load(&[folder.to_owned()]));
    Secrets::all(&found.iter().map(|skill| lint::secrets_of(skill, &Disk)).collect::<Vec<_>>())
}

fn secrets_in(path: &Utf8Path, text: &str) -> Secrets {
    let spans = lint::secrets(path, text, &Secrets::default());
    Secrets::of(spans.into_iter().map(|span| span.of(text).to_owned()))
}

/// Measures spans of one text.
pub(super) struct Ruler {
    lines: LineIndex,
    /// Bytes that the editor's text does not have.
    dropped: Vec<usize>,
}

impl Ruler {
    /// For a text that is shown as it is.
    pub(super) fn new(text: &str) -> Self {
        Self { lines: LineIndex::new(text), dropped: Vec::new() }
    }

    /// For a file's text, which the editor gets with LF line ends.
    pub(super) fn of_editor(text: &str) -> Self {
        let dropped =
            if text.contains('\r') { text.match_indices("\r\n").map(|(at, _)| at).collect() } else { Vec::new() };
        Self { dropped, ..Self::new(text) }
    }

    pub(super) fn range(&self, span: Span) -> TextRange {
        let position = self.lines.position(span.start);
        TextRange { from: self.unit(span.start), to: self.unit(span.end), line: position.line, column: position.column }
    }

    fn place(&self, byte: usize) -> TextPlace {
        let position = self.lines.position(byte);
        TextPlace { line: position.line, column: position.column }
    }

    fn unit(&self, byte: usize) -> u32 {
        let before = self.dropped.partition_point(|dropped| *dropped < byte);
        self.lines.utf16(byte) - u32::try_from(before).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wording::Wording;

    /// As long as the texts of hostile skills may be, on one line.
    #[test]
    fn many_findings_on_one_line_are_measured_in_its_length() {
        let path = Utf8Path::new("/demo/SKILL.md");
        let text = "<!-- lint-ignore a -->".repeat(1 << 14);
        let rule = lint::find("suppression-unknown").expect("there is such a rule");
        let mut found = Vec::new();
        let mut report = lint::Report::new(rule, rule.severity, &mut found);
        for at in (0..text.len()).step_by(22) {
            report.at(path, Span::new(at, at + 4), Wording::new("x", "x"));
        }
        let source = Arc::new(SourceText::of_text(path.to_owned(), text));
        let files = lint::Overlay { below: &lint::Disk, texts: HashMap::from([(path.to_owned(), source)]) };
        let begun = std::time::Instant::now();
        let told = findings(&found, &files);
        assert!(begun.elapsed() < std::time::Duration::from_secs(20), "{:?}", begun.elapsed());
        let fingerprints: std::collections::HashSet<&str> = told.iter().map(|told| &*told.fingerprint).collect();
        assert_eq!(fingerprints.len(), found.len(), "each is told from the others");
    }

    #[test]
    fn measures_a_crlf_file_as_the_editor_shows_it() {
        let text = "---\r\nname: 技能 𝒳\r\nx: y\r\n";
        let shown = text.replace("\r\n", "\n");
        let found = text.find("y\r").expect("it is there");
        let range = Ruler::of_editor(text).range(Span::new(found, found + 1));
        let units: Vec<u16> = shown.encode_utf16().collect();
        assert_eq!(String::from_utf16_lossy(&units[range.from as usize..range.to as usize]), "y");
        assert_eq!((range.line, range.column), (3, 4));
    }
}
