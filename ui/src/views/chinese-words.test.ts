/** What is said in Chinese of one thing out of many: problems, quirks, hidden characters, models that failed, keys, and what a test found. */
import { cleanup, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it } from "vitest";
import type {
    Advice,
    AwsError,
    Bound,
    Check,
    CheckKind,
    CheckState,
    CommandError,
    Finding,
    FindingDto,
    KeyError,
    KeyringError,
    KeyRef,
    ModelError,
    QuirkKind,
    Refusal,
    Said,
    Severity,
    Wait,
    Worded,
} from "../generated/api";
import type { FakeHost } from "../host/fake";
import { setLocale } from "../i18n";
import { PROBLEMS, QUIRKS } from "../i18n/sample";
import { hidden } from "../i18n/zh-CN/hidden";
import Foreign from "../parts/Foreign.svelte";
import HiddenNote from "../parts/HiddenNote.svelte";
import { models } from "../state/models.svelte";
import { found, lookAt, speakChinese } from "../test-chinese";
import { answered, detail, step, summary } from "../trace/sample";
import QuirkItem from "./harness/QuirkItem.svelte";
import FindingRow from "./lint/FindingRow.svelte";
import TrialView from "./models/TrialView.svelte";
import RunOutcome from "./run/RunOutcome.svelte";
import StepDetail from "./trace/StepDetail.svelte";

let fake: FakeHost;

beforeEach(() => {
    fake = speakChinese();
});
afterEach(() => {
    cleanup();
    models.open = false;
    setLocale("en");
});

type Each<Union extends { type: string }> = { [Type in Union["type"]]: Extract<Union, { type: Type }>[] };

/** The members of a union of words, all of which the record must name. */
function wordsOf<Word extends string>(all: Record<Word, true>): Word[] {
    return Object.keys(all).filter((word): word is Word => word in all);
}

const PATH = "/技能/换算/SKILL.md";
const RANGE = { from: 2, to: 8, line: 1, column: 3 };
const SEVERITIES = wordsOf<Severity>({ error: true, warning: true, info: true });

it.each(Object.entries(PROBLEMS))("has no English in a problem: %s", async (_, problem) => {
    for (const severity of SEVERITIES) {
        const finding: FindingDto = {
            rule: "frontmatter",
            severity,
            message: "it is wrong",
            messageZh: "有误",
            problem,
            path: PATH,
            range: severity === "info" ? null : RANGE,
            fix: null,
            steps: [],
            fingerprint: "1",
        };
        await lookAt(`${problem.type}, ${severity}`, FindingRow, { finding, current: false });
        expect(screen.getByTestId("problem").dataset["kind"]).toBe(problem.type);
    }
    expect(found()).toEqual({});
});

it.each(wordsOf<QuirkKind>(QUIRKS))("has no English in a quirk: %s", async (kind) => {
    const quirk = { kind, code: "eino/quirk", severity: "warning", message: "it is lost", skill: null, detail: "值" } as const;
    for (const place of [
        { path: null, range: null },
        { path: PATH, range: RANGE },
    ]) {
        await lookAt(kind, QuirkItem, { quirk: { ...quirk, ...place }, onopenat: () => undefined });
        expect(screen.getByTestId("quirk").dataset["kind"]).toBe(kind);
    }
    expect(found()).toEqual({});
});

const LETTERS = Object.keys(hidden)
    .map((key) => Number.parseInt(/^hidden\.([0-9A-F]{4,5})$/.exec(key)?.[1] ?? "", 16))
    .filter((code) => !Number.isNaN(code))
    .map((code) => String.fromCodePoint(code));

it("has no English in the names of characters that nobody sees", async () => {
    // A control, a tag and a selector that have no names of their own, and one that has none at all.
    const all = [...LETTERS, "\u0001", "\u{e0041}", "\ufe01", "\u206a"];
    await lookAt("marks", Foreign, { text: all.map((letter) => `1${letter}`).join("") });
    const marks = screen.getAllByRole("img").map((mark) => mark.getAttribute("aria-label") ?? "");
    expect(marks.filter((mark) => !/^不可见字符 U\+[0-9A-F]{4,5}（[^a-z]+）$/.test(mark))).toEqual(["不可见字符 U+206A"]);
    expect(marks.slice(-4, -1)).toEqual([
        "不可见字符 U+0001（控制字符）",
        "不可见字符 U+E0041（标签 A）",
        "不可见字符 U+FE01（异体字选择符）",
    ]);
    await lookAt("a note", HiddenNote, { text: LETTERS.join("字") });
    await lookAt("a short note", HiddenNote, { text: "一\u202e二\u200b" });
    expect(screen.getByTestId("hidden-note").textContent).toBe("不可见字符（2 个）：U+202E 强制从右至左、U+200B 零宽空格");
    // Their numbers are the same in every language.
    expect(Object.keys(found()).filter((word) => !/^[0-9A-F]+$/.test(word))).toEqual([]);
});

