import { describe, expect, it } from "vitest";

import type { RunSummary, Step } from "../generated/api";
import { fold, upsert, waiting } from "./fold";
import { answer, call, detail, spent, step, summary, tool, walk } from "./sample";

const run = summary().id;
const running: Partial<RunSummary> = { status: "running", endedAt: null };

describe("fold", () => {
    it("adds new steps and keeps the summary in step with them", () => {
        const before = detail(walk().slice(0, 2), running);
        const after = fold(before, { run, status: "running", spent: spent(), steps: walk().slice(2, 4) });
        expect(after).toEqual(detail(walk().slice(0, 4), running));
    });

    it("replaces a step that grew", () => {
        const partial: Step = { ...step(1, 0, 320, answer("1 kg is", [])), state: "running", took: null };
        const longer: Step = { ...step(1, 0, 320, answer("1 kg is about", [])), state: "running", took: null };
        const before = detail([...walk().slice(0, 1), partial], running);
        expect(fold(before, { run, status: "running", spent: spent(), steps: [longer] }).steps[1]).toEqual(longer);
    });

    it("ignores the update of another run", () => {
        const before = detail();
        expect(fold(before, { run: "other", status: "failed", spent: spent(), steps: [] })).toBe(before);
    });

    it("never goes back: a finished step stays finished, and an ended run ended", () => {
        const stale: Step = { ...walk()[2]!, state: "running" };
        const after = fold(detail(), { run, status: "running", spent: spent(), steps: [stale] });
        expect(after).toEqual(detail());
    });

    it("takes the error from the end of the run", () => {
        const end = step(
            8,
            0,
            1000,
            { type: "end", status: "limited", error: "the cap of 40 turns was reached", zh: null, why: null, reached: null },
            null,
        );
        const after = fold(detail(walk(), running), { run, status: "limited", spent: spent(), steps: [end] });
        expect(after.summary).toEqual(summary({ status: "limited", error: "the cap of 40 turns was reached", endedAt: null, steps: 9 }));
    });
});

describe("upsert", () => {
    it("keeps the order when steps come out of order", () => {
        const [a, b, c] = walk();
        expect(upsert([], [c!, a!, b!])).toEqual([a, b, c]);
    });

    it("leaves what it was given alone", () => {
        const known = walk();
        upsert(known, [step(9, 0, 0, { type: "note", text: "repaired", zh: null, retried: null })]);
        expect(known).toEqual(walk());
    });
});

describe("waiting", () => {
    it("finds the step that asks for approval", () => {
        const asks: Step = { ...step(2, 0, 340, tool(call("run_skill_script", "{}"), { type: "none" }, null)), state: "waiting" };
        expect(waiting([...walk().slice(0, 2), asks])).toEqual(asks);
        expect(waiting(walk())).toBeNull();
    });
});
