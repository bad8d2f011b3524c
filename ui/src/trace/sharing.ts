/** Contexts repeat each other nearly whole. What is the same stays the same object, so whoever shows it has nothing to do. */
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

/** Whether two values that came as JSON say the same. */
function isSame(a: unknown, b: unknown): boolean {
    if (a === b) {
        return true;
    }
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) {
        return false;
    }
    const [mine, theirs] = [Object.entries(a), new Map(Object.entries(b))];
    return mine.length === theirs.size && mine.every(([key, value]) => theirs.has(key) && isSame(value, theirs.get(key)));
}
