/** Where a harness puts the catalogue: read from who wrote which part of what it sends. */
import type { CataloguePlace, Inspection, TextMark } from "../../generated/api";

export function cataloguePlaces(inspection: Pick<Inspection, "instructions" | "tools" | "skills">): CataloguePlace[] {
    const places: CataloguePlace[] = [];
    if (ofSkills(inspection.instructions?.marks ?? [])) {
        places.push({ type: "instructions" });
    }
    const names = new Set(inspection.skills.flatMap((skill) => [skill.id, skill.name]));
    for (const tool of inspection.tools) {
        if (ofSkills(tool.marks)) {
            places.push({ type: "toolDescription", tool: tool.name });
        }
        if (offers(tool.parameters, names)) {
            places.push({ type: "toolParameter", tool: tool.name });
        }
    }
    return places;
}

function ofSkills(marks: readonly TextMark[]): boolean {
    return marks.some((mark) => mark.origin.type === "skill");
}

/** One of a parameter's values is a skill. */
function offers(schema: unknown, names: ReadonlySet<string>): boolean {
    if (typeof schema !== "object" || schema === null) {
        return false;
    }
    return Object.entries(schema).some(([key, value]) =>
        key === "enum" && Array.isArray(value)
            ? value.some((choice) => typeof choice === "string" && names.has(choice))
            : offers(value, names),
    );
}
