import type { ProblemKind } from "../generated/api";
import { assertNever } from "../state/never";
import { formatNumber, t, worded } from "./locale.svelte";

/** A problem in the language that is on. */
export function problemText(kind: ProblemKind): string {
    switch (kind.type) {
        case "folderUnreadable":
        case "fileUnreadable":
        case "yamlInvalid":
            return t(`problem.${kind.type}`, { reason: worded(kind.reason) });
        case "rootOutside":
            return t("problem.rootOutside", { root: kind.root });
        case "linkBroken":
            return t("problem.linkBroken", { target: kind.target });
        case "nameNotUtf8":
            return t("problem.nameNotUtf8", { shown: kind.shown });
        case "tooDeep":
            return t("problem.tooDeep", { limit: kind.limit });
        case "tooMany":
            return t("problem.tooMany", { limit: formatNumber(kind.limit) });
        case "tooLarge":
            return t("problem.tooLarge", { size: formatNumber(Number(kind.size)), limit: formatNumber(Number(kind.limit)) });
        case "linkOutside":
            return t("problem.linkOutside", { target: kind.target });
        case "notEntered":
            return t("problem.notEntered", { target: kind.target });
        case "notUtf8":
            return t("problem.notUtf8", { offset: formatNumber(kind.offset) });
        case "keyDuplicate":
        case "keyMissing":
        case "keyNotText":
        case "keyEmpty":
            return t(`problem.${kind.type}`, { key: kind.key });
        case "keyTooLong":
            return t("problem.keyTooLong", { key: kind.key, length: kind.length, limit: kind.limit });
        case "nameNotFolder":
            return t("problem.nameNotFolder", { name: kind.name, folder: kind.folder });
        case "nameTaken":
            return t("problem.nameTaken", { name: kind.name, other: kind.other });
        case "manifestMiscased":
            return t("problem.manifestMiscased", { found: kind.found });
        case "rootMissing":
        case "rootNotFolder":
        case "vanished":
        case "linkLoop":
        case "bom":
        case "mixedNewlines":
        case "empty":
        case "frontmatterMissing":
        case "frontmatterUnclosed":
        case "yamlNotMap":
        case "nameInvalid":
        case "bodyEmpty":
        case "noSkills":
            return t(`problem.${kind.type}`);
        default:
            return assertNever(kind);
    }
}
