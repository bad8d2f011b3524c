import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { app } from "./app.svelte";
import { handleKey, registerKeys } from "./keys.svelte";

const runs = { save: vi.fn(), next: vi.fn(), first: vi.fn(), shifted: vi.fn() };
let off: () => void;

beforeEach(() => {
    vi.clearAllMocks();
    app.go("skills");
    off = registerKeys([
        { keys: "Mod+S", label: () => "Save", place: "skills", run: runs.save },
        { keys: "j | ArrowRight", label: () => "Next", place: "global", run: runs.next },
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
});
