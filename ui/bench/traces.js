/**
 * What the window's own part of long runs and of many runs costs: as `lists.js`, it builds the pages with answers that are made up,
 * and drives them in Chromium. Arguments are numbers of steps; without, 45,000 and 450,000, which 100,000 and a million events come to.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { build, preview } from "vite";

const asked = process.argv.slice(2).map(Number);
const STEPS = asked.length > 0 ? asked : [45_000, 450_000];
const RUNS = [1_000, 20_000];
/** Steps whose time is measured, and those after which memory is compared. */
const TIMES = 200;
const WALKED = 1_000;

const outDir = mkdtempSync(join(tmpdir(), "skill-workbench-bench-"));
await build({ mode: "bench", logLevel: "error", build: { outDir, emptyOutDir: true } });
const server = await preview({ logLevel: "error", build: { outDir }, preview: { port: 0, host: "127.0.0.1" } });
const browser = await chromium.launch({ executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium", args: ["--no-sandbox"] });

console.log("| runs | list: first row | nodes |");
console.log("|---|---|---|");
for (const count of RUNS) {
    const page = await open(`steps=100&runs=${count}`);
    const list = await shown(page, "run-row", () => page.getByTestId("rail-traces").click());
    console.log(`| ${[count.toLocaleString("en"), ms(list), await nodes(page)].join(" | ")} |`);
    await page.close();
}

console.log(
    "\n| steps | open: first step | all steps | nodes | next step p50 | p99 | with its frame p95 | jump p50 | p99 | heap MB | after 1,000 steps |",
);
console.log("|---|---|---|---|---|---|---|---|---|---|---|");
for (const count of STEPS) {
    const page = await open(`steps=${count}`);
    await page.getByTestId("rail-traces").click();
    const first = await shown(page, "step-row", () => page.getByTestId("run-row").first().locator("button").first().click());
    const begun = performance.now();
    await page.waitForFunction(
        (all) => document.querySelector("[data-testid=step-position]")?.textContent?.endsWith(` of ${all}`),
        count.toLocaleString("en"),
        { timeout: 300_000 },
    );
    const rest = performance.now() - begun;
    const next = await walk(
        page,
        Array.from({ length: TIMES }, () => "j"),
    );
    const jumps = await walk(page, Array.from({ length: TIMES / 10 }, () => ["End", "k", "Home", "j"]).flat());
    const before = await heap(page);
    await walk(
        page,
        Array.from({ length: WALKED }, () => "j"),
    );
    const after = await heap(page);
    const { p50, p99 } = spread(next.map((each) => each.done));
    const jump = spread(jumps.map((each) => each.done));
    const frame = spread(next.map((each) => each.frame));
    const growth = `${(((after - before) / before) * 100).toFixed(1)} %`;
    const cells = [
        ms(first),
        ms(rest),
        await nodes(page),
        ms(p50),
        ms(p99),
        ms(frame.p95),
        ms(jump.p50),
        ms(jump.p99),
        Math.round(after / 1e6),
        growth,
    ];
    console.log(`| ${[count.toLocaleString("en"), ...cells].join(" | ")} |`);
    await page.close();
}
await browser.close();
await server.close();

async function open(asks) {
    const page = await browser.newPage({ viewport: { width: 1360, height: 880 } });
    await page.goto(`${server.resolvedUrls?.local[0]}?fake&${asks}`);
    await page.getByTestId("rail-traces").waitFor();
    return page;
}

/** Milliseconds until it is there and painted. */
async function shown(page, testid, act) {
    const start = performance.now();
    await act();
    await page.getByTestId(testid).first().waitFor({ timeout: 300_000 });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    return performance.now() - start;
}

/** For each key the milliseconds until the step and its context are in the document and laid out, and until the end of the next frame. */
function walk(page, keys) {
    return page.evaluate(async (keys) => {
        const turn = () =>
            new Promise((done) => {
                const { port1, port2 } = new MessageChannel();
                port1.onmessage = done;
                port2.postMessage(null);
            });
        const waits = [];
        for (const key of keys) {
            const start = performance.now();
            document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
            for (;;) {
                await turn();
                const at = document.querySelector("[data-testid=step-detail]")?.dataset.step;
                const pane = document.querySelector("[data-testid=context-pane]")?.dataset;
                if (pane?.step === at && pane?.stale === "false") break;
                if (performance.now() - start > 20_000) throw new Error(`no context after ${key}`);
            }
            document.body.getBoundingClientRect();
            const done = performance.now() - start;
            await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
            waits.push({ done, frame: performance.now() - start });
        }
        return waits;
    }, keys);
}

async function heap(page) {
    const session = await page.context().newCDPSession(page);
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    await session.detach();
    return usedSize;
}

function nodes(page) {
    return page.evaluate(() => document.querySelectorAll("*").length);
}

function spread(waits) {
    const sorted = waits.sort((a, b) => a - b);
    const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
    return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

function ms(value) {
    return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}