const URL = "http://127.0.0.1:9/v1";
const reason: Worded = { en: "no permission", zh: "没有权限" };

const KEYS: KeyRef[] = [{ env: "SOME_KEY" }, { keyring: "某个" }, { aws: "" }, { aws: "工作" }, { command: ["az", "account"] }];
const command: KeyRef = { command: ["az", "account"] };
const keyring: KeyRef = { keyring: "某个" };

const AWS: Each<AwsError> = {
    nothing: [{ type: "nothing" }],
    noProfile: [{ type: "noProfile", profile: "工作" }],
    noKeys: [{ type: "noKeys", profile: "工作" }],
    half: [{ type: "half", missing: "AWS_SECRET_ACCESS_KEY" }],
    elsewhere: [{ type: "elsewhere", profile: "工作", setting: "sso_session" }],
    unreadable: [{ type: "unreadable", path: "/家/.aws/credentials", reason }],
};

const COMMAND: Each<CommandError> = {
    notStarted: [{ type: "notStarted", reason }],
    slow: ["", "等待登录"].map((said) => ({ type: "slow", seconds: 30, said })),
    failed: [1, null].flatMap((status) => ["", "未登录"].map((said) => ({ type: "failed", status, said }))),
};

const KEYRING: Each<KeyringError> = {
    absent: [{ type: "absent", reason }],
    locked: [{ type: "locked", reason }],
    failed: [{ type: "failed", reason }],
};

const KEY_ERRORS: Each<KeyError> = {
    missing: KEYS.map((key) => ({ type: "missing", key })),
    empty: KEYS.map((key) => ({ type: "empty", key })),
    unusable: KEYS.map((key) => ({ type: "unusable", key })),
    keyring: Object.values(KEYRING).flatMap((each) => each.map((why) => ({ type: "keyring", key: keyring, why }))),
    aws: Object.values(AWS).flatMap((each) => each.map((why) => ({ type: "aws", key: { aws: "工作" }, why }))),
    command: Object.values(COMMAND).flatMap((each) => each.map((why) => ({ type: "command", key: command, why }))),
    slow: [{ type: "slow", key: keyring, seconds: 20 }],
};

const WAITS = wordsOf<Wait>({ connect: true, idle: true, total: true });
const BOUNDS = wordsOf<Bound>({
    wire: true,
    payload: true,
    text: true,
    arguments: true,
    answer: true,
    calls: true,
    parts: true,
    depth: true,
    models: true,
});
const REFUSALS = wordsOf<Refusal>({
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
    other: true,
});

const MODEL_ERRORS: Each<ModelError> = {
    unreachable: [
        { type: "unreachable", url: URL, reason },
        { type: "unreachable", url: URL, proxy: "http://127.0.0.1:8/", reason },
    ],
    certificate: [{ type: "certificate", url: URL, reason: "已过期" }],
    timeout: WAITS.map((wait) => ({ type: "timeout", url: URL, wait, seconds: 7 })),
    refused: REFUSALS.flatMap((refusal) => [429, null].map((status) => ({ type: "refused", url: URL, status, refusal, reason }))),
    broken: [{ type: "broken", reason }],
    malformed: [{ type: "malformed", reason }],
    tooMuch: BOUNDS.map((bound) => ({ type: "tooMuch", bound, most: 1024 })),
    silent: [{ type: "silent" }],
    key: Object.values(KEY_ERRORS).flatMap((each) => each.map((why) => ({ type: "key", why }))),
    setting: [{ type: "setting", setting: "keyHeader", reason }],
    recorded: [{ type: "recorded", reason }],
};

const { setup } = summary();

it.each(Object.entries(MODEL_ERRORS))("has no English in how a model fails: %s", async (type, errors) => {
    fake.on("run_files", () => ({ turns: [], folder: null, outside: [] }));
    for (const why of errors) {
        const where = `${type}: ${JSON.stringify(why)}`;
        const error = "it failed";
        const answer = { ...step(1, 5, 5, answered({ error, why })), state: "failed" as const };
        const end = step(2, 0, 5, { type: "end", status: "failed", error, zh: null, why, reached: null }, null);
        const shown = { setup, ongo: () => undefined, onfork: () => undefined };
        await lookAt(`${where}, in a step`, StepDetail, { step: answer, ...shown });
        await lookAt(`${where}, tried again`, StepDetail, {
            step: step(1, 0, 5, { type: "note", text: "again", zh: null, retried: { why, pause: 1500, attempt: 1, of: 2 } }, null),
            ...shown,
        });
        await lookAt(`${where}, at the end`, RunOutcome, { detail: detail([answer, end], { status: "failed", error }) });
        expect(screen.getByTestId("run-failed").querySelector("p")?.textContent).toMatch(/\p{Script=Han}/u);
    }
    expect(found()).toEqual({});
});

