/** Where keys lead in a walk through a run, and one-line texts of steps. */
import type { Disclosure, Step } from "../generated/api";
import { endError, noteText } from "../i18n";
import { disclosedAt, kindAt, outlineOf, placeAfter, placeBefore, promptAt, TOOL, troubleAt, type Outline, type Steps } from "./steps";

export { isTrouble } from "./steps";

/** What the keys search for: a prompt, a call, an error, a loaded skill. */
export type Landmark = "Turn" | "Tool" | "Error" | "Skill";

export const LANDMARKS: readonly Landmark[] = ["Turn", "Tool", "Error", "Skill"];

export type Jump = "next" | "previous" | "first" | "last" | `next${Landmark}` | `previous${Landmark}`;

/** The position the jump leads to; `null` if there is nothing to jump to. Positions are places in `steps`. */
export function jump(steps: Steps, from: number, to: Jump): number | null {
    switch (to) {
        case "next":
            return within(steps, from + 1);
        case "previous":
            return within(steps, from - 1);
        case "first":
            return within(steps, 0);
        case "last":
            return within(steps, steps.length - 1);
        case "nextTurn":
        case "nextTool":
        case "nextError":
        case "nextSkill": {
            const outline = outlineOf(steps);
            return placeAfter(outline, from, (place) => IS[landmarkOf(to)](outline, place));
        }
        case "previousTurn":
        case "previousTool":
        case "previousError":
        case "previousSkill": {
            const outline = outlineOf(steps);
            return placeBefore(outline, from, (place) => IS[landmarkOf(to)](outline, place));
        }
    }
}

const IS: Record<Landmark, (outline: Outline, place: number) => boolean> = {
    Turn: promptAt,
    Tool: (outline, place) => kindAt(outline, place) === TOOL,
    Error: troubleAt,
    Skill: (outline, place) => disclosedAt(outline, place) === "instructions",
};

function landmarkOf(jump: `next${Landmark}` | `previous${Landmark}`): Landmark {
    return LANDMARKS.find((landmark) => jump.endsWith(landmark)) ?? "Turn";
}

/** The positions of the first and the last of each; `null`: there is none. */
export function reach(steps: Steps): Record<Landmark, { first: number; last: number } | null> {
    const outline = outlineOf(steps);
    const between = (landmark: Landmark) => {
        const is = (place: number) => IS[landmark](outline, place);
        const [first, last] = [placeAfter(outline, -1, is), placeBefore(outline, outline.length, is)];
        return first === null || last === null ? null : { first, last };
    };
    return { Turn: between("Turn"), Tool: between("Tool"), Error: between("Error"), Skill: between("Skill") };
}

/** What the step showed of a skill. */
export function disclosureOf(step: Step): Disclosure {
    return step.kind.type === "tool" ? step.kind.disclosed : { type: "none" };
}

/** The step's own words on one line: the prompt, the answer, what a call is about. */
export function gist(step: Step, limit = 160): string {
    switch (step.kind.type) {
        case "prompt":
            return oneLine(step.kind.text, limit);
        case "note":
            return oneLine(noteText(step.kind), limit);
        case "answer":
            return oneLine(step.kind.text || step.kind.calls.map((call) => `→ ${call.name}`).join("  "), limit);
        case "tool":
            return about(step.kind.disclosure) ?? oneLine(step.kind.call.arguments, limit);
        case "end":
            return oneLine(endError(step.kind)?.text ?? "", limit);
    }
}

/** How long one step stays on screen while playing, in milliseconds. */
export const SPEEDS: readonly number[] = [3000, 2000, 1200, 700, 350];

/** A run's progress in the slots of `SPEEDS`, kept within them. */
export function speed(at: number, change: -1 | 1): number {
    return Math.min(Math.max(at + change, 0), SPEEDS.length - 1);
}

function within(steps: Steps, at: number): number | null {
    return at >= 0 && at < steps.length ? at : null;
}

function about(disclosure: Disclosure): string | null {
    switch (disclosure.type) {
        case "instructions":
            return disclosure.skill;
        case "resource":
            return `${disclosure.skill} / ${disclosure.resource}`;
        case "script":
            return `${disclosure.skill} / ${disclosure.script}`;
        case "none":
            return null;
    }
}

function oneLine(text: string, limit: number): string {
    return text
        .slice(0, limit * 2)
        .replace(/\s+/g, " ")
        .trim()
        .slice(0, limit);
}
