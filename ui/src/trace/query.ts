/** Filters in the text of a query. What they mean is known to the program alone. */

/** `name:value` or `name:"some value"`, as the program reads it. */
function pattern(name: string): RegExp {
    return new RegExp(`(^|\\s)${name}[:：](?:["“”]([^"“”]*)["“”]|(\\S*))`, "i");
}

/** The value of a filter; empty: it is not there. */
export function filterOf(query: string, name: string): string {
    const found = pattern(name).exec(query);
    return found?.[2] ?? found?.[3] ?? "";
}

/** The query with another value of a filter, or without it if the value is empty. */
export function withFilter(query: string, name: string, value: string): string {
    const quoted = /[\s"“”]/.test(value) ? `"${value.replace(/["“”]/g, "")}"` : value;
    const rest = query.replace(pattern(name), " ").replace(/\s+/g, " ").trim();
    return [value === "" ? "" : `${name}:${quoted}`, rest].filter((part) => part !== "").join(" ");
}
