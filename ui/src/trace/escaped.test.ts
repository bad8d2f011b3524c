import { expect, it } from "vitest";
import type { TextMark } from "../generated/api";
import { isEscaped, readable } from "./escaped";

const mark = (from: number, to: number, name: string): TextMark => ({ from, to, origin: { type: "tool", tool: name } });

it("tells a text that is only written as a JSON string from one that says something else", () => {
    expect(isEscaped(String.raw`"a\n<b>"`, "a\n<b>")).toBe(true);
    expect(isEscaped(String.raw`"a\n\u003cb\u003e 字"`, "a\n<b> 字")).toBe(true);
    for (const wire of ["a\n<b>", '"a"', '["a\\n<b>"]', '"', '"a\\n<b>', "a\\n<b>", '"a\\q"']) {
        expect(isEscaped(wire, "a\n<b>")).toBe(false);
    }
});

it("reads a JSON string, and nothing that has no escapes or is none", () => {
    expect(readable(String.raw`"# Title\n\nText"`, [])?.text).toBe("# Title\n\nText");
    for (const text of ['"plain"', "no\\n string", '{"a":"\\n"}', '"cut \\', ""]) {
        expect(readable(text, [])).toBeNull();
    }
});

it("keeps each mark at what it marked", () => {
    const text = String.raw`"ab\nc\u003cd"`;
    const marks = [mark(0, 3, "all of ab"), mark(3, 6, "break and c"), mark(6, 13, "the rest"), mark(0, text.length, "all")];
    const read = readable(text, marks);
    expect(read?.text).toBe("ab\nc<d");
    expect(read?.marks.map(({ from, to }) => read.text.slice(from, to))).toEqual(["ab", "\nc", "<d", "ab\nc<d"]);
    expect(readable(text, [mark(4, 8, "begins inside of escapes")])?.marks[0]).toMatchObject({ from: 2, to: 4 });
});

it("has the pieces of any text in their places", () => {
    const pieces = ["# 标题\n", "", 'say "so"', "\\d+\t", "\u0007\u2028", "😀", "</script>", "\r\n"];
    let at = 1;
    const marks = pieces.map((piece) => {
        const from = at;
        at += JSON.stringify(piece).length - 2;
        return mark(from, at, piece);
    });
    const read = readable(JSON.stringify(pieces.join("")), marks);
    expect(read?.text).toBe(pieces.join(""));
    expect(read?.marks.map(({ from, to }) => read.text.slice(from, to))).toEqual(pieces);
});
