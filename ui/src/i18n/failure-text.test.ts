import { afterEach, describe, expect, it } from "vitest";
import type { Advice, AwsError, CheckKind, Finding, KeyError, KeyringError, ModelError, Reached, Refusal } from "../generated/api";
import {
    adviceText,
    answerError,
    endError,
    findingText,
    keyErrorText,
    keyNextStep,
    modelErrorText,
    nextStep,
    noteText,
    setLocale,
} from ".";

afterEach(() => setLocale("en"));

type Each<Union extends { type: string }> = { [Type in Union["type"]]: Extract<Union, { type: Type }> };

const worded = (said: string) => ({ en: said, zh: `${said}（中文）` });
const KEY = { env: "SOME_KEY" };
const KEYRING: Each<KeyringError> = {
    absent: { type: "absent", reason: worded("no bus") },
    locked: { type: "locked", reason: worded("no prompt") },
    failed: { type: "failed", reason: worded("busy") },
};
const KEYS: Each<KeyError> = {
    missing: { type: "missing", key: { keyring: "some" } },
    empty: { type: "empty", key: KEY },
    unusable: { type: "unusable", key: KEY },
    command: { type: "command", key: { command: ["vault"] }, why: { type: "failed", status: 3, said: "no login" } },
    keyring: { type: "keyring", key: { keyring: "some" }, why: KEYRING.absent },
    aws: { type: "aws", key: { aws: "work" }, why: { type: "nothing" } },
    slow: { type: "slow", key: KEY, seconds: 3 },
};
const AWS: Each<AwsError> = {
    nothing: { type: "nothing" },
    noProfile: { type: "noProfile", profile: "work" },
    noKeys: { type: "noKeys", profile: "work" },
    half: { type: "half", missing: "AWS_SECRET_ACCESS_KEY" },
    elsewhere: { type: "elsewhere", profile: "work", setting: "sso_session" },
    unreadable: { type: "unreadable", path: "/home/me/.aws/config", reason: worded("permission denied") },
};
const ERRORS: Omit<Each<ModelError>, "recorded"> = {
    tooMuch: { type: "tooMuch", bound: "calls", most: 256 },
    unreachable: { type: "unreachable", url: "http://x", reason: worded("Connection refused (os error 111)") },
    certificate: { type: "certificate", url: "https://x", reason: "expired" },
    timeout: { type: "timeout", url: "http://x", wait: "idle", seconds: 7 },
    refused: { type: "refused", url: "http://x", status: 500, refusal: "busy", reason: worded("overloaded") },
    broken: { type: "broken", reason: worded("reset") },
    malformed: { type: "malformed", reason: worded("no JSON") },
    silent: { type: "silent" },
    key: { type: "key", why: KEYS.empty },
    setting: { type: "setting", setting: "keyHeader", reason: worded("no name") },
};
const REFUSALS: Record<Exclude<Refusal, "other">, true> = {
    tooLong: true,
    key: true,
    model: true,
    quota: true,
    busy: true,
    tools: true,
    address: true,
    notEnabled: true,
    profile: true,
    expired: true,
    clock: true,
    region: true,
};
const FINDINGS: Each<Finding> = {
    keyShort: { type: "keyShort", length: 6 },
    connects: { type: "connects", host: "x", port: 443 },
    reachedByProxy: { type: "reachedByProxy" },
    onThisMachine: { type: "onThisMachine" },
    unencrypted: { type: "unencrypted", key: true },
    certificateHolds: { type: "certificateHolds" },
    keyAccepted: { type: "keyAccepted" },
    noKeyAsked: { type: "noKeyAsked" },
    modelsListed: { type: "modelsListed" },
    nothingToTellBy: { type: "nothingToTellBy" },
    listed: { type: "listed", model: "m", count: 2 },
    answersFor: { type: "answersFor", model: "m" },
    notListed: { type: "notListed", model: "m" },
    answered: { type: "answered", said: { type: "text", text: "“ready”" } },
    perhapsCut: { type: "perhapsCut", said: { type: "text", text: "“ready”" } },
    calledTool: { type: "calledTool", tool: "report", arguments: "“{}”" },
    calledNone: { type: "calledNone", said: { type: "nothing" } },
    refused: { type: "refused", said: { type: "nothing" } },
    cutShort: { type: "cutShort", tokens: 2048, said: { type: "nothing" } },
    notAfterResult: { type: "notAfterResult", tool: "report", arguments: "“{}”", error: ERRORS.silent },
    calledWrongly: { type: "calledWrongly", tool: "“x”", arguments: "“1”" },
    switchedOff: { type: "switchedOff", setting: "stream" },
    notChecked: { type: "notChecked", after: "reach" },
    failed: { type: "failed", error: ERRORS.silent },
};
const CHECKS: Record<CheckKind, true> = { reach: true, tls: true, key: true, model: true, answer: true, stream: true, tool: true };
const ADVICE: Each<Advice> = {
    leaveKeyOut: { type: "leaveKeyOut" },
    useHttps: { type: "useHttps" },
    chooseModel: { type: "chooseModel", models: ["a", "b"] },
    streamMayDo: { type: "streamMayDo" },
    doNotStream: { type: "doNotStream" },
    askProvider: { type: "askProvider" },
    runAndSee: { type: "runAndSee" },
};

