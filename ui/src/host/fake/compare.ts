/** The sample under several harnesses, and two texts word by word. */
import type {
    CardRow,
    CompareArgs,
    ComparedSkill,
    Comparison,
    DiffPiece,
    Inspection,
    Presence,
    RunDetail,
    RunDiff,
    SkillCard,
    Step,
    StepPair,
} from "../../generated/api";
import { SAMPLE_FOLDERS } from "./files";
import { HARNESSES, inspectionOf } from "./harnesses";

export function comparison(files: ReadonlyMap<string, string>, args: CompareArgs): Comparison {
    const whole = wholly(files, args);
    if (args.detail === "whole") {
        return whole;
    }
    const bare = args.detail === "verdicts";
    return {
        columns: whole.columns.map((column) => ({
            ...column,
            inspection: {
                ...column.inspection,
                skills: [],
                request: "",
                curl: "",
                ...(bare ? { instructions: null, tools: [] } : {}),
            },
        })),
        skills: whole.skills.map((skill) => ({
            ...skill,
            columns: skill.columns.map((presence) => (bare && presence.type === "loaded" ? { ...presence, description: "" } : presence)),
        })),
    };
}

function wholly(files: ReadonlyMap<string, string>, { of, prompt, neutralPaths }: CompareArgs): Comparison {
    const columns = of.map(({ harness, variant }) => {
        const inspection = inspectionOf(files, harness, variant, prompt, neutralPaths);
        const known = HARNESSES.find((each) => each.id === harness);
        const variantTitle = known?.variants.find((each) => each.id === inspection.variant)?.title ?? { en: "", zh: "" };
        return { title: known?.title ?? harness, variantTitle, loaded: inspection.skills.length, inspection };
    });
    const paths = [...files.keys()].filter((path) => path.endsWith("/SKILL.md")).map((path) => path.slice(0, -"/SKILL.md".length));
    return {
        columns,
        skills: paths.sort().map((path) =>
            compared(
                path,
                columns.map((column) => column.inspection),
            ),
        ),
    };
}

/** What each framework in its default variant makes of a skill. */
export function cardOf(files: ReadonlyMap<string, string>, skill: string): SkillCard {
    const of = HARNESSES.map(({ id }) => ({ harness: id, variant: null }));
    const { columns, skills } = comparison(files, {
        roots: null,
        of,
        prompt: null,
        cwd: null,
        neutralPaths: null,
        unsaved: [],
        without: [],
        detail: "whole",
    });
    const row = skills.find(({ path }) => path === skill);
    const rows = columns.map(({ title, variantTitle, inspection }, at): CardRow => {
        const presence = row?.columns[at] ?? { type: "unseen" };
        const isLoaded = presence.type === "loaded";
        const skill = inspection.skills.find(({ id }) => isLoaded && id === presence.id);
        const loadedWith = skill?.loadedWith ?? null;
        return {
            harness: inspection.harness,
            title,
            variant: variantTitle,
            group: HARNESSES[at]?.group ?? "framework",
            verified: inspection.verified,
            seen: isLoaded ? "listed" : presence.type === "skipped" ? "leftOut" : "unseen",
            line: isLoaded ? `- ${presence.name}: ${presence.description}` : null,
            cut: [],
            loads: isLoaded
                ? { tool: loadedWith, instructions: presence.tokens.instructions, files: 1, resources: presence.tokens.resources }
                : null,
            asks: [],
            why: presence.type === "skipped" ? [presence.reason] : [],
        };
    });
    return { name: row?.name ?? skill, rows, tokenizer: "o200k_base" };
}

function compared(path: string, inspections: readonly Inspection[]): ComparedSkill {
    let first: Extract<Presence, { type: "loaded" }> | null = null;
    const columns = inspections.map((inspection): Presence => {
        const skill = inspection.skills.find((each) => each.path === path);
        if (skill !== undefined) {
            const { id, name, description, tokens } = skill;
            const differs = first !== null && (first.name !== name || first.description !== description);
            const presence: Extract<Presence, { type: "loaded" }> = { type: "loaded", id, name, description, tokens, differs };
            first ??= presence;
            return presence;
        }
        const skipped = inspection.skipped.find((each) => each.path === path);
        return skipped === undefined ? { type: "unseen" } : { type: "skipped", reason: skipped.reason };
    });
    const root = SAMPLE_FOLDERS.find((folder) => path.startsWith(`${folder.path}/`));
    return { name: path.slice((root?.path.length ?? -1) + 1), path, columns };
}

