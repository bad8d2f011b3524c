/** Earlier texts of a file: what differs, and bringing one back as a step of undo. */
import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it } from "vitest";
import { setHost } from "../../host";
import { fakeHost, type FakeHost } from "../../host/fake";
import { editor } from "../../state/editor.svelte";
import { history } from "../../state/history.svelte";
import type { OpenFile } from "../../state/open-file.svelte";
import { skills } from "../../state/skills.svelte";
import HistoryDialog from "./HistoryDialog.svelte";
// It comes in its own chunk: nothing waits for it here.
import "./HistoryView.svelte";

const PATH = "/home/ada/work/skills/log-analyzer/SKILL.md";
let fake: FakeHost;
let file: OpenFile;

beforeEach(async () => {
    fake = fakeHost();
    setHost(fake);
    editor.files = [];
    editor.active = null;
    history.close();
    await skills.load();
    const opened = await editor.load(PATH);
    if (opened === null) {
        throw new Error("the sample has this file");
    }
    file = opened;
    render(HistoryDialog);
});

const versions = (type: string) => screen.getAllByTestId("history-version").filter((each) => each.dataset["type"] === type);
const kinds = () => [...document.querySelectorAll<HTMLElement>("[data-kind]")].map((line) => [line.dataset["kind"], line.textContent]);

it("shows what is not saved before it is, and saves it from there", async () => {
    file.write(file.text.replace("slowest", "ten slowest"));
    void history.open(file);
    await waitFor(() => expect(screen.getByTestId("history-added").textContent).toBe("+1"));
    const changed = kinds().filter(([kind]) => kind !== "same");
    expect(changed.map(([kind]) => kind)).toEqual(["removed", "added"]);
    await fireEvent.click(screen.getByTestId("history-save"));
    await waitFor(() => expect(versions("saved")).toHaveLength(2));
    expect(file.dirty).toBe(false);
    await waitFor(() => expect(screen.getByText("Everything is saved")).toBeDefined());
});

it("a version is restored into the editor, and nothing is written", async () => {
    const first = file.text;
    file.write(`${first}more\n`);
    await editor.save(file);
    void history.open(file);
    await waitFor(() => expect(versions("saved")).toHaveLength(2));
    // The text before the last save comes first.
    await waitFor(() => expect(versions("saved")[1]?.getAttribute("aria-selected")).toBe("true"));
    await waitFor(() => expect(kinds().at(-1)).toEqual(["added", expect.stringContaining("more")]));
    await fireEvent.click(screen.getByTestId("history-restore"));
    expect(file.text).toBe(first);
    expect(file.dirty).toBe(true);
    expect(fake.disk.files.get(PATH)).toBe(`${first}more\n`);
    expect(history.file).toBeNull();
});

it("says what a version itself changed, and walks by arrow keys", async () => {
    for (const text of ["one\n", "one\ntwo\n", "one\n"]) {
        file.write(text);
        await editor.save(file);
    }
    void history.open(file);
    await waitFor(() => expect(versions("saved")).toHaveLength(4));
    await waitFor(() => expect(versions("saved")[1]?.getAttribute("aria-selected")).toBe("true"));
    await fireEvent.keyDown(screen.getByRole("listbox"), { key: "ArrowUp" });
    await waitFor(() =>
        expect(versions("saved").map((each) => each.getAttribute("aria-selected"))).toEqual(["true", "false", "false", "false"]),
    );
    await fireEvent.click(screen.getByTestId("history-before"));
    await waitFor(() => expect(kinds().map(([kind]) => kind)).toEqual(["same", "removed"]));
    expect(screen.getByText("Changed in this version")).toBeDefined();
});

it("has the focus on the version that is chosen once it is known which", async () => {
    file.write("one\n");
    await editor.save(file);
    fake.on("text_lines", async () => {
        await screen.findByRole("listbox");
        return { added: 0, removed: 0, places: [] };
    });
    void history.open(file);
    await waitFor(() => expect(versions("saved")[1]?.getAttribute("aria-selected")).toBe("true"));
    expect(document.activeElement).toBe(versions("saved")[1]);
});

it("is to a screen reader a list of versions in groups, and nothing else", async () => {
    void history.open(file);
    const list = await screen.findByRole("listbox");
    const roles = [...list.querySelectorAll("h3, p, [role]")].map((each) => each.getAttribute("role"));
    expect(new Set(roles)).toEqual(new Set(["option", "group", "presentation"]));
});

it("a revision that cannot be read says why, and the list stays", async () => {
    fake.on("file_version", () => {
        throw { code: "notFound", message: "git has no such version", hint: null, path: PATH, why: null };
    });
    void history.open(file);
    await waitFor(() => expect(versions("revision")).toHaveLength(2));
    await fireEvent.click(versions("revision")[1] ?? document.body);
    await waitFor(() => expect(screen.getByText(/git has no such version/)).toBeDefined());
    expect(screen.getByTestId<HTMLButtonElement>("history-restore").disabled).toBe(true);
});
