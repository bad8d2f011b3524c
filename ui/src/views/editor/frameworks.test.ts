import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";
import { setHost } from "../../host";
import { fakeHost, type FakeHost } from "../../host/fake";
import { editor } from "../../state/editor.svelte";
import { frameworks } from "../../state/frameworks.svelte";
import { skills } from "../../state/skills.svelte";
import Frameworks from "./Frameworks.svelte";

let fake: FakeHost;
const PATH = "/home/ada/work/skills/excel-report/SKILL.md";

beforeEach(async () => {
    fake = fakeHost();
    setHost(fake);
    frameworks.forget();
    await skills.load();
    await editor.open(PATH);
    const file = editor.active;
    if (file === null) {
        throw new Error("nothing is open");
    }
    render(Frameworks, { file });
    await waitFor(() => expect(screen.getAllByTestId("framework")).toHaveLength(11));
    return () => editor.files.forEach((open) => editor.drop(open));
});

/** Two refuse them all, because another skill has no frontmatter. */
const WRITTEN = [...["loads", "skipped", "loads", "loads", "loads"], ...["skipped", "loads", "loads", "loads", "loads", "loads"]];

const signs = () => screen.getAllByTestId("framework").map((each) => each.dataset["sign"]);

it("says for each framework whether the open skill loads", () => {
    expect(signs()).toEqual([
        ...["skipped", "skipped", "quirks", "quirks", "skipped"],
        ...["skipped", "quirks", "skipped", "quirks", "quirks", "skipped"],
    ]);
    expect(screen.getAllByTestId("framework")[0]?.textContent).toContain("Skill name must be 64 characters or fewer.");
});

it("takes the text of the editor, says so, and says no longer so once it is saved", async () => {
    const file = editor.active;
    file?.write("---\nname: excel-report\ndescription: Makes reports.\n---\n\n# Report\n");
    await waitFor(() => expect(signs()).toEqual(WRITTEN));
    expect(screen.getByTestId("drafts-note").title).toBe(PATH);
    expect(fake.disk.files.get(PATH)).not.toContain("Makes reports.");
    if (file !== null) {
        await editor.save(file);
    }
    await waitFor(() => expect(screen.queryByTestId("drafts-note")).toBeNull());
    expect(signs()).toEqual(WRITTEN);
});

it("asks once behind an answer that is under way, however much was typed", async () => {
    const asked = () => fake.calls.filter((call) => call.name === "compare_skill").length;
    const before = asked();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    fake.on("compare_skill", () => held.then(() => []));
    void frameworks.refresh();
    for (const text of ["one", "two", "three"]) {
        editor.active?.write(text);
        void frameworks.refresh();
    }
    expect(asked()).toBe(before + 1);
    release();
    await waitFor(() => expect(asked()).toBe(before + 2));
});

it("opens the card of the skill, copies it and saves it as a picture", async () => {
    await fireEvent.click(screen.getByTestId("card-open"));
    const rows = await screen.findAllByTestId("card-row");
    expect(rows.map((row) => row.dataset["seen"])).toEqual([
        ...["leftOut", "refused", "listed", "listed", "leftOut"],
        ...["refused", "listed", "leftOut", "listed", "listed", "leftOut"],
    ]);
    expect(rows[0]?.textContent).toContain("Skill name must be 64 characters or fewer.");
    expect(rows[2]?.textContent).toContain("with load_skill, ");
    expect(rows[3]?.textContent).toContain("with Skill, ");
    expect(rows[9]?.textContent).toContain("with activate_skill, ");
    await fireEvent.click(screen.getByTestId("card-copy"));
    const asked = (name: string) => fake.calls.find((call) => call.name === name)?.args;
    await waitFor(() => expect(asked("skill_card_text")).toEqual({ skill: PATH.replace("/SKILL.md", ""), format: "markdown" }));
    vi.spyOn(fake, "pickSave").mockResolvedValue("/home/ada/card.svg");
    await fireEvent.click(screen.getByTestId("card-save-svg"));
    await waitFor(() => expect(asked("skill_card_save")).toMatchObject({ format: "svg", path: "/home/ada/card.svg" }));
});
