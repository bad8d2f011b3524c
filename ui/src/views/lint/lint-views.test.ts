import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { setHost } from "../../host";
import { fakeHost, type FakeHost } from "../../host/fake";
import { setLocale } from "../../i18n";
import { editor } from "../../state/editor.svelte";
import { fixes } from "../../state/fixes.svelte";
import { lint } from "../../state/lint.svelte";
import { skills } from "../../state/skills.svelte";
import Problems from "../editor/Problems.svelte";
import LintPopover from "./LintPopover.svelte";
import RulesView from "./RulesView.svelte";

const SKILL = "/home/ada/work/skills/log-analyzer";

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
    fake.disk.files.set(`${SKILL}/SKILL.md`, text);
    fake.disk.files.set(`${SKILL}/scripts/window.py`, "import sys \n");
    await editor.open(`${SKILL}/SKILL.md`);
    await editor.active?.refresh();
}

const rows = () => screen.queryAllByTestId("problem").map((row) => row.dataset.rule);

describe("the list of problems", () => {
    beforeEach(async () => {
        await open("---\nname: Log-Analyzer\ndescription: d\n---\n\nOne \n");
        if (editor.active) {
            render(Problems, { file: editor.active });
        }
    });

    it("has this file first, then the others by name", () => {
        expect(rows()).toEqual(["name-chars", "name-dir-mismatch", "trailing-space", "trailing-space"]);
        expect(screen.getAllByTestId("problem-file").map((file) => file.textContent)).toEqual(["scripts/window.py"]);
    });

    it("keeps the focus in the list when the row that had it goes", async () => {
        const [, second] = screen.getAllByTestId("problem");
        second?.focus();
        editor.active?.write("---\nname: log-analyzer\ndescription: d\n---\n\nOne\n");
        await editor.active?.refresh();
        await waitFor(() => expect(rows()).toEqual(["trailing-space"]));
        expect(document.activeElement).toBe(screen.getByTestId("problem"));
    });

    it("keeps the focus here when all is repaired", async () => {
        editor.active?.write("---\nname: log-analyzer\ndescription: d\n---\n\nOne \n");
        await editor.active?.refresh();
        await waitFor(() => expect(rows()).toEqual(["trailing-space", "trailing-space"]));
        screen.getByTestId("fix-all").focus();
        await fireEvent.click(screen.getByTestId("fix-all"));
        await waitFor(() => expect(rows()).toEqual([]));
        await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId("rules-open")));
    });

    it("leaves out what the filter hides, and says so when nothing is left", async () => {
        const chip = (severity: string) =>
            screen.getAllByTestId("problem-filter").find((each) => each.dataset.severity === severity) ?? document.body;
        await fireEvent.click(chip("info"));
        expect(rows()).toEqual(["name-chars", "name-dir-mismatch"]);
        await fireEvent.click(chip("error"));
        await fireEvent.click(chip("warning"));
        expect([rows(), screen.getByTestId("problems").textContent]).toEqual([[], expect.stringContaining("All 4 problems are hidden")]);
    });

    it("goes to the place, and to another file", async () => {
        const [, , , last] = screen.getAllByTestId("problem");
        await fireEvent.click(last ?? document.body);
        await waitFor(() => expect(editor.active?.name).toBe("window.py"));
        expect(editor.jump?.range.from).toBe("import sys".length);
    });

    it("marks what the caret stands in", async () => {
        const marked = () =>
            screen
                .getAllByTestId("problem")
                .filter((row) => row.hasAttribute("aria-current"))
                .map((row) => row.dataset.rule);
        expect(marked()).toEqual([]);
        if (editor.active) {
            editor.active.caret = editor.active.text.indexOf("One") + 4;
        }
        await waitFor(() => expect(marked()).toEqual(["trailing-space"]));
    });

    it("fixes one, and all that are safe", async () => {
        await fireEvent.click(screen.getAllByTestId("problem-fix")[0] ?? document.body);
        await waitFor(() => expect(rows()).toEqual(["name-chars", "name-dir-mismatch", "trailing-space"]));
        await fireEvent.click(screen.getByTestId("fix-all"));
        await waitFor(() => expect(rows()).toEqual(["name-chars", "name-dir-mismatch"]));
        expect(screen.queryByTestId("fix-all")).toBeNull();
    });

    it("says in Chinese what is found", async () => {
        setLocale("zh-CN");
        await waitFor(() => expect(screen.getAllByTestId("problem")[2]?.textContent).toContain("行尾有空格"));
        expect(screen.getAllByTestId("problem")[2]?.textContent).not.toContain("The line ends in spaces");
    });
});

