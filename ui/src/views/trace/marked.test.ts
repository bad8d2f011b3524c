import { render } from "@testing-library/svelte";
import { expect, test } from "vitest";
import MarkedText from "./text/MarkedText.svelte";

test.each([
    ["one line\nand another", true],
    ["", true],
    ["two  spaces", false],
    ["a\ttab", false],
    ["indented:\n  so", false],
    ["a space \nat the end of a line", false],
    [" at the beginning", false],
    ["at the end ", false],
    ["a return\r\n", false],
])("%j collapses only where no space is lost", (text, flat) => {
    const { container } = render(MarkedText, { text, label: "Text" });
    const shown = container.querySelector(".text");
    expect([shown?.classList.contains("flat"), shown?.textContent.trimEnd()]).toEqual([flat, text.trimEnd()]);
});
