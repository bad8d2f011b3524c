import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { Frames } from "./frames";

describe("Frames", () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    it("hands over once what came in one interval", () => {
        const flushed: number[][] = [];
        const frames = new Frames<number>((items) => flushed.push(items));
        frames.push(1);
        frames.push(2);
        vi.advanceTimersByTime(49);
        expect(flushed).toEqual([]);
        vi.advanceTimersByTime(1);
        frames.push(3);
        vi.advanceTimersByTime(50);
        expect(flushed).toEqual([[1, 2], [3]]);
    });

    it("flushes at once when asked, and only what is there", () => {
        const flushed: number[][] = [];
        const frames = new Frames<number>((items) => flushed.push(items));
        frames.push(1);
        frames.flush();
        frames.flush();
        vi.advanceTimersByTime(100);
        expect(flushed).toEqual([[1]]);
    });
});
