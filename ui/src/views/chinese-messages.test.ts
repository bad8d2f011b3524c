/** What is said in Chinese once something is done, or cannot be: messages, and states of dialogs that a test must bring about. */
import { fireEvent, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Checked, KeyState, RunFile, SecurityVerdict, TurnFiles, Unkept, Worded } from "../generated/api";
import type { FakeHost } from "../host/fake";
import { app } from "../state/app.svelte";
import { editor } from "../state/editor.svelte";
import { extract } from "../state/extract.svelte";
import { fixes } from "../state/fixes.svelte";
import { history } from "../state/history.svelte";
import { launch } from "../state/launch.svelte";
import { models } from "../state/models.svelte";
import { packages } from "../state/packages.svelte";
import { pairing } from "../state/pair.svelte";
import { retention } from "../state/retention.svelte";
import { runs } from "../state/runs.svelte";
import { search } from "../state/search.svelte";
import { skills } from "../state/skills.svelte";
import { toasts } from "../state/toasts.svelte";
import { click, closeWindow, found, look, lookAt, openWindow, settled, type, type Sight } from "../test-chinese";
import Security from "./lint/Security.svelte";
import FoundRuns from "./trace/FoundRuns.svelte";
import ImportResult from "./trace/ImportResult.svelte";

const OWN = "/home/ada/work/skills/log-analyzer";
const TEXT = `${OWN}/SKILL.md`;

let fake: FakeHost;

beforeEach(async () => {
    fake = await openWindow();
});

afterEach(() => {
    retention.open = models.open = false;
    extract.cancel();
    history.close();
    search.type("");
    pairing.first = null;
    while (packages.incoming !== null) {
        packages.close();
    }
    closeWindow();
});

async function choose(text: string): Promise<void> {
    app.go("traces");
    await fireEvent.keyDown((await screen.findAllByTestId("run-export"))[0] ?? document.body, { key: "Enter" });
    await fireEvent.click(await screen.findByText(text));
    await settled();
}

async function openRun(step = 0): Promise<void> {
    app.go("traces");
    await fireEvent.click((await screen.findAllByTestId("run-row"))[0]?.querySelector("button") ?? document.body);
    await screen.findByTestId("run-view");
    await click("step-row", step);
}

async function edit(path = TEXT): Promise<void> {
    await editor.open(path);
    await screen.findByTestId("editor-content");
    await settled();
}

/** Of a message that is no longer shown, nothing is to be seen. */
async function said(where: string): Promise<void> {
    await screen.findAllByTestId("toast");
    await settled();
    look(where);
    toasts.list = [];
}

const KEPT: Record<Unkept, true> = { binary: true, large: true, full: true, secret: true, link: true, passing: true, unreadable: true };

const RESULTS: { [Type in Checked["type"]]: Extract<Checked, { type: Type }>[] } = {
    same: [{ type: "same" }],
    changed: [{ type: "changed", recorded: "一", now: "二" }],
    unresolved: [{ type: "unresolved", recorded: "一", now: "没有" }],
    notRun: [
        { type: "notRun", unchanged: true },
        { type: "notRun", unchanged: false },
        { type: "notRun", unchanged: null },
    ],
    refused: [{ type: "refused" }],
    unchecked: [{ type: "unchecked", reason: { en: "the tool asks the model", zh: "工具要询问模型" } }],
};

const reason: Worded = { en: "not valid JSON", zh: "不是有效的 JSON" };

