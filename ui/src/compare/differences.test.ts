import { expect, it } from "vitest";
import type { DiffPiece, TextMark } from "../generated/api";
import { baseStretches, hunks, lackingLines, parts, stretches } from "./differences";

const framework: TextMark["origin"] = { type: "framework" };
const skill: TextMark["origin"] = { type: "skill", skill: "a", field: "name" };
const same = (text: string): DiffPiece => ({ kind: "same", text });
const removed = (text: string): DiffPiece => ({ kind: "removed", text });
const added = (text: string): DiffPiece => ({ kind: "added", text });

it("keeps who put it there across the pieces of a difference", () => {
    const marks: TextMark[] = [
        { from: 0, to: 4, origin: framework },
        { from: 4, to: 7, origin: skill },
    ];
    expect(stretches([same("on"), removed("old"), added("e two")], marks)).toEqual([
        { kind: "same", text: "on", origin: framework, hunk: null },
        { kind: "removed", text: "old", origin: null, hunk: 0 },
        { kind: "added", text: "e ", origin: framework, hunk: 0 },
        { kind: "added", text: "two", origin: skill, hunk: 0 },
    ]);
});

it("counts the places that differ", () => {
    expect(hunks(stretches([same("a"), removed("b"), added("c"), same("d"), added("e")], []))).toBe(2);
    expect(hunks(stretches([same("a")], []))).toBe(0);
});

it("folds equal lines away but those around a difference", () => {
    const lines = Array.from({ length: 20 }, (_, at) => `${at}\n`).join("");
    const made = parts(stretches([same(lines), added("new\n"), same("end\n")], []), true);
    expect(made.map(({ folded, lines }) => [folded, lines])).toEqual([
        [true, 18],
        [false, 4],
    ]);
    expect(made.flatMap((part) => part.stretches.map((stretch) => stretch.text)).join("")).toBe(`${lines}new\nend\n`);
});

it("folds nothing where all is shown, and lays long texts out in blocks", () => {
    const made = parts(stretches([same("x\n".repeat(250))], []), false);
    expect(made.map(({ folded, lines }) => [folded, lines])).toEqual([
        [false, 100],
        [false, 100],
        [false, 50],
    ]);
});

it("finds the lines of the base that others lack or put something into", () => {
    const base = "a\nb\nc\nd\n";
    const lacking = lackingLines([
        [same("a\n"), removed("b\n"), same("c\nd\n")],
        [same("a\nb\nc\n"), added("x"), same("d\n")],
    ]);
    expect(lacking).toEqual([false, true, false, true]);
    expect(
        parts(baseStretches(base, [], lacking), true)
            .flatMap((part) => part.stretches.map((stretch) => stretch.text))
            .join(""),
    ).toBe(base);
});
