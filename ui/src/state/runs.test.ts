import { describe, expect, it } from "vitest";
import { setHost } from "../host";
import { fakeHost } from "../host/fake";
import { summary, walk } from "../trace/sample";
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
