/** Texts about a skill that came in a file. */
import type { PackagedSkill } from "../../generated/api";
import { t } from "../../i18n";

/** The security findings in it, in one sentence. */
export function securityOf(skill: Pick<PackagedSkill, "securityErrors" | "securityWarnings" | "securityHints">): string {
    const { securityErrors: errors, securityWarnings: warnings, securityHints: hints } = skill;
    if (errors + warnings > 0) {
        return t("package.danger", { errors, warnings, hints });
    }
    return hints > 0 ? t("package.onlyHints", { n: hints }) : t("package.noDanger");
}
