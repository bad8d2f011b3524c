/** Error texts for edited arguments. */
import { t } from "../../i18n";
import { assertNever } from "../../state/never";
import type { JsonCheck } from "../../trace/json";

export function jsonMistake(check: Extract<JsonCheck, { ok: false }>): string {
    const { line, column, found, mistake } = check;
    switch (mistake) {
        case "unexpected":
            return t("approval.unexpected", { line, column, found });
        case "unfinished":
            return t("approval.unfinished", { line, column });
        case "notObject":
            return t("approval.notObject");
        default:
            return assertNever(mistake);
    }
}