const REACHED: Each<Reached> = {
    requests: { type: "requests", requests: 2 },
    frameworkRequests: { type: "frameworkRequests", requests: 20, framework: "Eino" },
    seconds: { type: "seconds", seconds: 60 },
    tokens: { type: "tokens", used: 950, coming: 30, limit: 960 },
    cost: { type: "cost", spent: 0.4, coming: 0.2, limit: 0.5 },
};

/** The text in each language. Nothing is left in the other language, and every value is filled in. */
function said(say: () => string | null): void {
    const texts = (["en", "zh-CN"] as const).map((locale) => {
        setLocale(locale);
        return say();
    });
    expect(texts[0]).toMatch(/^[A-Za-z0-9]/);
    expect(texts[1]).toMatch(/\p{Script=Han}/u);
    expect(texts.join().replaceAll("“{}”", "")).not.toMatch(/[{}]|undefined|null/);
}

describe("in both languages", () => {
    it.each(Object.values(ERRORS))("an error of a model says what it is and what to do: $type", (error) => {
        said(() => modelErrorText(error));
        said(() => nextStep(error));
    });

    it.each(["connect", "idle", "total"] as const)("a wait that is over, and where it is set: %s", (wait) => {
        said(() => modelErrorText({ ...ERRORS.timeout, wait }));
        said(() => nextStep({ ...ERRORS.timeout, wait }));
    });

    it.each(Object.keys(REFUSALS).filter((refusal): refusal is keyof typeof REFUSALS => refusal in REFUSALS))(
        "a refusal and what to do: %s",
        (refusal) => {
            said(() => nextStep({ ...ERRORS.refused, refusal }));
        },
    );

    it.each([
        ...Object.values(KEYS),
        ...Object.values(KEYRING).map((why) => ({ ...KEYS.keyring, why })),
        ...Object.values(AWS).map((why) => ({ ...KEYS.aws, why })),
        { ...KEYS.missing, key: { aws: "" } },
    ])("why there is no key: $type $why.type", (why) => {
        said(() => keyErrorText(why));
        said(() => keyNextStep(why));
    });

    it.each(Object.values(FINDINGS))("what a check finds: $type", (found) => said(() => findingText(found)));

    it("a list of one model", () => said(() => findingText({ ...FINDINGS.listed, count: 1 })));

    it.each(Object.keys(CHECKS).filter((kind): kind is CheckKind => kind in CHECKS))(
        "after which check no other makes sense: %s",
        (after) => {
            said(() => findingText({ type: "notChecked", after }));
        },
    );

    it.each(Object.values(ERRORS))("why a request is made again: $type", (why) => {
        said(() => noteText({ text: "asking again", zh: null, retried: { why, pause: 0, attempt: 1, of: 2 } }));
        said(() => noteText({ text: "asking again", zh: null, retried: { why, pause: 1500, attempt: 2, of: 2 } }));
    });

    it.each(Object.values(REACHED))("which limit a run ended at, and what to do: $type", (reached) => {
        said(() => endError({ error: "the run was ended", zh: null, why: null, reached })?.text ?? null);
        said(() => endError({ error: "the run was ended", zh: null, why: null, reached })?.next ?? null);
    });

    it.each(Object.values(ADVICE))("what to do about it: $type", (advice) => said(() => adviceText({ advice, found: FINDINGS.answered })));
});

it("advises what an error wants where a check has no advice of its own, and nothing where all is well", () => {
    expect(adviceText({ advice: null, found: FINDINGS.failed })).toBe(nextStep(ERRORS.silent));
    expect(adviceText({ advice: null, found: FINDINGS.keyAccepted })).toBeNull();
});

it("tells a wait in few digits and leaves the address out", () => {
    const text = (pause: number): string => noteText({ text: "", zh: null, retried: { why: ERRORS.refused, pause, attempt: 1, of: 2 } });
    expect([49, 512, 29_600].map(text)).toEqual([
        "The server answered 500; asking again at once (1 of 2)",
        "The server answered 500; asking again in 0.5 s (1 of 2)",
        "The server answered 500; asking again in 30 s, unless you stop the run (1 of 2)",
    ]);
});

it("says in English what an old recording only knows in English", () => {
    setLocale("zh-CN");
    expect(answerError({ error: "answered 401", hint: "check the key", why: null })).toEqual({
        text: "answered 401",
        next: "check the key",
    });
    expect(endError({ error: "it was ended", zh: null, why: null, reached: null })).toEqual({ text: "it was ended", next: null });
    expect(noteText({ text: "asking again", zh: null, retried: null })).toBe("asking again");
    expect(answerError({ error: null, hint: null, why: null })).toBeNull();
});
