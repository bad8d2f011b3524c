/**
 * The steps of a run as views take them. Those of a short run, and of one that goes on, are all here. Of a long one there is an outline, a
 * few numbers for each step, and the visible steps.
 */
import type { Columns, RunDetail, RunSummary, Step } from "../generated/api";

/** A list of steps is one. */
export interface Steps {
    readonly length: number;
    /** The step at a place; `undefined`: there is none, or it is on its way. Negative places count from the end. */
    at(place: number): Step | undefined;
}

export type OpenedRun = { readonly summary: RunSummary; readonly steps: Steps };

/** Whether all steps of the run are here. */
export function isHeld(run: OpenedRun): run is RunDetail {
    return Array.isArray(run.steps);
}

/** What a step is, as `Columns.marks` has it. */
export const PROMPT = 0;
export const ANSWER = 1;
export const TOOL = 2;
export const NOTE = 3;
export const END = 4;
const KIND = 7;
const DISCLOSED = 24;
const INSTRUCTIONS = 8;
const RESOURCE = 16;
const SCRIPT = 24;
const TROUBLE = 32;
const OPEN = 64;

/** Facts about all steps of a run. Columns may be longer than the part of the run that is loaded. */
export type Outline = {
    readonly length: number;
    readonly marks: Uint8Array;
    /** Milliseconds since the epoch. */
    readonly start: Float64Array;
    /** Milliseconds; -1 while it goes on. */
    readonly took: Float64Array;
    readonly added: Uint32Array;
    readonly context: Uint32Array;
    readonly event: Uint32Array;
    /** The model request; -1: none. */
    readonly turn: Int32Array;
    /** The conversation, by its number from 1; 0: the run's own. */
    readonly within: Uint32Array;
    /** Their names: that of conversation 1 is the first. */
    readonly conversations: readonly string[];
    /** The place of the first call that began a conversation, by its number. */
    readonly calls: ReadonlyMap<number, number>;
};

export class Outlined {
    #length = 0;
    #marks = new Uint8Array(0);
    #start = new Float64Array(0);
    #took = new Float64Array(0);
    #added = new Uint32Array(0);
    #context = new Uint32Array(0);
    #event = new Uint32Array(0);
    #turn = new Int32Array(0);
    #within = new Uint32Array(0);
    readonly #conversations: string[] = [];
    readonly #numbers = new Map<string, number>();
    readonly #calls = new Map<number, number>();

    /** Room for so many steps. */
    constructor(expected = 0) {
        this.#room(expected);
    }

    get length(): number {
        return this.#length;
    }

    /** Appends the columns that follow. */
    push(columns: Columns): void {
        const from = this.#length;
        const count = columns.marks.length;
        if (from + count > this.#marks.length) {
            this.#room(Math.max(from + count, this.#marks.length * 2));
        }
        this.#marks.set(columns.marks, from);
        this.#took.set(columns.took, from);
        this.#added.set(columns.added, from);
        this.#context.set(columns.context, from);
        this.#event.set(columns.event, from);
        this.#turn.set(columns.turn, from);
        const numbers = columns.conversations.map((name) => this.#number(name));
        let at = 0;
        for (let place = 0; place < count; place += 1) {
            at += columns.since[place] ?? 0;
            this.#start[from + place] = at;
            const within = columns.within[place] ?? 0;
            this.#within[from + place] = within === 0 ? 0 : (numbers[within - 1] ?? 0);
        }
        for (const [place, call] of columns.begins) {
            const number = this.#number(call);
            if (!this.#calls.has(number)) {
                this.#calls.set(number, place);
            }
        }
        this.#length += count;
    }

    /** The state so far. Later columns do not change it. */
    outline(): Outline {
        return {
            length: this.#length,
            marks: this.#marks,
            start: this.#start,
            took: this.#took,
            added: this.#added,
            context: this.#context,
            event: this.#event,
            turn: this.#turn,
            within: this.#within,
            conversations: this.#conversations,
            calls: this.#calls,
        };
    }

    #number(name: string): number {
        const known = this.#numbers.get(name);
        if (known !== undefined) return known;
        const number = this.#conversations.push(name);
        this.#numbers.set(name, number);
        return number;
    }

    #room(length: number): void {
        this.#marks = longer(this.#marks, new Uint8Array(length));
        this.#start = longer(this.#start, new Float64Array(length));
        this.#took = longer(this.#took, new Float64Array(length));
        this.#added = longer(this.#added, new Uint32Array(length));
        this.#context = longer(this.#context, new Uint32Array(length));
        this.#event = longer(this.#event, new Uint32Array(length));
        this.#turn = longer(this.#turn, new Int32Array(length));
        this.#within = longer(this.#within, new Uint32Array(length));
    }
}

type Column = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

function longer<T extends Column>(known: T, room: T): T {
    room.set(known);
    return room;
}

