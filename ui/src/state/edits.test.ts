import { describe, expect, it } from "vitest";
import { byFile, difference, differences, edited } from "./edits";

const range = (from: number, to: number) => ({ from, to, line: 1, column: from + 1 });

describe("edited", () => {
    it("puts every edit where it was before the others", () => {
        const edits = [
            { range: range(0, 1), text: "AA" },
            { range: range(2, 3), text: "" },
            { range: range(3, 3), text: "!" },
        ];
        expect(edited("abc", edits)).toBe("AAb!");
    });
});

describe("byFile", () => {
    it("keeps the order of files and of the edits in each", () => {
        const edits = [
            { path: "b", n: 1 },
            { path: "a", n: 2 },
            { path: "b", n: 3 },
        ];
        expect([...byFile(edits)]).toEqual([
            [
                "b",
                [
                    { path: "b", n: 1 },
                    { path: "b", n: 3 },
                ],
            ],
            ["a", [{ path: "a", n: 2 }]],
        ]);
    });
});

describe("difference", () => {
    it("is the smallest replacement", () => {
        expect([difference("abc", "abXc"), difference("aaa", "aa"), difference("", "x"), difference("same", "same")]).toEqual([
            { from: 2, to: 2, insert: "X" },
            { from: 2, to: 3, insert: "" },
            { from: 0, to: 0, insert: "x" },
            { from: 4, to: 4, insert: "" },
        ]);
    });
});

describe("differences", () => {
    it("leave the lines between them alone", () => {
        expect(differences("one \ntwo\nthree \n", "one\ntwo\nthree\n")).toEqual([
            { from: 3, to: 4, insert: "" },
            { from: 14, to: 15, insert: "" },
        ]);
    });

    it("are one where lines come or go, and none where nothing changes", () => {
        expect([differences("a\nb\n", "a\nx\ny\nb\n"), differences("a", "a")]).toEqual([[{ from: 2, to: 2, insert: "x\ny\n" }], []]);
    });
});
