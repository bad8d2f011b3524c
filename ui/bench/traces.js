/**
 * What the window's own part of long runs and of many runs costs: as `lists.js`, it builds the pages with answers that are made up,
 * and drives them in Chromium, or with `--webkit` in WebKitGTK, the engine of the window on Linux. Numbers are numbers of steps;
 * without, 45,000 and 450,000, which 100,000 and a million events come to.
 */
import { asked, drive, ms, spread } from "./drive.js";

const { webkit, numbers } = asked();
const STEPS = numbers.length > 0 ? numbers : [45_000, 450_000];
const RUNS = [1_000, 20_000];
/** Steps whose time is measured, and those after which memory is measured, twice. */
const TIMES = 200;
const WALKED = 1_000;

const browser = await drive({ webkit });
console.log(webkit ? "WebKitGTK\n" : "Chromium\n");
console.log("| runs | list: first row | nodes | memory MB |");
console.log("|---|---|---|---|");
for (const count of RUNS) {
    const page = await browser.open(`steps=100&runs=${count}`);
    const list = await page.run(shown, "run-row", "[data-testid=rail-traces]");
    console.log(
        `| ${[count.toLocaleString("en"), ms(list), await page.run(nodes), Math.round((await page.memory()) / 1e6)].join(" | ")} |`,
    );
    await page.close();
}

console.log(
    "\n| steps | open: first step | all steps | nodes | next step p50 | p99 | with its frame p95 | jump p50 | p99 | memory MB at most | at rest | after 1,000 steps | after 1,000 more |",
);
console.log("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
for (const count of STEPS) {
    const page = await browser.open(`steps=${count}`);
    await page.run(shown, "run-row", "[data-testid=rail-traces]");
    const opened = await page.run(shown, "step-row", "[data-testid=run-row] button");
    const rest = await page.run(told, "step-position", ` of ${count.toLocaleString("en")}`);
    const next = await walked(
        page,
        Array.from({ length: TIMES }, () => "j"),
    );
    const jumps = await walked(page, Array.from({ length: TIMES / 10 }, () => ["End", "k", "Home", "j"]).flat());
    const first = await page.memory();
    let most = first;
    /** Bytes after so many steps more. */
    const furtherOn = async () => {
        for (let gone = 0; gone < WALKED; gone += TIMES) {
            await walked(
                page,
                Array.from({ length: TIMES }, () => "j"),
            );
            most = Math.max(most, await page.memoryNow());
        }
        return page.memory();
    };
    // The first ones fill the caches, and let the browser compile hot code.
    const before = await furtherOn();
    const after = await furtherOn();
    const { p50, p99 } = spread(next.map((each) => each.done));
    const jump = spread(jumps.map((each) => each.done));
    const frame = spread(next.map((each) => each.frame));
    const growth = (from, to) => `${(((to - from) / from) * 100).toFixed(1)} %`;
    const cells = [
        ms(opened),
        ms(rest),
        await page.run(nodes),
        ms(p50),
        ms(p99),
        ms(frame.p95),
        ms(jump.p50),
        ms(jump.p99),
        Math.round(most / 1e6),
        Math.round(first / 1e6),
        growth(first, before),
        growth(before, after),
    ];
    console.log(`| ${[count.toLocaleString("en"), ...cells].join(" | ")} |`);
    await page.close();
}
await browser.close();

/** Some keys at a time: no request to a browser lasts for minutes. */
async function walked(page, keys) {
    const waits = [];
    for (let from = 0; from < keys.length; from += 50) {
        waits.push(...(await page.run(walk, keys.slice(from, from + 50))));
    }
    return waits;
}

// The code below runs in the page.

/** Milliseconds until it is there and painted, after a click. */
async function shown(testid, clicked) {
    const start = performance.now();
    document.querySelector(clicked).click();
    while (document.querySelector(`[data-testid=${testid}]`) === null) {
        await new Promise((done) => setTimeout(done));
    }
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return performance.now() - start;
}

/** Milliseconds until a text ends so. */
async function told(testid, text) {
    const start = performance.now();
    while (!document.querySelector(`[data-testid=${testid}]`)?.textContent?.endsWith(text)) {
        await new Promise((done) => setTimeout(done, 5));
    }
    return performance.now() - start;
}

/** For each key the milliseconds until the step and its context are in the document and laid out, and until the end of the next frame. */
async function walk(keys) {
    const isThere = () => {
        const place = document
            .querySelector("[data-testid=step-position]")
            ?.textContent?.replace(/\D*([\d,]+).*/, "$1")
            .replaceAll(",", "");
        const at = document.querySelector("[data-testid=step-detail]")?.dataset.step;
        const pane = document.querySelector("[data-testid=context-pane]")?.dataset;
        return Number(place) - 1 === Number(at) && pane?.step === at && pane?.stale === "false";
    };
    /** Nothing runs in between but what the page does. */
    const there = (key) =>
        new Promise((done, fail) => {
            const timer = setTimeout(() => fail(new Error(`no context after ${key}`)), 20_000);
            const observer = new MutationObserver(() => {
                if (isThere()) {
                    observer.disconnect();
                    clearTimeout(timer);
                    done();
                }
            });
            observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
        });
    const waits = [];
    for (const key of keys) {
        const start = performance.now();
        const before = document.querySelector("[data-testid=step-position]")?.textContent;
        const waited = there(key);
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
        await waited;
        if (document.querySelector("[data-testid=step-position]")?.textContent === before) throw new Error(`${key} led nowhere`);
        document.body.getBoundingClientRect();
        const done = performance.now() - start;
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        waits.push({ done, frame: performance.now() - start });
    }
    return waits;
}

function nodes() {
    return document.querySelectorAll("*").length;
}
