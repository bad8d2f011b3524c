/** The scroll position of a conversation that follows its end. */

/** Pixels of the line above a question that stay in sight. */
const ABOVE = 8;

/**
 * The end; but a question that does not fit is shown from its top, so that users cannot allow something they have not seen: its subject
 * comes first, and the buttons are further down.
 */
export function followed(scroller: HTMLElement): number {
    const end = Math.max(0, scroller.scrollHeight - scroller.clientHeight);
    const asking = [...scroller.querySelectorAll<HTMLElement>('[data-testid="approval-card"], [data-testid="cut-card"]')].at(-1);
    if (asking === undefined) {
        return end;
    }
    const top = asking.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
    return Math.min(end, Math.max(0, top - ABOVE));
}
