/** Words for what a trace holds. */
import { t } from "../../i18n";
import type { Decision, Disclosure, FinishReason, Role, RunSetup, RunStatus, Standing, Step, StepKind } from "../../generated/api";
import type { Series } from "../../trace/lane";
import { isRecorded } from "../../trace/recorded";

export function stepTitle(step: Step): string {
    switch (step.kind.type) {
        case "prompt":
            return t("trace.kindPrompt");
        case "answer":
            return t("trace.kindAnswer");
        case "tool":
            return callName(step.kind.call.name);
        case "note":
            return t("trace.kindNote");
        case "end":
            return t("trace.kindEnd", { status: statusName(step.kind.status) });
    }
}

/** Effects that the framework asks for by itself are recorded as a call of this name. */
export function callName(name: string): string {
    return name === "framework" ? t("trace.kindFramework") : name;
}

export function statusName(status: RunStatus): string {
    return t(`trace.${status}`);
}

/** The model that was asked, or that none was. */
export function modelName({ model, rehearsal }: Pick<RunSetup, "model" | "rehearsal">): string {
    return isRecorded(model) ? t("run.recorded") : rehearsal ? t("run.rehearsal") : model;
}

export function seriesName(series: Series): string {
    return t(`trace.${series}`);
}

export function roleName(role: Role): string {
    switch (role) {
        case "system":
            return t("trace.roleSystem");
        case "user":
            return t("trace.roleUser");
        case "assistant":
            return t("trace.roleAssistant");
        case "tool":
            return t("trace.roleTool");
    }
}

export function finishName(finish: FinishReason): string {
    switch (finish.type) {
        case "stop":
            return t("trace.finishStop");
        case "toolCalls":
            return t("trace.finishToolCalls");
        case "length":
            return t("trace.finishLength");
        case "filtered":
            return t("trace.finishFiltered");
        case "paused":
            return t("trace.finishPaused");
        case "unsaid":
            return t("trace.finishUnsaid");
        case "perhapsCut":
            return t("trace.finishPerhapsCut");
        case "other":
            return finish.reason;
    }
}

/** How an answer ended that did not end as answers do, and what became of one that may be cut off; `null`: it did. */
export function cutText({ finish, cut }: Pick<Extract<StepKind, { type: "answer" }>, "finish" | "cut">): string | null {
    switch (finish?.type) {
        case "perhapsCut":
            return cut === null ? t("cut.perhaps") : t(`cut.${cut}`);
        case "length":
        case "filtered":
        case "paused":
            return t(`ending.${finish.type}`);
        case "other":
            return t("ending.other", { reason: finish.reason });
        case "stop":
        case "toolCalls":
        case "unsaid":
        case undefined:
            return null;
    }
}

export function disclosureName(disclosure: Disclosure): string {
    switch (disclosure.type) {
        case "instructions":
            return t("trace.disclosesInstructions", { skill: disclosure.skill });
        case "resource":
            return t("trace.disclosesResource", { skill: disclosure.skill, resource: disclosure.resource });
        case "script":
            return t("trace.disclosesScript", { skill: disclosure.skill, script: disclosure.script });
        case "none":
            return t("trace.disclosesNone");
    }
}

/** `standing`: the user's permanent answer that decided. */
export function decidedName(decision: Decision, standing: Standing | null): string {
    if (standing === null) {
        return decisionName(decision);
    }
    // What a remembered answer says to the model is nobody's reason.
    const name = decision.type === "deny" ? t("approval.denied") : decisionName(decision);
    return t("approval.byMemory", { decision: name });
}

export function decisionName(decision: Decision): string {
    switch (decision.type) {
        case "allow":
            if (decision.arguments !== null) {
                return t("approval.allowedEdited");
            }
            return decision.forRun ? t("approval.allowedRun") : t("approval.allowed");
        case "deny":
            return decision.reason === null ? t("approval.denied") : t("approval.deniedBecause", { reason: decision.reason });
        case "stub":
            return t("approval.stubbed");
    }
}
