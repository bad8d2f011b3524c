import { describe, expect, it, vi } from "vitest";
import { setLocale } from "../../../i18n";
import { frontmatter, TextView } from "./text-view";

const file = (text: string, base = text): { name: string; text: string; base: string; readOnly: null } => ({
    name: "SKILL.md",
    text,
    base,
    readOnly: null,
});

const complete = () => Promise.resolve(null);

describe("the text view", () => {
    it("tells what is typed and takes what is written elsewhere, as one step of undo", () => {
        const onText = vi.fn();
        const parent = document.body.appendChild(document.createElement("div"));
        const view = new TextView(parent, { onText, onCaret: vi.fn(), complete });
        const shown = file("---\nname: a\n---\n");
        view.show(shown);
        shown.text = "---\nname: b\n---\n";
        view.show(shown);
        expect(onText).toHaveBeenCalledExactlyOnceWith(shown, "---\nname: b\n---\n");
        expect(parent.querySelector(".cm-content")?.textContent).toContain("name: b");
        view.destroy();
    });

    it("takes up the language that is on, in what is there already", () => {
        const parent = document.body.appendChild(document.createElement("div"));
        const view = new TextView(parent, { onText: vi.fn(), onCaret: vi.fn(), complete });
        const said = () => [
            parent.querySelector(".cm-content")?.getAttribute("aria-label"),
            [...parent.querySelectorAll<HTMLElement>(".cm-foldGutter [title]")].at(-1)?.title,
        ];
        view.show(file("# One\n\ntext\n\n# Two\n"));
        expect(said()).toEqual(["Text of SKILL.md", "Fold these lines"]);
        setLocale("zh-CN");
        view.translate();
        expect(said()).toEqual(["SKILL.md 的文本", "折叠这些行"]);
        setLocale("en");
        view.destroy();
    });

    it("selects what it goes to with the caret at its beginning, so that what lies in it or before it is still ahead", () => {
        const onCaret = vi.fn();
        const view = new TextView(document.body.appendChild(document.createElement("div")), { onText: vi.fn(), onCaret, complete });
        const shown = file("one two three");
        view.show(shown);
        view.goTo(4, 7);
        expect(onCaret).toHaveBeenLastCalledWith(shown, 4);
        view.destroy();
    });

    it("keeps a lone carriage return as a character of the text", () => {
        const onText = vi.fn();
        const view = new TextView(document.createElement("div"), { onText, onCaret: vi.fn(), complete });
        view.show(file("a\r\nb\rc\n"));
        expect(onText).not.toHaveBeenCalled();
        view.destroy();
    });
});

describe("frontmatter", () => {
    it("reaches from the first fence to the second", () => {
        expect([frontmatter("---\nname: a\n---\nbody"), frontmatter("---\n---"), frontmatter("# no"), frontmatter("---\nopen\n")]).toEqual([
            { from: 3, to: 15 },
            { from: 3, to: 7 },
            null,
            null,
        ]);
    });
});
