import { describe, expect, it } from "vitest";

import type { Origin, TextMark } from "../generated/api";
import { blocks, head, kindsIn, segments, textMarks } from "./segments";

const framework: Origin = { type: "framework" };
const skill: Origin = { type: "skill", skill: "translator", field: "name" };
const user: Origin = { type: "user" };

function mark(from: number, to: number, origin: Origin): TextMark {
    return { from, to, origin };
}

describe("segments", () => {
    it("gives nothing for an empty text", () => {
        expect(segments("", [])).toEqual([]);
        expect(segments("", [mark(0, 3, skill)])).toEqual([]);
    });

    it("gives one unmarked piece for a text without marks", () => {
        expect(segments("abc", [])).toEqual([{ from: 0, text: "abc", origin: null }]);
    });

    it("cuts at marks that touch", () => {
        expect(segments("<n>x</n>", [mark(0, 3, framework), mark(3, 4, skill), mark(4, 8, framework)])).toEqual([
            { from: 0, text: "<n>", origin: framework },
            { from: 3, text: "x", origin: skill },
            { from: 4, text: "</n>", origin: framework },
        ]);
    });

    it("keeps gaps as unmarked pieces", () => {
        expect(segments("abcdef", [mark(1, 2, skill), mark(4, 5, user)])).toEqual([
            { from: 0, text: "a", origin: null },
            { from: 1, text: "b", origin: skill },
            { from: 2, text: "cd", origin: null },
            { from: 4, text: "e", origin: user },
            { from: 5, text: "f", origin: null },
        ]);
    });

    it("lets the mark that starts last win, and comes back to the outer one", () => {
        expect(segments("abcdef", [mark(2, 4, skill), mark(0, 6, framework)])).toEqual([
            { from: 0, text: "ab", origin: framework },
            { from: 2, text: "cd", origin: skill },
            { from: 4, text: "ef", origin: framework },
        ]);
        expect(segments("abcdef", [mark(0, 4, framework), mark(2, 6, user)])).toEqual([
            { from: 0, text: "ab", origin: framework },
            { from: 2, text: "cdef", origin: user },
        ]);
    });

    it("drops empty marks and cuts marks that reach past the text", () => {
        expect(segments("abc", [mark(1, 1, skill), mark(2, 99, user), mark(-4, 1, framework)])).toEqual([
            { from: 0, text: "a", origin: framework },
            { from: 1, text: "b", origin: null },
            { from: 2, text: "c", origin: user },
        ]);
    });

    it("counts in UTF-16 units and never splits a character", () => {
        expect(segments("a😀译b", [mark(1, 3, skill), mark(3, 4, user)])).toEqual([
            { from: 0, text: "a", origin: null },
            { from: 1, text: "😀", origin: skill },
            { from: 3, text: "译", origin: user },
            { from: 4, text: "b", origin: null },
        ]);
        expect(segments("😀b", [mark(1, 3, skill)])).toEqual([{ from: 0, text: "😀b", origin: skill }]);
    });

    it("joins again to the text whatever the marks", () => {
        const text = "one\ntwo 😀 three\r\n\tvier";
        const marks = Array.from({ length: 40 }, (_, at) => mark((at * 7) % 23, (at * 5) % 27, at % 2 ? skill : user));
        expect(
            segments(text, marks)
                .map((piece) => piece.text)
                .join(""),
        ).toBe(text);
    });

    it("reads the marks of a message", () => {
        expect(textMarks([{ span: { start: 1, end: 2 }, origin: user }])).toEqual([mark(1, 2, user)]);
    });
});

describe("blocks", () => {
    it("breaks after whole lines and across pieces", () => {
        const text = "1\n2\n3\n4\n5";
        const made = blocks(segments(text, [mark(0, 5, framework), mark(5, 9, skill)]), 2);
        expect(made.map((block) => block.segments.map((piece) => piece.text))).toEqual([["1\n2\n"], ["3", "\n4\n"], ["5"]]);
        expect(made.map((block) => [block.from, block.lines])).toEqual([
            [0, 2],
            [4, 2],
            [8, 1],
        ]);
    });

    it("adds no empty block after a last line break", () => {
        expect(blocks(segments("a\nb\n", []), 2).map((block) => block.segments.map((piece) => piece.text))).toEqual([["a\nb\n"]]);
        expect(blocks([], 2)).toEqual([]);
    });

    it("joins again to the text", () => {
        const text = Array.from({ length: 1000 }, (_, at) => `line ${at}`).join("\n");
        const joined = blocks(segments(text, [mark(100, 5000, user)])).flatMap((block) => block.segments.map((piece) => piece.text));
        expect(joined.join("")).toBe(text);
    });
});

describe("head", () => {
    it("keeps short texts whole and cuts long ones between characters", () => {
        expect(head("abc", 3)).toBe("abc");
        expect(head("abcd", 3)).toBe("abc");
        expect(head("a😀b", 2)).toBe("a");
    });
});

it("says who wrote anything without cutting the text", () => {
    const text = "framework skill rest";
    const marks: TextMark[] = [
        { from: 10, to: 15, origin: { type: "skill", skill: "a", field: "name" } },
        { from: 0, to: 10, origin: { type: "framework" } },
    ];
    expect([...kindsIn(text, marks)].sort()).toEqual(["framework", "skill", "unmarked"]);
    expect([...kindsIn(text.slice(0, 15), marks)].sort()).toEqual(["framework", "skill"]);
    expect([...kindsIn("", [])]).toEqual([]);
});
