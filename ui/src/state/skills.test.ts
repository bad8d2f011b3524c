import { waitFor } from "@testing-library/svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { setHost } from "../host";
import { fakeHost, type FakeHost } from "../host/fake";
import { join, nameError, parentOf, pathError } from "./names";
import { Skills } from "./skills.svelte";

let fake: FakeHost;
let skills: Skills;

beforeEach(async () => {
    fake = fakeHost();
    setHost(fake);
    skills = new Skills();
    await skills.load();
});

const shown = (): string[] =>
    skills.rows.map((row) => {
        const name =
            row.type === "skill"
                ? row.skill.relative
                : row.type === "folder"
                  ? row.folder.path
                  : row.type === "problem" || row.type === "none"
                    ? row.type
                    : row.name;
        return `${row.level} ${name} ${row.position}/${row.siblings}`;
    });

describe("the tree", () => {
    it("lists folders and their skills, with the files of those unfolded", async () => {
        await skills.toggle("skill:/opt/skill-workbench/skills/unit-converter");
        await skills.toggle("folder:/home/ada/work/skills");
        expect(shown()).toEqual([
            "1 /opt/skill-workbench/skills 1/2",
            "2 translator 1/2",
            "2 unit-converter 2/2",
            "3 SKILL.md 1/4",
            "3 assets 2/4",
            "4 logo.png 1/1",
            "3 references 3/4",
            "4 conversion-table.md 1/1",
            "3 scripts 4/4",
            "4 convert.py 1/1",
            "1 /home/ada/work/skills 2/2",
        ]);
    });

    it("filters by every word, also in Chinese and full width", () => {
        skills.filter = "翻译 ＴＲＡＮＳ";
        expect(skills.rows.filter((row) => row.type === "skill").map((row) => row.skill.name)).toEqual(["translator"]);
    });

    it("shows the skills of folders that a project file names", async () => {
        const list = await fake.call("skill_list", {});
        const named = list.skills
            .slice(0, 1)
            .map((skill) => ({ ...skill, id: "/home/ada/more/a", folder: "/home/ada/more", relative: "a" }));
        fake.on("skill_list", () => ({ ...list, skills: [...list.skills, ...named] }));
        await skills.load();
        expect(shown().slice(-2)).toEqual(["1 /home/ada/more 3/3", "2 a 1/1"]);
        expect(skills.rows.filter((row) => row.type === "folder").map((row) => row.opened)).toEqual([true, true, false]);
    });

    it("says where a folder has no skills", async () => {
        await skills.openFolder("/home/ada/empty");
        expect(shown().slice(-2)).toEqual(["1 /home/ada/empty 3/3", "2 none 1/1"]);
    });
});

describe("folders", () => {
    it("are opened when they are dropped, a dropped SKILL.md opens its folder, and what is taken is not opened", async () => {
        const dropped = vi.fn();
        const stop = await skills.acceptDrops(dropped, (path) => path.endsWith(".skill"));
        fake.drag({ type: "over" });
        expect(skills.dragging).toBe(true);
        fake.drag({ type: "drop", paths: ["/a/one", "/a/two/SKILL.md", "/a/three.skill"] });
        await waitFor(() => expect(fake.disk.folders.map((folder) => folder.path).slice(2)).toEqual(["/a/one", "/a/two"]));
        expect([skills.dragging, dropped.mock.calls.length]).toEqual([false, 1]);
        stop();
    });

    it("take the selection with them when they close", async () => {
        await skills.select("/home/ada/work/skills/log-analyzer");
        await skills.closeFolder("/home/ada/work/skills");
        expect([skills.selected, skills.list?.folders.length]).toEqual([null, 1]);
    });
});

describe("skills", () => {
    it("are selected once they are made", async () => {
        await skills.create({ folder: "/home/ada/work/skills", name: "fresh", description: "New.", template: "minimal" });
        expect([skills.selected, skills.summary?.name]).toEqual(["/home/ada/work/skills/fresh", "fresh"]);
    });

    it("stay selected and unfolded when their folder is renamed", async () => {
        const from = "/home/ada/work/skills/log-analyzer";
        await skills.select(from);
        await skills.toggle(`skill:${from}`);
        await skills.rename(from, "logs");
        expect([skills.selected, skills.rows.some((row) => row.type === "skill" && row.skill.relative === "logs" && row.open)]).toEqual([
            "/home/ada/work/skills/logs",
            true,
        ]);
    });
});

describe("details", () => {
    it("of the skills that were looked at last are kept, and of those that are selected or unfolded", async () => {
        const detail = await fake.call("skill_get", { id: "/home/ada/work/skills/log-analyzer" });
        fake.on("skill_get", ({ id }) => ({ ...detail, summary: { ...detail.summary, id } }));
        const ids = Array.from({ length: 30 }, (_, at) => `/s/${at}`);
        await skills.toggle("skill:/s/unfolded");
        await skills.select("/s/selected");
        for (const id of ids) {
            await skills.fetch(id);
        }
        expect(["/s/unfolded", "/s/selected", ...ids].filter((id) => skills.detail(id) !== null)).toEqual([
            "/s/unfolded",
            "/s/selected",
            ...ids.slice(10),
        ]);
        expect(skills.detail("/s/29")?.summary.id).toBe("/s/29");
    });
});

describe("names", () => {
    it("follow the specification", () => {
        const names = ["", "pdf-tools", "a", "Pdf", "pdf tools", "名称", "-a", "a-", "a--b", "a".repeat(65), "here"];
        expect(names.map((name) => nameError(name, ["here"]))).toEqual([
            "empty",
            null,
            null,
            "characters",
            "characters",
            "characters",
            "hyphens",
            "hyphens",
            "hyphens",
            "tooLong",
            "taken",
        ]);
    });

    it("of files stay inside the skill", () => {
        const paths = ["references/guide.md", "", "a//b", "../x", "a/../b", "a:b", "SKILL.md", "说明.md"];
        expect(paths.map((path) => pathError(path, ["SKILL.md"]))).toEqual([
            null,
            "empty",
            "empty",
            "outside",
            "outside",
            "characters",
            "taken",
            null,
        ]);
    });

    it("are joined in the way of the system they come from", () => {
        expect([join("C:\\skills\\a", "x/y.md"), join("/skills/a", "x/y.md"), parentOf("C:\\skills\\a"), parentOf("/skills/a")]).toEqual([
            "C:\\skills\\a\\x\\y.md",
            "/skills/a/x/y.md",
            "C:\\skills",
            "/skills",
        ]);
    });
});
