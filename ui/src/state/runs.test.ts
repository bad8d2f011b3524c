import { describe, expect, it } from "vitest";
import { setHost } from "../host";
import { fakeHost } from "../host/fake";
import { Runs } from "./runs.svelte";

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
