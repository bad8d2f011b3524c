/** A model as a form holds it: texts as they are typed, and what they mean. */
import type { Effort, KeyRef, ListedModel, ModelEntry, ModelPreset, Prices, Protocol } from "../generated/api";
import { isRecorded } from "../trace/recorded";

export const KEY_SOURCES = ["none", "env", "keyring", "aws", "command"] as const;

/** From little to much. */
export const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const satisfies readonly Effort[];
export const THOUGHTS = ["shown", "hidden"] as const;

export type KeySourceChoice = (typeof KEY_SOURCES)[number];

export interface ModelDraft {
    id: string;
    provider: Protocol;
    baseUrl: string;
    model: string;
    keySource: KeySourceChoice;
    /**
     * Of the environment variable, of the entry in the system's keyring, or of the AWS profile, which may be empty; a program
     * and its arguments, one a line.
     */
    keyName: string;
    /** Seconds for which a key that a command printed is used. */
    keyLifetime: string;
    keyHeader: string;
    /** `Name: value`, one a line. */
    headers: string;
    stream: boolean;
    tools: boolean;
    images: boolean;
    context: string;
    temperature: string;
    maxTokens: string;
    /** Empty, as `thoughts`: the provider's own. */
    effort: "" | (typeof EFFORTS)[number];
    thoughts: "" | (typeof THOUGHTS)[number];
    /** A JSON object. */
    body: string;
    inputPrice: string;
    outputPrice: string;
    cachedPrice: string;
    cacheWrittenPrice: string;
    connect: string;
    idle: string;
    total: string;
    retries: string;
    longestWait: string;
}

/** Why a field is wrong; the texts are under `models.wrong.`. */
export type Wrong =
    "empty" | "taken" | "reserved" | "address" | "name" | "program" | "whole" | "few" | "amount" | "header" | "object" | "bothPrices";
export type Mistakes = Partial<Record<keyof ModelDraft, Wrong>>;

/** Of the model that plays screenplays. */
const REHEARSAL = "rehearsal";
/** The default settings of a model. */
export const DEFAULTS: Omit<ModelEntry, "id" | "model" | "baseUrl"> = {
    provider: "openAi",
    key: null,
    keyHeader: null,
    headers: {},
    stream: true,
    parameters: { temperature: null, maxTokens: null },
    reasoning: { effort: null, shown: null },
    body: {},
    tools: true,
    images: true,
    context: null,
    prices: null,
    timeouts: { connect: 10, idle: 120, total: 900 },
    retries: { count: 2, longestWait: 30 },
};

/** More would only keep a busy server busy. */
const MOST_RETRIES = 10;

export function draftOf(entry: ModelEntry): ModelDraft {
    const { key, parameters, reasoning, prices, timeouts, retries } = entry;
    return {
        id: entry.id,
        provider: entry.provider,
        baseUrl: entry.baseUrl,
        model: entry.model,
        ...keyFields(entry.provider, key),
        keyHeader: entry.keyHeader ?? "",
        headers: Object.entries(entry.headers)
            .map(([name, value]) => `${name}: ${value}`)
            .join("\n"),
        stream: entry.stream,
        tools: entry.tools,
        images: entry.images,
        context: written(entry.context),
        temperature: written(parameters.temperature),
        maxTokens: written(parameters.maxTokens),
        effort: reasoning.effort ?? "",
        thoughts: reasoning.shown === null ? "" : reasoning.shown ? "shown" : "hidden",
        body: Object.keys(entry.body).length === 0 ? "" : JSON.stringify(entry.body, null, 2),
        inputPrice: written(prices?.input ?? null),
        outputPrice: written(prices?.output ?? null),
        cachedPrice: written(prices?.cached ?? null),
        cacheWrittenPrice: written(prices?.cacheWritten ?? null),
        connect: String(timeouts.connect),
        idle: String(timeouts.idle),
        total: String(timeouts.total),
        retries: String(retries.count),
        longestWait: String(retries.longestWait),
    };
}

/** Without a key, requests to Amazon Bedrock are signed with what the environment says. */
function keyFields(provider: Protocol, key: KeyRef | null): Pick<ModelDraft, "keySource" | "keyName" | "keyLifetime"> {
    if (key === null) {
        return { keySource: provider === "bedrock" ? "aws" : "none", keyName: "", keyLifetime: "" };
    }
    if ("command" in key) {
        return { keySource: "command", keyName: key.command.join("\n"), keyLifetime: written(key.lifetime ?? null) };
    }
    if ("env" in key) {
        return { keySource: "env", keyName: key.env, keyLifetime: "" };
    }
    return "aws" in key
        ? { keySource: "aws", keyName: key.aws, keyLifetime: "" }
        : { keySource: "keyring", keyName: key.keyring, keyLifetime: "" };
}

