import { waitFor } from "@testing-library/svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { TextCheck } from "../generated/api";
import { setHost } from "../host";
import { fakeHost, type FakeHost } from "../host/fake";
import { Editor } from "./editor.svelte";
import { CHECK_AFTER, type OpenFile } from "./open-file.svelte";

const PATH = "/opt/skill-workbench/skills/unit-converter/SKILL.md";

let fake: FakeHost;
let editor: Editor;
let file: OpenFile;

beforeEach(async () => {
    fake = fakeHost();
    setHost(fake);
    editor = new Editor();
    await editor.open(PATH);
    file = opened();
    // Files that a test leaves open are not checked in the next one.
    return () => editor.files.forEach((open) => open.close());
});

function opened(): OpenFile {
    if (!editor.active) {
        throw new Error("no file is open");
    }
    return editor.active;
}

function disk(text?: string): string {
    if (text !== undefined) {
        fake.disk.files.set(PATH, text);
    }
    return fake.disk.files.get(PATH) ?? "";
}

describe("saving", () => {
    it("makes a changed text clean and writes it", async () => {
        file.write(`${file.text}more\n`);
        expect(file.dirty).toBe(true);
        expect(await editor.save(file)).toBe(true);
        expect([file.dirty, disk().endsWith("more\n")]).toEqual([false, true]);
    });

    it("keeps what is typed while it saves unsaved", async () => {
        file.write("a");
        const saving = editor.save(file);
        await waitFor(() => expect(fake.calls.map((call) => call.name)).toContain("file_save"));
        file.write("ab");
        await saving;
        expect([disk(), file.text, file.dirty]).toEqual(["a", "ab", true]);
    });

    it("does not write over a file that changed meanwhile", async () => {
        file.write("mine");
        disk("theirs");
        expect(await editor.save(file)).toBe(false);
        expect([disk(), file.text, file.outside?.type]).toEqual(["theirs", "mine", "changed"]);
    });

    it("tells that the file is gone, and writes it again when asked", async () => {
        file.write("mine");
        fake.disk.files.delete(PATH);
        expect(await editor.save(file)).toBe(false);
        expect(file.outside?.type).toBe("gone");
        expect(await editor.save(file, true)).toBe(true);
        expect([disk(), file.outside]).toEqual(["mine", null]);
    });
});

describe("a change on disk", () => {
    it("is followed silently where nothing is unsaved", async () => {
        disk("theirs");
        await editor.reread();
        expect([file.text, file.dirty, file.outside]).toEqual(["theirs", false, null]);
    });

    it("never touches unsaved text", async () => {
        file.write("mine");
        disk("theirs");
        await editor.reread();
        expect([file.text, file.outside?.type]).toEqual(["mine", "changed"]);
    });

    it("is over once mine is kept: the next save writes it", async () => {
        file.write("mine");
        disk("theirs");
        await editor.reread();
        editor.keepMine(file);
        expect([file.text, file.dirty, file.outside]).toEqual(["mine", true, null]);
        expect(await editor.save(file)).toBe(true);
        expect(disk()).toBe("mine");
    });

    it("replaces mine when theirs is taken", async () => {
        file.write("mine");
        disk("theirs");
        await editor.reread();
        editor.takeTheirs(file);
        expect([file.text, file.dirty, file.outside]).toEqual(["theirs", false, null]);
    });

    it("is merged from the text that both grew from", async () => {
        const base = file.text;
        file.write("mine");
        disk("theirs");
        await editor.reread();
        fake.on("text_merge", (args) => ({ text: `${args.base === base}|${args.mine}|${args.theirs}`, conflicts: 0 }));
        expect(await editor.merge(file)).toBe(0);
        expect([file.text, file.base, file.dirty, file.outside]).toEqual(["true|mine|theirs", "theirs", true, null]);
    });

    it("to the same text makes the file clean", async () => {
        file.write("same");
        disk("same");
        await editor.reread();
        expect([file.dirty, file.outside]).toEqual([false, null]);
    });

    it("that was read before a save does not undo the save", async () => {
        const old = fake.disk.read(PATH);
        let answer: () => void = () => undefined;
        fake.on("file_read", () => new Promise((resolve) => (answer = () => resolve(old))));
        const reading = editor.reread();
        await waitFor(() => expect(fake.calls.some((call) => call.name === "file_read")).toBe(true));
        file.write("saved");
        await editor.save(file);
        answer();
        await reading;
        expect([file.text, file.dirty]).toEqual(["saved", false]);
    });

    it("that deletes the file is told", async () => {
        fake.disk.files.delete(PATH);
        await editor.reread();
        expect([file.outside?.type, file.text.length > 0]).toEqual(["gone", true]);
    });
});

