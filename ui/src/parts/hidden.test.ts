import { expect, test } from "vitest";
import { setLocale } from "../i18n";
import cases from "../../../tests/fixtures/hidden.json";
import { codePoint, pieces, unicodeName, visible } from "./hidden";

const hidden = (text: string) =>
    pieces(text)
        .filter((piece) => piece.hidden)
        .map((piece) => codePoint(piece.text).slice(2));

test("exactly the characters that the core hides are hidden alone", () => {
    let all = "";
    for (let code = 0; code <= 0x10ffff; code += 1) {
        const isSurrogate = code >= 0xd800 && code < 0xe000;
        all += isSurrogate ? "" : `a${String.fromCodePoint(code)}`;
    }
    const ranges: [string, string][] = [];
    let last = -2;
    for (const point of hidden(all)) {
        const code = Number.parseInt(point, 16);
        const range = ranges.at(-1);
        if (range !== undefined && code === last + 1) {
            range[1] = point;
        } else {
            ranges.push([point, point]);
        }
        last = code;
    }
    expect(ranges).toEqual(cases.ranges);
});

test("a selector is seen where it selects a form", () => {
    expect(cases.texts.map(([text]) => hidden(String(text)))).toEqual(cases.texts.map(([, found]) => found));
});

test("pieces are the whole text", () => {
    for (const [text] of cases.texts) {
        expect(
            pieces(String(text))
                .map((piece) => piece.text)
                .join(""),
        ).toBe(text);
    }
});

test("where only text can stand, marks are text", () => {
    expect(visible("a\u202eb\u{e0041}\u001b[2J\n")).toBe("a\\u{202e}b\\u{e0041}\\u{1b}[2J\n");
});

test("characters are called as Unicode calls them, or by their Chinese names", () => {
    const named = () => ["\n", "\u202e", "\u{e0041}", "\u0001", "\ufe01", "\u206a"].map(unicodeName);
    expect(named()).toEqual(["line feed", "right-to-left override", "tag A", "control", "variation selector", null]);
    setLocale("zh-CN");
    expect(named()).toEqual(["换行", "强制从右至左", "标签 A", "控制字符", "异体字选择符", null]);
    setLocale("en");
});
