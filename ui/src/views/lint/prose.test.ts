import { expect, it } from "vitest";
import { proseParts } from "./prose";

it("takes what is between backticks for code", () => {
    const shown = ["write `a` or `b: `", "plain", "a lone ` stays", ""].map((text) =>
        proseParts(text).map((part) => (part.code ? `<${part.text}>` : part.text)),
    );
    expect(shown).toEqual([["write ", "<a>", " or ", "<b: >"], ["plain"], ["a lone ` stays"], []]);
});
