/** The disclosure lane: how the context grew, step by step and tier by tier, as geometry without a document. */
import type { Disclosure, Step } from "../generated/api";
import { disclosedAt, kindAt, outlineOf, PROMPT, TOOL, troubleAt, type OpenedRun, type Outline } from "./steps";
import { disclosureOf } from "./walk";

/** From the bottom of the stack to its top. Tier 1, 2, 3, what scripts printed, and everything said. */
export type Series = "catalogue" | "instructions" | "resources" | "scripts" | "conversation";

export const SERIES: readonly Series[] = ["catalogue", "instructions", "resources", "scripts", "conversation"];

const DISCLOSED: Record<Disclosure["type"], Series> = {
    instructions: "instructions",
    resource: "resources",
    script: "scripts",
    none: "conversation",
};

/** Tokens in the context, by where they come from. */
export type Tally = Record<Series, number>;

/** One step, or several neighbours where there are more steps than room. Positions are places in the step list. */
export type Column = {
    first: number;
    last: number;
    /** After the last of its steps. */
    tally: Tally;
    /** The deepest tier that one of its steps opened; the prompt opens the catalogue. */
    opened: Exclude<Series, "conversation"> | null;
    trouble: boolean;
};

export type Lane = {
    columns: Column[];
    /** Tokens at the full height. */
    ceiling: number;
    columnWidth: number;
    /** One SVG path for each series. */
    paths: Record<Series, string>;
};

export type Size = { width: number; height: number };

const NARROWEST = 5;
const WIDEST = 120;
/** From this width on a column leaves a gap to the next one. */
const GAP_FROM = 8;

/** `ceiling` raises the scale, so that two lanes can be compared. */
export function lane(run: OpenedRun, size: Size, ceiling = 0): Lane {
    const columns = bundle(run, Math.max(1, Math.floor(size.width / NARROWEST)));
    const top = Math.max(ceiling, 1, ...columns.map((column) => total(column.tally)));
    const columnWidth = columns.length === 0 ? WIDEST : Math.min(WIDEST, size.width / columns.length);
    return { columns, ceiling: top, columnWidth, paths: draw(columns, columnWidth, size.height, top) };
}

/** Tokens in the context after the last step. The summary counts what the model was shown last, which its answer is after. */
export function grown(run: OpenedRun): number {
    const last = bundle(run, 1).at(-1);
    return last === undefined ? run.summary.setup.catalogueTokens : total(last.tally);
}

/** The context after each step. The sum is always the step's own count: tokens of no tier are conversation. */
export function tallies(run: OpenedRun): Tally[] {
    const all: Tally[] = [];
    eachTally(run, (tally) => all.push({ ...tally }));
    return all;
}

/** `take` gets the same tally each time, and keeps what it needs of it. */
function eachTally({ summary, steps }: OpenedRun, take: (tally: Tally, at: number, outline: Outline) => void): void {
    const outline = outlineOf(steps);
    const tally: Tally = { catalogue: 0, instructions: 0, resources: 0, scripts: 0, conversation: 0 };
    for (let at = 0; at < outline.length; at += 1) {
        // What a sub-agent reads is in another context.
        if (outline.within[at] === 0) {
            const series = seriesAt(outline, at);
            if (series === "catalogue") tally.catalogue = summary.setup.catalogueTokens;
            else if (series !== "conversation") tally[series] += outline.added[at] ?? 0;
            settle(tally, outline.context[at] ?? 0);
        }
        take(tally, at, outline);
    }
}

function seriesAt(outline: Outline, at: number): Series {
    const kind = kindAt(outline, at);
    if (kind === PROMPT) return at === 0 ? "catalogue" : "conversation";
    if (kind !== TOOL) return "conversation";
    return DISCLOSED[disclosedAt(outline, at)];
}

export function seriesOf(step: Step): Series {
    if (step.kind.type === "prompt") return step.index === 0 ? "catalogue" : "conversation";
    if (step.kind.type !== "tool") return "conversation";
    return DISCLOSED[disclosureOf(step).type];
}

export function total(tally: Tally): number {
    return SERIES.reduce((sum, series) => sum + tally[series], 0);
}

/** The column that shows the step at this position. */
export function columnOf(drawn: Lane, position: number): number {
    return drawn.columns.findIndex((column) => column.first <= position && position <= column.last);
}

/** The position a click at `x` means; `null` right of the last column. */
export function positionAt(drawn: Lane, x: number): number | null {
    return drawn.columns[Math.floor(x / drawn.columnWidth)]?.first ?? null;
}

/**
 * The columns that get a mark for the tier they opened: as many as are `apart` pixels from each other. If columns show several steps, only
 * the first of each tier.
 */
export function markedColumns(drawn: Lane, apart: number): number[] {
    if (drawn.columns.some((column) => column.last > column.first)) {
        const firsts = SERIES.map((series) => drawn.columns.findIndex((column) => column.opened === series));
        return firsts.filter((at) => at >= 0);
    }
    const marked: number[] = [];
    drawn.columns.forEach((column, at) => {
        const before = marked.at(-1);
        if (column.opened !== null && (before === undefined || (at - before) * drawn.columnWidth >= apart)) {
            marked.push(at);
        }
    });
    return marked;
}

/** A context that shrank below its tiers keeps their order: the deepest give way first. */
function settle(tally: Tally, context: number): void {
    let room = context;
    for (const series of SERIES) {
        tally[series] = series === "conversation" ? room : Math.min(tally[series], room);
        room -= tally[series];
    }
}

function bundle(run: OpenedRun, most: number): Column[] {
    const size = Math.max(1, Math.ceil(run.steps.length / most));
    const columns: Column[] = [];
    eachTally(run, (tally, at, outline) => {
        const series = outline.within[at] === 0 ? seriesAt(outline, at) : "conversation";
        const opened = series === "conversation" ? null : series;
        const column = columns.at(-1);
        if (column === undefined || at % size === 0) {
            columns.push({ first: at, last: at, tally: { ...tally }, opened, trouble: troubleAt(outline, at) });
            return;
        }
        column.last = at;
        Object.assign(column.tally, tally);
        column.opened = deeper(column.opened, opened);
        column.trouble ||= troubleAt(outline, at);
    });
    return columns;
}

function deeper(a: Column["opened"], b: Column["opened"]): Column["opened"] {
    const depth = (opened: Column["opened"]) => (opened === null ? -1 : SERIES.indexOf(opened));
    return depth(b) > depth(a) ? b : a;
}

function draw(columns: readonly Column[], columnWidth: number, height: number, ceiling: number): Record<Series, string> {
    const paths: Record<Series, string> = { catalogue: "", instructions: "", resources: "", scripts: "", conversation: "" };
    const gap = columnWidth >= GAP_FROM ? 1 : 0;
    columns.forEach((column, at) => {
        let below = 0;
        for (const series of SERIES) {
            const bottom = height - (below / ceiling) * height;
            below += column.tally[series];
            const top = height - (below / ceiling) * height;
            if (bottom > top) paths[series] += box(at * columnWidth, top, columnWidth - gap, bottom - top);
        }
    });
    return paths;
}

function box(x: number, y: number, width: number, height: number): string {
    return `M${round(x)} ${round(y)}h${round(width)}v${round(height)}h${round(-width)}z`;
}

function round(value: number): number {
    return Math.round(value * 100) / 100;
}
