/** For lists whose rows disappear once they are handled. */
import type { Attachment } from "svelte/attachments";

/**
 * When a row disappears, the focus moves to the row that takes its place; if no row is left, to the first button that stays. Rows are `li`.
 */
export const keepFocus: Attachment<HTMLElement> = (node) => {
    /** The place of the row that has the focus; the first one if another element in here has it. */
    let focused: number | null = null;

    function placeOf(target: EventTarget | null): number | null {
        if (!(target instanceof Element) || !node.contains(target)) {
            return null;
        }
        const row = target.closest("li");
        return row === null ? 0 : [...node.querySelectorAll("li")].indexOf(row);
    }

    const observer = new MutationObserver(() => {
        if (focused !== null && document.activeElement === document.body) {
            const rows = node.querySelectorAll("li");
            const next = rows[Math.min(focused, rows.length - 1)] ?? node;
            next.querySelector("button")?.focus({ preventScroll: true });
        }
    });
    const onfocusin = (event: FocusEvent): void => void (focused = placeOf(event.target));
    // An element that is taken out of the document is blurred in some engines and not in others.
    const onfocusout = (event: FocusEvent): void => {
        if (event.target instanceof Element && event.target.isConnected) {
            focused = placeOf(event.relatedTarget);
        }
    };
    observer.observe(node, { childList: true, subtree: true });
    node.addEventListener("focusin", onfocusin);
    node.addEventListener("focusout", onfocusout);
    return () => {
        observer.disconnect();
        node.removeEventListener("focusin", onfocusin);
        node.removeEventListener("focusout", onfocusout);
    };
};
