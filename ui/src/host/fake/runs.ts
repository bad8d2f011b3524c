/** Runs of one scene under each harness, and the contexts at their steps, as the real workbench has them: `cargo xtask generate`. */
import type {
    AlignedRow,
    ApiError,
    ContextAtStep,
    EagerLoad,
    Found,
    RunCheck,
    RunDetail,
    RunDiff,
    RunRequest,
    Step,
} from "../../generated/api";
import { isRecorded } from "../../trace/recorded";
import { unrecorded } from "./failure";

/** As `tests/it/page_answers/runs.rs` writes it. */
interface Played {
    run: RunDetail;
    /** At each step; only of frameworks. */
    contexts: ContextAtStep[];
    /** The steps that follow when the user says more. */
    further: Step[];
    furtherContexts: ContextAtStep[];
}

interface Together {
    /** The frameworks whose runs `rows` has side by side. */
    harnesses: string[];
    rows: AlignedRow[];
    chinese: RunDetail;
    delegated: RunDetail;
    delegatedContexts: ContextAtStep[];
    /** By the names of the two. */
    diffs: Record<string, RunDiff>;
    /** Among the runs that the fake begins with, by the query. */
    searches: Record<string, { found: Found } | { error: ApiError }>;
    /** By the name of the run, as the checks are. */
    eager: Record<string, EagerLoad>;
    /** The results if the file that it reads has changed. */
    checks: Record<string, { found: RunCheck } | { error: ApiError }>;
    /** Next to the run in which it was played again. */
    played: RunCheck;
}

const PROMPT = "How many pounds is 1 kilogram?";
const FURTHER = "And a stone?";
const DELEGATED = "run-delegated";
const CHINESE = "run-2";
const TEXTS = import.meta.glob<string>("./answers/runs/*.json", { query: "?raw", import: "default", eager: true });
const read = new Map<string, Played>();

function played(harness: string): Played {
    const known = read.get(harness);
    if (known !== undefined) {
        return known;
    }
    const text = TEXTS[`./answers/runs/${harness}.json`];
    if (text === undefined) {
        throw unrecorded(`no run of ${harness} is recorded`);
    }
    // eslint-disable-next-line @typescript-eslint/no-unsafe-assignment -- the api wrote it by the same type
    const parsed: Played = JSON.parse(text);
    read.set(harness, parsed);
    return parsed;
}

function together(): Together {
    // eslint-disable-next-line @typescript-eslint/no-unsafe-assignment -- the api wrote it by the same type
    const parsed: Together = JSON.parse(TEXTS["./answers/runs/together.json"] ?? "{}");
    return parsed;
}

const TOGETHER = together();

/** The steps of the scene, in order, for another prompt. */
export function sampleSteps(prompt: string, harness = "agent-framework"): Step[] {
    return played(harness).run.steps.map((step) => saying(step, PROMPT, prompt));
}

/** What the user says further, and the answer to it, behind the steps that are kept. */
export function furtherSteps(prompt: string, known: readonly Step[], harness: string): Step[] {
    const { further } = played(harness);
    const [first] = further;
    const turn = known.reduce((most, step) => Math.max(most, (step.turn ?? -1) + 1), 0);
    const firstTurn = further.reduce((least, step) => Math.min(least, step.turn ?? least), Infinity);
    return further.map((step) => ({
        ...saying(step, FURTHER, prompt),
        index: step.index - (first?.index ?? 0) + known.length,
        event: step.event - (first?.event ?? 0) + (known.at(-1)?.event ?? 0) + 3,
        at: Date.now() + step.at - (first?.at ?? 0),
        turn: step.turn === null ? null : step.turn - firstTurn + turn,
    }));
}

/** Of the scene, with another name, prompt and time. */
export function recorded(
    id: string,
    prompt: string,
    startedAt: number,
    harness = "agent-framework",
    variant: string | null = null,
): RunDetail {
    const { summary } = played(harness).run;
    const steps = sampleSteps(prompt, harness);
    const took = (summary.endedAt ?? summary.startedAt) - summary.startedAt;
    const setup = { ...summary.setup, prompt, variant: variant ?? summary.setup.variant };
    return { summary: { ...summary, id, setup, startedAt, endedAt: startedAt + took }, steps };
}

export function setup(request: Pick<RunRequest, "prompt" | "harness" | "variant" | "model">): RunDetail["summary"]["setup"] {
    const { setup: like } = played(request.harness).run.summary;
    return {
        ...like,
        ...request,
        variant: request.variant ?? like.variant,
        rehearsal: request.model === "rehearsal" || isRecorded(request.model),
    };
}

/** Of the runs of the scene side by side, as far as they have come. */
export function alignedRows(runs: readonly RunDetail[]): AlignedRow[] {
    const columns = runs.map((run) => TOGETHER.harnesses.indexOf(run.summary.setup.harness));
    const rows = TOGETHER.rows.map((row) => ({
        steps: columns.map((column, at) => {
            const step = row.steps[column] ?? null;
            return step !== null && step < (runs[at]?.steps.length ?? 0) ? step : null;
        }),
    }));
    return rows.filter(({ steps }) => steps.some((step) => step !== null));
}

