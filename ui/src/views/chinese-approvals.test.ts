/** Questions in Chinese: what each kind of effect would do, what confines it, and what it would do with other arguments. */
import { cleanup, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ApiError, Effect, Enforcement, Layer, Measure, Trial } from "../generated/api";
import { setLocale } from "../i18n";
import { click, found, look, lookAt, settled, speakChinese, type } from "../test-chinese";
import { call } from "../trace/sample";
import ApprovalCard from "./run/ApprovalCard.svelte";
import ApprovalOutlook from "./run/ApprovalOutlook.svelte";
import CutCard from "./run/CutCard.svelte";

beforeEach(() => void speakChinese());
afterEach(() => {
    cleanup();
    setLocale("en");
});

type Each<Union extends { type: string }> = { [Type in Union["type"]]: Extract<Union, { type: Type }>[] };

const EFFECTS: Each<Effect> = {
    disclose: [
        { type: "disclose", skill: "换算", resource: null },
        { type: "disclose", skill: "换算", resource: "references/表.md" },
    ],
    readFile: [{ type: "readFile", path: "/技能/表.md", approval: true }],
    runScript: [
        {
            type: "runScript",
            skill: "换算",
            script: "scripts/算.py",
            path: "/技能/scripts/算.py",
            interpreter: "/usr/bin/python3",
            arguments: [],
            approval: false,
            workingDirectory: null,
        },
    ],
    shell: [{ type: "shell", command: `算 1\n\n\n\n\n\n${" ".repeat(50)}算 2${"\n算".repeat(20)}`, workingDirectory: "/技能", timeout: 5 }],
    shells: [{ type: "shells", commands: ["算 1", "算 2"], workingDirectory: null, timeout: null, untilFailure: true }],
    writeFile: [{ type: "writeFile", path: "/技能/表.md", text: "表" }],
    writeFiles: [{ type: "writeFiles", files: [{ path: "/技能/表.md", text: "表" }] }],
    fileHistory: [{ type: "fileHistory", path: "/技能/表.md", revisions: 3 }],
    listFolder: [{ type: "listFolder", path: "/技能", depth: 2 }],
    findFiles: [{ type: "findFiles", path: "/技能", pattern: "*.md" }],
    searchFiles: [
        { type: "searchFiles", path: "/技能", pattern: "表", files: null, ignoreCase: true, multiline: true },
        { type: "searchFiles", path: "/技能", pattern: "表", files: "*.md", ignoreCase: false, multiline: false },
    ],
    askModel: [{ type: "askModel", model: "另一个" }],
    delegate: [
        {
            type: "delegate",
            agent: null,
            model: null,
            withHistory: true,
            messages: [{ role: "user", text: "换算" }],
            tools: [],
            iterations: 5,
            maxTokens: null,
        },
        {
            type: "delegate",
            agent: "换算",
            model: "另一个",
            withHistory: false,
            messages: [],
            tools: [],
            iterations: null,
            maxTokens: null,
        },
    ],
    summarise: [{ type: "summarise", messages: [], maxTokens: 500 }],
};

const LAYERS: Record<Layer, true> = { bubblewrap: true, landlock: true, seatbelt: true };
const MEASURES: Record<Measure, true> = {
    files: true,
    temporary: true,
    network: true,
    processes: true,
    systemCalls: true,
    rules: true,
    environment: true,
    time: true,
    processor: true,
    memory: true,
    processCount: true,
    fileSize: true,
    openFiles: true,
    output: true,
};

function named<Name extends string>(names: Record<Name, true>): Name[] {
    return Object.keys(names).filter((name): name is Name => name in names);
}

const reason = { en: "bwrap is not installed", zh: "未安装 bwrap" };
const measures = named(MEASURES);
const NONE: Enforcement = { layer: null, inForce: [], missing: measures, reason, interpreter: "/usr/bin/python3" };
const ENFORCEMENTS: Enforcement[] = [
    NONE,
    ...named(LAYERS).flatMap((layer) => [
        { ...NONE, layer, inForce: measures, missing: [], reason: null },
        { ...NONE, layer },
    ]),
];

const refused: ApiError = {
    code: "invalid",
    message: "the run is over",
    messageZh: "运行已结束",
    hint: "look at it",
    hintZh: "请查看",
    path: null,
    why: null,
};

const TRIALS: Each<Trial> = {
    does: [{ type: "does", effect: EFFECTS.listFolder[0]!, leadsTo: "/别处", enforcement: NONE }],
    replies: [
        { type: "replies", text: "没有这个工具", isError: true },
        { type: "replies", text: "2.2", isError: false },
    ],
    refused: [{ type: "refused", why: { en: "it is not among its parameters", zh: "不在参数之列" } }],
};

function ask(asked: Effect, more: { enforcement?: Enforcement; skills?: string[]; ontry?: () => Promise<Trial> } = {}) {
    return {
        call: call("convert", '{"value": 1}'),
        asked,
        leadsTo: "/实际/位置",
        enforcement: more.enforcement ?? null,
        skills: more.skills ?? [],
        answered: false,
        ondecide: () => undefined,
        ontry: more.ontry ?? (() => Promise.reject(refused)),
    };
}

it("has no English in what any effect would do, and in what is asked about it", async () => {
    for (const effect of Object.values(EFFECTS).flat()) {
        await lookAt(effect.type, ApprovalCard, ask(effect));
        expect(screen.getByTestId("approval-effect").dataset["effect"]).toBe(effect.type);
        await click("approve-stub");
        look(`${effect.type}: a result`);
    }
    expect(found()).toEqual({});
});

it("has no English in what confines it, and in answers that can be kept", async () => {
    for (const enforcement of ENFORCEMENTS) {
        for (const skills of [["换算"], ["换算", "翻译"]]) {
            await lookAt(`${enforcement.layer ?? "none"}, ${skills.length}`, ApprovalCard, ask(EFFECTS.shell[0]!, { enforcement, skills }));
            expect(screen.getByTestId("approval-sandbox").dataset["layer"]).toBe(enforcement.layer ?? "none");
        }
    }
    expect(found()).toEqual({});
});

it("has no English in what it would do with other arguments", async () => {
    for (const trial of Object.values(TRIALS).flat()) {
        await lookAt(trial.type, ApprovalOutlook, { asked: null, leadsTo: null, enforcement: null, trial, error: null, stale: false });
    }
    await lookAt("untried", ApprovalCard, ask(EFFECTS.shell[0]!));
    await type("approval-arguments", '{"value": 2}');
    await screen.findByTestId("approval-untried");
    await settled();
    look("untried");
    for (const broken of ['{"value": 1', '{"value": 一}', "[]"]) {
        await type("approval-arguments", broken);
        look(`the arguments ${broken}`);
    }
    expect(found()).toEqual({});
});

it("has no English in the question about an answer that may be cut off", async () => {
    for (const calls of [[], [call("convert", "{}"), call("read", "{}")]]) {
        await lookAt(`${calls.length} calls`, CutCard, { calls, answered: false, onchoose: () => undefined });
    }
    expect(found()).toEqual({});
});
