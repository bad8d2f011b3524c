import { describe, expect, it } from "vitest";

import type { ScriptOutput, Step } from "../generated/api";
import { answer, call, step, tool, walk } from "./sample";
import { gist, isTrouble, jump, reach, speed, SPEEDS } from "./walk";

const output: ScriptOutput = { stdout: "", stderr: "", exitCode: 0, timedOut: false, truncated: false, took: 5 };

describe("jump", () => {
    const steps = walk();

    it("steps forward and back, and stops at both ends", () => {
        expect(jump(steps, 0, "next")).toBe(1);
        expect(jump(steps, 7, "next")).toBeNull();
        expect(jump(steps, 1, "previous")).toBe(0);
        expect(jump(steps, 0, "previous")).toBeNull();
        expect(jump(steps, 3, "first")).toBe(0);
        expect(jump(steps, 3, "last")).toBe(7);
        expect(jump([], 0, "first")).toBeNull();
        expect(jump([], 0, "last")).toBeNull();
    });

    it("finds the next tool call, skill load and error after here", () => {
        const failed: Step = { ...step(8, 0, 1000, answer("", [])), state: "failed" };
        const failing = [...steps, failed];
        expect(jump(steps, 0, "nextTool")).toBe(2);
        expect(jump(steps, 2, "nextTool")).toBe(4);
        expect(jump(steps, 6, "nextTool")).toBeNull();
        expect(jump(steps, 0, "nextSkill")).toBe(2);
        expect(jump(steps, 2, "nextSkill")).toBeNull();
        const naming = [...steps, step(8, 5, 1005, { type: "prompt", text: "/pdf Again.", skills: ["pdf"] }, null)];
        expect(jump(naming, 2, "nextSkill")).toBe(8);
        expect(jump(naming, 8, "previousSkill")).toBe(2);
        expect(jump(naming, 2, "nextTurn")).toBe(8);
        expect(jump(failing, 0, "nextError")).toBe(8);
        expect(jump(steps, 0, "nextError")).toBeNull();
    });

    it("finds them before here as well, and what the user said", () => {
        const further = [...steps, step(8, 5, 1005, { type: "prompt", text: "And a stone?" }, null)];
        expect(jump(further, 0, "nextTurn")).toBe(8);
        expect(jump(further, 8, "previousTurn")).toBe(0);
        expect(jump(further, 0, "previousTurn")).toBeNull();
        expect(jump(further, 8, "previousTool")).toBe(6);
        expect(jump(further, 6, "previousSkill")).toBe(2);
        expect(jump(further, 8, "previousError")).toBeNull();
        expect(reach(further)).toEqual({
            Turn: { first: 0, last: 8 },
            Tool: { first: 2, last: 6 },
            Error: null,
            Skill: { first: 2, last: 2 },
        });
    });

    it("takes what a sub-agent was told for no turn of the user", () => {
        const told: Step = { ...step(8, 5, 5, { type: "prompt", text: "Look it up." }, null), within: "call_1" };
        expect(jump([...steps, told], 0, "nextTurn")).toBeNull();
    });
});

describe("isTrouble", () => {
    const ran = (changed: Partial<ScriptOutput>): Step => {
        const kind = tool(call("run_skill_script", "{}"), { type: "none" }, "");
        return step(0, 0, 0, kind.type === "tool" ? { ...kind, output: { ...output, ...changed } } : kind);
    };

    it("sees failed scripts, time limits and ends that are not answers", () => {
        expect(isTrouble(ran({}))).toBe(false);
        expect(isTrouble(ran({ exitCode: 3 }))).toBe(true);
        expect(isTrouble(ran({ exitCode: null, timedOut: true }))).toBe(true);
        expect(isTrouble(step(0, 0, 0, { type: "end", status: "stopped", error: null, zh: null, why: null, reached: null }))).toBe(true);
        expect(walk().some(isTrouble)).toBe(false);
    });
});

describe("gist", () => {
    it("says what each step is about on one line", () => {
        expect(walk().map((each) => gist(each))).toEqual([
            "How many pounds is 1 kilogram?",
            "→ load_skill",
            "unit-converter",
            "→ read_skill_resource",
            "unit-converter / references/conversion-table.md",
            "→ run_skill_script",
            "unit-converter / scripts/convert.py",
            "1 kg is about **2.20462 lb**.",
        ]);
        expect(gist(step(0, 0, 0, { type: "prompt", text: "two\n  lines" }))).toBe("two lines");
    });
});

describe("speed", () => {
    it("stays within what there is", () => {
        expect(speed(0, -1)).toBe(0);
        expect(speed(0, 1)).toBe(1);
        expect(speed(SPEEDS.length - 1, 1)).toBe(SPEEDS.length - 1);
    });
});
