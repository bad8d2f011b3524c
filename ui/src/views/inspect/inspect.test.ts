import { fireEvent, render, screen, within } from "@testing-library/svelte";
import { expect, it, vi } from "vitest";
import type { Inspection, TextRange } from "../../generated/api";
import { fakeHost } from "../../host/fake";
import { inspection } from "../../host/fake/runs";
import { setHost } from "../../host";
import { inspect } from "../../state/inspect.svelte";
import InspectPlace from "./InspectPlace.svelte";
import InspectView from "./InspectView.svelte";

function show(change: Partial<Inspection> = {}) {
    const given = { ...inspection("agent-framework", null, null), ...change };
    const oncopy = vi.fn<(text: string) => void>();
    const onopenskill = vi.fn<(path: string) => void>();
    const onopenat = vi.fn<(path: string, range: TextRange | null) => void>();
    render(InspectView, { inspection: given, oncopy, onopenskill, onopenat });
    return { given, oncopy, onopenskill, onopenat };
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
    expect(onopenskill.mock.calls).toEqual([[given.skills[2]?.path]]);
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
    const before = fake.calls.filter((call) => call.name === "inspect").length;
    await fireEvent.input(screen.getByTestId("inspect-prompt"), { target: { value: "1" } });
    await fireEvent.input(screen.getByTestId("inspect-prompt"), { target: { value: "12" } });
    await vi.waitFor(() => expect(fake.calls.filter((call) => call.name === "inspect").length).toBe(before + 1));
    expect(inspect.prompt).toBe("12");
});
