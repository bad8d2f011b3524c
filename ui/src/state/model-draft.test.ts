import { describe, expect, it } from "vitest";
import type { ModelEntry, ModelPreset, Protocol } from "../generated/api";
import { draftFrom, draftOf, entryOf, staleDays, withModel } from "./model-draft";

const ENTRY: ModelEntry = {
    id: "claude",
    provider: "anthropic",
    baseUrl: "https://api.anthropic.com/v1",
    model: "claude-sonnet-4-5",
    key: { keyring: "anthropic" },
    keyHeader: "x-key",
    headers: { "anthropic-beta": "a,b", Other: "x: y" },
    stream: false,
    parameters: { temperature: 0, maxTokens: 8000 },
    reasoning: { effort: "high", shown: false },
    body: { thinking: { type: "enabled", budget_tokens: 2000 } },
    tools: false,
    images: false,
    context: 200_000,
    prices: { input: 3, output: 15, cached: 0.3, cacheWritten: null },
    timeouts: { connect: 1, idle: 2, total: 3 },
    retries: { count: 0, longestWait: 60 },
};

const PRESET: ModelPreset = {
    id: "azure",
    titleZh: null,
    title: "Azure OpenAI",
    provider: "openAi",
    baseUrl: "https://{resource}.openai.azure.com/openai/v1",
    placeholders: [{ name: "resource", what: "Name of the resource", whatZh: "资源的名称", example: "my-company" }],
    keyHeader: "api-key",
    headers: {},
    keyEnv: "AZURE_OPENAI_API_KEY",
    keyUrl: "https://portal.azure.com",
    needsKey: true,
    local: false,
    docs: "https://learn.microsoft.com",
    asOf: null,
    source: null,
    models: [{ id: "openai/gpt-5", title: null, context: 400_000, maxOutput: 128_000, prices: null }],
    note: null,
    noteZh: null,
};

describe("a model as a form holds it", () => {
    it("means what it was made from", () => {
        expect(entryOf(draftOf(ENTRY), [])).toEqual({ entry: ENTRY });
        const bare = {
            ...ENTRY,
            key: { env: "KEY" },
            keyHeader: null,
            headers: {},
            body: {},
            context: null,
            prices: null,
            parameters: { temperature: null, maxTokens: null },
        };
        expect(entryOf(draftOf(bare), [])).toEqual({ entry: bare });
    });

    it("names a program and its arguments, one a line", () => {
        const key = { command: ["vault", "read", "-field=key", "some path"], lifetime: 60 };
        const draft = draftOf({ ...ENTRY, key });
        expect(draft).toMatchObject({ keySource: "command", keyName: "vault\nread\n-field=key\nsome path", keyLifetime: "60" });
        expect(entryOf(draft, [])).toEqual({ entry: { ...ENTRY, key } });
        expect(entryOf({ ...draft, keyLifetime: "" }, [])).toEqual({ entry: { ...ENTRY, key: { command: key.command } } });
        const wrong = { ...draft, keyName: "./vault", keyLifetime: "soon" };
        expect(entryOf(wrong, [])).toEqual({ mistakes: { keyName: "program", keyLifetime: "whole" } });
        expect(entryOf({ ...draft, keyName: " " }, [])).toEqual({ mistakes: { keyName: "empty" } });
    });

    it("starts from a preset, under a name of its own", () => {
        const draft = draftFrom(PRESET, ["gpt-5", "gpt-5-2"]);
        expect(draft).toMatchObject({
            id: "gpt-5-3",
            model: "openai/gpt-5",
            keySource: "env",
            keyName: "AZURE_OPENAI_API_KEY",
            keyHeader: "api-key",
            context: "400000",
        });
        expect(entryOf(draft, []), "the resource is to be filled in").toEqual({ mistakes: { baseUrl: "address" } });
        expect(draftFrom(null, [])).toMatchObject({
            id: "model",
            provider: "openAi",
            keySource: "none",
            connect: "10",
            idle: "120",
            total: "900",
            retries: "2",
            longestWait: "30",
        });
        const often = { ...draftOf(ENTRY), retries: "11", longestWait: "0" };
        expect(entryOf(often, [])).toEqual({ mistakes: { retries: "few", longestWait: "whole" } });
    });

    it("takes the longest answer of a model where its protocol wants one", () => {
        const known = { id: "m", context: null, maxOutput: 128_000, prices: null };
        expect(withModel(draftOf(ENTRY), known).maxTokens).toBe("128000");
        expect(withModel({ ...draftOf(ENTRY), provider: "openAi" }, known).maxTokens).toBe("8000");
    });

    it("asks for thoughts where the protocol has a word for it", () => {
        const draft = { ...draftOf(ENTRY), thoughts: "shown" } as const;
        const reasoning = (provider: Protocol): unknown => {
            const read = entryOf({ ...draft, provider, effort: "" }, []);
            return "entry" in read ? read.entry.reasoning : read;
        };
        expect(reasoning("anthropic")).toEqual({ effort: null, shown: true });
        expect(reasoning("openAi")).toEqual({ effort: null, shown: null });
    });

    it("says when what a preset knows is old", () => {
        const on = (day: string): number | null => staleDays({ asOf: "2025-10" }, new Date(day));
        expect(["2025-10-01", "2026-01-29", "2026-01-30"].map(on)).toEqual([null, null, 91]);
        expect(staleDays({ asOf: null }, new Date("2030-01-01"))).toBeNull();
    });

    it("says what is wrong with each field", () => {
        const draft = {
            ...draftOf(ENTRY),
            id: "gpt",
            baseUrl: "https://me:secret@api.example.com",
            model: " ",
            keySource: "env" as const,
            keyName: "MY KEY",
            keyHeader: "x key",
            headers: "no colon",
            context: "12.5",
            temperature: "warm",
            maxTokens: "0",
            body: "[1]",
            inputPrice: "",
            outputPrice: "-1",
            cachedPrice: "x",
            connect: "0",
            idle: "a",
            total: "",
        };
        expect(entryOf(draft, ["gpt"])).toEqual({
            mistakes: {
                id: "taken",
                baseUrl: "address",
                model: "empty",
                keyName: "name",
                keyHeader: "header",
                headers: "header",
                context: "whole",
                temperature: "amount",
                maxTokens: "whole",
                body: "object",
                inputPrice: "bothPrices",
                outputPrice: "amount",
                cachedPrice: "amount",
                connect: "whole",
                idle: "whole",
            },
        });
        expect(entryOf({ ...draftOf(ENTRY), id: "rehearsal" }, [])).toEqual({ mistakes: { id: "reserved" } });
        expect(entryOf({ ...draftOf(ENTRY), id: "recorded:x", baseUrl: "", keyName: " " }, [])).toEqual({
            mistakes: { id: "reserved", baseUrl: "empty", keyName: "empty" },
        });
    });
});
