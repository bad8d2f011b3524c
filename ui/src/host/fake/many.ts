/** So many skills that lists show what they cost: made once, so that only the window's own time is measured. */
import type { FakeHost } from ".";
import type { ComparedRow, InspectedSkill, Inspection, QuirkDto, SkillSummary, TextMark } from "../../generated/api";
import { inspectionOf, listOf, tokensOf } from "./answers";
import { SAMPLE_FILES } from "./files";

const FOLDER = "/home/ada/work/skills";
const TOPICS = ["invoices", "minutes", "charts", "units", "letters", "contracts", "logs", "tables", "slides", "forms"];

export function installMany(fake: FakeHost, count: number): void {
    const summaries = Array.from({ length: count }, (_, at) => summary(at));
    const [first] = summaries;
    const text = `---\nname: ${first?.name ?? ""}\ndescription: ${first?.description ?? ""}\n---\n\n${"# Steps\n\nRead it first.\n\n".repeat(40)}`;
    const inspection = inspect(summaries, inspectionOf(new Map(Object.entries(SAMPLE_FILES)), "agent-framework", null));
    const compared = summaries.map(compare);
    const counts = summaries.map(({ id }, at) => ({ skill: id, errors: at % 7 === 0 ? 1 : 0, warnings: at % 3, infos: 0, verdict: null }));
    fake.on("skill_list", () => ({ folders: fake.disk.folders, skills: summaries, problems: [] }));
    fake.on("skill_get", ({ id }) => ({
        summary: summaries.find((known) => known.id === id) ?? summary(0),
        files: [
            {
                path: `${id}/SKILL.md`,
                name: "SKILL.md",
                kind: "manifest",
                size: 900,
                tokens: 220,
                text: true,
                leadsTo: null,
                outside: false,
            },
        ],
        findings: [],
        security: null,
        tokens: { catalogue: 40, instructions: 220, resources: 0 },
    }));
    fake.on("file_read", ({ path }) => ({ path, text, version: "1", bom: false, newline: "lf", readOnly: null }));
    fake.on("text_check", () => ({ findings: [], security: null, alone: false, outline: [], fields: null, tokens: 220, tiers: null }));
    fake.on("text_preview", () => "<h1>Steps</h1>");
    fake.on("lint_counts", () => counts);
    const listed = { ...listOf(inspection), tokens: null };
    fake.on("inspect_listed", ({ harness }) => ({ ...listed, harness }));
    fake.on("inspect_tokens", () => tokensOf(inspection));
    fake.on("inspect_request", () => ({ body: inspection.request, curl: "" }));
    fake.on("compare_table", ({ of }) => ({
        columns: of.map(({ harness }) => ({
            harness,
            variant: "",
            title: harness,
            loaded: inspection.skills.length,
            catalogue: inspection.catalogue,
            tools: inspection.tools.map(({ name }) => name),
            quirks: inspection.quirks.length,
            refused: null,
        })),
        skills: compared.map((skill) => ({ ...skill, cells: of.map(() => skill.cells[0] ?? null) })),
        reasons: [NO_FRONTMATTER],
        neutral: [],
    }));
    fake.on("compare_tokens", ({ of }) => of.map(() => inspection.tokens));
}

const NO_FRONTMATTER = { en: "SKILL.md has no frontmatter", zh: "SKILL.md 没有前置元数据" };

function summary(at: number): SkillSummary {
    const topic = TOPICS[at % TOPICS.length] ?? "";
    const name = `${topic}-${String(at).padStart(5, "0")}`;
    const description = `Reads ${topic} of kind ${at} and writes a short report. Use it when the user asks for ${topic}.`;
    return { id: `${FOLDER}/${name}`, name, description, folder: FOLDER, relative: name };
}

function inspect(summaries: readonly SkillSummary[], like: Inspection): Inspection {
    let text = "You have access to skills.\n\n";
    const marks: TextMark[] = [];
    for (const { name, description } of summaries) {
        for (const [before, value, field, after] of [
            ["<skill>\n<name>", name, "name", "</name>\n"],
            ["<description>", description, "description", "</description>\n</skill>\n"],
        ] as const) {
            const from = text.length + before.length;
            marks.push({ from: text.length, to: from, origin: { type: "framework" } });
            marks.push({ from, to: from + value.length, origin: { type: "skill", skill: name, field } });
            text += before + value + after;
        }
    }
    return {
        ...like,
        instructions: { text, marks },
        skills: summaries.map(inspected),
        skipped: summaries.filter((_, at) => at % 20 === 0).map(({ id }) => ({ path: id, reason: NO_FRONTMATTER })),
        quirks: summaries.filter((_, at) => at % 5 === 0).map(quirk),
        refused: null,
        request: JSON.stringify({ messages: [{ role: "system", content: text }] }),
    };
}

function inspected({ id, name, description }: SkillSummary): InspectedSkill {
    const tokens = { catalogue: 40, instructions: 220, resources: 0 };
    return {
        id: name,
        name,
        description,
        path: id,
        content: description,
        loadedWith: "load_skill",
        resources: [],
        scripts: [],
        tokens,
        kept: {},
    };
}

function quirk({ id, name }: SkillSummary): QuirkDto {
    const path = `${id}/SKILL.md`;
    return {
        kind: "listedNameDoesNotLoad",
        code: "sample/listed-name-does-not-load",
        severity: "warning",
        message: "",
        skill: name,
        path,
        range: { from: 0, to: 0, line: 1, column: 1 },
        detail: name,
    };
}

function compare({ id, relative }: SkillSummary, at: number): ComparedRow {
    return {
        name: relative,
        path: id,
        cells: [at % 20 === 0 ? { is: { type: "skipped", reason: 0 }, quirks: 0, warns: false } : null],
    };
}