const SAID: Each<Said> = {
    text: [{ type: "text", text: "“好”" }],
    call: [{ type: "call", tool: "换算" }],
    nothing: [{ type: "nothing" }],
};
const said = Object.values(SAID).flat();
const tool = { tool: "换算", arguments: '{"值": 1}' };
const failure: ModelError = { type: "silent" };

const KINDS = wordsOf<CheckKind>({ reach: true, tls: true, key: true, model: true, answer: true, stream: true, tool: true });
const STATES = wordsOf<CheckState>({ passed: true, warned: true, failed: true, skipped: true });

const FINDINGS: Each<Finding> = {
    connects: [{ type: "connects", host: "127.0.0.1", port: 9 }],
    reachedByProxy: [{ type: "reachedByProxy" }],
    onThisMachine: [{ type: "onThisMachine" }],
    unencrypted: [true, false].map((key) => ({ type: "unencrypted", key })),
    certificateHolds: [{ type: "certificateHolds" }],
    keyAccepted: [{ type: "keyAccepted" }],
    keyShort: [{ type: "keyShort", length: 3 }],
    noKeyAsked: [{ type: "noKeyAsked" }],
    modelsListed: [{ type: "modelsListed" }],
    nothingToTellBy: [{ type: "nothingToTellBy" }],
    listed: [1, 12].map((count) => ({ type: "listed", model: "另一个", count })),
    answersFor: [{ type: "answersFor", model: "另一个" }],
    notListed: [{ type: "notListed", model: "另一个" }],
    answered: said.map((each) => ({ type: "answered", said: each })),
    perhapsCut: said.map((each) => ({ type: "perhapsCut", said: each })),
    calledTool: [{ type: "calledTool", ...tool }],
    calledNone: said.map((each) => ({ type: "calledNone", said: each })),
    cutShort: said.map((each) => ({ type: "cutShort", tokens: 256, said: each })),
    notAfterResult: [{ type: "notAfterResult", ...tool, error: failure }],
    refused: said.map((each) => ({ type: "refused", said: each })),
    calledWrongly: [{ type: "calledWrongly", ...tool }],
    switchedOff: [{ type: "switchedOff", setting: "tools" }],
    notChecked: KINDS.map((after) => ({ type: "notChecked", after })),
    failed: [{ type: "failed", error: failure }],
};

const ADVICE: Each<Advice> = {
    useHttps: [{ type: "useHttps" }],
    chooseModel: [{ type: "chooseModel", models: ["一个", "另一个"] }],
    streamMayDo: [{ type: "streamMayDo" }],
    doNotStream: [{ type: "doNotStream" }],
    leaveKeyOut: [{ type: "leaveKeyOut" }],
    askProvider: [{ type: "askProvider" }],
    runAndSee: [{ type: "runAndSee" }],
};

/** Tests the first model, of which these are the checks. */
async function tested(checks: Check[]): Promise<void> {
    fake.on("model_test", () => checks);
    await models.show();
    await models.test();
    await lookAt(checks[0]?.found.type ?? "", TrialView, { onwrong: () => undefined });
}

const check = (found: Finding, advice: Advice | null, at: number): Check => ({
    kind: KINDS[at % KINDS.length]!,
    state: STATES[at % STATES.length]!,
    found,
    advice,
    text: "it was found",
    hint: null,
    raw: null,
    took: 12,
});

it.each(Object.entries(FINDINGS))("has no English in what a test of a model finds: %s", async (_, findings) => {
    await tested(findings.map((each, at) => check(each, null, at)));
    expect(screen.getAllByTestId("check").length).toBe(findings.length);
    expect(found()).toEqual({});
});

it("has no English in what a test of a model advises", async () => {
    await tested(
        Object.values(ADVICE)
            .flat()
            .map((advice, at) => check({ type: "noKeyAsked" }, advice, at)),
    );
    expect(screen.getAllByTestId("check").length).toBe(Object.keys(ADVICE).length);
    expect(screen.getByText("请选择服务器列出的模型，例如 一个、另一个。")).toBeDefined();
    expect(found()).toEqual({});
});
