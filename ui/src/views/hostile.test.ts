/** Texts of others outside of traces: what they hide is marked wherever a person decides by it. */
import { render, screen } from "@testing-library/svelte";
import { beforeEach, expect, test, vi } from "vitest";
import type { OutlineEntry, ScreenplayInfo } from "../generated/api";
import { setHost } from "../host";
import { fakeHost } from "../host/fake";
import { editor } from "../state/editor.svelte";
import { fileActions } from "../state/file-actions.svelte";
import { Launch } from "../state/launch.svelte";
import { skills } from "../state/skills.svelte";
import { expectMarked, HOSTILE } from "../test-marked";
import { call } from "../trace/sample";
import Outline from "./editor/Outline.svelte";
import Tabs from "./editor/Tabs.svelte";
import ApprovalCard from "./run/ApprovalCard.svelte";
import LaunchForm from "./run/LaunchForm.svelte";
import Scenes from "./run/Scenes.svelte";
import SkillSwitches from "./run/SkillSwitches.svelte";
import StatusBar from "./shell/StatusBar.svelte";
import FileDialogs from "./skills/FileDialogs.svelte";

const SKILL = "/opt/skill-workbench/skills/hostile";
const NAME = `a${HOSTILE}.md`;

const scene = (error: string | null): ScreenplayInfo => ({
    path: `/${HOSTILE}${error ?? ""}`,
    name: HOSTILE,
    screenplay: { prompt: HOSTILE, title: HOSTILE, steps: [] },
    error: error === null ? null : { en: error, zh: error },
});

beforeEach(async () => {
    const fake = fakeHost();
    setHost(fake);
    fake.disk.files.set(`${SKILL}/SKILL.md`, "---\nname: a\u202eb\ndescription: x\n---\n");
    fake.disk.files.set(`${SKILL}/${NAME}`, `# ${HOSTILE}\n`);
    editor.files = [];
    editor.active = null;
    await skills.load();
});

/** Words of the program's own: names of frameworks and rules, texts of the templates and of the first page. */
const OWN = [
    "editor/Frameworks:verdict.title",
    "editor/SkillCardDialog:row.title",
    "harness/HarnessPicker:",
    "inspect/OptionField:choice.name",
    "inspect/OptionsPane:option.name",
    "lint/RuleCard:",
    "lint/RulesView:rule.id",
    "skills/FirstSteps:step.",
    "skills/Welcome:",
    "compare/TextColumns:column.compared?.title",
];

test("no view shows a name, a path or a text as it stands, but for the program's own", () => {
    const views = import.meta.glob<string>("./**/*.svelte", { query: "?raw", import: "default", eager: true });
    const raw =
        /(?:>|\s(?:title|aria-label)=)\s*\{([\w.?]*\.(?:name|title|path|description|text|reason|prompt|message|detail|id)(?: \?\? [^}]*)?)\}/g;
    const found = Object.entries(views).flatMap(([path, source]) =>
        [...source.matchAll(raw)].map((match) => `${path.slice(2, -".svelte".length)}:${match[1] ?? ""}`),
    );
    expect(found.filter((place) => !OWN.some((own) => place.startsWith(own)))).toEqual([]);
});

/** The note under the field with this text. */
const note = () => screen.getByTestId("hidden-note").textContent;

test("the form that starts a run says nothing unseen", async () => {
    const launch = new Launch();
    await launch.load();
    launch.model = "rehearsal";
    launch.screenplays = [scene(null), scene(HOSTILE)];
    launch.prompt = HOSTILE;
    launch.screenplay = scene(null).path;
    const nothing = vi.fn();
    const given = { launch, harnesses: [], choice: null, running: false, stopping: false };
    const { container } = render(LaunchForm, { ...given, onchoose: nothing, onstart: nothing, onstop: nothing });
    expectMarked(container);
    expect(note()).toContain("U+202E right-to-left override");
    expectMarked(render(SkillSwitches).container);
    expectMarked(render(Scenes, { scenes: [scene(null)], onplay: nothing }).container);
});

test("the arguments that may be edited before a call say what they hide", () => {
    const given = { asked: null, leadsTo: null, enforcement: null, answered: false, ondecide: vi.fn(), ontry: vi.fn() };
    const { container } = render(ApprovalCard, { call: call(HOSTILE, JSON.stringify({ a: HOSTILE })), ...given });
    expectMarked(container);
    expect(note()).toContain("U+202E");
});

test("names of files and headings say nothing unseen where they are edited", async () => {
    await editor.open(`${SKILL}/${NAME}`);
    const file = editor.active;
    if (file === null) {
        throw new Error("nothing is open");
    }
    expectMarked(render(Tabs, { files: [file], active: file }).container);
    const entry: OutlineEntry = { level: 1, text: HOSTILE, range: { from: 0, to: 1, line: 1, column: 1 } };
    file.check = { findings: [], security: null, alone: false, outline: [entry], fields: null, tokens: 1, tiers: null };
    expectMarked(render(Outline, { file }).container);
});

test("the status bar and the dialogs of a file say nothing unseen", async () => {
    await skills.select(SKILL);
    expectMarked(render(StatusBar).container);
    const target = { path: `${SKILL}/${NAME}`, name: NAME, skill: SKILL, isSkill: false };
    for (const type of ["delete", "rename"] as const) {
        fileActions.ask(type, target);
        const { unmount } = render(FileDialogs);
        expectMarked(await screen.findByTestId(type === "delete" ? "delete-dialog" : "name-dialog"));
        unmount();
    }
    fileActions.cancel();
});
