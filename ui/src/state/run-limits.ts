/** What a run may use, as the form holds it: texts as they are typed, and what they mean. Empty: as the project says. */

export const LIMITS = ["turns", "seconds", "tokens", "cost"] as const;

export type Limit = (typeof LIMITS)[number];
export type LimitDraft = Readonly<Record<Limit, string>>;
/** `null`: the project's, or none. */
export type Limits = Readonly<Record<Limit, number | null>>;
/** Why a limit is wrong; the texts are under `run.wrong.`. */
export type LimitWrong = "whole" | "amount" | "unpriced";

export const UNLIMITED: LimitDraft = { turns: "", seconds: "", tokens: "", cost: "" };

/** `asked`: a model that is asked, so that tokens and money can be used at all. `priced`: what it costs is known. */
export function limitsOf(
    draft: LimitDraft,
    asked: boolean,
    priced: boolean,
): { limits: Limits; wrong: Partial<Record<Limit, LimitWrong>> } {
    const wrong: Partial<Record<Limit, LimitWrong>> = {};
    const read = (limit: Limit, pattern: RegExp, mistake: LimitWrong): number | null => {
        const text = draft[limit].trim();
        if (text === "") {
            return null;
        }
        const value = pattern.test(text) ? Number(text) : 0;
        if (value > 0) {
            return value;
        }
        wrong[limit] = mistake;
        return null;
    };
    const whole = (limit: Limit): number | null => read(limit, /^\d{1,9}$/, "whole");
    const limits: Limits = {
        turns: whole("turns"),
        seconds: whole("seconds"),
        tokens: asked ? whole("tokens") : null,
        cost: asked ? read("cost", /^\d{0,9}(\.\d{0,9})?$/, "amount") : null,
    };
    if (limits.cost !== null && !priced) {
        wrong.cost = "unpriced";
    }
    return { limits, wrong };
}

/** The limits that apply: the user's own, or the project's if there are none. */
export function heldLimits(own: Limits, project: Limits | null, asked: boolean): Limits {
    const held = (limit: Limit): number | null => own[limit] ?? project?.[limit] ?? null;
    return { turns: held("turns"), seconds: held("seconds"), tokens: asked ? held("tokens") : null, cost: asked ? held("cost") : null };
}
