import { waitFor } from "@testing-library/svelte";
import { beforeEach, describe, expect, it } from "vitest";
import type { FindingDto, RuleDto, TextCheck } from "../generated/api";
import { setHost } from "../host";
import { fakeHost, type FakeHost } from "../host/fake";
import { editor } from "./editor.svelte";
import { findingsAt, fixes } from "./fixes.svelte";
import { lint, Lint } from "./lint.svelte";
import type { OpenFile } from "./open-file.svelte";
import { fitting } from "./rules";
import { skills } from "./skills.svelte";
import { toasts } from "./toasts.svelte";

const SKILL = "/home/ada/work/skills/log-analyzer";
const MANIFEST = `${SKILL}/SKILL.md`;
const PAGE = `${SKILL}/references/window.md`;
/** A finding, and the text after its fix. */
const [WRONG, RIGHT] = ["Read `references\\window.md`.", "Read `references/window.md`."];
const WRONG_PAGE = "# Window\n\nRun `scripts\\window.py`.\n";

let fake: FakeHost;
let file: OpenFile;

beforeEach(async () => {
    fake = fakeHost();
    fake.disk.files.set(PAGE, "# Window\n\nIt is ten minutes long.\n");
    setHost(fake);
    toasts.list = [];
    fixes.asked = null;
    await skills.load();
    await editor.open(MANIFEST);
    if (!editor.active) {
        throw new Error("no file is open");
    }
    file = editor.active;
    await file.refresh();
    return () => editor.files.forEach((open) => editor.drop(open));
});

const paths = (path = MANIFEST): FindingDto[] => lint.findings(path).filter(({ rule }) => rule === "windows-path");
const found = (): string[] => paths().map(({ path, range }) => `${path.slice(SKILL.length + 1)}:${range?.line ?? "-"}`);
const notes = (): string[] => toasts.list.map((toast) => (toast.type === "note" ? toast.text() : toast.error.message));

function check(findings: FindingDto[]): TextCheck {
    return { findings, security: null, alone: false, outline: [], fields: null, tokens: 0, tiers: null };
}

describe("what is found", () => {
    it("is of the whole skill, with unsaved texts of its other files", async () => {
        await editor.open(PAGE);
        editor.of(PAGE)?.write(WRONG_PAGE);
        await editor.of(PAGE)?.refresh();
        expect(found()).toEqual(["references/window.md:3"]);
        editor.show(file);
        file.write(`${file.text}\n${WRONG}\n`);
        await file.refresh();
        expect(found()).toEqual(["SKILL.md:22", "references/window.md:3"]);
    });

    it("has no fix where its file cannot be edited", async () => {
        fake.disk.files.set(PAGE, WRONG_PAGE);
        fake.on("file_read", ({ path }) => ({
            ...fake.disk.read(path),
            readOnly: { kind: { type: "notUtf8", offset: 0 }, severity: "error", message: "not UTF-8", path },
        }));
        await editor.open(PAGE);
        await editor.active?.refresh();
        expect([paths(PAGE).map(({ rule, fix }) => [rule, fix]), fixes.safe(PAGE)]).toEqual([[["windows-path", null]], 0]);
    });

    it("is dropped where another file of the skill was typed in meanwhile", async () => {
        await editor.open(PAGE);
        const page = editor.of(PAGE);
        let answer: (check: TextCheck) => void = () => undefined;
        fake.on("text_check", () => new Promise((resolve) => (answer = resolve)));
        const asking = file.refresh();
        await waitFor(() => expect(fake.calls.at(-1)?.name).toBe("text_check"));
        page?.write("typed");
        answer(
            check([
                {
                    rule: "old",
                    severity: "error",
                    message: "",
                    messageZh: "",
                    problem: null,
                    path: PAGE,
                    range: null,
                    fix: null,
                    steps: [],
                    fingerprint: "",
                },
            ]),
        );
        await asking;
        expect(lint.findings(MANIFEST).map(({ rule }) => rule)).not.toContain("old");
    });

    it("follows a skill that is renamed", async () => {
        file.write(`${file.text}\n${WRONG}\n`);
        await file.refresh();
        const to = await skills.rename(SKILL, "logs");
        editor.moved(SKILL, to);
        await waitFor(() => expect(paths(`${to}/SKILL.md`)).toHaveLength(1));
        expect(lint.findings(MANIFEST)).toEqual([]);
    });

    it("goes with the unsaved text it was found in", async () => {
        await editor.open(PAGE);
        const page = editor.of(PAGE);
        page?.write(WRONG_PAGE);
        await page?.refresh();
        expect(found()).toEqual(["references/window.md:3"]);
        if (page) {
            editor.drop(page);
        }
        await waitFor(() => expect(found()).toEqual([]));
    });
});