/** More cells than this are not worth an exact answer in a sample. */
const MOST_CELLS = 6_000_000;

/** The longest words in common, in their order. */
export function wordDiff(a: string, b: string): DiffPiece[] {
    const [left, right] = [words(a), words(b)];
    let start = 0;
    while (start < left.length && start < right.length && left[start] === right[start]) start++;
    let end = 0;
    while (end < left.length - start && end < right.length - start && left.at(-1 - end) === right.at(-1 - end)) end++;
    const pieces: DiffPiece[] = [];
    const put = (kind: DiffPiece["kind"], text: string | undefined): void => {
        const last = pieces.at(-1);
        if (last?.kind === kind) last.text += text ?? "";
        else if (text) pieces.push({ kind, text });
    };
    left.slice(0, start).forEach((word) => put("same", word));
    between(left.slice(start, left.length - end), right.slice(start, right.length - end), put);
    left.slice(left.length - end).forEach((word) => put("same", word));
    return joined(pieces);
}

/** Changes with nothing but spaces and marks between them are one: first what was removed, then what was added. */
function joined(pieces: readonly DiffPiece[]): DiffPiece[] {
    const made: DiffPiece[] = [];
    let [removed, added, between] = ["", "", ""];
    const close = (): void => {
        for (const [kind, text] of [
            ["removed", removed],
            ["added", added],
            ["same", between],
        ] as const) {
            const last = made.at(-1);
            if (text !== "" && last?.kind === kind) last.text += text;
            else if (text !== "") made.push({ kind, text });
        }
        [removed, added, between] = ["", "", ""];
    };
    for (const { kind, text } of pieces) {
        if (kind === "same") {
            between += text;
            if (removed + added === "" || /[\p{L}\p{N}]/u.test(between)) close();
            continue;
        }
        removed += between + (kind === "removed" ? text : "");
        added += between + (kind === "added" ? text : "");
        between = "";
    }
    close();
    return made;
}

function between(a: readonly string[], b: readonly string[], put: (kind: DiffPiece["kind"], text: string | undefined) => void): void {
    if (a.length * b.length > MOST_CELLS) {
        put("removed", a.join(""));
        put("added", b.join(""));
        return;
    }
    const width = b.length + 1;
    const common = new Uint32Array((a.length + 1) * width);
    const at = (i: number, j: number): number => common[i * width + j] ?? 0;
    for (let i = a.length - 1; i >= 0; i--) {
        for (let j = b.length - 1; j >= 0; j--) {
            common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
        }
    }
    let [i, j] = [0, 0];
    while (i < a.length || j < b.length) {
        if (i < a.length && j < b.length && a[i] === b[j]) {
            put("same", a[i]);
            i++;
            j++;
        } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) {
            put("removed", a[i++]);
        } else {
            put("added", b[j++]);
        }
    }
}

function words(text: string): string[] {
    return text.match(/\n|[^\S\n]+|[\p{L}\p{N}_-]+|[^\p{L}\p{N}\s_-]/gu) ?? [];
}

/** By kind, place by place: enough to look at. The core aligns runs. */
export function runDiff(a: RunDetail, b: RunDetail): RunDiff {
    const says = (step: Step | undefined): string =>
        step === undefined ? "" : JSON.stringify({ ...step.kind, usage: null, spent: null, firstToken: null, digest: null });
    const pairs: StepPair[] = [];
    let [left, right] = [0, 0];
    while (left < a.steps.length || right < b.steps.length) {
        const [one, other] = [a.steps[left], b.steps[right]];
        if (one !== undefined && other !== undefined && one.kind.type === other.kind.type) {
            pairs.push({ type: says(one) === says(other) ? "same" : "changed", a: left++, b: right++ });
        } else if (other === undefined || (one !== undefined && a.steps.length - left >= b.steps.length - right)) {
            pairs.push({ type: "onlyA", a: left++ });
        } else {
            pairs.push({ type: "onlyB", b: right++ });
        }
    }
    const first = pairs.findIndex((pair) => pair.type !== "same");
    return { pairs, firstDivergence: first < 0 ? null : first };
}
