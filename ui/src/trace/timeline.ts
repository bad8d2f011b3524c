/** The steps of a run along its time, with the pauses folded, as places from 0 to 1 on a bar. */
import { disclosedAt, kindAt, outlineOf, PROMPT, TOOL, troubleAt, type Outline, type Steps } from "./steps";

/** A pause that takes longer than this is folded, in milliseconds. */
export const IDLE = 3000;

/** The share of the bar for a folded pause, and the most for all of them. */
const FOLD = 0.02;
const FOLDS = 0.3;

export type Fold = {
    at: number;
    /** Milliseconds. */
    pause: number;
};

export type Timeline = {
    /** Where each step begins, ascending. */
    starts: Float64Array;
    folds: Fold[];
};

/** Nothing happened between the end of what came before and the next step: the user thought, or was away. */
export function timeline(steps: Steps): Timeline {
    const { length, start, took } = outlineOf(steps);
    const moments = new Float64Array(length);
    const pauses: { at: number; pause: number; moment: number }[] = [];
    let busy = 0;
    let until = length === 0 ? 0 : (start[0] ?? 0);
    let before = until;
    for (let at = 0; at < length; at += 1) {
        const begins = Math.max(before, start[at] ?? 0);
        const pause = begins - Math.max(until, before);
        if (pause > IDLE) {
            pauses.push({ at, pause, moment: busy + Math.max(0, until - before) });
            busy += Math.max(0, until - before);
        } else {
            busy += begins - before;
        }
        moments[at] = busy;
        before = begins;
        until = Math.max(until, begins + Math.max(0, took[at] ?? 0));
    }
    const end = busy + Math.max(0, until - before);
    return placed(moments, pauses, end);
}

/** The last step that has begun at a place of the bar. */
export function stepAt({ starts }: Timeline, place: number): number {
    let [low, high] = [0, Math.max(0, starts.length - 1)];
    while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if ((starts[middle] ?? 0) <= place) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

/** Steps that were recorded without times have the bar among them evenly. */
function placed(moments: Float64Array, pauses: readonly { at: number; pause: number; moment: number }[], end: number): Timeline {
    if (end <= 0) {
        return { starts: moments.map((_, at) => at / Math.max(1, moments.length)), folds: [] };
    }
    const fold = Math.min(FOLD, FOLDS / Math.max(1, pauses.length));
    const scale = (1 - fold * pauses.length) / end;
    let passed = 0;
    const folds: Fold[] = [];
    const starts = moments.map((moment, at) => {
        const next = pauses[passed];
        if (next !== undefined && next.at <= at) {
            folds.push({ at: next.moment * scale + fold * passed, pause: next.pause });
            passed += 1;
        }
        return moment * scale + fold * passed;
    });
    return { starts, folds };
}

/** The meaning of a mark on the bar; if several share a pixel, the last of these kinds is shown. */
export type Mark = "answer" | "tool" | "prompt" | "skill" | "error";

export const MARKS: readonly Mark[] = ["answer", "tool", "prompt", "skill", "error"];

/** An SVG path for each kind of mark: at most one line a pixel, however many steps there are. */
export function marks(line: Timeline, steps: Steps, width: number, height: number): Record<Mark, string> {
    const outline = outlineOf(steps);
    const columns = new Int8Array(Math.max(1, Math.floor(width))).fill(-1);
    for (let at = 0; at < outline.length; at += 1) {
        const x = Math.min(columns.length - 1, Math.floor((line.starts[at] ?? 0) * columns.length));
        columns[x] = Math.max(columns[x] ?? -1, MARKS.indexOf(markOf(outline, at)));
    }
    const paths: Record<Mark, string> = { answer: "", tool: "", prompt: "", skill: "", error: "" };
    columns.forEach((kind, x) => {
        const mark = MARKS[kind];
        if (mark !== undefined) {
            paths[mark] += `M${x} ${height - tall(mark) * height}v${tall(mark) * height}`;
        }
    });
    return paths;
}

function markOf(outline: Outline, at: number): Mark {
    if (troubleAt(outline, at)) return "error";
    if (disclosedAt(outline, at) === "instructions") return "skill";
    const kind = kindAt(outline, at);
    if (kind === TOOL) return "tool";
    return kind === PROMPT ? "prompt" : "answer";
}

/** Marks differ in height as well as in colour. */
function tall(mark: Mark): number {
    switch (mark) {
        case "answer":
            return 0.35;
        case "tool":
            return 0.55;
        case "prompt":
        case "skill":
        case "error":
            return 1;
    }
}
