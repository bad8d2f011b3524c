import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import { beforeEach, expect, it } from "vitest";
import { setHost } from "../../host";
import { fakeHost, type FakeHost } from "../../host/fake";
import { tableOf } from "../../host/fake/answers";
import { app } from "../../state/app.svelte";
import { compare } from "../../state/compare.svelte";
import { editor } from "../../state/editor.svelte";
import { handleKey } from "../../state/keys.svelte";
import { pathChoice } from "../../state/path-choice.svelte";
import { skills as library } from "../../state/skills.svelte";
import ComparePlace from "./ComparePlace.svelte";

let fake: FakeHost;

/** `null`: the five frameworks. */
async function show(choices: { harness: string; variant: string }[] | null = null): Promise<void> {
    app.place = "compare";
    render(ComparePlace);
    await waitFor(() => expect(compare.choices.length).toBeGreaterThan(0));
    compare.choices = choices ?? compare.choices;
    if (choices === null) {
        await compare.all();
    } else {
        await compare.refresh();
    }
    await screen.findByTestId("compare-table");
}

beforeEach(() => {
    fake = fakeHost();
    setHost(fake);
    compare.base = 0;
    compare.error = null;
});

const PYTHON = [
    { harness: "agent-framework", variant: "seed" },
    { harness: "agentscope", variant: "seed" },
];

const NEUTRAL = [
    { shown: "/skills", real: "/home/ada/work/skills" },
    { shown: "/skills-2", real: "/opt/skill-workbench/skills" },
];

function row(name: string): HTMLElement {
    const found = screen.getAllByTestId("compare-skill").find((each) => each.dataset["skill"] === name);
    if (found === undefined) {
        throw new Error(`no skill ${name}`);
    }
    return found;
}

it("says of every skill under every framework whether it loads, and why not", async () => {
    await show();
    const states = (name: string) =>
        within(row(name))
            .getAllByTestId("presence")
            .map((cell) => cell.dataset["type"]);
    expect([states("unit-converter"), states("excel-report")]).toEqual([
        ["loaded", "refused", "loaded", "loaded", "loaded"],
        ["skipped", "refused", "loaded", "loaded", "skipped"],
    ]);
    expect(row("excel-report").textContent).toContain("Skill name must be 64 characters or fewer.");
    expect(screen.getByTestId("compare-table").textContent).toContain("failed to list skills");
});

it("counts skills, and no folder without SKILL.md that a framework looks into", async () => {
    const path = "/home/ada/work/skills/drafts";
    fake.on("compare_table", (args) => {
        const table = tableOf(fake.disk.open(args.unsaved), args);
        const skipped = { is: { type: "skipped" as const, reason: table.reasons.length }, quirks: 0, warns: false };
        const unseen = { is: { type: "unseen" as const }, quirks: 0, warns: false };
        const cells = args.of.map((_, at) => (at === 0 ? skipped : unseen));
        const reasons = [...table.reasons, { en: "there is no SKILL.md", zh: "没有 SKILL.md" }];
        return { ...table, reasons, skills: [...table.skills, { name: "drafts", path, cells }] };
    });
    await show(PYTHON);
    await library.load();
    const counts = () => [
        screen.getAllByTestId("compare-skill").length,
        screen.getByTestId("compare-listed").textContent,
        screen.getAllByTestId("compare-loaded").map((cell) => cell.textContent),
    ];
    await waitFor(() => expect(counts()).toEqual([6, "5", ["3 of 5", "3 of 5"]]));
    await fireEvent.click(screen.getByTestId("compare-only"));
    expect(row("drafts")).toBeTruthy();
    expect(counts()).toEqual([3, "2", ["3 of 5", "3 of 5"]]);
});

it("opens a skill to show what it is called and which quirks it meets", async () => {
    await show();
    await fireEvent.click(within(row("excel-report")).getByTestId("compare-details"));
    const more = await screen.findByTestId("compare-more");
    expect(
        within(more)
            .getAllByTestId("quirk")
            .map((quirk) => quirk.dataset["kind"]),
    ).toEqual(["noInstructions", "noInstructions", "readDifferently", "listedNameDoesNotLoad", "noInstructions"]);
    await fireEvent.click(within(more).getAllByTestId("quirk")[3] ?? more);
    await waitFor(() => expect(editor.active?.path).toBe("/home/ada/work/skills/excel-report/SKILL.md"));
    expect(app.place).toBe("skills");
    editor.files.forEach((file) => editor.drop(file));
});

it("leaves out skills that all columns treat the same", async () => {
    await show(PYTHON);
    await fireEvent.click(screen.getByTestId("compare-only"));
    expect(screen.getAllByTestId("compare-skill").map((each) => each.dataset["skill"])).toEqual(["log-analyzer", "unit-converter"]);
});

it("tells instructions apart word by word, to the byte", async () => {
    await show(PYTHON);
    await fireEvent.click(screen.getByTestId("compare-tab-instructions"));
    await waitFor(() => expect(screen.getAllByTestId("compare-instructions")).toHaveLength(2));
    const [base, other] = screen.getAllByTestId("compare-instructions");
    expect(base?.textContent).toBe(compare.columns[0]?.sent?.instructions?.text);
    const kept = [...(other?.querySelectorAll("span, ins") ?? [])].map((piece) => piece.textContent).join("");
    expect(kept).toBe(compare.columns[1]?.sent?.instructions?.text);
    expect(other?.querySelectorAll("del").length).toBeGreaterThan(0);
});

