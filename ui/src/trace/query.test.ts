import { expect, it } from "vitest";
import { filterOf, withFilter } from "./query";

it("reads a filter out of a query", () => {
    expect(filterOf("kind:tool harness:eino 公里", "harness")).toBe("eino");
    expect(filterOf('model:"my model" x', "model")).toBe("my model");
    expect(filterOf("verdict：fail", "verdict")).toBe("fail");
    expect(filterOf("remodel:x", "model")).toBe("");
});

it("puts a filter in, changes it and takes it out, and leaves the rest", () => {
    expect(withFilter("公里", "harness", "eino")).toBe("harness:eino 公里");
    expect(withFilter('harness:eino "two words"', "harness", "strands")).toBe('harness:strands "two words"');
    expect(withFilter("x harness:eino y", "harness", "")).toBe("x y");
    expect(withFilter("", "model", "my model")).toBe('model:"my model"');
});
