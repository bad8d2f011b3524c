/** States in Chinese that only other skills, models or answers bring about: of places, of dialogs, and of messages that can be undone. */
import { fireEvent, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { FindingDto } from "../generated/api";
import type { FakeHost } from "../host/fake";
import { app } from "../state/app.svelte";
import { compare } from "../state/compare.svelte";
import { editor } from "../state/editor.svelte";
import { fixes } from "../state/fixes.svelte";
import { lint } from "../state/lint.svelte";
import { models } from "../state/models.svelte";
import { options } from "../state/options.svelte";
import { pairing } from "../state/pair.svelte";
import { skills } from "../state/skills.svelte";
import { toasts } from "../state/toasts.svelte";
import { click, closeWindow, found, look, openWindow, press, settled, type, type Sight } from "../test-chinese";

const BUNDLED = "/opt/skill-workbench/skills/unit-converter";
const OWN = "/home/ada/work/skills/log-analyzer";
const TEXT = `${OWN}/SKILL.md`;
const PROJECT = "/home/ada/work/skills/workbench.yaml";
const WINDOW = `${OWN}/references/window.md`;

let fake: FakeHost;

beforeEach(async () => {
    fake = await openWindow();
});

afterEach(() => {
    models.revert();
    options.open = models.open = false;
    vi.restoreAllMocks();
    closeWindow();
});

async function edit(path = TEXT): Promise<void> {
    await editor.open(path);
    await screen.findByTestId("editor-content");
    await settled();
}

/** Of a message that is no longer shown, nothing is to be seen. */
async function said(text: string): Promise<void> {
    await screen.findByText(text);
    look(text);
    toasts.list = [];
    await settled();
}

/** Takes back what the message is about. */
async function undo(text: string): Promise<void> {
    await screen.findByText(text);
    look(text);
    await click("toast-action");
}

/** Opens the text of a skill that has a problem in another file, which stays whatever is done about it. */
async function problemElsewhere(): Promise<FindingDto> {
    const range = { from: 2, to: 8, line: 1, column: 3 };
    const edits = [{ path: WINDOW, range, text: "窗口" }];
    const problem: FindingDto = {
        rule: "windows-path",
        severity: "warning",
        message: "it is a path",
        messageZh: "这是路径",
        problem: null,
        path: WINDOW,
        range,
        fix: { title: "write it", titleZh: "改写", applicability: "safe", edits },
        steps: [],
        fingerprint: "1",
    };
    await edit();
    const checked = await fake.call("text_check", { path: TEXT, text: editor.active?.text ?? "", unsaved: [] });
    fake.disk.files.set(WINDOW, "# Window\n");
    fake.on("text_check", () => ({ ...checked, findings: [problem] }));
    await editor.recheck();
    await settled();
    return problem;
}

async function inspectOptions(): Promise<void> {
    await skills.load();
    app.go("inspect");
    await click("inspect-options");
    await screen.findAllByTestId("option");
}

/** Chooses a row of the models, from the first. */
async function model(row: number): Promise<void> {
    await models.show();
    await click("model-row", row);
}

async function tried(verdict: string): Promise<void> {
    await click("trial-start");
    await waitFor(() => expect(screen.getByTestId("trial").dataset["verdict"]).toBe(verdict));
    look(`a test: ${verdict}`);
}

const SIGHTS: Sight[] = [
    [
        "a problem of another file that is fixed, and what of it is undone",
        "toast",
        async () => {
            const problem = await problemElsewhere();
            await fixes.apply(problem);
            await undo("已修复 1 个问题，涉及 1 个文件");
            await fixes.apply(problem);
            editor.of(WINDOW)?.write("别的\n");
            await undo("已修复 1 个问题，涉及 1 个文件");
            await screen.findByText("之后又改动过的文本保持不变");
        },
    ],
    [
        "a problem of another file that is ignored, and then is gone",
        "toast",
        async () => {
            const problem = await problemElsewhere();
            await fixes.ignore(problem, "没有问题");
            await undo("注释已写入 window.md");
            const checked = await fake.call("text_check", { path: TEXT, text: "", unsaved: [] });
            fake.on("text_check", () => ({ ...checked, findings: [] }));
            await editor.recheck();
            await fixes.apply(problem);
            await said("这个问题已经不存在了");
            await fixes.ignore(problem, "没有问题");
        },
    ],
    [
        "nothing that can be fixed, and a text that changes meanwhile",
        "toast",
        async () => {
            await problemElsewhere();
            fake.on("text_fix", () => ({ texts: [], fixes: 0 }));
            await fixes.all();
            await said("没有可以直接应用的修复");
            fake.on("text_fix", () => {
                editor.active?.write("别的\n");
                return { texts: [{ path: TEXT, text: "新的\n" }], fixes: 1 };
            });
            await fixes.all();
        },
    ],
    [
        "skills to look at before they are used",
        "verdict-sign",
        async () => {
            const counts = await fake.call("lint_counts", {});
            fake.on("lint_counts", () => counts.map((each, at) => ({ ...each, verdict: at === 0 ? "look" : "dangerous" })));
            await lint.count();
            await settled();
            expect(new Set(screen.getAllByTestId("verdict-sign").map((sign) => sign.dataset["verdict"]))).toEqual(
                new Set(["look", "dangerous"]),
            );
        },
    ],
    [
        "a preview that is on its way, of nothing, and of a text",
        "preview",
        async () => {
            const page = document.implementation.createHTMLDocument();
            vi.spyOn(HTMLIFrameElement.prototype, "contentDocument", "get").mockReturnValue(page);
            let arrive: (html: string) => void = () => undefined;
            fake.on("text_preview", () => new Promise<string>((done) => (arrive = done)));
            await edit();
            void editor.togglePreview();
            await screen.findByTestId("preview");
            look("a preview that is on its way");
            arrive("");
            await screen.findByText("还没有可预览的内容");
            look("a preview of nothing");
            fake.on("text_preview", () => "<h1>标题</h1>");
            await editor.recheck();
            await waitFor(() => expect(page.body.textContent).toBe("标题"));
            await editor.togglePreview();
            await editor.togglePreview();
        },
    ],
    [
        "links in the tree",
        "link-mark",
        async () => {
            const detail = await fake.call("skill_get", { id: BUNDLED });
            const links = [
                { leadsTo: `${BUNDLED}/别处.md`, outside: false },
                { leadsTo: "/别处.md", outside: true },
                { leadsTo: null, outside: true },
            ];
            fake.on("skill_get", () => ({ ...detail, files: detail.files.map((file, at) => ({ ...file, ...links[at % links.length] })) }));
            await skills.toggle(`skill:${BUNDLED}`);
            await waitFor(() => expect(screen.getAllByTestId("link-mark").length).toBeGreaterThanOrEqual(links.length));
        },
    ],
    [
        "a skill that was saved as one file",
        "toast",
        async () => {
            fake.savePicked = "/home/ada/log-analyzer.skill";
            const rows = await screen.findAllByTestId("skill-row");
            await fireEvent.contextMenu(rows[0] ?? document.body);
            await click("menu-package");
            await screen.findByText("已将 3 个文件保存到 /home/ada/log-analyzer.skill");
        },
    ],
    [
        "options that were written, and others that do not count",
        "options",
        async () => {
            await fake.call("text_check", { path: PROJECT, text: "", unsaved: [] });
            await inspectOptions();
            const row = screen.getAllByTestId("option").find((each) => each.dataset["option"] === "scriptApproval");
            await fireEvent.click(row?.querySelector("[data-testid=option-value]") ?? document.body);
            await screen.findByTestId("option-reset");
            await settled();
            look("unsaved options");
            await click("options-write");
            await said(`已写入 ${PROJECT}`);
            const form = await fake.call("harness_options", { harness: "agent-framework", unsaved: [] });
            fake.on("harness_options", () => ({ ...form, shadowed: ["/一/workbench.yaml", "/二/workbench.yaml"] }));
            await options.refresh();
            await screen.findByText(/未生效：/);
        },
    ],
    [
        "a model whose thoughts can be asked for, with fields that are wrong",
        "model-thoughts",
        async () => {
            fake.on("model_address", ({ baseUrl }) => ({ url: baseUrl, preset: null }));
            await model(0);
            await fireEvent.change(screen.getByTestId("model-provider"), { target: { value: "anthropic" } });
            await type("model-id", "local");
            await type("model-context", "x");
            await click("key-source-env");
            await type("key-name", "1 x");
            await fireEvent.submit(screen.getByTestId("model-form"));
            await screen.findByText("变量名只能含字母、数字和 _");
            look("taken, name, whole");
            await click("key-source-command");
            await type("key-name", "./x");
            await type("key-lifetime", "x");
            await screen.findByText("第一行应为 PATH 中的程序名或其完整路径");
            look("program");
        },
    ],
    [
        "a file of models that cannot be read",
        "models-broken",
        async () => {
            const list = await fake.call("model_list", {});
            fake.on("model_list", () => ({ ...list, error: "line 3 is broken", errorZh: "第 3 行有误" }));
            await models.show();
        },
    ],
    [
        "a model that passes its test, is changed, and is tested again",
        "trial",
        async () => {
            await model(1);
            await click("model-tools");
            await tried("passed");
            await type("model-retries", "3");
            await screen.findByText("测试后已有改动");
            look("a test of before");
            fake.on("model_test", () => new Promise(() => undefined));
            await click("trial-start");
            await screen.findByTestId("trial-stop");
        },
    ],
    [
        "columns that do the same with all skills, and no skills",
        "compare-none",
        async () => {
            app.go("compare");
            await waitFor(() => expect(compare.choices.length).toBeGreaterThan(0));
            compare.choices = ["agent-framework", "eino"].map((harness) => ({ harness, variant: "seed" }));
            const asked = { of: [...compare.choices], roots: null, prompt: null, cwd: null, neutralPaths: null, unsaved: [], without: [] };
            const table = await fake.call("compare_table", asked);
            fake.on("compare_table", () => ({
                ...table,
                columns: table.columns.map((column) => ({ ...column, refused: null })),
                skills: table.skills.map((skill) => ({ ...skill, cells: skill.cells.map(() => null) })),
            }));
            await compare.refresh();
            await click("compare-only");
            await screen.findByText("各列对所有技能的处理都相同。");
            look("all the same");
            await click("compare-only");
            fake.on("compare_table", () => ({ ...table, skills: [] }));
            await compare.refresh();
        },
    ],
    [
        "two runs that are the same, and two that cannot be compared",
        "pair-view",
        async () => {
            fake.on("run_diff", () => ({ pairs: [{ type: "same", a: 0, b: 0 }], firstDivergence: null }));
            pairing.open("run-2", "run-2");
            app.go("traces");
            await screen.findByText("两次运行的每一步都相同。");
            await press("n");
            await press("N");
            look("the same");
            fake.on("run_diff", () =>
                Promise.reject({ code: "io", message: "no", messageZh: "磁盘已满", hint: null, hintZh: null, path: null, why: null }),
            );
            pairing.open("run-2", "run-2");
            await screen.findByText("磁盘已满");
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
