/**
 * Whether all labels fit: every place in both languages, at 100 and 150 per cent, in a window of 1024 by 700 points. Labels that may end in
 * dots have a style for that, and keep some letters; no others are cut off or reach over the edge.
 */
import { asked, drive } from "./drive.js";

const { webkit } = asked();
const PLACES = ["skills", "inspect", "compare", "run", "traces"];

const browser = await drive({ webkit });
console.log(`${webkit ? "WebKitGTK" : "Chromium"}, 1024x700\n`);
console.log("| language | zoom | places | labels | cut off |");
console.log("|---|---|---|---|---|");
let all = 0;
for (const language of ["en", "zh-CN"]) {
    for (const zoom of [100, 150]) {
        // At a larger zoom there is less room.
        const room = { width: Math.floor((1024 * 100) / zoom), height: Math.floor((700 * 100) / zoom) };
        const page = await browser.open(`lang=${language}`, room);
        const found = [];
        let labels = 0;
        for (const place of [...PLACES, "trace"]) {
            await page.run(go, place);
            const { cut, count } = await page.run(cutOff);
            labels += count;
            found.push(...cut.map((label) => `${place}: ${label}`));
        }
        all += found.length;
        console.log(`| ${language} | ${zoom} % | ${PLACES.length + 1} | ${labels} | ${found.length} |`);
        found.forEach((label) => console.log(`  ${label}`));
        await page.close();
    }
}
await browser.close();
process.exitCode = all === 0 ? 0 : 1;

// The code below runs in the page.

async function go(place) {
    const wait = async (css) => {
        for (let tries = 0; tries < 400 && document.querySelector(css) === null; tries += 1) {
            await new Promise((done) => setTimeout(done, 10));
        }
    };
    if (place === "trace") {
        document.querySelector("[data-testid=open-sample]")?.click();
        await wait("[data-testid=context-pane]");
    } else {
        document.querySelector(`[data-testid=rail-${place}]`)?.click();
        await wait(`[data-testid=place-${place}]`);
    }
    // Its contents are being loaded.
    await new Promise((done) => setTimeout(done, 400));
}

function cutOff() {
    const cut = [];
    let count = 0;
    const scrolls = (element) => {
        for (let at = element.parentElement; at !== null; at = at.parentElement) {
            if (/auto|scroll/.test(getComputedStyle(at).overflowX) && at.scrollWidth > at.clientWidth) return true;
        }
        return false;
    };
    const edge = document.documentElement.getBoundingClientRect().right;
    for (const element of document.querySelectorAll("button, label, h1, h2, h3, [role=tab], .panel-title, .ellipsis")) {
        const box = element.getBoundingClientRect();
        if (element.offsetParent === null || box.width < 2 || element.closest(".visually-hidden, svg, .cm-editor") !== null) continue;
        count += 1;
        const style = getComputedStyle(element);
        const dots = style.textOverflow === "ellipsis";
        const over = element.scrollWidth > element.clientWidth + 1;
        const label = element.textContent.trim().slice(0, 60) || element.getAttribute("aria-label") || element.outerHTML.slice(0, 80);
        if (over && !dots && style.overflowX !== "auto" && style.overflowX !== "scroll" && element.clientWidth > 0)
            cut.push(`cut off: ${label}`);
        if (over && dots && element.clientWidth < 3 * parseFloat(style.fontSize)) cut.push(`ends early: ${label}`);
        if (box.right > edge + 1 && !scrolls(element)) cut.push(`over the edge: ${label}`);
    }
    return { cut, count };
}
