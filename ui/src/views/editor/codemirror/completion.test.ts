import { waitFor } from "@testing-library/svelte";
import { completionStatus, currentCompletions, startCompletion } from "@codemirror/autocomplete";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { expect, it, vi } from "vitest";
import type { CompletionItem } from "../../../generated/api";
import { completing, type Ask } from "./completion";

function at(text: string, ask: Ask): EditorView {
    const state = EditorState.create({ doc: text, selection: { anchor: text.length }, extensions: [completing(ask)] });
    return new EditorView({ state, parent: document.body.appendChild(document.createElement("div")) });
}

it("offers what the core knows of the place, in its order, and marks what is hidden in a name", async () => {
    const items: CompletionItem[] = [
        { kind: "file", label: "scripts/b.py", insert: null, detail: null },
        { kind: "file", label: "scripts/a\u202e.py", insert: null, detail: { en: "hidden", zh: "隐藏" } },
    ];
    const ask: Ask = async (_, place) => ({ from: place - 3, to: place, items });
    const view = at("See [it](scr", ask);
    startCompletion(view);
    await waitFor(() => expect(completionStatus(view.state)).toBe("active"));
    expect(currentCompletions(view.state).map((each) => each.label)).toEqual(["scripts/b.py", "scripts/a\u202e.py"]);
    expect(currentCompletions(view.state)[1]?.displayLabel).not.toContain("\u202e");
    view.destroy();
});

it("says nothing where nothing is known", async () => {
    const ask = vi.fn<Ask>(async (_, place) => ({ from: place, to: place, items: [] }));
    const view = at("`plain", ask);
    startCompletion(view);
    await waitFor(() => expect(ask).toHaveBeenCalledWith("`plain", 6));
    await waitFor(() => expect(completionStatus(view.state)).toBeNull());
    view.destroy();
});

it("asks of frontmatter, code, links and paths, and sends no text for plain prose", async () => {
    const asked: string[] = [];
    const ask: Ask = (text, place) => {
        asked.push(text);
        return Promise.resolve({ from: place, to: place, items: [] });
    };
    const known = ["---\nna", "---\nname: x\nallowed-tools: Re", "Run `py", "See [it](re", "Read scripts/c"];
    const unknown = ["Word wor", "---\nname: x\n---\nna", "na"];
    for (const text of [...known, ...unknown]) {
        const view = at(text, ask);
        startCompletion(view);
        await waitFor(() => expect(completionStatus(view.state)).toBeNull());
        view.destroy();
    }
    expect(asked).toEqual(known);
});
