/** What can be done with a whole skill: import from a file, export, copy, and use alone. */
import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it } from "vitest";
import { setHost } from "../../host";
import type { PackagedSkill } from "../../generated/api";
import { fakeHost, type FakeHost } from "../../host/fake";
import { lookOf } from "../../host/fake/packages";
import { app } from "../../state/app.svelte";
import { actionGroups, loadActions } from "../../state/actions";
import { editor } from "../../state/editor.svelte";
import { fileActions } from "../../state/file-actions.svelte";
import { harnesses } from "../../state/harnesses.svelte";
import { inspect } from "../../state/inspect.svelte";
import { launch } from "../../state/launch.svelte";
import { Incoming, packages } from "../../state/packages.svelte";
import { skillChoice } from "../../state/skill-choice.svelte";
import { skills } from "../../state/skills.svelte";
import { runs } from "../../state/runs.svelte";
import SomeSkills from "../harness/SomeSkills.svelte";
import DropTarget from "../shell/DropTarget.svelte";
import FileDialogs from "./FileDialogs.svelte";

const OWN = "/home/ada/work/skills";
let fake: FakeHost;

beforeEach(async () => {
    fake = fakeHost();
    setHost(fake);
    skillChoice.all();
    while (packages.incoming !== null) {
        packages.close();
    }
    fileActions.cancel();
    await skills.load();
});

const args = (name: string) => fake.calls.filter((call) => call.name === name).map((call) => call.args);

it("a file is looked at, and only what was chosen is taken, under the name that was typed", async () => {
    render(FileDialogs);
    packages.open("/home/ada/Downloads/two.skill");
    await waitFor(() => expect(screen.getAllByTestId("package-skill")).toHaveLength(2));
    expect(screen.getAllByTestId("package-verdict").map((verdict) => verdict.dataset["errors"])).toEqual(["0", "1"]);
    expect(screen.getAllByTestId("package-finding").at(-1)?.textContent).toContain("sends the AWS credentials");
    await fireEvent.click(screen.getAllByRole("checkbox")[1] ?? document.body);
    const name = screen.getByTestId<HTMLInputElement>("package-name");
    await fireEvent.input(name, { target: { value: "Count Words" } });
    expect(screen.getByTestId<HTMLButtonElement>("package-take").disabled).toBe(true);
    await fireEvent.input(name, { target: { value: "words" } });
    await fireEvent.click(screen.getByTestId("package-take"));
    await waitFor(() => expect(packages.incoming).toBeNull());
    expect(args("package_open")).toEqual([
        {
            path: "/home/ada/Downloads/two.skill",
            version: lookOf().version,
            folder: OWN,
            names: { "count-words": "words" },
            renamed: ["count-words"],
        },
    ]);
    await waitFor(() => expect(editor.active?.path).toBe(`${OWN}/words/SKILL.md`));
});

it("another folder than SKILL.md has is said before anything is written, and the name follows if wanted", async () => {
    render(FileDialogs);
    packages.open("/home/ada/Downloads/two.skill");
    await waitFor(() => expect(screen.getAllByTestId("package-skill")).toHaveLength(2));
    expect(screen.queryByTestId("package-renames")).toBeNull();
    const [name] = screen.getAllByTestId<HTMLInputElement>("package-name");
    await fireEvent.input(name ?? document.body, { target: { value: "words" } });
    const follows = screen.getByTestId<HTMLInputElement>("package-renames");
    expect([follows.checked, follows.closest("label")?.textContent.trim()]).toEqual([
        true,
        "Change the name in SKILL.md from count-words to words",
    ]);
    await fireEvent.click(follows);
    expect(follows.closest("label")?.textContent).toContain("the two names differ");
    await fireEvent.click(screen.getByTestId("package-take"));
    await waitFor(() => expect(packages.incoming).toBeNull());
    expect(args("package_open")).toEqual([expect.objectContaining({ names: { "count-words": "words", helper: "helper" }, renamed: [] })]);
});

