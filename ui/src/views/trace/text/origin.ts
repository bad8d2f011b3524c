/** How an origin is spoken of. */
import { formatNumber, t } from "../../../i18n";
import type { Origin } from "../../../generated/api";
import type { OriginKind } from "../../../trace/segments";

export function kindName(kind: OriginKind): string {
    switch (kind) {
        case "framework":
            return t("origin.framework");
        case "skill":
            return t("origin.skill");
        case "user":
            return t("origin.user");
        case "tool":
            return t("origin.tool");
        case "withheld":
            return t("origin.withheld");
        case "unmarked":
            return t("origin.unmarked");
    }
}

export function describeOrigin(origin: Origin | null): string {
    switch (origin?.type) {
        case "framework":
            return t("origin.ofFramework");
        case "skill":
            return t("origin.ofSkill", { skill: origin.skill, field: origin.field });
        case "user":
            return t("origin.ofUser");
        case "tool":
            return t("origin.ofTool", { tool: origin.tool });
        case "withheld":
            return origin.characters === null
                ? t("origin.ofWithheldUnmeasured", { client: origin.client })
                : t("origin.ofWithheld", { client: origin.client, n: formatNumber(origin.characters) });
        case undefined:
            return t("origin.ofUnmarked");
    }
}
