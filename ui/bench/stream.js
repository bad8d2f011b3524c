/**
 * What a run costs the window while a model answers with 200 tokens a second for a minute (the number of seconds may be given): how often
 * the document changes, how long typing has to wait in the meantime, and whether all of the text is there at the end, exactly once.
 */
import { asked, drive, ms, spread } from "./drive.js";

const { webkit, numbers } = asked();
const SECONDS = numbers[0] ?? 60;
const PER_SECOND = 200;

const browser = await drive({ webkit });
const page = await browser.open(`place=run&stream=${PER_SECOND}&seconds=${SECONDS}`);
const { commits, seconds, waits, lost } = await page.run(follow, PER_SECOND * SECONDS);
const { p50, p95 } = spread(waits);
console.log(`${webkit ? "WebKitGTK" : "Chromium"}, ${PER_SECOND} tokens a second for ${SECONDS} s\n`);
console.log("| document changes a second | gate | a key, p50 | p95 | gate | text lost or doubled |");
console.log("|---|---|---|---|---|---|");
console.log(`| ${(commits / seconds).toFixed(1)} | 25 | ${ms(p50)} | ${ms(p95)} | 100 ms | ${lost} |`);
await browser.close();

/** In the page. */
async function follow() {
    const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
    const see = async (css) => {
        for (;;) {
            const found = document.querySelector(css);
            if (found !== null) return found;
            await wait(5);
        }
    };
    (await see("[data-testid=run-button]:not([disabled])")).click();
    const conversation = await see("[data-testid=conversation]");
    let commits = 0;
    new MutationObserver(() => (commits += 1)).observe(conversation, { childList: true, characterData: true, subtree: true });
    const begun = performance.now();
    window.dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true, bubbles: true, cancelable: true }));
    const input = await see("[data-testid=palette-input]");
    const waits = [];
    while (document.documentElement.dataset.streamed === undefined) {
        const start = performance.now();
        input.value = "inspect".slice(0, (waits.length % 7) + 1);
        input.dispatchEvent(new Event("input", { bubbles: true }));
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        waits.push(performance.now() - start);
        await wait(100);
    }
    const seconds = (performance.now() - begun) / 1000;
    await wait(500);
    const answer = document.querySelector("[data-testid=conversation-item][data-kind=answer]");
    const words = (text) => text.match(/w\d+/g) ?? [];
    const [shown, sent] = [words(answer?.textContent ?? ""), words(document.documentElement.dataset.streamed)];
    const lost = sent.filter((word, at) => shown[at] !== word).length + Math.abs(shown.length - sent.length);
    return { commits, seconds, waits, lost };
}
