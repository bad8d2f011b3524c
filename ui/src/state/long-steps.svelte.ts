/** The steps of a long run: the outline of all of them, and pages of visible ones. */
import { SvelteMap } from "svelte/reactivity";
import type { RunId, Step } from "../generated/api";
import { host, toApiError } from "../host";
import { outlineOf, type Outline, type OutlinedSteps, type Steps } from "../trace/steps";
import { toasts } from "./toasts.svelte";

/** Steps of a page, and the most pages in memory: enough for going back and forth between two places. */
const PAGE = 100;
const PAGES = 6;
/** Steps from the end of a page at which the next one is fetched, so that it is there in time. */
const AHEAD = 30;

/** The pages of one run. They stay as its outline grows. */
export class StepPages {
    readonly #run: RunId;
    readonly #pages = new SvelteMap<number, readonly Step[]>();
    /** When each page was last used: the least recently used goes first. */
    readonly #used = new Map<number, number>();
    readonly #fetching = new Set<number>();
    #uses = 0;

    /** `first`: the steps that the run begins with, as far as they are here. */
    constructor(run: RunId, first: readonly Step[] = []) {
        this.#run = run;
        for (let page = 0; (page + 1) * PAGE <= first.length; page += 1) {
            this.#pages.set(page, first.slice(page * PAGE, (page + 1) * PAGE));
        }
    }

    at(place: number, length: number): Step | undefined {
        const page = Math.floor(place / PAGE);
        const found = this.#want(page);
        const within = place % PAGE;
        if (within >= PAGE - AHEAD && (page + 1) * PAGE < length) {
            this.#want(page + 1);
        } else if (within < AHEAD && page > 0) {
            this.#want(page - 1);
        }
        return found?.[within];
    }

    /** As `at`, but waits for the page. */
    async wait(place: number): Promise<Step | undefined> {
        const page = Math.floor(place / PAGE);
        const known = this.#pages.get(page) ?? (await this.#read(page));
        return known[place % PAGE];
    }

    #want(page: number): readonly Step[] | undefined {
        const found = this.#pages.get(page);
        this.#uses += 1;
        this.#used.set(page, this.#uses);
        if (found === undefined && !this.#fetching.has(page)) {
            this.#fetching.add(page);
            queueMicrotask(() => void this.#fetch(page));
        }
        return found;
    }

    async #fetch(page: number): Promise<void> {
        try {
            this.#pages.set(page, await this.#read(page));
            this.#letGo();
        } catch (thrown) {
            toasts.error(toApiError(thrown));
        } finally {
            this.#fetching.delete(page);
        }
    }

    /** An answer ends where its texts become long. */
    async #read(page: number): Promise<readonly Step[]> {
        const steps: Step[] = [];
        while (steps.length < PAGE) {
            const from = page * PAGE + steps.length;
            const answer = await host.call("run_page", { run: this.#run, from, most: PAGE - steps.length });
            steps.push(...answer.steps);
            if (answer.steps.length === 0) {
                break;
            }
        }
        return steps;
    }

    #letGo(): void {
        const old = [...this.#pages.keys()].sort((a, b) => (this.#used.get(a) ?? 0) - (this.#used.get(b) ?? 0));
        for (const page of old.slice(0, Math.max(0, this.#pages.size - PAGES))) {
            this.#pages.delete(page);
            this.#used.delete(page);
        }
    }
}

export class LongSteps implements OutlinedSteps {
    readonly outline: Outline;
    readonly pages: StepPages;

    constructor(outline: Outline, pages: StepPages) {
        this.outline = outline;
        this.pages = pages;
    }

    get length(): number {
        return this.outline.length;
    }

    at(place: number): Step | undefined {
        const at = place < 0 ? this.length + place : place;
        return at >= 0 && at < this.length ? this.pages.at(at, this.length) : undefined;
    }
}

/** The step at a place; waits until it is loaded. */
export async function stepAt(steps: Steps, place: number): Promise<Step | undefined> {
    return steps instanceof LongSteps ? steps.pages.wait(place) : steps.at(place);
}

/** The place of the call of this id: calls come after the answer that asks for them, which is at `from`. */
export async function placeOfCallId(steps: Steps, id: string, from: number): Promise<number | null> {
    const { length } = outlineOf(steps);
    for (let place = from; place < length; place += 1) {
        const step = await stepAt(steps, place);
        if (step?.kind.type === "tool" && step.kind.call.id === id) {
            return place;
        }
    }
    return null;
}
