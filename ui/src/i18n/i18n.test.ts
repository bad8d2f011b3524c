import { afterEach, describe, expect, it } from "vitest";
import type { QuirkKind } from "../generated/api";
import { problemText, quirkText, setLocale, systemLocale, t } from ".";
import { en } from "./en";
import { catalogues } from "./locale.svelte";
import { fill } from "./messages";
import { PROBLEMS, QUIRKS } from "./sample";
import { zhCn } from "./zh-CN";

afterEach(() => setLocale("en"));

/** What a reader of Chinese reads in Latin letters; `Switch to English` is for those who read none. */
const LATIN = new Set(
    (
        "A AWS AWS_ACCESS_KEY_ID AWS_BEARER_TOKEN_BEDROCK AWS_REGION AWS_SECRET_ACCESS_KEY Amazon Anthropic B BOM Bedrock CRLF Claude Code " +
        "Codex Converse English Esc GB GIF GPT-3.5 GPT-4 GPT-4o Git HTTP Hello JPEG JSON " +
        "JSONL LF Landlock Markdown Messages MiB OTLP Ollama OpenAI OpenTelemetry PATH PEM PNG Python " +
        "Responses SKILL.md SVG Seatbelt Skill Switch Tab Token UTF-8 WebP Workbench YAML a aws " +
        "bedrock:InvokeModel bubblewrap byEnding chat completions configure curl default developer env eu. export-credentials format gen_ai.skill. " +
        "git global. https https://api.example.com/v1 inspect_ai kB key key: md model models.yaml network.certificates network.proxy o200k_base " +
        "profile python3 references/guide.md safe.directory scriptRunner: scripts/main.py shell skill skillbench skills span stderr stdout tmp " +
        "to token us. v1 value workbench.yaml workspace z zip"
    ).split(" "),
);

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

    it("have no English in Chinese but names, code, and words of the field", () => {
        const plain = (text: string): string => text.replace(/\{[^{}]*\}|`[^`]*`/g, "，");
        const said = Object.values(zhCn).flatMap((text) => plain(text).match(/\p{Script=Latin}[\p{Script=Latin}\d'’_.:/@-]*/gu) ?? []);
        expect([...new Set(said)].filter((word) => !LATIN.has(word))).toEqual([]);
        expect([...LATIN].filter((word) => !said.includes(word))).toEqual([]);
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
