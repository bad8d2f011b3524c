import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it } from "vitest";
import { setHost } from "../../host";
import { fakeHost, type FakeHost } from "../../host/fake";
import { FILES_OF_RUN } from "../../host/fake/changes";
import ChangedFiles from "./ChangedFiles.svelte";

let fake: FakeHost;

beforeEach(() => {
    fake = fakeHost();
    setHost(fake);
});

it("lists what changed, shows how, and that the skills did not", async () => {
    render(ChangedFiles, { run: "run-2" });
    const rows = await screen.findAllByTestId("changed-file");
    expect(rows.map((row) => [row.dataset["path"], row.dataset["change"]])).toEqual([
        ["out/table.csv", "created"],
        ["out/chart.png", "created"],
        ["out/report.md", "changed"],
        ["notes.txt", "deleted"],
    ]);
    expect(screen.getByTestId("skills-same")).toBeTruthy();
    await fireEvent.click(screen.getAllByTestId("file-look")[2]!);
    const diff = await screen.findByTestId("file-diff");
    expect(diff.querySelector("ins")?.textContent).toContain("**");
});

it("says of a file that is not kept why", async () => {
    render(ChangedFiles, { run: "run-2" });
    await fireEvent.click((await screen.findAllByTestId("file-look"))[1]!);
    expect((await screen.findByTestId("file-unkept")).textContent).toContain("not text");
});

it("asks before it replaces what is there", async () => {
    fake.folderPicked = "/home/ada/out";
    render(ChangedFiles, { run: "run-2" });
    await fireEvent.click(await screen.findByTestId("files-save-all"));
    expect((await screen.findByTestId("files-replace")).textContent).toContain("out/report.md");
    await fireEvent.click(screen.getByTestId("files-replace-do"));
    const saved = () => fake.calls.filter((made) => made.name === "run_files_save").map((made) => made.args);
    await waitFor(() => expect(saved()).toHaveLength(2));
    expect(saved()).toEqual([expect.objectContaining({ replace: false }), expect.objectContaining({ replace: true })]);
});

it("says what it does not know of a turn that broke off, and which skills changed", async () => {
    const [turn] = FILES_OF_RUN.turns;
    fake.on("run_files", () => ({
        ...FILES_OF_RUN,
        turns: [
            { ...turn!, skills: [{ name: "unit-converter", same: false }] },
            { ...turn!, known: "found", skills: [] },
        ],
    }));
    render(ChangedFiles, { run: "run-2" });
    expect((await screen.findByTestId("skills-changed")).textContent).toContain("unit-converter");
    expect(screen.getByTestId("files-unsure").textContent).toContain("not recorded");
});

it("says so where nothing could change", async () => {
    fake.on("run_files", () => ({ turns: [], folder: null, outside: [] }));
    render(ChangedFiles, { run: "run-2", always: true });
    await screen.findByTestId("files-none");
});
