import { expect, test } from "vitest";
import { fit } from "./match";

test("the start of a label beats the start of a word, then the middle of one, then the detail", () => {
    expect([
        fit("data", "data-analysis", ""),
        fit("ana", "data-analysis", ""),
        fit("lys", "data-analysis", ""),
        fit("dat", "SKILL.md", "data-analysis"),
    ]).toEqual([1, 0.8, 0.6, 0.3]);
});

test("scattered letters do not match", () => {
    expect(fit("ana", "Theme: system", "")).toBe(0);
});

test("every word must be found, in any case and width", () => {
    expect([fit("SKILL Ｄａｔａ", "SKILL.md", "data-analysis"), fit("skill missing", "SKILL.md", "data-analysis")]).toEqual([0.3, 0]);
});
