/** Two texts word by word, and two runs step by step. */
import type { DiffPiece, RunDetail, RunDiff, Step, StepPair } from "../../generated/api";

/** More cells than this are not worth an exact answer in a sample. */
const MOST_CELLS = 6_000_000;

/** The longest words in common, in their order. */
export function wordDiff(a: string, b: string): DiffPiece[] {
    const [left, right] = [words(a), words(b)];
    let start = 0;
    while (start < left.length && start < right.length && left[start] === right[start]) start++;
    let end = 0;
    while (end < left.length - start && end < right.length - start && left.at(-1 - end) === right.at(-1 - end)) end++;
    const pieces: DiffPiece[] = [];
    const put = (kind: DiffPiece["kind"], text: string | undefined): void => {
        const last = pieces.at(-1);
        if (last?.kind === kind) last.text += text ?? "";
        else if (text) pieces.push({ kind, text });
    };
    left.slice(0, start).forEach((word) => put("same", word));
    between(left.slice(start, left.length - end), right.slice(start, right.length - end), put);
    left.slice(left.length - end).forEach((word) => put("same", word));
    return joined(pieces);
}

/** Changes with nothing but spaces and marks between them are one: first what was removed, then what was added. */
function joined(pieces: readonly DiffPiece[]): DiffPiece[] {
    const made: DiffPiece[] = [];
    let [removed, added, between] = ["", "", ""];
    const close = (): void => {
        for (const [kind, text] of [
            ["removed", removed],
            ["added", added],
            ["same", between],
        ] as const) {
            const last = made.at(-1);
            if (text !== "" && last?.kind === kind) last.text += text;
            else if (text !== "") made.push({ kind, text });
        }
        [removed, added, between] = ["", "", ""];
    };
    for (const { kind, text } of pieces) {
        if (kind === "same") {
            between += text;
            if (removed + added === "" || /[\p{L}\p{N}]/u.test(between)) close();
            continue;
        }
        removed += between + (kind === "removed" ? text : "");
        added += between + (kind === "added" ? text : "");
        between = "";
    }
    close();
    return made;
}

function between(a: readonly string[], b: readonly string[], put: (kind: DiffPiece["kind"], text: string | undefined) => void): void {
    if (a.length * b.length > MOST_CELLS) {
        put("removed", a.join(""));
        put("added", b.join(""));
        return;
    }
    const width = b.length + 1;
    const common = new Uint32Array((a.length + 1) * width);
    const at = (i: number, j: number): number => common[i * width + j] ?? 0;
    for (let i = a.length - 1; i >= 0; i--) {
        for (let j = b.length - 1; j >= 0; j--) {
            common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
        }
    }
    let [i, j] = [0, 0];
    while (i < a.length || j < b.length) {
        if (i < a.length && j < b.length && a[i] === b[j]) {
            put("same", a[i]);
            i++;
            j++;
        } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) {
            put("removed", a[i++]);
        } else {
            put("added", b[j++]);
        }
    }
}

function words(text: string): string[] {
    return text.match(/\n|[^\S\n]+|[\p{L}\p{N}_-]+|[^\p{L}\p{N}\s_-]/gu) ?? [];
}

/** By kind, place by place: enough to look at. The core aligns runs. */
export function runDiff(a: RunDetail, b: RunDetail): RunDiff {
    const says = (step: Step | undefined): string =>
        step === undefined ? "" : JSON.stringify({ ...step.kind, usage: null, spent: null, firstToken: null, digest: null });
    const pairs: StepPair[] = [];
    let [left, right] = [0, 0];
    while (left < a.steps.length || right < b.steps.length) {
        const [one, other] = [a.steps[left], b.steps[right]];
        if (one !== undefined && other !== undefined && one.kind.type === other.kind.type) {
            pairs.push({ type: says(one) === says(other) ? "same" : "changed", a: left++, b: right++ });
        } else if (other === undefined || (one !== undefined && a.steps.length - left >= b.steps.length - right)) {
            pairs.push({ type: "onlyA", a: left++ });
        } else {
            pairs.push({ type: "onlyB", b: right++ });
        }
    }
    const first = pairs.findIndex((pair) => pair.type !== "same");
    return { pairs, firstDivergence: first < 0 ? null : first };
}
