import { describe, expect, it } from "vitest";

import type { RunSummary, Step, StepChange } from "../generated/api";
import { fold, upsert, waiting } from "./fold";
import { answer, call, detail, spent, step, summary, tool, walk } from "./sample";

const run = summary().id;
const running: Partial<RunSummary> = { status: "running", endedAt: null };

describe("fold", () => {
    it("adds new steps and keeps the summary in step with them", () => {
        const before = detail(walk().slice(0, 2), running);
        const after = fold(before, { run, event: 1, status: "running", spent: spent(), changes: [], steps: walk().slice(2, 4) });
        expect(after).toEqual(detail(walk().slice(0, 4), running));
    });

    it("replaces a step that grew", () => {
        const partial: Step = { ...step(1, 0, 320, answer("1 kg is", [])), state: "running", took: null };
        const longer: Step = { ...step(1, 0, 320, answer("1 kg is about", [])), state: "running", took: null };
        const before = detail([...walk().slice(0, 1), partial], running);
        expect(fold(before, { run, event: 1, status: "running", spent: spent(), changes: [], steps: [longer] }).steps[1]).toEqual(longer);
    });

    it("adds the text that came in, and leaves the step that it was given alone", () => {
        const partial: Step = { ...step(1, 0, 320, answer("1 kg is", [])), state: "running", took: null };
        const before = detail([...walk().slice(0, 1), partial], running);
        const more: StepChange = { type: "streamed", index: 1, text: " about", reasoning: "", firstToken: 12 };
        const after = fold(before, { run, event: 7, status: "running", spent: spent(), steps: [], changes: [more] });
        expect(after.steps[1]?.kind).toMatchObject({ text: "1 kg is about", firstToken: 12 });
        expect(before.steps[1]).toEqual(partial);
    });

    it("counts a step again, and passes over what is known to have the update", () => {
        const counted = (index: number): StepChange => ({
            type: "counted",
            index,
            state: "stopped",
            took: 5,
            question: null,
            addedTokens: 1,
            contextTokens: 99,
        });
        const update = {
            run,
            event: 7,
            status: "running" as const,
            spent: spent(),
            steps: [],
            changes: [counted(2), counted(3), counted(99)],
        };
        const after = fold(detail(walk(), running), update, (index) => index > 2);
        expect(after.steps[3]).toEqual({ ...walk()[3], state: "stopped", took: 5, question: null, addedTokens: 1, contextTokens: 99 });
        expect(after.steps[2]).toEqual(walk()[2]);
        expect(after.steps.length).toBe(walk().length);
    });

    it("ignores the update of another run", () => {
        const before = detail();
        expect(fold(before, { run: "other", event: 1, status: "failed", spent: spent(), steps: [], changes: [] })).toBe(before);
    });

    it("never goes back: a finished step stays finished, and an ended run ended", () => {
        const stale: Step = { ...walk()[2]!, state: "running" };
        const after = fold(detail(), { run, event: 1, status: "running", spent: spent(), changes: [], steps: [stale] });
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
        const after = fold(detail(walk(), running), { run, event: 1, status: "limited", spent: spent(), changes: [], steps: [end] });
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
