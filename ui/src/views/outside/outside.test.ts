/** Showing a path in other programs: an editor is asked for once, and then opens what waited for it. */
import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it } from "vitest";
import { setHost } from "../../host";
import { fakeHost, type FakeHost } from "../../host/fake";
import { app } from "../../state/app.svelte";
import { outside } from "../../state/outside.svelte";
import { toasts } from "../../state/toasts.svelte";
import OutsideDialog from "./OutsideDialog.svelte";

const PATH = "/home/ada/work/skills/log-analyzer";
let fake: FakeHost;

beforeEach(async () => {
    fake = fakeHost();
    setHost(fake);
    toasts.list = [];
    outside.cancel();
    outside.found = null;
    await app.load();
    render(OutsideDialog);
});

const called = (name: string) => fake.calls.filter((call) => call.name === name).map((call) => call.args);

it("asks for an editor once, and then opens what waited for it", async () => {
    void outside.edit(PATH);
    await waitFor(() => expect(screen.getByTestId("outside-found").textContent).toContain("Visual Studio Code"));
    expect(screen.getByTestId<HTMLButtonElement>("outside-submit").disabled).toBe(true);
    await fireEvent.click(screen.getByTestId("outside-found"));
    await fireEvent.click(screen.getByTestId("outside-submit"));
    await waitFor(() => expect(called("path_edit")).toEqual([{ path: PATH }]));
    expect(app.settings.editor).toBe("/usr/bin/code {path}");
    await outside.edit(PATH);
    expect(called("path_edit")).toHaveLength(2);
    expect(outside.choosing).toBe(false);
});

it("an editor that does not start is named, and another can be chosen", async () => {
    await app.change({ editor: "gone" });
    fake.on("path_edit", () => {
        throw { code: "unknown", message: "cannot start the editor", hint: null, path: PATH, why: null };
    });
    await outside.edit(PATH);
    expect(toasts.list.map((toast) => toast.type)).toEqual(["error"]);
    expect(outside.choosing).toBe(true);
    expect(screen.getByTestId<HTMLInputElement>("outside-command").value).toBe("gone");
});

it("the file manager is asked at once, and an error of it is shown", async () => {
    fake.on("path_reveal", () => {
        throw { code: "io", message: "cannot show it", hint: null, path: PATH, why: null };
    });
    await outside.reveal(PATH);
    expect(toasts.list).toHaveLength(1);
});
