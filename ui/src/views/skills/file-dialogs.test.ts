/** A file is made and deleted by its dialogs, a folder is closed, and the window asks before it closes over unsaved text. */
import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it } from "vitest";
import { setHost } from "../../host";
import { fakeHost, type FakeHost } from "../../host/fake";
import { failure } from "../../host/fake/failure";
import { formatMoment } from "../../i18n";
import { deleted } from "../../state/deleted.svelte";
import { editor } from "../../state/editor.svelte";
import { fileActions } from "../../state/file-actions.svelte";
import { skills } from "../../state/skills.svelte";
import { toasts } from "../../state/toasts.svelte";
import CloseGuard from "../shell/CloseGuard.svelte";
import FileDialogs from "./FileDialogs.svelte";

const SKILL = "/home/ada/work/skills/log-analyzer";
const NEW = `${SKILL}/references/notes.md`;
const SCRIPT = `${SKILL}/scripts/window.py`;

let fake: FakeHost;

beforeEach(async () => {
    fake = fakeHost();
    setHost(fake);
    await skills.load();
    await skills.fetch(SKILL);
});

afterEach(() => editor.files.forEach((file) => editor.drop(file)));

const called = (name: string) => fake.calls.filter((call) => call.name === name).map((call) => call.args);

it("a new file gets a path inside of the skill, and is opened", async () => {
    fileActions.ask("newFile", { path: SKILL, name: "log-analyzer", skill: SKILL, isSkill: true });
    render(FileDialogs);
    const create = () => screen.getByTestId("name-submit");
    const type = (value: string) => fireEvent.input(screen.getByTestId("name-input"), { target: { value } });
    await type("../notes.md");
    expect(create()).toHaveProperty("disabled", true);
    await type("scripts/window.py");
    expect(create()).toHaveProperty("disabled", true);
    await type("references/notes.md");
    await fireEvent.submit(document.querySelector("#name-form") ?? document.body);
    await waitFor(() => expect(editor.active?.path).toBe(NEW));
    expect([called("file_create"), fake.disk.files.get(NEW), screen.queryByTestId("name-dialog")]).toEqual([[{ path: NEW }], "", null]);
});

it("a file is deleted after a question only, and its tab goes with it", async () => {
    await editor.open(SCRIPT);
    const target = { path: SCRIPT, name: "window.py", skill: SKILL, isSkill: false };
    fileActions.ask("delete", target);
    render(FileDialogs);
    expect(screen.getByTestId("delete-dialog").textContent).toContain(SCRIPT);
    await fireEvent.click(screen.getByText("Cancel"));
    expect([called("file_trash"), fake.disk.files.has(SCRIPT)]).toEqual([[], true]);
    fileActions.ask("delete", target);
    await fireEvent.click(await screen.findByTestId("delete-confirm"));
    await waitFor(() => expect(editor.of(SCRIPT)).toBeNull());
    expect([called("file_trash"), fake.disk.files.has(SCRIPT)]).toEqual([[{ path: SCRIPT }], false]);
});

it("a deletion is undone, with the tab and what was unsaved in it", async () => {
    await editor.open(SCRIPT);
    const saved = fake.disk.files.get(SCRIPT);
    editor.active?.write("unsaved");
    fileActions.ask("delete", { path: SCRIPT, name: "window.py", skill: SKILL, isSkill: false });
    render(FileDialogs);
    await fireEvent.click(await screen.findByTestId("delete-confirm"));
    await waitFor(() => expect(editor.of(SCRIPT)).toBeNull());
    const undo = toasts.list.flatMap((toast) => (toast.type === "note" && toast.text() === "Deleted window.py." ? [toast.action] : []));
    undo[0]?.run();
    await waitFor(() => expect(editor.active?.path).toBe(SCRIPT));
    expect([editor.active?.text, fake.disk.files.get(SCRIPT)]).toEqual(["unsaved", saved]);
});

it("a text that others changed before it was deleted comes back with the question", async () => {
    await editor.open(SCRIPT);
    editor.active?.write("unsaved");
    fake.disk.files.set(SCRIPT, "theirs");
    const trashed = await deleted.put(SCRIPT);
    await deleted.putBack(trashed!);
    expect([editor.active?.path, editor.active?.text, editor.active?.outside]).toEqual([
        SCRIPT,
        "unsaved",
        { type: "changed", theirs: fake.disk.read(SCRIPT) },
    ]);
});

it("what cannot be put back keeps what was unsaved", async () => {
    await editor.open(SCRIPT);
    editor.active?.write("unsaved");
    const trashed = await deleted.put(SCRIPT);
    fake.disk.files.set(SCRIPT, "another");
    await deleted.restore(trashed!);
    expect([deleted.error?.code, deleted.list, editor.of(SCRIPT)]).toEqual(["exists", [trashed], null]);
    fake.disk.files.delete(SCRIPT);
    await deleted.restore(trashed!);
    expect([deleted.error, deleted.list, editor.active?.text]).toEqual([null, [], "unsaved"]);
});

