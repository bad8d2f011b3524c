import { expect, it } from "vitest";
import { headed, linkTo, movedLinks, suggested } from "./extracting";

it("suggests a name by the heading or the first words that no file has", () => {
    expect(suggested("## Long Tables & More\n\ntext", [])).toBe("references/long-tables-more.md");
    expect(suggested("## 转换 表\n", [])).toBe("references/转换-表.md");
    expect(suggested("Round to five decimals, always.", [])).toBe("references/round-to-five-decimals.md");
    expect(suggested("- [ ] Read `--help` of [the tool](tools.md)\n- then go on", [])).toBe("references/read-help-of-the.md");
    expect(suggested("1. One step\n2. Another", [])).toBe("references/one-step-another.md");
    expect(suggested("```bash\n# Not a heading\nmake all\n```\n\nBuilds it.", [])).toBe("references/builds-it.md");
    expect(suggested("```bash\n# Not a heading\nmake all\n```\n", [])).toBe("references/bash.md");
    expect(suggested("~~~\n# Not a heading\n~~~\n## A heading", [])).toBe("references/a-heading.md");
    expect(suggested("| Unit | Metres |\n|---|---|\n| foot | 0.3048 |", [])).toBe("references/unit-metres-foot-0-3048.md");
    expect(suggested("> 先读这一段，然后继续。", [])).toBe("references/先读这一段-然后继续.md");
    expect(suggested("```\n+ - *\n", [])).toBe("references/notes.md");
    expect(suggested("***", ["references/notes.md"])).toBe("references/notes-2.md");
    expect([headed("a\n# One [two] #\n"), headed("plain")]).toEqual(["One two", null]);
});

it("links from where the text was", () => {
    expect(linkTo("T", "SKILL.md", "references/a (b).md")).toBe("[T](references/a%20%28b%29.md)");
    expect(linkTo("T", "references/x.md", "references/y.md")).toBe("[T](y.md)");
    expect(linkTo("T", "guides/x.md", "references/y.md")).toBe("[T](../references/y.md)");
});

it("keeps the links of the part leading where they led", () => {
    const part =
        "[a](references/a.md#x), ![l](assets/l.png), [u](https://x.org/a), [h](#top), [up](../other/SKILL.md)\n`[c](c.md)`\n\n[t]: scripts/t.py";
    const moved =
        "[a](a.md#x), ![l](../assets/l.png), [u](https://x.org/a), [h](#top), [up](../other/SKILL.md)\n`[c](c.md)`\n\n[t]: ../scripts/t.py";
    expect(movedLinks(part, "SKILL.md", "references/n.md")).toBe(moved);
    expect(movedLinks("```md\n[a](a.md)\n```\n[a](a.md)", "SKILL.md", "references/n.md")).toBe("```md\n[a](a.md)\n```\n[a](../a.md)");
    expect(movedLinks(part, "SKILL.md", "n.md")).toBe(part);
});
