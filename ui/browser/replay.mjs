/**
 * The replay page in a real browser: `node browser/replay.mjs SKILLBENCH`. Exports a run with hostile texts in it by that
 * program, opens the pages in Chromium without a network, steps through them by key, and looks for faults of access.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import assert from "node:assert/strict";
import axe from "axe-core";
import { chromium } from "playwright-core";

const CHROMIUM = process.env["SKILLBENCH_CHROMIUM"] ?? "/usr/bin/chromium";
const PROMPT = "How many pounds is 1 kilogram?";
const HOSTILE = `</script><script>window.hit = 1</script><img src=x onerror="window.hit = 2"><b>bold</b>\u202e {{7*7}} \${7*7}`;
const [skillbench] = process.argv.slice(2);
assert(skillbench, "name the program that exports the run");

const home = mkdtempSync(join(tmpdir(), "skillbench-replay-"));
const browser = await chromium.launch({ executablePath: CHROMIUM, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
let checks = 0;
try {
    for (const language of ["en", "zh"]) {
        const page = exported(language);
        for (const colours of ["light", "dark"]) {
            await replays(page, language, colours);
        }
    }
} finally {
    await browser.close();
    rmSync(home, { recursive: true, force: true });
}
console.log(`${checks} checks passed`);

/** The page of a run whose prompt and answers are hostile. */
function exported(language) {
    const bundled = resolve(dirname(fileURLToPath(import.meta.url)), "../../src-tauri/api/bundled/unit-converter.jsonl");
    const lines = readFileSync(bundled, "utf8").replaceAll(PROMPT, JSON.stringify(HOSTILE).slice(1, -1)).split("\n");
    const [header, ...rest] = lines;
    // Another run than the one that ships with the program.
    const file = join(home, "hostile.jsonl");
    writeFileSync(file, [header.replace(/"run":"[0-9a-f-]{36}"/, '"run":"01934000-0000-7000-8000-0000000000aa"'), ...rest].join("\n"));
    const run = told(["trace", "import", file]).trim();
    const page = join(home, `${language}.html`);
    writeFileSync(page, told(["trace", "export", run, "--format", "html", "--redact", "none", "--lang", language]));
    return page;
}

function told(args) {
    const env = { ...process.env, SKILL_WORKBENCH_HOME: join(home, "state") };
    const { status, stdout, stderr } = spawnSync(skillbench, args, { env, encoding: "utf8", maxBuffer: 1 << 28 });
    assert.equal(status, 0, `skillbench ${args.join(" ")}: ${stderr}`);
    return stdout;
}

async function replays(file, language, colours) {
    const context = await browser.newContext({ offline: true, colorScheme: colours, viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    const faults = [];
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    page.on("dialog", (dialog) => void (faults.push(dialog.message()), dialog.dismiss()));
    page.on("request", (request) => request.url() !== pathToFileURL(file).href && faults.push(`asked for ${request.url()}`));
    await page.goto(pathToFileURL(file).href);
    const at = page.getByTestId("step-position");
    const number = async () => Number((await at.textContent()).match(/\d+/)[0]);
    const until = async (expected, why) => {
        await page
            .waitForFunction(
                (expected) => Number(document.querySelector("[data-testid=step-position]")?.textContent?.match(/\d+/)?.[0]) === expected,
                expected,
                { timeout: 10_000 },
            )
            .catch(async () => assert.fail(`${language} ${colours}: ${why}: step ${await number()}, not ${expected}`));
        checks += 1;
    };

    await until(1, "it opens at the first step");
    const all = (await at.textContent()).match(/\d+/g).map(Number)[1];
    const detail = page.getByTestId("step-detail");
    const shown = (await detail.textContent()).replaceAll(/\s+/g, " ");
    assert(shown.includes("</script><script>window.hit = 1</script><img src=x"), `hostile text is shown as text: ${shown}`);
    await faultless(page, `${language} ${colours}, step 1`);
    for (let step = 2; step <= all; step += 1) {
        await page.keyboard.press(step % 2 === 0 ? "j" : "ArrowRight");
        await until(step, "the next step");
        await faultless(page, `${language} ${colours}, step ${step}`);
    }
    await page.keyboard.press("k");
    await until(all - 1, "the step before");
    await page.keyboard.press("g");
    await page.keyboard.press("g");
    await until(1, "the first step");
    await page.keyboard.press("Shift+G");
    await until(all, "the last step");

    assert.equal(await page.evaluate(() => window.hit), undefined, "nothing in the run was run");
    assert.equal(await page.locator("img[src=x], .step-detail b").count(), 0, "nothing in the run became an element");
    assert.equal(await page.evaluate(() => document.documentElement.lang.slice(0, 2)), language);
    assert.deepEqual(faults, [], `${language} ${colours}`);
    checks += 4;
    await context.close();
}

/** No serious or critical finding. The page's policy stays in force: axe comes by the protocol of the browser. */
async function faultless(page, where) {
    if (!(await page.evaluate(() => "axe" in window))) {
        await page.evaluate(axe.source);
    }
    // Elements that fade in have their colours at the end.
    await page.evaluate(() => Promise.allSettled(document.getAnimations().map((animation) => animation.finished)));
    const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
    const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    const listed = grave.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target} ${node.failureSummary ?? ""}`).join("; ")}`);
    assert.deepEqual(listed, [], where);
    checks += 1;
}
