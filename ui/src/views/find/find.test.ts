/** Searching all skills: matches, unsaved text, options, progress; and jumping to a match. */
import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it } from "vitest";
import type { FoundTexts } from "../../generated/api";
import { setHost } from "../../host";
import { fakeHost, type FakeHost } from "../../host/fake";
import { app } from "../../state/app.svelte";
import { editor } from "../../state/editor.svelte";
import { find } from "../../state/find.svelte";
import { skills } from "../../state/skills.svelte";
import { HOSTILE, expectMarked } from "../../test-marked";
import FindDialog from "./FindDialog.svelte";
// It comes in its own chunk: nothing waits for it here.
import "./FindView.svelte";

const CONVERTER = "/opt/skill-workbench/skills/unit-converter";
let fake: FakeHost;

beforeEach(async () => {
    fake = fakeHost();
    setHost(fake);
    editor.files = [];
    editor.active = null;
    Object.assign(find, { open: false, text: "", matchCase: false, wholeWords: false, regex: false, files: [], looked: null, error: null });
    await skills.load();
    render(FindDialog);
});

const type = async (text: string) => fireEvent.input(await screen.findByTestId("find-text"), { target: { value: text } });
const said = () => screen.getByTestId("find-said").textContent.trim();
const lines = () => screen.getAllByTestId("found-place").map((line) => line.textContent.replace(/\s+/g, " ").trim());

it("shows each place below its file and skill, and opens the editor there", async () => {
    find.show();
    await type("kilograms |");
    await waitFor(() => expect(said()).toBe("Places: 2. Files: 1"));
    expect(screen.getByTestId("found-skill").textContent).toBe("unit-converter2");
    expect(screen.getByTestId("found-file").textContent).toContain("references/conversion-table.md");
    expect(lines()).toEqual(["7 | pounds | kilograms | 0.453592 |", "8 | kilograms | pounds | 2.20462 |"]);
    app.go("run");
    const input = screen.getByTestId("find-text");
    await fireEvent.keyDown(input, { key: "ArrowDown" });
    await fireEvent.keyDown(input, { key: "Enter" });
    await waitFor(() => expect(editor.active?.path).toBe(`${CONVERTER}/references/conversion-table.md`));
    expect([find.open, app.place]).toEqual([false, "skills"]);
    const range = editor.jump?.range;
    expect(editor.active?.text.slice(range?.from, range?.to)).toBe("kilograms |");
    await find.step(1);
    expect(find.at).toBe(0);
});

it("looks in unsaved text in place of what is saved, and says so", async () => {
    await editor.open(`${CONVERTER}/SKILL.md`);
    editor.active?.write("# Unit converter\n\nzebra\n");
    find.show("zebra");
    await waitFor(() => expect(said()).toBe("Places: 1. Files: 1"));
    expect(screen.getByTestId("found-file").textContent).toContain("unsaved text");
});

it("goes by case, whole words and expressions, and says what is wrong with one", async () => {
    find.show();
    await type("Unit");
    await waitFor(() => expect(screen.getAllByTestId("found-place").length).toBeGreaterThan(3));
    const all = find.places.length;
    await fireEvent.click(screen.getByTestId("find-wholeWords"));
    await waitFor(() => expect(find.places.length).toBeLessThan(all));
    await fireEvent.click(screen.getByTestId("find-matchCase"));
    await waitFor(() => expect(lines()).toEqual(["6 # Unit converter"]));
    await type("(");
    await fireEvent.click(screen.getByTestId("find-regex"));
    await waitFor(() => expect(said()).toBe("the expression is not valid: unclosed group"));
});

it("shows what is there while further files are looked through, and stops with the dialog", async () => {
    const answers: ((found: FoundTexts) => void)[] = [];
    const asked: (string | null)[] = [];
    fake.on("text_find", ({ after }) => {
        asked.push(after);
        return new Promise<FoundTexts>((resolve) => answers.push(resolve));
    });
    const place = { range: { from: 0, to: 1, line: 1, column: 1 }, before: "", text: HOSTILE, after: "" };
    const file = { skill: "/a", skillName: HOSTILE, path: "/a/x.md", name: HOSTILE, unsaved: false, places: [place], more: false };
    const large = { skillName: "a", path: "/a/data/long.csv", name: `data/${HOSTILE}.csv` };
    find.show("x");
    await waitFor(() => expect(answers).toHaveLength(1));
    answers[0]?.({ files: [file], looked: 64, of: 200, tooLarge: [large], textLimit: 4 << 20, next: "/a/x.md" });
    expect(await screen.findByText("Searched 64 of 200 files…")).toBeDefined();
    expect(screen.getByText("Not searched, larger than 4 MiB: 1 file")).toBeDefined();
    expect(screen.getByTestId("find-too-large").textContent).toContain("a / data/");
    expectMarked(screen.getByTestId("find"));
    await waitFor(() => expect(asked).toEqual([null, "/a/x.md"]));
    find.close();
    answers[1]?.({ files: [], looked: 128, of: 200, tooLarge: [], textLimit: 4 << 20, next: "/a/y.md" });
    await waitFor(() => expect(screen.queryByTestId("find")).toBeNull());
    expect(asked).toHaveLength(2);
});
