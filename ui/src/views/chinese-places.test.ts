/** The inner parts of the places in Chinese: what is opened of frameworks, rules, texts and traces, and places with nothing in them. */
import { fireEvent, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { GitHistory, SandboxState } from "../generated/api";
import type { FakeHost } from "../host/fake";
import { approvals } from "../state/approvals.svelte";
import { app } from "../state/app.svelte";
import { collisions } from "../state/collisions.svelte";
import { compare } from "../state/compare.svelte";
import { editor } from "../state/editor.svelte";
import { find } from "../state/find.svelte";
import { history } from "../state/history.svelte";
import { launch } from "../state/launch.svelte";
import { lint } from "../state/lint.svelte";
import { outside } from "../state/outside.svelte";
import { runs } from "../state/runs.svelte";
import { skills } from "../state/skills.svelte";
import { click, closeWindow, found, look, openWindow, press, settled, type, type Sight } from "../test-chinese";

const TEXT = "/home/ada/work/skills/log-analyzer/SKILL.md";

let fake: FakeHost;

beforeEach(async () => {
    fake = await openWindow();
});

afterEach(() => {
    history.close();
    outside.cancel();
    app.paletteOpen = find.open = collisions.open = approvals.open = false;
    lint.view = null;
    launch.model = "";
    closeWindow();
});

/** Clicks each of these that is there, and looks. */
async function each(testid: string): Promise<void> {
    for (const place of screen.getAllByTestId(testid)) {
        await fireEvent.click(place);
        await settled();
        look(`${testid}: ${place.textContent.trim()}`);
    }
}

async function unfold(testid: string): Promise<void> {
    for (const entry of screen.getAllByTestId(testid)) {
        if (entry instanceof HTMLDetailsElement) {
            entry.open = true;
            await fireEvent(entry, new Event("toggle"));
        }
    }
    await settled();
}

async function inspect(testid: string): Promise<void> {
    await skills.load();
    app.go("inspect");
    await screen.findByTestId(testid);
    await settled();
}

async function side(choices: { harness: string; variant: string }[] | null): Promise<void> {
    app.go("compare");
    await waitFor(() => expect(compare.choices.length).toBeGreaterThan(0));
    if (choices === null) {
        await compare.all();
    } else {
        compare.choices = choices;
        await compare.refresh();
    }
    await settled();
}

async function trace(run: string): Promise<void> {
    app.go("traces");
    const rows = await screen.findAllByTestId("run-row");
    await fireEvent.click(rows.find((row) => row.dataset["run"] === run)?.querySelector("button") ?? document.body);
    await screen.findByTestId("run-view");
    await settled();
}

async function edit(path = TEXT): Promise<void> {
    await editor.open(path);
    await screen.findByTestId("editor-content");
    await settled();
}

async function versions(git: GitHistory): Promise<void> {
    await edit();
    fake.on("file_history", () => ({ saved: [], git }));
    if (editor.active !== null) {
        void history.open(editor.active);
    }
    await screen.findByTestId("history");
    await settled();
    look(`versions: ${git.type}`);
    history.close();
    await settled();
}

const MACHINE: SandboxState = {
    layer: null,
    reason: { en: "bwrap is not installed", zh: "未安装 bwrap" },
    mode: "prefer",
    folderMb: 512,
    venv: "/home/ada/venv",
    neutralPaths: true,
    notNeutral: { en: "neutral paths need a sandbox", zh: "中性路径需要沙箱" },
};

const SIGHTS: Sight[] = [
    [
        "what every framework sends",
        "inspect-view",
        async () => {
            await inspect("inspect-view");
            for (const option of screen.getByTestId<HTMLSelectElement>("inspect-harness").options) {
                await fireEvent.change(screen.getByTestId("inspect-harness"), { target: { value: option.value } });
                await settled();
                look(`inspect ${option.value}`);
            }
            await fireEvent.change(screen.getByTestId("inspect-harness"), { target: { value: "agent-framework" } });
            await settled();
        },
    ],
    [
        "tools and skills that are unfolded",
        "tool-raw",
        async () => {
            await inspect("inspect-view");
            await click("inspect-tab-tools");
            look("tools");
            await each("tool-raw");
            await unfold("inspect-skill");
        },
    ],
    [
        "what can be copied of a framework",
        "inspect-copy",
        async () => {
            await inspect("inspect-copy");
            await fireEvent.keyDown(screen.getByTestId("inspect-copy"), { key: "Enter" });
            await settled();
        },
    ],
    [
        "the texts that several frameworks send",
        "compare-text",
        async () => {
            fake.on("text_diff", ({ a, b }) => [
                { kind: "removed", text: a },
                { kind: "added", text: b },
            ]);
            await side(null);
            await click("compare-tab-tools");
            look("tools");
            await click("compare-tab-instructions");
            await click("difference-next");
            look("the next difference");
        },
    ],
    [
        "what several frameworks make of a skill",
        "compare-more",
        async () => {
            await side(null);
            await click("compare-details");
            await screen.findByTestId("compare-more");
        },
    ],
    ["one framework alone", "compare-one", () => side([{ harness: "agent-framework", variant: "seed" }])],
    [
        "rules and their cards",
        "rule-card",
        async () => {
            await edit();
            lint.open();
            await screen.findAllByTestId("rule-row");
            await type("rule-search", "qwertz");
            look("no rule");
            await type("rule-search", "");
            await click("rule-row");
        },
    ],
    [
        "a palette that finds runs and rules, and nothing",
        "palette",
        async () => {
            await runs.load();
            await fireEvent.keyDown(window, { key: "k", ctrlKey: true });
            for (const words of ["公斤", "description", "qwertz"]) {
                await type("palette-input", words);
                look(`palette: ${words}`);
            }
        },
    ],
    [
        "a search that finds nothing",
        "find-too-large",
        async () => {
            const large = { path: "/home/ada/work/skills/log-analyzer/large.txt", skillName: "log-analyzer", name: "large.txt", size: 9 };
            fake.on("text_find", () => ({ files: [], looked: 9, of: 9, tooLarge: [large], textLimit: 1 << 20, next: null }));
            find.show();
            await type("find-text", "qwertz");
            await screen.findByText("没有找到");
        },
    ],
    ["a filter that no skill matches", "skill-filter", () => type("skill-filter", "qwertz")],
    [
        "a form of a text that is not YAML",
        "source-toggle",
        async () => {
            await edit();
            editor.active?.write("---\nname: [\n---\n");
            await click("form-toggle");
        },
    ],
    [
        "the versions of a file, however git is",
        "editor-content",
        async () => {
            fake.on("text_lines", () => ({ added: 0, removed: 0, places: [] }));
            await versions({ type: "none" });
            await versions({ type: "missing" });
            await versions({ type: "failed", said: "仓库损坏", untrusted: false });
            await versions({ type: "failed", said: "仓库属于他人", untrusted: true });
            await versions({ type: "revisions", revisions: [], more: false });
            await versions({
                type: "revisions",
                revisions: [{ id: "0123456789abcdef", committedAt: 1_790_000_000_000, author: "阿达", subject: "修改" }],
                more: true,
            });
        },
    ],
    [
        "a run with a sub-agent",
        "agent-lane",
        async () => {
            await trace("run-delegated");
            await click("agent-lane");
            look("a sub-agent");
            await click("eager");
            for (const key of ["a", "A", "e", "E"]) {
                await press(key);
            }
        },
    ],
    [
        "a run, the one before it, and one behind it",
        "fork-lane",
        async () => {
            const page = await fake.call("run_page", { run: "run-2", from: 0, most: 99 });
            const [, other] = await fake.call("run_some", { runs: ["run-2", "run-delegated"] });
            for (const before of [other ?? null, null]) {
                const from = { run: before?.id ?? "gone", step: 2 };
                const summary = { ...page.summary, setup: { ...page.summary.setup, forked: from } };
                fake.on("run_page", (args) => ({ ...page, summary, steps: page.steps.slice(args.from, args.from + args.most) }));
                fake.on("run_tree", () => ({
                    runs: [
                        { run: from.run, depth: 0, from: null, summary: before },
                        { run: "run-2", depth: 1, from, summary },
                        { run: "behind", depth: 2, from: { run: "run-2", step: 3 }, summary: { ...summary, id: "behind" } },
                    ],
                }));
                await trace("run-2");
                await screen.findAllByTestId("fork-child");
                look(`forked off ${from.run}`);
                expect(screen.queryByTestId("fork-gone") === null).toBe(before !== null);
                if (before !== null) {
                    await click("run-back");
                }
            }
        },
    ],
    [
        "a context with all that can be in it",
        "context-body",
        async () => {
            const given = await fake.call("step_context", { run: "run-2", step: 2 });
            const [first] = given.messages;
            fake.on("step_context", ({ step }) => ({
                ...given,
                step,
                exact: false,
                body: step === 0 ? null : given.body,
                tools: given.tools.map((tool) => ({ ...tool, added: true, cachePoint: true })),
                messages: first === undefined ? [] : [{ ...first, reconstructed: true, cachePoint: true, added: true }],
            }));
            await trace("run-2");
            await click("step-row", 0);
            look("no request yet");
            await click("step-row", 2);
            await click("context-body-tab");
        },
    ],
    [
        "a run without a sandbox",
        "run-sandbox-says",
        async () => {
            fake.on("sandbox_state", () => MACHINE);
            app.go("run");
            await launch.load();
            await screen.findByTestId("run-sandbox-comes");
            for (const mode of ["require", "prefer", "off", ""]) {
                await fireEvent.change(screen.getByTestId("run-sandbox-mode"), { target: { value: mode } });
                await settled();
                look(`sandbox: ${mode}`);
            }
            await fireEvent.click(screen.getByTestId("run-fidelity"));
            await settled();
        },
    ],
    [
        "answers of a recorded run",
        "recorded-label",
        async () => {
            app.go("run");
            await waitFor(() => expect(launch.recordings.length).toBeGreaterThan(0));
            const [run] = launch.recordings;
            launch.choose(`recorded:${run?.id ?? ""}`);
            await settled();
            look("a recorded run");
            launch.choosing = true;
            await screen.findByTestId("recording-chooser");
            await settled();
            look("which recorded run");
            await type("run-filter", "qwertz");
            look("no recorded run");
            launch.choosing = false;
        },
    ],
    ["no runs", "open-sample", async () => (fake.on("run_index", () => NO_RUNS), app.go("traces"), await runs.load())],
    ["nothing that is remembered", "approvals-none", async () => (fake.on("approval_list", () => []), await approvals.show())],
    ["no other editor", "outside", async () => (fake.on("editor_list", () => []), await outside.edit(TEXT))],
    [
        "skills that do not compete",
        "collisions",
        async () => {
            fake.on("collisions", () => ({ skills: 5, pairs: [], more: false, asked: [] }));
            await collisions.show();
            await settled();
        },
    ],
];

const NO_RUNS = { ids: [], runs: [], harnesses: [], models: [], skills: [], unreadable: [] };

it.each(SIGHTS)("has no English in %s", async (name, testid, open) => {
    await open(fake);
    await screen.findAllByTestId(testid);
    await settled();
    look(name);
    expect(found()).toEqual({});
});
