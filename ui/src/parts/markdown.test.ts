import { render } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import { expectMarked, HOSTILE } from "../test-marked";
import { blocks, type Block, type Inline } from "./markdown";
import Markdown from "./Markdown.svelte";

const shown = (text: string, under = 2) => render(Markdown, { text, under }).container;
const said = (inside: readonly Inline[]): string =>
    inside.map((each) => ("inside" in each ? said(each.inside) : "text" in each ? each.text : "\n")).join("");

/** Everything a block says, in order. */
function words(all: readonly Block[]): string {
    return all
        .map((each) => {
            switch (each.type) {
                case "paragraph":
                case "heading":
                    return said(each.inside);
                case "code":
                    return each.text;
                case "quote":
                    return words(each.blocks);
                case "list":
                    return each.items.map((item) => words(item.blocks)).join(" ");
                case "table":
                    return [each.head, ...each.rows].flat().map(said).join(" ");
                case "rule":
                    return "";
            }
        })
        .join(" ");
}

describe("a model's Markdown", () => {
    it("is drawn as what it means", () => {
        const page = shown(
            "# Result\n\n1 kg is **2.20462 lb**, *about* `2.2`, ~~3~~.\nNext line\n\n- one\n  - two\n- [x] done\n\n3. third\n\n```py\nx  = 1\n\n  y\n```\n\n> quoted\n> further\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n|   | 4 |\n\n---\n",
        );
        expect(page.querySelector("strong")?.textContent).toBe("2.20462 lb");
        expect([page.querySelector("em")?.textContent, page.querySelector("s")?.textContent]).toEqual(["about", "3"]);
        expect(page.querySelector("p code")?.textContent).toBe("2.2");
        expect(page.querySelector("pre")?.textContent).toBe("x  = 1\n\n  y");
        expect([...page.querySelectorAll("ul > li")].map((item) => item.querySelector("p")?.textContent)).toEqual(["one", "two", "done"]);
        expect(page.querySelector("input")).toHaveProperty("checked", true);
        expect(page.querySelector("ol")).toHaveProperty("start", 3);
        expect(page.querySelector("blockquote")?.textContent.trim()).toBe("quoted\nfurther");
        expect([...page.querySelectorAll("th, td")].map((cell) => cell.textContent)).toEqual(["a", "b", "1", "2", "", "4"]);
        expect(page.querySelector<HTMLElement>("td:last-child")?.style.textAlign).toBe("end");
        expect(page.querySelector("hr")).not.toBeNull();
        expect(page.textContent).toContain("3.\nNext line");
    });

    it("becomes no HTML, leads nowhere and loads nothing, and hides nothing that was written", () => {
        const page = shown(
            `<script>hit()</script>\n\n<b onclick="x">b</b> <!-- hidden --> [safe](javascript:alert(1) "title") ![pixel](https://evil.example/p.png) <https://auto.example>\n\n[ref]: https://elsewhere.example\n\n[see][ref] &lt;i&gt; &#x202e;`,
        );
        expect(page.querySelectorAll("script, b, img, a, i, iframe, [onclick], [href], [src]")).toHaveLength(0);
        for (const text of [
            "<script>hit()</script>",
            '<b onclick="x">b</b>',
            "<!-- hidden -->",
            'javascript:alert(1) "title"',
            "https://evil.example/p.png",
            "https://auto.example",
            "[ref]: https://elsewhere.example",
            "[see][ref]",
            "<i>",
        ]) {
            expect(page.textContent).toContain(text);
        }
        expectMarked(page);
    });

    it("says nothing unseen", () => {
        const all = ["", "# ", "- ", "> ", "`", "**", "```\n", "| a |\n|---|\n| "].map(
            (mark) => `${mark}${HOSTILE}${/^[`*]+$/.test(mark) ? mark : ""}`,
        );
        for (const text of [...all, `[a](${HOSTILE})`, `![${HOSTILE}](b)`]) {
            expectMarked(shown(text));
        }
    });

    it("has headings that follow the one they stand under, without gaps", () => {
        const page = shown("### a\n\n# b\n\n###### c", 3);
        expect([...page.querySelectorAll("[role=heading]")].map((heading) => heading.getAttribute("aria-level"))).toEqual(["5", "4", "6"]);
    });

    it("keeps what was there while it grows", () => {
        const first = blocks("# a\n\none\n\ntwo");
        const second = blocks("# a\n\none\n\ntwo and\n\n## three", first);
        expect(second.slice(0, 2).map((block, at) => block === first[at])).toEqual([true, true]);
        expect(words(second)).toBe("a one two and three");
    });

    it("takes any text, however it is nested", () => {
        for (const mark of ["> ", "- ", "*", "_a_ ", "[", "[a](", "`", "<", "| ", "&amp;", "![", "**a "]) {
            const made = blocks(`a\n\n${mark.repeat(4000)}\n\nz`);
            expect([words(made).startsWith("a "), words(made).endsWith("z")]).toEqual([true, true]);
        }
        const long = "a **b** ".repeat(20_000);
        expect(words(blocks(long))).toBe(long);
    });
});