describe("checking", () => {
    const answer = (tokens: number): TextCheck => ({
        findings: [],
        security: null,
        alone: false,
        outline: [],
        fields: null,
        tokens,
        tiers: null,
    });

    it("waits until typing rests", async () => {
        vi.useFakeTimers();
        const before = fake.calls.length;
        file.write("a");
        file.write("ab");
        await vi.advanceTimersByTimeAsync(CHECK_AFTER);
        vi.useRealTimers();
        expect(fake.calls.slice(before)).toEqual([{ name: "text_check", args: { path: PATH, text: "ab", unsaved: [] } }]);
    });

    it("shows what is found in a skill alone, and the rest once all skills have been looked at", async () => {
        const answers = [{ ...answer(1), alone: true }, answer(2)];
        fake.on("text_check", () => answers.shift() ?? answer(3));
        let done: () => void = () => undefined;
        fake.on("lint_counts", () => new Promise((resolve) => (done = () => resolve([]))));
        const checking = file.refresh();
        await waitFor(() => expect(file.check?.tokens).toBe(1));
        await waitFor(() => expect(fake.calls.at(-1)?.name).toBe("lint_counts"));
        done();
        await checking;
        expect([file.check?.tokens, answers]).toEqual([2, []]);
    });

    it("does not ask again for the rest if the skills cannot be looked at", async () => {
        let answered = 0;
        fake.on("text_check", () => ({ ...answer(1), alone: (answered += 1) < 5 }));
        fake.on("lint_counts", () => Promise.reject({ code: "io", message: "gone", hint: null, path: null, why: null }));
        await file.refresh();
        expect(answered).toBe(1);
    });

    it("drops an answer that a later text made old", async () => {
        const answers: ((check: TextCheck) => void)[] = [];
        fake.on("text_check", () => new Promise((resolve) => answers.push(resolve)));
        const first = file.refresh();
        const second = file.refresh();
        await waitFor(() => expect(answers).toHaveLength(2));
        answers[1]?.(answer(2));
        answers[0]?.(answer(1));
        await Promise.all([first, second]);
        expect(file.check?.tokens).toBe(2);
    });
});

describe("fields", () => {
    it("are edited one after the other, each in the text the one before left", async () => {
        await Promise.all([file.editField("license", "MIT"), file.editField("compatibility", "any")]);
        expect(file.text).toMatch(/license: MIT\ncompatibility: any\n---/);
    });

    it("lose against text typed meanwhile", async () => {
        const edit = file.editField("license", "MIT");
        await Promise.resolve();
        file.write("typed");
        await edit;
        expect(file.text).toBe("typed");
    });
});

describe("tabs", () => {
    it("ask before unsaved text is closed", () => {
        file.write("mine");
        editor.close(file);
        expect([editor.files.length, editor.closing]).toEqual([1, file]);
        editor.drop(file);
        expect([editor.files.length, editor.closing, editor.active]).toEqual([0, null, null]);
    });

    it("open a file once", async () => {
        await Promise.all([editor.open(PATH), editor.open(PATH)]);
        expect(editor.files).toEqual([file]);
    });

    it("follow a renamed folder", () => {
        editor.moved("/opt/skill-workbench/skills/unit-converter", "/opt/skill-workbench/skills/units");
        expect(file.path).toBe("/opt/skill-workbench/skills/units/SKILL.md");
    });

    it("go from problem to problem around the end", async () => {
        await editor.open("/home/ada/work/skills/excel-report/SKILL.md");
        file = opened();
        await file.refresh();
        const ranges = (file.check?.findings ?? []).filter(({ path }) => path === file.path).flatMap(({ range }) => range ?? []);
        const places = [...new Set(ranges.map(({ from }) => from))].sort((a, b) => a - b);
        editor.toProblem(-1);
        expect(editor.jump?.range.from).toBe(places.at(-1));
        file.caret = places.at(-1) ?? 0;
        editor.toProblem(1);
        expect(editor.jump?.range.from).toBe(places[0]);
    });
});
