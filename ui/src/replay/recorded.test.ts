import { describe, expect, it } from "vitest";
import type { ContextMessage, ReplayContext, ReplayedRun } from "../generated/api";
import { detail, walk } from "../trace/sample";
import { Recorded } from "./recorded";

const TEXTS = ["system", "user", "asked", "reply", "summary"];

function message(text: string): ContextMessage {
    return { role: "user", text, calls: [], callId: null, marks: [], tokens: 1, added: false, cachePoint: false, reconstructed: false };
}

function context(change: Partial<ReplayContext>): ReplayContext {
    return { body: null, exact: true, tools: 0, groups: 0, skills: 0, same: 0, further: [], added: [], tokens: 7, ...change };
}

const run: ReplayedRun = {
    detail: detail(walk()),
    review: { verdict: null, notes: [] },
    chinese: false,
    contexts: [
        context({ body: 0, further: [0, 1], added: [[0, 2]] }),
        context({ body: 1, same: 2, further: [2, 3], added: [[2, 4]], tools: 1 }),
        context({ body: 1, same: 4 }),
        context({ body: 2, same: 1, further: [4], added: [[1, 2]] }),
        context({ body: 3, further: [0, 4] }),
    ],
    messages: TEXTS.map(message),
    tools: [{ name: "load", json: "{}", added: false, cachePoint: false }],
    toolLists: [[], [{ tool: 0, added: true }]],
    groups: [[]],
    skills: [[]],
    bodies: [
        { head: 0, text: "[字a]", tail: 0 },
        { head: 3, text: ", b", tail: 1 },
        { head: 1, text: "c", tail: 1 },
        { head: 0, text: "whole", tail: 0 },
    ],
};

describe("a recorded run", () => {
    it("puts each context together from the last one that has nothing of the one before", () => {
        const recorded = new Recorded(JSON.stringify(run));
        const told = (step: number) => recorded.context(step)?.messages.map(({ text, added }) => (added ? `+${text}` : text));
        expect(told(3)).toEqual(["system", "+summary"]);
        expect(told(0)).toEqual(["+system", "+user"]);
        expect(told(1)).toEqual(["system", "user", "+asked", "+reply"]);
        expect(told(2)).toEqual(["system", "user", "asked", "reply"]);
        expect(told(4)).toEqual(["system", "summary"]);
        expect(recorded.context(5)).toBeNull();
        expect([0, 1, 2, 3, 4].map((step) => recorded.context(step)?.body)).toEqual(["[字a]", "[字a, b]", "[字a, b]", "[c]", "whole"]);
        expect(recorded.context(1)?.tools).toEqual([{ name: "load", json: "{}", added: true, cachePoint: false }]);
    });
});