describe("counts", () => {
    it("come from the disk, and from the editor where the skill is open", async () => {
        await lint.count();
        expect(lint.counts("/home/ada/work/skills/excel-report")).toEqual({ errors: 3, warnings: 1, infos: 1 });
        const before = lint.counts(SKILL);
        file.write(`${file.text}\n${WRONG}\n`);
        await file.refresh();
        expect(lint.counts(SKILL)?.warnings).toBe((before?.warnings ?? 0) + 1);
        editor.drop(file);
        expect(lint.counts(SKILL)).toEqual(before);
    });

    it("stay while they are counted again, and an answer that comes late is dropped", async () => {
        const mine = new Lint();
        const answers: ((errors: number) => void)[] = [];
        fake.on(
            "lint_counts",
            () =>
                new Promise((resolve) => answers.push((errors) => resolve([{ skill: "a", errors, warnings: 0, infos: 0, verdict: null }]))),
        );
        const [first, second] = [mine.count(), mine.count()];
        await waitFor(() => expect(answers).toHaveLength(2));
        answers[1]?.(2);
        answers[0]?.(1);
        await Promise.all([first, second]);
        void mine.count();
        expect(mine.counts("a")?.errors).toBe(2);
    });

    it("that cannot be made are told once", async () => {
        fake.on("lint_counts", () => Promise.reject({ code: "io", message: "no", hint: null, path: null, why: null }));
        await lint.count();
        await lint.count();
        expect(notes()).toEqual(["no"]);
    });
});

