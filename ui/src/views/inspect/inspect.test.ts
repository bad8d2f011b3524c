import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import { expect, it, vi } from "vitest";
import type { Inspection, ModelInfo, TextRange } from "../../generated/api";
import { fakeHost } from "../../host/fake";
import { failure } from "../../host/fake/failure";
import { BEGIN, inspectionOf, listOf, sentOf, tokensOf } from "../../host/fake/answers";
import { SAMPLE_FILES } from "../../host/fake/files";
import { setHost } from "../../host";
import { editor } from "../../state/editor.svelte";
import { Harnesses } from "../../state/harnesses.svelte";
import { inspect } from "../../state/inspect.svelte";
import { launch } from "../../state/launch.svelte";
import { pathChoice } from "../../state/path-choice.svelte";
import { skills } from "../../state/skills.svelte";
import InspectPlace from "./InspectPlace.svelte";
import InspectView from "./InspectView.svelte";

const inspection = (harness: string, variant: string | null) => inspectionOf(new Map(Object.entries(SAMPLE_FILES)), harness, variant);

function show(change: Partial<Inspection> = {}) {
    const given = { ...inspection("agent-framework", null), ...change };
    const oncopy = vi.fn<(text: string | Promise<string>) => void>();
    const onopenskill = vi.fn<(path: string) => void>();
    const onopenat = vi.fn<(path: string, range: TextRange | null) => void>();
    const request = () => Promise.resolve({ body: given.request, curl: given.curl });
    const sent = () => Promise.resolve(sentOf(given));
    const whole = async (id: string) => given.skills.find((skill) => skill.id === id) ?? Promise.reject(new Error(id));
    render(InspectView, { inspection: listOf(given), tokens: tokensOf(given), sent, request, whole, oncopy, onopenskill, onopenat });
    return { given, oncopy, onopenskill, onopenat };
}

/** Unfolds the first skill of the list. */
async function unfold(): Promise<HTMLElement> {
    const [entry] = screen.getAllByTestId("inspect-skill");
    if (!(entry instanceof HTMLDetailsElement)) {
        throw new Error("no skill");
    }
    entry.open = true;
    await fireEvent(entry, new Event("toggle"));
    return entry;
}

it("shows the instructions to the byte and says who put each piece there", async () => {
    const { given } = show();
    const text = screen.getByTestId("inspect-instructions");
    expect(text.textContent).toBe(given.instructions?.text);
    const piece = within(text).getByText("unit-converter");
    await fireEvent.pointerOver(piece);
    expect(screen.getByTestId("origin-legend").textContent).toContain("Skill unit-converter: name");
});

it("opens the skill under a click, and no framework text", async () => {
    const { onopenskill, given } = show();
    const text = screen.getByTestId("inspect-instructions");
    await fireEvent.click(within(text).getByText("unit-converter"));
    await fireEvent.click(within(text).getAllByText(/available_skills/)[0] ?? text);
    await waitFor(() => expect(onopenskill.mock.calls).toEqual([[given.skills[2]?.path]]));
});

it("dims a kind that the legend turns off", async () => {
    show();
    await fireEvent.click(within(screen.getByTestId("origin-legend")).getByRole("button", { name: /framework/ }));
    expect(screen.getByTestId("inspect-instructions").dataset["dimmed"]).toBe("framework");
});

it("shows tools as a table and as JSON", async () => {
    show();
    await fireEvent.click(screen.getByTestId("inspect-tab-tools"));
    const tool = screen.getAllByTestId("inspect-tool")[0];
    expect(tool?.textContent).toContain("skillName");
    await fireEvent.click(screen.getAllByTestId("tool-raw")[0] ?? document.body);
    expect(tool?.textContent).toContain('"name": "load_skill"');
});

it("says why the framework refuses", () => {
    show({ refused: "The custom prompt template must contain the '{skills}' placeholder.", skills: [], instructions: null, tools: [] });
    expect(screen.getByTestId("inspect-refused").textContent).toContain("{skills}");
    expect(screen.queryByTestId("inspect-no-skills")).toBeNull();
});

it("says when no skill reaches the model", () => {
    show({ skills: [], instructions: null, tools: [] });
    expect(screen.getByTestId("inspect-no-skills")).toBeTruthy();
});

