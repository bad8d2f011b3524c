/** Runs that go on, written by hand because page tests time them: a recorded step every now and then, and a wait for the user where a call asks. */
import type { Decision, Push, RunDetail, RunStatus, Step, Trial } from "../../generated/api";

/** Milliseconds between the steps of a live run. */
const PACE = 260;

/** How many questions were asked: no two runs have one in common. */
let asked = 0;

export class LiveRun {
    readonly detail: RunDetail;
    /** So many updates were pushed. */
    events = 0;
    #rest: Step[];
    #push: (push: Push) => void;
    /** The user allowed everything this run asks. */
    #allowed = false;

    constructor(detail: RunDetail, steps: readonly Step[], push: (push: Push) => void) {
        this.detail = detail;
        this.#rest = [...steps];
        this.#push = push;
        this.#next();
    }

    decide(question: number, decision: Decision): void {
        const [step, ...rest] = this.#rest;
        this.#check(question);
        if (step?.kind.type === "tool") {
            this.#allowed ||= decision.type === "allow" && decision.forRun;
            this.#rest = rest;
            this.#show(decided(step, decision));
            this.#later();
        }
    }

    /** A script gets the text of the arguments; everything else has the same effect as before. */
    tryOut(question: number, args: string): Trial {
        const { kind } = this.#check(question);
        const asked = kind.type === "tool" ? kind.asked : null;
        return asked === null
            ? { type: "replies", text: "done", isError: false }
            : {
                  type: "does",
                  effect: asked.type === "runScript" ? { ...asked, arguments: [args] } : asked,
                  leadsTo: null,
                  enforcement: kind.type === "tool" ? kind.enforcement : null,
              };
    }

    /** The step that waits with this question. */
    #check(question: number): Step {
        const shown = this.detail.steps.find((known) => known.index === this.#rest[0]?.index);
        if (shown?.question !== question) {
            const message = `question ${question} is not open: it was answered already, or never asked`;
            throw { code: "notFound", message, hint: "answer the question that is shown now", path: null, why: null };
        }
        return shown;
    }

    end(status: "done" | "stopped"): void {
        const { summary } = this.detail;
        if (summary.status === "running") {
            this.detail.summary = { ...summary, status, endedAt: Date.now(), steps: this.detail.steps.length };
            this.#tell(status, []);
        }
    }

    #next(): void {
        const step = this.#rest[0];
        if (step === undefined || this.detail.summary.status !== "running") {
            this.end("done");
        } else if (step.kind.type === "tool" && step.kind.asked !== null && !this.#allowed) {
            this.#show({
                ...step,
                state: "waiting",
                question: ++asked,
                took: null,
                kind: { ...step.kind, disclosed: { type: "none" }, decision: null, output: null, reply: null, files: [] },
            });
        } else {
            this.#rest = this.#rest.slice(1);
            this.#show(step);
            this.#later();
        }
    }

    #later(): void {
        setTimeout(() => this.#next(), PACE);
    }

    #show(step: Step): void {
        this.detail.steps = [...this.detail.steps.filter((shown) => shown.index !== step.index), step];
        this.#tell("running", [step]);
    }

    #tell(status: RunStatus, steps: Step[]): void {
        const { id, spent } = this.detail.summary;
        this.events += 1;
        this.#push({ type: "runUpdate", run: id, event: this.events, status, spent, steps, changes: [] });
    }
}

function decided(step: Step, decision: Decision): Step {
    if (step.kind.type !== "tool" || decision.type === "allow") {
        return step.kind.type === "tool" ? { ...step, kind: { ...step.kind, decision } } : step;
    }
    const reply =
        decision.type === "stub"
            ? decision.text
            : `Error: the user denied this call${decision.reason === null ? "" : `: ${decision.reason}`}`;
    const kind = { ...step.kind, disclosed: { type: "none" as const }, decision, output: null, files: [], reply };
    return { ...step, state: decision.type === "deny" ? "failed" : "done", kind };
}
