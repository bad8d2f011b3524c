/** How values of options are shown and read. */
import { t } from "../../i18n";

/** A value in a few words. */
export function shownValue(value: unknown): string {
    if (value === null) {
        return "null";
    }
    if (typeof value === "boolean") {
        return value ? t("options.yes") : t("options.no");
    }
    if (Array.isArray(value)) {
        return value.length === 0 ? t("options.nothing") : value.map(String).join(", ");
    }
    return typeof value === "string" ? value : JSON.stringify(value);
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

/** What a field holds; empty for `null`. */
export function asText(value: unknown): string {
    if (value === null) {
        return "";
    }
    return typeof value === "string" ? value : JSON.stringify(value);
}
