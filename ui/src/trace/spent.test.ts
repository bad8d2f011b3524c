import { expect, it } from "vitest";
import { spent } from "./sample";
import { costText, spentText } from "./spent";

it("tells what was estimated as about, and no price that is not known", () => {
    const counted = spent({ input: 1200, output: 80, cost: 0.5 });
    expect(spentText(counted)).toBe("1,200 tokens in, 80 out, $0.5000");
    expect(spentText({ ...counted, cost: null, estimated: true })).toBe("about 1,200 tokens in, 80 out");
    expect([counted, { ...counted, estimated: true }, spent(), null].map(costText)).toEqual(["$0.5000", "about $0.5000", null, null]);
});
