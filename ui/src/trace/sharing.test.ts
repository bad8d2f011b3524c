import { describe, expect, it } from "vitest";
import type { ContextAtStep, ContextMessage } from "../generated/api";
import { sharing } from "./sharing";

function message(text: string, change: Partial<ContextMessage> = {}): ContextMessage {
    const marks: ContextMessage["marks"] = [{ span: { start: 0, end: text.length }, origin: { type: "user" } }];
    return {
        role: "user",
        text,
        calls: [],
        callId: null,
        marks,
        tokens: 1,
        added: false,
        cachePoint: false,
        reconstructed: false,
        ...change,
    };
}

function context(step: number, messages: ContextMessage[], change: Partial<ContextAtStep> = {}): ContextAtStep {
    const tools = [{ name: "load", json: "{}", added: false, cachePoint: false }];
    return { step, body: `body ${step}`, exact: true, tools, groups: [], messages, skills: [], tokens: step, ...change };
}

describe("what two contexts share", () => {
    it("is taken from the one before, and nothing else is", () => {
        const before = context(4, [message("a"), message("b", { added: true })]);
        const next = context(5, [message("a"), message("b"), message("c", { added: true })]);
        const made = sharing(before, structuredClone(next));
        expect(made).toEqual(next);
        expect(made.messages.map((each, at) => each === before.messages[at])).toEqual([true, false, false]);
        expect([made.tools === before.tools, made.groups === before.groups, made.skills === before.skills]).toEqual([true, true, true]);
    });

    it("is the whole list if all of it is the same", () => {
        const before = context(4, [message("a"), message("b")]);
        expect(sharing(before, context(5, [message("a"), message("b")])).messages).toBe(before.messages);
        expect(sharing(before, context(5, [message("a")])).messages).not.toBe(before.messages);
    });

    it("is not what differs in a mark, a call or a flag alone", () => {
        const call = { id: "1", name: "load", arguments: "{}" };
        const before = context(4, [message("a", { calls: [call] })]);
        for (const change of [
            { calls: [{ ...call, arguments: "{ }" }] },
            { calls: [] },
            { calls: [call], marks: [{ span: { start: 0, end: 0 }, origin: { type: "user" } }] },
            { calls: [call], images: [] },
            { calls: [call], cachePoint: true },
        ] satisfies Partial<ContextMessage>[]) {
            const next = context(5, [message("a", change)]);
            expect(sharing(before, next).messages[0]).toBe(next.messages[0]);
        }
        expect(sharing(null, before)).toBe(before);
    });
});
