import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { expect, it } from "vitest";
import { setHost } from "../../host";
import { fakeHost } from "../../host/fake";
import { editor } from "../../state/editor.svelte";
import { skills } from "../../state/skills.svelte";
import SavedOnly from "./SavedOnly.svelte";

const PATH = "/home/ada/work/skills/log-analyzer/SKILL.md";

it("names the files that a run would take as they are saved, and saves them", async () => {
    const fake = fakeHost();
    setHost(fake);
    await skills.load();
    await editor.open(PATH);
    render(SavedOnly);
    expect(screen.queryByTestId("saved-only")).toBeNull();
    editor.active?.write("typed");
    await waitFor(() => expect(screen.getByTestId("saved-only").title).toBe(PATH));
    await fireEvent.click(screen.getByTestId("saved-only-save"));
    await waitFor(() => expect(screen.queryByTestId("saved-only")).toBeNull());
    expect(fake.disk.files.get(PATH)).toBe("typed");
    editor.files.forEach((file) => editor.drop(file));
});
