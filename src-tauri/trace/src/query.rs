//! What a user types to find steps of recorded runs: words, "phrases" and filters such as `kind:tool dur:>500ms`. All
//! of it must hold. A store may find candidates faster; this decides what matches.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use wording::{Message as Words, message};

use crate::clock::Millis;
use crate::passage::{Facts, KindOfStep, folded, place};
use crate::review::Judged;
use crate::{RunSummary, StepState};

/// Words and filters that runs and steps are searched by.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    /// As [`folded`] gives them; phrases are one word.
    words: Vec<String>,
    kind: Option<KindOfStep>,
    status: Option<StepState>,
    tool: Option<String>,
    skill: Option<String>,
    took: Bounds,
    /// In millionths of a US dollar.
    cost: Bounds,
    tokens: Bounds,
    harness: Option<String>,
    model: Option<String>,
    verdict: Option<Wanted>,
    since: Option<Millis>,
    until: Option<Millis>,
}

/// Which verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Is(Judged),
    None,
}

/// The query cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.worded().en)]
pub struct QueryError {
    /// Its place, in characters from 1.
    pub column: usize,
    pub reason: Words,
}

impl QueryError {
    /// The place, and what is wrong there.
    pub fn worded(&self) -> Words {
        let Self { column, reason } = self;
        message!("column {column}: {reason}", "第 {column} 列：{reason}"; reason)
    }
}

/// A smallest and a largest number, both allowed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Bounds {
    least: Option<i64>,
    most: Option<i64>,
}

impl Bounds {
    fn allow(self, number: Option<i64>) -> bool {
        if self == Self::default() {
            return true;
        }
        number.is_some_and(|number| {
            self.least.is_none_or(|least| number >= least) && self.most.is_none_or(|most| number <= most)
        })
    }
}

impl Query {
    /// `now`: what `since:7d` counts from.
    pub fn parse(text: &str, now: Millis) -> Result<Self, QueryError> {
        let mut query = Self::default();
        for Term { at, name, value } in terms(text)? {
            let Some(name) = name else {
                query.words.extend(Some(folded(&value)).filter(|word| !word.is_empty()));
                continue;
            };
            let column = text[..at].chars().count() + 1;
            query.filter(&name, &value, now).map_err(|reason| QueryError { column, reason })?;
        }
        Ok(query)
    }

    /// Whether it asks about steps, and not about whole runs alone.
    pub fn is_about_steps(&self) -> bool {
        let runs = Self {
            harness: self.harness.clone(),
            model: self.model.clone(),
            verdict: self.verdict,
            since: self.since,
            until: self.until,
            ..Self::default()
        };
        *self != runs
    }

    /// Whether a skill is all that it asks of steps: a run that had the skill matches then, whatever it did with it.
    pub fn is_about_a_skill_of_runs(&self) -> bool {
        self.skill.is_some() && !Self { skill: None, ..self.clone() }.is_about_steps()
    }

    /// Whether the run had the skill, and the filters about runs let it in.
    pub fn allows_run_with_skill(&self, run: &RunSummary) -> bool {
        self.allows_run(run) && run.setup.skills.iter().any(|skill| holds(skill, self.skill.as_ref()))
    }

    /// Whether it asks anything about whole runs.
    pub fn is_about_runs(&self) -> bool {
        let steps = Self { harness: None, model: None, verdict: None, since: None, until: None, ..self.clone() };
        *self != steps
    }

    /// Those that the texts must hold, as they are compared.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Whether the run matches the filters about runs; those about steps are ignored.
    pub fn allows_run(&self, run: &RunSummary) -> bool {
        let setup = &run.setup;
        holds(&format!("{}@{}", setup.harness, setup.variant), self.harness.as_ref())
            && holds(&setup.model, self.model.as_ref())
            && self.since.is_none_or(|since| run.started_at >= since)
            && self.until.is_none_or(|until| run.started_at < until)
            && match self.verdict {
                None => true,
                Some(Wanted::None) => run.verdict.is_none(),
                Some(Wanted::Is(judged)) => run.verdict == Some(judged),
            }
    }

    /// Whether the filters about steps let it in.
    pub fn allows_facts(&self, step: &Facts) -> bool {
        // What goes before a conversation is asked for by its words or its name: all else that is asked is about steps.
        let of_steps = self.status.is_some() || [self.took, self.cost, self.tokens] != [Bounds::default(); 3];
        let is_wanted = step.kind != KindOfStep::System || !of_steps && (self.kind.is_some() || !self.words.is_empty());
        is_wanted
            && self.kind.is_none_or(|kind| kind == step.kind)
            && self.status.is_none_or(|status| status == step.state)
            && holds(&step.tool, self.tool.as_ref())
            && holds(&step.skill, self.skill.as_ref())
            && self.took.allow(step.took)
            && self.cost.allow(step.cost)
            && self.tokens.allow(Some(step.tokens))
    }

