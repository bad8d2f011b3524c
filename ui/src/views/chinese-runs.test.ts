/** Runs in Chinese: whatever can be opened of a recorded run. */
import { fireEvent, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { FakeHost } from "../host/fake";
import { FILES_OF_RUN } from "../host/fake/changes";
import { ALL } from "../host/fake/run-index";
import { app } from "../state/app.svelte";
import { forks } from "../state/fork.svelte";
import { pairing } from "../state/pair.svelte";
import { retention } from "../state/retention.svelte";
import { runs } from "../state/runs.svelte";
import { search } from "../state/search.svelte";
import { click, closeWindow, found, look, openWindow, press, settled, type, type Sight } from "../test-chinese";

let fake: FakeHost;

beforeEach(async () => {
    fake = await openWindow();
    pairing.first = null;
    pairing.choosing = null;
    forks.draft = null;
    retention.open = false;
    search.type("");
});
afterEach(closeWindow);

const failed = {
    code: "io",
    message: "the disk is full",
    messageZh: "磁盘已满",
    hint: "free some room",
    hintZh: "请腾出空间",
    path: null,
    why: null,
};

/** Opens a recorded run at a step. */
async function openRun(step = 0): Promise<void> {
    app.go("traces");
    const [row] = await screen.findAllByTestId("run-row");
    await fireEvent.click(row?.querySelector("button") ?? document.body);
    await screen.findByTestId("run-view");
    await click("step-row", step);
}

/** Chooses from the menu of a run in the list. */
async function choose(text: string): Promise<void> {
    app.go("traces");
    await fireEvent.keyDown((await screen.findAllByTestId("run-export"))[0] ?? document.body, { key: "Enter" });
    await settled();
    look("the menu of a run");
    await fireEvent.click(await screen.findByText(text));
}

/** Clicks each of these, and looks. */
async function each(testid: string, where: string): Promise<void> {
    for (const place of await screen.findAllByTestId(testid)) {
        await fireEvent.click(place);
        await settled();
        look(`${where}: ${place.textContent.trim()}`);
    }
}

const SIGHTS: Sight[] = [
    [
        "two runs side by side",
        "pair-detail",
        async () => {
            app.go("traces");
            await click("run-pair", 0);
            look("the first run of a pair");
            await click("run-pair", 1);
            await screen.findByTestId("pair-detail");
            await each("pair-row", "a pair");
        },
    ],
    ["the run to compare with", "pair-chooser", async () => (await openRun(), await click("run-compare"))],
    [
        "a presentation",
        "presenter-end",
        async () => {
            await openRun();
            await press("f");
            for (let scene = 1; scene < 10; scene++) {
                look(`scene ${scene}`);
                await press("PageDown");
            }
        },
    ],
    ["a presentation that is blank", "presenter-blank", async () => (await openRun(), await press("f"), await press("b"))],
    [
        "recorded calls and the skills of today",
        "check-change",
        async () => {
            app.go("traces");
            await click("run-check-open");
            await screen.findByTestId("check-told");
            await click("check-diff");
        },
    ],
    [
        "an import that fails",
        "import-text",
        async () => {
            fake.on("run_import", () => Promise.reject(failed));
            app.go("traces");
            await click("import-run");
            look("import");
            await type("import-text", "{}");
            await click("import-do");
        },
    ],
    [
        "what was not imported",
        "import-result",
        async () => {
            fake.on("run_import_file", () => ({
                runs: ["run-2"],
                format: "codex",
                unreadable: 0,
                unread: [{ line: 7, reason: { en: "not valid JSON", zh: "不是有效的 JSON" } }],
                unreadCount: 3,
                unknown: [{ kind: "turn_diff", count: 2 }],
                keys: 1,
                stopped: false,
            }));
            app.go("traces");
            await click("import-run");
            await type("import-path", "/home/ada/rollout.jsonl");
            await click("import-do");
        },
    ],
    ["a run as a page", "replay-dialog", () => choose("保存为回放页面…")],
    [
        "a run for a tracing back end",
        "push-error",
        async () => {
            fake.on("run_push", () => Promise.reject(failed));
            await choose("发送到追踪后端…");
            await click("push-contents");
            await click("push-send");
        },
    ],
    [
        "the files that a run changed",
        "file-change",
        async () => {
            const [turn] = FILES_OF_RUN.turns;
            const one = { ...turn, files: turn?.files ?? [], more: 2, partial: true };
            fake.on("run_files", () => ({
                ...FILES_OF_RUN,
                turns: [
                    ...FILES_OF_RUN.turns,
                    { ...one, known: "found", skills: [{ name: "unit-converter", same: false }] },
                    { ...one, known: "reported", skills: [{ name: "unit-converter", same: null }] },
                ],
                outside: [{ path: "/home/ada/notes.txt", size: 12 }],
            }));
            await openRun();
            await click("run-files");
            look("changed files");
            await each("file-look", "a changed file");
        },
    ],
    [
        "files that would be replaced",
        "files-replace",
        async () => {
            fake.folderPicked = "/home/ada/out";
            await openRun();
            await click("run-files");
            await click("files-save-all");
        },
    ],
    ["the question before a run is deleted", "run-delete-confirm", async () => (app.go("traces"), await click("run-delete"))],
    ["steps that a search finds", "found-step", async () => (app.go("traces"), await type("run-search", "kind:tool conversion-table"))],
    [
        "a search that finds nothing",
        "search-told",
        async () => {
            fake.on("run_search", () => ({ runs: [], more: false, running: 0, waiting: 0 }));
            app.go("traces");
            await type("run-search", "kg");
        },
    ],
    [
        "a search that makes no sense",
        "search-error",
        async () => {
            fake.on("run_search", () => Promise.reject(failed));
            app.go("traces");
            await type("run-search", "bogus:1");
        },
    ],
    [
        "runs that are indexed",
        "search-told",
        async () => {
            // As long as runs are indexed, it is asked again.
            const waits = { runs: [], more: true, running: 1, waiting: 2 };
            let asked = 0;
            fake.on("run_search", () => (asked++ === 0 ? waits : new Promise(() => undefined)));
            app.go("traces");
            await type("run-search", "kg");
        },
    ],
    [
        "a note",
        "step-note",
        async () => {
            await openRun(2);
            await click("note-add");
            look("a note that is written");
            await type("note-text", "好");
            await click("note-save");
            await click("step-bookmark");
        },
    ],
    [
        "a verdict",
        "run-verdict",
        async () => {
            await openRun();
            await click("run-judge");
            look("a verdict that is given");
            await click("verdict-fail");
            await fireEvent.submit(document.querySelector("#verdict-form") ?? document.body);
            await screen.findByTestId("run-verdict");
            await click("run-judge");
        },
    ],
    [
        "a fork at a call",
        "fork-error",
        async () => {
            fake.on("run_fork", () => Promise.reject(failed));
            await openRun(2);
            await press("r");
            for (const way of ["again", "result", "say"]) {
                await click(`fork-way-${way}`);
                look(`fork: ${way}`);
            }
            await type("fork-text", "再来一次");
            await fireEvent.change(screen.getByTestId("fork-harness"), { target: { value: "eino" } });
            await click("fork-start");
        },
    ],
    ["a fork at the prompt", "fork-text", async () => (await openRun(), await press("r"))],
    [
        "which runs are kept",
        "retention-told",
        async () => {
            app.go("traces");
            await click("retention-open");
            await type("retention-days", "x");
            look("retention that makes no sense");
            await type("retention-days", "30");
            await waitFor(() => expect(screen.getByTestId("retention-told").textContent).toContain("保存时将移除"));
        },
    ],
    [
        "a model without a key, and a limit that cannot be kept",
        "limits-wrong",
        async () => {
            app.go("run");
            await fireEvent.change(await screen.findByTestId("run-model"), { target: { value: "gpt" } });
            await screen.findByTestId("model-not-ready");
            await type("run-limit-turns", "many");
        },
    ],
    [
        "a run that cannot be read",
        "unreadable-runs",
        async () => {
            const index = await fake.call("run_index", ALL);
            fake.on("run_index", () => ({
                ...index,
                unreadable: [{ id: "0193", reason: { en: "EOF while parsing", zh: "文件在此中断" } }],
            }));
            app.go("traces");
            await runs.load();
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
