import { waitFor } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import type { Step } from "../generated/api";
import { setHost } from "../host";
import { fakeHost } from "../host/fake";
import { step, summary, walk } from "../trace/sample";
import { Runs } from "./runs.svelte";

describe("the steps that are held", () => {
    it("are those of the runs that were opened last and of those on show", async () => {
        const fake = fakeHost();
        const step = walk()[0];
        const all = 25_000;
        fake.on("run_page", ({ run, from, most }) => ({
            summary: summary({ id: run }),
            all,
            events: 1,
            steps: step === undefined ? [] : Array.from({ length: Math.min(most, all - from) }, () => step),
        }));
        setHost(fake);
        const runs = new Runs();
        runs.current = "a";
        for (const run of ["a", "b", "c", "d"]) {
            await runs.open(run);
        }
        const held = () => ["a", "b", "c", "d"].filter((run) => runs.detail(run)?.steps.length === all).join("");
        expect(held()).toBe("acd");
        await runs.open("b");
        expect(held(), "they are fetched again").toBe("abd");
    });
});

describe("saving a run", () => {
    it("writes it where the user says, under a name that fits", async () => {
        const fake = fakeHost();
        fake.savePicked = "/home/ada/talk/run.yaml";
        setHost(fake);
        expect(await new Runs().save("run-1", "screenplay", "Save the run")).toBe("/home/ada/talk/run.yaml");
        expect(fake.calls.at(-1)).toEqual({
            name: "run_save",
            args: { path: "/home/ada/talk/run.yaml", run: "run-1", format: "screenplay" },
        });
    });

    it("writes nothing where the user thought better of it", async () => {
        const fake = fakeHost();
        setHost(fake);
        expect(await new Runs().save("run-1", "jsonl", "Save the run")).toBeNull();
        expect(fake.calls).toEqual([]);
    });
});

describe("a step of a long run", () => {
    const brief: Step = { ...step(0, 0, 12, { type: "prompt", text: "How ma" }), brief: true };
    const whole: Step = step(0, 0, 12, { type: "prompt", text: "How many pounds is 1 kilogram?" });

    it("is fetched with all of its texts when it is shown, and once", async () => {
        const fake = fakeHost();
        fake.on("run_step", () => whole);
        setHost(fake);
        const runs = new Runs();
        expect(runs.whole("a", brief), "until it is here").toEqual(brief);
        runs.whole("a", brief);
        await waitFor(() => expect(runs.whole("a", brief)).toEqual(whole));
        expect(await runs.wholeOf("a", brief)).toEqual(whole);
        expect(runs.whole("a", whole), "nothing is asked for a step that is whole").toEqual(whole);
        expect(fake.calls.map(({ name, args }) => [name, args])).toEqual([
            ["run_step", { run: "a", step: 0 }],
            ["run_step", { run: "a", step: 0 }],
        ]);
    });
});

describe("a run of another process", () => {
    it("comes into the list, and grows where it is open", async () => {
        const fake = fakeHost();
        setHost(fake);
        const runs = new Runs();
        const steps = walk();
        const running = (step: Step): Step => ({ ...step, state: "running", took: null });
        let there = steps.slice(0, 2).map((step, at) => (at === 1 ? running(step) : step));
        const now = () => summary({ id: "elsewhere", steps: there.length, status: there.length === steps.length ? "done" : "running" });
        fake.on("run_list", () => ({ runs: [now()], unreadable: [] }));
        fake.on("run_page", ({ from, most }) => ({
            summary: now(),
            all: there.length,
            events: there.length,
            steps: there.slice(from, from + most),
        }));
        await runs.open("elsewhere");
        there = steps;
        fake.calls.length = 0;
        await runs.changedElsewhere();
        expect(runs.list).toEqual([now()]);
        expect(runs.detail("elsewhere")).toEqual({ summary: now(), steps });
        expect(fake.calls.filter(({ name }) => name === "run_page").map(({ args }) => args)).toEqual([
            { run: "elsewhere", from: 1, most: 4000 },
        ]);
        await runs.changedElsewhere();
        expect(fake.calls.filter(({ name }) => name === "run_page").length, "nothing has changed").toBe(1);
    });

    it("is listed once more if it says so again while it is listed, however often", async () => {
        const fake = fakeHost();
        let listed = 0;
        let answer = () => {};
        fake.on("run_list", async () => {
            listed += 1;
            await new Promise<void>((done) => (answer = done));
            return { runs: [], unreadable: [] };
        });
        setHost(fake);
        const runs = new Runs();
        const following = runs.changedElsewhere();
        await Promise.all([runs.changedElsewhere(), runs.changedElsewhere()]);
        expect(listed).toBe(1);
        answer();
        await waitFor(() => expect(listed).toBe(2));
        answer();
        await following;
        expect(listed).toBe(2);
    });
});