const SIGHTS: Sight[] = [
    [
        "a run that is sent, and one that is sent in part",
        "push-dialog",
        async () => {
            fake.on("otlp_state", () => ({
                endpoint: null,
                live: false,
                contents: true,
                skills: true,
                path: "/home/ada/.config/skill-workbench/models.yaml",
            }));
            await choose("发送到追踪后端…");
            await type("push-to", "http://localhost:4318");
            look("no back end is set");
            await click("push-send");
            await said("sent");
            let arrive = (): void => undefined;
            fake.on("run_push", async () => {
                await new Promise<void>((done) => (arrive = done));
                return { url: "http://localhost:4318/v1/traces", spans: 8, rejected: 2, reason: "太大" };
            });
            await choose("发送到追踪后端…");
            await type("push-to", "http://localhost:4318");
            await click("push-send");
            look("sending");
            arrive();
            await screen.findByText(/拒收/);
        },
    ],
    [
        "a page with a key, and one with nothing to take out",
        "replay-dialog",
        async () => {
            fake.savePicked = "/home/ada/run.html";
            fake.on("replay_private", () => [{ kind: "key", text: "sk-…", count: 1 }]);
            await choose("保存为回放页面…");
            look("a key");
            await click("replay-save");
            await said("saved");
            fake.on("replay_private", () => []);
            await choose("保存为回放页面…");
        },
    ],
    ["a copy of a run", "toast", () => choose("复制为剧本")],
    [
        "an import that goes on",
        "import-stop",
        async () => {
            fake.on("run_import_file", () => new Promise(() => undefined));
            app.go("traces");
            await click("import-run");
            await type("import-path", "/home/ada/rollout.jsonl");
            await click("import-do");
            look("an import");
            const asked = fake.calls.find((call) => call.name === "run_import_file")?.args;
            const name = typeof asked === "object" && asked !== null ? String(Reflect.get(asked, "import")) : "";
            for (const stored of [null, 40]) {
                fake.push({ type: "importProgress", import: name, read: 10, size: 20, stored });
                await settled();
                look(`an import, stored ${stored ?? 0}`);
            }
        },
    ],
    [
        "runs that go by what is kept",
        "retention-told",
        async () => {
            app.go("traces");
            await click("retention-open");
            await type("retention-gigabytes", "x");
            look("room that makes no sense");
            const run = (at: number) => ({
                run: `run-${at}`,
                prompt: "换算",
                at: 0,
                bytes: 1e6,
                why: at > 0 ? ("room" as const) : ("old" as const),
            });
            const runs = Array.from({ length: 60 }, (_, at) => run(at));
            fake.on("run_prune", () => ({ runs, bytes: 9e7, freed: 6e7, reusable: 1, pinned: 1, reviewed: 2 }));
            await type("retention-gigabytes", "1");
            await waitFor(() => expect(screen.getByTestId("retention-told").textContent).toContain("60"));
            look("runs that go");
            await click("retention-save");
            await said("runs that went");
            retention.open = true;
        },
    ],
    [
        "files of a run that are not kept",
        "changed-files",
        async () => {
            const file = (unkept: Unkept): RunFile => ({ path: unkept, change: "changed", size: 12, unkept, saveable: true });
            const kinds = Object.keys(KEPT).filter((kind): kind is Unkept => kind in KEPT);
            const turn = { known: "recorded", files: kinds.map(file), more: 1, partial: true, skills: [] } satisfies TurnFiles;
            fake.on("run_files", () => ({ turns: [turn], folder: "/运行", outside: [] }));
            fake.on("run_file", ({ path }) => ({
                change: "changed",
                before: null,
                after: null,
                unkept: kinds.find((kind) => kind === path) ?? null,
                pieces: [],
            }));
            fake.on("run_files_save", () => ({ saved: ["/一"], existing: [], leftOut: ["二"] }));
            fake.folderPicked = "/home/ada/out";
            await openRun();
            await click("run-files");
            for (const [at, kind] of kinds.entries()) {
                await click("file-look", at);
                look(`not kept: ${kind}`);
            }
            await click("files-save-all");
            await said("saved");
        },
    ],
    [
        "a run that changed no file",
        "files-none",
        async () => {
            const turn = { known: "nothing", files: [], more: 0, partial: false, skills: [] } satisfies TurnFiles;
            fake.on("run_files", () => ({ turns: [turn], folder: null, outside: [] }));
            await openRun();
            await click("run-files");
        },
    ],
    [
        "each result of a check",
        "checked-call",
        async () => {
            const calls = Object.values(RESULTS)
                .flat()
                .map((result, step) => ({ step, tool: "convert", arguments: "{}", result }));
            const check = {
                run: "run-2",
                played: "run-9",
                harness: "eino",
                variant: "go-0.9",
                roots: ["/技能"],
                bad: 2,
                refused: 1,
                calls,
            };
            for (const found of [{ ...check, calls: [] }, { ...check, bad: 0, refused: 0, played: null }, check]) {
                fake.on("run_check", () => found);
                app.go("traces");
                await click("run-check-open");
                await screen.findByTestId("run-check");
                await settled();
                look(`a check of ${found.calls.length} calls, ${found.bad} bad`);
                if (found !== check) {
                    await click("check-back");
                }
            }
        },
    ],
    [
        "a note and a verdict that are deleted",
        "run-view",
        async () => {
            await openRun(2);
            await click("note-add");
            await type("note-text", "好");
            await click("note-save");
            await click("note-delete");
            await said("a note that is deleted");
            await click("run-judge");
            await click("verdict-pass");
            await fireEvent.submit(document.querySelector("#verdict-form") ?? document.body);
            await screen.findByTestId("run-verdict");
            await click("run-judge");
            await click("verdict-remove");
            await said("a verdict that is removed");
        },
    ],
    [
        "a text that is moved to a file, and that cannot be",
        "toast",
        async () => {
            await skills.fetch(OWN);
            await edit(`${OWN}/scripts/window.py`);
            extract.ask();
            await said("no Markdown");
            await edit();
            const file = editor.active;
            if (file !== null) {
                file.selected = { from: file.text.indexOf("\n# "), to: file.text.length };
            }
            extract.ask();
            await screen.findByTestId("extract-dialog");
            await type("extract-name", "references/more.md");
            await fireEvent.submit(document.querySelector("form:has([data-testid=extract-name])") ?? document.body);
            await settled();
        },
    ],
    ["a caret without a problem", "toast", async () => (await edit(), fixes.atCaret())],
    [
        "an earlier text that is restored",
        "toast",
        async () => {
            await edit();
            const file = editor.active;
            if (file !== null) {
                file.write(`${file.text}more\n`);
                await editor.save(file);
                void history.open(file);
            }
            await screen.findByTestId("history-restore");
            await click("history-before");
            look("what a version changed");
            await click("history-restore");
        },
    ],
    [
        "keys, as they are",
        "key-state",
        async () => {
            await models.show();
            await click("model-add");
            const presets = screen.getAllByTestId("model-preset");
            await click(
                "model-preset",
                presets.findIndex((each) => each.dataset["preset"] === ""),
            );
            const key: KeyState = { source: "keyring", name: "some", state: "set", reason: null, hint: null, why: null };
            for (const state of ["set", "printed", "missing", "unusable", "unneeded"] as const) {
                fake.on("key_state", () => ({ ...key, state }));
                await click("key-source-keyring");
                await type("key-name", `some-${state}`);
                await waitFor(() => expect(screen.getByTestId("key-state").dataset["state"]).toBe(state));
                look(`a key: ${state}`);
            }
        },
    ],
    [
        "scenes that cannot be played, and servers that can be used",
        "prompt-box",
        async () => {
            const screenplay = { prompt: "换算", title: "换算", steps: [] };
            fake.on("screenplay_list", () => [
                { path: "/一.yaml", name: "一", screenplay, error: { en: "no steps", zh: "没有步骤" } },
                { path: "/二.yaml", name: "二", screenplay: { ...screenplay, images: ["图.png"] }, error: null },
            ]);
            fake.on("model_offers", () => [
                { preset: "openai", keyEnv: "OPENAI_API_KEY" },
                { preset: "ollama", keyEnv: null },
            ]);
            fake.on("model_list", () => ({ models: [], path: "/模型.yaml", version: null, error: "broken", errorZh: "文件损坏" }));
            app.go("run");
            await launch.load();
            await settled();
            look("scenes");
            await type("prompt-box", "别的");
            await settled();
        },
    ],
    [
        "verdicts on security",
        "security",
        async () => {
            const verdicts: SecurityVerdict[] = ["clear", "hints", "look", "dangerous"];
            const [some] = (await fake.call("package_look", { path: "/home/ada/two.skill" })).skills[1]?.findings ?? [];
            const steps = [{ path: TEXT, range: null, message: "it reads a key", messageZh: "读取密钥" }];
            const evidence = some === undefined ? [] : [{ finding: { ...some, steps }, listed: false }];
            for (const verdict of verdicts) {
                await lookAt(verdict, Security, { security: { skill: OWN, verdict, evidence }, name: () => "SKILL.md" });
            }
        },
    ],
    [
        "found steps of each kind",
        "found-step",
        async () => {
            const kinds = ["prompt", "answer", "tool", "note", "end", "system"] as const;
            const steps = kinds.map((kind, step) => ({ step, kind, tool: null, excerpt: [{ text: "公斤", found: true }] }));
            await runs.load();
            await lookAt("found steps", FoundRuns, { found: [{ run: "run-2", steps, more: true }], onopen: () => undefined });
        },
    ],
    [
        "an import that was stopped",
        "import-result",
        async () => {
            const imported = { runs: [], format: "codex", unreadable: 1, unread: [{ line: 7, reason }], unreadCount: 3 } as const;
            await lookAt("stopped", ImportResult, {
                imported: {
                    ...imported,
                    runs: [],
                    unread: [{ line: 7, reason }],
                    unknown: [{ kind: "turn_diff", count: 2 }],
                    keys: 1,
                    stopped: true,
                },
                onopen: () => undefined,
            });
        },
    ],
    [
        "a package that was imported",
        "toast",
        async () => {
            const { summary } = await fake.call("skill_get", { id: OWN });
            fake.on("package_open", () => [summary]);
            packages.open("/home/ada/Downloads/two.skill");
            await screen.findAllByTestId("package-skill");
            await type("package-name", "words");
            await click("package-renames");
            look("names that differ");
            await click("package-take");
            await screen.findByText("已导入 1 个技能");
        },
    ],
];

it.each(SIGHTS)("has no English in %s", async (name, testid, open) => {
    await open(fake);
    await screen.findAllByTestId(testid);
    await settled();
    look(name);
    expect(found()).toEqual({});
});
