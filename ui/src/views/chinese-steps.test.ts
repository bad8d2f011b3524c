/** Steps of runs in Chinese, one by one: as a trace lists and shows them, and as the conversation does while the run goes on. */
import { cleanup } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it } from "vitest";
import type {
    Decision,
    Disclosure,
    FinishReason,
    ModelError,
    Reached,
    Retried,
    RunStatus,
    ScriptOutput,
    Step,
    StepKind,
    TurnSetup,
} from "../generated/api";
import { setLocale } from "../i18n";
import { found, lookAt, speakChinese } from "../test-chinese";
import { answered, call, called as calledWith, step, summary } from "../trace/sample";
import ConversationItem from "./run/ConversationItem.svelte";
import StepDetail from "./trace/StepDetail.svelte";
import StepRow from "./trace/StepRow.svelte";

beforeEach(() => void speakChinese());
afterEach(() => {
    cleanup();
    setLocale("en");
});

type Each<Union extends { type: string }> = { [Type in Union["type"]]: Extract<Union, { type: Type }> };

const URL = "http://127.0.0.1:9/v1";
const PIXEL = { mediaType: "image/png", data: "iVBORw0KGgo=" } as const;

const TURN: TurnSetup = {
    harness: "eino",
    variant: "go-0.9",
    model: "另一个",
    rehearsal: false,
    roots: ["/技能"],
    skills: [],
    workingDirectory: "/运行",
    appVersion: "0.1.0",
};

const FINISHES: Each<FinishReason> = {
    stop: { type: "stop" },
    toolCalls: { type: "toolCalls" },
    length: { type: "length" },
    filtered: { type: "filtered" },
    paused: { type: "paused" },
    unsaid: { type: "unsaid" },
    perhapsCut: { type: "perhapsCut" },
    other: { type: "other", reason: "额度" },
};

const quoted = (said: string) => ({ en: said, zh: said });

const ERRORS: Each<ModelError> = {
    unreachable: { type: "unreachable", url: URL, reason: { en: "connection refused", zh: "连接被拒绝" } },
    certificate: { type: "certificate", url: URL, reason: "已过期" },
    timeout: { type: "timeout", url: URL, wait: "idle", seconds: 7 },
    refused: { type: "refused", url: URL, status: 429, refusal: "busy", reason: quoted("太忙") },
    broken: { type: "broken", reason: quoted("连接断开") },
    malformed: { type: "malformed", reason: quoted("不是 JSON") },
    tooMuch: { type: "tooMuch", bound: "calls", most: 256 },
    silent: { type: "silent" },
    key: { type: "key", why: { type: "missing", key: { env: "SOME_KEY" } } },
    setting: { type: "setting", setting: "keyHeader", reason: quoted("名称无效") },
    recorded: { type: "recorded", reason: { en: "the record has no answer", zh: "录制中没有这个回答" } },
};

const RETRIED: Retried[] = [
    { why: ERRORS.refused, pause: 0, attempt: 1, of: 2 },
    { why: ERRORS.unreachable, pause: 1500, attempt: 1, of: 2 },
    { why: ERRORS.timeout, pause: 60_000, attempt: 2, of: 2 },
];

const DISCLOSED: Each<Disclosure> = {
    instructions: { type: "instructions", skill: "换算" },
    resource: { type: "resource", skill: "换算", resource: "references/表.md" },
    script: { type: "script", skill: "换算", script: "scripts/算.py" },
    none: { type: "none" },
};

const DECISIONS: Decision[] = [
    { type: "allow", arguments: null, forRun: false },
    { type: "allow", arguments: null, forRun: true },
    { type: "allow", arguments: '{"value": 2}', forRun: false },
    { type: "deny", reason: null },
    { type: "deny", reason: "不必" },
    { type: "stub", text: "2.2" },
];

const OUTPUT: ScriptOutput = { stdout: "2.2", stderr: "警告", exitCode: 1, timedOut: false, truncated: true, took: 12 };

const REACHED: Each<Reached> = {
    requests: { type: "requests", requests: 3 },
    frameworkRequests: { type: "frameworkRequests", requests: 3, framework: "Eino" },
    seconds: { type: "seconds", seconds: 3 },
    tokens: { type: "tokens", used: 1, coming: 2, limit: 2 },
    cost: { type: "cost", spent: 1, coming: 2, limit: 2 },
};

const STATUSES: RunStatus[] = ["running", "done", "failed", "stopped", "limited", "interrupted"];

const SHELL = { type: "shell", command: "算 1", workingDirectory: null, timeout: 5 } as const;
const ENFORCEMENT = {
    layer: "landlock",
    inForce: ["files", "network"],
    missing: ["memory"],
    reason: { en: "the kernel is too old", zh: "内核太旧" },
    interpreter: "/usr/bin/python3",
} as const;

type Tool = Extract<StepKind, { type: "tool" }>;

const called = (change: Partial<Tool>): Tool => calledWith(call("convert", "不是 JSON"), { reply: "2.2", ...change });

const END: Extract<StepKind, { type: "end" }> = { type: "end", status: "failed", error: null, zh: null, why: null, reached: null };

type Sight = [name: string, kind: StepKind, state?: Partial<Step>];

