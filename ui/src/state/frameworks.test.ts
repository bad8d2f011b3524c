import { expect, it } from "vitest";
import type { ComparedSkill, QuirkDto } from "../generated/api";
import { sortedQuirks } from "./frameworks.svelte";

const skill = (path: string): ComparedSkill => ({ name: path, path, columns: [] });
const quirk = (path: string): QuirkDto => ({
    code: "eino/value-ignored",
    kind: "valueIgnored",
    severity: "warning",
    message: "",
    skill: null,
    path,
    range: null,
    detail: "",
});

it("gives a quirk to the innermost skill that it lies in", () => {
    const skills = [skill("/s/outer"), skill("/s/outer/inner"), skill("/s/outer-2")];
    const quirks = [quirk("/s/outer/SKILL.md"), quirk("/s/outer/inner/SKILL.md"), quirk("/s/outer-2/SKILL.md")];
    const own = (folder: string) => sortedQuirks(quirks, skills)({ type: "unseen" }, folder).map((each) => each.path);
    expect(skills.map(({ path }) => own(path ?? ""))).toEqual([
        ["/s/outer/SKILL.md"],
        ["/s/outer/inner/SKILL.md"],
        ["/s/outer-2/SKILL.md"],
    ]);
});
