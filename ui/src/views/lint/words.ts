/** Findings and rules in the language that is on. */
import type { FindingDto, FixDto, RuleDto, SecurityVerdict, Setting } from "../../generated/api";
import { inLocale, problemText, t } from "../../i18n";
import { lint } from "../../state/lint.svelte";

/** The text of a finding. Rules write it for the middle of a line in a report; here it is alone. */
export function findingText({ problem, message, messageZh }: FindingDto): string {
    return problem !== null ? problemText(problem) : inLocale(message.charAt(0).toUpperCase() + message.slice(1), messageZh);
}

/** What a fix does, as a button says it. */
export function fixTitle({ title, titleZh }: FixDto): string {
    return inLocale(title, titleZh);
}

/** Of a rule; its id until the rules are read. */
export function titleOf(id: string): string {
    const rule = lint.rule(id);
    return rule === null ? id : ruleTitle(rule);
}

export function ruleTitle({ title, titleZh }: RuleDto): string {
    return inLocale(title, titleZh);
}

/** The verdict of security rules on a skill. */
export function verdictText(verdict: SecurityVerdict): string {
    return t(`lint.verdicts.${verdict}`);
}

export function settingName(setting: Setting): string {
    return t(`rules.settings.${setting}`);
}
