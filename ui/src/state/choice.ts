/** A harness and one of its variants, as they are chosen and kept. */
import type { HarnessChoice, HarnessGroup, HarnessInfo, VariantDto } from "../generated/api";
import { t } from "../i18n";

/** A key that is equal for choices with the same meaning. */
export function keyOf(choice: HarnessChoice): string {
    return `${choice.harness}/${choice.variant ?? ""}`;
}

export function harnessOf(list: readonly HarnessInfo[], choice: HarnessChoice | null): HarnessInfo | null {
    return list.find((known) => known.id === choice?.harness) ?? null;
}

/** The first variant is the default. */
export function variantOf(list: readonly HarnessInfo[], choice: HarnessChoice | null): VariantDto | null {
    const harness = harnessOf(list, choice);
    return harness?.variants.find((known) => known.id === choice?.variant) ?? harness?.variants[0] ?? null;
}

/** With the variant named, so that equal choices have equal keys; `null` if there is no such harness. */
export function settled(list: readonly HarnessInfo[], choice: HarnessChoice | null): HarnessChoice | null {
    const harness = harnessOf(list, choice);
    return harness === null ? null : { harness: harness.id, variant: variantOf(list, choice)?.id ?? null };
}

/** The groups there are, each with its harnesses. */
export function grouped(list: readonly HarnessInfo[]): { group: HarnessGroup; of: HarnessInfo[] }[] {
    const groups: readonly HarnessGroup[] = ["framework", "client"];
    return groups.map((group) => ({ group, of: list.filter((known) => known.group === group) })).filter(({ of }) => of.length > 0);
}

export function groupName(group: HarnessGroup): string {
    switch (group) {
        case "framework":
            return t("harness.frameworks");
        case "client":
            return t("harness.clients");
    }
}

/** Each harness once, with its default variant; of one group, or of all. */
export function defaults(list: readonly HarnessInfo[], group: HarnessGroup | null = null): HarnessChoice[] {
    const wanted = group === null ? list : list.filter((harness) => harness.group === group);
    return wanted.map((harness) => ({ harness: harness.id, variant: harness.variants[0]?.id ?? null }));
}

/** The next (1) or last (-1) harness, around the end, with its default variant. */
export function besideHarness(list: readonly HarnessInfo[], choice: HarnessChoice, by: 1 | -1): HarnessChoice {
    const next = beside(list, harnessOf(list, choice), by);
    return next === null ? choice : { harness: next.id, variant: next.variants[0]?.id ?? null };
}

/** The next (1) or last (-1) variant of the same harness, around the end. */
export function besideVariant(list: readonly HarnessInfo[], choice: HarnessChoice, by: 1 | -1): HarnessChoice {
    const next = beside(harnessOf(list, choice)?.variants ?? [], variantOf(list, choice), by);
    return next === null ? choice : { ...choice, variant: next.id };
}

/** The choice saved by an earlier start, if it is still valid. */
export function readChoice(kept: unknown): HarnessChoice | null {
    if (typeof kept !== "object" || kept === null || !("harness" in kept) || typeof kept.harness !== "string") {
        return null;
    }
    return { harness: kept.harness, variant: "variant" in kept && typeof kept.variant === "string" ? kept.variant : null };
}

function beside<T>(list: readonly T[], from: T | null, by: 1 | -1): T | null {
    const at = from === null ? -1 : list.indexOf(from);
    return list[(Math.max(at, 0) + by + list.length) % list.length] ?? null;
}