it("deleted files are listed, put back, and deleted permanently after a second click only", async () => {
    fake.disk.trash(NEW);
    fake.disk.trash(SCRIPT);
    fake.disk.trash(SKILL);
    render(FileDialogs);
    await deleted.show();
    const rows = () => screen.queryAllByTestId("deleted-row").map((row) => row.dataset["path"]);
    await waitFor(() => expect(rows()).toEqual([SKILL, SCRIPT, NEW]));
    await fireEvent.click(screen.getAllByTestId("deleted-restore")[1]!);
    await waitFor(() => expect(rows()).toEqual([SKILL, NEW]));
    expect(fake.disk.files.has(SCRIPT)).toBe(true);
    await fireEvent.click(screen.getAllByTestId("deleted-remove")[1]!);
    expect([rows(), called("trash_remove"), screen.getAllByTestId("deleted-remove")[1]?.textContent]).toEqual([
        [SKILL, NEW],
        [],
        "Really delete it?",
    ]);
    await fireEvent.click(screen.getAllByTestId("deleted-remove")[1]!);
    await waitFor(() => expect(rows()).toEqual([SKILL]));
    await fireEvent.click(screen.getByTestId("deleted-restore"));
    await screen.findByTestId("deleted-none");
    deleted.open = false;
});

it("all deleted files are deleted permanently after a question that counts them, and what failed is said", async () => {
    const moment = formatMoment(Date.UTC(2026, 0, 2));
    fake.disk.trash(NEW);
    fake.disk.trash(SCRIPT);
    fake.disk.trash(SKILL);
    const [skill, script, file] = fake.disk.deleted.map(({ trashed }) => trashed);
    const remove = (id: string) => (fake.disk.take(id), fake.disk.deleted.map(({ trashed }) => trashed));
    fake.on("trash_remove", ({ id }) => {
        if (id === script!.id) {
            throw failure({ code: "io", message: "permission denied", hint: null, path: SCRIPT, why: null });
        }
        return remove(id);
    });
    render(FileDialogs);
    await deleted.show();
    const rows = () => screen.queryAllByTestId("deleted-row").map((row) => row.dataset["path"]);
    const press = async (testid: string) => {
        const button = await screen.findByTestId(testid);
        button.focus();
        await fireEvent.click(button);
    };
    const removed = () => called("trash_remove");
    await press("deleted-empty");
    const question = await screen.findByTestId("deleted-question");
    expect(question.textContent).toContain(`Files and skills: 3. The oldest was deleted on ${moment}. This cannot be undone.`);
    await waitFor(() => expect(document.activeElement?.textContent, "Enter is no yes").toBe("Cancel"));
    await fireEvent.click(document.activeElement!);
    await waitFor(() => expect(screen.queryByTestId("deleted-question")).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId("deleted-empty")));
    expect([removed(), rows()]).toEqual([[], [SKILL, SCRIPT, NEW]]);

    await press("deleted-empty");
    await press("deleted-confirm");
    const said = await screen.findByTestId("deleted-emptied");
    expect([removed(), rows(), said.textContent.trim()]).toEqual([
        [{ id: skill!.id }, { id: script!.id }, { id: file!.id }],
        [SCRIPT],
        "Deleted permanently: 2. Could not be deleted: 1 (window.py).",
    ]);
    expect(screen.getByTestId("deleted").querySelector("[role=alert]")?.textContent).toContain("permission denied");

    fake.on("trash_remove", ({ id }) => remove(id));
    await press("deleted-empty");
    await press("deleted-confirm");
    await screen.findByTestId("deleted-none");
    expect([screen.getByTestId("deleted-emptied").textContent.trim(), screen.queryByTestId("deleted-empty"), deleted.error]).toEqual([
        "Deleted permanently: 1.",
        null,
        null,
    ]);
    await waitFor(() => expect(screen.getByTestId("deleted").contains(document.activeElement)).toBe(true));
    deleted.open = false;
});

it("what another window deleted in the meantime has not failed", async () => {
    fake.disk.trash(NEW);
    fake.disk.trash(SCRIPT);
    await deleted.show();
    deleted.askEmpty();
    fake.disk.deleted = fake.disk.deleted.slice(1);
    await deleted.empty();
    expect([deleted.list, deleted.error, deleted.emptied]).toEqual([[], null, { gone: 2, left: [] }]);
    deleted.open = false;
});

it("the window closes over unsaved text only if that is what the user says", async () => {
    render(CloseGuard);
    await editor.open(SCRIPT);
    expect(await fake.close()).toBe(true);
    editor.active?.write("unsaved");
    const first = fake.close();
    await fireEvent.click(await screen.findByText("Cancel"));
    expect([await first, editor.dirty.length]).toEqual([false, 1]);
    const second = fake.close();
    await fireEvent.click(await screen.findByTestId("close-save"));
    expect([await second, fake.disk.files.get(SCRIPT)]).toEqual([true, "unsaved"]);
});
