/** What is wrong with a file that is open, and with the rest of its skill. */
import type { ProblemDto, ProblemKind } from "../generated/api";
import type { OpenFile } from "./open-file.svelte";
import { skills } from "./skills.svelte";

/** Seen on disk and beside other skills, not in the text alone. */
const ON_DISK: ReadonlySet<ProblemKind["type"]> = new Set(["bom", "mixedNewlines", "nameTaken", "manifestMiscased", "linkBroken", "linkLoop"]);

/** Of the text as it is now, with what only the disk can tell. */
export function fileProblems(file: OpenFile): ProblemDto[] {
    const now = file.check?.problems ?? [];
    const known = new Set(now.map((problem) => problem.kind.type));
    const disk = skillProblems(file).filter((problem) => problem.path === file.path && ON_DISK.has(problem.kind.type) && !known.has(problem.kind.type));
    return [...now, ...disk];
}

/** Of the other files of the same skill. */
export function otherProblems(file: OpenFile): ProblemDto[] {
    return skillProblems(file).filter((problem) => problem.path !== file.path);
}

function skillProblems(file: OpenFile): readonly ProblemDto[] {
    const skill = skills.skillOf(file.path);
    return skill === null ? [] : (skills.detail(skill.id)?.problems ?? []);
}
