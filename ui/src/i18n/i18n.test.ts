import { afterEach, describe, expect, it } from "vitest";
import type { QuirkKind } from "../generated/api";
import { problemText, quirkText, setLocale, systemLocale, t } from ".";
import { en } from "./en";
import { catalogues } from "./locale.svelte";
import { fill } from "./messages";
import { PROBLEMS, QUIRKS } from "./sample";
import { zhCn } from "./zh-CN";

afterEach(() => setLocale("en"));

describe("catalogues", () => {
    it("have the same keys", () => {
        expect(Object.keys(zhCn).sort()).toEqual(Object.keys(en).sort());
    });

    it("ask for the same values in every text", () => {
        const asked = (text: string): string[] => [...new Set([...text.matchAll(/\{(\w+)/g)].map((match) => match[1] ?? ""))].sort();
        const texts: Record<string, string> = zhCn;
        const different = Object.entries(en).filter(([key, text]) => asked(text).join() !== asked(texts[key] ?? "").join());
        expect(different.map(([key]) => key)).toEqual([]);
    });

    it("set Chinese as Chinese is set: blanks around what is none, marks as wide as letters, and one word for you", () => {
        const han = "[\\p{sc=Han}]";
        const ill = new RegExp(`${han}[\\w{\`]|[\\w}\`]${han}|${han}[,;:!?(]|\\)${han}|[，。；：、（] | [，。；：、）]|您|…{2}`, "u");
        const typed = "名称: 值";
        const wrong = Object.entries(zhCn).filter(([, text]) => ill.test(text.replace(typed, "")));
        expect(wrong).toEqual([]);
    });

    it("have no empty text", () => {
        for (const catalogue of Object.values(catalogues)) {
            expect(Object.entries(catalogue).filter(([, text]) => text.trim() === "")).toEqual([]);
        }
    });
});

describe("t", () => {
    it("follows the language that is on", () => {
        expect(t("shell.places.skills")).toBe("Skills");
        setLocale("zh-CN");
        expect(t("shell.places.skills")).toBe("技能");
    });

    it("says one and many", () => {
        expect(t("shell.status.unsaved", { files: 1 })).toBe("1 unsaved file");
        expect(t("shell.status.unsaved", { files: 2 })).toBe("2 unsaved files");
    });

    it("leaves braces in values alone", () => {
        expect(fill("{name}!", { name: "{x}" })).toBe("{x}!");
    });

    it("takes the system's language where it is one of ours", () => {
        expect(["zh-Hans-CN", "zh-TW", "en-GB", "fr"].map((language) => systemLocale([language]))).toEqual(["zh-CN", "zh-CN", "en", "en"]);
    });
});

describe("problem texts", () => {
    it.each(Object.values(PROBLEMS))("say $type in both languages, with every value", (kind) => {
        const texts = (["en", "zh-CN"] as const).map((locale) => {
            setLocale(locale);
            return problemText(kind);
        });
        expect(texts[0]).not.toBe(texts[1]);
        expect(texts.join()).not.toMatch(/[{}]|undefined/);
    });
});

it("says every quirk in both languages", () => {
    const kinds = Object.keys(QUIRKS).filter((kind): kind is QuirkKind => kind in QUIRKS);
    const texts = (["en", "zh-CN"] as const).map((locale) => {
        setLocale(locale);
        return kinds.map(quirkText);
    });
    expect(new Set(texts.flat()).size).toBe(kinds.length * 2);
});