const SIGHTS: Sight[] = [
    ["a prompt", { type: "prompt", text: "换算", images: [PIXEL] }, { turn: null }],
    ["a further prompt", { type: "prompt", text: "再换算", setup: TURN }, { index: 5, turn: null }],
    ...Object.values(FINISHES).map((finish): Sight => [`an answer: ${finish.type}`, answered({ finish })]),
    ...(["keep", "askAgain", "end"] as const).map((cut): Sight => [`a cut answer: ${cut}`, answered({ finish: FINISHES.perhapsCut, cut })]),
    ...Object.values(ERRORS).map((why): Sight => [
        `an answer that failed: ${why.type}`,
        answered({ text: "", error: "不行", why, raw: "{}" }),
        { state: "failed" },
    ]),
    [
        "an answer with all facts",
        answered({
            text: "",
            reasoning: "想",
            calls: [call("convert", "{}")],
            usage: { input: 1000, output: 20, cached: 100, cacheWritten: 50 },
            spent: { input: 1000, output: 20, cached: 100, cacheWritten: 50, cost: 0.1, estimated: true },
            model: "另一个",
            agents: ["主", "次"],
        }),
    ],
    ["an answer that is written", answered({ text: "", finish: null }), { state: "running", took: null }],
    ["an answer in question", answered({ finish: FINISHES.perhapsCut, calls: [call("convert", "{}")] }), { state: "waiting", question: 7 }],
    ...Object.values(DISCLOSED).map((disclosed): Sight => [
        `a call: ${disclosed.type}`,
        called({ disclosure: disclosed, disclosed, asked: SHELL }),
    ]),
    ...DECISIONS.map((decision): Sight => [
        `a decided call: ${JSON.stringify(decision)}`,
        called({
            asked: SHELL,
            ran: { ...SHELL, command: "算 2" },
            decision,
            enforcement: { ...ENFORCEMENT, inForce: ["files"], missing: ["memory"] },
        }),
    ]),
    ...(["sandbox", "never"] as const).map((standing): Sight => [
        `a remembered answer: ${standing}`,
        called({ asked: SHELL, standing, decision: standing === "never" ? { type: "deny", reason: "x" } : DECISIONS[0]! }),
    ]),
    ["a call in question", called({ asked: SHELL, reply: null }), { state: "waiting", question: 8 }],
    ["a call that goes on", called({ reply: null }), { state: "running", took: null }],
    ["a call without a result", called({ reply: null }), { state: "stopped" }],
    ["a call that failed", called({ wire: "错误：没有" }), { state: "failed" }],
    ["a call that was stopped", called({}), { state: "stopped" }],
    ["an empty result", called({ reply: "" })],
    ["a result that is sent otherwise", called({ reply: "一\n二", wire: '"一\\n二"' })],
    [
        "files and pictures of a call",
        called({
            reply: "",
            files: [{ path: "out/表.md", size: 1200 }],
            images: [PIXEL],
            documents: [{ name: "表", format: "PDF", data: "JVBERi0=" }],
        }),
    ],
    ["the output of a script", called({ output: OUTPUT })],
    ["a script that a signal ended", called({ output: { ...OUTPUT, exitCode: null, truncated: false } })],
    ["a script that took too long", called({ output: { ...OUTPUT, exitCode: null, timedOut: true } })],
    ["the framework's own", { ...called({ asked: SHELL }), call: call("framework", "{}") }],
    ["a note", { type: "note", text: "the folder is gone", zh: "文件夹已不在", retried: null }],
    ...RETRIED.map((retried): Sight => [`a note: ${retried.why.type}`, { type: "note", text: "重试", zh: null, retried }]),
    ...STATUSES.map((status): Sight => [`an end: ${status}`, { ...END, status }]),
    ["an end of another", { ...END, error: "the store is full", zh: "轨迹库已满" }],
    ...Object.values(ERRORS).map((why): Sight => [`an end: ${why.type}`, { ...END, error: "不行", why }]),
    ...Object.values(REACHED).map((reached): Sight => [
        `an end: ${reached.type}`,
        { ...END, status: "limited", error: "已达上限", reached },
    ]),
];

const { setup } = summary();
const row = { at: 1, depth: 1, folds: "call", inner: 3 };
const nothing = () => undefined;

it.each(SIGHTS)("has no English in %s", async (name, kind, state = {}) => {
    const shown = { ...step(1, 20, 1000, kind), ...state };
    await lookAt(`${name}, in full`, StepDetail, { step: shown, setup, ongo: nothing, onfork: nothing });
    for (const folded of [false, true]) {
        const of = { row, step: shown, folded };
        const listed = { ...of, id: "一", selected: true, note: null, posinset: 1, setsize: 2, onselect: nothing, onfold: nothing };
        await lookAt(`${name}, listed`, StepRow, listed);
        await lookAt(`${name}, in the conversation`, ConversationItem, {
            ...of,
            turn: 2,
            isAnswered: () => false,
            ondecide: nothing,
            ontry: () => Promise.reject(new Error("没有")),
            onsettle: nothing,
            onfold: nothing,
        });
    }
    expect(found()).toEqual({});
});