/** A new model as a preset suggests it, under an id that is not taken. */
export function draftFrom(preset: ModelPreset | null, taken: readonly string[]): ModelDraft {
    const first = preset?.models[0] ?? null;
    const draft = draftOf({
        ...DEFAULTS,
        ...(preset === null ? {} : { provider: preset.provider, keyHeader: preset.keyHeader, headers: preset.headers }),
        id: free(first?.id ?? preset?.id ?? "model", taken),
        baseUrl: preset?.baseUrl ?? "",
        model: "",
        key: preset?.keyEnv == null ? null : { env: preset.keyEnv },
    });
    return first === null ? draft : withModel(draft, first);
}

/** The draft with a model chosen from a list, and the data known about it. */
export function withModel(draft: ModelDraft, { id, context, maxOutput, prices }: Omit<ListedModel, "title">): ModelDraft {
    return {
        ...draft,
        model: id,
        // Only this protocol requires a limit in each request.
        ...(maxOutput === null || draft.provider !== "anthropic" ? {} : { maxTokens: String(maxOutput) }),
        ...(context === null ? {} : { context: String(context) }),
        ...(prices === null
            ? {}
            : {
                  inputPrice: written(prices.input),
                  outputPrice: written(prices.output),
                  cachedPrice: written(prices.cached),
                  cacheWrittenPrice: written(prices.cacheWritten),
              }),
    };
}

/** Days after which a preset's names and prices have to be looked up again. */
export const FRESH_DAYS = 90;

/** How many days ago the preset's month ended, if that is too long for its names and prices to be believed. */
export function staleDays({ asOf }: Pick<ModelPreset, "asOf">, now: Date): number | null {
    const [year, month] = (asOf ?? "").split("-").map(Number);
    if (year === undefined || month === undefined) {
        return null;
    }
    // Day 0 of the next month is the last of this one.
    const days = Math.floor((now.getTime() - Date.UTC(year, month, 0)) / 86_400_000);
    return days > FRESH_DAYS ? days : null;
}

