import { expect, test } from "vitest";
import { fit, ranked, Searched } from "./match";

const searched = (label: string, detail: string) => new Searched({ label, detail });

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

test("what nobody has looked for yet costs nothing, and is made once", () => {
    let asked = 0;
    const made = Array.from({ length: 5000 }, (_, at) => ({
        label: `run ${at}`,
        get detail() {
            asked += 1;
            return `of day ${at}`;
        },
    })).map((of) => new Searched(of));
    expect(ranked("", made, (entry) => entry)).toHaveLength(5000);
    expect(asked).toBe(0);
    expect(ranked("run 4999", made, (entry) => entry)).toHaveLength(1);
    ranked("day 4999", made, (entry) => entry);
    expect(ranked("day 4999", made, (entry) => entry)).toHaveLength(1);
    expect(asked).toBe(5000);
});
