/** What the real workbench answers about the sample, with every framework and client: `cargo xtask generate` records it. */
import type {
    CompareArgs,
    ComparedSkill,
    Comparison,
    HarnessInfo,
    Inspection,
    Presence,
    ProjectChoice,
    SkillCard,
} from "../../generated/api";
import { failure } from "./failure";
import { SAMPLE_FILES, SAMPLE_FOLDERS } from "./files";

/** What the project file says to begin with; tests change it. */
export const BEGIN: ProjectChoice = { harness: null, model: null };

/** The sample in one state, as `tests/it/page_answers.rs` writes it. */
type Recorded = {
    /** Texts in place of those of the files. */
    unsaved: Record<string, string>;
    inspections: Record<string, Inspection>;
    skills: ComparedSkill[];
    columns: string[];
    cards: Record<string, SkillCard>;
};

const TEXTS = import.meta.glob<string>("./answers/*.json", { query: "?raw", import: "default", eager: true });

function recorded(name: string): string {
    return TEXTS[`./answers/${name}.json`] ?? "null";
}

function stateOfName(name: "sample" | "report" | "logs" | "neutral"): Recorded {
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
const STATES = [stateOfName("sample"), stateOfName("report"), stateOfName("logs")];
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
        throw failure({
            code: "unknown",
            message: `no answer of ${keyOf(harness, variant)} is recorded`,
            hint: null,
            path: null,
            why: null,
        });
    }
    return structuredClone(found);
}

export function comparison(files: ReadonlyMap<string, string>, { of, neutralPaths, detail }: CompareArgs): Comparison {
    const state = stateOf(files, neutralPaths);
    const keys = of.map(({ harness, variant }) => keyOf(harness, variant));
    const columns = of.map(({ harness, variant }) => {
        const inspection = inspectionOf(files, harness, variant, neutralPaths);
        const known = HARNESSES.find((each) => each.id === harness);
        const variantTitle = known?.variants.find((each) => each.id === inspection.variant)?.title ?? { en: "", zh: "" };
        return { title: known?.title ?? harness, variantTitle, loaded: inspection.skills.length, inspection: only(inspection, detail) };
    });
    const skills = state.skills.map((skill) => ({
        ...skill,
        columns: told(keys.map((key) => skill.columns[state.columns.indexOf(key)] ?? { type: "unseen" })).map((presence) =>
            detail === "verdicts" && presence.type === "loaded" ? { ...presence, description: "" } : presence,
        ),
    }));
    return { columns, skills };
}

/** What each framework and client in its default variant makes of a skill. */
export function cardOf(skill: string): SkillCard {
    const found = STATES[0]?.cards[skill];
    if (found === undefined) {
        throw failure({ code: "notFound", message: `no skill at ${skill}`, hint: null, path: skill, why: null });
    }
    return found;
}

/** Only what of an inspection a comparison shows. */
function only(inspection: Inspection, detail: CompareArgs["detail"]): Inspection {
    const rest = detail === "whole" ? {} : { skills: [], request: "", curl: "" };
    return { ...inspection, ...rest, ...(detail === "verdicts" ? { instructions: null, tools: [] } : {}) };
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
    const state = STATES.find(
        ({ unsaved }) =>
            files.size === Object.keys(SAMPLE_FILES).length &&
            [...files].every(([path, text]) => text === (unsaved[path] ?? SAMPLE_FILES[path])),
    );
    if (state === undefined) {
        const folders = SAMPLE_FOLDERS.map((folder) => folder.path).join(", ");
        throw failure({
            code: "unknown",
            message: `no answer is recorded about ${folders} as they are now`,
            hint: "Add the text to DRAFTS in tests/it/page_answers.rs, and run `cargo xtask generate`.",
            path: null,
            why: null,
        });
    }
    return state;
}
