/** What can be done with a skill as a whole: taken in from a file, written to one, copied, and used alone. */
import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it } from "vitest";
import { setHost } from "../../host";
import { fakeHost, type FakeHost } from "../../host/fake";
import { app } from "../../state/app.svelte";
import { actionGroups, loadActions } from "../../state/actions";
import { editor } from "../../state/editor.svelte";
import { fileActions } from "../../state/file-actions.svelte";
import { harnesses } from "../../state/harnesses.svelte";
import { inspect } from "../../state/inspect.svelte";
import { launch } from "../../state/launch.svelte";
import { packages } from "../../state/packages.svelte";
import { skillChoice } from "../../state/skill-choice.svelte";
import { skills } from "../../state/skills.svelte";
import { runs } from "../../state/runs.svelte";
import SomeSkills from "../harness/SomeSkills.svelte";
import FileDialogs from "./FileDialogs.svelte";

const OWN = "/home/ada/work/skills";
let fake: FakeHost;

beforeEach(async () => {
    fake = fakeHost();
    setHost(fake);
    skillChoice.all();
    packages.incoming = null;
    fileActions.cancel();
    await skills.load();
});

const args = (name: string) => fake.calls.filter((call) => call.name === name).map((call) => call.args);

it("a file is looked at, and only what was chosen is taken, under the name that was typed", async () => {
    render(FileDialogs);
    packages.open("/home/ada/Downloads/two.skill");
    await waitFor(() => expect(screen.getAllByTestId("package-skill")).toHaveLength(2));
    expect(screen.getAllByTestId("package-verdict").map((verdict) => verdict.dataset["errors"])).toEqual(["0", "1"]);
    expect(screen.getByTestId("package-finding").textContent).toContain("~/.aws/credentials");
    await fireEvent.click(screen.getAllByRole("checkbox")[1] ?? document.body);
    const name = screen.getByTestId<HTMLInputElement>("package-name");
    await fireEvent.input(name, { target: { value: "Count Words" } });
    expect(screen.getByTestId<HTMLButtonElement>("package-take").disabled).toBe(true);
    await fireEvent.input(name, { target: { value: "words" } });
    await fireEvent.click(screen.getByTestId("package-take"));
    await waitFor(() => expect(packages.incoming).toBeNull());
    expect(args("package_open")).toEqual([
        { path: "/home/ada/Downloads/two.skill", version: "/home/ada/Downloads/two.skill", folder: OWN, names: { "count-words": "words" } },
    ]);
    await waitFor(() => expect(editor.active?.path).toBe(`${OWN}/words/SKILL.md`));
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
    expect(args("inspect").at(-1)).toMatchObject({ without: others });
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