it("asks the harness anew for another prompt, once", async () => {
    const fake = fakeHost();
    setHost(fake);
    render(InspectPlace);
    await screen.findByTestId("inspect-instructions");
    const before = fake.calls.filter((call) => call.name === "inspect_listed").length;
    await fireEvent.input(screen.getByTestId("inspect-prompt"), { target: { value: "1" } });
    await fireEvent.input(screen.getByTestId("inspect-prompt"), { target: { value: "12" } });
    await waitFor(() => expect(fake.calls.filter((call) => call.name === "inspect_listed").length).toBe(before + 1));
    expect(inspect.prompt).toBe("12");
});

it("groups quirks by skill and leads to the place", async () => {
    const strands = inspection("strands", null);
    const { onopenat } = show({ quirks: strands.quirks, skills: strands.skills });
    const quirk = screen.getAllByTestId("quirk").find((each) => each.dataset["kind"] === "listedNameDoesNotLoad");
    expect(quirk?.textContent).toContain("excel-report");
    expect(screen.getByTestId("inspect-quirks").textContent).toContain("All skills");
    await fireEvent.click(quirk ?? document.body);
    expect(onopenat.mock.calls).toEqual([["/home/ada/work/skills/excel-report/SKILL.md", strands.quirks[1]?.range]]);
});

it("says where there are no quirks", () => {
    show();
    expect(screen.getByTestId("inspect-quirks").textContent).toContain("None in these skills");
});

it("tells whose text stands in a tool's description, and where the catalogue sits", async () => {
    const { tools, skills, catalogue } = inspection("strands", null);
    const { onopenskill } = show({ instructions: null, tools, skills, catalogue });
    expect(screen.getByTestId("inspect-catalogue").textContent).toContain("the description of Skill");
    await fireEvent.click(screen.getByTestId("inspect-tab-tools"));
    const text = screen.getAllByTestId("tool-description").at(-1) ?? document.body;
    expect(text.textContent).toBe(tools.at(-1)?.description);
    await fireEvent.click(within(text).getByText("unit-converter"));
    expect(onopenskill.mock.calls).toEqual([["/opt/skill-workbench/skills/unit-converter"]]);
});

it("opens what was left out", async () => {
    const { onopenat } = show();
    await fireEvent.click(within(screen.getByTestId("inspect-skipped")).getAllByRole("button")[0] ?? document.body);
    expect(onopenat.mock.calls).toEqual([["/home/ada/work/skills/customer-interview-summaries-for-product-teams/SKILL.md", null]]);
});

it("begins with the framework that the project file names", async () => {
    BEGIN.harness = { harness: "eino", variant: null };
    const fresh = new Harnesses();
    await fresh.load();
    BEGIN.harness = null;
    expect(fresh.choice).toEqual({ harness: "eino", variant: "seed" });
});

it("remembers the harness of a project, and says of a variant that it was never compared with a run", async () => {
    render(InspectPlace);
    await fireEvent.change(await screen.findByTestId("inspect-harness"), { target: { value: "agentscope" } });
    expect(screen.getByTestId("unverified").parentElement?.textContent).toContain("AgentScope Skill System");
    await fireEvent.change(screen.getByTestId("inspect-variant"), { target: { value: "java-2.0.3" } });
    expect(screen.queryByTestId("unverified")).toBeNull();
    const next = new Harnesses();
    await next.load();
    expect(next.choice).toEqual({ harness: "agentscope", variant: "java-2.0.3" });
    await fireEvent.change(screen.getByTestId("inspect-harness"), { target: { value: "agent-framework" } });
});

it("shows what unsaved text would send, and says so", async () => {
    const fake = fakeHost();
    setHost(fake);
    await skills.load();
    const path = "/home/ada/work/skills/log-analyzer/SKILL.md";
    await editor.open(path);
    editor.active?.write("---\nname: log-analyzer\ndescription: Not saved yet.\n---\n\n# Logs\n");
    render(InspectPlace);
    await waitFor(() => expect(screen.getByTestId("inspect-instructions").textContent).toContain("Not saved yet."));
    expect(screen.getByTestId("drafts-note").title).toBe(path);
    editor.files.forEach((file) => editor.drop(file));
});

