import { waitFor } from "@testing-library/svelte";
import { beforeEach, describe, expect, it } from "vitest";
import type { FindingDto, RuleDto, TextCheck } from "../generated/api";
import { setHost } from "../host";
import { fakeHost, type FakeHost } from "../host/fake";
import { RULES } from "../host/fake/rules";
import { editor } from "./editor.svelte";
import { findingsAt, fixes } from "./fixes.svelte";
import { lint, Lint } from "./lint.svelte";
import type { OpenFile } from "./open-file.svelte";
import { fitting } from "./rules";
import { skills } from "./skills.svelte";
import { toasts } from "./toasts.svelte";

const SKILL = "/home/ada/work/skills/log-analyzer";
const MANIFEST = `${SKILL}/SKILL.md`;
const SCRIPT = `${SKILL}/scripts/window.py`;

let fake: FakeHost;
let file: OpenFile;

beforeEach(async () => {
    fake = fakeHost();
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

const found = (): string[] =>
    lint.findings(MANIFEST).map((finding) => `${finding.rule} ${finding.path.slice(SKILL.length + 1)}:${finding.range?.line ?? "-"}`);
const notes = (): string[] => toasts.list.map((toast) => (toast.type === "note" ? toast.text : toast.error.message));

function check(findings: FindingDto[]): TextCheck {
    return { findings, alone: false, outline: [], fields: null, tokens: 0, tiers: null };
}

describe("what is found", () => {
    it("is of the whole skill, with unsaved texts of its other files", async () => {
        await editor.open(SCRIPT);
        editor.of(SCRIPT)?.write("import sys  \n");
        await editor.of(SCRIPT)?.refresh();
        expect(found()).toEqual(["trailing-space scripts/window.py:1"]);
        editor.show(file);
        file.write(`${file.text} \n`);
        await file.refresh();
        expect(found()).toEqual(["trailing-space SKILL.md:21", "trailing-space scripts/window.py:1"]);
    });

    it("has no fix where its file cannot be edited", async () => {
        fake.disk.files.set(SCRIPT, "import sys \n");
        fake.on("file_read", ({ path }) => ({
            ...fake.disk.read(path),
            readOnly: { kind: { type: "notUtf8", offset: 0 }, severity: "error", message: "not UTF-8", path },
        }));
        await editor.open(SCRIPT);
        await editor.active?.refresh();
        expect([lint.findings(SCRIPT).map(({ rule, fix }) => [rule, fix]), fixes.safe(SCRIPT)]).toEqual([[["trailing-space", null]], 0]);
    });

    it("is dropped where another file of the skill was typed in meanwhile", async () => {
        await editor.open(SCRIPT);
        const script = editor.of(SCRIPT);
        let answer: (check: TextCheck) => void = () => undefined;
        fake.on("text_check", () => new Promise((resolve) => (answer = resolve)));
        const asking = file.refresh();
        await waitFor(() => expect(fake.calls.at(-1)?.name).toBe("text_check"));
        script?.write("typed");
        answer(
            check([
                {
                    rule: "old",
                    severity: "error",
                    message: "",
                    messageZh: "",
                    problem: null,
                    path: SCRIPT,
                    range: null,
                    fix: null,
                    fingerprint: "",
                },
            ]),
        );
        await asking;
        expect(found()).toEqual([]);
    });

    it("follows a skill that is renamed", async () => {
        file.write(`${file.text} \n`);
        await file.refresh();
        const to = await skills.rename(SKILL, "logs");
        editor.moved(SKILL, to);
        await waitFor(() => expect(lint.findings(`${to}/SKILL.md`).map((finding) => finding.rule)).toContain("trailing-space"));
        expect(lint.findings(MANIFEST)).toEqual([]);
    });

    it("goes with the unsaved text it was found in", async () => {
        await editor.open(SCRIPT);
        const script = editor.of(SCRIPT);
        script?.write("import sys  \n");
        await script?.refresh();
        if (script) {
            editor.drop(script);
        }
        await waitFor(() => expect(found()).toEqual([]));
    });
});

describe("counts", () => {
    it("come from the disk, and from the editor where the skill is open", async () => {
        await lint.count();
        expect(lint.counts("/home/ada/work/skills/excel-report")).toEqual({ errors: 3, warnings: 2, infos: 0 });
        file.write(`${file.text} \n`);
        await file.refresh();
        expect(lint.counts(SKILL)).toEqual({ errors: 0, warnings: 0, infos: 1 });
        editor.drop(file);
        expect(lint.counts(SKILL)).toEqual({ errors: 0, warnings: 0, infos: 0 });
    });

    it("stay while they are counted again, and an answer that comes late is dropped", async () => {
        const mine = new Lint();
        const answers: ((errors: number) => void)[] = [];
        fake.on(
            "lint_counts",
            () => new Promise((resolve) => answers.push((errors) => resolve([{ skill: "a", errors, warnings: 0, infos: 0 }]))),
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
        file.write(`first \n${whole}`);
        await file.refresh();
        file.write(`typed\nfirst \n${whole}`);
        file.caret = "typed\nfirst ".length;
        await file.refresh();
        fixes.atCaret();
        await waitFor(() => expect(file.text).toBe(`typed\nfirst\n${whole}`));
        expect([found().filter((one) => one.startsWith("trailing")), notes()]).toEqual([[], []]);
    });

    it("of an old finding is made where the finding is now", async () => {
        file.write("one  \n");
        await file.refresh();
        const [finding] = lint.findings(MANIFEST).filter((one) => one.fix);
        file.write("zero\none  \n");
        if (finding) {
            await fixes.apply(finding);
        }
        expect(file.text).toBe("zero\none\n");
    });

    it("of what is gone changes nothing and says so", async () => {
        file.write("one  \n");
        await file.refresh();
        const [finding] = lint.findings(MANIFEST).filter((one) => one.fix);
        file.write("two\n");
        if (finding) {
            await fixes.apply(finding);
        }
        expect([file.text, notes()]).toEqual(["two\n", ["It is no longer there"]]);
    });

    it("in other files opens them unsaved, and can be undone at once", async () => {
        const place = { from: 0, to: 6, line: 1, column: 1 };
        const edits = [
            { path: SCRIPT, range: place, text: "from x import" },
            { path: MANIFEST, range: { from: 0, to: 0, line: 1, column: 1 }, text: "\n" },
        ];
        const [before, script] = [file.text, fake.disk.files.get(SCRIPT)];
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
            fingerprint: "1",
        };
        fake.on("text_check", () => check([finding]));
        await file.refresh();
        await fixes.apply(finding);
        expect([editor.of(SCRIPT)?.text, editor.of(SCRIPT)?.dirty, file.text, editor.active]).toEqual([
            "from x import sys\n\nprint(sys.argv)\n",
            true,
            `\n${before}`,
            file,
        ]);
        const [toast] = toasts.list;
        expect(toast?.type === "note" && toast.text).toBe("Fixed 1 problem in 2 files");
        if (toast?.type === "note") {
            toast.action?.run();
        }
        expect([editor.of(SCRIPT)?.text, file.text]).toEqual([script, before]);
    });

    it("is asked about where there are several at the caret", async () => {
        file.write("one  \n");
        await file.refresh();
        const [finding] = lint.findings(MANIFEST).filter((one) => one.fix);
        if (finding) {
            fake.on("text_check", () => check([finding, { ...finding, rule: "other" }]));
        }
        await file.refresh();
        file.caret = 4;
        fixes.atCaret();
        expect([fixes.asked?.type, findingsAt(file).map((one) => one.rule), file.text]).toEqual([
            "menu",
            ["trailing-space", "other"],
            "one  \n",
        ]);
    });

    it("of all that is safe changes every file of the skill, and says how many", async () => {
        fake.disk.files.set(SCRIPT, "import sys \n");
        file.write(`${file.text}one \ntwo \n`);
        await file.refresh();
        expect(fixes.safe(MANIFEST)).toBe(3);
        await fixes.all();
        expect([editor.of(SCRIPT)?.text, file.text.endsWith("one\ntwo\n"), notes()]).toEqual([
            "import sys\n",
            true,
            ["Fixed 3 problems in 2 files"],
        ]);
        expect(fake.disk.files.get(SCRIPT)).toBe("import sys \n");
    });

    it("of all does not touch what was typed while it was made", async () => {
        file.write("one \n");
        await file.refresh();
        let answer: () => void = () => undefined;
        fake.on(
            "text_fix",
            () => new Promise((resolve) => (answer = () => resolve({ texts: [{ path: MANIFEST, text: "one\n" }], fixes: 1 }))),
        );
        const fixing = fixes.all();
        await waitFor(() => expect(fake.calls.at(-1)?.name).toBe("text_fix"));
        file.write("one \ntyped");
        answer();
        await fixing;
        expect([file.text, notes()]).toEqual(["one \ntyped", ["The text has changed since; try again"]]);
    });
});

describe("ignoring", () => {
    it("puts the reason into the text", async () => {
        file.write("---\nname: log-analyzer\ndescription: d\n---\n\nDo it.  \n");
        await file.refresh();
        const [finding] = lint.findings(MANIFEST).filter((one) => one.fix);
        if (finding) {
            await fixes.ignore(finding, "two spaces break the line");
        }
        expect(file.text).toContain("\n<!-- lint-ignore trailing-space: two spaces break the line -->\nDo it.  \n");
    });
});

describe("rules", () => {
    const set = (id: string, setting: RuleDto["setting"]): RuleDto[] => RULES.map((rule) => (rule.id === id ? { ...rule, setting } : rule));

    it("are found by words of either language, and by what becomes of them", () => {
        const ids = (search: string, filter: Parameters<typeof fitting>[2]) =>
            fitting(set("name-chars", "off"), search, filter).map((rule) => rule.id);
        expect([
            ids("folder name", "all"),
            ids("跳级", "all"),
            ids("", "off"),
            ids("", "set"),
            ids("links", "fix"),
            ids("nothing", "all"),
        ]).toEqual([["name-dir-mismatch"], ["heading-jump"], ["name-chars", "heading-jump"], ["name-chars"], ["broken-link"], []]);
    });

    it("are set in the project; what cannot be written is told", async () => {
        await lint.loadRules();
        expect(await lint.set("name-chars", "off")).toBe(true);
        expect(lint.rule("name-chars")?.setting).toBe("off");
        fake.on("rule_set", () => Promise.reject({ code: "invalid", message: "cannot", hint: null, path: null, why: null }));
        expect([await lint.set("name-chars", "error"), lint.rule("name-chars")?.setting, notes()]).toEqual([false, "off", ["cannot"]]);
    });
});
