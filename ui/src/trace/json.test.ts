import { describe, expect, it } from "vitest";

import { checkArguments, checkJson, prettyJson } from "./json";

describe("prettyJson", () => {
    it("indents and keeps numbers, escapes and the order of keys as written", () => {
        expect(prettyJson('{"b":1.0e5,"a":[9007199254740993,"\\u8bd1"],"e":{},"f":[],"2":null}')).toBe(
            `{
  "b": 1.0e5,
  "a": [
    9007199254740993,
    "\\u8bd1"
  ],
  "e": {},
  "f": [],
  "2": null
}`,
        );
    });

    it("agrees with the platform on what is JSON", () => {
        const sources = [
            "1",
            "-0.5",
            '"a"',
            "[]",
            "[[1,2],{}]",
            "true",
            "01",
            "[1,]",
            '{"a"}',
            "{'a':1}",
            "",
            "  ",
            "nul",
            "[1 2]",
            '"\t"',
            "{}}",
        ];
        for (const source of sources) expect([source, checkJson(source).ok]).toEqual([source, platformAccepts(source)]);
    });

    it("survives deep nesting", () => {
        const deep = "[".repeat(20_000) + "]".repeat(20_000);
        expect(checkJson(deep).ok).toBe(true);
    });

    it("leaves text that is not JSON alone", () => {
        expect(prettyJson("{skillName: x")).toBe("{skillName: x");
    });
});

describe("checkArguments", () => {
    it("says where the mistake is", () => {
        expect(checkArguments('{\n  "value": 1,\n}')).toEqual({ ok: false, mistake: "unexpected", line: 3, column: 1, found: "}" });
        expect(checkArguments('{"value": 1')).toEqual({ ok: false, mistake: "unfinished", line: 1, column: 12, found: "" });
        expect(checkArguments("")).toEqual({ ok: false, mistake: "unfinished", line: 1, column: 1, found: "" });
    });

    it("wants an object", () => {
        expect(checkArguments(" [1]")).toEqual({ ok: false, mistake: "notObject", line: 1, column: 2, found: "[" });
        expect(checkArguments("{}")).toEqual({ ok: true, pretty: "{}" });
    });
});

function platformAccepts(source: string): boolean {
    try {
        JSON.parse(source);
        return true;
    } catch {
        return false;
    }
}