/** Of the runs that the fake begins with; `null` for others. */
function nameOf(run: string): string | null {
    const names: Record<string, string> = { [BUNDLED_RUN.summary.id]: "plain", [CHINESE]: "chinese", [DELEGATED]: "delegated" };
    return names[run] ?? null;
}

/** Of the runs that the fake begins with. */
export function runDiff(a: string, b: string): RunDiff {
    const found = TOGETHER.diffs[`${nameOf(a) ?? a} ${nameOf(b) ?? b}`];
    if (found === undefined) {
        throw unrecorded(`no comparison of ${a} and ${b} is recorded`);
    }
    return structuredClone(found);
}

/** Runs that a test starts have the skills of the plain one, and so have their checks. */
export function eagerOf(run: string): EagerLoad {
    const found = TOGETHER.eager[nameOf(run) ?? "plain"];
    if (found === undefined) {
        throw unrecorded(`nothing is counted of ${run}`);
    }
    return found;
}

/** Over skills of which one file says something else; with `played`, next to a run in which everything was the same. */
export function checkOf(run: string, played: string | null): RunCheck {
    if (played !== null) {
        return { ...TOGETHER.played, run, played };
    }
    const checked = TOGETHER.checks[nameOf(run) ?? "plain"];
    if (checked === undefined) {
        throw unrecorded(`no check of ${run} is recorded`);
    }
    if ("error" in checked) {
        throw checked.error;
    }
    return { ...checked.found, run };
}

/** Among the runs that the fake begins with, as far as they are there. */
export function searchIn(runs: ReadonlyMap<string, RunDetail>, query: string): Found {
    const searched = TOGETHER.searches[query];
    if (searched === undefined) {
        throw unrecorded(
            `no search for ${query} is recorded`,
            "Add it to QUERIES in tests/it/page_answers/runs.rs, and run `cargo xtask generate`.",
        );
    }
    if ("error" in searched) {
        throw searched.error;
    }
    const names = new Map([
        [TOGETHER.chinese.summary.id, CHINESE],
        [TOGETHER.delegated.summary.id, DELEGATED],
    ]);
    const found = searched.found.runs.map((one) => ({ ...one, run: names.get(one.run) ?? one.run }));
    return { ...searched.found, runs: found.filter(({ run }) => runs.has(run)) };
}

export function contextAt(detail: RunDetail, at: number): ContextAtStep {
    const { summary, steps } = detail;
    if (summary.id === DELEGATED) {
        return contextOf(TOGETHER.delegatedContexts, at, at);
    }
    const { contexts, further, furtherContexts } = played(summary.setup.harness);
    const prompts = steps.flatMap(({ kind }, index) => (kind.type === "prompt" ? [{ index, text: kind.text }] : []));
    const [first, last] = [prompts[0], prompts.at(-1)];
    const found =
        prompts.length < 2 || last === undefined || at < last.index
            ? contextOf(contexts, Math.min(at, contexts.length - 1), at)
            : contextOf(furtherContexts, Math.min(at - last.index, further.length - 1), at);
    const said = (text: string): string => {
        const begun = text.replaceAll(PROMPT, first?.text ?? PROMPT);
        return prompts.length < 2 ? begun : begun.replaceAll(FURTHER, last?.text ?? FURTHER);
    };
    const messages = found.messages.map((message) => {
        const text = said(message.text);
        const whole = (end: number): number => (end === message.text.length ? text.length : end);
        const marks = message.marks.map(({ span, origin }) => ({ origin, span: { start: span.start, end: whole(span.end) } }));
        return text === message.text ? message : { ...message, text, marks };
    });
    return { ...found, body: found.body === null ? null : said(found.body), messages };
}

function contextOf(contexts: readonly ContextAtStep[], at: number, step: number): ContextAtStep {
    const found = contexts[at];
    if (found === undefined) {
        throw unrecorded(`no context is recorded of step ${String(step + 1)}`);
    }
    return { ...structuredClone(found), step };
}

function saying(step: Step, before: string, prompt: string): Step {
    return step.kind.type === "prompt" && step.kind.text === before ? { ...step, kind: { ...step.kind, text: prompt } } : step;
}

const { run: plain } = played("agent-framework");
export const BUNDLED_RUN: RunDetail = { ...plain, summary: { ...plain.summary, bundled: true } };
export const CHINESE_RUN: RunDetail = { ...TOGETHER.chinese, summary: { ...TOGETHER.chinese.summary, id: CHINESE } };
export const DELEGATED_RUN: RunDetail = { ...TOGETHER.delegated, summary: { ...TOGETHER.delegated.summary, id: DELEGATED } };
