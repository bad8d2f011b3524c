/** How values of options are shown and read. */
import { t } from "../../i18n";

/** A value in a few words. */
export function shownValue(value: unknown): string {
    if (value === null) {
        return t("options.unset");
    }
    if (typeof value === "boolean") {
        return value ? t("options.yes") : t("options.no");
    }
    if (Array.isArray(value)) {
        return value.map(String).join(", ") || t("options.nothing");
    }
    if (isEmpty(value)) {
        return t("options.nothing");
    }
    return typeof value === "string" ? value : JSON.stringify(value);
}

function isEmpty(value: unknown): boolean {
    return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** A list of texts as lines. */
export function asLines(value: unknown): string {
    return Array.isArray(value) ? value.map(String).join("\n") : "";
}

export function fromLines(text: string): string[] {
    return text
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "");
}

/** What a field holds; empty for `null` and for what has nothing in it. */
export function asText(value: unknown): string {
    if (value === null || isEmpty(value)) {
        return "";
    }
    return typeof value === "string" ? value : JSON.stringify(value);
}
