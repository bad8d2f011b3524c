import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { BLINKS, caret, HALF } from "./caret";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open(): { view: EditorView; on: () => boolean } {
    const view = new EditorView({
        parent: document.body.appendChild(document.createElement("div")),
        state: EditorState.create({ doc: "one two", extensions: caret }),
    });
    const layer = view.scrollDOM.querySelector<HTMLElement>(".cm-cursorLayer");
    return { view, on: () => layer?.style.visibility === "" };
}

it("goes off and on while the text has the focus, and stays on once nothing has happened for a while", () => {
    const { view, on } = open();
    view.focus();
    vi.advanceTimersByTime(50);
    const seen: boolean[] = [];
    for (let at = 0; at < 2 * BLINKS + 2; at += 1) {
        vi.advanceTimersByTime(HALF);
        seen.push(on());
    }
    expect(seen).toEqual([...Array.from({ length: 2 * BLINKS }, (_, at) => at % 2 === 1), true, true]);
    expect(vi.getTimerCount(), "nothing is left to wake the page").toBe(0);
    view.destroy();
});

it("is on while somebody types, and does not blink without the focus", () => {
    const { view, on } = open();
    vi.advanceTimersByTime(HALF);
    expect(on()).toBe(true);
    view.focus();
    vi.advanceTimersByTime(50 + HALF);
    expect(on()).toBe(false);
    view.dispatch({ changes: { from: 0, insert: "x" } });
    expect(on()).toBe(true);
    vi.advanceTimersByTime(HALF);
    expect(on()).toBe(false);
    view.contentDOM.blur();
    vi.advanceTimersByTime(50);
    expect(on()).toBe(true);
    view.destroy();
    expect(vi.getTimerCount()).toBe(0);
});
