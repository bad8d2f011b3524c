/** models.yaml and the keyring, in memory. */
import type { ApiError, KeyState, ModelEntry, ModelInfo, ModelList, ModelPreset } from "../../generated/api";
import { version } from "./disk";

export class FakeModels {
    entries: ModelEntry[] = [{ ...entry("gpt", "gpt-4o-mini"), key: { env: "OPENAI_API_KEY" }, context: 128_000 }];
    /** What the keyring holds, and what is set in the environment. */
    readonly keyring = new Map<string, string>();
    readonly environment = new Set<string>();

    list(): ModelList {
        return { models: [REHEARSAL, ...this.entries.map((entry) => this.info(entry))], path: PATH, version: this.version(), error: null };
    }

    add(entry: ModelEntry, from: string | null): ModelList {
        this.check(from);
        if (this.entries.some((known) => known.id === entry.id)) {
            throw failure("exists", `there is already a model \`${entry.id}\``, "choose another id");
        }
        this.entries = [...this.entries, entry];
        return this.list();
    }

    update(id: string, entry: ModelEntry, from: string | null): ModelList {
        this.check(from);
        this.find(id);
        this.entries = this.entries.map((known) => (known.id === id ? entry : known));
        return this.list();
    }

    remove(id: string, from: string | null): ModelList {
        this.check(from);
        this.find(id);
        this.entries = this.entries.filter((known) => known.id !== id);
        return this.list();
    }

    setKey(name: string, secret: string | null): KeyState {
        if (secret === null) {
            this.keyring.delete(name);
        } else {
            this.keyring.set(name, secret);
        }
        return this.key({ keyring: name });
    }

    private info(entry: ModelEntry): ModelInfo {
        const key = this.key(entry.key);
        const { id, model: title, baseUrl, context } = entry;
        const preset = PRESETS.find((known) => known.baseUrl === baseUrl)?.id ?? null;
        return { id, title, rehearsal: false, baseUrl, key, ready: key.state === "set" || key.state === "unneeded", context, preset, entry };
    }

    key(key: ModelEntry["key"]): KeyState {
        if (key === null) {
            return UNNEEDED;
        }
        const [source, name] = "env" in key ? (["env", key.env] as const) : (["keyring", key.keyring] as const);
        if (source === "env" ? this.environment.has(name) : this.keyring.has(name)) {
            return { source, name, state: "set", reason: null, hint: null };
        }
        const reason = source === "env" ? `environment variable ${name} is not set` : `there is no keyring entry ${name}`;
        return { source, name, state: "missing", reason, hint: "set it" };
    }

    private find(id: string): ModelEntry {
        const found = this.entries.find((known) => known.id === id);
        if (found === undefined) {
            throw failure("unknown", `there is no model \`${id}\``, null);
        }
        return found;
    }

    private check(from: string | null): void {
        if (from !== null && from !== this.version()) {
            throw failure("changed", `${PATH} was changed meanwhile`, "look at it as it is now and try again");
        }
    }

    private version(): string {
        return version(JSON.stringify(this.entries));
    }
}

export const PRESETS: ModelPreset[] = [
    {
        id: "openai",
        title: "OpenAI",
        provider: "openAi",
        baseUrl: "https://api.openai.com/v1",
        placeholders: [],
        keyHeader: null,
        headers: {},
        keyEnv: "OPENAI_API_KEY",
        keyUrl: "https://platform.openai.com/api-keys",
        needsKey: true,
        local: false,
        docs: "https://platform.openai.com/docs/models",
        pricesAsOf: "2025-10",
        models: [{ id: "gpt-5-mini", title: null, context: 400_000, prices: { input: 0.25, output: 2, cached: 0.025, cacheWritten: null } }],
        note: null,
    },
];

const PATH = "/home/ada/.config/skill-workbench/models.yaml";

const UNNEEDED: KeyState = { source: "none", name: null, state: "unneeded", reason: null, hint: null };

const REHEARSAL: ModelInfo = {
    id: "rehearsal",
    title: "Rehearsal",
    rehearsal: true,
    baseUrl: null,
    key: UNNEEDED,
    ready: true,
    context: null,
    preset: null,
    entry: null,
};

function entry(id: string, model: string): ModelEntry {
    return {
        id,
        provider: "openAi",
        baseUrl: "https://api.openai.com/v1",
        model,
        key: null,
        keyHeader: null,
        headers: {},
        stream: true,
        parameters: { temperature: null, maxTokens: null },
        body: {},
        tools: true,
        context: null,
        prices: null,
        timeouts: { connect: 10, idle: 120, total: 900 },
    };
}

function failure(code: ApiError["code"], message: string, hint: string | null): ApiError {
    return { code, message, hint, path: PATH };
}
