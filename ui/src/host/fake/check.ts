/** A small stand-in for the checks of the core: enough for the sample to have problems, fields and an outline. */
import type { FieldDto, FindingDto, OutlineEntry, ProblemKind, Severity, TextCheck, TextRange } from "../../generated/api";
import { tokens } from "./tokens";
import { range } from "./range";
import { PROBLEM_RULES, settled, trailingSpaces } from "./rules";

export function check(path: string, text: string): TextCheck {
    const outline = headings(text);
    const spaces = settled(trailingSpaces(path, text));
    if (!path.endsWith("/SKILL.md")) {
        return { findings: spaces, alone: false, outline, fields: null, tokens: tokens(text), tiers: null };
    }
    const front = /^---\n([\s\S]*?)^---\s*$/m.exec(text);
    if (!front || front.index !== 0) {
        const kind: ProblemKind = text.startsWith("---") ? { type: "frontmatterUnclosed" } : { type: "frontmatterMissing" };
        const findings = [...settled([problem(path, text, kind, "error", 0, Math.min(3, text.length))]), ...spaces];
        return { findings, alone: false, outline, fields: null, tokens: tokens(text), tiers: null };
    }
    const found = fieldsOf(text, front[1] ?? "");
    const problems = judge(path, text, found);
    if (text.slice(front[0].length).trim() === "") {
        problems.push(problem(path, text, { type: "bodyEmpty" }, "warning", front[0].length - 3, front[0].length));
    }
    const value = (key: string): string => found.find((field) => field.key === key)?.value ?? "";
    const catalogue = tokens(value("name") + value("description"));
    return {
        findings: [...settled(problems), ...spaces],
        alone: false,
        outline,
        fields: found,
        tokens: tokens(text),
        tiers: { catalogue, instructions: tokens(text), resources: 0 },
    };
}

/** Sets, adds or removes one line of the frontmatter. */
export function edit(text: string, key: string, value: string | null): string {
    const line = value === null ? "" : `${key}: ${/[:#"]|^\s|^$/.test(value) ? JSON.stringify(value) : value}\n`;
    const existing = new RegExp(`^${key}:.*\\n(?:[ \\t]+.*\\n)*`, "m");
    const end = text.indexOf("\n---", 3);
    const head = text.slice(0, end + 1);
    return (existing.test(head) ? head.replace(existing, () => line) : head + line) + text.slice(end + 1);
}

function judge(path: string, text: string, fields: FieldDto[]): FindingDto[] {
    const problems: FindingDto[] = [];
    const folder = path.split("/").at(-2) ?? "";
    const say = (kind: ProblemKind, severity: Severity, at?: TextRange): void => {
        problems.push(problem(path, text, kind, severity, at?.from ?? 0, at?.to ?? 3));
    };
    for (const key of ["name", "description"]) {
        const field = fields.find((candidate) => candidate.key === key);
        const limit = key === "name" ? 64 : 1024;
        if (!field) {
            say({ type: "keyMissing", key }, "error");
        } else if (!field.value) {
            say({ type: "keyEmpty", key }, "error", field.range);
        } else if (field.value.length > limit) {
            say({ type: "keyTooLong", key, length: field.value.length, limit }, "error", field.range);
        }
        if (key === "name" && field?.value) {
            if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(field.value)) {
                say({ type: "nameInvalid" }, "error", field.range);
            }
            if (field.value !== folder) {
                say({ type: "nameNotFolder", name: field.value, folder }, "warning", field.range);
            }
        }
    }
    return problems;
}

function fieldsOf(text: string, front: string): FieldDto[] {
    const fields: FieldDto[] = [];
    let from = text.indexOf("\n") + 1;
    for (const line of front.split("\n")) {
        const match = /^([\w-]+):\s*(.*)$/.exec(line);
        if (match) {
            const [, key = "", source = ""] = match;
            const start = from + line.length - source.length;
            const value = source === "" && key !== "name" && key !== "description" ? null : source.replace(/^"(.*)"$/, "$1");
            fields.push({ key, value, source, range: range(text, start, from + line.length) });
        }
        from += line.length + 1;
    }
    return fields;
}

function headings(text: string): OutlineEntry[] {
    return [...text.matchAll(/^(#{1,6}) +(.+)$/gm)].map((match) => ({
        level: match[1]?.length ?? 1,
        text: match[2] ?? "",
        range: range(text, match.index, match.index + match[0].length),
    }));
}

function problem(path: string, text: string, kind: ProblemKind, severity: Severity, from: number, to: number): FindingDto {
    const rule = PROBLEM_RULES[kind.type] ?? kind.type;
    return {
        rule,
        severity,
        message: kind.type,
        messageZh: kind.type,
        problem: kind,
        path,
        range: range(text, from, to),
        fix: null,
        fingerprint: `${rule} ${text.slice(from, to)}`,
    };
}
