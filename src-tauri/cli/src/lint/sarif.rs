//! SARIF 2.1.0, as code hosts and editors take it in.
//! https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Write};

use api::VERSION;
use api::dto::{EvidenceDto, FixDto, SecurityDto, StepDto, TextRange};
use camino::Utf8Path;
use lint::{Group, Rule};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use skill::Severity;
use skill::manifest::FILE_NAME;
use skill::source::Newline;

use super::source::{Source, Sources};
use super::{Answer, Said};
use crate::language::{Chosen, language};
use wording::Message;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// What paths are relative to.
const BASE: &str = "SRCROOT";

pub fn write(answer: &Answer, sources: &mut Sources, out: &mut dyn Write) -> io::Result<()> {
    // By id, each with its place in the list.
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut rules = Vec::new();
    for said in answer.said() {
        places.entry(said.code).or_insert_with(|| {
            rules.push(lint::find(said.code).map_or_else(|| of_quirk(&said), of_rule));
            rules.len() - 1
        });
    }
    let here = sources.here();
    let log = Log { answer, rules, places, here, sources: RefCell::new(sources) };
    serde_json::to_writer_pretty(&mut *out, &log)?;
    writeln!(out)
}

/// Written as it is made: results may be many.
struct Log<'a> {
    answer: &'a Answer,
    rules: Vec<Value>,
    places: BTreeMap<&'a str, usize>,
    here: String,
    sources: RefCell<&'a mut Sources>,
}

impl Serialize for Log<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut log = serializer.serialize_map(Some(3))?;
        log.serialize_entry("$schema", SCHEMA)?;
        log.serialize_entry("version", "2.1.0")?;
        log.serialize_entry("runs", &[Run(self)])?;
        log.end()
    }
}

struct Run<'a, 'b>(&'a Log<'b>);

impl Serialize for Run<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Log { answer, rules, here, .. } = self.0;
        let complaint = |text: &wording::Message| json!({ "level": "warning", "message": { "text": text.en } });
        let complaints: Vec<Value> = answer.complaints.iter().map(complaint).collect();
        let mut run = serializer.serialize_map(None)?;
        run.serialize_entry(
            "tool",
            &json!({ "driver": {
                "name": "skillbench",
                "fullName": "Skill Workbench",
                "version": VERSION,
                "semanticVersion": VERSION,
                "rules": rules,
            } }),
        )?;
        run.serialize_entry(
            "invocations",
            &json!([{ "executionSuccessful": true, "toolExecutionNotifications": complaints }]),
        )?;
        run.serialize_entry("originalUriBaseIds", &json!({ BASE: { "uri": here } }))?;
        run.serialize_entry("columnKind", "utf16CodeUnits")?;
        run.serialize_entry("results", &Results(self.0))?;
        if let Some(security) = &answer.security {
            let sources = &mut **self.0.sources.borrow_mut();
            let verdicts: Vec<Value> = security.iter().map(|security| verdict(security, sources)).collect();
            run.serialize_entry("properties", &json!({ "security": verdicts }))?;
        }
        run.end()
    }
}

struct Results<'a, 'b>(&'a Log<'b>);

impl Serialize for Results<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut results = serializer.serialize_seq(None)?;
        for said in self.0.answer.said() {
            results.serialize_element(&result(self.0, &said))?;
        }
        results.end()
    }
}

fn result(log: &Log<'_>, said: &Said<'_>) -> Value {
    let sources = &mut **log.sources.borrow_mut();
    let mut result = json!({
        "ruleId": said.code,
        "ruleIndex": log.places.get(said.code),
        "level": level(said.severity),
        "message": { "text": said.message },
    });
    if let Some(path) = said.path {
        result["locations"] = json!([{ "physicalLocation": physical(path, said.range, sources) }]);
    }
    if !said.steps.is_empty() {
        result["codeFlows"] = json!([code_flow(said.steps, sources)]);
    }
    if let Some(fingerprint) = said.fingerprint {
        result["partialFingerprints"] = json!({ "skillbench/v1": fingerprint });
        if log.answer.baseline.is_some() {
            result["baselineState"] = json!("new");
        }
    }
    if let Some(fix) = said.fix.and_then(|fix| changes(fix, sources)) {
        result["fixes"] = json!([fix]);
    }
    result
}

/// The way of private data, as one thread.
fn code_flow(steps: &[StepDto], sources: &mut Sources) -> Value {
    let locations: Vec<Value> = steps
        .iter()
        .map(|step| {
            let place = physical(&step.path, step.range, sources);
            let message = Message { en: step.message.clone(), zh: step.message_zh.clone() }.chosen();
            json!({ "location": { "physicalLocation": place, "message": { "text": message } } })
        })
        .collect();
    json!({ "threadFlows": [{ "locations": locations }] })
}

