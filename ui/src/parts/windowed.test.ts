import { render } from "@testing-library/svelte";
import { createRawSnippet, flushSync, tick } from "svelte";
import { expect, it } from "vitest";
import WindowedList from "./WindowedList.svelte";

const ROW = 28;
const COUNT = 10_000;
const items = Array.from({ length: COUNT }, (_, at) => `skill-${at}`);
const row = createRawSnippet<[string]>((item) => ({ render: (): string => `<button>${item()}</button>` }));

/** A scroller of 500 pixels around the list, as far as the list asks for one. */
function list(): { scroller: HTMLElement; rows: () => HTMLElement[]; scroll: (top: number) => void } {
    const { container } = render(WindowedList<string>, { items, key: (item: string) => item, guess: ROW, row });
    const scroller = container.querySelector("ul");
    if (scroller === null) {
        throw new Error("no list");
    }
    return {
        scroller,
        rows: () => [...scroller.querySelectorAll("li")],
        scroll: (top) => {
            scroller.getBoundingClientRect = () => new DOMRect(0, -top, 300, COUNT * ROW);
            document.documentElement.getBoundingClientRect = () => new DOMRect(0, 0, 300, 500);
            Object.defineProperty(document.documentElement, "clientHeight", { value: 500, configurable: true });
            document.documentElement.dispatchEvent(new Event("scroll"));
            flushSync();
        },
    };
}

/** The height of drawn and left-out rows, in pixels. */
function height(scroller: HTMLElement, rows: readonly HTMLElement[]): number {
    const gaps = rows.map((each) => Number.parseFloat(each.style.marginBlockStart || "0"));
    const ends = [scroller.style.paddingBlockStart, scroller.style.paddingBlockEnd];
    return rows.length * ROW + [...gaps, ...ends.map((end) => Number.parseFloat(end || "0"))].reduce((sum, each) => sum + each, 0);
}

it("draws the rows in sight, and keeps room for the others", () => {
    const { scroller, rows, scroll } = list();
    expect(rows().length).toBeLessThan(60);
    expect(rows()[0]?.getAttribute("aria-setsize")).toBe("10000");
    scroll(140_000);
    expect(rows().map((each) => each.textContent)).toContain("skill-5000");
    expect([rows().length < 60, height(scroller, rows())]).toEqual([true, COUNT * ROW]);
});

it("keeps the row that has the focus, however far it is scrolled away", async () => {
    const { scroller, rows, scroll } = list();
    rows()[2]?.querySelector("button")?.focus();
    await tick();
    scroll(200_000);
    expect([rows()[0]?.textContent, document.activeElement?.textContent]).toEqual(["skill-2", "skill-2"]);
    expect(height(scroller, rows())).toBe(COUNT * ROW);
});
