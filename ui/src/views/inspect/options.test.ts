/** The options as a form: a change counts at once as unsaved text of the project file, and can be taken back and written. */
import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import { beforeEach, expect, it } from "vitest";
import { setHost } from "../../host";
import { fakeHost, type FakeHost } from "../../host/fake";
import { editor } from "../../state/editor.svelte";
import { options } from "../../state/options.svelte";
import { skills } from "../../state/skills.svelte";
import OptionsPane from "./OptionsPane.svelte";

const FILE = "/home/ada/work/skills/workbench.yaml";
let fake: FakeHost;

beforeEach(async () => {
    fake = fakeHost();
    setHost(fake);
    editor.files = [];
    editor.active = null;
    options.open = false;
    options.form = null;
    await skills.load();
    await options.toggle();
    render(OptionsPane, { onopenat: () => undefined });
    await waitFor(() => expect(screen.getAllByTestId("option").length).toBeGreaterThan(3));
});

const field = (name: string) => {
    const row = screen.getAllByTestId("option").find((each) => each.dataset["option"] === name);
    return within(row ?? document.body);
};
const draft = () => editor.of(FILE)?.text;

it("a change is a draft of the project file, shows in what is inspected, and is written on demand", async () => {
    await fireEvent.click(field("scriptApproval").getByTestId("option-value"));
    await waitFor(() => expect(draft()).toContain("scriptApproval: true"));
    expect(fake.disk.files.has(FILE)).toBe(false);
    const inspected = fake.calls.filter((call) => call.name === "inspect_listed").at(-1);
    expect(inspected?.args).toMatchObject({ unsaved: [{ path: FILE }] });
    await waitFor(() => expect(field("scriptApproval").getByTestId("option-reset")).toBeDefined());
    await fireEvent.click(screen.getByTestId("options-write"));
    await waitFor(() => expect(fake.disk.files.get(FILE)).toContain("scriptApproval: true"));
    expect(screen.getByTestId<HTMLButtonElement>("options-write").disabled).toBe(true);
});

it("changes are taken back one after the other, and all of them by discarding", async () => {
    await fireEvent.change(field("autoApproval").getByTestId("option-value"), { target: { value: "all" } });
    await waitFor(() => expect(draft()).toContain("autoApproval: all"));
    await fireEvent.click(field("disableCaching").getByTestId("option-value"));
    await waitFor(() => expect(draft()).toContain("disableCaching: true"));
    await fireEvent.click(screen.getByTestId("options-undo"));
    await waitFor(() => expect(draft()).not.toContain("disableCaching"));
    expect(draft()).toContain("autoApproval");
    await fireEvent.click(screen.getByTestId("options-discard"));
    await waitFor(() => expect(draft()).toBe(""));
});

it("a value that cannot be is refused at its option, and nothing is changed", async () => {
    await fireEvent.change(field("folders").getByTestId("option-value"), { target: { value: "7" } });
    await waitFor(() => expect(field("folders").getByRole("alert").textContent).toContain("workbench.yaml"));
    expect(draft() ?? "").toBe("");
});

it("lists and what may be null are written as such", async () => {
    await fireEvent.change(field("allowedResourceExtensions").getByTestId("option-value"), { target: { value: ".md\n .csv \n" } });
    await waitFor(() => expect(draft()).toContain("allowedResourceExtensions:\n    - .md\n    - .csv\n"));
    await waitFor(() => expect(field("allowedResourceExtensions").queryByTestId("option-reset")).not.toBeNull());
    await fireEvent.click(field("allowedResourceExtensions").getByTestId("option-reset"));
    await waitFor(() => expect(draft()).toBe(""));
    await fireEvent.input(screen.getByTestId("options-search"), { target: { value: "approval user" } });
    await waitFor(() => expect(screen.getAllByTestId("option").map((each) => each.dataset["option"])).toEqual(["scriptApproval"]));
});