it("shows neutral paths where they are chosen, and which folders they stand for", async () => {
    const fake = fakeHost();
    setHost(fake);
    render(InspectPlace);
    await screen.findByTestId("inspect-instructions");
    const asked = () => fake.calls.flatMap((call) => (call.name === "inspect_listed" ? [call.args] : []));
    await waitFor(() => expect(asked().at(-1)).toMatchObject({ neutralPaths: null }));
    const box = screen.getByTestId<HTMLInputElement>("inspect-neutral");
    expect(box.checked).toBe(false);
    await fireEvent.click(box);
    expect(asked().at(-1)).toMatchObject({ neutralPaths: true });
    await waitFor(() =>
        expect(box.closest("label")?.title).toBe("/skills = /home/ada/work/skills\n/skills-2 = /opt/skill-workbench/skills"),
    );
    await fireEvent.click(box);
    expect(asked().at(-1)).toMatchObject({ neutralPaths: false });
    pathChoice.neutral = null;
});

it("shows the paths that the project asks for", async () => {
    const fake = fakeHost();
    setHost(fake);
    const neutral = [{ shown: "/skills", real: "/home/ada/skills" }];
    fake.on("inspect_listed", ({ harness }) => ({ ...listOf(inspection(harness, null)), neutral }));
    inspect.result = null;
    render(InspectPlace);
    await waitFor(() => expect(screen.getByTestId<HTMLInputElement>("inspect-neutral").checked).toBe(true));
});

it("fetches the request and what loading a skill gives when they are looked at, once", async () => {
    const fake = fakeHost();
    setHost(fake);
    inspect.result = null;
    render(InspectPlace);
    await screen.findByTestId("inspect-instructions");
    const asked = (name: string) => fake.calls.filter((call) => call.name === name).map((call) => call.args);
    const [listed] = asked("inspect_listed");
    expect([asked("inspect_skill"), asked("inspect_request")]).toEqual([[], []]);

    const entry = await unfold();
    const content = await within(entry).findByTestId("skill-content");
    expect(content.textContent).not.toBe("");
    expect(asked("inspect_skill")).toEqual([{ of: listed, skill: entry.dataset["skill"] }]);

    await fireEvent.click(screen.getByTestId("inspect-tab-request"));
    expect((await screen.findByTestId("inspect-request")).textContent).toContain('"messages"');
    await fireEvent.click(screen.getByTestId("inspect-tab-tools"));
    await fireEvent.click(screen.getByTestId("inspect-tab-request"));
    await screen.findByTestId("inspect-request");
    expect(asked("inspect_request")).toEqual([listed]);
});

it("shows the beginning of a long text and fetches the rest when it is asked for", async () => {
    const fake = fakeHost();
    setHost(fake);
    const whole = inspection("agent-framework", null);
    const text = `${whole.instructions?.text ?? ""}${"All the rest. ".repeat(100)}`;
    const marks = whole.instructions?.marks ?? [];
    fake.on("inspect_listed", () => ({
        ...listOf(whole),
        instructions: { text: text.slice(0, 500), marks: marks.filter((mark) => mark.to <= 500), units: text.length },
    }));
    fake.on("inspect_sent", () => ({ instructions: { text, marks }, tools: whole.tools }));
    inspect.result = null;
    render(InspectPlace);
    const shown = await screen.findByTestId("inspect-instructions");
    expect(shown.textContent).toBe(text.slice(0, 500));
    await fireEvent.click(await screen.findByRole("button", { name: /Show all/ }));
    await waitFor(() => expect(shown.textContent).toBe(text));
    expect(screen.queryByRole("button", { name: /Show all/ })).toBeNull();
});

it("shows many skills before their tokens are counted, and never numbers of another answer", async () => {
    const fake = fakeHost();
    setHost(fake);
    const whole = inspection("agent-framework", null);
    const counts: (() => void)[] = [];
    fake.on("inspect_listed", () => ({ ...listOf(whole), tokens: null }));
    fake.on("inspect_tokens", () => new Promise((resolve) => counts.push(() => resolve(tokensOf(whole)))));
    inspect.result = null;
    inspect.tokens = null;
    render(InspectPlace);
    const [entry] = await screen.findAllByTestId("inspect-skill");
    const shown = () => [screen.getByTestId("inspect-tokens").textContent, entry?.querySelector("summary")?.textContent];
    expect(shown()[0]).toContain("Counting…");
    await waitFor(() => expect(counts.length).toBeGreaterThan(0));
    const early = counts.splice(0);
    await fireEvent.input(screen.getByTestId("inspect-prompt"), { target: { value: "another" } });
    await waitFor(() => expect(fake.calls.findLast(({ name }) => name === "inspect_listed")?.args).toMatchObject({ prompt: "another" }));
    expect(counts, "one count at a time").toEqual([]);
    early.forEach((count) => count());
    await waitFor(() => expect(counts.length).toBe(1));
    expect(shown()[0]).toContain("Counting…");
    counts.forEach((count) => count());
    await waitFor(() => expect(shown()[0]).toContain("Counted with"));
    expect(shown()[1]).toContain(String(tokensOf(whole).skills[0]));
    inspect.prompt = "";
});

