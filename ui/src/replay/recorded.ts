/** The run in the page: its steps, and the context at each, of which what repeats is written once. */
import type { ContextAtStep, ReplayBody, ReplayedRun, Review, RunDetail } from "../generated/api";
import type { Host } from "../host";
import type { Locale } from "../i18n";

export class Recorded {
    readonly detail: RunDetail;
    readonly review: Review;
    readonly locale: Locale;
    readonly #run: ReplayedRun;

    constructor(written: string) {
        this.#run = read(written);
        this.detail = this.#run.detail;
        this.review = this.#run.review;
        this.locale = this.#run.chinese ? "zh-CN" : "en";
    }

    context(step: number): ContextAtStep | null {
        const { contexts, messages, tools, toolLists, groups, skills } = this.#run;
        const found = contexts[step];
        if (found === undefined) {
            return null;
        }
        const isAdded = (at: number) => found.added.some(([from, until]) => from <= at && at < until);
        return {
            step,
            body: found.body === null ? null : this.#body(found.body),
            exact: found.exact,
            tools: (toolLists[found.tools] ?? []).flatMap(({ tool, added }) => held(tools, tool).map((each) => ({ ...each, added }))),
            groups: groups[found.groups] ?? [],
            skills: skills[found.skills] ?? [],
            messages: this.#places(step).flatMap((place, at) => held(messages, place).map((each) => ({ ...each, added: isAdded(at) }))),
            tokens: found.tokens,
        };
    }

    /** A context has the messages at the head of the one before it, back to one that has none of them. */
    #places(step: number): number[] {
        const { contexts } = this.#run;
        let from = step;
        while (from > 0 && (contexts[from]?.same ?? 0) > 0) {
            from -= 1;
        }
        return contexts.slice(from, step + 1).reduce<number[]>((places, { same, further }) => [...places.slice(0, same), ...further], []);
    }

    /** A body repeats the beginning and the end of the one before it, back to one that does not. */
    #body(at: number): string {
        const { bodies } = this.#run;
        let from = at;
        while (from > 0 && isPart(bodies[from])) {
            from -= 1;
        }
        return bodies
            .slice(from, at + 1)
            .reduce((body, { head, text, tail }) => body.slice(0, head) + text + body.slice(body.length - tail), "");
    }
}

function isPart(body: ReplayBody | undefined): boolean {
    return body !== undefined && (body.head > 0 || body.tail > 0);
}

function held<T>(all: readonly T[], at: number): T[] {
    const found = all[at];
    return found === undefined ? [] : [found];
}

/** The only place that trusts the data in the page to have the right type. */
function read(written: string): ReplayedRun {
    // eslint-disable-next-line @typescript-eslint/no-unsafe-assignment -- the api wrote it by the same type
    const run: ReplayedRun = JSON.parse(written);
    return run;
}

/** Answers what the parts that show a run ask, out of the page. */
export function replayHost(recorded: Recorded): Host {
    const nothing = () => Promise.resolve(null);
    const never = () => Promise.resolve(() => undefined);
    const missing = { code: "notFound", message: "not in this replay", hint: null, path: null, why: null };
    return {
        call(name, args) {
            if (name === "step_context" && "step" in args) {
                const context = recorded.context(args.step);
                // eslint-disable-next-line @typescript-eslint/no-explicit-any -- this command's result
                return context === null ? Promise.reject(failure(missing)) : Promise.resolve<any>(context);
            }
            if (name === "run_review") {
                // eslint-disable-next-line @typescript-eslint/no-explicit-any -- this command's result
                return Promise.resolve<any>(recorded.review);
            }
            return Promise.reject(failure(missing));
        },
        listen: never,
        pickFolder: nothing,
        pickFile: nothing,
        pickSave: nothing,
        onDrag: never,
        copy: async (text) => navigator.clipboard.writeText(await text),
        onClose: never,
        setZoom: async () => undefined,
        setTitle: async () => undefined,
    };
}

function failure(error: { code: string; message: string }): Error {
    return Object.assign(new Error(error.message), error);
}