it("a file with skills that is dropped on the window is looked at, and a folder is opened", async () => {
    render(FileDialogs);
    render(DropTarget);
    await waitFor(() => {
        fake.drag({ type: "over" });
        expect(screen.getByTestId("drop-overlay").textContent).toContain("skill");
    });
    fake.drag({ type: "drop", paths: ["/home/ada/Downloads/two.ZIP"] });
    await waitFor(() => expect(screen.getAllByTestId("package-skill")).toHaveLength(2));
    expect(screen.queryByTestId("drop-overlay")).toBeNull();
    expect([app.place, packages.incoming?.path, args("folder_open")]).toEqual(["skills", "/home/ada/Downloads/two.ZIP", []]);
});

it("files that are dropped together are looked at one after the other", async () => {
    render(FileDialogs);
    packages.open("/home/ada/Downloads/one.skill");
    packages.open("/home/ada/Downloads/two.skill");
    expect(packages.incoming?.path).toBe("/home/ada/Downloads/one.skill");
    await fireEvent.click(await screen.findByText("Cancel"));
    await waitFor(() => expect(screen.getByTestId("package-dialog").textContent).toContain("two.skill"));
    await fireEvent.click(screen.getByText("Cancel"));
    await waitFor(() => expect(packages.incoming).toBeNull());
});

it("a folder with no skill's name gives way to the name in SKILL.md", () => {
    const incoming = new Incoming("/home/ada/Downloads/parcels (1).zip");
    const [first] = lookOf().skills;
    if (first === undefined) {
        throw new Error("the fake file holds a skill");
    }
    const skill: PackagedSkill = { ...first, folder: "parcels (1)", name: "parcels" };
    expect([incoming.name(skill), incoming.mismatch(skill), incoming.wrong(skill)]).toEqual(["parcels", false, null]);
    incoming.rename(skill, "post");
    expect([incoming.renames(skill), incoming.wrong(skill)]).toEqual([true, null]);
    const own = { ...skill, folder: "post" };
    expect([incoming.mismatch(own), incoming.renames(own)]).toEqual([true, false]);
});

it("a copy of a skill has a name that no other has, and is opened", async () => {
    render(FileDialogs);
    const skill = `${OWN}/log-analyzer`;
    fileActions.ask("duplicate", { path: skill, name: "log-analyzer", skill, isSkill: true });
    const name = await screen.findByTestId<HTMLInputElement>("name-input");
    expect(name.value).toBe("log-analyzer-copy");
    await fireEvent.input(name, { target: { value: "log-analyzer" } });
    expect(screen.getByTestId<HTMLButtonElement>("name-submit").disabled).toBe(true);
    await fireEvent.input(name, { target: { value: "log-reader" } });
    await fireEvent.click(screen.getByTestId("name-submit"));
    await waitFor(() => expect(editor.active?.path).toBe(`${OWN}/log-reader/SKILL.md`));
    expect(args("skill_copy")).toEqual([{ skill, name: "log-reader" }]);
});

it("one skill alone is inspected and run, until all are wanted again", async () => {
    await harnesses.load();
    skillChoice.only("log-analyzer");
    await inspect.load();
    const others = skillChoice.names.filter((name) => name !== "log-analyzer");
    expect(args("inspect_listed").at(-1)).toMatchObject({ without: others });
    await launch.load();
    expect(launch.request().without).toEqual(others);
    render(SomeSkills);
    expect(screen.getByTestId("some-skills").textContent).toContain("log-analyzer");
    await fireEvent.click(screen.getByTestId("some-skills-all"));
    expect(screen.queryByTestId("some-skills")).toBeNull();
    expect(launch.request().without).toEqual([]);
});

it("the palette offers scenes, runs and rules, each at its place", async () => {
    runs.list = null;
    loadActions();
    const group = (name: string) => actionGroups().find((each) => each.group === name)?.actions ?? [];
    await waitFor(() => expect(["scenes", "runs", "rules"].map((name) => group(name).length > 0)).toEqual([true, true, true]));
    group("scenes")[0]?.run();
    expect([app.place, launch.screenplay !== null]).toEqual(["run", true]);
    group("runs")[0]?.run();
    await waitFor(() => expect([app.place, runs.walk?.run]).toEqual(["traces", runs.list?.[0]?.id]));
});
