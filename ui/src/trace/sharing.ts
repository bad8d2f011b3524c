/** Contexts repeat most of each other. Equal parts stay the same objects, so views need not redraw them. */
import type { ContextAtStep } from "../generated/api";

/** `next`, with everything that `before` has in the same place taken from there. */
export function sharing(before: ContextAtStep | null, next: ContextAtStep): ContextAtStep {
    if (before === null) {
        return next;
    }
    return {
        ...next,
        messages: shared(before.messages, next.messages),
        tools: shared(before.tools, next.tools),
        groups: shared(before.groups, next.groups),
        skills: shared(before.skills, next.skills),
    };
}

/** The list of before, if all of it is the same. */
function shared<T>(before: T[], next: T[]): T[] {
    const made = next.map((each, at) => {
        const known = before[at];
        return known !== undefined && isSame(known, each) ? known : each;
    });
    return made.length === before.length && made.every((each, at) => each === before[at]) ? before : made;
}

/** Whether two values that came as JSON say the same. It runs over each message of each context, so it makes nothing. */
function isSame(a: unknown, b: unknown): boolean {
    if (a === b) {
        return true;
    }
    if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) {
        return false;
    }
    const keys = Object.keys(a);
    return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]));
}

function isObject(value: unknown): value is Record<string, unknown> {
    return typeof value === "object" && value !== null;
}
