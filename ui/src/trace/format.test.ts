import { expect, it } from "vitest";
import { brief, bytes, dollars, duration } from "./format";

it("shortens counts", () => {
    expect([brief(86), brief(4800), brief(16_000), brief(123_456), brief(999_960)]).toEqual(["86", "4.8k", "16k", "123k", "1M"]);
});

it("says durations in the unit that fits", () => {
    expect([0, 180, 1840, 59_990, 125_000].map(duration)).toEqual(["0 ms", "180 ms", "1.8 s", "1 min 00 s", "2 min 05 s"]);
});

it("keeps digits of small amounts that tell something", () => {
    expect([0, 0.000_000_3, 0.000_12, 0.012_34, 12.345].map(dollars)).toEqual(["$0", "< $0.000001", "$0.000120", "$0.0123", "$12.35"]);
});

it("says sizes in the unit that fits", () => {
    expect([0, 1023, 1536, 1_048_576 * 3].map(bytes)).toEqual(["0 B", "1023 B", "1.5 KB", "3 MB"]);
});
