import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";
import { setHost } from "../../host";
import { fakeHost, type FakeHost } from "../../host/fake";
import { editor } from "../../state/editor.svelte";
import { skills } from "../../state/skills.svelte";
import SkillsPlace from "../skills/SkillsPlace.svelte";
import LinkedFile from "./LinkedFile.svelte";

const LINK = "/opt/skill-workbench/skills/unit-converter/references/out.md";
const TARGET = "/home/me/notes/secret.md";
const HIDDEN = "/home/me/\u202eterces\u200b/a.md";

let fake: FakeHost;

beforeEach(() => {
    fake = fakeHost();
    setHost(fake);
    fake.disk.files.set(LINK, "# Secret");
    fake.disk.links.set(LINK, TARGET);
    editor.files = [];
    editor.active = null;
    editor.ledOut = null;
});

it("shows where a link leads and nothing of the text, until its folder is trusted", async () => {
    render(SkillsPlace);
    await editor.open(LINK);
    expect((await screen.findByTestId("linked-to")).textContent).toContain(TARGET);
    expect(document.body.textContent).not.toContain("# Secret");
    expect([editor.files, editor.active]).toEqual([[], null]);
    await fireEvent.click(screen.getByTestId("linked-trust"));
    await waitFor(() => expect(editor.active?.text).toBe("# Secret"));
    expect(fake.calls.find((made) => made.name === "trust_add")?.args).toEqual({ path: "/home/me/notes" });
    expect(screen.queryByTestId("linked-file")).toBeNull();
});

it("goes when another file is opened", async () => {
    await editor.open(LINK);
    expect(editor.ledOut).toEqual({ path: LINK, leadsTo: TARGET, error: null });
    await editor.open("/opt/skill-workbench/skills/unit-converter/SKILL.md");
    expect(editor.ledOut).toBeNull();
});

it("says why a folder cannot be trusted", async () => {
    fake.on("trust_add", () => {
        throw { code: "invalid", message: "/ is the whole machine", hint: null, path: null, why: null };
    });
    render(SkillsPlace);
    await editor.open(LINK);
    await fireEvent.click(await screen.findByTestId("linked-trust"));
    expect((await screen.findByRole("alert")).textContent).toContain("/ is the whole machine");
});

it("marks the hidden characters of both paths", () => {
    const link = { path: HIDDEN, leadsTo: HIDDEN, error: null };
    const { container } = render(LinkedFile, { link, busy: false, ontrust: vi.fn(), onshow: vi.fn(), onclose: vi.fn() });
    expect(container.querySelectorAll("[data-mark]")).toHaveLength(6);
});

it("marks links in the tree, with where they lead", async () => {
    render(SkillsPlace);
    await skills.load();
    await skills.toggle("skill:/opt/skill-workbench/skills/unit-converter");
    const mark = await screen.findByTestId("link-mark");
    expect(mark.title).toBe(`Link to ${TARGET}, outside of the folders that you opened`);
});