it("walks the differences by key, around the end", async () => {
    await show(PYTHON);
    await fireEvent.click(screen.getByTestId("compare-tab-instructions"));
    await screen.findByTestId("compare-count");
    window.addEventListener("keydown", handleKey);
    await fireEvent.keyDown(document.body, { key: "n" });
    const count = Number(/\d+/.exec(screen.getByTestId("compare-count").textContent)?.[0]);
    expect(screen.getByTestId("difference-at").textContent).toBe(`1 of ${count}`);
    await fireEvent.keyDown(document.body, { key: "N" });
    expect(screen.getByTestId("difference-at").textContent).toBe(`${count} of ${count}`);
    expect(document.querySelectorAll("[data-current]")).toHaveLength(1);
    window.removeEventListener("keydown", handleKey);
});

it("takes another column as the base", async () => {
    await show(PYTHON);
    await fireEvent.click(screen.getByTestId("compare-tab-instructions"));
    await fireEvent.click(screen.getAllByTestId("compare-base")[1] ?? document.body);
    await waitFor(() => expect(screen.getAllByTestId("compare-instructions")[1]?.querySelector("ins, del")).toBeNull());
});

it("pairs tools by name and says which one column alone has", async () => {
    await show([
        { harness: "agent-framework", variant: "seed" },
        { harness: "agent-framework", variant: "dotnet-1.17" },
        { harness: "strands", variant: "seed" },
    ]);
    await fireEvent.click(screen.getByTestId("compare-tab-tools"));
    const columns = await screen.findAllByTestId("compare-text");
    const tools = columns.map((column) =>
        within(column)
            .getAllByTestId("compare-tool")
            .map((tool) => [tool.dataset["tool"], /only here|the same/.exec(tool.textContent)?.[0] ?? null]),
    );
    expect(tools[1]).toEqual([
        ["load_skill", "the same"],
        ["read_skill_resource", "the same"],
        ["run_skill_script", "the same"],
    ]);
    expect(tools[2]?.at(-1)).toEqual(["Skill", "only here"]);
    expect(columns[2]?.textContent).toContain("Not here:");
});

it("adds and removes columns, and swaps two rather than showing one twice", async () => {
    await show(PYTHON);
    await fireEvent.click(screen.getByTestId("compare-add"));
    await waitFor(() => expect(compare.choices.map((choice) => choice.harness)).toEqual(["agent-framework", "agentscope", "eino"]));
    await compare.change(0, { harness: "eino", variant: null });
    expect(compare.choices.map((choice) => choice.harness)).toEqual(["eino", "agentscope", "agent-framework"]);
    for (let left = 3; left > 1; left--) {
        await fireEvent.click(screen.getAllByTestId("compare-remove")[0] ?? document.body);
    }
    expect(await screen.findByTestId("compare-one")).toBeTruthy();
    await fireEvent.click(screen.getByTestId("compare-remove"));
    await fireEvent.click(await screen.findByTestId("compare-all"));
    await waitFor(() => expect(screen.getAllByTestId("compare-column")).toHaveLength(5));
    await fireEvent.click(screen.getByTestId("compare-add"));
    await waitFor(() => expect(screen.getAllByTestId("compare-column")).toHaveLength(6));
});

it("keeps the focus with the columns when one is removed, and every skill in sight when one is left", async () => {
    await show(PYTHON);
    const skills = screen.getAllByTestId("compare-skill").length;
    await fireEvent.click(screen.getByTestId("compare-only"));
    await fireEvent.click(screen.getAllByTestId("compare-remove")[1] ?? document.body);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId("compare-remove")));
    expect([screen.queryByTestId("compare-only"), screen.getAllByTestId("compare-skill").length]).toEqual([null, skills]);
    await fireEvent.click(screen.getByTestId("compare-remove"));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId("compare-all")));
    await compare.all();
});

it("says why there is no comparison", async () => {
    fake.on("compare_table", () => {
        throw { code: "invalid", message: "there is no harness x", hint: null, path: null, why: null };
    });
    app.place = "compare";
    render(ComparePlace);
    expect(await screen.findByText("there is no harness x")).toBeTruthy();
});

it("fetches what is looked at, once", async () => {
    await show(PYTHON);
    const asked = (name: string) => fake.calls.filter((call) => call.name === name);
    await waitFor(() => expect(asked("compare_tokens")).toHaveLength(1));
    expect([asked("compare_sent"), asked("compare_skill"), asked("inspect_quirks")]).toEqual([[], [], []]);

    const details = within(row("excel-report")).getByTestId("compare-details");
    for (let at = 0; at < 3; at++) {
        await fireEvent.click(details);
    }
    await screen.findByTestId("compare-more");
    const skill = "/home/ada/work/skills/excel-report";
    expect(asked("compare_skill").map(({ args }) => args)).toEqual([{ of: asked("compare_table").at(-1)?.args, skill }]);

    for (const shown of ["instructions", "tools", "overview"]) {
        await fireEvent.click(screen.getByTestId(`compare-tab-${shown}`));
    }
    expect(asked("compare_sent")).toHaveLength(1);
    const tokens = screen.getAllByTestId("compare-tokens").map((each) => each.querySelectorAll(".value").length);
    expect(tokens, "each column has its numbers").toEqual([2, 2, 2, 2, 2]);
});

it("compares at neutral paths where they are chosen", async () => {
    await show();
    const asked = () => fake.calls.flatMap((call) => (call.name === "compare_table" ? [call.args] : []));
    expect(asked().at(-1)).toMatchObject({ neutralPaths: null });
    await fireEvent.click(screen.getByTestId("compare-neutral"));
    expect(asked().at(-1)).toMatchObject({ neutralPaths: true });
    await waitFor(() => expect(compare.neutral).toEqual(NEUTRAL));
    pathChoice.neutral = null;
});
