/** For tests: a text full of hidden characters, and whether a view marks all of them. */
import { expect } from "vitest";
import { visible } from "./parts/hidden";

export const HOSTILE = "rm\u202e\u2066 -rf\u200b\u{e0041}\u001b[2J\u009b2J\u007f\u2028\u061c\ufeff ~";

/** Every hidden character is in a mark, and none is in what only can be text. */
export function expectMarked(container: HTMLElement) {
    const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT);
    let marks = 0;
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const text = node.textContent ?? "";
        if (node.parentElement?.dataset["mark"] !== undefined) {
            marks += 1;
        } else {
            expect(text).toBe(visible(text));
        }
    }
    expect(marks).toBeGreaterThan(0);
    for (const element of container.querySelectorAll("[title], [aria-label]")) {
        for (const words of [element.getAttribute("title"), element.getAttribute("aria-label")]) {
            expect(words ?? "").toBe(visible(words ?? ""));
        }
    }
}
