/** The keys of each place in Chinese, as the list of keys shows them while the place is open. */
import { fireEvent, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it } from "vitest";
import { app } from "../state/app.svelte";
import { compare } from "../state/compare.svelte";
import { editor } from "../state/editor.svelte";
import { pairing } from "../state/pair.svelte";
import { skills } from "../state/skills.svelte";
import { click, closeWindow, found, look, openWindow, press, settled } from "../test-chinese";

beforeEach(async () => {
    await openWindow();
});

afterEach(() => {
    app.helpOpen = false;
    pairing.first = null;
    closeWindow();
});

async function openRun(): Promise<void> {
    app.go("traces");
    await fireEvent.click((await screen.findAllByTestId("run-row"))[0]?.querySelector("button") ?? document.body);
    await screen.findByTestId("run-view");
}

/** A place, what is said of a key that it alone has, and how to get there. */
const KEYS: [place: string, key: string, open: () => Promise<void>][] = [
    [
        "the editor",
        "下一个问题",
        async () => {
            await editor.open("/home/ada/work/skills/log-analyzer/SKILL.md");
            await screen.findByTestId("editor-content");
        },
    ],
    [
        "a framework",
        "下一个框架",
        async () => {
            await skills.load();
            app.go("inspect");
            await screen.findByTestId("inspect-view");
        },
    ],
    [
        "several frameworks",
        "下一处差异",
        async () => {
            app.go("compare");
            await waitFor(() => expect(compare.columns.length).toBeGreaterThan(0));
        },
    ],
    ["a new run", "运行", async () => (app.go("run"), void (await screen.findByTestId("run-button")))],
    ["a recorded run", "下一个错误", openRun],
    ["a presentation", "黑屏", async () => (await openRun(), await press("f"))],
    [
        "two runs",
        "下一行",
        async () => {
            app.go("traces");
            await click("run-pair", 0);
            await click("run-pair", 1);
            await screen.findByTestId("pair-detail");
        },
    ],
];

it.each(KEYS)("has no English in the keys of %s", async (place, key, open) => {
    await open();
    app.helpOpen = true;
    const help = await screen.findByTestId("help");
    await settled();
    look(place);
    expect([...help.querySelectorAll("dt")].map((label) => label.textContent)).toContain(key);
    expect(found()).toEqual({});
});
