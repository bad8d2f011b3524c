import { describe, expect, it } from "vitest";
import { ignoring } from "./ignore";

/** The text with the comment for the finding at `¦`. */
function ignored(name: string, marked: string, reason = "on purpose"): string | null {
    const from = marked.indexOf("¦");
    const text = marked.replace("¦", "");
    const change = ignoring(name, text, from < 0 ? null : { from }, "some-rule", reason);
    return change && text.slice(0, change.from) + change.insert + text.slice(change.to);
}

describe("a comment that lets a finding pass", () => {
    it("stands on its own line before it, as far in as it", () => {
        expect(ignored("a.md", "# A\n\n  - ¦b\n")).toBe("# A\n\n  <!-- lint-ignore some-rule: on purpose -->\n  - b\n");
    });

    it("speaks YAML in the frontmatter", () => {
        expect(ignored("SKILL.md", "---\nname: a\ndescription: ¦b\n---\n")).toBe(
            "---\nname: a\n# lint-ignore some-rule: on purpose\ndescription: b\n---\n",
        );
    });

    it("is for the whole file where a line before would be no comment", () => {
        const top = "---\n# lint-ignore-file some-rule: on purpose\n";
        expect([
            ignored("SKILL.md", "¦---\nname: a\n---\n"),
            ignored("SKILL.md", "---\nname: a\n---\ntext\n"),
            ignored("SKILL.md", "---\ndescription: a\n  ¦b\n---\n"),
            ignored("SKILL.md", "---\nname: a\n---\n```json\n¦{}\n```\n"),
        ]).toEqual([
            `${top}name: a\n---\n`,
            `${top}name: a\n---\ntext\n`,
            `${top}description: a\n  b\n---\n`,
            `${top}name: a\n---\n\`\`\`json\n{}\n\`\`\`\n`,
        ]);
    });

    it("does not split a table", () => {
        expect(ignored("a.md", "| a |\n|---|\n| ¦b |\n")).toBe("<!-- lint-ignore-file some-rule: on purpose -->\n| a |\n|---|\n| b |\n");
    });

    it("speaks the language of a script, and of a code block", () => {
        expect([
            ignored("a.py", "#!/usr/bin/env python3\nif x:\n    ¦y()\n"),
            ignored("a.sh", "¦#!/bin/sh\n"),
            ignored("a.ts", "¦x;\n"),
            ignored("a.md", "```sh\nls\n¦rm -rf /\n```\n"),
        ]).toEqual([
            "#!/usr/bin/env python3\nif x:\n    # lint-ignore some-rule: on purpose\n    y()\n",
            "#!/bin/sh\n# lint-ignore-file some-rule: on purpose\n",
            "// lint-ignore some-rule: on purpose\nx;\n",
            "```sh\nls\n# lint-ignore some-rule: on purpose\nrm -rf /\n```\n",
        ]);
    });

    it("cannot be ended by its reason", () => {
        expect(ignored("a.md", "¦b\n", " a -->\n b ")).toBe("<!-- lint-ignore some-rule: a → b -->\nb\n");
    });

    it("is not there where a file has none", () => {
        expect([ignored("a.json", "¦{}\n"), ignored("notes.txt", "¦b\n")]).toEqual([null, null]);
    });
});
