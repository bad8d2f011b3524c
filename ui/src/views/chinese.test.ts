/** The whole window in Chinese: each place, each dialog that the palette opens, the editor, and a run step by step. */
import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeEach, expect, it } from "vitest";
import App from "../App.svelte";
import { setHost } from "../host";
import { fakeHost, type FakeHost } from "../host/fake";
import { setLocale } from "../i18n";
import { zhCn } from "../i18n/zh-CN";
import { actionGroups, loadActions } from "../state/actions";
import { app, PLACES } from "../state/app.svelte";
import { editor } from "../state/editor.svelte";
import { pairing } from "../state/pair.svelte";
import { runs } from "../state/runs.svelte";
import { skills } from "../state/skills.svelte";
// Loads here what the window would load lazily, so that tests need not wait for that.
import "./collisions/CollisionsView.svelte";
import "./compare/ComparePlace.svelte";
import "./editor/codemirror/text-view";
import "./history/HistoryView.svelte";
import "./inspect/InspectPlace.svelte";
import "./lint/RulesView.svelte";
import "./models/ModelsView.svelte";
import "./run/RunPlace.svelte";
import "./trace/TracePlace.svelte";

/** Keys are called as it is written on them, and filters of a search as they are typed. */
const KEYS = [
    "Ctrl",
    "Shift",
    "Alt",
    "Enter",
    "Home",
    "End",
    "Esc",
    "Space",
    "Page Up",
    "Page Down",
    "EN: Switch to English",
    "top_p",
    "KB",
    "MB",
];

/** What may be read in any language: the Chinese catalogue, and what the host says of skills, models and runs. */
const known: string[] = [...Object.values(zhCn), ...KEYS];
let english: Map<string, string>;
let fake: FakeHost;

beforeEach(async () => {
    english = new Map();
    fake = fakeHost();
    const call: FakeHost["call"] = fake.call.bind(fake);
    fake.call = async (name, args) => {
        const answer = await call(name, args);
        learn(answer);
        return answer;
    };
    fake.disk.settings = { ...fake.disk.settings, language: "zh-CN" };
    setHost(fake);
    setLocale("zh-CN");
    runs.walk = null;
    runs.list = null;
    pairing.shown = null;
    app.go("skills");
    render(App);
    await screen.findByTestId("welcome");
});

afterEach(() => {
    editor.files.forEach((file) => editor.drop(file));
    editor.form = false;
    cleanup();
    setLocale("en");
});

it("has no English in any place", async () => {
    for (const place of PLACES) {
        app.go(place);
        await settled();
        look(place);
    }
    expect(Object.fromEntries(english)).toEqual({});
});

it("has no English in the editor, its form and what it finds", async () => {
    for (const row of await screen.findAllByTestId("skill-row")) {
        await fireEvent.click(row);
        // The text view is fetched first.
        await screen.findByTestId("editor-content");
        await settled();
        look(row.dataset.name ?? "");
    }
    editor.active?.write("no frontmatter\n");
    editor.form = true;
    await settled();
    look("a text with problems");
    expect(Object.fromEntries(english)).toEqual({});
});

it("has no English in what the palette opens", async () => {
    await fireEvent.click((await screen.findAllByTestId("skill-row"))[1] ?? document.body);
    await screen.findByTestId("editor-content");
    loadActions();
    await fireEvent.keyDown(window, { key: "k", ctrlKey: true });
    await settled();
    look("palette");
    const opened = actionGroups().find(({ group }) => group === "actions")?.actions ?? [];
    expect(opened.length).toBeGreaterThan(20);
    for (const { id, run } of opened) {
        if (!LEAVES.test(id)) {
            run();
            await settled();
            look(id);
        }
    }
    expect(skills.newOpen).toBe(true);
    expect(Object.fromEntries(english)).toEqual({});
});

it("has no English in a run", async () => {
    app.go("traces");
    await fireEvent.click((await screen.findAllByTestId("run-row"))[0]?.querySelector("button") ?? document.body);
    await screen.findByTestId("run-view");
    for (const step of await screen.findAllByTestId("step-row")) {
        await fireEvent.click(step);
        await settled();
        look(`step ${step.textContent.trim()}`);
    }
    expect(Object.fromEntries(english)).toEqual({});
});

it("finds English in texts and in what is spoken", () => {
    const added = document.createElement("p");
    added.append("还有 two qwertz");
    added.title = "Say qwertz";
    document.body.append(added);
    look("here");
    added.remove();
    expect([...english.keys()]).toEqual(["two qwertz", "Say qwertz"]);
});

/** Actions that change the language, or nothing that is seen. */
const LEAVES = /^action:(language|light|dark|contrast|system|larger|smaller|save)/;

const FILTERS =
    "kind:tool status:error tool:… skill:… dur:>500ms cost:>0.01 tokens:>1000 harness:… model:… verdict:fail since:7d until:2026-01-31";

const WORDS = /\p{Script=Latin}[\p{Script=Latin}\d'’_.:/-]*(?: [\p{Script=Latin}\d'’_.:/(-][\p{Script=Latin}\d'’_.:/()-]*)*/gu;

/** Texts of others, and elements that are not read at all. */
const FOREIGN = ".cm-content, code, pre, kbd, script, style, svg";

const SPOKEN = ["title", "aria-label", "aria-description", "aria-valuetext", "placeholder", "alt"];

function look(where: string): void {
    const all = [...known, FILTERS].join("\n");
    const shown = document.body.querySelectorAll(`:not(${FOREIGN})`);
    for (const element of shown) {
        if (element.closest(FOREIGN) !== null) {
            continue;
        }
        const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.nodeValue ?? "");
        for (const text of [...own, ...SPOKEN.map((name) => element.getAttribute(name) ?? "")]) {
            for (const [words] of flat(text).matchAll(WORDS)) {
                // A combination of several known texts is known.
                if (words.length > 1 && !all.includes(words) && !words.split(/ (?:[/·|-] )?|\/|, /).every((word) => all.includes(word))) {
                    english.set(words, where);
                }
            }
        }
    }
}

/** Of texts in two languages, only the Chinese one may be seen. */
function learn(value: unknown): void {
    if (typeof value === "string") {
        known.push(flat(value));
    } else if (typeof value === "object" && value !== null) {
        for (const [key, inner] of Object.entries(value)) {
            if (!(`${key}Zh` in value) && !(key === "en" && "zh" in value)) {
                known.push(key);
                learn(inner);
            }
        }
    }
}

/** On one line, without the numbers of lines after names of files. */
function flat(text: string): string {
    return text.replace(/\s+/g, " ").replace(/(\.\w+):\d+/g, "$1");
}

async function settled(): Promise<void> {
    for (let turn = 0; turn < 5; turn++) {
        await tick();
        await new Promise((done) => setTimeout(done, 0));
    }
}
