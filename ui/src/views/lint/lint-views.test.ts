import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { setHost } from "../../host";
import { fakeHost, type FakeHost } from "../../host/fake";
import { setLocale } from "../../i18n";
import { editor } from "../../state/editor.svelte";
import { extract } from "../../state/extract.svelte";
import { fixes } from "../../state/fixes.svelte";
import { lint } from "../../state/lint.svelte";
import { skills } from "../../state/skills.svelte";
import { toasts } from "../../state/toasts.svelte";
import Problems from "../editor/Problems.svelte";
import LintPopover from "./LintPopover.svelte";
import RulesView from "./RulesView.svelte";

const SKILL = "/home/ada/work/skills/log-analyzer";
const MANIFEST = `${SKILL}/SKILL.md`;
const PROJECT = "/home/ada/work/skills/workbench.yaml";
/** A finding, and the text after its fix. */
const [WRONG, RIGHT] = ["Read `references\\window.md`.", "Read `references/window.md`."];
const manifest = (name: string, body: string) =>
    `---\nname: ${name}\ndescription: Find slow requests in server logs. Use when the user shares a log file.\n---\n\n${body}\n`;

let fake: FakeHost;

beforeEach(async () => {
    fake = fakeHost();
    setHost(fake);
    await skills.load();
    await lint.reloadRules();
});

afterEach(() => {
    editor.files.forEach((file) => editor.drop(file));
    fixes.asked = null;
    lint.view = null;
    cleanup();
    setLocale("en");
});

async function open(text: string): Promise<void> {
    fake.disk.files.set(MANIFEST, text);
    fake.disk.files.set(`${SKILL}/references/window.md`, "# Window\n\nRun `scripts\\window.py`.\n");
    await editor.open(MANIFEST);
    await editor.active?.refresh();
}

const wrongPath = () => lint.findings(MANIFEST).filter(({ rule, path }) => rule === "windows-path" && path === MANIFEST);

const rows = () => screen.queryAllByTestId("problem").map((row) => row.dataset.rule);

describe("the list of problems", () => {
    beforeEach(async () => {
        await open(manifest("Log-Analyzer", WRONG));
        if (editor.active) {
            render(Problems, { file: editor.active });
        }
    });

    it("has this file first, then the others by name", () => {
        expect(rows()).toEqual(["name-chars", "windows-path", "windows-path"]);
        expect(screen.getAllByTestId("problem-file").map((file) => file.textContent)).toEqual(["references/window.md"]);
    });

    it("keeps the focus in the list when the row that had it goes", async () => {
        const [, second] = screen.getAllByTestId("problem");
        second?.focus();
        editor.active?.write(manifest("log-analyzer", RIGHT));
        await editor.active?.refresh();
        await waitFor(() => expect(rows()).toEqual(["windows-path"]));
        expect(document.activeElement).toBe(screen.getByTestId("problem"));
    });

    it("keeps the focus here when all is repaired", async () => {
        editor.active?.write(manifest("log-analyzer", WRONG));
        await editor.active?.refresh();
        await waitFor(() => expect(rows()).toEqual(["windows-path", "windows-path"]));
        screen.getByTestId("fix-all").focus();
        await fireEvent.click(screen.getByTestId("fix-all"));
        await waitFor(() => expect(rows()).toEqual([]));
        await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId("rules-open")));
    });

    it("leaves out what the filter hides, and says so when nothing is left", async () => {
        const chip = (severity: string) =>
            screen.getAllByTestId("problem-filter").find((each) => each.dataset.severity === severity) ?? document.body;
        await fireEvent.click(chip("warning"));
        expect(rows()).toEqual(["name-chars"]);
        await fireEvent.click(chip("error"));
        expect([rows(), screen.getByTestId("problems").textContent]).toEqual([[], expect.stringContaining("All 3 problems are hidden")]);
    });

    it("goes to the place, and to another file", async () => {
        await fireEvent.click(screen.getAllByTestId("problem").at(-1) ?? document.body);
        await waitFor(() => expect(editor.active?.name).toBe("window.md"));
        expect(editor.jump?.range.from).toBe(editor.active?.text.indexOf("scripts"));
    });

    it("marks what the caret stands in", async () => {
        const marked = () =>
            screen
                .getAllByTestId("problem")
                .filter((row) => row.hasAttribute("aria-current"))
                .map((row) => row.dataset.rule);
        expect(marked()).toEqual([]);
        if (editor.active) {
            editor.active.caret = editor.active.text.indexOf("\\");
        }
        await waitFor(() => expect(marked()).toEqual(["windows-path"]));
    });

    it("fixes one, and all that are safe", async () => {
        await fireEvent.click(screen.getAllByTestId("problem-fix")[0] ?? document.body);
        await waitFor(() => expect(rows()).toEqual(["windows-path", "windows-path"]));
        await fireEvent.click(screen.getByTestId("fix-all"));
        await waitFor(() => expect(rows()).toEqual([]));
        expect(screen.queryByTestId("fix-all")).toBeNull();
    });

    it("says in Chinese what is found", async () => {
        setLocale("zh-CN");
        await waitFor(() => expect(screen.getAllByTestId("problem")[2]?.textContent).toContain("只在 Windows 上是路径"));
        expect(screen.getAllByTestId("problem")[2]?.textContent).not.toContain("is a path on Windows alone");
    });
});

