/** Keeps the preview in step with the source: headings are the fixed points, and between two of them positions are proportional. */

/** The position of `y` among ascending `tops`: 1.5 is half way from the second of them to the third. */
export function shareOf(tops: readonly number[], y: number): number {
    const after = tops.findIndex((top) => top > y);
    if (after < 0) {
        return Math.max(tops.length - 1, 0);
    }
    const [from, to] = [tops[after - 1], tops[after]];
    return from === undefined || to === undefined ? 0 : after - 1 + (y - from) / (to - from);
}

/** The reverse: the position for such a share. */
export function placeAt(tops: readonly number[], share: number): number {
    const at = Math.min(Math.max(Math.floor(share), 0), tops.length - 1);
    const [from, to] = [tops[at] ?? 0, tops[at + 1]];
    return to === undefined ? from : from + (share - at) * (to - from);
}

/** The start, then each of these within what can be scrolled to, then the end. */
export function stops(tops: readonly number[], end: number): number[] {
    const last = Math.max(end, 0);
    let least = 0;
    return [0, ...tops.map((top) => (least = Math.min(Math.max(top, least), last))), last];
}
