import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Toasts } from "./toasts.svelte";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("lets no note go while somebody is at it", () => {
    const toasts = new Toasts();
    const texts = () => toasts.list.map((toast) => toast.type === "note" && toast.text);
    toasts.note("Copied");
    toasts.note("Fixed", { label: "Undo", run: () => undefined });
    vi.advanceTimersByTime(3000);
    expect(texts()).toEqual(["Fixed"]);
    toasts.hold(true);
    vi.advanceTimersByTime(60_000);
    expect(texts()).toEqual(["Fixed"]);
    toasts.hold(false);
    expect(texts()).toEqual([]);
    toasts.note("Merged");
    toasts.hold(true);
    toasts.dismiss(toasts.list[0]?.id ?? -1);
    toasts.note("Copied");
    vi.advanceTimersByTime(3000);
    expect(texts(), "nobody can be at one that is gone").toEqual([]);
});
