import { expect, it } from "vitest";
import { placeAt, shareOf, stops } from "./preview-sync";

it("goes to the same heading, and between two of them as far in both", () => {
    const source = stops([100, 300], 1000);
    const preview = stops([40, 600], 700);
    const led = [0, 50, 100, 200, 300, 650, 1000].map((y) => placeAt(preview, shareOf(source, y)));
    expect(led).toEqual([0, 20, 40, 320, 600, 650, 700]);
});

it("takes headings of the last screen, which nothing scrolls to, for the end", () => {
    expect(stops([100, 900, 950], 800)).toEqual([0, 100, 800, 800, 800]);
    expect(shareOf(stops([100, 900], 800), 800)).toBe(3);
    expect(placeAt(stops([100, 500], 400), 3)).toBe(400);
});

it("stays at the start of what does not scroll", () => {
    const all = stops([10, 20], -5);
    expect([all, placeAt(all, shareOf(all, 0)), placeAt(all, 0.5)]).toEqual([[0, 0, 0, 0], 0, 0]);
});
