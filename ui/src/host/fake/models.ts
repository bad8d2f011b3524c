/**
 * models.yaml and the keyring, in memory: written by hand, because page tests change both, and a check of a model is reported piece by
 * piece.
 */
import type { ApiError, Check, Finding, KeyState, ListedModel, ModelEntry, ModelError, ModelInfo, ModelList } from "../../generated/api";
import { DEFAULTS } from "../../state/model-draft";
import { asked } from "./asked";
import { type Disk, version } from "./disk";

export class FakeModels {
    entries: ModelEntry[] = [
        { ...entry("gpt", "gpt-4o-mini"), key: { env: "OPENAI_API_KEY" }, context: 128_000 },
        { ...entry("local", "smollm2"), baseUrl: "http://localhost:8080/v1", context: 4096 },
    ];
    /** The keys in the keyring and in the environment. */
    readonly keyring = new Map<string, string>();
    readonly environment = new Set<string>(["ANTHROPIC_API_KEY"]);
    readonly #stopped = new Set<string>();
    readonly #disk: Disk;

    constructor(disk: Disk) {
        this.#disk = disk;
    }

    list(): ModelList {
        return {
            models: [REHEARSAL, ...this.entries.map((entry) => this.info(entry))],
            path: PATH,
            version: this.version(),
            error: null,
            errorZh: null,
        };
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

    /** With a key every check passes; without one the server refuses. Each check is reported as it ends. */
    async test(test: string, entry: ModelEntry, told: (check: Check) => void): Promise<Check[]> {
        const ended: Check[] = [];
        for (const check of checksOf(entry, this.key(entry.key))) {
            await Promise.resolve();
            if (this.#stopped.has(test)) {
                break;
            }
            ended.push(check);
            told(check);
        }
        return ended;
    }

    stop(test: string): void {
        this.#stopped.add(test);
    }

    private info(entry: ModelEntry): ModelInfo {
        const key = this.key(entry.key);
        const { id, model: title, baseUrl, context } = entry;
        const { preset } = asked(this.#disk, "model_address", { provider: entry.provider, baseUrl });
        return {
            id,
            title,
            rehearsal: false,
            baseUrl,
            key,
            ready: key.state !== "missing" && key.state !== "unusable",
            context,
            counts: entry.provider !== "openAi",
            preset,
            entry,
        };
    }

    key(key: ModelEntry["key"]): KeyState {
        if (key === null) {
            return UNNEEDED;
        }
        if ("aws" in key) {
            return { source: "aws", name: key.aws || null, state: "set", reason: null, hint: null, why: null };
        }
        if ("command" in key) {
            return { source: "command", name: key.command[0] ?? null, state: "printed", reason: null, hint: null, why: null };
        }
        const [source, name] = "env" in key ? (["env", key.env] as const) : (["keyring", key.keyring] as const);
        if (source === "env" ? this.environment.has(name) : this.keyring.has(name)) {
            return { source, name, state: "set", reason: null, hint: null, why: null };
        }
        const reason = source === "env" ? `environment variable ${name} is not set` : `there is no keyring entry ${name}`;
        return { source, name, state: "missing", reason, hint: "set it", why: { type: "missing", key } };
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

/** What the server on this machine lists. */
export const LISTED: ListedModel[] = [
    { id: "smollm2", title: null, context: 4096, maxOutput: null, prices: null },
    { id: "qwen3-8b", title: "Qwen3 8B", context: 32_768, maxOutput: null, prices: null },
];

const PATH = "/home/ada/.config/skill-workbench/models.yaml";

const UNNEEDED: KeyState = { source: "none", name: null, state: "unneeded", reason: null, hint: null, why: null };

const REHEARSAL: ModelInfo = {
    id: "rehearsal",
    title: "Rehearsal",
    rehearsal: true,
    baseUrl: null,
    key: UNNEEDED,
    ready: true,
    context: null,
    counts: false,
    preset: null,
    entry: null,
};

function entry(id: string, model: string): ModelEntry {
    return { ...DEFAULTS, id, baseUrl: "https://api.openai.com/v1", model };
}

function checksOf({ baseUrl, model, stream, tools }: ModelEntry, key: KeyState): Check[] {
    const check = (kind: Check["kind"], state: Check["state"], found: Finding, more: Partial<Check> = {}): Check => ({
        kind,
        state,
        found,
        advice: null,
        text: found.type,
        hint: null,
        raw: null,
        took: state === "skipped" ? null : 12,
        ...more,
    });
    const { hostname, port } = new URL(baseUrl);
    const isLocal = hostname === "localhost";
    const reach = check("reach", "passed", { type: "connects", host: hostname, port: Number(port || 443) });
    const tls = isLocal ? check("tls", "skipped", { type: "onThisMachine" }) : check("tls", "passed", { type: "certificateHolds" });
    if (key.state === "missing") {
        const error: ModelError = {
            type: "refused",
            url: `${baseUrl}/models`,
            status: 401,
            refusal: "key",
            reason: { en: "Incorrect API key provided", zh: "Incorrect API key provided" },
        };
        const text = `${error.url} answered 401: ${error.reason.en}`;
        const raw = '{"error":{"message":"Incorrect API key provided"}}';
        const left = (["model", "answer", "stream", "tool"] as const).map((kind) =>
            check(kind, "skipped", { type: "notChecked", after: "key" }),
        );
        return [reach, tls, check("key", "failed", { type: "failed", error }, { text, raw }), ...left];
    }
    const said = { type: "text", text: "“ready”" } as const;
    return [
        reach,
        tls,
        check("key", "passed", { type: key.state === "unneeded" ? "noKeyAsked" : "keyAccepted" }),
        check("model", "passed", { type: "answersFor", model }),
        check("answer", "passed", { type: "answered", said }),
        stream
            ? check("stream", "passed", { type: "answered", said })
            : check("stream", "skipped", { type: "switchedOff", setting: "stream" }),
        tools
            ? check("tool", "warned", { type: "calledNone", said }, { advice: { type: "runAndSee" } })
            : check("tool", "skipped", { type: "switchedOff", setting: "tools" }),
    ];
}

function failure(code: ApiError["code"], message: string, hint: string | null): ApiError {
    return { code, message, messageZh: message, hint, hintZh: hint, path: PATH, why: null };
}
