import { afterEach, describe, expect, it, vi } from "vitest";
import { setHost } from "../host";
import { fakeHost } from "../host/fake";
import { summary, walk } from "../trace/sample";
import { LOOK_AFTER, Runs } from "./runs.svelte";

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

describe("runs of other programs", () => {
    afterEach(() => vi.useRealTimers());

    it("appear while the list is in sight, and at once when the window comes to the front", async () => {
        vi.useFakeTimers();
        const fake = fakeHost();
        let made = 1;
        fake.on("run_list", () => ({ runs: Array.from({ length: made }, (_, at) => summary({ id: `run-${at}` })), unreadable: [] }));
        setHost(fake);
        const runs = new Runs();
        const ids = () => runs.list?.map((run) => run.id);
        await runs.load();
        const stop = runs.follow();
        await vi.advanceTimersByTimeAsync(0);
        expect(ids()).toEqual(["run-0"]);

        made = 2;
        await vi.advanceTimersByTimeAsync(LOOK_AFTER);
        expect(ids()).toEqual(["run-0", "run-1"]);

        made = 3;
        window.dispatchEvent(new Event("focus"));
        await vi.advanceTimersByTimeAsync(0);
        expect(ids()).toEqual(["run-0", "run-1", "run-2"]);

        stop();
        const asked = fake.calls.length;
        window.dispatchEvent(new Event("focus"));
        await vi.advanceTimersByTimeAsync(10 * LOOK_AFTER);
        expect(fake.calls.length, "nothing is looked at behind a closed list").toBe(asked);
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
