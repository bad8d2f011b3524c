import { expect, it } from "vitest";
import { picturesOf } from "./screenplays";

it("counts the pictures of all that the user says", () => {
    const steps = [{ say: "A dot." }, { prompt: "And these?", images: ["b.png", "c.png"] }, { prompt: "Thanks" }];
    expect(picturesOf({ prompt: "What is this?", images: ["a.png"], title: null, steps })).toBe(3);
    expect(picturesOf({ prompt: "Hello", title: null, steps: [] })).toBe(0);
});
