//! Values of Python, and how Python prints them.

use std::collections::{HashMap, HashSet};

use jiff::civil::{Date, DateTime};

use super::{Failure, Id};
use crate::python;
use wording::message;

/// The values of a document, by their nodes.
#[derive(Debug)]
pub struct Objects {
    pub(super) objects: HashMap<Id, Object>,
    pub(super) root: Id,
}

/// A value as Python has it.
#[derive(Debug, Clone, PartialEq)]
pub enum Object {
    None,
    Bool(bool),
    /// In decimal digits, however many.
    Int(String),
    Float(f64),
    Text(String),
    Bytes(Vec<u8>),
    Moment(Moment),
    List(Vec<Id>),
    /// Keys are distinct.
    Dict(Vec<(Id, Id)>),
    /// In the order of the text; Python's sets have none.
    Set(Vec<Id>),
    /// A list of tuples.
    Pairs(Vec<(Id, Id)>),
}

/// A `date` or `datetime`.
#[derive(Debug, Clone, PartialEq)]
pub enum Moment {
    Date(Date),
    Time {
        time: DateTime,
        micros: i32,
        /// In minutes.
        offset: Option<i32>,
    },
}

/// Bytes that are printed of one value. Aliases of aliases may have any number.
const PRINTED: usize = 4 << 20;
/// Values that are printed inside each other; Python's stack ends near.
const DEPTH: usize = 300;

impl Objects {
    /// The value of a node.
    pub fn get(&self, id: Id) -> &Object {
        // Only the key `=` has no value of its own.
        self.objects.get(&id).unwrap_or(&Object::None)
    }

    /// The value of a dictionary's key, if the whole document is one.
    pub fn field(&self, key: &str) -> Option<Id> {
        let found = self.root()?.iter().find(|(known, _)| self.get(*known).as_text() == Some(key));
        found.map(|(_, value)| *value)
    }

    /// A field that Python takes for true.
    pub fn true_field(&self, key: &str) -> Option<Id> {
        self.field(key).filter(|value| self.get(*value).is_true())
    }

    /// The whole document.
    pub fn value(&self) -> &Object {
        self.get(self.root)
    }

    /// The dictionary that the whole document is.
    pub fn root(&self) -> Option<&[(Id, Id)]> {
        match self.value() {
            Object::Dict(pairs) => Some(pairs),
            _ => None,
        }
    }

    /// `str(value)`.
    pub fn str(&self, id: Id) -> Result<String, Failure> {
        match self.get(id) {
            Object::Text(text) => Ok(text.clone()),
            Object::Moment(moment) => Ok(moment.text()),
            _ => self.repr(id),
        }
    }

    /// `repr(value)`.
    pub fn repr(&self, id: Id) -> Result<String, Failure> {
        let mut printing = Printing { objects: self, out: String::new(), open: HashSet::new() };
        printing.part(id)?;
        Ok(printing.out)
    }
}

/// What makes two keys of a dictionary the same one: `1`, `1.0` and `True` are.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Key {
    None,
    Number(String),
    Text(String),
    Bytes(Vec<u8>),
    Moment(String),
}

impl Object {
    /// `None`: it is the same as no other one (`nan`), or cannot be a key at all.
    pub fn key(&self) -> Option<Key> {
        Some(match self {
            Self::None => Key::None,
            Self::Bool(truth) => Key::Number(u8::from(*truth).to_string()),
            Self::Int(digits) => Key::Number(digits.clone()),
            Self::Float(number) if number.is_nan() => return None,
            Self::Float(number) if number.fract() == 0.0 => Key::Number(format!("{:.0}", number + 0.0)),
            Self::Float(number) => Key::Number(number.to_string()),
            Self::Text(text) => Key::Text(text.clone()),
            Self::Bytes(bytes) => Key::Bytes(bytes.clone()),
            Self::Moment(moment) => Key::Moment(moment.repr()),
            Self::List(_) | Self::Dict(_) | Self::Set(_) | Self::Pairs(_) => return None,
        })
    }

    /// The message of the `TypeError` when it is used as a key and cannot be one.
    pub fn check_hashable(&self) -> Result<(), String> {
        match self {
            Self::List(_) | Self::Dict(_) | Self::Set(_) | Self::Pairs(_) => {
                Err(format!("unhashable type: '{}'", self.type_name()))
            }
            _ => Ok(()),
        }
    }

    /// The type as messages of Python's own exceptions name it.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::None => "NoneType",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Float(_) => "float",
            Self::Text(_) => "str",
            Self::Bytes(_) => "bytes",
            Self::Moment(Moment::Date(_)) => "datetime.date",
            Self::Moment(Moment::Time { .. }) => "datetime.datetime",
            Self::List(_) | Self::Pairs(_) => "list",
            Self::Dict(_) => "dict",
            Self::Set(_) => "set",
        }
    }

    /// The characters of a `str`; `None` for every other object of Python.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// `bool(value)`.
    pub fn is_true(&self) -> bool {
        match self {
            Self::None => false,
            Self::Bool(truth) => *truth,
            Self::Int(digits) => digits != "0",
            Self::Float(number) => *number != 0.0,
            Self::Text(text) => !text.is_empty(),
            Self::Bytes(bytes) => !bytes.is_empty(),
            Self::Moment(_) => true,
            Self::List(items) | Self::Set(items) => !items.is_empty(),
            Self::Dict(pairs) | Self::Pairs(pairs) => !pairs.is_empty(),
        }
    }
}

