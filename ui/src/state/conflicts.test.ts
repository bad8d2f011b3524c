import { expect, it } from "vitest";
import { conflictsIn, settled } from "./conflicts";

const TEXT = "a\n<<<<<<< mine\nB1\n=======\nB2\n>>>>>>> theirs\nc\n<<<<<<< HEAD\n||||||| base\nx\n=======\nD2\n>>>>>>> x\n";

it("finds whole conflicts with the lines of both sides, also as git writes them with what both came from", () => {
    const sides = conflictsIn(TEXT).map(({ mine, theirs }) => [TEXT.slice(mine.from, mine.to), TEXT.slice(theirs.from, theirs.to)]);
    expect(sides).toEqual([
        ["B1\n", "B2\n"],
        ["", "D2\n"],
    ]);
});

it("keeps mine, theirs or both at each of them", () => {
    expect(settled(TEXT, "mine")).toBe("a\nB1\nc\n");
    expect(settled(TEXT, "theirs")).toBe("a\nB2\nc\nD2\n");
    expect(settled(TEXT, "both")).toBe("a\nB1\nB2\nc\nD2\n");
});

it("leaves markers alone that are no conflict", () => {
    for (const text of [
        "Title\n=======\n",
        "<<<<<<< mine\nx\n",
        "<<<<<<< mine\nx\n=======\n",
        ">>>>>>> y\n",
        "x <<<<<<< y\n=======\n>>>>>>> z\n",
    ]) {
        expect(settled(text, "mine")).toBe(text);
    }
});
