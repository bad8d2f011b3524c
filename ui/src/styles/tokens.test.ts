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

/**
 * WebKit keeps the styles of the children of each element that ever had its own variables (`MatchedDeclarationsCache` of 2.50 has the
 * variables in its key, and its sweep checks only inline styles), so scrolled lists would leak memory. If each row needs another value, set
 * the property itself.
 */
test("variables belong to the root, or to elements that stand still", () => {
    const standing = [
        "../views/compare/AlignedTable.svelte",
        "../views/compare/Overview.svelte",
        "../views/compare/TextColumns.svelte",
        "../views/editor/CodeView.svelte",
        "../views/trace/ContextMessageView.svelte",
        "../views/trace/StepDetail.svelte",
    ];
    const own = Object.entries(sources).flatMap(([path, source]) =>
        [
            ...found(/(style:--[\w-]+|setProperty\("--[\w-]+|style="--[\w-]+)/g, source),
            ...(path === "./tokens.css" ? [] : found(/^\s*(--[\w-]+)\s*:/gm, source)),
        ].map(() => path),
    );
    expect([...new Set(own)].sort()).toEqual(standing);
});
