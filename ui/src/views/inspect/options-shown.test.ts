/** Changes of an option to the first request are shown as soon as the form has them, before anything is written. */
import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it } from "vitest";
import { setHost } from "../../host";
import { fakeHost, type FakeHost } from "../../host/fake";
import { editor } from "../../state/editor.svelte";
import { harnesses } from "../../state/harnesses.svelte";
import { options } from "../../state/options.svelte";
import { skills } from "../../state/skills.svelte";
import InspectPlace from "./InspectPlace.svelte";

const OWN = "/home/ada/work/skills";
const FILE = `${OWN}/workbench.yaml`;
let fake: FakeHost;

beforeEach(() => {
    fake = fakeHost();
    setHost(fake);
    editor.files = [];
    editor.active = null;
    options.open = false;
    options.form = null;
});

afterEach(() => {
    expect(fake.disk.files.has(FILE), "nothing is written").toBe(false);
    editor.files.forEach((file) => editor.drop(file));
    harnesses.choose({ harness: "agent-framework", variant: null });
});

/** The field of an option in the form next to the inspection. */
async function field(harness: string, name: string): Promise<HTMLElement> {
    await skills.load();
    await harnesses.load();
    harnesses.choose({ harness, variant: null });
    render(InspectPlace);
    await screen.findByTestId("inspect-instructions");
    await fireEvent.click(screen.getByTestId("inspect-options"));
    const row = await waitFor(() => {
        const found = screen.getAllByTestId("option").find((option) => option.dataset["option"] === name);
        return found ?? Promise.reject(new Error(`no option ${name}`));
    });
    return within(row).getByTestId("option-value");
}

it("scriptApproval: the tool that runs scripts asks", async () => {
    const box = await field("agent-framework", "scriptApproval");
    await fireEvent.click(screen.getByTestId("inspect-tab-tools"));
    const asking = () =>
        screen
            .getAllByTestId("inspect-tool")
            .filter((tool) => within(tool).queryByTestId("tool-asks") !== null)
            .map((tool) => tool.dataset["tool"]);
    expect(asking()).toEqual([]);
    await fireEvent.click(box);
    await waitFor(() => expect(asking()).toEqual(["run_skill_script"]));
    expect(screen.getByTestId("drafts-note").title).toBe(FILE);
});

it("language: zh: the instructions are Chinese", async () => {
    // With a skill that it cannot read Eino does not start.
    fake.disk.files.delete(`${OWN}/customer-interview-summaries-for-product-teams/SKILL.md`);
    const choice = await field("eino", "language");
    const text = () => screen.getByTestId("inspect-instructions").textContent;
    expect([text().length > 0, text().includes("技能")]).toEqual([true, false]);
    await fireEvent.change(choice, { target: { value: "zh" } });
    await waitFor(() => expect(text()).toContain("技能"));
    expect(screen.getByTestId("drafts-note").title).toBe(FILE);
});
