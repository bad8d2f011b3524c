/** What the real workbench answers about the sample, with every framework and client: `cargo xtask generate` records it. */
import type {
    CompareArgs,
    ComparedCell,
    ComparedTable,
    HarnessInfo,
    InspectedSent,
    Inspection,
    InspectionList,
    ListedTokens,
    Presence,
    ProjectChoice,
    QuirkDto,
    SkillCard,
    SkillVerdict,
    Worded,
} from "../../generated/api";
import { failure, unrecorded } from "./failure";
import { SAMPLE_FILES, SAMPLE_FOLDERS } from "./files";

/** What the project file says to begin with; tests change it. */
export const BEGIN: ProjectChoice = { harness: null, model: null };

/** A skill of the sample, with what each of the recorded columns makes of it. */
type Row = { name: string; path: string | null; columns: Presence[] };

/** The sample in one state, as `tests/it/page_answers.rs` writes it. */
type Recorded = {
    /** Texts in place of those of the files. */
    unsaved: Record<string, string>;
    /** Files of the sample that are not there. */
    gone?: string[];
    inspections: Record<string, Inspection>;
    skills: Row[];
    columns: string[];
    cards: Record<string, SkillCard>;
};

const TEXTS = import.meta.glob<string>("./answers/*.json", { query: "?raw", import: "default", eager: true });

function recorded(name: string): string {
    return TEXTS[`./answers/${name}.json`] ?? "null";
}

function stateOfName(name: "sample" | "report" | "logs" | "approval" | "language" | "readable" | "neutral"): Recorded {
    // eslint-disable-next-line @typescript-eslint/no-unsafe-assignment -- the api wrote it by the same type
    const state: Recorded = JSON.parse(recorded(name));
    return state;
}

function harnesses(): HarnessInfo[] {
    // eslint-disable-next-line @typescript-eslint/no-unsafe-assignment -- the api wrote it by the same type
    const list: HarnessInfo[] = JSON.parse(recorded("harnesses"));
    return list;
}

export const HARNESSES = harnesses();
const STATES = (["sample", "report", "logs", "approval", "language", "readable"] as const).map(stateOfName);
const NEUTRAL = stateOfName("neutral");

/** What goes to the model before the user says anything. */
export function inspectionOf(
    files: ReadonlyMap<string, string>,
    harness: string,
    variant: string | null,
    neutral: boolean | null = null,
): Inspection {
    const found = stateOf(files, neutral).inspections[keyOf(harness, variant)];
    if (found === undefined) {
        throw unrecorded(`no answer of ${keyOf(harness, variant)} is recorded`);
    }
    return structuredClone(found);
}

/** What of it costs how much. */
export function tokensOf({ tokens, tools, skills }: Inspection): ListedTokens {
    return {
        all: tokens,
        tools: tools.map((tool) => tool.tokens),
        skills: skills.map((skill) => skill.tokens.catalogue + skill.tokens.instructions + skill.tokens.resources),
    };
}

/** What a window shows of it at first sight. */
export function listOf(whole: Inspection): InspectionList {
    const { harness, variant, verified, agent, instructions, catalogue, tools, groups, skills } = whole;
    const { skipped, log, quirks, refused, neutral } = whole;
    return {
        ...{ harness, variant, verified, agent, catalogue, groups, skipped, log, quirks, refused, neutral },
        instructions: instructions === null ? null : { ...instructions, units: instructions.text.length },
        tools: tools.map(({ name, description, marks, parameters, asks, compared }) => ({
            ...{ name, description, marks, parameters, asks, compared },
            units: description.length,
        })),
        skills: skills.map(({ id, name }) => ({ id, name })),
        tokens: tokensOf(whole),
    };
}

export function sentOf({ instructions, tools }: Inspection): InspectedSent {
    return { instructions, tools };
}

/** What each column's harness sends. */
export function inspectionsOf(files: ReadonlyMap<string, string>, { of, neutralPaths }: CompareArgs): Inspection[] {
    return of.map(({ harness, variant }) => inspectionOf(files, harness, variant, neutralPaths));
}