    /// Whether all words are in it.
    pub fn allows_text(&self, text: &str) -> bool {
        self.words.iter().all(|word| place(text, word).is_some())
    }

    fn filter(&mut self, name: &str, value: &str, now: Millis) -> Result<(), Words> {
        if value.is_empty() {
            return Err(message!("`{name}:` needs a value", "`{name}:` 缺少值"));
        }
        let lower = folded(value);
        match name {
            "kind" => once(&mut self.kind, name, kind(&lower)?),
            "status" => once(&mut self.status, name, status(&lower)?),
            "tool" => once(&mut self.tool, name, lower),
            "skill" => once(&mut self.skill, name, lower),
            "harness" | "framework" => once(&mut self.harness, name, lower),
            "model" => once(&mut self.model, name, lower),
            "verdict" => once(&mut self.verdict, name, verdict(&lower)?),
            "since" => once(&mut self.since, name, moment(&lower, now, Side::Begin)?),
            "until" => once(&mut self.until, name, moment(&lower, now, Side::End)?),
            "dur" => self.took.narrow(&lower, milliseconds, "dur:>500ms"),
            "cost" => self.cost.narrow(&lower, millionths, "cost:>0.01"),
            "tokens" => self.tokens.narrow(&lower, |text| text.parse().ok(), "tokens:>1000"),
            _ => Err(message!(
                "there is no filter `{name}:`; there are {FILTERS}. Put text with a colon in quotes",
                "没有筛选条件 `{name}:`；已有的：{FILTERS}。带冒号的文字请加引号"
            )),
        }
    }
}

const FILTERS: &str = "kind, status, tool, skill, dur, cost, tokens, harness, model, verdict, since, until";

/// Whether a text has what a filter names in it.
fn holds(text: &str, wanted: Option<&String>) -> bool {
    wanted.is_none_or(|wanted| place(text, wanted).is_some())
}

impl Bounds {
    fn narrow(&mut self, value: &str, read: impl Fn(&str) -> Option<i64>, example: &str) -> Result<(), Words> {
        let signs = [(">=", 0, false), ("<=", 0, true), (">", 1, false), ("<", -1, true)];
        let sign = signs.into_iter().find(|(sign, ..)| value.starts_with(sign));
        let number = read(value[sign.map_or(0, |(sign, ..)| sign.len())..].trim());
        let Some(number) = number else {
            return Err(message!(
                "`{value}` is not an amount; write it as in {example}",
                "`{value}` 不是有效的数量；写法如 {example}"
            ));
        };
        match sign {
            Some((_, step, true)) => self.most = Some(number.saturating_add(step)),
            Some((_, step, false)) => self.least = Some(number.saturating_add(step)),
            None => *self = Self { least: Some(number), most: Some(number) },
        }
        Ok(())
    }
}

fn once<T>(place: &mut Option<T>, name: &str, value: T) -> Result<(), Words> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(message!("`{name}:` is given twice", "`{name}:` 给了两次")),
    }
}

fn kind(value: &str) -> Result<KindOfStep, Words> {
    KindOfStep::of(value).ok_or_else(|| {
        message!(
            "`{value}` is not a kind of step; there are prompt, answer, tool, note, end, system",
            "`{value}` 不是步骤的种类；已有的：prompt、answer、tool、note、end、system"
        )
    })
}

fn status(value: &str) -> Result<StepState, Words> {
    match value {
        "done" => Ok(StepState::Done),
        "error" | "failed" => Ok(StepState::Failed),
        "stopped" => Ok(StepState::Stopped),
        _ => Err(message!(
            "`{value}` is not a status of a step; there are done, error, stopped",
            "`{value}` 不是步骤的状态；已有的：done、error、stopped"
        )),
    }
}

fn verdict(value: &str) -> Result<Wanted, Words> {
    let wanted = if value == "none" { Some(Wanted::None) } else { Judged::of(value).map(Wanted::Is) };
    wanted.ok_or_else(|| {
        message!(
            "`{value}` is not a verdict; there are pass, fail, unsure, and none for runs without one",
            "`{value}` 不是结论；已有的：pass、fail、unsure，以及表示尚无结论的 none"
        )
    })
}

