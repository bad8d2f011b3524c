import type { TextRange } from "../../generated/api";

/** A place with its line and column. */
export function range(text: string, from: number, to: number): TextRange {
    const before = text.slice(0, from).split("\n");
    return { from, to, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
