/** The whole window in Chinese: each place, each dialog that the palette opens, the editor, and a run step by step. */
import { fireEvent, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it } from "vitest";
import { actionGroups, loadActions } from "../state/actions";
import { app, PLACES } from "../state/app.svelte";
import { editor } from "../state/editor.svelte";
import { skills } from "../state/skills.svelte";
import { closeWindow, found, look, openWindow, settled, speakChinese } from "../test-chinese";

beforeEach(openWindow);
afterEach(closeWindow);

it("has no English in any place", async () => {
    for (const place of PLACES) {
        app.go(place);
        await settled();
        look(place);
    }
    expect(found()).toEqual({});
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
    expect(found()).toEqual({});
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
    expect(found()).toEqual({});
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
    expect(found()).toEqual({});
});

it("finds English in texts and in what is spoken, and a whole text of ours even if its words are known", () => {
    const added = document.createElement("p");
    const button = document.createElement("button");
    added.append("还有 two qwertz", button);
    added.title = "Say qwertz";
    button.append("Delete");
    document.body.append(added);
    look("here");
    added.remove();
    expect(Object.keys(found())).toEqual(["two qwertz", "Say qwertz", "Delete"]);
});

it("finds a question that has no recorded answer", async () => {
    const fake = speakChinese();
    await expect(fake.call("text_fix", { path: "/a.md", text: "", unsaved: [] })).rejects.toMatchObject({ code: "unknown" });
    expect(found()).toEqual({ "no answer to text_fix": '{"path":"/a.md","text":"","unsaved":[]}' });
});

/** Actions that change the language, or nothing that is seen. */
const LEAVES = /^action:(language|light|dark|contrast|system|larger|smaller|save)/;
