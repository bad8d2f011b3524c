/** Renaming a file with its mentions; moving a part of a text into a new file. */
import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it } from "vitest";
import { setHost } from "../../host";
import { fakeHost, type FakeHost } from "../../host/fake";
import { editor } from "../../state/editor.svelte";
import { extract } from "../../state/extract.svelte";
import { fileActions } from "../../state/file-actions.svelte";
import { skills } from "../../state/skills.svelte";
import { toasts } from "../../state/toasts.svelte";
import ExtractDialog from "../editor/ExtractDialog.svelte";
import FileDialogs from "./FileDialogs.svelte";

const SKILL = "/opt/skill-workbench/skills/unit-converter";
const TABLE = `${SKILL}/references/conversion-table.md`;
let fake: FakeHost;
const text = (path: string) => fake.disk.files.get(path) ?? null;

beforeEach(async () => {
    fake = fakeHost();
    setHost(fake);
    editor.files = [];
    editor.active = null;
    toasts.list = [];
    fileActions.cancel();
    await skills.load();
    await skills.fetch(SKILL);
});

async function rename(name: string): Promise<void> {
    fileActions.ask("rename", { path: TABLE, name: "conversion-table.md", skill: SKILL, isSkill: false });
    await fireEvent.input(await screen.findByTestId("name-input"), { target: { value: name } });
}

function undo(): void {
    const note = toasts.list.find((toast) => toast.type === "note" && toast.action !== null);
    if (note?.type === "note") {
        note.action?.run();
    }
}

it("mentions are shown with the new name, follow it, and are taken back with it", async () => {
    const before = text(`${SKILL}/SKILL.md`);
    render(FileDialogs);
    await rename("factors.md");
    const mention = await screen.findByTestId("rename-mention");
    expect(mention.querySelector("del")?.textContent).toBe("references/conversion-table.md");
    expect(mention.querySelector("ins")?.textContent).toBe("references/factors.md");
    await fireEvent.click(screen.getByTestId("name-submit"));
    await waitFor(() => expect(text(`${SKILL}/SKILL.md`)).toContain("[conversion table](references/factors.md)"));
    await waitFor(() => expect(fileActions.asked).toBeNull());
    expect([text(TABLE), text(`${SKILL}/references/factors.md`)?.slice(0, 18)]).toEqual([null, "# Conversion table"]);
    expect(editor.files).toEqual([]);
    undo();
    await waitFor(() => expect(text(`${SKILL}/SKILL.md`)).toBe(before));
    expect(text(TABLE)).not.toBeNull();
});

it("a text with unsaved edits takes the new name and stays unsaved; nothing follows that is not to", async () => {
    await editor.open(`${SKILL}/SKILL.md`);
    const file = editor.active;
    file?.write(`${file.text}more\n`);
    render(FileDialogs);
    await rename("factors.md");
    await screen.findByTestId("rename-mention");
    await fireEvent.click(screen.getByTestId("name-submit"));
    await waitFor(() => expect(file?.text).toContain("(references/factors.md)"));
    expect([file?.dirty, text(`${SKILL}/SKILL.md`)?.includes("factors.md")]).toEqual([true, false]);

    await waitFor(() => expect(fileActions.asked).toBeNull());
    fileActions.ask("rename", { path: `${SKILL}/references/factors.md`, name: "factors.md", skill: SKILL, isSkill: false });
    await fireEvent.input(await screen.findByTestId("name-input"), { target: { value: "rates.md" } });
    await fireEvent.click(await screen.findByTestId("rename-follow"));
    await fireEvent.click(screen.getByTestId("name-submit"));
    await waitFor(() => expect(fileActions.asked).toBeNull());
    expect(file?.text).toContain("(references/factors.md)");
});

it("selected lines become a reference file, with a link in their place, and come back", async () => {
    await editor.open(`${SKILL}/SKILL.md`);
    const file = editor.active;
    if (file === null) {
        throw new Error("nothing is open");
    }
    const before = file.text;
    extract.ask();
    expect(extract.asked).toBeNull();
    const [from, to] = [before.indexOf("## Steps"), before.indexOf("2. Run")];
    file.selected = { from: from + 3, to };
    extract.ask();
    const { asked } = extract;
    if (asked === null) {
        throw new Error("nothing is asked");
    }
    render(ExtractDialog, { asked });
    const name = await screen.findByTestId<HTMLInputElement>("extract-name");
    expect(name.value).toBe("references/steps.md");
    await fireEvent.input(name, { target: { value: "references/how.txt" } });
    expect(screen.getByTestId<HTMLButtonElement>("extract-submit").disabled).toBe(true);
    await fireEvent.input(name, { target: { value: "references/how.md" } });
    await fireEvent.click(screen.getByTestId("extract-submit"));
    await waitFor(() => expect(extract.asked).toBeNull());
    expect(text(`${SKILL}/references/how.md`)).toBe(
        "## Steps\n\n1. Review the [conversion table](conversion-table.md) to find the correct factor.\n",
    );
    expect(file.text).toBe(`${before.slice(0, from)}[Steps](references/how.md)\n\n${before.slice(to)}`);
    const range = editor.jump?.range;
    expect(file.text.slice(range?.from, range?.to)).toBe("[Steps](references/how.md)");
    undo();
    await waitFor(() => expect(file.text).toBe(before));
    await waitFor(() => expect(text(`${SKILL}/references/how.md`)).toBeNull());
});
