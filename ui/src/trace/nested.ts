/** Steps of sub-agents below the calls that started them, as rows that can be drawn one after the other. */
import { outlineOf, type Outline, type Steps } from "./steps";

export type Row = {
    /** The place of its step in the run. */
    at: number;
    /** 0: the conversation itself. */
    depth: number;
    /** The call whose steps it shows or folds away; `null` if it has none. */
    folds: string | null;
    /** How many steps are below it, at any depth. */
    inner: number;
};

/** Rows in order. There may be very many, so they are made when they are drawn. */
export interface Rows {
    readonly length: number;
    slice(from?: number, to?: number): Row[];
    /** The place among the rows at which a step is drawn; -1: it is folded away. */
    placeOf(at: number): number;
}

/** Every step that is not folded away: each call, then what its sub-agent did, in the order of the record. */
export function rows(steps: Steps, folded: ReadonlySet<string>): Rows {
    const outline = outlineOf(steps);
    return isFlat(outline) ? flat(outline.length) : tree(outline, folded);
}

function isFlat({ within, length }: Outline): boolean {
    return within.subarray(0, length).every((number) => number === 0);
}

function flat(length: number): Rows {
    return {
        length,
        slice: (from = 0, to = length) => places(length, from, to).map((at) => ({ at, depth: 0, folds: null, inner: 0 })),
        placeOf: (at) => (at >= 0 && at < length ? at : -1),
    };
}

/** As `slice` of a list has them. */
function places(length: number, from: number, to: number): number[] {
    const first = from < 0 ? Math.max(0, length + from) : from;
    return Array.from({ length: Math.max(0, Math.min(to, length) - first) }, (_, place) => first + place);
}

function tree(outline: Outline, folded: ReadonlySet<string>): Rows {
    const { length, conversations } = outline;
    const inside = children(outline);
    /** The conversation that each call began. */
    const begun = new Map([...outline.calls].map(([number, call]) => [call, number]));
    const order = new Int32Array(length);
    const place = new Int32Array(length).fill(-1);
    const depths = new Uint8Array(length);
    const inner = new Uint32Array(length);
    let count = 0;
    const put = (at: number, depth: number, shown: boolean): number => {
        const number = begun.get(at);
        const below = number === undefined ? [] : (inside.get(number) ?? []);
        if (shown) {
            place[at] = count;
            order[count] = at;
            count += 1;
        }
        depths[at] = Math.min(depth, 255);
        const open = shown && !(number !== undefined && folded.has(conversations[number - 1] ?? ""));
        const all = below.reduce((sum, child) => sum + 1 + put(child, depth + 1, open), 0);
        inner[at] = all;
        return all;
    };
    (inside.get(0) ?? []).forEach((at) => put(at, outline.within[at] === 0 ? 0 : 1, true));
    const row = (at: number): Row => {
        const number = begun.get(at);
        const folds = number !== undefined && (inner[at] ?? 0) > 0 ? (conversations[number - 1] ?? null) : null;
        return { at, depth: depths[at] ?? 0, folds, inner: inner[at] ?? 0 };
    };
    return {
        length: count,
        slice: (from = 0, to = count) => places(count, from, to).map((at) => row(order[at] ?? 0)),
        placeOf: (at) => place[at] ?? -1,
    };
}

/** The calls that a step is below, the nearest first. */
export function ancestors(steps: Steps, at: number): string[] {
    const { length, within, conversations, calls } = outlineOf(steps);
    const found: string[] = [];
    let place: number | undefined = at;
    while (place !== undefined && place >= 0 && place < length) {
        const number = within[place] ?? 0;
        const call = conversations[number - 1];
        if (call === undefined || found.includes(call)) break;
        found.push(call);
        place = calls.get(number);
    }
    return found;
}

export function isHidden(steps: Steps, at: number, folded: ReadonlySet<string>): boolean {
    return folded.size > 0 && ancestors(steps, at).some((call) => folded.has(call));
}

/** The place of the call that began a conversation; `null`: no call did. */
export function placeOfCall(steps: Steps, within: string): number | null {
    const { conversations, calls, length } = outlineOf(steps);
    const call = calls.get(conversations.indexOf(within) + 1);
    return call === undefined || call >= length ? null : call;
}

/**
 * Places of the steps below each call, by the conversation that it began; 0: of the run's own. Conversations without a call, for example a
 * summary by the framework, are at the place where they came.
 */
function children({ length, within, calls }: Outline): Map<number, number[]> {
    const inside = new Map<number, number[]>([[0, []]]);
    for (let at = 0; at < length; at += 1) {
        const number = within[at] ?? 0;
        const below = number !== 0 && (calls.get(number) ?? length) < at ? number : 0;
        const known = inside.get(below);
        if (known === undefined) inside.set(below, [at]);
        else known.push(at);
    }
    return inside;
}
