/** Findings as marks in the text. */
import type { FindingDto } from "../../generated/api";
import { fixes } from "../../state/fixes.svelte";
import { lint } from "../../state/lint.svelte";
import type { Mark } from "../editor/codemirror/card";
import { findingText, fixTitle, titleOf } from "./words";

const WEIGHT = { error: 0, warning: 1, info: 2 };

/** Of those that have a place in this file, the heaviest first. */
export function marksOf(findings: readonly FindingDto[], path: string): Mark[] {
    const heavy = [...findings].sort((a, b) => WEIGHT[a.severity] - WEIGHT[b.severity]);
    return heavy.flatMap((finding) =>
        finding.path === path && finding.range !== null ? [markOf(finding, finding.range.from, finding.range.to)] : [],
    );
}

function markOf(finding: FindingDto, from: number, to: number): Mark {
    const title = titleOf(finding.rule);
    const message = findingText(finding);
    return {
        from,
        to,
        severity: finding.severity,
        rule: finding.rule,
        title,
        message: message === title ? "" : message,
        fix: finding.fix && {
            title: fixTitle(finding.fix),
            safe: finding.fix.applicability === "safe",
            apply: () => void fixes.apply(finding),
        },
        ignore: fixes.ignorable(finding) ? (at) => fixes.askToIgnore(finding, at) : null,
        about: () => lint.open(finding.rule),
    };
}
