import { expect, it } from "vitest";
import { parameters } from "./schema";

it("reads the properties of an object schema in their order", () => {
    const schema = {
        type: "object",
        properties: {
            skillName: { type: "string", description: "Which one" },
            args: { oneOf: [{ type: "array", items: { type: "string" } }, { type: ["object", "null"] }] },
            arguments: { default: null },
            unit: { enum: ["kg", "lb"] },
            list: { type: "array", items: { enum: ["kg", "lb"] } },
        },
        required: ["skillName"],
    };
    expect(parameters(schema)).toEqual([
        { name: "skillName", type: "string", required: true, fallback: null, description: "Which one" },
        { name: "args", type: "string[] | object | null", required: false, fallback: null, description: "" },
        { name: "arguments", type: null, required: false, fallback: "null", description: "" },
        { name: "unit", type: '"kg" | "lb"', required: false, fallback: null, description: "" },
        { name: "list", type: '("kg" | "lb")[]', required: false, fallback: null, description: "" },
    ]);
});

it("finds no parameters where there is no such schema", () => {
    expect([null, "x", [], {}, { properties: [] }].map(parameters)).toEqual([[], [], [], [], []]);
});
