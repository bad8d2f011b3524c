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
    expect(ranked("", made, (entry) => entry)).toEqual({ found: made, fits: 1 });
    expect(asked).toBe(0);
    expect(ranked("run 4999", made, (entry) => entry)).toEqual({ found: [made[4999]], fits: 0.8 });
    ranked("day 4999", made, (entry) => entry);
    expect(ranked("day 4999", made, (entry) => entry)).toEqual({ found: [made[4999]], fits: 0.3 });
    expect(asked).toBe(5000);
});

test("the best come first, in the order given where they fit equally well", () => {
    const labels = ["my data", "old mydata", "data b", "your data", "nothing", "data a"];
    const ranking = ranked("data", labels, (label) => searched(label, ""));
    expect(ranking).toEqual({ found: ["data b", "data a", "my data", "your data", "old mydata"], fits: 1 });
    expect(ranked("elsewhere", labels, (label) => searched(label, ""))).toEqual({ found: [], fits: 0 });
    expect(ranked("data", [], (label) => searched(label, ""))).toEqual({ found: [], fits: 0 });
});
