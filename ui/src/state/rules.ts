/** Which rules are listed. */
import type { RuleDto } from "../generated/api";
import { weight } from "./lint.svelte";

export const RULE_FILTERS = ["all", "on", "off", "set", "fix"] as const;
export type RuleFilter = (typeof RULE_FILTERS)[number];

/** Those that pass the filter and have all the words, in either language, also with full-width letters. */
export function fitting(rules: readonly RuleDto[], search: string, filter: RuleFilter): RuleDto[] {
    const words = folded(search)
        .split(/\s+/)
        .filter((word) => word !== "");
    return rules.filter((rule) => {
        const text = folded(`${rule.id} ${rule.title} ${rule.titleZh} ${rule.what} ${rule.whatZh} ${rule.group}`);
        return passes(rule, filter) && words.every((word) => text.includes(word));
    });
}

function passes(rule: RuleDto, filter: RuleFilter): boolean {
    switch (filter) {
        case "all":
            return true;
        case "on":
            return weight(rule) !== "off";
        case "off":
            return weight(rule) === "off";
        case "set":
            return rule.setting !== null;
        case "fix":
            return rule.fix !== null;
    }
}

function folded(text: string): string {
    return text.normalize("NFKC").toLowerCase();
}
