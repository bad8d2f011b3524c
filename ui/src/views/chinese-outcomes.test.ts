/** How runs end, in Chinese, and how they go on: what failed or was reached, what was not recorded, and who may answer next. */
import { cleanup, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { HarnessInfo, ModelInfo, RunStatus, RunSummary, Step, StepKind } from "../generated/api";
import type { FakeHost } from "../host/fake";
import { FILES_OF_RUN } from "../host/fake/changes";
import { setLocale } from "../i18n";
import { toasts } from "../state/toasts.svelte";
import { click, found, lookAt, speakChinese } from "../test-chinese";
import { answered, detail, step, summary } from "../trace/sample";
import GoOn from "./run/GoOn.svelte";
import RunOutcome from "./run/RunOutcome.svelte";
import Toasts from "./shell/Toasts.svelte";
import RunHeader from "./trace/RunHeader.svelte";
import UnsavedRun from "./trace/UnsavedRun.svelte";
import VerdictTag from "./trace/VerdictTag.svelte";

let fake: FakeHost;

beforeEach(() => {
    fake = speakChinese();
    fake.on("run_files", () => FILES_OF_RUN);
});
afterEach(() => {
    toasts.list = [];
    cleanup();
    setLocale("en");
});

const ERROR = "the model failed";
const STATUSES: RunStatus[] = ["running", "done", "failed", "stopped", "limited", "interrupted"];

const failed = (change: Partial<Extract<StepKind, { type: "answer" }>>): Step => ({
    ...step(0, 0, 0, answered({ ...change, error: ERROR })),
    state: "failed",
});
const ended = (change: Partial<Extract<StepKind, { type: "end" }>>): Step =>
    step(1, 0, 0, { type: "end", status: "failed", error: ERROR, zh: null, why: null, reached: null, ...change }, null);

type Outcome = [name: string, status: RunStatus, steps: Step[]];

const OUTCOMES: Outcome[] = [
    ...STATUSES.map((status): Outcome => [status, status, []]),
    [
        "a model that cannot be reached",
        "failed",
        [ended({ why: { type: "unreachable", url: "http://x", reason: { en: "connection refused", zh: "连接被拒绝" } } })],
    ],
    [
        "a model that refuses",
        "failed",
        [
            failed({
                raw: "{}",
                hint: "ask somebody",
                why: { type: "refused", url: "http://x", status: 418, refusal: "other", reason: { en: "不行", zh: "不行" } },
            }),
            ended({ why: { type: "refused", url: "http://x", status: 418, refusal: "other", reason: { en: "不行", zh: "不行" } } }),
        ],
    ],
    ["an answer that was cut", "failed", [failed({ finish: { type: "perhapsCut" }, cut: "end" }), ended({ zh: "回答不完整" })]],
    ["a framework that failed", "failed", [ended({ zh: "框架出错" })]],
    ["a limit", "limited", [ended({ status: "limited", reached: { type: "requests", requests: 3 } })]],
];

it.each(OUTCOMES)("has no English in an outcome: %s", async (name, status, steps) => {
    const run = detail(steps, { status, error: steps.length > 0 ? ERROR : null, endedAt: status === "running" ? null : 1_790_000_001_840 });
    await lookAt(name, RunOutcome, { detail: run });
    for (const pinned of [false, true]) {
        await lookAt(`${name}, above`, RunHeader, {
            run: { ...run.summary, pinned, setup: { ...run.summary.setup, neutral: [{ shown: "/skills", real: "/技能" }] } },
            onback: () => undefined,
        });
    }
    expect(found()).toEqual({});
});

it("has no English in what is said of a run that was not recorded, and of its file", async () => {
    fake.savePicked = "/home/ada/run.jsonl";
    await lookAt("unsaved", UnsavedRun, { run: summary({ unsaved: { en: "the disk is full", zh: "磁盘已满" } }) });
    await click("run-unsaved-save");
    await lookAt("saved", Toasts, {});
    expect(screen.getByTestId("toast").textContent).toContain("已保存到 /home/ada/run.jsonl");
    expect(found()).toEqual({});
});

const EINO: HarnessInfo = { id: "eino", title: "Eino", group: "framework", runs: true, variants: [] };
const MODEL: ModelInfo = {
    id: "另一个",
    title: "另一个",
    rehearsal: false,
    baseUrl: null,
    key: { source: "none", name: null, state: "unneeded", reason: null, hint: null, why: null },
    ready: true,
    context: null,
    counts: false,
    preset: null,
    entry: null,
};

it("has no English in how a run goes on", async () => {
    const { setup } = summary();
    const asked = { ...setup, rehearsal: false, model: "一个" };
    const onsay = () => Promise.resolve(true);
    const ways: [name: string, run: RunSummary, more: Partial<Parameters<typeof GoOn>[1]>][] = [
        ["rehearsed", summary(), {}],
        ["running", summary({ status: "running" }), { onstop: () => undefined }],
        ["limited", summary({ status: "limited", setup: asked }), {}],
        ["recorded elsewhere", summary({ setup: { ...asked, imported: "codex" } }), { frameworks: [EINO], framework: "eino" }],
        ["without a model", summary({ setup: { ...asked, imported: "codex" } }), { frameworks: [EINO], framework: "eino", models: [] }],
    ];
    for (const [name, run, more] of ways) {
        await lookAt(name, GoOn, { run, models: [MODEL], onsay, ...more });
    }
    expect(found()).toEqual({});
});

it("has no English in verdicts", async () => {
    for (const judged of ["pass", "fail", "unsure"] as const) {
        await lookAt(judged, VerdictTag, { judged });
    }
    expect(found()).toEqual({});
});
