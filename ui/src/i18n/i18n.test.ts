import { afterEach, describe, expect, it } from "vitest";
import type { ProblemKind, QuirkKind } from "../generated/api";
import { problemText, quirkText, setLocale, systemLocale, t } from ".";
import { en } from "./en";
import { catalogues } from "./locale.svelte";
import { fill } from "./messages";
import { zhCn } from "./zh-CN";

afterEach(() => setLocale("en"));

const KINDS: { [Type in ProblemKind["type"]]: Extract<ProblemKind, { type: Type }> } = {
    rootMissing: { type: "rootMissing" },
    rootNotFolder: { type: "rootNotFolder" },
    rootOutside: { type: "rootOutside", root: "../private" },
    folderUnreadable: { type: "folderUnreadable", reason: { en: "no permission", zh: "没有权限" } },
    fileUnreadable: { type: "fileUnreadable", reason: { en: "no permission", zh: "没有权限" } },
    vanished: { type: "vanished" },
    linkBroken: { type: "linkBroken", target: "../x" },
    linkLoop: { type: "linkLoop" },
    linkOutside: { type: "linkOutside", target: "/root" },
    notEntered: { type: "notEntered", target: "/proc" },
    nameNotUtf8: { type: "nameNotUtf8", shown: "a�" },
    tooDeep: { type: "tooDeep", limit: 6 },
    tooMany: { type: "tooMany", limit: 20_000 },
    tooLarge: { type: "tooLarge", size: 20_000_000n, limit: 10_000_000n },
    notUtf8: { type: "notUtf8", offset: 7 },
    bom: { type: "bom" },
    mixedNewlines: { type: "mixedNewlines" },
    empty: { type: "empty" },
    frontmatterMissing: { type: "frontmatterMissing" },
    frontmatterUnclosed: { type: "frontmatterUnclosed" },
    yamlInvalid: { type: "yamlInvalid", reason: { en: "tab", zh: "制表符" } },
    yamlNotMap: { type: "yamlNotMap" },
    keyDuplicate: { type: "keyDuplicate", key: "name" },
    keyMissing: { type: "keyMissing", key: "name" },
    keyNotText: { type: "keyNotText", key: "name" },
    keyEmpty: { type: "keyEmpty", key: "name" },
    keyTooLong: { type: "keyTooLong", key: "name", length: 70, limit: 64 },
    nameInvalid: { type: "nameInvalid" },
    nameNotFolder: { type: "nameNotFolder", name: "a", folder: "b" },
    bodyEmpty: { type: "bodyEmpty" },
    nameTaken: { type: "nameTaken", name: "a", other: "/b" },
    manifestMiscased: { type: "manifestMiscased", found: "skill.md" },
    noSkills: { type: "noSkills" },
};

const QUIRKS: Record<QuirkKind, true> = {
    lostBeforeTab: true,
    cutAtDashes: true,
    readDifferently: true,
    oneBadSkillFailsAll: true,
    missingManifestRemovesTool: true,
    onlyFirstLoadOfATurn: true,
    listedNameDoesNotLoad: true,
    hiddenByDuplicate: true,
    offeredWithoutFrontmatter: true,
    notEscaped: true,
    catalogueNotClosed: true,
    cutsCatalogue: true,
    fileNotOffered: true,
    byteOrderMark: true,
    linkLeavesSkill: true,
    pathNotChecked: true,
    cutWhenLong: true,
    orderedByHash: true,
    orderedByChance: true,
    valueIgnored: true,
    hubEntryMissing: true,
    scriptsCannotRun: true,
    scriptRunByPython: true,
    commandBlocked: true,
    describedByBody: true,
    instructionsLost: true,
    filesLeftOut: true,
    chosenByChance: true,
    toolNotOffered: true,
    descriptionCut: true,
    descriptionLeftOut: true,
    descriptionShortened: true,
    noRoomInList: true,
    notByMention: true,
    notListed: true,
    asksBeforeLoad: true,
    replacedOnLoad: true,
    noInstructions: true,
};

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
    it.each(Object.values(KINDS))("say $type in both languages, with every value", (kind) => {
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