describe("a fix", () => {
    it("is made at the caret, in the text as it is now", async () => {
        const whole = file.text;
        file.write(`${whole}\n${WRONG}\n`);
        await file.refresh();
        file.write(`${whole}\ntyped\n\n${WRONG}\n`);
        file.caret = file.text.indexOf("\\");
        await file.refresh();
        fixes.atCaret();
        await waitFor(() => expect(file.text).toBe(`${whole}\ntyped\n\n${RIGHT}\n`));
        expect([found(), notes()]).toEqual([[], []]);
    });

    it("of an old finding is made where the finding is now", async () => {
        const whole = file.text;
        file.write(`${whole}\n${WRONG}\n`);
        await file.refresh();
        const [finding] = paths();
        file.write(`${whole}\nzero\n\n${WRONG}\n`);
        if (finding) {
            await fixes.apply(finding);
        }
        expect(file.text).toBe(`${whole}\nzero\n\n${RIGHT}\n`);
    });

    it("of what is gone changes nothing and says so", async () => {
        const whole = file.text;
        file.write(`${whole}\n${WRONG}\n`);
        await file.refresh();
        const [finding] = paths();
        file.write(`${whole}\ntwo\n`);
        if (finding) {
            await fixes.apply(finding);
        }
        expect([file.text, notes()]).toEqual([`${whole}\ntwo\n`, ["It is no longer there"]]);
    });

    it("in other files opens them unsaved, and can be undone at once", async () => {
        const place = { from: 0, to: 4, line: 1, column: 1 };
        const edits = [
            { path: PAGE, range: place, text: "## Wi" },
            { path: MANIFEST, range: { from: 0, to: 0, line: 1, column: 1 }, text: "\n" },
        ];
        const [before, page] = [file.text, fake.disk.files.get(PAGE)];
        const fix = { title: "both", titleZh: "两处", applicability: "unsafe" as const, edits };
        const finding: FindingDto = {
            rule: "two-files",
            severity: "error",
            message: "",
            messageZh: "",
            problem: null,
            path: MANIFEST,
            range: place,
            fix,
            steps: [],
            fingerprint: "1",
        };
        fake.on("text_check", () => check([finding]));
        await file.refresh();
        await fixes.apply(finding);
        expect([editor.of(PAGE)?.text, editor.of(PAGE)?.dirty, file.text, editor.active]).toEqual([
            "## Window\n\nIt is ten minutes long.\n",
            true,
            `\n${before}`,
            file,
        ]);
        const [toast] = toasts.list;
        expect(toast?.type === "note" && toast.text()).toBe("Fixed 1 problem in 2 files");
        if (toast?.type === "note") {
            toast.action?.run();
        }
        expect([editor.of(PAGE)?.text, file.text]).toEqual([page, before]);
    });

    it("is asked about where there are several at the caret", async () => {
        const text = `${file.text}\n${WRONG}\n`;
        file.write(text);
        await file.refresh();
        const [finding] = paths();
        if (finding) {
            fake.on("text_check", () => check([finding, { ...finding, rule: "other" }]));
        }
        await file.refresh();
        file.caret = file.text.indexOf("\\");
        fixes.atCaret();
        expect([fixes.asked?.type, findingsAt(file).map((one) => one.rule), file.text]).toEqual(["menu", ["windows-path", "other"], text]);
    });

    it("of all that is safe changes every file of the skill, and says how many", async () => {
        fake.disk.files.set(PAGE, WRONG_PAGE);
        const whole = file.text;
        file.write(`${whole}\n${WRONG}\n\nAgain: ${WRONG}\n`);
        await file.refresh();
        expect(fixes.safe(MANIFEST)).toBe(3);
        await fixes.all();
        expect([editor.of(PAGE)?.text, file.text, notes()]).toEqual([
            "# Window\n\nRun `scripts/window.py`.\n",
            `${whole}\n${RIGHT}\n\nAgain: ${RIGHT}\n`,
            ["Fixed 3 problems in 2 files"],
        ]);
        expect(fake.disk.files.get(PAGE)).toBe(WRONG_PAGE);
    });

    it("of all does not touch what was typed while it was made", async () => {
        const text = `${file.text}\n${WRONG}\n`;
        file.write(text);
        await file.refresh();
        let answer: () => void = () => undefined;
        fake.on(
            "text_fix",
            () => new Promise((resolve) => (answer = () => resolve({ texts: [{ path: MANIFEST, text: "one\n" }], fixes: 1 }))),
        );
        const fixing = fixes.all();
        await waitFor(() => expect(fake.calls.at(-1)?.name).toBe("text_fix"));
        file.write(`${text}typed`);
        answer();
        await fixing;
        expect([file.text, notes()]).toEqual([`${text}typed`, ["The text has changed since; try again"]]);
    });
});

describe("ignoring", () => {
    it("puts the reason into the text", async () => {
        file.write(`${file.text}\n${WRONG}\n`);
        await file.refresh();
        const [finding] = paths();
        if (finding) {
            await fixes.ignore(finding, "it is for Windows");
        }
        expect(file.text).toContain(`\n<!-- lint-ignore windows-path: it is for Windows -->\n${WRONG}\n`);
    });
});

describe("rules", () => {
    it("are found by words of either language, and by what becomes of them", async () => {
        await lint.loadRules();
        const set = (lint.rules ?? []).map((rule): RuleDto => (rule.id === "name-chars" ? { ...rule, setting: "off" } : rule));
        const ids = (search: string, filter: Parameters<typeof fitting>[2]) => fitting(set, search, filter).map((rule) => rule.id);
        expect([
            ids("folder name", "all"),
            ids("反斜杠", "all"),
            ids("", "off"),
            ids("", "set"),
            ids("links", "fix"),
            ids("xyzzy", "all"),
        ]).toEqual([
            ["name-dir-mismatch", "broken-path"],
            ["windows-path"],
            ["crlf", "name-chars", "step-number-wrong"],
            ["name-chars"],
            ["broken-path", "windows-path"],
            [],
        ]);
    });

    it("are set in the project; what cannot be written is told", async () => {
        await lint.loadRules();
        expect(await lint.set("name-chars", "off")).toBe(true);
        expect(lint.rule("name-chars")?.setting).toBe("off");
        fake.on("rule_set", () => Promise.reject({ code: "invalid", message: "cannot", hint: null, path: null, why: null }));
        expect([await lint.set("name-chars", "error"), lint.rule("name-chars")?.setting, notes()]).toEqual([false, "off", ["cannot"]]);
    });
});
