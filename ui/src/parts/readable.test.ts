import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Readable } from "./readable.svelte";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An event that came at a time, however late it is handed on. */
function at(timeStamp: number): Event {
    return Object.defineProperty(new Event("click"), "timeStamp", { value: timeStamp });
}

it("counts from when a question was painted", () => {
    const readable = new Readable();
    const stop = readable.watch();
    expect(readable.before(at(performance.now() + 10_000))).toBe(false);
    vi.advanceTimersToNextFrame();
    expect(readable.before(at(performance.now() + 10_000))).toBe(false);
    vi.advanceTimersToNextFrame();
    const painted = performance.now();
    expect([499, 500].map((later) => readable.before(at(painted + later)))).toEqual([false, true]);
    vi.advanceTimersByTime(499);
    expect(readable.ready).toBe(false);
    vi.advanceTimersByTime(1);
    expect(readable.ready).toBe(true);
    stop();
});

it("takes no click that waited while the page was busy", () => {
    const readable = new Readable();
    const clicked = performance.now();
    readable.watch();
    vi.advanceTimersToNextFrame();
    vi.advanceTimersToNextFrame();
    vi.advanceTimersByTime(5000);
    expect([readable.ready, readable.before(at(clicked)), readable.before(at(performance.now()))]).toEqual([true, false, true]);
});

it("never begins where the question is gone before it is painted", () => {
    const readable = new Readable();
    readable.watch()();
    vi.advanceTimersByTime(5000);
    expect(readable.ready).toBe(false);
});
