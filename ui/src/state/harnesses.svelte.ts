/** The harnesses there are, and the one that is worked with: Inspect shows it, Run runs it. */
import type { HarnessChoice, HarnessInfo, ProjectChoice, VariantDto } from "../generated/api";
import { host } from "../host";
import { worded } from "../i18n";
import { defaults, harnessOf, readChoice, settled, variantOf } from "./choice";
import { project, recall, remember } from "./remembered";

const KEPT = "harness";

export class Harnesses {
    list = $state.raw<readonly HarnessInfo[]>([]);
    /** `null` until the list is there. */
    choice = $state.raw<HarnessChoice | null>(null);
    readonly chosen: HarnessInfo | null = $derived(harnessOf(this.list, this.choice));
    readonly variant: VariantDto | null = $derived(variantOf(this.list, this.choice));

    /** What the project file says to begin with; `null` if it cannot be read. */
    project = $state.raw<ProjectChoice | null>(null);

    #project: string | null = null;

    /** Keeps the choice if it still exists; another project brings its own. Rejects with an `ApiError`. */
    async load(): Promise<void> {
        const [list, begin] = await Promise.all([
            host.call("harness_list", {}),
            // Inspect reports problems of the file.
            host.call("project_choice", {}).catch(() => null),
        ]);
        this.list = list;
        this.project = begin;
        const now = project();
        const another = now !== this.#project;
        const kept = another ? (readChoice(recall(KEPT)) ?? begin?.harness ?? null) : null;
        this.#project = now;
        this.choice = settled(this.list, kept) ?? settled(this.list, this.choice) ?? defaults(this.list)[0] ?? null;
    }

    choose(choice: HarnessChoice): void {
        this.choice = settled(this.list, choice);
        remember(KEPT, this.choice);
    }
}

export const harnesses = new Harnesses();

/** Framework and variant by name, if they are known; a run may come from elsewhere. */
export function setupName(setup: { harness: string; variant: string }): string {
    const harness = harnessOf(harnesses.list, setup);
    const variant = harness?.variants.find((known) => known.id === setup.variant);
    const name = harness?.title ?? setup.harness;
    const shown = variant === undefined ? setup.variant : worded(variant.title);
    return shown === "" ? name : `${name} · ${shown}`;
}
