/** The run in the page: its steps, and the context at each, of which what repeats is written once. */
import type { ContextAtStep, ContextMessage, ContextTool, ReplayedRun, Review, RunDetail } from "../generated/api";
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
        const { contexts, messages, tools } = this.#run;
        const found = contexts[step];
        if (found === undefined) {
            return null;
        }
        const message = ([at, added]: [number, boolean]): ContextMessage[] => {
            const held = messages[at];
            return held === undefined ? [] : [{ ...held, added }];
        };
        const tool = ([at, added]: [number, boolean]): ContextTool[] => {
            const held = tools[at];
            return held === undefined ? [] : [{ ...held, added }];
        };
        return {
            step,
            body: found.body === null ? null : this.#body(found.body),
            exact: found.exact,
            tools: found.tools.flatMap(tool),
            groups: found.groups,
            skills: found.skills,
            messages: found.messages.flatMap(message),
            tokens: found.tokens,
        };
    }

    /** A body repeats the beginning and the end of the one before it. */
    #body(at: number): string {
        let body = "";
        for (const { head, text, tail } of this.#run.bodies.slice(0, at + 1)) {
            body = body.slice(0, head) + text + body.slice(body.length - tail);
        }
        return body;
    }
}

/** The one place that takes the page's word for what is in it. */
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
