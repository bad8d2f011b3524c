/** What is wrong with a model or its key, what a test found, and what to do about it, in the language that is on. */
import type {
    ApiError,
    AwsError,
    Check,
    CommandError,
    Finding,
    KeyError,
    KeyRef,
    ModelError,
    Reached,
    Refusal,
    Retried,
    Said,
    StepKind,
    Worded,
} from "../generated/api";
import { assertNever } from "../state/never";
import { dollars } from "../trace/format";
import { formatNumber, inLocale, listed, t } from "./locale.svelte";

export function modelErrorText(error: ModelError): string {
    switch (error.type) {
        case "unreachable":
            return error.proxy === undefined
                ? t("failure.unreachable", { url: error.url, reason: said(error.reason) })
                : t("failure.unreachableByProxy", { url: error.url, proxy: error.proxy, reason: said(error.reason) });
        case "certificate":
            return t("failure.certificate", { url: error.url, reason: error.reason });
        case "timeout":
            return t(`failure.timeout.${error.wait}`, { url: error.url, seconds: error.seconds });
        case "refused":
            // In the middle of its answer there is no longer a status.
            return error.status === null
                ? t("failure.broken", { reason: said(error.reason) })
                : t("failure.refused", { url: error.url, status: error.status, reason: said(error.reason) });
        case "broken":
        case "malformed":
            return t(`failure.${error.type}`, { reason: said(error.reason) });
        case "tooMuch":
            return t(`failure.tooMuch.${error.bound}`, { most: formatNumber(error.most) });
        case "silent":
            return t("failure.silent");
        case "key":
            return keyErrorText(error.why);
        case "setting":
            return t("failure.setting", { setting: error.setting, reason: said(error.reason) });
        case "recorded":
            return said(error.reason);
        default:
            return assertNever(error);
    }
}

/** `null`: nothing that would help is known. */
export function nextStep(error: ModelError): string | null {
    switch (error.type) {
        case "unreachable":
        case "certificate":
        case "malformed":
        case "tooMuch":
        case "setting":
            return t(`failure.next.${error.type}`);
        case "timeout":
            return t(`failure.next.timeout.${error.wait}`);
        case "refused":
            return afterRefusal(error.refusal);
        case "broken":
        case "silent":
            return t("failure.next.broken");
        case "key":
            return keyNextStep(error.why);
        case "recorded":
            return null;
        default:
            return assertNever(error);
    }
}

function afterRefusal(refusal: Refusal): string | null {
    return refusal === "other" ? null : t(`failure.next.${refusal}`);
}

export function keyErrorText(why: KeyError): string {
    const key = keyName(why.key);
    switch (why.type) {
        case "missing":
        case "empty":
        case "unusable":
            return t(`key.${why.type}`, { key });
        case "keyring":
            return t(`key.${why.why.type}`, { key, reason: said(why.why.reason) });
        case "aws":
            return awsErrorText(why.why);
        case "command":
            return t("key.command", { name: commandName(why.key), why: commandErrorText(why.why) });
        case "slow":
            return t("key.slow", { key, seconds: why.seconds });
        default:
            return assertNever(why);
    }
}

export function keyNextStep(why: KeyError): string {
    switch (why.type) {
        case "missing":
        case "empty":
        case "unusable":
            if ("env" in why.key) {
                return t("key.next.env", { name: why.key.env });
            }
            if ("aws" in why.key) {
                return t("key.next.aws");
            }
            return "command" in why.key ? t("key.next.printed") : t("key.next.keyring");
        case "keyring":
            return t(`key.next.${why.why.type}`);
        case "aws":
            if (why.why.type === "elsewhere") {
                return t("key.next.elsewhere", { profile: why.why.profile });
            }
            return why.why.type === "unreadable" ? t("key.next.unreadable") : t("key.next.aws");
        case "command":
            return t(`key.next.command.${why.why.type}`);
        case "slow":
            return t("key.next.slow");
        default:
            return assertNever(why);
    }
}

function awsErrorText(why: AwsError): string {
    switch (why.type) {
        case "nothing":
            return t("key.aws.nothing");
        case "noProfile":
        case "noKeys":
            return t(`key.aws.${why.type}`, { profile: why.profile });
        case "half":
            return t("key.aws.half", { missing: why.missing });
        case "elsewhere":
            return t("key.aws.elsewhere", { profile: why.profile, setting: why.setting });
        case "unreadable":
            return t("key.aws.unreadable", { path: why.path, reason: said(why.reason) });
        default:
            return assertNever(why);
    }
}

function commandErrorText(why: CommandError): string {
    if (why.type === "notStarted") {
        return t("key.command.notStarted", { reason: said(why.reason) });
    }
    const head =
        why.type === "slow"
            ? t("key.command.slow", { seconds: why.seconds })
            : why.status === null
              ? t("key.command.signal")
              : t("key.command.failed", { status: why.status });
    return why.said === "" ? head : t("key.command.said", { head, said: why.said });
}

function commandName(key: KeyRef): string {
    return "command" in key ? (key.command[0] ?? "") : keyName(key);
}

function keyName(key: KeyRef): string {
    if ("env" in key) {
        return t("key.env", { name: key.env });
    }
    if ("aws" in key) {
        return key.aws === "" ? t("key.awsAny") : t("key.awsProfile", { name: key.aws });
    }
    if ("command" in key) {
        return t("key.output", { name: commandName(key) });
    }
    return t("key.keyring", { name: key.keyring });
}

