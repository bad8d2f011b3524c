//! The events of a run that is put together from a file: the last ones in memory, those before them in a file without a
//! name, which is deleted with this value. So a long import needs the memory of a part of it.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Lines, Read, Seek, SeekFrom, Write};

use super::{Event, EventKind, TraceError};
use model::{Document, Image, Part};
use wording::message;

/// Events in order.
#[derive(Debug, Default)]
pub struct Spool {
    /// It is written last.
    first: Option<Event>,
    away: Option<Away>,
    last: Vec<Event>,
    /// Of those in memory.
    weight: usize,
    stays: bool,
}

/// JSON, an event a line; but lines of the imported file, which are half of most imports, are stored as they are after
/// a line that announces them.
#[derive(Debug)]
struct Away {
    file: File,
    events: usize,
    /// Bytes of the file that were written whole.
    end: u64,
    /// Of the events.
    weight: usize,
}

/// Bytes of events that stay in memory, about.
const KEPT: usize = 4 << 20;

impl Spool {
    /// Appends the event; events beyond the memory limit are moved to a file later.
    pub fn push(&mut self, event: Event) {
        match &self.first {
            None => self.first = Some(event),
            Some(_) => {
                self.weight += weight(&event);
                self.last.push(event);
            }
        }
    }

    /// If there is too much for memory, moves all but the last event to the file. If writing fails, they stay in
    /// memory.
    pub fn relieve(&mut self) {
        if self.weight < KEPT || self.stays || self.last.len() < 2 {
            return;
        }
        self.stays = self.put_away().is_err();
    }

    fn put_away(&mut self) -> std::io::Result<()> {
        if self.away.is_none() {
            self.away = Some(Away { file: tempfile::tempfile()?, events: 0, end: 0, weight: 0 });
        }
        let (Some(away), Some((last, rest))) = (&mut self.away, self.last.split_last()) else { return Ok(()) };
        let mut lines = Vec::with_capacity(self.weight);
        for event in rest {
            match &event.kind {
                EventKind::Source { line, text } if event.within.is_none() && !text.contains(['\n', '\r']) => {
                    writeln!(lines, "{SOURCE}{} {} {line}", event.seq, event.at)?;
                    lines.extend_from_slice(text.as_bytes());
                }
                _ => serde_json::to_writer(&mut lines, event)?,
            }
            lines.push(b'\n');
        }
        away.file.seek(SeekFrom::Start(away.end))?;
        away.file.write_all(&lines)?;
        away.end += lines.len() as u64;
        away.events += rest.len();
        let left = weight(last);
        away.weight += self.weight - left;
        self.weight = left;
        self.last.drain(..self.last.len() - 1);
        Ok(())
    }

    /// The event pushed last, taken away. It is always in memory.
    pub fn pop(&mut self) -> Option<Event> {
        let last = self.last.pop();
        self.weight -= last.as_ref().map_or(0, weight);
        last.or_else(|| self.first.take())
    }

    /// It is always in memory.
    pub fn first(&self) -> Option<&Event> {
        self.first.as_ref()
    }

    /// It is always in memory.
    pub fn first_mut(&mut self) -> Option<&mut Event> {
        self.first.as_mut()
    }

    /// Those in memory: all of them, before anything was put away.
    pub fn in_memory(&mut self) -> impl Iterator<Item = &mut Event> {
        self.first.iter_mut().chain(&mut self.last)
    }

    /// Events, in memory and put away.
    pub fn len(&self) -> usize {
        usize::from(self.first.is_some()) + self.away.as_ref().map_or(0, |away| away.events) + self.last.len()
    }

    /// Nothing was pushed.
    pub fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    /// Bytes of all events, about.
    pub fn weight(&self) -> usize {
        self.weight + self.first.as_ref().map_or(0, weight) + self.away.as_ref().map_or(0, |away| away.weight)
    }

    /// All events in order, those that were put away read from the file again. An error if that cannot be read.
    pub fn iter(&self) -> Result<impl Iterator<Item = Result<Cow<'_, Event>, TraceError>>, TraceError> {
        let away = self.away.as_ref().map(|away| {
            let mut file = &away.file;
            file.seek(SeekFrom::Start(0)).map_err(unreadable)?;
            Ok::<_, TraceError>(ReadBack(BufReader::with_capacity(1 << 16, file.take(away.end)).lines()))
        });
        let away = away.transpose()?.into_iter().flatten().map(|event| event.map(Cow::Owned));
        let here = |event| Ok(Cow::Borrowed(event));
        Ok(self.first.iter().map(here).chain(away).chain(self.last.iter().map(here)))
    }

    /// All of them, in memory.
    pub fn into_vec(self) -> Result<Vec<Event>, TraceError> {
        if self.away.is_none() {
            return Ok(self.first.into_iter().chain(self.last).collect());
        }
        self.iter()?.map(|event| event.map(Cow::into_owned)).collect()
    }
}

