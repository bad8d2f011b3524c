/** The first focus in a view that has just opened. */
import type { Attachment } from "svelte/attachments";

/** Focuses the first element that `selectors` find, in their order. */
export function firstFocus(...selectors: readonly string[]): Attachment<HTMLElement> {
    return (node) => {
        const found = selectors.map((selector) => node.querySelector<HTMLElement>(selector)).find((element) => element !== null);
        found?.focus({ preventScroll: true });
    };
}
