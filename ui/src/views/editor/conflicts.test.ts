/** A merge by hand: both sides are shown, and each place is settled for itself or all at once. */
import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it } from "vitest";
import { setHost } from "../../host";
import { fakeHost, type FakeHost } from "../../host/fake";
import { editor } from "../../state/editor.svelte";
import { skills } from "../../state/skills.svelte";
import CodeView from "./CodeView.svelte";
import FileBars from "./FileBars.svelte";
import "./codemirror/text-view";

const PATH = "/home/ada/work/skills/log-analyzer/notes.md";
const MERGED = "a\n<<<<<<< mine\nB1\n=======\nB2\n>>>>>>> theirs\nc\n<<<<<<< mine\nD1\n=======\nD2\n>>>>>>> theirs\n";
let fake: FakeHost;

beforeEach(async () => {
    fake = fakeHost();
    setHost(fake);
    fake.disk.files.set(PATH, "a\nb\nc\nd\n");
    fake.on("text_merge", () => ({ text: MERGED, conflicts: 2 }));
    editor.files = [];
    editor.active = null;
    await skills.load();
    await editor.open(PATH);
});

function active() {
    if (editor.active === null) {
        throw new Error("nothing is open");
    }
    return editor.active;
}

it("asks at each place that both sides changed, and keeps what is chosen there", async () => {
    const file = active();
    file.write("a\nB1\nc\nD1\n");
    fake.disk.files.set(PATH, "a\nB2\nc\nD2\n");
    render(FileBars, { file });
    const { container } = render(CodeView, { file });
    await editor.save(file);
    await fireEvent.click(await screen.findByTestId("merge"));
    expect((await screen.findByTestId("conflict-bar")).textContent).toContain("2 places were changed on both sides.");
    await waitFor(() => expect(container.querySelectorAll(".conflict-choice")).toHaveLength(2));
    expect([...container.querySelectorAll(".conflict-mine")].map((line) => line.textContent)).toEqual(["B1", "D1"]);
    expect([...container.querySelectorAll(".conflict-theirs")].map((line) => line.textContent)).toEqual(["B2", "D2"]);
    await fireEvent.click(screen.getAllByTestId("conflict-both")[0] ?? document.body);
    await waitFor(() => expect(container.querySelectorAll(".conflict-choice")).toHaveLength(1));
    await fireEvent.click(screen.getByTestId("conflict-theirs"));
    await waitFor(() => expect(screen.queryByTestId("conflict-bar")).toBeNull());
    expect(file.text).toBe("a\nB1\nB2\nc\nD2\n");
    expect(await editor.save(file)).toBe(true);
});

it("takes one side everywhere", async () => {
    const file = active();
    file.write(MERGED);
    render(FileBars, { file });
    await fireEvent.click(await screen.findByTestId("conflicts-mine"));
    expect(file.text).toBe("a\nB1\nc\nD1\n");
});
