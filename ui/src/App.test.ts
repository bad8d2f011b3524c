import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import App from "./App.svelte";
import { setHost } from "./host";
import { fakeHost, type FakeHost } from "./host/fake";
import { setLocale } from "./i18n";
import { app } from "./state/app.svelte";
import { editor } from "./state/editor.svelte";
import { launch } from "./state/launch.svelte";
import { lint } from "./state/lint.svelte";
import { retention } from "./state/retention.svelte";
import { skills } from "./state/skills.svelte";

let fake: FakeHost;

beforeEach(async () => {
    fake = fakeHost();
    setHost(fake);
    launch.reset();
    app.go("skills");
    skills.selected = null;
    skills.toggled.clear();
    render(App);
    await screen.findByTestId("welcome");
});

afterEach(() => {
    editor.files.forEach((file) => editor.drop(file));
    editor.form = false;
    cleanup();
    setLocale("en");
});

async function open(name: string): Promise<void> {
    const rows = await screen.findAllByTestId("skill-row");
    const row = rows.find((candidate) => candidate.dataset.name === name);
    if (!row) {
        throw new Error(`no skill ${name}`);
    }
    await fireEvent.click(row);
    await screen.findByTestId("editor");
}

describe("the window", () => {
    it("starts with the folders, their problems and what to do first", async () => {
        const rows = await screen.findAllByTestId("skill-row");
        expect(rows.map((row) => row.dataset.name?.slice(0, 14))).toEqual([
            "translator",
            "unit-converter",
            "customer-inter",
            "Excel_Report W",
            "log-analyzer",
        ]);
        expect(
            within(screen.getByTestId("welcome"))
                .getAllByRole("button")
                .map((button) => button.dataset.testid ?? "recent"),
        ).toEqual(["welcome-see", "welcome-scene", "welcome-open", "welcome-sample", "welcome-new", "recent"]);
    });

    it("opens a skill with its files, problems, tokens and outline", async () => {
        await open("unit-converter");
        expect(screen.getAllByTestId("file-row").map((row) => row.dataset.name)).toEqual([
            "SKILL.md",
            "logo.png",
            "conversion-table.md",
            "convert.py",
        ]);
        await waitFor(() =>
            expect(screen.getAllByTestId("outline-entry").map((entry) => entry.textContent.trim())).toEqual([
                "Unit converter",
                "Steps",
                "Example",
            ]),
        );
        expect(screen.getByTestId("problems").dataset.count).toBe("1");
        expect(screen.getByTestId("tab").dataset.name).toBe("SKILL.md");
    });

    it("shows a problem appear and go while text changes", async () => {
        await open("unit-converter");
        const whole = editor.active?.text ?? "";
        editor.active?.write("no frontmatter\n");
        await waitFor(() => expect(screen.getAllByTestId("problem").map((row) => row.dataset.rule)).toContain("frontmatter-missing"));
        expect(screen.getByTestId("save-state").dataset.state).toBe("unsaved");
        editor.active?.write(whole);
        await waitFor(() => expect(screen.getAllByTestId("problem").map((row) => row.dataset.rule)).toEqual(["orphan-file"]));
        expect(screen.getByTestId("save-state").dataset.state).toBe("saved");
    });

    it("edits the frontmatter as a form", async () => {
        await open("log-analyzer");
        await fireEvent.click(screen.getByTestId("form-toggle"));
        const license = await screen.findByTestId("field-license");
        await fireEvent.input(license, { target: { value: "MIT" } });
        await waitFor(() => expect(editor.active?.text).toContain("license: MIT\n"));
        expect(screen.getByTestId("form").textContent).toContain("metadata");
    });

    it("offers keep, take and merge when the disk moved on", async () => {
        await open("unit-converter");
        editor.active?.write("mine");
        fake.disk.files.set(editor.active?.path ?? "", "theirs");
        fake.push({ type: "filesChanged", paths: [] });
        await fireEvent.click(within(await screen.findByTestId("outside-bar")).getByTestId("take-theirs"));
        expect([editor.active?.text, screen.queryByTestId("outside-bar")]).toEqual(["theirs", null]);
    });

    it("changes its language without losing what is open", async () => {
        await open("unit-converter");
        editor.active?.write("unsaved");
        await fireEvent.click(screen.getByTestId("language"));
        await tick();
        expect([screen.getByTestId("rail-skills").textContent.trim(), document.documentElement.lang, editor.active?.text]).toEqual([
            "技能",
            "zh-CN",
            "unsaved",
        ]);
    });

    it("makes a new skill once its name is right", async () => {
        await fireEvent.click(screen.getByTestId("new-skill"));
        const name = await screen.findByTestId("new-skill-name");
        await fireEvent.input(name, { target: { value: "Bad Name" } });
        expect(name.getAttribute("aria-invalid")).toBe("true");
        await fireEvent.input(name, { target: { value: "good-name" } });
        await fireEvent.input(screen.getByTestId("new-skill-description"), { target: { value: "Does it well." } });
        await fireEvent.submit(document.querySelector("#new-skill-form") ?? document.body);
        await waitFor(() => expect(editor.active?.path).toBe("/home/ada/work/skills/good-name/SKILL.md"));
    });

    it("walks the tree with the arrow keys and opens with Enter", async () => {
        const tree = await screen.findByTestId("skill-tree");
        await fireEvent.keyDown(tree, { key: "ArrowDown" });
        await fireEvent.keyDown(tree, { key: "Enter" });
        await waitFor(() => expect(skills.summary?.name).toBe("translator"));
    });

    it("goes on into the text of what is chosen in the palette", async () => {
        const opener = screen.getByTestId("palette-open");
        opener.focus();
        await fireEvent.click(opener);
        const palette = await screen.findByTestId("palette");
        await fireEvent.click(within(palette).getAllByText("translator")[0] ?? document.body);
        // The text view is fetched first.
        await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId("editor-content")));
    });

    it("lists places, skills and actions in the palette", async () => {
        await fireEvent.keyDown(window, { key: "k", ctrlKey: true });
        const palette = await screen.findByTestId("palette");
        expect(within(palette).getAllByText("translator").length).toBeGreaterThan(0);
    });

    it.each([
        {
            words: "Kilograms to pounds",
            leads: async () => {
                const prompt = await screen.findByTestId<HTMLTextAreaElement>("prompt-box");
                expect([app.place, prompt.value]).toEqual(["run", "How many pounds is 1 kilogram?"]);
                expect(launch.screenplay).toBe("/opt/skill-workbench/skills/.workbench/screenplays/unit-converter.yaml");
            },
        },
        {
            words: "step-number-wrong",
            leads: async () => {
                expect((await screen.findByTestId("rule-card")).dataset["rule"]).toBe("step-number-wrong");
                lint.view = null;
            },
        },
        {
            words: "Keep runs…",
            leads: async () => {
                expect(await screen.findByTestId("retention-days")).toBeTruthy();
                retention.open = false;
            },
        },
        {
            words: "Theme: dark",
            leads: async () => {
                await waitFor(() => expect([fake.disk.settings.theme, app.settings.theme]).toEqual(["dark", "dark"]));
                await app.setTheme("system");
            },
        },
    ])("goes from the palette to a scene, a rule or a setting: $words", async ({ words, leads }) => {
        await fireEvent.keyDown(window, { key: "k", ctrlKey: true });
        await fireEvent.input(await screen.findByTestId("palette-input"), { target: { value: words } });
        const entry = await waitFor(() => {
            const found = screen.getAllByTestId("palette-entry").find((each) => each.textContent.includes(words));
            return found ?? Promise.reject(new Error(`${words} is not offered`));
        });
        await fireEvent.click(entry);
        await leads();
        expect(app.paletteOpen).toBe(false);
    });

    it("lists its keys", async () => {
        await fireEvent.click(screen.getByTestId("help-open"));
        expect((await screen.findByTestId("help")).textContent).toContain("Next problem");
    });
});
