import { expect, test } from "vitest";
import { fit, searched } from "./match";

test("the start of a label beats the start of a word, then the middle of one, then the detail", () => {
    expect([
        fit("data", searched("data-analysis", "")),
        fit("ana", searched("data-analysis", "")),
        fit("lys", searched("data-analysis", "")),
        fit("dat", searched("SKILL.md", "data-analysis")),
    ]).toEqual([1, 0.8, 0.6, 0.3]);
});

test("scattered letters do not match", () => {
    expect(fit("ana", searched("Theme: system", ""))).toBe(0);
});

test("every word must be found, in any case and width", () => {
    expect([
        fit("SKILL Ｄａｔａ", searched("SKILL.md", "data-analysis")),
        fit("skill missing", searched("SKILL.md", "data-analysis")),
    ]).toEqual([0.3, 0]);
});
