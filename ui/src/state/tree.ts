/** The list on the left as rows: folders, their skills, and the files of the skills that are unfolded. */
import type { Folder, ProblemDto, SkillDetail, SkillFileDto, SkillList, SkillSummary } from "../generated/api";
import { baseName, isWithin } from "./names";

interface Row {
    /** Unique, and the same over reloads. */
    key: string;
    /** From 1. */
    level: number;
    position: number;
    siblings: number;
}

export type TreeRow = Row &
    (
        | { type: "folder"; folder: Folder; opened: boolean; open: boolean; skills: number }
        | { type: "problem"; problem: ProblemDto }
        | { type: "skill"; skill: SkillSummary; open: boolean }
        | { type: "directory"; skill: SkillSummary; name: string; tokens: number | null; open: boolean }
        | { type: "file"; skill: SkillSummary; file: SkillFileDto; name: string }
        | { type: "none"; folder: Folder }
    );

type Place = "key" | "level" | "position" | "siblings";
type Loose<T> = T extends unknown ? Omit<T, Place> & { key: string } : never;
interface Branch {
    row: Loose<TreeRow>;
    below: Branch[];
}

export interface TreeInput {
    list: SkillList;
    filter: string;
    /** Keys that differ from how they start: folders and directories start open, skills start folded. */
    toggled: ReadonlySet<string>;
    detail: (id: string) => SkillDetail | null;
}

export function treeRows(input: TreeInput): TreeRow[] {
    const rows: TreeRow[] = [];
    place(
        [
            ...input.list.folders.map((folder) => folderBranch(folder, true, input)),
            ...furtherFolders(input.list).map((folder) => folderBranch(folder, false, input)),
        ],
        1,
        rows,
    );
    return rows;
}

/** All words of the filter are in the name, the path or the description. */
export function matches(skill: SkillSummary, filter: string): boolean {
    if (filter.trim() === "") {
        return true;
    }
    const text = `${skill.name} ${skill.relative} ${skill.description}`.normalize("NFKC").toLowerCase();
    return filter
        .normalize("NFKC")
        .toLowerCase()
        .split(/\s+/)
        .every((word) => text.includes(word));
}

/** Those that nobody opened: the project file of an open folder names them. */
function furtherFolders({ folders, skills }: SkillList): Folder[] {
    const further = new Set(skills.map((skill) => skill.folder));
    for (const { path } of folders) {
        further.delete(path);
    }
    return [...further].map((path) => ({ path, name: baseName(path), bundled: false, watched: true }));
}

/** `opened`: the user opened it, and can close it. */
function folderBranch(folder: Folder, opened: boolean, input: TreeInput): Branch {
    const key = `folder:${folder.path}`;
    const skills = input.list.skills.filter((skill) => skill.folder === folder.path && matches(skill, input.filter));
    const open = !input.toggled.has(key);
    const problems = input.list.problems
        .filter((problem) => isWithin(problem.path, folder.path))
        .map((problem): Branch => ({ row: { type: "problem", key: `${key}:${problem.kind.type}:${problem.path}`, problem }, below: [] }));
    const none: Branch[] =
        skills.length + problems.length > 0 ? [] : [{ row: { type: "none", key: `none:${folder.path}`, folder }, below: [] }];
    const below = open ? [...problems, ...skills.map((skill) => skillBranch(skill, input)), ...none] : [];
    return { row: { type: "folder", key, folder, opened, open, skills: skills.length }, below };
}

function skillBranch(skill: SkillSummary, input: TreeInput): Branch {
    const key = `skill:${skill.id}`;
    const open = input.toggled.has(key);
    const files = open ? (input.detail(skill.id)?.files ?? []) : [];
    return { row: { type: "skill", key, skill, open }, below: fileBranches(skill, files, "", input) };
}

/** Files directly in `directory` and the directories below it, in the order given. */
function fileBranches(skill: SkillSummary, files: readonly SkillFileDto[], directory: string, input: TreeInput): Branch[] {
    const branches = new Map<string, Branch>();
    for (const file of files) {
        const rest = file.name.slice(directory.length);
        const slash = rest.indexOf("/");
        if (slash < 0) {
            const key = `file:${file.path}`;
            branches.set(key, { row: { type: "file", key, skill, file, name: rest }, below: [] });
            continue;
        }
        const name = directory + rest.slice(0, slash);
        const key = `directory:${skill.id}:${name}`;
        if (!branches.has(key)) {
            const inside = files.filter((other) => other.name.startsWith(`${name}/`));
            const counted = inside.map((other) => other.tokens).filter((tokens) => tokens !== null);
            const tokens = counted.length === 0 ? null : counted.reduce((sum, tokens) => sum + tokens, 0);
            const open = !input.toggled.has(key);
            const below = open ? fileBranches(skill, inside, `${name}/`, input) : [];
            branches.set(key, { row: { type: "directory", key, skill, name, tokens, open }, below });
        }
    }
    return [...branches.values()];
}

function place(branches: readonly Branch[], level: number, rows: TreeRow[]): void {
    for (const [index, { row, below }] of branches.entries()) {
        rows.push({ ...row, level, position: index + 1, siblings: branches.length });
        place(below, level + 1, rows);
    }
}