/// Before the line of a source: no JSON begins so.
const SOURCE: char = 's';

/// The events of the file.
struct ReadBack<R>(Lines<R>);

impl<R: BufRead> ReadBack<R> {
    fn event(&mut self, line: &str) -> Result<Event, TraceError> {
        let Some(source) = line.strip_prefix(SOURCE) else { return Ok(serde_json::from_str(line)?) };
        let text = self.0.next().transpose().map_err(unreadable)?;
        let mut numbers = source.split(' ');
        let mut number = || numbers.next()?.parse::<i64>().ok();
        let told = (number(), number(), number(), text);
        let (Some(seq), Some(at), Some(line), Some(text)) = told else {
            return Err(unreadable(ErrorKind::InvalidData.into()));
        };
        let (Ok(seq), Ok(line)) = (u32::try_from(seq), u32::try_from(line)) else {
            return Err(unreadable(ErrorKind::InvalidData.into()));
        };
        Ok(Event { seq, at, within: None, kind: EventKind::Source { line, text } })
    }
}

impl<R: BufRead> Iterator for ReadBack<R> {
    type Item = Result<Event, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.0.next()? {
            Ok(line) => Some(self.event(&line)),
            Err(error) => Some(Err(unreadable(error))),
        }
    }
}

impl From<Vec<Event>> for Spool {
    fn from(events: Vec<Event>) -> Self {
        let mut spool = Self::default();
        events.into_iter().for_each(|event| spool.push(event));
        spool
    }
}

fn unreadable(error: std::io::Error) -> TraceError {
    let reason = message!(
        "what was read of it cannot be read back from the folder for temporary files: {error}",
        "无法从临时文件夹读回已读取的内容：{error}"
    );
    TraceError::Import { line: 1, reason }
}

/// About how many bytes an event is, without writing it out.
pub fn weight(event: &Event) -> usize {
    const LEAST: usize = 200;
    LEAST
        + match &event.kind {
            EventKind::Requested { body, .. } => body.len(),
            EventKind::Replied { text, images, documents, .. } => {
                text.len() + of_images(images) + of_documents(documents)
            }
            EventKind::Source { text, .. } | EventKind::Streamed { text, .. } => text.len(),
            EventKind::Answered { message, .. } | EventKind::Shown { message, .. } => {
                message.parts.iter().map(length).sum()
            }
            EventKind::Called { call, .. } => call.arguments.len(),
            EventKind::Started { setup } | EventKind::Continued { setup } => of_images(&setup.images),
            _ => 0,
        }
}

/// Bytes of pictures.
pub(crate) fn of_images(images: &[Image]) -> usize {
    images.iter().map(|image| image.data.len()).sum()
}

/// Bytes of files.
pub(crate) fn of_documents(documents: &[Document]) -> usize {
    documents.iter().map(|document| document.data.len()).sum()
}

fn length(part: &Part) -> usize {
    match part {
        Part::Text { text } | Part::Reasoning { text, .. } => text.len(),
        Part::ToolCall(call) => call.arguments.len(),
        Part::ToolResult(result) => result.text.len(),
        Part::Image(image) => image.data.len(),
        Part::Document(document) => document.data.len(),
        Part::CachePoint => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn what_was_put_away_is_read_back_in_its_place_as_often_as_it_is_asked_for() {
        let long = "a \"long\" 结果\n".repeat(60_000);
        // Single lines are stored as they are; several lines, and other events, as JSON.
        let kinds = (0..12).map(|line| match line % 3 {
            0 => EventKind::Source { line, text: format!("{line} {long}") },
            1 => EventKind::Source { line, text: format!("{line} {}", long.replace('\n', "s1 2 3")) },
            _ => EventKind::noted(wording::Message::quoted(&long)),
        });
        let events = sample::events_of(kinds);
        let mut spool = Spool::default();
        for event in &events {
            spool.push(event.clone());
            spool.relieve();
        }
        assert!(spool.away.as_ref().is_some_and(|away| away.events > 4) && spool.weight < 2 * KEPT);
        assert_eq!(spool.weight(), events.iter().map(weight).sum::<usize>());
        for _ in 0..2 {
            let read: Vec<Event> = spool.iter().unwrap().map(|event| event.unwrap().into_owned()).collect();
            assert!(read == events);
        }
        spool.relieve();
        assert_eq!((spool.pop().as_ref(), spool.len()), (events.last(), events.len() - 1));
        spool.push(events[11].clone());
        assert!(spool.into_vec().unwrap() == events);
    }

    #[test]
    fn few_events_stay_in_memory() {
        let events = sample::seven_messages();
        let mut spool = Spool::from(events.clone());
        spool.relieve();
        assert!(spool.away.is_none() && !spool.is_empty());
        assert_eq!(spool.into_vec().unwrap(), events);
    }
}