/** Steps that know their outline. */
export interface OutlinedSteps extends Steps {
    readonly outline: Outline;
}

const made = new WeakMap<Steps, Outline>();

/** The outline of steps. Of a list it is made once: lists do not change. */
export function outlineOf(steps: Steps): Outline {
    if (hasOutline(steps)) return steps.outline;
    const known = made.get(steps);
    if (known !== undefined) return known;
    const outline = outlineOfAll(steps);
    made.set(steps, outline);
    return outline;
}

function hasOutline(steps: Steps): steps is OutlinedSteps {
    return "outline" in steps;
}

function outlineOfAll(steps: Steps): Outline {
    const outlined = new Outlined(steps.length);
    outlined.push(columnsOf(Array.from({ length: steps.length }, (_, place) => steps.at(place)).filter((step) => step !== undefined)));
    return outlined.outline();
}

/** As the program makes them of the steps of a long run, from one place to another. */
export function columnsOf(all: readonly Step[], from = 0, to = all.length): Columns {
    const steps = all.slice(from, to);
    const began = new Set(all.map((step) => step.within));
    const conversations: string[] = [];
    const numbers = new Map<string, number>();
    const within = steps.map((step) => {
        if (step.within === null) return 0;
        const number = numbers.get(step.within) ?? conversations.push(step.within);
        numbers.set(step.within, number);
        return number;
    });
    return {
        marks: steps.map(marksOf),
        since: steps.map((step, place) => step.at - (steps[place - 1]?.at ?? 0)),
        took: steps.map((step) => step.took ?? -1),
        added: steps.map((step) => step.addedTokens),
        context: steps.map((step) => step.contextTokens),
        event: steps.map((step) => step.event),
        turn: steps.map((step) => step.turn ?? -1),
        within,
        conversations,
        begins: steps.flatMap(({ kind }, place) => (kind.type === "tool" && began.has(kind.call.id) ? [[from + place, kind.call.id]] : [])),
    };
}

function marksOf(step: Step): number {
    const open = step.state === "running" || step.state === "waiting" ? OPEN : 0;
    return kindOf(step) + disclosedOf(step) + (isTrouble(step) ? TROUBLE : 0) + open;
}

function kindOf({ kind }: Step): number {
    switch (kind.type) {
        case "prompt":
            return PROMPT;
        case "answer":
            return ANSWER;
        case "tool":
            return TOOL;
        case "note":
            return NOTE;
        case "end":
            return END;
    }
}

function disclosedOf({ kind }: Step): number {
    // A prompt may name skills, whose instructions come with it.
    if (kind.type === "prompt") return (kind.skills ?? []).length > 0 ? INSTRUCTIONS : 0;
    if (kind.type !== "tool") return 0;
    switch (kind.disclosed.type) {
        case "none":
            return 0;
        case "instructions":
            return INSTRUCTIONS;
        case "resource":
            return RESOURCE;
        case "script":
            return SCRIPT;
    }
}

/** Something went wrong here: a failed request, call or script, or an end that was not a final answer. */
export function isTrouble(step: Step): boolean {
    if (step.state === "failed") return true;
    switch (step.kind.type) {
        case "answer":
            return step.kind.error !== null;
        case "tool":
            return step.kind.output !== null && (step.kind.output.timedOut || step.kind.output.exitCode !== 0);
        case "end":
            return step.kind.status !== "done";
        case "prompt":
        case "note":
            return false;
    }
}

export function kindAt({ marks }: Outline, place: number): number {
    return (marks[place] ?? 0) & KIND;
}

export function troubleAt({ marks }: Outline, place: number): boolean {
    return ((marks[place] ?? 0) & TROUBLE) !== 0;
}

export function openAt({ marks }: Outline, place: number): boolean {
    return ((marks[place] ?? 0) & OPEN) !== 0;
}

/** What the step at a place showed of a skill. */
export function disclosedAt({ marks }: Outline, place: number): "none" | "instructions" | "resource" | "script" {
    switch ((marks[place] ?? 0) & DISCLOSED) {
        case INSTRUCTIONS:
            return "instructions";
        case RESOURCE:
            return "resource";
        case SCRIPT:
            return "script";
        default:
            return "none";
    }
}

/** Whether the user said something here. */
export function promptAt(outline: Outline, place: number): boolean {
    return kindAt(outline, place) === PROMPT && outline.within[place] === 0;
}

/** The first place after another, or the last one before it, that is wanted; `null`: there is none. */
export function placeAfter({ length }: Outline, from: number, wanted: (place: number) => boolean): number | null {
    for (let place = Math.max(0, from + 1); place < length; place += 1) {
        if (wanted(place)) return place;
    }
    return null;
}

export function placeBefore({ length }: Outline, from: number, wanted: (place: number) => boolean): number | null {
    for (let place = Math.min(length, from) - 1; place >= 0; place -= 1) {
        if (wanted(place)) return place;
    }
    return null;
}
