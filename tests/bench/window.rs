//! `cargo xtask bench window`: how long a user of the real window waits with many skills, and how much memory it takes.
//! The window is a release build in WebKit, driven through WebDriver; the page itself measures times, from the event to
//! the end of the frame that shows the result. `--minutes N`: repeats an author's work for so long, and compares the
//! memory at the end with that after the first tenth. Numbers: how many skills, in place of 2,000 and 10,000.
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on may panic")]

#[expect(dead_code, reason = "what the tests of the window need of it")]
#[path = "../desktop/window.rs"]
mod window;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;
use thirtyfour::prelude::*;
use window::Window;

const SIZES: [usize; 2] = [2_000, 10_000];
/// Keys that are typed into a field.
const KEYS: usize = 60;
/// How long a window may take for anything, in a build without optimisation too.
const PATIENCE: Duration = Duration::from_secs(240);
/// The share of a processor below which the window's processes rest.
const REST: f64 = 0.05;
/// Under WebDriver the window is composed whatever the machine has, for the sake of pictures; none are taken here.
const AS_FOR_USERS: [(&str, &str); 1] = [("SKILL_WORKBENCH_COMPOSING", "machine")];
const MIB: f64 = 1024.0 * 1024.0;

/// What each figure may be at most, in milliseconds.
const FIRST: f64 = 1_000.0;
const KEY: f64 = 50.0;
const LARGE: f64 = 500.0;
/// All processes together, in MiB.
const MEMORY: f64 = 400.0;
/// How much of the memory may be added while the window is used.
const GROWTH: f64 = 0.1;

#[tokio::main]
async fn main() -> WebDriverResult<()> {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let (mut sizes, mut minutes) = (Vec::new(), 0_u64);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--minutes" => minutes = arguments.next().unwrap_or_default().parse().expect("--minutes expects a number"),
            size => sizes.push(size.parse().expect("a number of skills")),
        }
    }
    if sizes.is_empty() {
        sizes.extend(SIZES);
    }
    let mut gates = Gates::default();
    println!(
        "| skills | first row | since the start of the process | editor | a key, p50 | p95 | palette | a key, p50 | p95 | Inspect | nodes \
         | Compare | nodes | MiB | of these the program | the page | resident MiB |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for skills in &sizes {
        library(*skills, &mut gates).await?;
    }
    println!(
        "\n| SKILL.md of 1 MB | opens | a key, p50 | p95 | MiB | of these the program | the page | resident MiB |\n|---|---|---|---|---|---|---|---|"
    );
    large(&mut gates).await?;
    if minutes > 0 {
        let skills = sizes.last().copied().unwrap_or_default();
        long_use(skills, Duration::from_secs(60 * minutes), &mut gates).await?;
    }
    gates.report();
    Ok(())
}

/// A folder of skills with the window on it.
struct Desk {
    /// Goes with the desk.
    _home: tempfile::TempDir,
    window: Window,
    /// From the start of the program to the first answer of its page.
    since: Instant,
}

impl Desk {
    async fn open(write: impl FnOnce(&Path)) -> WebDriverResult<Self> {
        let home = tempfile::tempdir().unwrap();
        let skills = home.path().join("skills");
        write(&skills);
        let since = Instant::now();
        let window = Window::begin_with(&home.path().join("home"), &skills, &AS_FOR_USERS).await?;
        Ok(Self { _home: home, window, since })
    }

    /// Waits for the end of what the window does by itself after its start, such as linting all skills.
    async fn rest(&self) {
        let deadline = Instant::now() + PATIENCE;
        let mut last = self.processor_seconds();
        let mut quiet = 0;
        while quiet < 2 && Instant::now() < deadline {
            tokio::time::sleep(Duration::from_secs(1)).await;
            let now = self.processor_seconds();
            quiet = if now - last < REST { quiet + 1 } else { 0 };
            last = now;
        }
        assert!(quiet == 2, "the window does not come to rest");
    }

    /// Does something, and waits until the page shows `css` and has painted it; in milliseconds from the event that it causes.
    async fn shown(
        &self,
        event: &str,
        css: &str,
        act: impl AsyncFnOnce(&Window) -> WebDriverResult<()>,
    ) -> WebDriverResult<f64> {
        self.window.driver.execute(WATCH, vec![json!(event), json!(css)]).await?;
        act(&self.window).await?;
        self.number("return window.benchTook ?? null;").await
    }

