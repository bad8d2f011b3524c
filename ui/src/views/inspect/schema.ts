/** A tool's JSON Schema as rows: enough to read it, never in place of it. */

export type Parameter = {
    name: string;
    /** `null`: any. */
    type: string | null;
    required: boolean;
    /** The default as JSON; `null`: there is none. */
    fallback: string | null;
    description: string;
};

/** The properties of an object schema in their order. */
export function parameters(schema: unknown): Parameter[] {
    const properties = member(schema, "properties");
    if (!isRecord(properties)) {
        return [];
    }
    const required = member(schema, "required");
    return Object.entries(properties).map(([name, property]) => ({
        name,
        type: typeName(property),
        required: Array.isArray(required) && required.includes(name),
        fallback: isRecord(property) && "default" in property ? JSON.stringify(property["default"]) : null,
        description: text(member(property, "description")) ?? "",
    }));
}

/** `string`, `string | null`, `number[]`, or the choices. */
function typeName(schema: unknown): string | null {
    const choices = member(schema, "enum");
    if (Array.isArray(choices)) {
        return choices.map((choice) => JSON.stringify(choice)).join(" | ");
    }
    const either = member(schema, "oneOf") ?? member(schema, "anyOf");
    if (Array.isArray(either)) {
        return either.map((each) => typeName(each) ?? "any").join(" | ");
    }
    const type = member(schema, "type");
    if (Array.isArray(type)) {
        return type.join(" | ");
    }
    const items = type === "array" ? typeName(member(schema, "items")) : null;
    return items === null ? text(type) : items.includes(" ") ? `(${items})[]` : `${items}[]`;
}

function text(value: unknown): string | null {
    return typeof value === "string" ? value : null;
}

function member(value: unknown, key: string): unknown {
    return isRecord(value) ? value[key] : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}
