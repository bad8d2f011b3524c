/** JSON as it was written: indented without touching a number or an escape, and checked with a place for the mistake. */
export type JsonMistake = "unexpected" | "unfinished" | "notObject";

export type JsonCheck =
    | { ok: true; pretty: string }
    /** `line` and `column` count from 1, in UTF-16 units. */
    | { ok: false; mistake: JsonMistake; line: number; column: number; found: string };

/** Reads one JSON value. */
export function checkJson(source: string): JsonCheck {
    const state: Reading = { source, at: 0, out: [], open: [], expect: "value" };
    for (;;) {
        skipSpace(state);
        if (state.expect === "end") break;
        if (state.at >= source.length) return mistake(source, source.length, "unfinished");
        if (!take(state)) return mistake(source, state.at, "unexpected");
    }
    return state.at < source.length ? mistake(source, state.at, "unexpected") : { ok: true, pretty: state.out.join("") };
}

/** Arguments of a tool call: JSON, and an object. */
export function checkArguments(source: string): JsonCheck {
    const check = checkJson(source);
    const start = source.length - source.trimStart().length;
    return check.ok && !check.pretty.startsWith("{") ? mistake(source, start, "notObject") : check;
}

/** Indented if it is JSON, else unchanged. */
export function prettyJson(source: string): string {
    const check = checkJson(source);
    return check.ok ? check.pretty : source;
}

type Expect = "value" | "valueOrClose" | "key" | "keyOrClose" | "colon" | "commaOrClose" | "end";
type Reading = { source: string; at: number; out: string[]; open: ("{" | "[")[]; expect: Expect };

/** Deeper levels are indented like this one, so that the text does not grow too much. */
const DEEPEST_INDENT = 40;
const SPACE = /[ \t\r\n]*/y;
/** Written so that it never backtracks, however long the string. */
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const SCALAR = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;

function skipSpace(state: Reading) {
    SPACE.lastIndex = state.at;
    SPACE.exec(state.source);
    state.at = SPACE.lastIndex;
}

/** Takes one token if it fits, writes it out and sets what must follow. */
function take(state: Reading): boolean {
    const char = state.source.charAt(state.at);
    switch (state.expect) {
        case "colon":
            return char === ":" && put(state, ":", ": ", "value");
        case "key":
            return takeMatch(state, STRING, "colon");
        case "keyOrClose":
            return char === "}" ? closeEmpty(state) : takeFirst(state, "key");
        case "valueOrClose":
            return char === "]" ? closeEmpty(state) : takeFirst(state, "value");
        case "commaOrClose": {
            const open = state.open.at(-1);
            if (char === ",") return put(state, ",", `,\n${indent(state)}`, open === "{" ? "key" : "value");
            return char === (open === "{" ? "}" : "]") && close(state, `\n${indent(state, -1)}`);
        }
        case "value":
            if (char === "{" || char === "[") return open(state, char);
            return takeMatch(state, STRING, after(state)) || takeMatch(state, SCALAR, after(state));
        case "end":
            return false;
    }
}

/** The first member of a list or map that is not empty is on a line of its own. */
function takeFirst(state: Reading, expect: "key" | "value"): boolean {
    state.out.push(`\n${indent(state)}`);
    state.expect = expect;
    return take(state);
}

function takeMatch(state: Reading, pattern: RegExp, next: Expect): boolean {
    pattern.lastIndex = state.at;
    const found = pattern.exec(state.source)?.[0];
    return found !== undefined && put(state, found, found, next);
}

function open(state: Reading, char: "{" | "["): boolean {
    state.open.push(char);
    return put(state, char, char, char === "{" ? "keyOrClose" : "valueOrClose");
}

function closeEmpty(state: Reading): boolean {
    return close(state, "");
}

function close(state: Reading, before: string): boolean {
    const char = state.open.pop() === "{" ? "}" : "]";
    return put(state, char, before + char, after(state));
}

function put(state: Reading, read: string, written: string, next: Expect): boolean {
    state.at += read.length;
    state.out.push(written);
    state.expect = next;
    return true;
}

function after(state: Reading): Expect {
    return state.open.length > 0 ? "commaOrClose" : "end";
}

function indent(state: Reading, more = 0): string {
    return "  ".repeat(Math.min(state.open.length + more, DEEPEST_INDENT));
}

function mistake(source: string, at: number, kind: JsonMistake): JsonCheck {
    const before = source.slice(0, at);
    const line = before.split("\n").length;
    return { ok: false, mistake: kind, line, column: at - before.lastIndexOf("\n"), found: source.slice(at, at + 1) };
}