export function findingText(found: Finding): string {
    switch (found.type) {
        case "connects":
            return t("finding.connects", { host: found.host, port: found.port });
        case "reachedByProxy":
        case "onThisMachine":
        case "certificateHolds":
        case "keyAccepted":
        case "noKeyAsked":
        case "modelsListed":
        case "nothingToTellBy":
        case "switchedOff":
            return t(`finding.${found.type}`);
        case "keyShort":
            return t("finding.keyShort", { length: found.length });
        case "unencrypted":
            return found.key ? t("finding.unencryptedKey") : t("finding.unencrypted");
        case "listed":
            return found.count === 1
                ? t("finding.listedAlone", { model: found.model })
                : t("finding.listed", { model: found.model, count: found.count });
        case "answersFor":
        case "notListed":
            return t(`finding.${found.type}`, { model: found.model });
        case "answered":
            return saidText(found.said);
        case "calledTool":
        case "calledWrongly":
            return t(`finding.${found.type}`, { tool: found.tool, arguments: found.arguments });
        case "perhapsCut":
        case "calledNone":
        case "refused":
            return t(`finding.${found.type}`, { said: saidText(found.said) });
        case "cutShort":
            return t("finding.cutShort", { tokens: found.tokens, said: saidText(found.said) });
        case "notAfterResult":
            return t("finding.notAfterResult", {
                tool: found.tool,
                arguments: found.arguments,
                error: modelErrorText(found.error),
            });
        case "notChecked":
            return t(`finding.notChecked.${found.after}`);
        case "failed":
            return modelErrorText(found.error);
        default:
            return assertNever(found);
    }
}

function saidText(said: Said): string {
    switch (said.type) {
        case "text":
            return t("finding.said", { text: said.text });
        case "call":
            return t("finding.saidCall", { tool: said.tool });
        case "nothing":
            return t("finding.saidNothing");
        default:
            return assertNever(said);
    }
}

/** What to do about what a check found; `null`: nothing, or nothing that is known to help. */
export function adviceText({ advice, found }: Pick<Check, "advice" | "found">): string | null {
    if (advice === null) {
        return found.type === "failed" ? nextStep(found.error) : null;
    }
    return advice.type === "chooseModel" ? t("advice.chooseModel", { models: listed(advice.models) }) : t(`advice.${advice.type}`);
}

/** Why an answer did not come, and what to do; runs that were recorded long ago say it in English only. */
export function answerError({
    error,
    hint,
    why,
}: Pick<Extract<StepKind, { type: "answer" }>, "error" | "hint" | "why">): { text: string; next: string | null } | null {
    if (error === null) {
        return null;
    }
    return why === null ? { text: error, next: hint } : { text: modelErrorText(why), next: nextStep(why) };
}

/** A note of a run; the frameworks' own are as they wrote them. */
export function noteText({ text, zh, retried }: Pick<Extract<StepKind, { type: "note" }>, "text" | "zh" | "retried">): string {
    return retried === null ? inLocale(text, zh ?? text) : retriedText(retried);
}

/** Milliseconds after which waiting people look for a way to stop it. */
const LONG_PAUSE = 10_000;

function retriedText({ why, pause, attempt, of }: Retried): string {
    const what = whatCame(why);
    const seconds = pause / 1000;
    if (seconds < 0.05) {
        return t("failure.retriedAtOnce", { what, attempt, of });
    }
    return t(pause >= LONG_PAUSE ? "failure.retriedLong" : "failure.retried", {
        what,
        seconds: formatNumber(seconds < 9.95 ? Math.round(seconds * 10) / 10 : Math.round(seconds)),
        attempt,
        of,
    });
}

function said({ en, zh }: Worded): string {
    return inLocale(en, zh);
}

/** In a few words, which leave the address to the reader. */
function whatCame(why: ModelError): string {
    if (why.type === "refused" && why.status !== null) {
        return t("failure.retried.refused", { status: why.status });
    }
    if (why.type === "unreachable") {
        return t("failure.retried.unreachable", { reason: said(why.reason) });
    }
    return why.type === "timeout" ? t("failure.retried.timeout") : modelErrorText(why);
}

/** Why a run ended that has no final answer, and what to do. */
export function endError({
    error,
    zh,
    why,
    reached,
}: Pick<Extract<StepKind, { type: "end" }>, "error" | "zh" | "why" | "reached">): { text: string; next: string | null } | null {
    if (reached !== null) {
        return { text: reachedText(reached), next: reached.type === "frameworkRequests" ? t("reached.nextFramework") : t("reached.next") };
    }
    return answerError({ error: error === null ? null : inLocale(error, zh ?? error), hint: null, why });
}

function reachedText(reached: Reached): string {
    switch (reached.type) {
        case "requests":
            return t("reached.requests", { requests: reached.requests });
        case "frameworkRequests":
            return t("reached.frameworkRequests", { requests: reached.requests, framework: reached.framework });
        case "seconds":
            return t("reached.seconds", { seconds: formatNumber(reached.seconds) });
        case "tokens":
            return t("reached.tokens", {
                used: formatNumber(reached.used),
                coming: formatNumber(reached.coming),
                limit: formatNumber(reached.limit),
            });
        case "cost":
            return t("reached.cost", { spent: dollars(reached.spent), coming: dollars(reached.coming), limit: dollars(reached.limit) });
        default:
            return assertNever(reached);
    }
}

/** What a command failed with, and what to do. */
export function apiError({ message, messageZh, hint, hintZh, why }: ApiError): { text: string; next: string | null } {
    return why === null
        ? { text: inLocale(message, messageZh), next: inLocale(hint, hintZh) }
        : { text: modelErrorText(why), next: nextStep(why) };
}