/// The verdict on a skill with all of its evidence, including evidence that is not a result: SARIF has no place for it,
/// so it is a property.
fn verdict(security: &SecurityDto, sources: &mut Sources) -> Value {
    let mut evidence = Vec::new();
    for EvidenceDto { finding, listed } in &security.evidence {
        let said = Said::from(finding);
        let mut piece = json!({
            "ruleId": said.code,
            "level": level(said.severity),
            "message": { "text": said.message },
            "listed": listed,
            "physicalLocation": physical(&finding.path, said.range, sources),
        });
        if !said.steps.is_empty() {
            piece["codeFlows"] = json!([code_flow(said.steps, sources)]);
        }
        evidence.push(piece);
    }
    json!({ "skill": artifact(&security.skill, sources), "verdict": security.verdict, "evidence": evidence })
}

/// Code hosts show neither folders nor results without a place: results about a skill are placed at the top of its
/// file.
fn physical(path: &str, range: Option<TextRange>, sources: &mut Sources) -> Value {
    let manifest = Some(Utf8Path::new(path).join(FILE_NAME)).filter(|manifest| manifest.is_file());
    let path = manifest.as_ref().map_or(path, |manifest| manifest.as_str());
    let range = range.and_then(|range| Some((range, sources.of(path)?)));
    let region = range.map_or_else(|| json!({ "startLine": 1 }), |(range, source)| region(&source, range));
    json!({ "artifactLocation": artifact(path, sources), "region": region })
}

fn of_rule(rule: &'static Rule) -> Value {
    let group = rule.group.id();
    let page = lint::docs::card(rule, language());
    let mut properties = json!({ "tags": [group], "problem.severity": problem_severity(rule.severity) });
    if rule.group == Group::Security {
        // By this number code hosts sort security findings.
        properties["security-severity"] = json!(match rule.severity {
            Severity::Error => "8.0",
            Severity::Warning => "5.0",
            Severity::Info => "2.0",
        });
    }
    json!({
        "id": rule.id,
        "name": pascal_case(rule.id),
        "shortDescription": { "text": rule.title.chosen() },
        "fullDescription": { "text": rule.what.chosen() },
        "help": { "text": format!("{}\n\n{}", rule.what.chosen(), rule.why.chosen()), "markdown": page.trim() },
        "defaultConfiguration": { "level": level(rule.severity) },
        "properties": properties,
    })
}

fn of_quirk(said: &Said<'_>) -> Value {
    json!({
        "id": said.code,
        "shortDescription": { "text": said.gist },
        "defaultConfiguration": { "level": level(said.severity) },
        "properties": { "tags": ["quirk"], "problem.severity": problem_severity(said.severity) },
    })
}

fn artifact(path: &str, sources: &Sources) -> Value {
    let uri = sources.uri(path);
    let mut artifact = json!({ "uri": uri.text });
    if uri.relative {
        artifact["uriBaseId"] = json!(BASE);
    }
    artifact
}

/// By lines and columns: these are the same whatever ends the lines.
fn region(source: &Source, range: TextRange) -> Value {
    let end = source.end(range);
    json!({ "startLine": range.line, "startColumn": range.column, "endLine": end.line, "endColumn": end.column })
}

/// `None` if it has no edits (of line ends), or a file can no longer be read.
fn changes(fix: &FixDto, sources: &mut Sources) -> Option<Value> {
    if fix.edits.is_empty() {
        return None;
    }
    let mut files: Vec<(&str, Vec<Value>)> = Vec::new();
    for edit in &fix.edits {
        let source = sources.of(&edit.path)?;
        let text = match source.newline {
            Newline::CrLf => edit.text.replace('\n', "\r\n"),
            Newline::Lf | Newline::Mixed => edit.text.clone(),
        };
        let replacement = json!({ "deletedRegion": region(&source, edit.range), "insertedContent": { "text": text } });
        match files.iter_mut().find(|(path, _)| *path == edit.path) {
            Some((_, replacements)) => replacements.push(replacement),
            None => files.push((&edit.path, vec![replacement])),
        }
    }
    let changes: Vec<Value> = files
        .into_iter()
        .map(
            |(path, replacements)| json!({ "artifactLocation": artifact(path, sources), "replacements": replacements }),
        )
        .collect();
    Some(json!({ "description": { "text": fix.title }, "artifactChanges": changes }))
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn problem_severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "recommendation",
    }
}

/// `name-uppercase` as `NameUppercase`.
fn pascal_case(id: &str) -> String {
    id.split('-')
        .flat_map(|word| {
            let mut letters = word.chars();
            letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters)
        })
        .collect()
}
