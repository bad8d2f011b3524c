import type { Target } from "../../state/file-actions.svelte";
import { join } from "../../state/names";
import type { TreeRow } from "../../state/tree";

/** What file actions on this row work on; `null` if there are none. */
export function targetOf(row: TreeRow): Target | null {
    switch (row.type) {
        case "skill":
            return { path: row.skill.id, name: row.skill.relative.split("/").at(-1) || row.skill.name, skill: row.skill.id, isSkill: true };
        case "directory":
            return {
                path: join(row.skill.id, row.name),
                name: row.name.split("/").at(-1) ?? row.name,
                skill: row.skill.id,
                isSkill: false,
            };
        case "file":
            return { path: row.file.path, name: row.name, skill: row.skill.id, isSkill: false };
        case "folder":
        case "problem":
        case "none":
            return null;
    }
}