/// Of a day.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Begin,
    End,
}

/// One side of a day, or so long before now.
fn moment(value: &str, now: Millis, side: Side) -> Result<Millis, Words> {
    let units = [('m', 60_000), ('h', 3_600_000), ('d', 86_400_000), ('w', 604_800_000)];
    let ago = units.into_iter().find_map(|(unit, length)| {
        let number: i64 = value.strip_suffix(unit)?.parse().ok()?;
        Some(now.saturating_sub(number.checked_mul(length)?))
    });
    let day = || {
        let day = value.parse::<Date>().ok()?;
        let day = if side == Side::End { day.tomorrow().ok()? } else { day };
        day.to_zoned(TimeZone::system()).ok()
    };
    ago.or_else(|| day().map(|day| day.timestamp().as_millisecond())).ok_or_else(|| {
        message!(
            "`{value}` is not a time; write 2026-01-31, or 7d for seven days ago",
            "`{value}` 不是时间；写法如 2026-01-31，或用 7d 表示七天前"
        )
    })
}

fn milliseconds(value: &str) -> Option<i64> {
    let units = [("ms", 1.0), ("s", 1000.0), ("m", 60_000.0), ("h", 3_600_000.0)];
    let (number, length) =
        units.into_iter().find_map(|(unit, length)| Some((value.strip_suffix(unit)?, length))).unwrap_or((value, 1.0));
    whole(number.trim().parse::<f64>().ok()? * length)
}

fn millionths(value: &str) -> Option<i64> {
    whole(value.trim_start_matches('$').parse::<f64>().ok()? * 1e6)
}

fn whole(number: f64) -> Option<i64> {
    (number.is_finite() && (0.0..1e15).contains(&number)).then_some(number.round() as i64)
}

/// A word, a phrase or a filter, and where it begins.
struct Term {
    at: usize,
    name: Option<String>,
    value: String,
}

fn terms(text: &str) -> Result<Vec<Term>, QueryError> {
    let mut terms = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let at = text.len() - rest.len();
        if rest.is_empty() {
            return Ok(terms);
        }
        let end = rest.find(|letter: char| letter.is_whitespace() || is_quote(letter) || is_colon(letter));
        let mut name = None;
        if let Some((end, colon)) =
            end.and_then(|end| Some((end, rest[end..].chars().next().filter(|letter| is_colon(*letter))?)))
            && is_name(&rest[..end])
        {
            name = Some(rest[..end].to_lowercase());
            rest = &rest[end + colon.len_utf8()..];
        }
        let value = match rest.chars().next().filter(|letter| is_quote(*letter)) {
            Some(quote) => {
                let inner = &rest[quote.len_utf8()..];
                let Some((end, closing)) = inner.char_indices().find(|(_, letter)| is_quote(*letter)) else {
                    let column = text[..text.len() - rest.len()].chars().count() + 1;
                    let reason = message!("the quotation mark is not closed", "引号没有闭合");
                    return Err(QueryError { column, reason });
                };
                rest = &inner[end + closing.len_utf8()..];
                &inner[..end]
            }
            None => {
                let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
                let (value, after) = rest.split_at(end);
                rest = after;
                value
            }
        };
        terms.push(Term { at, name, value: value.to_owned() });
    }
}

/// Filters have names in Latin letters; a colon after anything else is text.
fn is_name(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|letter| letter.is_ascii_alphabetic())
}

/// Chinese keyboards type other marks.
fn is_quote(letter: char) -> bool {
    matches!(letter, '"' | '“' | '”')
}