    /// Types, one key after the other, each when the page has painted the one before it: milliseconds of each.
    async fn keys(&self, text: &str) -> WebDriverResult<Vec<f64>> {
        self.window.driver.execute(HEAR, Vec::new()).await?;
        for letter in text.chars().cycle().take(KEYS) {
            self.window.type_text(&letter.to_string()).await?;
            tokio::time::sleep(Duration::from_millis(60)).await;
        }
        self.number(&format!("return window.benchWaits.length >= {KEYS} ? 1 : null;")).await?;
        self.window.driver.execute("return window.benchWaits.splice(0);", Vec::new()).await?.convert()
    }

    async fn nodes(&self, place: &str) -> WebDriverResult<f64> {
        self.number(&format!("return document.querySelectorAll('[data-testid=place-{place}] *').length;")).await
    }

    /// Asks until there is an answer.
    async fn number(&self, script: &str) -> WebDriverResult<f64> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            // The page that is asked may be about to be replaced by the next one.
            let found = self.window.driver.execute(script, Vec::new()).await;
            if let Some(number) = found.ok().and_then(|found| found.convert::<Option<f64>>().ok().flatten()) {
                return Ok(number);
            }
            assert!(Instant::now() < deadline, "waited in vain for `{script}`");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// The program and all that it started, in MiB: shared memory counts once.
    fn memory(&self) -> Memory {
        let mut memory = Memory::default();
        for id in self.processes() {
            let (Some(used), Some(resident)) = (kept(id, "Pss:"), kept(id, "Rss:")) else { continue };
            memory.resident += resident * 1024.0 / MIB;
            let name = fs::read_to_string(format!("/proc/{id}/comm")).unwrap_or_default();
            *match name.trim() {
                "skill-workbench" => &mut memory.program,
                "WebKitWebProces" => &mut memory.page,
                _ => &mut memory.others,
            } += used * 1024.0 / MIB;
        }
        memory
    }

    fn processor_seconds(&self) -> f64 {
        let ticks = self.processes().into_iter().filter_map(|id| {
            let fields = stat(id)?;
            Some(fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?)
        });
        ticks.sum::<f64>() / 100.0
    }

    /// The driver's own is not among them.
    fn processes(&self) -> Vec<u32> {
        let driver = self.window.server.0.id();
        let all: Vec<(u32, u32)> = fs::read_dir("/proc")
            .unwrap()
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok())
            .filter_map(|id| Some((id, stat(id)?.get(1)?.parse().ok()?)))
            .collect();
        let mut found = vec![driver];
        let mut at = 0;
        while let Some(parent) = found.get(at).copied() {
            found.extend(all.iter().filter(|(_, above)| *above == parent).map(|(id, _)| *id));
            at += 1;
        }
        found.split_off(1)
    }
}

/// In MiB.
#[derive(Debug, Default, Clone, Copy)]
struct Memory {
    program: f64,
    page: f64,
    others: f64,
    /// The sum of all, with shared memory counted in each, as most programs show it.
    resident: f64,
}

impl Memory {
    fn all(self) -> f64 {
        self.program + self.page + self.others
    }
}

