import { expect, it } from "vitest";
import listed from "../../../tests/fixtures/words.json";
import { en } from "./en";

/** Without code and names of values. */
const said = (text: string): string => text.replace(/`[^`]*`|\{[^{}]*\}/g, "|");

/** `docs/writing.md` has the rules behind the list; the documents are held to it by `tests/it/words.rs`. */
it("says everything in plain words", () => {
    const found = Object.entries(en).flatMap(([key, text]) =>
        Object.entries(listed)
            .filter(([phrase]) => new RegExp(`\\b${phrase}\\b`, "i").test(said(text)))
            .map(([phrase, say]) => `${key}: "${phrase}"; say: ${say}`),
    );
    expect(found).toEqual([]);
});
