import Copy from "@lucide/svelte/icons/copy";
import { render } from "@testing-library/svelte";
import { expect, test } from "vitest";
import Glyph from "./Glyph.svelte";

test("each copy of an icon is what its component draws, in its size", () => {
    const drawn = (size: number) => render(Copy, { size }).container.querySelector("svg")?.outerHTML;
    const copied = (size: number) => render(Glyph, { icon: Copy, size }).container.querySelector("svg")?.outerHTML;
    expect(drawn(14)).toContain("<path");
    expect([copied(14), copied(16), copied(14)]).toEqual([drawn(14), drawn(16), drawn(14)]);
});
