import type { SkillFileDto } from "../../generated/api";
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

/** Where a link leads; `null`: the file is where it is listed. */
export function linkText({ leadsTo, outside }: SkillFileDto): string | null {
    if (outside) {
        return leadsTo === null ? t("skills.linkUnknown") : t("skills.linkOutside", { path: leadsTo });
    }
    return leadsTo === null ? null : t("skills.link", { path: leadsTo });
}

/** The whole of what the row may have cut off. */
export function rowTitle(row: TreeRow): string {
    switch (row.type) {
        case "folder":
            return row.folder.path;
        case "skill":
            return `${row.skill.name}\n${row.skill.description}`;
        case "file":
            return [row.file.path, linkText(row.file)].filter((line) => line !== null).join("\n");
        case "problem":
        case "directory":
        case "none":
            return rowName(row);
    }
}
