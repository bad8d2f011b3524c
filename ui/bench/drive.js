/** The pages as they are built for measuring, in a browser: Chromium by playwright, or WebKitGTK's own by its WebDriver, which is the engine of the real window on Linux. */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { build, preview } from "vite";

/** Milliseconds without another per cent that was given back, after which memory is at rest. */
const RESTS = 8_000;

const MINI = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser";

/** Builds the pages and opens a browser; `open` gives a page that shows an address of them. */
export async function drive({ webkit = false } = {}) {
    const outDir = mkdtempSync(join(tmpdir(), "skill-workbench-bench-"));
    await build({ mode: "bench", logLevel: "error", build: { outDir, emptyOutDir: true } });
    const server = await preview({ logLevel: "error", build: { outDir }, preview: { port: 0, host: "127.0.0.1" } });
    const address = (asks) => `${server.resolvedUrls?.local[0]}?fake&${asks}`;
    const browser = webkit ? await webkitBrowser() : await chromiumBrowser();
    return {
        open: (asks, { width, height } = { width: 1360, height: 880 }) => browser.open(address(asks), width, height),
        close: async () => {
            await browser.close();
            await server.close();
        },
    };
}

async function chromiumBrowser() {
    const browser = await chromium.launch({ executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
    return {
        async open(address, width, height) {
            const page = await browser.newPage({ viewport: { width, height } });
            await page.goto(address);
            await page.waitForSelector("[data-testid=rail-traces]");
            return {
                run: (script, ...given) => page.evaluate(`(${script})(...${JSON.stringify(given)})`),
                /** Bytes of the page's heap, after a collection. */
                async memory() {
                    const session = await page.context().newCDPSession(page);
                    await session.send("HeapProfiler.collectGarbage");
                    const { usedSize } = await session.send("Runtime.getHeapUsage");
                    await session.detach();
                    return usedSize;
                },
                async memoryNow() {
                    const session = await page.context().newCDPSession(page);
                    const { usedSize } = await session.send("Runtime.getHeapUsage");
                    await session.detach();
                    return usedSize;
                },
                close: () => page.close(),
            };
        },
        close: () => browser.close(),
    };
}

/** One page at a time. */
async function webkitBrowser() {
    const port = await freePort();
    const driver = spawn(process.env["WEBKIT_DRIVER"] ?? "WebKitWebDriver", [`--port=${port}`, "--host=127.0.0.1"], { stdio: "ignore" });
    const ask = async (method, path, body) => {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
            method,
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const { value } = await answer.json();
        if (!answer.ok) throw new Error(`${path}: ${value?.error} ${value?.message}`);
        return value;
    };
    await until(() => ask("GET", "/status").then(() => true));
    const options = { binary: process.env["WEBKIT_BROWSER"] ?? MINI, args: ["--automation"] };
    return {
        async open(address, width, height) {
            const session = await ask("POST", "/session", {
                capabilities: { alwaysMatch: { "webkitgtk:browserOptions": options, timeouts: { script: 600_000 } } },
            });
            const path = `/session/${session.sessionId}`;
            await ask("POST", `${path}/window/rect`, { x: 0, y: 0, width, height: height + 40 });
            await ask("POST", `${path}/url`, { url: address });
            const run = (script, ...given) =>
                ask("POST", `${path}/execute/async`, {
                    script: `const [given, done] = arguments;
                        Promise.resolve().then(() => (${script})(...given)).then((value) => done({ value }), (error) => done({ error: String(error?.stack ?? error) }));`,
                    args: [given],
                }).then(({ value, error }) => {
                    if (error !== undefined) throw new Error(error);
                    return value;
                });
            await until(() => run(() => document.querySelector("[data-testid=rail-traces]") !== null));
            return {
                run,
                /**
                 * Bytes of the process that draws the page: its own memory, and its part of shared memory. Scripts cannot make WebKit
                 * collect garbage, and freed memory is returned to the system later, so this waits until the number is stable.
                 */
                async memory() {
                    let [least, since] = [proportional(driver.pid), Date.now()];
                    for (const until = since + 60_000; Date.now() - since < RESTS && Date.now() < until;) {
                        await new Promise((done) => setTimeout(done, 500));
                        const now = proportional(driver.pid);
                        if (now < least * 0.99) {
                            [least, since] = [now, Date.now()];
                        }
                    }
                    return least;
                },
                /** The same while it works. */
                memoryNow: async () => proportional(driver.pid),
                close: () => ask("DELETE", path),
            };
        },
        close: async () => {
            driver.kill();
        },
    };
}

function proportional(ancestor) {
    const parents = new Map();
    for (const entry of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
        try {
            const stat = readFileSync(`/proc/${entry}/stat`, "utf8");
            const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
            parents.set(Number(entry), { parent: Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]), name });
        } catch {
            // It ended in between.
        }
    }
    const isOurs = (pid) => pid === ancestor || (parents.has(pid) && isOurs(parents.get(pid).parent));
    const web = [...parents].find(([pid, { name }]) => name.startsWith("WebKitWebPr") && isOurs(pid));
    if (web === undefined) throw new Error("WebKit's process for the page was not found");
    const rollup = readFileSync(`/proc/${web[0]}/smaps_rollup`, "utf8");
    return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? Number.NaN) * 1024;
}

async function until(is) {
    for (let tries = 0; tries < 600; tries += 1) {
        if (
            await Promise.resolve()
                .then(is)
                .catch(() => false)
        )
            return;
        await new Promise((done) => setTimeout(done, 100));
    }
    throw new Error("the browser did not come up");
}

async function freePort() {
    const server = createServer();
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    const { port } = server.address();
    await new Promise((done) => server.close(done));
    return port;
}

/** The numbers of `--webkit` and others behind a command. */
export function asked() {
    const words = process.argv.slice(2);
    return { webkit: words.includes("--webkit"), numbers: words.map(Number).filter((number) => number > 0) };
}

export function spread(waits) {
    const sorted = [...waits].sort((a, b) => a - b);
    const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
    return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

export function ms(value) {
    return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}
