import { waitFor } from "@testing-library/svelte";
import { afterEach, describe, expect, it } from "vitest";
import { Closing } from "./closing.svelte";
import { editor } from "./editor.svelte";

const PATH = "/opt/skill-workbench/skills/translator/SKILL.md";

afterEach(() => editor.files.forEach((file) => editor.drop(file)));

async function unsaved(): Promise<Closing> {
    await editor.open(PATH);
    editor.active?.write("unsaved");
    return new Closing();
}

describe("closing the window", () => {
    it("asks nothing where all is saved", async () => {
        expect(await new Closing().allow()).toBe(true);
    });

    it.each([
        ["save", true, false],
        ["discard", true, true],
        ["cancel", false, true],
    ] as const)("with unsaved text and the answer %s", async (answer, closes, dirty) => {
        const closing = await unsaved();
        const allowed = closing.allow();
        await waitFor(() => expect(closing.asks).toBe(1));
        closing.answer(answer);
        expect([await allowed, editor.dirty.length > 0, closing.asks]).toEqual([closes, dirty, null]);
    });

    it("asks once, however often it is asked to close", async () => {
        const closing = await unsaved();
        const allowed = closing.allow();
        await waitFor(() => expect(closing.asks).toBe(1));
        expect([await closing.allow(), closing.asks]).toEqual([false, 1]);
        closing.answer("discard");
        expect([await allowed, closing.asks]).toEqual([true, null]);
    });
});
