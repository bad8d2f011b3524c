import { expect, it } from "vitest";
import { setLocale } from "../i18n";
import { answered, call, detail, step, tool, walk } from "./sample";
import { opening, presented, sceneOf, seriesOfScene } from "./scenes";

it("tells a run as catalogue, prompt, instructions, resource, script and answer", () => {
    const run = detail();
    const told = [opening(run), ...presented(run.steps).map((at) => sceneOf(run.steps[at] ?? step(0, 0, 0, { type: "prompt", text: "" })))];
    expect(told.map((scene) => scene.type)).toEqual([
        "catalogue",
        "prompt",
        "asks",
        "instructions",
        "asks",
        "resource",
        "asks",
        "script",
        "answer",
    ]);
    expect(told.map(seriesOfScene).filter((series) => series !== null)).toEqual(["catalogue", "instructions", "resources", "scripts"]);
});

it("leaves out what the program noted, and keeps the end where it is the last word", () => {
    const end = { type: "end", status: "done", error: null, zh: null, why: null, reached: null } as const;
    const note = step(8, 0, 1000, { type: "note", text: "retried", zh: null, retried: null });
    expect(presented([...walk(), note, step(9, 0, 1000, end)])).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 9]);
    expect(presented([...walk(), step(8, 0, 1000, end), step(9, 0, 1000, { type: "prompt", text: "more" })]).at(-1)).toBe(9);
});

it("shows the beginning of a long text, and that a script failed", () => {
    const long = sceneOf(step(0, 0, 0, tool(call("load", "{}"), { type: "instructions", skill: "a" }, "x".repeat(100_000))));
    expect(long.type === "instructions" && long.text.length).toBe(4000);
    const failed = {
        ...step(0, 0, 0, tool(call("run", "{}"), { type: "script", skill: "a", script: "s" }, "no")),
        state: "failed" as const,
    };
    expect(sceneOf(failed)).toMatchObject({ type: "script", failed: true });
});

it("says in the language that is on why a request failed", () => {
    const failed = step(1, 0, 0, answered({ error: "nothing came", why: { type: "silent" } }));
    setLocale("zh-CN");
    const chinese = sceneOf(failed);
    setLocale("en");
    expect([chinese, sceneOf(failed)]).toEqual([
        { type: "failed", text: "模型的回答是空的" },
        { type: "failed", text: "The model's answer is empty" },
    ]);
});
