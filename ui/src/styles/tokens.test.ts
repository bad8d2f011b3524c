import { expect, test } from "vitest";

const sources = import.meta.glob<string>(["../**/*.svelte", "../**/*.css", "../**/*.ts", "!../**/*.test.ts"], {
    query: "?raw",
    import: "default",
    eager: true,
});
const found = (pattern: RegExp, of: string): string[] => [...of.matchAll(pattern)].map((match) => match[1] ?? "");

test("no style asks for a token that nothing defines", () => {
    const defined = new Set(Object.values(sources).flatMap((source) => found(/--([\w-]+)"?\s*[:=]/g, source)));
    const asked = Object.entries(sources).flatMap(([path, source]) =>
        found(/var\(--([\w-]+)/g, source)
            .filter((name) => !defined.has(name))
            .map((name) => `${path}: ${name}`),
    );
    expect(asked).toEqual([]);
});

test("strokes have no unit and are known to the style sheet, so that zoom counts once", () => {
    const all = Object.values(sources);
    expect(all.flatMap((source) => found(/stroke-width:\s*([^v;]+);/g, source))).toEqual([]);
    const known = new Set(all.flatMap((source) => found(/\.lucide\[stroke-width="([\d.]+)"\]/g, source)));
    const used = all.flatMap((source) => found(/strokeWidth=\{([^}]+)\}/g, source));
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((width) => !known.has(width))).toEqual([]);
});
