/** Places in Chinese that have nothing in them, and what is there only with other texts, models or runs than the sample has. */
import { fireEvent, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { FakeHost } from "../host/fake";
import { app } from "../state/app.svelte";
import { editor } from "../state/editor.svelte";
import { launch } from "../state/launch.svelte";
import { pairing } from "../state/pair.svelte";
import { skills } from "../state/skills.svelte";
import { click, closeWindow, found, look, lookAt, openWindow, press, settled, type, type Sight } from "../test-chinese";
import ProviderCount from "./inspect/ProviderCount.svelte";

const SKILL = "/home/ada/work/skills/log-analyzer";
const MANIFEST = `${SKILL}/SKILL.md`;
/** With problems that have a fix, as the answers of the fake know them. */
const WRONG =
    "---\nname: Log-Analyzer\ndescription: Find slow requests in server logs. Use when the user shares a log file.\n---\n\nRead `references\\window.md`.\n";

let fake: FakeHost;

beforeEach(async () => {
    fake = await openWindow();
});

afterEach(() => {
    pairing.first = pairing.choosing = null;
    closeWindow();
});

async function wrongText(): Promise<void> {
    await editor.open(MANIFEST);
    await screen.findByTestId("editor-content");
    await settled();
    fake.disk.files.set(MANIFEST, WRONG);
    fake.disk.files.set(`${SKILL}/references/window.md`, "# Window\n\nRun `scripts\\window.py`.\n");
    await editor.reread();
    await editor.active?.refresh();
    await settled();
}

const COUNT = {
    model: "一个",
    named: "一个",
    server: "api.example.com",
    request: 100,
    prompt: 8,
    standIn: true,
    instructions: 50,
    tools: 42,
    skills: 300,
    files: null,
    asked: 0,
};

const SIGHTS: Sight[] = [
    [
        "a window without folders",
        "open-folder",
        async () => {
            fake.on("skill_list", () => ({ folders: [], skills: [], problems: [] }));
            await skills.load();
            await settled();
            look("no skills");
            app.go("run");
            await launch.load();
        },
    ],
    [
        "a folder without skills",
        "skill-tree",
        async () => {
            const folder = { path: "/home/ada/empty", name: "empty", bundled: false, watched: false };
            fake.on("skill_list", () => ({ folders: [folder], skills: [], problems: [] }));
            await skills.load();
        },
    ],
    ["problems that can be mended", "problem-fix", wrongText],
    [
        "a count of a provider",
        "provider-count",
        async () => {
            const models = (await fake.call("model_list", {})).models.filter(({ rehearsal }) => !rehearsal);
            const props = { models, chosen: models[0]!, oncount: () => undefined, onchoose: () => undefined };
            for (const counted of [null, COUNT, { ...COUNT, standIn: false, files: 9, asked: 5 }]) {
                await lookAt("a count", ProviderCount, { ...props, counted, counting: counted === null, error: null });
            }
        },
    ],
    [
        "two runs that are walked by keys",
        "pair-rows",
        async () => {
            app.go("traces");
            await click("run-pair", 0);
            await click("run-pair", 1);
            await screen.findByTestId("pair-detail");
            for (const key of ["Home", "End", "ArrowDown", "n", "p"]) {
                await press(key);
            }
            look("two runs");
        },
    ],
    [
        "a search for an option that is not there",
        "options-search",
        async () => {
            await skills.load();
            app.go("inspect");
            await click("inspect-options");
            await screen.findAllByTestId("option");
            await type("options-search", "qwertz");
        },
    ],
    [
        "a run for a pair that is not there",
        "pair-chooser",
        async () => {
            app.go("traces");
            await fireEvent.click((await screen.findAllByTestId("run-row"))[0]?.querySelector("button") ?? document.body);
            await screen.findByTestId("run-view");
            await click("run-compare");
            await type("run-filter", "qwertz");
            await waitFor(() => expect(screen.queryAllByTestId("run-choice")).toEqual([]));
        },
    ],
];

it.each(SIGHTS)("has no English in %s", async (name, testid, open) => {
    await open(fake);
    await screen.findAllByTestId(testid);
    await settled();
    look(name);
    expect(found()).toEqual({});
});
