/** What answers cost, in one line. */
import type { Spent } from "../generated/api";
import { formatNumber, t } from "../i18n";
import { dollars } from "./format";

export function spentText(spent: Spent): string {
    const tokens = t("trace.spentTokens", { input: formatNumber(spent.input), output: formatNumber(spent.output) });
    const text = spent.cost === null ? tokens : t("trace.spentCost", { tokens, cost: dollars(spent.cost) });
    return about(spent, text);
}

/** What one answer cost; `null`: unknown. */
export function costText(spent: Spent | null): string | null {
    if (spent === null || spent.cost === null) {
        return null;
    }
    return about(spent, dollars(spent.cost));
}

function about(spent: Spent, text: string): string {
    return spent.estimated ? t("trace.spentAbout", { spent: text }) : text;
}
