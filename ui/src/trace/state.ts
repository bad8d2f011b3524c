/** How a step is, in a word: the one place that says so. */
import type { Step } from "../generated/api";
import { t } from "../i18n";
import { departure } from "./approval";
import { isTrouble } from "./steps";

export interface StateWord {
    word: string;
    tone: "plain" | "warning" | "error";
}

/** `null`: nothing needs to be said. The title of the last step has the run's status, and that a call was denied is a departure. */
export function stateWord(step: Step): StateWord | null {
    const { kind, state } = step;
    switch (state) {
        case "running":
            return { word: t("trace.stateRunning"), tone: "plain" };
        case "waiting":
            return { word: t("trace.stateWaiting"), tone: "warning" };
        case "stopped":
        case "failed":
        case "done":
            if (kind.type === "end" || (state !== "stopped" && !isTrouble(step))) {
                return null;
            }
            if (kind.type === "tool" && departure(kind) === "denied") {
                return null;
            }
            return {
                word:
                    kind.type === "tool" && kind.reply === null
                        ? t("trace.stateUnanswered")
                        : state === "stopped"
                          ? t("trace.stateStopped")
                          : t("trace.stateFailed"),
                tone: state === "stopped" ? "warning" : "error",
            };
    }
}

/** The same with how a call departs from what the model asked for; empty: nothing needs to be said. */
export function stateText(step: Step): string {
    const departs = step.kind.type === "tool" ? departure(step.kind) : null;
    const words = [departs === null ? null : t(`approval.departure.${departs}`), stateWord(step)?.word ?? null];
    return words.filter((word) => word !== null).join(" · ");
}
