/** Scenes of a presentation in Chinese, and the steps of two runs next to each other: each kind of them, however it went. */
import { cleanup, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ApiError, RunStatus, Step, StepKind, StepPair } from "../generated/api";
import type { FakeHost } from "../host/fake";
import { setLocale } from "../i18n";
import { found, lookAt, speakChinese } from "../test-chinese";
import { answered, call, called, detail, spent, step } from "../trace/sample";
import type { Scene } from "../trace/scenes";
import PairDetail from "./pair/PairDetail.svelte";
import PresenterGrowth from "./trace/PresenterGrowth.svelte";
import PresenterScene from "./trace/PresenterScene.svelte";

let fake: FakeHost;

beforeEach(() => {
    fake = speakChinese();
});
afterEach(() => {
    cleanup();
    setLocale("en");
});

type Each<Union extends { type: string }> = { [Type in Union["type"]]: Extract<Union, { type: Type }>[] };

const ways = [false, true];
const text = "2.2";

const SCENES: Each<Scene> = {
    catalogue: [3, 30].map((n) => ({ type: "catalogue", skills: Array.from({ length: n }, (_, at) => `技能${at}`), tokens: 300 })),
    prompt: ways.map((further) => ({ type: "prompt", text, further })),
    asks: [{ type: "asks", text: "好", calls: ["framework", "convert"].map((name) => ({ name, text: "{}" })) }],
    instructions: [{ type: "instructions", skill: "换算", text }],
    resource: [{ type: "resource", skill: "换算", resource: "表.md", text }],
    script: ways.map((failed) => ({ type: "script", skill: "换算", script: "算.py", text, failed })),
    tool: ways.flatMap((failed) => ["framework", "convert"].map((name) => ({ type: "tool", name, text, failed }))),
    answer: [{ type: "answer", text }],
    failed: [{ type: "failed", text: "太忙" }],
    end: [{ type: "end" }],
};

const STATUSES: RunStatus[] = ["running", "done", "failed", "stopped", "limited", "interrupted"];

it.each(
    Object.values(SCENES)
        .flat()
        .map((scene): [string, Scene] => [JSON.stringify(scene).slice(0, 60), scene]),
)("has no English in a scene: %s", async (_, scene) => {
    for (const status of scene.type === "end" ? STATUSES : STATUSES.slice(0, 1)) {
        for (const eager of [null, { instructions: 900, resources: 90, skills: 2, missing: [] }]) {
            await lookAt(`${scene.type}, ${status}`, PresenterScene, { scene, detail: detail(undefined, { status }), eager, added: 20 });
            expect(screen.getByTestId("presenter-scene").dataset["scene"]).toBe(scene.type);
        }
    }
    expect(found()).toEqual({});
});

it("has no English in the picture of what grows", async () => {
    for (const series of ["catalogue", "instructions", "resources", "scripts", "conversation", null] as const) {
        await lookAt(series ?? "none", PresenterGrowth, { detail: detail(), position: series === "catalogue" ? -1 : 4, series });
    }
    expect(found()).toEqual({});
});

const convert = call("convert", "{}");
const other = { reasoning: "想", calls: [convert] };
const end = { type: "end", status: "failed", error: "the store is full", zh: "轨迹库已满", why: null, reached: null } as const;
const retried = { why: { type: "silent" }, pause: 1500, attempt: 1, of: 2 } as const;

/** A step of each kind, and one that went otherwise. */
const STEPS: { [Type in StepKind["type"]]: [Step, Step] } = {
    prompt: [step(0, 5, 5, { type: "prompt", text: "换算" }), step(0, 5, 5, { type: "prompt", text: "再换算" })],
    answer: [
        step(1, 5, 5, answered({ text: "好", ...other, spent: spent({ cost: 0.01 }) })),
        { ...step(1, 5, 5, answered({ error: "nothing came", why: { type: "silent" } })), state: "failed" },
    ],
    tool: [step(2, 5, 5, called(convert, { reply: "2.2" })), { ...step(2, 5, 5, called(convert, { reply: "没有" })), state: "failed" }],
    note: [
        step(3, 0, 5, { type: "note", text: "the folder is gone", zh: "文件夹已不在", retried: null }),
        step(3, 0, 5, { type: "note", text: "again", zh: null, retried }),
    ],
    end: [step(4, 0, 5, { ...end, status: "done", error: null, zh: null }), { ...step(4, 0, 5, end), took: null }],
};

const failed: ApiError = {
    code: "io",
    message: "the disk is full",
    messageZh: "磁盘已满",
    hint: "free some room",
    hintZh: "请腾出空间",
    path: null,
    why: null,
};

it.each(Object.entries(STEPS))("has no English in steps of two runs: %s", async (_, [one, two]) => {
    fake.on("text_diff", ({ a, b }) => [
        { kind: "removed", text: a },
        { kind: "added", text: b },
    ]);
    const pairs: [StepPair, Step | null, Step | null][] = [
        [{ type: "same", a: 0, b: 0 }, two, two],
        [{ type: "changed", a: 0, b: 0, instructions: false, tools: false }, one, two],
        [{ type: "onlyA", a: 0 }, two, null],
        [{ type: "onlyB", b: 0 }, null, one],
    ];
    for (const [pair, a, b] of pairs) {
        await lookAt(pair.type, PairDetail, { pair, runs: { a: "run-2", b: "run-2" }, a, b, onopen: () => undefined });
    }
    expect(found()).toEqual({});
});

it("has no English in requests that differ, while they are compared and if they cannot be", async () => {
    const pair: StepPair = { type: "changed", a: 1, b: 1, instructions: true, tools: true };
    const [a, b] = STEPS.answer;
    const shown = { pair, runs: { a: "run-2", b: "run-2" }, a, b, onopen: () => undefined };
    fake.on("text_diff", () => Promise.reject(failed));
    await lookAt("differ", PairDetail, shown);
    fake.on("text_diff", () => new Promise(() => undefined));
    await lookAt("compared", PairDetail, shown);
    fake.on("step_context", () => new Promise(() => undefined));
    await lookAt("asked", PairDetail, shown);
    fake.on("step_context", () => Promise.reject(failed));
    await lookAt("cannot be asked", PairDetail, shown);
    expect(found()).toEqual({});
});
