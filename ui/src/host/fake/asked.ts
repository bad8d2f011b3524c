/** What the real workbench answers to the questions of page tests that can be asked about the sample: `cargo xtask generate` records it. */
import type { ApiError, Commands } from "../../generated/api";
import { unrecorded } from "./failure";

/** As `tests/it/page_answers/asked.rs` writes it. */
interface Asked {
    /** Texts in place of the sample's; `null`: without the file. */
    disk?: Record<string, string | null>;
    /** Folders of the sample that are not open. */
    closed?: string[];
    args: unknown;
    answer?: unknown;
    error?: ApiError;
    /** The project file afterwards, if it is another one. */
    wrote?: string;
}

/** The sample as it is now. */
interface Changed {
    changes(): { disk: Record<string, string | null>; closed: string[] };
    files: Map<string, string>;
}

const PROJECT = "/home/ada/work/skills/workbench.yaml";
const TEXTS = import.meta.glob<string>("./answers/asked/*.json", { query: "?raw", import: "default", eager: true });
const known = new Map<string, Map<string, Asked>>();

/** Fails as the workbench did. A question that was never recorded fails too, and says what to add. */
export function asked<K extends keyof Commands>(disk: Changed, name: K, args: Commands[K]["args"]): Commands[K]["result"] {
    const question: Asked = { ...disk.changes(), args };
    const found = recorded(name).get(keyOf(question));
    if (found === undefined) {
        throw unrecorded(
            `no answer is recorded to ${name}: ${JSON.stringify(question)}`,
            `Add the question to ui/src/host/fake/answers/asked/${name}.json, and run \`cargo xtask generate\`.`,
        );
    }
    if (found.wrote !== undefined) {
        disk.files.set(PROJECT, found.wrote);
    }
    if (found.error !== undefined) {
        throw found.error;
    }
    // eslint-disable-next-line @typescript-eslint/no-unsafe-return -- the api wrote it by the same type
    return JSON.parse(JSON.stringify(found.answer ?? null));
}

function recorded(name: string): Map<string, Asked> {
    const read = known.get(name);
    if (read !== undefined) {
        return read;
    }
    // eslint-disable-next-line @typescript-eslint/no-unsafe-assignment -- the api wrote it by the same type
    const list: Asked[] = JSON.parse(TEXTS[`./answers/asked/${name}.json`] ?? "[]");
    const byKey = new Map(list.map((each) => [keyOf(each), each]));
    known.set(name, byKey);
    return byKey;
}

/** Whatever order its fields have. */
function keyOf({ disk = {}, closed = [], args }: Asked): string {
    return JSON.stringify([disk, closed, args], (_, value: unknown) =>
        typeof value === "object" && value !== null && !Array.isArray(value)
            ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
            : value,
    );
}
