import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { app } from "./app.svelte";
import { setHost } from "../host";
import { fakeHost } from "../host/fake";
import { changeKeys, handleKey, keysOf, registeredKeys, registerKeys, takenBy, withKey } from "./keys.svelte";

const runs = { save: vi.fn(), next: vi.fn(), first: vi.fn(), shifted: vi.fn() };
let off: () => void;

beforeEach(() => {
    vi.clearAllMocks();
    app.go("skills");
    off = registerKeys([
        { keys: "Mod+S", label: () => "Save", place: "skills", run: runs.save },
        { id: "walk.next", keys: "j | ArrowRight", label: () => "Next", place: "global", run: runs.next },
        { keys: "g g", label: () => "First", place: "global", run: runs.first },
        { keys: "Shift+F8", label: () => "Back", place: "global", run: runs.shifted },
    ]);
});

afterEach(() => off());

function press(key: string, more: KeyboardEventInit = {}, on: HTMLElement = document.body): void {
    if (on !== document.body) {
        document.body.append(on);
    }
    const listener = (event: KeyboardEvent): void => handleKey(event);
    window.addEventListener("keydown", listener);
    on.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));
    window.removeEventListener("keydown", listener);
}

describe("keys", () => {
    it("run what they are bound to, each of their ways", () => {
        press("j");
        press("ArrowRight");
        press("s", { ctrlKey: true });
        press("F8", { shiftKey: true });
        expect([runs.next, runs.save, runs.shifted].map((run) => run.mock.calls.length)).toEqual([2, 1, 1]);
    });

    it("run a sequence", () => {
        press("g");
        expect(runs.first).not.toHaveBeenCalled();
        press("g");
        expect(runs.first).toHaveBeenCalledOnce();
    });

    it("without a modifier rest in a field; those with one do not", () => {
        press("j", {}, document.createElement("textarea"));
        press("s", { ctrlKey: true }, document.createElement("input"));
        expect([runs.next.mock.calls.length, runs.save.mock.calls.length]).toEqual([0, 1]);
    });

    it("are never what an input method composes", () => {
        press("j", { isComposing: true });
        press("s", { ctrlKey: true, isComposing: true });
        expect([runs.next.mock.calls.length, runs.save.mock.calls.length]).toEqual([0, 0]);
    });

    it("work in their place only", () => {
        app.go("run");
        press("s", { ctrlKey: true });
        expect(runs.save).not.toHaveBeenCalled();
    });

    it("are the user's own once they were changed, and come back", async () => {
        setHost(fakeHost());
        const next = registeredKeys().find((binding) => binding.id === "walk.next");
        if (next === undefined) throw new Error("it was registered");
        expect(withKey("Next", "walk.next")).toBe("Next (j)");
        await changeKeys(next, "n | Mod+ArrowRight");
        press("j");
        expect(runs.next).not.toHaveBeenCalled();
        press("n");
        press("ArrowRight", { ctrlKey: true });
        expect([runs.next.mock.calls.length, withKey("Next", "walk.next")]).toEqual([2, "Next (n)"]);
        await changeKeys(next, "");
        expect([keysOf(next), withKey("Next", "walk.next")]).toEqual(["", "Next"]);
        await changeKeys(next, null);
        expect([keysOf(next), app.settings.keys]).toEqual(["j | ArrowRight", {}]);
    });

    it("know which command has a key already", () => {
        const next = registeredKeys().find((binding) => binding.id === "walk.next");
        if (next === undefined) throw new Error("it was registered");
        expect([takenBy(next, "Mod+S")?.label(), takenBy(next, "j"), takenBy(next, "x")]).toEqual(["Save", null, null]);
    });
});
