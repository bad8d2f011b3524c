/** What is wrong with a file that is open, and with the rest of its skill. */
import type { ProblemDto, ProblemKind } from "../generated/api";
import { editor } from "./editor.svelte";
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

/** Counts for the selected skill: of its text as it stands in the editor where that is in front, else of the disk. */
export function selectedCounts(): { errors: number; warnings: number } | null {
    const summary = skills.summary;
    const file = editor.active;
    if (summary === null || file?.check == null || skills.skillOf(file.path)?.id !== summary.id) {
        return summary;
    }
    const shown = [...fileProblems(file), ...otherProblems(file)];
    const count = (severity: ProblemDto["severity"]) => shown.filter((problem) => problem.severity === severity).length;
    return { errors: count("error"), warnings: count("warning") };
}

function skillProblems(file: OpenFile): readonly ProblemDto[] {
    const skill = skills.skillOf(file.path);
    return skill === null ? [] : (skills.detail(skill.id)?.problems ?? []);
}
