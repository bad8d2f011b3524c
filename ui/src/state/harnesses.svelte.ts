/** The harnesses there are, and the one that is worked with: Inspect shows it, Run runs it. */
import type { HarnessChoice, HarnessInfo, VariantDto } from "../generated/api";
import { host } from "../host";
import { defaults, harnessOf, readChoice, settled, variantOf } from "./choice";
import { project, recall, remember } from "./remembered";

const KEPT = "harness";

export class Harnesses {
    list = $state.raw<readonly HarnessInfo[]>([]);
    /** `null` until the list is there. */
    choice = $state.raw<HarnessChoice | null>(null);
    readonly chosen: HarnessInfo | null = $derived(harnessOf(this.list, this.choice));
    readonly variant: VariantDto | null = $derived(variantOf(this.list, this.choice));

    #project: string | null = null;

    /** Keeps the choice where it still exists; another project brings its own. Rejects with an `ApiError`. */
    async load(): Promise<void> {
        this.list = await host.call("harness_list", {});
        const now = project();
        const kept = now === this.#project ? null : readChoice(recall(KEPT));
        this.#project = now;
        this.choice = settled(this.list, kept) ?? settled(this.list, this.choice) ?? defaults(this.list)[0] ?? null;
    }

    choose(choice: HarnessChoice): void {
        this.choice = settled(this.list, choice);
        remember(KEPT, this.choice);
    }
}

export const harnesses = new Harnesses();

/** Framework and variant by name, where they are known; a run may come from elsewhere. */
export function setupName(setup: { harness: string; variant: string }): string {
    const harness = harnessOf(harnesses.list, setup);
    const variant = harness?.variants.find((known) => known.id === setup.variant);
    return `${harness?.title ?? setup.harness} · ${variant?.title ?? setup.variant}`;
}
