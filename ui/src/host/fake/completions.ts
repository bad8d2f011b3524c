/** Fields, tools and files of the sample, by the line alone. */
import type { Commands, CompletionItem, TextCompletions } from "../../generated/api";
import type { Disk } from "./disk";

const FIELDS = ["name", "description", "license", "compatibility", "metadata", "allowed-tools", "user-invocable"];
const TOOLS = ["Bash", "Edit", "Glob", "Grep", "Read", "WebFetch", "Write"];

export function completionsIn(disk: Disk, { path, text, at }: Commands["text_complete"]["args"]): TextCompletions {
    const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
    const end = text.indexOf("\n---", 3);
    const item = (kind: CompletionItem["kind"], label: string, insert: string | null = null): CompletionItem => ({
        kind,
        label,
        insert,
        detail: kind === "field" ? { en: "specification", zh: "规范" } : null,
    });
    if (text.startsWith("---\n") && at <= end) {
        const tool = /^allowed-tools: (?:.*[ ,])?(\w*)$/.exec(line);
        if (tool !== null) {
            return { from: at - (tool[1]?.length ?? 0), to: at, items: TOOLS.map((label) => item("tool", label)) };
        }
        const missing = FIELDS.filter((field) => !text.includes(`\n${field}:`));
        return /^[\w-]*$/.test(line)
            ? { from: at - line.length, to: at, items: missing.map((field) => item("field", field, `${field}: `)) }
            : { from: at, to: at, items: [] };
    }
    const typed = /(?:\]\(|`|\s)([\w./-]*)$/.exec(line);
    const skill = disk.skillOf(path);
    if (typed === null || skill === null || !/[`(/]/.test(typed[0])) {
        return { from: at, to: at, items: [] };
    }
    const files = [...disk.files.keys()].filter((file) => file.startsWith(`${skill}/`) && file !== path);
    return { from: at - (typed[1]?.length ?? 0), to: at, items: files.map((file) => item("file", file.slice(skill.length + 1))) };
}
