import { afterEach, describe, expect, it } from "vitest";
import type { ContextAtStep, StepPair } from "../generated/api";
import { setLocale } from "../i18n";
import { answer, answered, call, detail, spent, step, tool } from "../trace/sample";
import { asked, asksOtherwise, facets, figures, nextDifference, stepsOf } from "./pairs";

const PAIRS: StepPair[] = [
    { type: "same", a: 0, b: 0 },
    { type: "changed", a: 1, b: 1, instructions: false, tools: false },
    { type: "onlyA", a: 2 },
    { type: "onlyB", b: 2 },
    { type: "same", a: 3, b: 3 },
];

it("finds the next and the previous difference, and stops at the ends", () => {
    expect([0, 1, 3].map((from) => nextDifference(PAIRS, from, 1))).toEqual([1, 2, null]);
    expect([4, 2, 1].map((from) => nextDifference(PAIRS, from, -1))).toEqual([3, 1, null]);
    expect(PAIRS.map(stepsOf)).toEqual([
        { a: 0, b: 0 },
        { a: 1, b: 1 },
        { a: 2, b: null },
        { a: null, b: 2 },
        { a: 3, b: 3 },
    ]);
});

describe("facets", () => {
    const load = (args: string, reply: string) => step(2, 1, 1, tool(call("load_skill", args), { type: "none" }, reply));

    it("lays what both steps say side by side", () => {
        expect(facets(load('{"n":1}', "one"), load('{"n":2}', "two"))).toEqual([
            { name: "tool", a: "load_skill", b: "load_skill" },
            { name: "arguments", a: '{\n  "n": 1\n}', b: '{\n  "n": 2\n}' },
            { name: "result", a: "one", b: "two" },
        ]);
    });

    it("shows what one run alone did", () => {
        expect(facets(null, step(0, 1, 1, answer("hello", [])))).toEqual([{ name: "answer", a: "", b: "hello" }]);
    });

    describe("say how a step is, and why, in the language that is on", () => {
        afterEach(() => setLocale("en"));
        const failed = { ...load("{}", "no"), state: "failed" as const };
        const why = { type: "silent" } as const;
        const end = (status: "done" | "failed", error: string | null) =>
            step(9, 0, 0, { type: "end", status, error, zh: error === null ? null : "轨迹库已满", why: null, reached: null });
        const states = () => [
            facets(failed, load("{}", "no")).find(({ name }) => name === "state"),
            ...facets(end("done", null), end("failed", "the store is full")),
            ...facets(step(1, 0, 0, answered({ error: "nothing came", why })), null),
        ];

        it.each([
            ["en", "failed", "done", "failed: the store is full", "The model's answer is empty"],
            ["zh-CN", "失败", "完成", "失败：轨迹库已满", "模型的回答是空的"],
        ] as const)("%s", (locale, of, done, full, silent) => {
            setLocale(locale);
            expect(states()).toEqual([
                { name: "state", a: of, b: "" },
                { name: "state", a: done, b: full },
                { name: "answer", a: silent, b: "" },
            ]);
        });
    });
});

it("lays instructions and tools of both requests side by side where they differ", () => {
    const context = (text: string, json: string): ContextAtStep => {
        const message = { calls: [], callId: null, marks: [], tokens: 1, added: false, reconstructed: false, cachePoint: false };
        return {
            step: 1,
            body: null,
            exact: true,
            tools: [{ name: "load_skill", json, added: false, cachePoint: false }],
            groups: [],
            skills: [],
            messages: [
                { ...message, role: "system", text },
                { ...message, role: "user", text: "hi" },
            ],
            tokens: 2,
        };
    };
    const [a, b] = [context("Skills: a", "{}"), context("Skills: b", "[]")];
    const changed = (instructions: boolean, tools: boolean): StepPair => ({ type: "changed", a: 1, b: 1, instructions, tools });
    expect(asked(changed(true, false), a, b)).toEqual([{ name: "instructions", a: "Skills: a", b: "Skills: b" }]);
    expect(asked(changed(false, true), a, b)).toEqual([{ name: "tools", a: "{}", b: "[]" }]);
    expect(PAIRS.map(asksOtherwise)).toEqual([false, false, false, false, false]);
    expect(asksOtherwise(changed(false, true))).toBe(true);
});

it("puts tokens, cost and time next to each other, and leaves out what neither knows", () => {
    const [a, b] = [detail(), detail([], { spent: spent({ input: 10, output: 5, cost: 0.5 }) })];
    expect(figures(a, a).map((each) => each.name)).toEqual(["steps", "tokens", "input", "output", "took"]);
    expect(figures(a, b).find((each) => each.name === "cost")).toEqual({ name: "cost", a: null, b: 0.5 });
});
