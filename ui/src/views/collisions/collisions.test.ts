/** Which skills compete: pairs with the words that both have, those of one skill alone, and a request. */
import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it } from "vitest";
import { setHost } from "../../host";
import { fakeHost, type FakeHost } from "../../host/fake";
import { collisions } from "../../state/collisions.svelte";
import { editor } from "../../state/editor.svelte";
import { skillChoice } from "../../state/skill-choice.svelte";
import { skills } from "../../state/skills.svelte";
import CollisionsDialog from "./CollisionsDialog.svelte";
// It comes in its own chunk: nothing waits for it here.
import "./CollisionsView.svelte";

const OWN = "/home/ada/work/skills";
let fake: FakeHost;

beforeEach(async () => {
    fake = fakeHost();
    setHost(fake);
    const skill = (name: string, says: string) =>
        fake.disk.files.set(`${OWN}/${name}/SKILL.md`, `---\nname: ${name}\ndescription: ${says}\n---\n`);
    skill("pdf-tables", "Extract tables from PDF invoices.");
    skill("invoice-tables", "Extract tables from invoices.");
    editor.files = [];
    editor.active = null;
    skillChoice.all();
    collisions.open = false;
    await skills.load();
    render(CollisionsDialog);
});

it("shows two that compete with the words they share, and opens one of them", async () => {
    void collisions.show();
    await waitFor(() => expect(screen.getAllByTestId("collision")).toHaveLength(1));
    const pair = screen.getByTestId("collision");
    expect(pair.textContent).toContain("pdf-tables");
    expect([...pair.querySelectorAll(".words li")].map((word) => word.textContent.replace(/\d+$/, ""))).toEqual([
        "Extract",
        "invoices",
        "tables",
    ]);
    await fireEvent.click(screen.getAllByTestId("collision-skill")[0] ?? document.body);
    await waitFor(() => expect(editor.active?.name).toBe("SKILL.md"));
    expect(collisions.open).toBe(false);
});

it("can be narrowed to one skill, and says if nothing competes", async () => {
    void collisions.show("unit-converter");
    await waitFor(() => expect(screen.getByText("No two skills compete")).toBeDefined());
    await fireEvent.click(screen.getByTestId("collisions-all"));
    expect(screen.getAllByTestId("collision")).toHaveLength(1);
});

it("a request ranks the skills that have its words", async () => {
    void collisions.show();
    await fireEvent.input(await screen.findByTestId("collisions-request"), { target: { value: "tables of a PDF" } });
    await waitFor(() => expect(screen.getAllByTestId("collision-asked")).toHaveLength(2));
    expect(screen.getAllByTestId("collision-asked")[0]?.textContent).toContain("pdf-tables");
    await fireEvent.input(screen.getByTestId("collisions-request"), { target: { value: "weather" } });
    await waitFor(() => expect(screen.getByText("No skill has a word of this request")).toBeDefined());
});