describe("beside the text", () => {
    it("the fixes at the caret are chosen by arrow keys", async () => {
        await open(manifest("log-analyzer", WRONG));
        render(LintPopover, {
            asked: { type: "menu", findings: wrongPath(), extracts: false, place: null },
            caret: null,
            onleave: () => undefined,
        });
        const menu = screen.getByTestId("fix-menu");
        await waitFor(() => expect(document.activeElement?.textContent).toContain("Write references/window.md"));
        await fireEvent.keyDown(menu, { key: "ArrowUp" });
        expect(document.activeElement?.textContent).toContain("About windows-path");
        await fireEvent.keyDown(menu, { key: "ArrowDown" });
        await fireEvent.click(document.activeElement ?? document.body);
        await waitFor(() => expect(editor.active?.text).toBe(manifest("log-analyzer", RIGHT)));
    });

    it("lines that are selected are extracted from the menu, which words within a line do not open", async () => {
        await open(manifest("log-analyzer", WRONG));
        toasts.list = [];
        const file = editor.active;
        if (file === null) {
            throw new Error("nothing is open");
        }
        const select = (part: string) => {
            const from = file.text.indexOf(part);
            file.selected = { from, to: from + part.length };
            file.caret = from + part.length;
        };
        const ask = () => {
            fixes.atCaret();
            if (fixes.asked !== null) {
                render(LintPopover, { asked: fixes.asked, caret: null, onleave: () => undefined });
            }
            return screen.queryAllByRole("menuitem").map((item) => item.dataset["testid"]);
        };
        select(WRONG);
        expect(ask()).toEqual(["menu-fix", "menu-extract", "menu-ignore", "menu-about"]);
        await fireEvent.click(screen.getByTestId("menu-extract"));
        expect([fixes.asked, extract.asked?.part]).toEqual([null, `${WRONG}\n`]);
        extract.cancel();
        cleanup();

        select("references\\window.md");
        expect(ask()).toEqual([]);
        await waitFor(() => expect(file.text).toBe(manifest("log-analyzer", RIGHT)));
        select(RIGHT);
        expect(ask(), "where nothing is found").toEqual(["menu-extract"]);
        expect(toasts.list).toEqual([]);
    });

    it("gives the focus back to the button of the list that opened it", async () => {
        await open(manifest("log-analyzer", WRONG));
        const [finding] = wrongPath();
        const opener = document.body.appendChild(document.createElement("button"));
        opener.focus();
        let left = 0;
        if (finding) {
            render(LintPopover, {
                asked: { type: "ignore", finding, place: { left: 0, top: 0, bottom: 0 } },
                caret: null,
                onleave: () => (left += 1),
            });
        }
        await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId("ignore-reason")));
        await fireEvent.keyDown(screen.getByTestId("ignore-reason"), { key: "Escape" });
        expect([document.activeElement, left]).toEqual([opener, 0]);
        opener.remove();
    });

    it("a finding is ignored only with a reason", async () => {
        await open(manifest("log-analyzer", WRONG));
        const [finding] = wrongPath();
        if (finding) {
            render(LintPopover, { asked: { type: "ignore", finding, place: null }, caret: null, onleave: () => undefined });
        }
        const form = screen.getByTestId("ignore-popover").querySelector("form") ?? document.body;
        await fireEvent.submit(form);
        expect(editor.active?.text).toBe(manifest("log-analyzer", WRONG));
        await fireEvent.input(screen.getByTestId("ignore-reason"), { target: { value: "a break" } });
        await fireEvent.submit(form);
        await waitFor(() =>
            expect(editor.active?.text).toBe(manifest("log-analyzer", `<!-- lint-ignore windows-path: a break -->\n${WRONG}`)),
        );
    });
});