describe("beside the text", () => {
    it("the fixes at the caret are chosen by arrow keys", async () => {
        await open("One \n");
        const findings = lint.findings(`${SKILL}/SKILL.md`).filter((finding) => finding.fix);
        render(LintPopover, { asked: { type: "menu", findings, place: null }, caret: null, onleave: () => undefined });
        const menu = screen.getByTestId("fix-menu");
        await waitFor(() => expect(document.activeElement?.textContent).toContain("delete the spaces"));
        await fireEvent.keyDown(menu, { key: "ArrowUp" });
        expect(document.activeElement?.textContent).toContain("About trailing-space");
        await fireEvent.keyDown(menu, { key: "ArrowDown" });
        await fireEvent.click(document.activeElement ?? document.body);
        await waitFor(() => expect(editor.active?.text.startsWith("One\n")).toBe(true));
    });

    it("gives the focus back to the button of the list that opened it", async () => {
        await open("One \n");
        const [finding] = lint.findings(`${SKILL}/SKILL.md`).filter(({ rule }) => rule === "trailing-space");
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
        await open("One \n");
        const [, finding] = lint.findings(`${SKILL}/SKILL.md`);
        if (finding) {
            render(LintPopover, { asked: { type: "ignore", finding, place: null }, caret: null, onleave: () => undefined });
        }
        const form = screen.getByTestId("ignore-popover").querySelector("form") ?? document.body;
        await fireEvent.submit(form);
        expect(editor.active?.text).toBe("One \n");
        await fireEvent.input(screen.getByTestId("ignore-reason"), { target: { value: "a break" } });
        await fireEvent.submit(form);
        await waitFor(() => expect(editor.active?.text).toBe("<!-- lint-ignore trailing-space: a break -->\nOne \n"));
    });
});

describe("all rules", () => {
    it("are searched, filtered, and shown one by one with the arrow keys", async () => {
        lint.view = { rule: null };
        render(RulesView);
        expect(screen.getByTestId("rule-count").textContent).toBe("11 of 11");
        await fireEvent.input(screen.getByTestId("rule-search"), { target: { value: "name" } });
        expect(screen.getAllByTestId("rule-row").map((row) => row.dataset.rule)).toEqual([
            "name-missing",
            "name-chars",
            "name-dir-mismatch",
        ]);
        await fireEvent.keyDown(screen.getByTestId("rule-search"), { key: "ArrowDown" });
        await fireEvent.keyDown(screen.getByTestId("rule-list"), { key: "End" });
        expect(screen.getByTestId("rule-card").dataset.rule).toBe("name-dir-mismatch");
        await fireEvent.input(screen.getByTestId("rule-search"), { target: { value: "no such thing" } });
        expect(screen.queryAllByTestId("rule-row")).toEqual([]);
    });

    it("are set in the project, and what is found is looked for again", async () => {
        await open("One \n");
        lint.view = { rule: "trailing-space" };
        render(RulesView);
        await fireEvent.change(screen.getByTestId("rule-setting"), { target: { value: "off" } });
        await waitFor(() => expect(lint.findings(`${SKILL}/SKILL.md`).some((finding) => finding.rule === "trailing-space")).toBe(false));
        expect(screen.getAllByTestId("rule-row").find((row) => row.dataset.rule === "trailing-space")?.dataset.weight).toBe("off");
    });

    it("are chosen by the profile, which the project keeps", async () => {
        lint.view = { rule: null };
        render(RulesView);
        await fireEvent.change(screen.getByTestId("rule-profile"), { target: { value: "all" } });
        await waitFor(() => expect(fake.disk.profile).toBe("all"));
        await waitFor(() => expect(lint.profile).toBe("all"));
    });

    it("cannot be set where only the bundled skills are open, which is said", async () => {
        fake.disk.folders = fake.disk.folders.filter((folder) => folder.bundled);
        await skills.load();
        lint.view = { rule: "trailing-space" };
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