fn is_colon(letter: char) -> bool {
    matches!(letter, ':' | '：')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passage::Passage;
    use crate::{StepKind, fold, sample};

    const NOW: Millis = 1_800_000_000_000;

    fn query(text: &str) -> Query {
        Query::parse(text, NOW).unwrap()
    }

    fn refused(text: &str) -> String {
        Query::parse(text, NOW).unwrap_err().to_string()
    }

    fn allows(query: &Query, passage: &Passage) -> bool {
        query.allows_facts(&passage.facts) && query.allows_text(&passage.text)
    }

    /// Steps of the sample run.
    fn found(text: &str) -> Vec<u32> {
        let (query, steps) = (query(text), fold::steps(&sample::seven_messages()));
        let passages = steps.iter().map(Passage::of);
        passages.filter(|passage| allows(&query, passage)).map(|passage| passage.facts.step).collect()
    }

    #[test]
    fn words_phrases_and_filters_all_hold() {
        assert_eq!(query("A \"b C\" ").words(), ["a", "b c"]);
        let tools = found("kind:tool");
        assert_eq!(tools.len(), 3);
        assert_eq!(found("kind:tool LOAD_skill"), tools[..1]);
        assert_eq!(found("kind:tool skill:unit"), tools, "all three reach into it");
        assert!(found("kind:tool status:error").is_empty());
        assert!(found("tool:load_skill nowhere").is_empty());
    }

    #[test]
    fn prompts_that_name_a_skill_reach_into_it() {
        let mut step = fold::steps(&sample::seven_messages()).remove(0);
        assert!(!allows(&query("skill:unit"), &Passage::of(&step)));
        let StepKind::Prompt { skills, .. } = &mut step.kind else { panic!("a prompt") };
        *skills = vec!["pdf".into(), "unit-converter".into()];
        assert!(allows(&query("skill:unit kind:prompt"), &Passage::of(&step)));
    }

    #[test]
    fn chinese_is_found_with_the_marks_of_its_keyboards() {
        assert_eq!(found("公斤 kind：prompt"), [0]);
        assert_eq!(found("“一公斤有” kind:prompt"), [0]);
        assert_eq!(found("一公斤有几磅？"), [0], "a question mark in full width");
        assert!(found("英寸").is_empty());
        assert_eq!(query("注意：公斤 10:30").words(), ["注意:公斤", "10:30"], "a colon after other letters is text");
    }

    #[test]
    fn amounts_have_units_and_signs() {
        let took = |text: &str| query(text).took;
        assert_eq!(took("dur:>500ms"), Bounds { least: Some(501), most: None });
        assert_eq!(took("dur:<=1.5s"), Bounds { least: None, most: Some(1500) });
        assert_eq!(took("dur:>1s dur:<2s"), Bounds { least: Some(1001), most: Some(1999) });
        assert_eq!(query("cost:>0.01").cost, Bounds { least: Some(10_001), most: None });
        assert!(!took("dur:>1s").allow(None), "a step that has none is not longer");
        assert_eq!(query("since:2d").since, Some(NOW - 2 * 86_400_000));
        let day = query("since:2026-01-31 until:2026-01-31");
        assert!(day.until.unwrap() - day.since.unwrap() >= 82_800_000, "the day itself counts");
    }

    #[test]
    fn an_error_names_its_place() {
        assert_eq!(
            refused("kind:tool 字 stat:x"),
            format!("column 13: there is no filter `stat:`; there are {FILTERS}. Put text with a colon in quotes")
        );
        assert_eq!(
            refused("kind:tol"),
            "column 1: `tol` is not a kind of step; there are prompt, answer, tool, note, end, system"
        );
        assert_eq!(refused("a \"b"), "column 3: the quotation mark is not closed");
        assert_eq!(refused("a dur:>x"), "column 3: `>x` is not an amount; write it as in dur:>500ms");
        assert_eq!(refused("kind:tool kind:note"), "column 11: `kind:` is given twice");
        assert_eq!(
            refused("since:later"),
            "column 1: `later` is not a time; write 2026-01-31, or 7d for seven days ago"
        );
        assert_eq!(refused("skill:"), "column 1: `skill:` needs a value");
        assert!(refused("verdict:good").starts_with("column 1: `good` is not a verdict; there are pass, fail, unsure"));
    }

    #[test]
    fn a_run_is_found_by_its_setup_and_its_verdict() {
        let run = fold::replay(&sample::seven_messages()).summary(sample::run_id(), false).unwrap();
        assert!(query(&format!("harness:{}", run.setup.harness)).allows_run(&run));
        assert!(query("framework:agent verdict:none").allows_run(&run));
        assert!(!query("model:nobody").allows_run(&run));
        let failed = RunSummary { verdict: Some(Judged::Fail), ..run };
        assert!(query("verdict:fail").allows_run(&failed));
        assert!(!query("verdict:none").allows_run(&failed));
        assert!(!query("harness:eino since:1d verdict:pass").is_about_steps());
        assert!(query("harness:eino x").is_about_steps());
        assert!(!query("kind:tool x").is_about_runs());
        assert!(query("skill:UNIT").is_about_a_skill_of_runs() && query("skill:UNIT").allows_run_with_skill(&failed));
        assert!(!query("skill:pdf").allows_run_with_skill(&failed));
        assert!(!query("skill:unit verdict:pass").allows_run_with_skill(&failed));
        assert!(!query("skill:unit kind:tool").is_about_a_skill_of_runs());
        assert!(!query("verdict:fail").is_about_a_skill_of_runs());
    }
}