describe("all rules", () => {
    it("are searched, filtered, and shown one by one with the arrow keys", async () => {
        lint.view = { rule: null };
        render(RulesView);
        expect(screen.getByTestId("rule-count").textContent).toBe("12 of 12");
        await fireEvent.input(screen.getByTestId("rule-search"), { target: { value: "name" } });
        expect(screen.getAllByTestId("rule-row").map((row) => row.dataset.rule)).toEqual([
            "field-too-long",
            "name-chars",
            "name-dir-mismatch",
            "name-missing",
            "broken-path",
        ]);
        await fireEvent.keyDown(screen.getByTestId("rule-search"), { key: "ArrowDown" });
        await fireEvent.keyDown(screen.getByTestId("rule-list"), { key: "End" });
        expect(screen.getByTestId("rule-card").dataset.rule).toBe("broken-path");
        await fireEvent.input(screen.getByTestId("rule-search"), { target: { value: "xyzzy" } });
        expect(screen.queryAllByTestId("rule-row")).toEqual([]);
    });

    it("are set in the project, and what is found is looked for again", async () => {
        await open(manifest("log-analyzer", WRONG));
        lint.view = { rule: "windows-path" };
        render(RulesView);
        await fireEvent.change(screen.getByTestId("rule-setting"), { target: { value: "off" } });
        await waitFor(() => expect(wrongPath()).toEqual([]));
        expect(fake.disk.files.get(PROJECT)).toBe("lint:\n  rules:\n    windows-path: off\n");
        expect(screen.getAllByTestId("rule-row").find((row) => row.dataset.rule === "windows-path")?.dataset.weight).toBe("off");
    });

    it("are chosen by the profile, which the project keeps", async () => {
        lint.view = { rule: null };
        render(RulesView);
        await fireEvent.change(screen.getByTestId("rule-profile"), { target: { value: "all" } });
        await waitFor(() => expect(fake.disk.files.get(PROJECT)).toBe("lint:\n  profile: all\n"));
        await waitFor(() => expect(lint.profile).toBe("all"));
    });

    it("cannot be set where only the bundled skills are open, which is said", async () => {
        fake.disk.folders = fake.disk.folders.filter((folder) => folder.bundled);
        await skills.load();
        lint.view = { rule: "windows-path" };
        render(RulesView);
        expect(screen.getByTestId<HTMLSelectElement>("rule-setting").disabled).toBe(true);
        expect(screen.getByTestId("rule-setting-why").textContent).toContain("Open a folder of your own");
    });

    it("that cannot be read are asked for again", async () => {
        fake.on("rule_list", () => Promise.reject({ code: "io", message: "no rules", hint: null, path: null, why: null }));
        lint.rules = null;
        await lint.reloadRules();
        render(RulesView);
        expect(document.body.textContent).toContain("no rules");
    });
});