export function tableOf(files: ReadonlyMap<string, string>, args: CompareArgs): ComparedTable {
    const inspections = inspectionsOf(files, args);
    const reasons: Worded[] = [];
    const placeOf = (reason: Worded): number => {
        const known = reasons.findIndex((each) => each.en === reason.en && each.zh === reason.zh);
        return known < 0 ? reasons.push(reason) - 1 : known;
    };
    const all = rowsOf(files, args);
    const skills = all.map(({ name, path, columns }) => {
        const first = columns.find((presence) => presence.type === "loaded");
        const cells = columns.map((presence, at): ComparedCell | null => {
            const quirks = quirksOf(inspections[at]?.quirks ?? [], all)(presence, path);
            const is: ComparedCell["is"] =
                presence.type === "loaded"
                    ? {
                          type: "loaded",
                          otherName: presence.name !== first?.name,
                          otherDescription: presence.description !== first?.description,
                      }
                    : presence.type === "skipped"
                      ? { type: "skipped", reason: placeOf(presence.reason) }
                      : { type: "unseen" };
            const plain = is.type === "loaded" && !is.otherName && !is.otherDescription && quirks.length === 0;
            return plain ? null : { is, quirks: quirks.length, warns: quirks.some(({ severity }) => severity !== "info") };
        });
        return { name, path, cells };
    });
    const columns = inspections.map((inspection) => ({
        harness: inspection.harness,
        variant: inspection.variant,
        title: titleOf(inspection),
        loaded: inspection.skills.length,
        catalogue: inspection.catalogue,
        tools: inspection.tools.map(({ name }) => name),
        quirks: inspection.quirks.length,
        refused: inspection.refused,
    }));
    return { columns, skills, reasons, neutral: inspections[0]?.neutral ?? [] };
}

/** What each column makes of the skill of one row. */
export function verdictsOf(files: ReadonlyMap<string, string>, args: CompareArgs, skill: string): SkillVerdict[] {
    const all = rowsOf(files, args);
    const row = all.find(({ name, path }) => (path ?? name) === skill);
    return inspectionsOf(files, args).map((inspection, at) => {
        const presence: Presence = row?.columns[at] ?? { type: "unseen" };
        const known = HARNESSES.find(({ id }) => id === inspection.harness);
        return {
            harness: inspection.harness,
            title: titleOf(inspection),
            variantTitle: known?.variants.find(({ id }) => id === inspection.variant)?.title ?? { en: "", zh: "" },
            refused: inspection.refused,
            presence,
            quirks: quirksOf(inspection.quirks, all)(presence, row?.path ?? null),
        };
    });
}

function titleOf({ harness }: Inspection): string {
    return HARNESSES.find(({ id }) => id === harness)?.title ?? harness;
}

function rowsOf(files: ReadonlyMap<string, string>, { of, neutralPaths }: CompareArgs): Row[] {
    const state = stateOf(files, neutralPaths);
    const keys = of.map(({ harness, variant }) => keyOf(harness, variant));
    return state.skills.map((skill) => ({
        ...skill,
        columns: told(keys.map((key) => skill.columns[state.columns.indexOf(key)] ?? { type: "unseen" })),
    }));
}

/** A quirk is of the innermost row that it lies in; without a place, of the skill that it names. */
function quirksOf(quirks: readonly QuirkDto[], rows: readonly Row[]): (presence: Presence, folder: string | null) => QuirkDto[] {
    const folders = new Set(rows.map(({ path }) => path));
    const rowOf = (path: string): string | null => {
        for (let at = path; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
            if (folders.has(at)) {
                return at;
            }
        }
        return null;
    };
    return (presence, folder) =>
        quirks.filter(({ path, skill }) => {
            const named = presence.type === "loaded" && skill === presence.id;
            return folder === null ? named : path === null ? named : rowOf(path) === folder;
        });
}

/** What each framework and client in its default variant makes of a skill. */
export function cardOf(skill: string): SkillCard {
    const found = STATES[0]?.cards[skill];
    if (found === undefined) {
        throw failure({ code: "notFound", message: `no skill at ${skill}`, hint: null, path: skill, why: null });
    }
    return found;
}

/** The columns of one skill, told from the first of them that loads it. */
function told(columns: readonly Presence[]): Presence[] {
    const first = columns.find((presence) => presence.type === "loaded");
    return columns.map((presence) =>
        presence.type === "loaded" && first !== undefined
            ? { ...presence, differs: presence.name !== first.name || presence.description !== first.description }
            : presence,
    );
}

function keyOf(harness: string, variant: string | null): string {
    const known = HARNESSES.find((each) => each.id === harness);
    return `${harness}/${known?.variants.find((each) => each.id === variant)?.id ?? known?.variants[0]?.id ?? ""}`;
}

/** What was recorded of the sample with these texts. Closed folders do not count: what is asked there is not about them. */
function stateOf(files: ReadonlyMap<string, string>, neutral: boolean | null): Recorded {
    if (neutral === true) {
        return NEUTRAL;
    }
    const state = STATES.find(({ unsaved, gone = [] }) => {
        const texts = new Map(Object.entries({ ...SAMPLE_FILES, ...unsaved }));
        gone.forEach((path) => texts.delete(path));
        return files.size === texts.size && [...files].every(([path, text]) => text === texts.get(path));
    });
    if (state === undefined) {
        const folders = SAMPLE_FOLDERS.map((folder) => folder.path).join(", ");
        throw unrecorded(
            `no answer is recorded about ${folders} as they are now`,
            "Add the text to DRAFTS or OPTIONS in tests/it/page_answers.rs, and run `cargo xtask generate`.",
        );
    }
    return state;
}
