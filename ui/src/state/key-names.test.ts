import { afterEach, expect, it, vi } from "vitest";
import { chordName } from "./key-names";

afterEach(() => vi.restoreAllMocks());

it("names keys as the keyboard does", () => {
    const names = () => ["Mod+Enter", "Alt+Shift+Enter", "Mod+1", "Shift+F8", "ArrowRight", "Mod+PageDown"].map(chordName);
    expect(names()).toEqual(["Ctrl+Enter", "Alt+Shift+Enter", "Ctrl+1", "Shift+F8", "→", "Ctrl+Page Down"]);
    vi.spyOn(navigator, "userAgent", "get").mockReturnValue("Macintosh");
    expect(names()).toEqual(["⌘↩", "⌥⇧↩", "⌘1", "⇧F8", "→", "⌘Page Down"]);
});
