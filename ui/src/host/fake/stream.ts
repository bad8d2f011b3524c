/**
 * A run whose answer comes in token by token, so that the window's handling of many tokens can be measured. The text that was sent is in
 * the document's `data-streamed`.
 */
import type { FakeHost } from ".";
import type { RunStatus, RunSummary, Step, StepChange } from "../../generated/api";
import { BUNDLED_RUN } from "./runs";

const RUN = "0193a1b2-0000-7000-8000-00000000eeee";
/** Milliseconds between looks at which tokens are due. */
const PACE = 8;
/** Words of a paragraph. */
const PARAGRAPH = 60;

export function installStream(fake: FakeHost, perSecond: number, seconds: number): void {
    let [text, events] = ["", 0];
    let status: RunStatus = "running";
    const begun = Date.now();
    const summary = (): RunSummary => ({
        ...BUNDLED_RUN.summary,
        id: RUN,
        bundled: false,
        status,
        steps: 2,
        startedAt: begun,
        endedAt: null,
    });
    const prompt = BUNDLED_RUN.steps.find(({ kind }) => kind.type === "prompt");
    const like = BUNDLED_RUN.steps.find(({ kind }) => kind.type === "answer");
    const answer = (): Step[] => {
        if (like?.kind.type !== "answer") return [];
        const state = status === "running" ? "running" : "done";
        return [{ ...like, index: 1, state, took: null, kind: { ...like.kind, text, calls: [], finish: null } }];
    };
    const push = (steps: Step[], changes: StepChange[]) => {
        events += 1;
        fake.push({ type: "runUpdate", run: RUN, event: events, status, spent: BUNDLED_RUN.summary.spent, steps, changes });
    };
    fake.on("run_start", () => {
        const start = performance.now();
        let sent = 0;
        const timer = setInterval(() => {
            const due = Math.min(perSecond * seconds, Math.floor(((performance.now() - start) / 1000) * perSecond));
            for (; sent < due; sent += 1) {
                const token = `w${sent}${sent % PARAGRAPH === PARAGRAPH - 1 ? ".\n\n" : " "}`;
                text += token;
                push([], [{ type: "streamed", index: 1, text: token, reasoning: "", firstToken: 1 }]);
            }
            if (sent === perSecond * seconds) {
                clearInterval(timer);
                status = "done";
                push(answer(), []);
                document.documentElement.dataset["streamed"] = text;
            }
        }, PACE);
        return RUN;
    });
    fake.on("run_page", ({ from }) => {
        const steps = [...(prompt === undefined ? [] : [prompt]), ...answer()];
        return { summary: summary(), all: steps.length, events, steps: steps.slice(from) };
    });
}
