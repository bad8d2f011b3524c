/** Two models, some presets, a keyring, and a server that is not there. */
import type { CommandName } from "..";
import type { Commands, KeyRef, KeyState, ModelCheck, ModelEntry, ModelInfo, ModelList, ModelPreset, Push } from "../../generated/api";

type Answers<K extends CommandName> = { [N in K]: (args: Commands[N]["args"]) => Commands[N]["result"] | Promise<Commands[N]["result"]> };
type Names =
    | "model_list"
    | "model_presets"
    | "model_add"
    | "model_update"
    | "model_remove"
    | "model_names"
    | "model_test"
    | "model_test_stop"
    | "key_state"
    | "key_set"
    | "key_delete";

/** The environment variables that hold a key here. */
const SET: readonly string[] = ["ANTHROPIC_API_KEY"];
const UNNEEDED: KeyState = { source: "none", name: null, state: "unneeded", reason: null };

const PRESETS: readonly ModelPreset[] = [
    preset("openai", "OpenAI", "https://api.openai.com/v1", { keyEnv: "OPENAI_API_KEY", keyUrl: "https://platform.openai.com/api-keys" }),
    preset("anthropic", "Anthropic", "https://api.anthropic.com/v1", {
        provider: "anthropic",
        keyEnv: "ANTHROPIC_API_KEY",
        models: [{ id: "claude-sonnet-4-5", title: "Claude Sonnet 4.5", context: 200_000, prices: { input: 3, output: 15, cached: 0.3, cacheWritten: 3.75 } }],
    }),
    preset("openrouter", "OpenRouter", "https://openrouter.ai/api/v1", { keyEnv: "OPENROUTER_API_KEY" }),
    preset("deepseek", "DeepSeek", "https://api.deepseek.com/v1", { keyEnv: "DEEPSEEK_API_KEY" }),
    preset("azure", "Azure OpenAI", "https://{resource}.openai.azure.com/openai/v1", { keyHeader: "api-key", keyEnv: "AZURE_OPENAI_API_KEY" }),
    preset("ollama", "Ollama", "http://localhost:11434/v1", { needsKey: false, local: true }),
    preset("llama-cpp", "llama.cpp", "http://localhost:8080/v1", { needsKey: false, local: true }),
];

export function modelAnswers(push: (push: Push) => void): Answers<Names> {
    let entries: ModelEntry[] = [
        entry("gpt", "https://api.openai.com/v1", "gpt-4o-mini", { env: "OPENAI_API_KEY" }, 128_000),
        entry("local", "http://localhost:8080/v1", "smollm2", null, 4096),
    ];
    const keyring = new Map<string, string>();
    const stopped = new Set<string>();

    const stateOf = (key: KeyRef | null): KeyState => {
        if (key === null) {
            return UNNEEDED;
        }
        const [source, name, there] = "env" in key ? (["env", key.env, SET.includes(key.env)] as const) : (["keyring", key.keyring, keyring.has(key.keyring)] as const);
        const missing = source === "env" ? `environment variable ${name} is not set` : `the keyring has no entry ${name}`;
        return { source, name, state: there ? "set" : "missing", reason: there ? null : missing };
    };
    const info = (of: ModelEntry): ModelInfo => {
        const key = stateOf(of.key);
        return { id: of.id, title: of.model, rehearsal: false, entry: of, baseUrl: of.baseUrl, key, ready: key.state !== "missing", context: of.context };
    };
    const list = (): ModelList => ({
        models: [{ id: "rehearsal", title: "Rehearsal", rehearsal: true, entry: null, baseUrl: null, key: UNNEEDED, ready: true, context: null }, ...entries.map(info)],
        path: "/home/ada/.config/skill-workbench/models.yaml",
        version: String(entries.length),
        error: null,
    });
    return {
        model_list: list,
        model_presets: () => [...PRESETS],
        model_add: (args) => {
            entries = [...entries, args.entry];
            return list();
        },
        model_update: (args) => {
            entries = entries.map((known) => (known.id === args.id ? args.entry : known));
            return list();
        },
        model_remove: ({ id }) => {
            entries = entries.filter((known) => known.id !== id);
            return list();
        },
        model_names: () => [
            { id: "smollm2", title: null, context: 4096, prices: null },
            { id: "qwen3-8b", title: "Qwen3 8B", context: 32_768, prices: null },
        ],
        model_test: async ({ test, entry: tried }) => {
            const checks: ModelCheck[] = [];
            for (const check of checksOf(tried, stateOf(tried.key))) {
                await Promise.resolve();
                if (stopped.has(test)) {
                    break;
                }
                checks.push(check);
                push({ type: "modelCheck", test, check });
            }
            return checks;
        },
        model_test_stop: ({ test }) => {
            stopped.add(test);
            return null;
        },
        key_state: ({ key }) => stateOf(key),
        key_set: ({ name, secret }) => {
            keyring.set(name, secret);
            return stateOf({ keyring: name });
        },
        key_delete: ({ name }) => {
            keyring.delete(name);
            return stateOf({ keyring: name });
        },
    };
}

/** All is well where the key is there; without one the server refuses. */
function checksOf({ baseUrl, model, stream, tools }: ModelEntry, key: KeyState): ModelCheck[] {
    const check = (kind: ModelCheck["kind"], state: ModelCheck["state"], text: string, more: Partial<ModelCheck> = {}): ModelCheck => ({
        kind,
        state,
        text,
        next: null,
        raw: null,
        took: state === "skipped" ? null : 12,
        ...more,
    });
    const reach = check("reach", "passed", `${baseUrl} answers`);
    const tls = baseUrl.startsWith("https:") ? check("tls", "passed", "the certificate is valid") : check("tls", "skipped", "http has no certificate");
    if (key.state === "missing") {
        const why = "without a key it makes no sense to go on";
        return [
            reach,
            tls,
            check("auth", "failed", key.reason ?? "no key", { next: "set the key, then test again", raw: '{"error":{"message":"Incorrect API key provided"}}' }),
            ...(["model", "answer", "stream", "tool"] as const).map((kind) => check(kind, "skipped", why)),
        ];
    }
    return [
        reach,
        tls,
        check("auth", "passed", key.state === "unneeded" ? "it wants no key" : "the key is accepted"),
        check("model", "passed", `it has ${model}`),
        check("answer", "passed", "it answered “ok”"),
        stream ? check("stream", "passed", "9 pieces") : check("stream", "skipped", "switched off for this model"),
        tools
            ? check("tool", "warning", "it answered in words and called nothing", { next: "switch tools off, or choose a model that calls them" })
            : check("tool", "skipped", "switched off for this model"),
    ];
}

function entry(id: string, baseUrl: string, model: string, key: KeyRef | null, context: number): ModelEntry {
    return {
        id,
        provider: "openAi",
        baseUrl,
        model,
        key,
        keyHeader: null,
        headers: {},
        stream: true,
        parameters: { temperature: null, maxTokens: null },
        body: {},
        tools: true,
        context,
        prices: null,
        timeouts: { connect: 10, idle: 120, total: 900 },
    };
}

function preset(id: string, title: string, baseUrl: string, more: Partial<ModelPreset>): ModelPreset {
    return {
        id,
        title,
        provider: "openAi",
        baseUrl,
        keyHeader: null,
        headers: {},
        keyEnv: null,
        needsKey: true,
        local: false,
        keyUrl: null,
        docs: null,
        note: null,
        models: [],
        ...more,
    };
}
