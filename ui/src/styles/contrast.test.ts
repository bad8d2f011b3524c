import { describe, expect, it } from "vitest";
import css from "./tokens.css?raw";

const [usual = "", contrast = ""] = [/^:root \{([^}]*)\}/m, /^:root\[data-theme="contrast"\] \{([^}]*)\}/m].map(
    (block) => block.exec(css)?.[1],
);

/** The tokens of a theme, as `#rrggbb`. */
function tokens(dark: boolean, blocks: readonly string[]): (name: string) => string {
    const raw = new Map(
        blocks.flatMap((block) =>
            [...block.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = "", value = ""]) => [name, value] as const),
        ),
    );
    const resolve = (value: string): string => {
        const either = /^light-dark\((#\w+), (#\w+)\)$/.exec(value);
        const other = /^var\(--([\w-]+)\)$/.exec(value);
        return either ? (either[dark ? 2 : 1] ?? "") : other ? resolve(raw.get(other[1] ?? "") ?? "") : value;
    };
    return (name) => resolve(raw.get(name) ?? "");
}

function luminance(color: string): number {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
        const share = parseInt(color.slice(at, at + 2), 16) / 255;
        return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** In degrees. */
function hue(color: string): number {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
    const [low, high] = [Math.min(red, green, blue), Math.max(red, green, blue)];
    const turn =
        (high === red
            ? (green - blue) / (high - low)
            : high === green
              ? 2 + (blue - red) / (high - low)
              : 4 + (red - green) / (high - low)) * 60;
    return (turn + 360) % 360;
}

/** As WCAG defines it. */
function ratio(a: string, b: string): number {
    const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
}

describe.each([
    ["light", tokens(false, [usual])],
    ["dark", tokens(true, [usual])],
    ["high contrast, light", tokens(false, [usual, contrast])],
    ["high contrast, dark", tokens(true, [usual, contrast])],
])("%s", (name, token) => {
    const grounds = ["bg", "bg-side", "bg-raised", "n2"].map(token);
    const tiers = ["tier-1", "tier-2", "tier-3"].map(token);

    it("keeps tiers apart from their ground and from each other, deeper as they open further", () => {
        for (const tier of tiers) {
            expect(Math.min(...grounds.map((ground) => ratio(tier, ground)))).toBeGreaterThanOrEqual(3);
            expect(ratio(tier, token("on-tier"))).toBeGreaterThanOrEqual(4.5);
        }
        const [first = "", second = "", third = ""] = tiers;
        expect(Math.min(ratio(first, second), ratio(second, third))).toBeGreaterThanOrEqual(1.5);
        expect([luminance(first), luminance(second), luminance(third)]).toEqual(tiers.map(luminance).sort((a, b) => b - a));
    });

    it("keeps tiers and what scripts printed apart by hue, as a room sees them from afar", () => {
        const hues = [...tiers, token("tool")].map(hue).sort((a, b) => a - b);
        const apart = hues.slice(1).map((each, at) => each - (hues[at] ?? 0));
        expect(Math.min(...apart)).toBeGreaterThanOrEqual(36);
    });

    it("shows where one can write", () => {
        expect(Math.min(...grounds.map((ground) => ratio(token("line-input"), ground)))).toBeGreaterThanOrEqual(3);
        expect(Math.min(...grounds.map((ground) => ratio(token("conversation"), ground)))).toBeGreaterThanOrEqual(3);
    });

    it("keeps words readable", () => {
        const least = name.startsWith("high") ? 7 : 4.5;
        for (const word of [
            "text",
            "text-soft",
            "text-muted",
            "accent",
            "framework",
            "skill",
            "user",
            "tool",
            "error",
            "warning",
            "success",
        ]) {
            expect([word, Math.min(...grounds.slice(0, 3).map((ground) => ratio(token(word), ground))) >= least]).toEqual([word, true]);
        }
        expect(ratio(token("on-accent"), token("accent-bg"))).toBeGreaterThanOrEqual(least);
    });
});
