import { fireEvent, render, screen, within } from "@testing-library/svelte";
import { beforeEach, expect, it } from "vitest";
import { setHost } from "../../host";
import { fakeHost, type FakeHost } from "../../host/fake";
import { installMany } from "../../host/fake/many";
import { skillChoice } from "../../state/skill-choice.svelte";
import { skills } from "../../state/skills.svelte";
import SkillSwitches from "./SkillSwitches.svelte";

let fake: FakeHost;

beforeEach(() => {
    fake = fakeHost();
    setHost(fake);
    skillChoice.all();
});

const boxes = () => within(screen.getByTestId("run-skills")).queryAllByRole<HTMLInputElement>("checkbox");
const names = () => boxes().map((box) => box.closest("label")?.textContent.trim());
const filter = (text: string) => fireEvent.input(screen.getByTestId("run-skills-filter"), { target: { value: text } });

it("lists the skills whose names hold what is typed, and leaves the others as they are", async () => {
    installMany(fake, 12);
    await skills.load();
    render(SkillSwitches);
    expect(boxes()).toHaveLength(12);
    await filter(" Minutes ");
    expect(names()).toEqual(["minutes-00001", "minutes-00011"]);
    await fireEvent.click(boxes()[1] ?? document.body);
    expect([skillChoice.out, screen.getByTestId("run-skills").textContent.includes("11 of 12")]).toEqual([["minutes-00011"], true]);
    await filter("nothing");
    expect([names(), screen.getByText("No skill matches “nothing”").isConnected]).toEqual([[], true]);
    await filter("");
    expect(
        boxes()
            .filter((box) => !box.checked)
            .map((box) => box.closest("label")?.textContent.trim()),
    ).toEqual(["minutes-00011"]);
});

it("has no filter where all are seen at a glance", async () => {
    await skills.load();
    render(SkillSwitches);
    expect([boxes().length, screen.queryByTestId("run-skills-filter")]).toEqual([5, null]);
});