/// What a process keeps in memory, in KiB, by the name of a line of `/proc/ID/smaps_rollup`.
fn kept(id: u32, name: &str) -> Option<f64> {
    let rollup = fs::read_to_string(format!("/proc/{id}/smaps_rollup")).ok()?;
    let line = rollup.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

/// The fields of `/proc/ID/stat` behind the name, which may hold anything.
fn stat(id: u32) -> Option<Vec<String>> {
    let text = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let (_, rest) = text.rsplit_once(") ")?;
    Some(rest.split(' ').map(str::to_owned).collect())
}

async fn library(skills: usize, gates: &mut Gates) -> WebDriverResult<()> {
    let desk = Desk::open(|root| write(root, skills)).await?;
    let first =
        desk.number(&format!("{LOOK} return is('[data-testid=skill-row]') ? performance.now() : null;")).await?;
    let since = desk.since.elapsed().as_secs_f64() * 1000.0;
    desk.rest().await;
    let editor = desk
        .shown("click", "[data-testid=editor] .cm-content", async |window| {
            window.click("[data-testid=skill-row]").await
        })
        .await?;
    desk.rest().await;
    desk.window.click("[data-testid=editor] .cm-content").await?;
    let typed = Keys::of(desk.keys("word ").await?);
    let open = desk
        .shown("keydown", "[data-testid=palette-input]", async |window| window.chord(Key::Control, 'k').await)
        .await?;
    let palette = Keys::of(desk.keys("skill-00").await?);
    desk.window.type_key(Key::Escape).await?;
    desk.window.see_no("[data-testid=palette-input]").await?;
    let inspect = desk
        .shown("click", "[data-testid=inspect-skill]", async |window| window.click("[data-testid=rail-inspect]").await)
        .await?;
    let inspect_nodes = desk.nodes("inspect").await?;
    desk.rest().await;
    let compare = desk
        .shown("click", "[data-testid=compare-skill]", async |window| window.click("[data-testid=rail-compare]").await)
        .await?;
    let compare_nodes = desk.nodes("compare").await?;
    desk.rest().await;
    let memory = desk.memory();
    println!(
        "| {skills} | {first:.0} ms | {since:.0} ms | {editor:.0} ms | {} | {open:.0} ms | {} \
         | {inspect:.0} ms | {inspect_nodes} | {compare:.0} ms | {compare_nodes} | {:.0} | {:.0} | {:.0} | {:.0} |",
        typed.told(),
        palette.told(),
        memory.all(),
        memory.program,
        memory.page,
        memory.resident
    );
    gates.hold(&format!("{skills} skills: first row"), first, FIRST);
    gates.hold(&format!("{skills} skills: a key in the editor, p95"), typed.high, KEY);
    gates.hold(&format!("{skills} skills: a key in the palette, p95"), palette.high, KEY);
    gates.hold(&format!("{skills} skills: Inspect"), inspect, FIRST);
    gates.hold(&format!("{skills} skills: Compare"), compare, FIRST);
    gates.hold(&format!("{skills} skills: memory in MiB"), memory.all(), MEMORY);
    desk.window.close().await
}

/// A `SKILL.md` of 1 MB.
async fn large(gates: &mut Gates) -> WebDriverResult<()> {
    let desk = Desk::open(|root| {
        let mut text = manifest("large", "Looks after one very long text. Use it when a text is long.");
        for at in 0.. {
            if text.len() >= 1_000_000 {
                break;
            }
            text.push_str(&section(at));
        }
        put(root, "large/SKILL.md", &text);
    })
    .await?;
    desk.window.see("[data-testid=skill-row]").await?;
    desk.rest().await;
    let opened = desk
        .shown("click", "[data-testid=editor] .cm-content", async |window| {
            window.click("[data-testid=skill-row]").await
        })
        .await?;
    desk.rest().await;
    desk.window.click("[data-testid=editor] .cm-content").await?;
    let keys = Keys::of(desk.keys("word ").await?);
    // While a text has the focus, WebKit draws the window for its own caret.
    desk.window.driver.execute("document.activeElement.blur();", Vec::new()).await?;
    desk.rest().await;
    let memory = desk.memory();
    println!(
        "| | {opened:.0} ms | {} | {:.0} | {:.0} | {:.0} | {:.0} |",
        keys.told(),
        memory.all(),
        memory.program,
        memory.page,
        memory.resident
    );
    gates.hold("SKILL.md of 1 MB: opens", opened, LARGE);
    gates.hold("SKILL.md of 1 MB: a key, p95", keys.high, KEY);
    desk.window.close().await
}

/// What an author does, over and over.
async fn long_use(skills: usize, time: Duration, gates: &mut Gates) -> WebDriverResult<()> {
    let desk = Desk::open(|root| write(root, skills)).await?;
    desk.window.see("[data-testid=skill-row]").await?;
    desk.rest().await;
    let mut figures: Vec<f64> = Vec::new();
    let start = Instant::now();
    while start.elapsed() < time {
        round(&desk.window, figures.len()).await?;
        figures.push(desk.memory().all());
    }
    let tenth = figures.len() / 10;
    assert!(tenth > 0, "{} rounds are too few to compare: give it more minutes", figures.len());
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    // The first tenth fills permanent caches.
    let (before, after) = (mean(&figures[tenth..2 * tenth]), mean(&figures[figures.len() - tenth..]));
    let most = figures.iter().copied().fold(0.0, f64::max);
    println!("\n| minutes | rounds | MiB at first | MiB at the end | most |\n|---|---|---|---|---|");
    println!("| {} | {} | {before:.0} | {after:.0} | {most:.0} |", time.as_secs() / 60, figures.len());
    gates.hold("memory at the end of long use, as a multiple of the first", after / before, 1.0 + GROWTH);
    gates.hold("most memory in long use, in MiB", most, MEMORY);
    desk.window.close().await
}

/// Opens a skill, types, undoes it, and looks at it in each place.
async fn round(window: &Window, at: usize) -> WebDriverResult<()> {
    window.click("[data-testid=rail-skills]").await?;
    window.chord(Key::Control, 'k').await?;
    window.see("[data-testid=palette-input]").await?;
    window.type_text(&format!("skill-{:05}", at % 500)).await?;
    window.type_key(Key::Enter).await?;
    window.see_no("[data-testid=palette-input]").await?;
    window.click("[data-testid=editor] .cm-content").await?;
    window.type_text("Some words more. ").await?;
    // One undo reverts text typed without a pause; on a busy machine there may be several pauses.
    while window.see("[data-testid=save-state]").await?.attr("data-state").await?.as_deref() != Some("saved") {
        window.chord(Key::Control, 'z').await?;
    }
    window.chord(Key::Control, 'w').await?;
    window.click("[data-testid=rail-inspect]").await?;
    window.see("[data-testid=inspect-skill]").await?;
    window.type_text("h").await?;
    window.see("[data-testid=inspect-skill]").await?;
    window.click("[data-testid=rail-compare]").await?;
    window.see("[data-testid=compare-skill]").await?;
    window.click("[data-testid=rail-traces]").await?;
    window.see("[data-testid=place-traces]").await?;
    Ok(())
}

/// Whether an element is there and has a place in the window.
const LOOK: &str = "const is = (css) => (document.querySelector(css)?.getBoundingClientRect().height ?? 0) > 0;";

/// From the next event of a kind to the end of the frame in which an element is there.
const WATCH: &str = "
    const is = (css) => (document.querySelector(css)?.getBoundingClientRect().height ?? 0) > 0;
    const [event, css] = arguments;
    window.benchTook = undefined;
    window.addEventListener(event, () => {
        const start = performance.now();
        const look = () => {
            if (is(css)) requestAnimationFrame(() => setTimeout(() => (window.benchTook = performance.now() - start)));
            else requestAnimationFrame(look);
        };
        look();
    }, { capture: true, once: true });
";

/// From each key to the end of the frame that follows it.
const HEAR: &str = "
    window.benchWaits = [];
    if (window.benchHears) return;
    window.benchHears = true;
    window.addEventListener('keydown', () => {
        const start = performance.now();
        requestAnimationFrame(() => setTimeout(() => window.benchWaits.push(performance.now() - start)));
    }, { capture: true });
";

/// Milliseconds of some keys.
struct Keys {
    middle: f64,
    high: f64,
}

impl Keys {
    fn of(mut each: Vec<f64>) -> Self {
        each.sort_by(f64::total_cmp);
        Self { middle: each[each.len() / 2], high: each[each.len() * 95 / 100] }
    }

    fn told(&self) -> String {
        format!("{:.0} ms | {:.0} ms", self.middle, self.high)
    }
}

/// Which gates hold.
#[derive(Default)]
struct Gates {
    lines: Vec<String>,
    is_missed: bool,
}

impl Gates {
    fn hold(&mut self, what: &str, figure: f64, most: f64) {
        let held = figure <= most;
        self.is_missed |= !held;
        let digits = if most < 10.0 { 2 } else { 0 };
        self.lines
            .push(format!("{}: {what}: {figure:.digits$} of {most:.digits$}", if held { "held" } else { "MISSED" }));
    }

    fn report(self) {
        println!();
        for line in self.lines {
            println!("{line}");
        }
        if self.is_missed && !cfg!(debug_assertions) {
            std::process::exit(1);
        }
    }
}

const TOPICS: [&str; 10] =
    ["invoices", "minutes", "charts", "units", "letters", "contracts", "logs", "tables", "slides", "forms"];

/// Skills of a `SKILL.md` of 2 KB and one reference each, the same at every run.
fn write(root: &Path, skills: usize) {
    for at in 0..skills {
        let topic = TOPICS[at % TOPICS.len()];
        let name = format!("skill-{at:05}-{topic}");
        let about = format!(
            "Reads {topic} of kind {at} and writes a short report. Use it when the user asks for {topic} {at}."
        );
        let mut text = manifest(&name, &about);
        text.push_str("Read [the details](references/details.md) first.\n\n");
        while text.len() < 2_000 {
            text.push_str(&section(text.len()));
        }
        put(root, &format!("{name}/SKILL.md"), &text);
        put(root, &format!("{name}/references/details.md"), &format!("# {topic} {at}\n\n{}", section(at)));
    }
}

fn manifest(name: &str, about: &str) -> String {
    format!("---\nname: {name}\ndescription: {about}\n---\n\n# {name}\n\n")
}

fn section(at: usize) -> String {
    format!(
        "## Step {at}\n\nTake sheet {at} and compare its sums with those of the month before. Write down what differs, \
         in the order of the sheet, with the number of the row.\n\n- Keep figures as they are.\n- 数字保持原样，单位写在后面。\n\n"
    )
}

fn put(root: &Path, name: &str, text: &str) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}
