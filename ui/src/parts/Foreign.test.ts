import { render, screen } from "@testing-library/svelte";
import { expect, test } from "vitest";
import Foreign from "./Foreign.svelte";

const HOSTILE = "rm\u202e -rf\u200b\u001b[2J\n~";

test("what is hidden is a mark with its name", () => {
    render(Foreign, { text: HOSTILE });
    expect(screen.getAllByRole("img").map((mark) => [mark.dataset["mark"], mark.title])).toEqual([
        ["U+202E", "Hidden character U+202E, right-to-left override"],
        ["U+200B", "Hidden character U+200B, zero width space"],
        ["U+001B", "Hidden character U+001B, escape"],
        ["↵", "Hidden character U+000A, line feed"],
    ]);
});

test("the text stays the original, so a copy is one", () => {
    for (const lines of ["one", "several"] as const) {
        const { container, unmount } = render(Foreign, { text: HOSTILE, lines });
        expect(container.textContent).toBe(HOSTILE);
        unmount();
    }
});

test("lines of a longer text stay lines", () => {
    render(Foreign, { text: HOSTILE, lines: "several" });
    expect(screen.getAllByRole("img").map((mark) => mark.dataset["mark"])).toEqual(["U+202E", "U+200B", "U+001B"]);
});

test("one line is apart from the direction of what stands around it", () => {
    const { container } = render(Foreign, { text: "שלום" });
    expect(container.querySelector("bdi")?.textContent).toBe("שלום");
});