it("says that a skill is gone since the list was made", async () => {
    const fake = fakeHost();
    setHost(fake);
    inspect.result = null;
    fake.on("inspect_skill", () => {
        throw failure({ code: "notFound", message: "there is no skill `x`", hint: null, path: null, why: null });
    });
    render(InspectPlace);
    await screen.findByTestId("inspect-instructions");
    expect((await within(await unfold()).findByRole("alert")).textContent).toContain("there is no skill");
});

/** A host with two models whose providers count, and one whose provider does not. */
function countingHost() {
    const fake = fakeHost();
    setHost(fake);
    const model = (id: string, counts: boolean): ModelInfo => ({
        id,
        title: id,
        rehearsal: false,
        baseUrl: "https://api.example.com/v1",
        key: { source: "none", name: null, state: "unneeded", reason: null, hint: null, why: null },
        ready: true,
        context: null,
        counts,
        preset: null,
        entry: null,
    });
    fake.on("model_list", () => ({
        models: [model("chat", false), model("claude", true), model("gpt", true)],
        path: "",
        version: null,
        error: null,
        errorZh: null,
    }));
    launch.reset();
    inspect.result = null;
    inspect.prompt = "";
    return fake;
}

it("asks a provider to count when the user says so, and names it at the number", async () => {
    const fake = countingHost();
    render(InspectPlace);
    const choice = await screen.findByTestId<HTMLSelectElement>("count-model");
    expect([...choice.options].map((option) => option.value)).toEqual(["claude", "gpt"]);
    const asked = () => fake.calls.flatMap((call) => (call.name === "inspect_count" ? [call.args] : []));
    expect(asked(), "it costs time and sends texts").toEqual([]);

    fake.on("inspect_count", ({ model }) => ({
        model,
        named: `${model}-5`,
        server: "api.example.com",
        request: 1234,
        prompt: 8,
        standIn: true,
        instructions: 1000,
        tools: 226,
        skills: 5000,
        files: null,
        asked: 4,
    }));
    await fireEvent.change(choice, { target: { value: "gpt" } });
    await fireEvent.click(screen.getByTestId("count"));
    const shown = screen.getByTestId("provider-count");
    await waitFor(() => expect(shown.textContent).toContain("Counted by api.example.com for gpt-5"));
    const rows = [...shown.querySelectorAll("dt")].map((what) => [what.textContent, what.nextElementSibling?.textContent]);
    expect(rows).toEqual([
        ["First request", "1,234"],
        ["Instructions", "1,000"],
        ["Tools", "226"],
        ["Prompt: “Hello”, since there is none", "8"],
        ["All skills, when activated", "5,000"],
        ["All their files", "too long to ask about"],
    ]);
    const [listed] = fake.calls.flatMap((call) => (call.name === "inspect_listed" ? [call.args] : []));
    expect(asked()).toEqual([{ of: listed, model: "gpt" }]);

    await fireEvent.input(screen.getByTestId("inspect-prompt"), { target: { value: "1" } });
    await waitFor(() => expect(screen.queryByText("First request"), "it is another request").toBeNull());
    expect(asked()).toHaveLength(1);
});

it("says why a provider did not count", async () => {
    const fake = countingHost();
    fake.on("inspect_count", () => {
        throw failure({ code: "model", message: "no key for `claude`", hint: "set ANTHROPIC_API_KEY", path: null, why: null });
    });
    render(InspectPlace);
    await fireEvent.click(await screen.findByTestId("count"));
    const error = await screen.findByTestId("count-error");
    expect(error.textContent).toContain("no key for `claude`");
    expect(error.textContent).toContain("set ANTHROPIC_API_KEY");
    expect(screen.getByTestId<HTMLButtonElement>("count").disabled).toBe(false);
});

it("offers no count if no provider can be asked", async () => {
    setHost(fakeHost());
    launch.reset();
    inspect.result = null;
    render(InspectPlace);
    await screen.findByTestId("inspect-tokens");
    expect(screen.queryByTestId("count")).toBeNull();
});
