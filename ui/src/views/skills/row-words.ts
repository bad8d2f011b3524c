import { problemText, t } from "../../i18n";
import type { TreeRow } from "../../state/tree";

/** What a row is called. */
export function rowName(row: TreeRow): string {
    switch (row.type) {
        case "folder":
            return row.folder.name;
        case "problem":
            return problemText(row.problem.kind);
        case "skill":
            return row.skill.name;
        case "directory":
            return `${row.name.split("/").at(-1) ?? row.name}/`;
        case "file":
            return row.name;
        case "none":
            return t("skills.noneInFolder");
    }
}

/** The whole of what the row may have cut off. */
export function rowTitle(row: TreeRow): string {
    switch (row.type) {
        case "folder":
            return row.folder.path;
        case "skill":
            return `${row.skill.name}\n${row.skill.description}`;
        case "file":
            return row.file.path;
        case "problem":
        case "directory":
        case "none":
            return rowName(row);
    }
}
