import { beforeEach, expect, it } from "vitest";
import type { ContextAtStep } from "../generated/api";
import { setHost } from "../host";
import { fakeHost, type FakeHost } from "../host/fake";
import { contextAt } from "../host/fake/runs";
import { detail, walk as recorded } from "../trace/sample";
import { Walk } from "./walk.svelte";

const { steps } = detail(recorded());
let fake: FakeHost;
let walk: Walk;
/** Answers the oldest question that waits. */
let answers: (() => void)[];

beforeEach(() => {
    fake = fakeHost();
    setHost(fake);
    answers = [];
    fake.on(
        "step_context",
        ({ step }) => new Promise<ContextAtStep>((done) => answers.push(() => done(contextAt(detail(recorded()), step)))),
    );
    walk = new Walk("run");
});

function step(at: number) {
    const found = steps[at];
    if (found === undefined) throw new Error(`no step ${at}`);
    return found;
}

async function answered<T>(asked: Promise<T>): Promise<T> {
    for (let waiting = answers.shift(); waiting !== undefined; waiting = answers.shift()) {
        waiting();
        await new Promise((done) => setTimeout(done));
    }
    return asked;
}

const asked = () => fake.calls.filter(({ name }) => name === "step_context").map(({ args }) => args);

it("has the context of a step that was foreseen at once, and shares with it what is the same", async () => {
    await answered(walk.show(step(0)));
    const before = walk.context;
    await answered(walk.foresee([step(1), step(0)]));
    expect(walk.context).toBe(before);
    void walk.show(step(1));
    expect([walk.stale, walk.context?.step]).toEqual([false, 1]);
    expect(walk.context?.messages[0]).toBe(before?.messages[0]);
    expect(asked()).toEqual([
        { run: "run", step: 0 },
        { run: "run", step: 1 },
    ]);
});

it("asks once for a step that is looked at while its context is on its way, and first for what is looked at", async () => {
    await answered(walk.show(step(0)));
    const foreseen = walk.foresee([step(1), step(2)]);
    void walk.show(step(1));
    expect(walk.stale).toBe(true);
    void walk.show(step(3));
    await answered(foreseen);
    expect([walk.stale, walk.context?.step]).toEqual([false, 3]);
    expect(asked()).toEqual([0, 1, 3, 2].map((at) => ({ run: "run", step: at })));
    void walk.show(step(1));
    expect([walk.stale, walk.context?.step]).toEqual([false, 1]);
});

it("foresees nothing of a step that goes on", async () => {
    await answered(walk.foresee([{ ...step(1), state: "running" }]));
    expect(asked()).toEqual([]);
});

it("changes a context that is here together with the position", async () => {
    await answered(walk.show(step(0)));
    await answered(walk.foresee([step(1)]));
    walk.reveal(steps, 1);
    expect([walk.position, walk.stale, walk.context?.step]).toEqual([1, false, 1]);
    walk.reveal(steps, 3);
    expect([walk.position, walk.context?.step]).toEqual([3, 1]);
});
