/** What an approval card sends, and the checks before it may. */
import type { Decision, Enforcement, StepKind, ToolCall } from "../generated/api";
import { checkArguments, prettyJson, type JsonCheck } from "./json";

/** The state of the card while it is shown. */
export type Draft = { arguments: string; reason: string; stub: string };

/** The call as it is served now: with the arguments that the user gave it, if it asks again. */
export function served({ call, decision }: Pick<ToolKind, "call" | "decision">): ToolCall {
    return decision?.type === "allow" && decision.arguments !== null ? { ...call, arguments: decision.arguments } : call;
}

export function draft(call: ToolCall): Draft {
    return { arguments: prettyJson(call.arguments), reason: "", stub: "" };
}

/** The edited arguments must be an object; unchanged arguments may be anything. */
export function checkDraft(call: ToolCall, held: Draft): JsonCheck {
    return isEdited(call, held) ? checkArguments(held.arguments) : { ok: true, pretty: held.arguments };
}

export function isEdited(call: ToolCall, held: Draft): boolean {
    return held.arguments !== prettyJson(call.arguments);
}

/** `null` while the arguments are not fit to be sent. */
export function allow(call: ToolCall, held: Draft, forRun: boolean): Decision | null {
    if (!checkDraft(call, held).ok) return null;
    return { type: "allow", arguments: isEdited(call, held) ? held.arguments : null, forRun };
}

export function deny(held: Draft): Decision {
    const reason = held.reason.trim();
    return { type: "deny", reason: reason === "" ? null : reason };
}

export function stub(held: Draft): Decision {
    return { type: "stub", text: held.stub };
}

/** How what a call did departs from what the model asked for; `null`: it does not. */
export type Departure = "denied" | "stubbed" | "edited";

export const DEPARTURES: readonly Departure[] = ["denied", "stubbed", "edited"];

export function departure({ decision }: Pick<ToolKind, "decision">): Departure | null {
    switch (decision?.type) {
        case "deny":
            return "denied";
        case "stub":
            return "stubbed";
        case "allow":
            return decision.arguments === null ? null : "edited";
        case undefined:
            return null;
    }
}

/** Whether the sandbox is complete. Inner rules, which only repeat what it already hides, may be missing. */
export function holdsWhole(enforcement: Enforcement | null): boolean {
    return enforcement !== null && enforcement.layer !== null && enforcement.missing.every((measure) => measure === "rules");
}

/**
 * Whether an answer to one question is an answer to the other: the same script as it was, the same command in the same folder for
 * however long, else the same to the letter.
 */
export function isSameThing(a: ToolStep, b: ToolStep): boolean {
    const thing = ({ asked, leadsTo, digest }: ToolStep): unknown =>
        asked?.type === "runScript"
            ? [asked.type, asked.path, leadsTo, digest]
            : asked?.type === "disclose"
              ? [asked.type, asked.skill]
              : asked?.type === "shell"
                ? [asked.type, asked.command, asked.workingDirectory, leadsTo]
                : [asked, leadsTo];
    return a.asked !== null && b.asked !== null && JSON.stringify(thing(a)) === JSON.stringify(thing(b));
}

type ToolKind = Extract<StepKind, { type: "tool" }>;
type ToolStep = Pick<ToolKind, "asked" | "leadsTo" | "digest">;
