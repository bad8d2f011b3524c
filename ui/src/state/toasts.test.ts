import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { setLocale, t } from "../i18n";
import { Toasts } from "./toasts.svelte";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
    vi.useRealTimers();
    setLocale("en");
});

it("lets no note go while somebody is at it", () => {
    const toasts = new Toasts();
    const texts = () => toasts.list.map((toast) => toast.type === "note" && toast.text());
    toasts.note(() => "Copied");
    toasts.note(() => "Fixed", { label: () => "Undo", run: () => undefined });
    vi.advanceTimersByTime(3000);
    expect(texts()).toEqual(["Fixed"]);
    toasts.hold(true);
    vi.advanceTimersByTime(60_000);
    expect(texts()).toEqual(["Fixed"]);
    toasts.hold(false);
    expect(texts()).toEqual([]);
    toasts.note(() => "Merged");
    toasts.hold(true);
    toasts.dismiss(toasts.list[0]?.id ?? -1);
    toasts.note(() => "Copied");
    vi.advanceTimersByTime(3000);
    expect(texts(), "nobody can be at one that is gone").toEqual([]);
});

it("a note changes its language with the window, and is the same note", () => {
    const toasts = new Toasts();
    const texts = () => toasts.list.flatMap((toast) => (toast.type === "note" ? [toast.text(), toast.action?.label()] : []));
    const say = () => toasts.note(() => t("skills.deleted", { name: "a.md" }), { label: () => t("lint.undo"), run: () => undefined });
    say();
    expect(texts()).toEqual(["Deleted a.md.", "Undo"]);
    setLocale("zh-CN");
    say();
    expect(texts()).toEqual(["已删除 a.md。", "撤销"]);
});
