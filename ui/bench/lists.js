/**
 * What the window's own part of large lists costs: `npm run bench` builds the pages with recorded answers for 2,000 and 10,000
 * skills and drives them in Chromium (`CHROMIUM` names it). It is not the real window: that one is WebKit, and asks the core.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { build, preview } from "vite";

const COUNTS = [2_000, 10_000];
const KEYS = 40;

const outDir = mkdtempSync(join(tmpdir(), "skill-workbench-bench-"));
await build({ mode: "bench", logLevel: "error", build: { outDir, emptyOutDir: true } });
const server = await preview({ logLevel: "error", build: { outDir }, preview: { port: 0, host: "127.0.0.1" } });
const browser = await chromium.launch({ executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium", args: ["--no-sandbox"] });

console.log("| skills | library: first row | Inspect | nodes | Compare | nodes | palette: open | a key, p95 | editor: a key, p95 |");
console.log("|---|---|---|---|---|---|---|---|---|");
for (const count of COUNTS) {
    const page = await browser.newPage({ viewport: { width: 1360, height: 880 } });
    const address = `${server.resolvedUrls?.local[0]}?fake&many=${count}`;
    await page.goto(address);
    const library = await shown(page, "skill-row", () => page.reload());
    await page.getByTestId("skill-row").first().click();
    await page.getByTestId("editor-content").waitFor();
    await page.waitForTimeout(1500);
    await page.getByTestId("editor-content").click();
    const editor = await keys(page, "x");
    const open = await shown(page, "palette-input", () => page.keyboard.press("Control+k"));
    const palette = await keys(page, "invoices-00");
    await page.keyboard.press("Escape");
    const inspect = await shown(page, "inspect-skill", () => page.getByTestId("rail-inspect").click());
    const inspectNodes = await nodes(page, "inspect");
    const compare = await shown(page, "compare-skill", () => page.getByTestId("rail-compare").click());
    const compareNodes = await nodes(page, "compare");
    const cells = [ms(library), ms(inspect), inspectNodes, ms(compare), compareNodes, ms(open), ms(p95(palette)), ms(p95(editor))];
    console.log(`| ${[count.toLocaleString("en"), ...cells].join(" | ")} |`);
    await page.close();
}
await browser.close();
await server.close();

/** Milliseconds until it is there and painted. */
async function shown(page, testid, act) {
    const start = performance.now();
    await act();
    await page.getByTestId(testid).first().waitFor({ timeout: 120_000 });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    return performance.now() - start;
}

/** Milliseconds from each key to the end of the frame that follows it. */
async function keys(page, text) {
    await page.evaluate(() => {
        window.waits = [];
        window.addEventListener(
            "keydown",
            () => {
                const start = performance.now();
                requestAnimationFrame(() => setTimeout(() => window.waits.push(performance.now() - start)));
            },
            { capture: true },
        );
    });
    for (let at = 0; at < KEYS; at++) {
        await page.keyboard.press(text[at % text.length]);
        if (text.length > 1 && at % text.length === text.length - 1) await page.keyboard.press("Control+A");
        await page.waitForTimeout(60);
    }
    return page.evaluate(() => window.waits.splice(0));
}

function nodes(page, place) {
    return page.evaluate((id) => document.querySelectorAll(`[data-testid=place-${id}] *`).length, place);
}

function p95(waits) {
    return waits.sort((a, b) => a - b)[Math.floor(waits.length * 0.95)] ?? Number.NaN;
}

function ms(value) {
    return `${Math.round(value)} ms`;
}
