/** Findings and rules in the language that is on. What rules say of a case is English. */
import type { FindingDto, RuleDto, Setting } from "../../generated/api";
import { inLocale, problemText, t } from "../../i18n";
import { lint } from "../../state/lint.svelte";

export interface Words {
    lead: string;
    /** The English of the case, where `lead` is another language's words for the rule. */
    detail: string;
}

export function findingWords(finding: FindingDto): Words {
    const message = caseWords(finding);
    const alone = { lead: message, detail: "" };
    return finding.problem !== null ? alone : inLocale(alone, { lead: titleOf(finding.rule), detail: message });
}

/** What is found in this one place. Rules say it in the middle of a line of a report; here it stands alone. */
export function caseWords({ problem, message }: FindingDto): string {
    return problem !== null ? problemText(problem) : message.charAt(0).toUpperCase() + message.slice(1);
}

/** Of a rule; its id until the rules are read. */
export function titleOf(id: string): string {
    const rule = lint.rule(id);
    return rule === null ? id : ruleTitle(rule);
}

export function ruleTitle(rule: RuleDto): string {
    return inLocale(rule.title, rule.titleZh);
}

export function settingName(setting: Setting): string {
    return t(`rules.settings.${setting}`);
}
