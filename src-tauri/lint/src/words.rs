//! What rules look for in a text, found in one pass over it for all of them: the literals of patterns, and the words
//! without which other rules have nothing to find.

use std::sync::LazyLock;

use super::gate::GATES;
use super::literals::{Hit, Literals};
use skill::source::Span;

/// Words that certain rules wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// What the name of a text ends with.
    DocumentEnding,
    Phase,
    /// What reads private data.
    PrivateData,
    Section,
    /// What sends data somewhere.
    Sink,
    Step,
    /// A comment that ignores findings.
    Suppression,
}

const MARKS: [(Mark, &[&str]); 7] = [
    (Mark::DocumentEnding, &ENDINGS),
    (Mark::Phase, &PHASES),
    (Mark::PrivateData, &SOURCE_MARKS),
    (Mark::Section, &SECTION_NAMES),
    (Mark::Sink, &SINKS),
    (Mark::Step, &STEPS),
    (Mark::Suppression, &[SUPPRESSION]),
];

/// What the names of documents end with.
pub const ENDINGS: [&str; 6] = [".md", ".markdown", ".mdx", ".txt", ".rst", ".adoc"];

/// Every text with a mention of a phase has one of these.
pub const PHASES: [&str; 3] = ["phase", "stage", "阶段"];

/// A text without one of these reads nothing private.
pub const SOURCE_MARKS: [&str; 26] = [
    "os.environ",
    "process.env",
    "$(env",
    "`env",
    "env |",
    "env|",
    "env >",
    "printenv",
    "export -p",
    ".ssh",
    ".aws",
    ".netrc",
    ".git-credentials",
    ".kube/config",
    ".gnupg",
    "/etc/shadow",
    ".docker/config.json",
    ".npmrc",
    ".pypirc",
    "Login Data",
    "cookies.sqlite",
    "key4.db",
    "wallet.dat",
    "gcloud",
    "_history",
    ".env",
];

/// What sections are called.
pub const SECTION_NAMES: [&str; 7] = ["section", "chapter", "一节", "章节", "部分", "小节", "一章"];

/// What sends data somewhere.
pub const SINKS: [&str; 38] = [
    "nslookup ",
    "dig ",
    "gethostbyname(",
    "getaddrinfo(",
    "dns.resolve",
    "dns.lookup",
    "\"curl\"",
    "'curl'",
    "\"wget\"",
    "'wget'",
    "\"dig\"",
    "'dig'",
    "\"nslookup\"",
    "'nslookup'",
    "requests.post(",
    "requests.put(",
    "requests.patch(",
    "requests.request(",
    "requests.get(",
    "httpx.post(",
    "httpx.put(",
    "httpx.get(",
    "session.post(",
    "client.post(",
    "urlopen(",
    "Request(",
    ".sendall(",
    "sendmail(",
    "send_message(",
    "storbinary(",
    "fetch(",
    "axios.post(",
    "axios.put(",
    "axios(",
    "sendBeacon(",
    "curl ",
    "wget ",
    "nc ",
];

/// Every text with a mention of a step has one of these.
pub const STEPS: [&str; 3] = ["step", "第", "步骤"];

/// The beginning of a comment that ignores findings.
pub const SUPPRESSION: &str = "lint-ignore";

/// Which words a text has and where, in any case of ASCII letters.
#[derive(Debug)]
pub struct Words {
    /// Sorted by where they end.
    hits: Vec<Hit>,
}

/// The pattern or rule that a word belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// The pattern with this number, all rules' patterns one after the other, and whether its literals begin words.
    Pattern {
        number: usize,
        word: bool,
    },
    /// The same for the second literals of its gate.
    Also {
        number: usize,
        word: bool,
    },
    Mark(Mark),
}

struct Wanted {
    literals: Literals,
    /// By the words' numbers.
    owners: Vec<Owner>,
}

static WANTED: LazyLock<Wanted> = LazyLock::new(|| {
    let gates = GATES.iter().enumerate();
    let of_patterns = gates.flat_map(|(number, gate)| {
        let owner = Owner::Pattern { number, word: gate.word };
        let also = gate.also.iter().flat_map(move |also| {
            let owner = Owner::Also { number, word: also.word };
            also.literals.iter().map(move |literal| (owner, literal.as_str()))
        });
        gate.literals.iter().map(move |literal| (owner, literal.as_str())).chain(also)
    });
    let of_marks = MARKS.iter().flat_map(|(mark, words)| words.iter().map(|word| (Owner::Mark(*mark), *word)));
    let (owners, words): (Vec<Owner>, Vec<&str>) = of_patterns.chain(of_marks).unzip();
    Wanted { literals: Literals::new(&words), owners }
});

impl Words {
    pub fn of(text: &str) -> Self {
        let mut hits = WANTED.literals.find(text);
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        hits.retain(|hit| match WANTED.owners[hit.word] {
            Owner::Pattern { word: true, .. } | Owner::Also { word: true, .. } => {
                !text.as_bytes()[..hit.start].last().is_some_and(is_part)
            }
            Owner::Pattern { .. } | Owner::Also { .. } | Owner::Mark(_) => true,
        });
        Self { hits }
    }

    pub fn has(&self, mark: Mark) -> bool {
        self.places(mark).next().is_some()
    }

    /// Whether a part of the text has one.
    pub fn has_within(&self, mark: Mark, part: Span) -> bool {
        let first = self.hits.partition_point(|hit| hit.end <= part.start);
        let within = self.hits[first..].iter().take_while(|hit| hit.end <= part.end);
        within.filter(|hit| hit.start >= part.start).any(|hit| WANTED.owners[hit.word] == Owner::Mark(mark))
    }

    pub fn places(&self, mark: Mark) -> impl Iterator<Item = Span> {
        let of_mark = move |hit: &&Hit| WANTED.owners[hit.word] == Owner::Mark(mark);
        self.hits.iter().filter(of_mark).map(|hit| Span::new(hit.start, hit.end))
    }

    /// The literals of patterns, with the patterns' numbers.
    pub(super) fn of_patterns(&self) -> impl Iterator<Item = (usize, Span)> {
        self.hits.iter().filter_map(|hit| match WANTED.owners[hit.word] {
            Owner::Pattern { number, .. } => Some((number, Span::new(hit.start, hit.end))),
            Owner::Also { .. } | Owner::Mark(_) => None,
        })
    }

    /// The second literals of their gates.
    pub(super) fn also_of_patterns(&self) -> impl Iterator<Item = (usize, Span)> {
        self.hits.iter().filter_map(|hit| match WANTED.owners[hit.word] {
            Owner::Also { number, .. } => Some((number, Span::new(hit.start, hit.end))),
            Owner::Pattern { .. } | Owner::Mark(_) => None,
        })
    }
}