struct Printing<'a> {
    objects: &'a Objects,
    out: String,
    /// Objects that are being printed; inside of themselves they print as three dots.
    open: HashSet<Id>,
}

impl Printing<'_> {
    fn part(&mut self, id: Id) -> Result<(), Failure> {
        let object = self.objects.get(id);
        let brackets = match object {
            Object::None => return self.push("None"),
            Object::Bool(truth) => return self.push(if *truth { "True" } else { "False" }),
            Object::Int(digits) if python::is_too_long(digits) => {
                let message = "Exceeds the limit (4300 digits) for integer string conversion; use \
                               sys.set_int_max_str_digits() to increase the limit";
                return Err(Failure::Raised(message.to_owned()));
            }
            Object::Int(digits) => return self.push(digits),
            Object::Float(number) => return self.push(&python::Value::Float(*number).to_repr()),
            Object::Text(text) => return self.push(&python::repr(text)),
            Object::Bytes(bytes) => return self.push(&bytes_repr(bytes)),
            Object::Moment(moment) => return self.push(&moment.repr()),
            Object::Set(items) if items.is_empty() => return self.push("set()"),
            Object::List(_) | Object::Pairs(_) => ["[", "]"],
            Object::Dict(_) | Object::Set(_) => ["{", "}"],
        };
        if !self.open.insert(id) {
            return self.push(&format!("{}...{}", brackets[0], brackets[1]));
        }
        if self.open.len() > DEPTH {
            return Err(Failure::ours(&message!("values more than {DEPTH} levels deep", "嵌套超过 {DEPTH} 层的值")));
        }
        self.push(brackets[0])?;
        let comma = |index: usize| if index == 0 { "" } else { ", " };
        match object {
            Object::List(items) | Object::Set(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.push(comma(index))?;
                    self.part(*item)?;
                }
            }
            Object::Dict(pairs) => {
                for (index, (key, value)) in pairs.iter().enumerate() {
                    self.push(comma(index))?;
                    self.part(*key)?;
                    self.push(": ")?;
                    self.part(*value)?;
                }
            }
            Object::Pairs(pairs) => {
                for (index, (key, value)) in pairs.iter().enumerate() {
                    self.push(comma(index))?;
                    self.push("(")?;
                    self.part(*key)?;
                    self.push(", ")?;
                    self.part(*value)?;
                    self.push(")")?;
                }
            }
            _ => {}
        }
        self.push(brackets[1])?;
        self.open.remove(&id);
        Ok(())
    }

    fn push(&mut self, text: &str) -> Result<(), Failure> {
        self.out.push_str(text);
        if self.out.len() > PRINTED {
            return Err(Failure::ours(&message!("values of more than 4 MiB", "超过 4 MiB 的值")));
        }
        Ok(())
    }
}

fn bytes_repr(bytes: &[u8]) -> String {
    let quote = if bytes.contains(&b'\'') && !bytes.contains(&b'"') { '"' } else { '\'' };
    let mut out = format!("b{quote}");
    for byte in bytes {
        match byte {
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            _ if char::from(*byte) == quote => out.extend(['\\', quote]),
            b' '..=b'~' => out.push(char::from(*byte)),
            _ => out.push_str(&format!("\\x{byte:02x}")),
        }
    }
    out.push(quote);
    out
}

impl Moment {
    /// `str(moment)`.
    fn text(&self) -> String {
        match self {
            Self::Date(date) => format!("{:04}-{:02}-{:02}", date.year(), date.month(), date.day()),
            Self::Time { time, micros, offset } => {
                let fraction = if *micros == 0 { String::new() } else { format!(".{micros:06}") };
                let zone = offset.map(|minutes| {
                    let sign = if minutes < 0 { '-' } else { '+' };
                    format!("{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
                });
                format!("{}{fraction}{}", time.strftime("%Y-%m-%d %H:%M:%S"), zone.unwrap_or_default())
            }
        }
    }

    pub(super) fn repr(&self) -> String {
        match self {
            Self::Date(date) => format!("datetime.date({}, {}, {})", date.year(), date.month(), date.day()),
            Self::Time { time, micros, offset } => {
                let mut parts: Vec<String> =
                    time.strftime("%-Y %-m %-d %-H %-M").to_string().split(' ').map(str::to_owned).collect();
                if time.second() != 0 || *micros != 0 {
                    parts.push(time.second().to_string());
                }
                if *micros != 0 {
                    parts.push(micros.to_string());
                }
                parts.extend(offset.map(|minutes| {
                    let seconds = minutes * 60;
                    match seconds {
                        0 => "tzinfo=datetime.timezone.utc".to_owned(),
                        1.. => format!("tzinfo=datetime.timezone(datetime.timedelta(seconds={seconds}))"),
                        _ => format!(
                            "tzinfo=datetime.timezone(datetime.timedelta(days=-1, seconds={}))",
                            86_400 + seconds
                        ),
                    }
                }));
                format!("datetime.datetime({})", parts.join(", "))
            }
        }
    }
}
