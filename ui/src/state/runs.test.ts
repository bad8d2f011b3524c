import { waitFor } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import type { Step } from "../generated/api";
import { setHost } from "../host";
import { fakeHost } from "../host/fake";
import { ALL, indexOf } from "../host/fake/run-index";
import { step, summary, walk } from "../trace/sample";
import { columnsOf, outlineOf } from "../trace/steps";
import { stepAt } from "./long-steps.svelte";
import { Runs } from "./runs.svelte";

describe("the steps that are held", () => {
    it("are those of the runs that were opened last and of those on show", async () => {
        const fake = fakeHost();
        const step = walk()[0];
        const all = 9_900;
        fake.on("run_page", ({ run, from, most }) => ({
            summary: summary({ id: run }),
            all,
            events: 1,
            steps: step === undefined ? [] : Array.from({ length: Math.min(most, all - from) }, () => step),
        }));
        setHost(fake);
        const runs = new Runs();
        runs.current = "a";
        const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
        for (const run of names) {
            await runs.open(run);
        }
        const held = () => names.filter((run) => runs.detail(run)?.steps.length === all).join("");
        expect(held()).toBe("acdefgh");
        await runs.open("b");
        expect(held(), "they are fetched again").toBe("abdefgh");
    });

    it("are those that are looked at, of a long run, and an outline of all", async () => {
        const fake = fakeHost();
        const all = 120_000;
        const made = (index: number) => ({ ...step(index, 1, index, { type: "prompt", text: `${index}` }), at: 1000 + index });
        const some = (from: number, most: number) =>
            Array.from({ length: Math.max(0, Math.min(most, all - from)) }, (_, at) => made(from + at));
        fake.on("run_page", ({ run, from, most }) => ({
            summary: summary({ id: run }),
            all,
            events: 1,
            steps: some(from, Math.min(most, 70)),
        }));
        fake.on("run_columns", ({ from, most }) => columnsOf(some(from, most)));
        setHost(fake);
        const runs = new Runs();
        await runs.open("a");
        const { steps } = runs.detail("a") ?? { steps: [] };
        expect([steps.length, runs.held("a"), steps.at(all)]).toEqual([all, null, undefined]);
        const { context, start } = outlineOf(steps);
        expect([context[all - 1], start[all - 1]]).toEqual([all - 1, 1000 + all - 1]);
        expect(steps.at(-1), "it is on its way").toBeUndefined();
        await waitFor(() => expect(steps.at(-1)).toEqual(made(all - 1)));
        expect(await stepAt(steps, 5000)).toEqual(made(5000));

        fake.calls.length = 0;
        const seen = new Set<Step | undefined>();
        for (let place = 0; place < all; place += 5000) {
            await waitFor(() => expect(steps.at(place)).toEqual(made(place)));
            seen.add(steps.at(place));
        }
        expect(seen.size).toBe(24);
        expect(steps.at(0), "what was looked at long ago is fetched again").toBeUndefined();
        await waitFor(() => expect(steps.at(0)).toEqual(made(0)));
    });
});

describe("the list of runs", () => {
    it("names all of them, and describes the newest and those that are looked at, in one go", async () => {
        const fake = fakeHost();
        const all = Array.from({ length: 3000 }, (_, at) => summary({ id: `run-${at}`, steps: at }));
        fake.on("run_index", (args) => indexOf(all, args));
        fake.on("run_some", ({ runs }) => all.filter((run) => runs.includes(run.id)));
        setHost(fake);
        const runs = new Runs();
        await runs.load();
        expect([runs.ids.length, runs.list?.length, runs.summary("run-7")?.steps]).toEqual([3000, 500, 7]);
        const asked = () => fake.calls.filter(({ name }) => name === "run_some").map(({ args }) => args);
        expect(asked()).toEqual([]);
        expect([runs.summary("run-2000"), runs.summary("run-2001"), runs.summary("run-2000")]).toEqual([undefined, undefined, undefined]);
        await waitFor(() => expect([runs.summary("run-2000")?.steps, runs.summary("run-2001")?.steps]).toEqual([2000, 2001]));
        expect(asked()).toEqual([{ runs: ["run-2000", "run-2001"] }]);

        for (let at = 500; at < 1500; at += 1) {
            runs.summary(`run-${at}`);
        }
        await waitFor(() => expect(runs.summary("run-1499")?.steps).toBe(1499));
        expect(runs.summary("run-2000"), "the oldest of those that were looked at went").toBeUndefined();
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
        fake.on("run_index", () => indexOf([now()], ALL));
        fake.on("run_some", () => [now()]);
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
        fake.on("run_index", async () => {
            listed += 1;
            await new Promise<void>((done) => (answer = done));
            return indexOf([], ALL);
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
