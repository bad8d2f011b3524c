/** The frontmatter fields that the form knows. */
import { LIMITS } from "../../state/names";

export interface FormField {
    key: "name" | "description" | "license" | "compatibility" | "allowed-tools";
    /** Its words, `editor.fields.…`. */
    words: "name" | "description" | "license" | "compatibility" | "allowedTools";
    limit: number | null;
    rows: number;
    required: boolean;
}

export const FORM_FIELDS: readonly FormField[] = [
    { key: "name", words: "name", limit: LIMITS.name, rows: 1, required: true },
    { key: "license", words: "license", limit: null, rows: 1, required: false },
    { key: "description", words: "description", limit: LIMITS.description, rows: 3, required: true },
    { key: "compatibility", words: "compatibility", limit: LIMITS.compatibility, rows: 1, required: false },
    { key: "allowed-tools", words: "allowedTools", limit: null, rows: 1, required: false },
];
