import type { QuirkKind } from "../generated/api";
import { t } from "./locale.svelte";

/** A quirk in the language that is on. */
export function quirkText(kind: QuirkKind): string {
    return t(`quirk.${kind}`);
}
