/** What one harness would send for the open folders, and the choices that lead to it. */
import type { ApiError, HarnessInfo, Inspection, VariantDto } from "../generated/api";
import { host, toApiError } from "../host";

export class Inspect {
    harnesses = $state.raw<HarnessInfo[]>([]);
    harness = $state("");
    /** `null`: the harness's default. */
    variant = $state<string | null>(null);
    prompt = $state("");
    result = $state.raw<Inspection | null>(null);
    error = $state.raw<ApiError | null>(null);
    busy = $state(false);

    readonly chosen: HarnessInfo | null = $derived(this.harnesses.find((known) => known.id === this.harness) ?? null);
    readonly chosenVariant: VariantDto | null = $derived(
        this.chosen?.variants.find((known) => known.id === this.variant) ?? this.chosen?.variants[0] ?? null,
    );

    #asked = 0;

    async load(): Promise<void> {
        try {
            this.harnesses = await host.call("harness_list", {});
            if (this.chosen === null) {
                this.harness = this.harnesses[0]?.id ?? "";
                this.variant = null;
            }
        } catch (thrown) {
            this.error = toApiError(thrown);
            return;
        }
        await this.refresh();
    }

    choose(harness: string, variant: string | null): Promise<void> {
        this.harness = harness;
        this.variant = variant;
        return this.refresh();
    }

    /** The last one asked for wins. */
    async refresh(): Promise<void> {
        if (this.harness === "") {
            return;
        }
        const asked = ++this.#asked;
        this.busy = true;
        const prompt = this.prompt === "" ? null : this.prompt;
        try {
            const result = await host.call("inspect", { roots: null, harness: this.harness, variant: this.variant, prompt, cwd: null });
            if (asked === this.#asked) {
                this.result = result;
                this.error = null;
            }
        } catch (thrown) {
            if (asked === this.#asked) {
                this.result = null;
                this.error = toApiError(thrown);
            }
        } finally {
            if (asked === this.#asked) {
                this.busy = false;
            }
        }
    }
}

export const inspect = new Inspect();