/** The entry that a draft means, or what is wrong with it. `others`: the ids of all other models. */
export function entryOf(draft: ModelDraft, others: readonly string[]): { entry: ModelEntry } | { mistakes: Mistakes } {
    const mistakes: Mistakes = {};
    const wrong = (field: keyof ModelDraft, what: Wrong): void => void (mistakes[field] ??= what);
    const whole = (field: keyof ModelDraft & ("context" | "maxTokens")): number | null => {
        const text = draft[field].trim();
        const value = Number(text);
        if (text !== "" && (!Number.isInteger(value) || value <= 0)) {
            wrong(field, "whole");
        }
        return text === "" ? null : value;
    };
    const seconds = (field: "connect" | "idle" | "total"): number => {
        const text = draft[field].trim();
        const value = text === "" ? DEFAULTS.timeouts[field] : Number(text);
        if (!Number.isInteger(value) || value <= 0) {
            wrong(field, "whole");
        }
        return value;
    };
    const retries = (): ModelEntry["retries"] => {
        const [count, wait] = [draft.retries.trim(), draft.longestWait.trim()];
        const { retries: defaults } = DEFAULTS;
        const read = {
            count: count === "" ? defaults.count : Number(count),
            longestWait: wait === "" ? defaults.longestWait : Number(wait),
        };
        if (!Number.isInteger(read.count) || read.count < 0 || read.count > MOST_RETRIES) {
            wrong("retries", "few");
        }
        if (!Number.isInteger(read.longestWait) || read.longestWait <= 0) {
            wrong("longestWait", "whole");
        }
        return read;
    };
    const amount = (field: "temperature" | "inputPrice" | "outputPrice" | "cachedPrice" | "cacheWrittenPrice"): number | null => {
        const text = draft[field].trim();
        const value = Number(text);
        if (text !== "" && (!Number.isFinite(value) || value < 0)) {
            wrong(field, "amount");
        }
        return text === "" ? null : value;
    };

    const id = draft.id.trim();
    if (id === "") {
        wrong("id", "empty");
    } else if (id === REHEARSAL || isRecorded(id)) {
        wrong("id", "reserved");
    } else if (others.includes(id)) {
        wrong("id", "taken");
    }
    if (!isAddress(draft.baseUrl.trim())) {
        wrong("baseUrl", draft.baseUrl.trim() === "" ? "empty" : "address");
    }
    if (draft.model.trim() === "") {
        wrong("model", "empty");
    }
    const key = keyOf(draft);
    if (key === undefined) {
        wrong("keyName", draft.keyName.trim() === "" ? "empty" : draft.keySource === "command" ? "program" : "name");
    }
    if (draft.keySource === "command" && lifetimeOf(draft.keyLifetime) === undefined) {
        wrong("keyLifetime", "whole");
    }
    const headers = headersOf(draft.headers);
    if (headers === null) {
        wrong("headers", "header");
    }
    if (!/^[\w!#$%&'*+.^`|~-]*$/.test(draft.keyHeader.trim())) {
        wrong("keyHeader", "header");
    }
    const body = objectOf(draft.body);
    if (body === null) {
        wrong("body", "object");
    }
    const [input, output] = [amount("inputPrice"), amount("outputPrice")];
    const [cached, cacheWritten] = [amount("cachedPrice"), amount("cacheWrittenPrice")];
    const anyPrice = [input, output, cached, cacheWritten].some((price) => price !== null);
    if (anyPrice && (input === null || output === null)) {
        wrong(input === null ? "inputPrice" : "outputPrice", "bothPrices");
    }
    const prices: Prices | null = input === null || output === null ? null : { input, output, cached, cacheWritten };
    const entry: ModelEntry = {
        id,
        provider: draft.provider,
        baseUrl: draft.baseUrl.trim(),
        model: draft.model.trim(),
        key: key ?? null,
        keyHeader: draft.keyHeader.trim() || null,
        headers: headers ?? {},
        stream: draft.stream,
        parameters: { temperature: amount("temperature"), maxTokens: whole("maxTokens") },
        reasoning: { effort: draft.effort || null, shown: shownOf(draft) },
        body: body ?? {},
        tools: draft.tools,
        images: draft.images,
        context: whole("context"),
        prices,
        timeouts: { connect: seconds("connect"), idle: seconds("idle"), total: seconds("total") },
        retries: retries(),
    };
    return Object.keys(mistakes).length === 0 ? { entry } : { mistakes };
}

/** Chat completions has no field for it. */
export function shownOf({ provider, thoughts }: Pick<ModelDraft, "provider" | "thoughts">): boolean | null {
    return provider === "openAi" || thoughts === "" ? null : thoughts === "shown";
}

/** `undefined`: the name cannot be one. */
export function keyOf({
    keySource,
    keyName,
    keyLifetime,
}: Pick<ModelDraft, "keySource" | "keyName" | "keyLifetime">): KeyRef | null | undefined {
    const name = keyName.trim();
    if (keySource === "command") {
        const command = keyName.split("\n").filter((line) => line.trim() !== "");
        const lifetime = lifetimeOf(keyLifetime) ?? null;
        return isProgram(command[0] ?? "") ? { command, ...(lifetime === null ? {} : { lifetime }) } : undefined;
    }
    if (keySource === "none") {
        return null;
    }
    if (keySource === "env") {
        return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? { env: name } : undefined;
    }
    if (keySource === "aws") {
        return name === "" ? null : { aws: name };
    }
    return name === "" ? undefined : { keyring: name };
}

/** By its name, or by its whole path: a relative path would depend on the folder that the workbench was started in. */
function isProgram(name: string): boolean {
    return name !== "" && (!/[\\/]/.test(name) || /^(\/|[A-Za-z]:[\\/])/.test(name));
}

/** `undefined`: it is no number of seconds. */
function lifetimeOf(text: string): number | null | undefined {
    const value = Number(text.trim());
    return text.trim() === "" ? null : Number.isInteger(value) && value > 0 ? value : undefined;
}

/** Of a server, without anything left to fill in such as `{resource}`, but for the region, which the environment fills in. */
function isAddress(written: string): boolean {
    const text = written.replace("{region}", "us-east-1");
    if (/[{}\s]/.test(text) || !URL.canParse(text)) {
        return false;
    }
    const url = new URL(text);
    return ["http:", "https:"].includes(url.protocol) && url.username === "" && url.password === "";
}

function headersOf(text: string): Record<string, string> | null {
    const headers: Record<string, string> = {};
    for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
        const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
        if (name === undefined || value === undefined) {
            return null;
        }
        headers[name] = value;
    }
    return headers;
}

function objectOf(text: string): Record<string, unknown> | null {
    if (text.trim() === "") {
        return {};
    }
    try {
        const value: unknown = JSON.parse(text);
        return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
    } catch {
        return null;
    }
}

function free(wanted: string, taken: readonly string[]): string {
    // The last part of names such as `openai/gpt-5`.
    const base = wanted.split("/").at(-1) || wanted;
    let id = base;
    for (let next = 2; taken.includes(id); next += 1) {
        id = `${base}-${next}`;
    }
    return id;
}

function written(value: number | null): string {
    return value === null ? "" : String(value);
}
