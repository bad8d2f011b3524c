/** Folders, skills and files of the sample, in memory. */
import type {
    FileKind,
    FileText,
    FindingDto,
    Folder,
    Profile,
    RuleDto,
    Settings,
    SkillDetail,
    SkillFileDto,
    SkillList,
    SkillSummary,
    TrustState,
    UnsavedText,
} from "../../generated/api";
import { check } from "./check";
import { SAMPLE_FILES, SAMPLE_FOLDERS } from "./files";
import { RULES } from "./rules";
import { tokens } from "./tokens";

export class Disk {
    settings: Settings = {
        theme: "system",
        language: "en",
        zoom: 100,
        showPreview: false,
        keys: {},
        retention: { days: null, gigabytes: null, reviewedToo: false },
        editor: "",
        tokenizer: "o200k_base",
    };
    trust: TrustState = { trusted: [], waiting: [] };
    folders: Folder[] = SAMPLE_FOLDERS.map((folder) => ({ ...folder }));
    files = new Map<string, string>(Object.entries(SAMPLE_FILES));
    /** Links, by where they lead. */
    links = new Map<string, string>();
    rules: RuleDto[] = [...RULES];
    profile: Profile = "recommended";

    list(): SkillList {
        const skills = this.manifests()
            .map((path) => this.summary(path))
            .filter((skill) => skill !== null);
        return { folders: this.folders, skills, problems: [] };
    }

    /** What is another one than in the sample. */
    changes(): { disk: Record<string, string | null>; closed: string[] } {
        const inSample = (path: string): boolean => SAMPLE_FOLDERS.some((folder) => path.startsWith(`${folder.path}/`));
        const written = [...this.files].filter(([path, text]) => inSample(path) && SAMPLE_FILES[path] !== text);
        const gone = Object.keys(SAMPLE_FILES).filter((path) => !this.files.has(path));
        const isOpen = (path: string): boolean => this.folders.some((folder) => folder.path === path);
        return {
            disk: { ...Object.fromEntries(written), ...Object.fromEntries(gone.map((path) => [path, null])) },
            closed: SAMPLE_FOLDERS.map((folder) => folder.path).filter((path) => !isOpen(path)),
        };
    }

    /** What lies in the open folders, with the texts of the editor in place of those on disk. */
    open(unsaved: readonly UnsavedText[] = []): ReadonlyMap<string, string> {
        const drafts = unsaved.map(({ path, text }) => [path, text] as const);
        return new Map([...this.files, ...drafts].filter(([path]) => this.folders.some((folder) => path.startsWith(`${folder.path}/`))));
    }

    detail(id: string): SkillDetail {
        const summary = this.list().skills.find((skill) => skill.id === id);
        if (!summary) {
            throw { code: "notFound", message: `no skill at ${id}`, hint: "It may have been moved.", path: id };
        }
        const files = this.filesOf(id);
        const text = this.files.get(`${id}/SKILL.md`) ?? "";
        const checked = check(`${id}/SKILL.md`, text);
        const resources = files.slice(1).reduce((sum, file) => sum + (file.tokens ?? 0), 0);
        const tokens = { catalogue: checked.tiers?.catalogue ?? 0, instructions: checked.tokens, resources };
        return { summary, files, findings: this.findings(id), tokens };
    }

    read(path: string): FileText {
        const outside = this.outside(path);
        if (outside !== null) {
            const message = `${path} leads to ${outside}, outside of the folders that you opened`;
            throw { code: "untrusted", message, hint: null, path: outside, why: null };
        }
        const text = this.files.get(path);
        if (text === undefined) {
            throw { code: "notFound", message: `there is no file ${path}`, hint: "It may have been moved or deleted.", path };
        }
        const readOnly = path.endsWith(".bin")
            ? {
                  kind: { type: "notUtf8" as const, offset: 12 },
                  severity: "error" as const,
                  message: "not UTF-8",
                  path,
              }
            : null;
        return { path, text, version: version(text), bom: false, newline: "lf", readOnly };
    }

    move(from: string, to: string): void {
        for (const [path, text] of [...this.files]) {
            if (path === from || path.startsWith(`${from}/`)) {
                this.files.delete(path);
                this.files.set(to + path.slice(from.length), text);
            }
        }
    }

    trash(target: string): void {
        for (const path of [...this.files.keys()]) {
            if (path === target || path.startsWith(`${target}/`)) {
                this.files.delete(path);
            }
        }
    }

    /** Of a skill, with the texts of the editor in place of those on disk. */
    findings(id: string, texts: ReadonlyMap<string, string> = new Map()): FindingDto[] {
        return this.filesOf(id)
            .filter((file) => file.text)
            .flatMap(({ path }) => check(path, texts.get(path) ?? this.files.get(path) ?? "").findings);
    }

    /** The skill that a file lies in. */
    skillOf(path: string): string | null {
        return this.list().skills.find((skill) => path.startsWith(`${skill.id}/`))?.id ?? null;
    }

    private manifests(): string[] {
        return [...this.files.keys()].filter((path) => path.endsWith("/SKILL.md"));
    }

    private summary(manifest: string): SkillSummary | null {
        const id = manifest.slice(0, -"/SKILL.md".length);
        const folder = this.folders.find((open) => id.startsWith(`${open.path}/`));
        if (!folder) {
            return null;
        }
        const checked = check(manifest, this.files.get(manifest) ?? "");
        const field = (key: string): string => checked.fields?.find((found) => found.key === key)?.value ?? "";
        return {
            id,
            name: field("name") || id.slice(id.lastIndexOf("/") + 1),
            description: field("description"),
            folder: folder.path,
            relative: id.slice(folder.path.length + 1),
        };
    }

    /** Where a link leads, if that is outside and its folder not trusted. */
    private outside(path: string): string | null {
        const leadsTo = this.links.get(path) ?? null;
        return leadsTo !== null && !this.trust.trusted.some((place) => leadsTo.startsWith(`${place}/`)) ? leadsTo : null;
    }

    private linked(file: SkillFileDto): SkillFileDto {
        const outside = this.outside(file.path) !== null;
        return { ...file, leadsTo: this.links.get(file.path) ?? null, outside, tokens: outside ? null : file.tokens };
    }

    private filesOf(id: string): SkillFileDto[] {
        return [...this.files]
            .filter(([path]) => path.startsWith(`${id}/`))
            .map(([path, text]) => this.linked(fileDto(path, path.slice(id.length + 1), text)))
            .sort((a, b) => Number(b.kind === "manifest") - Number(a.kind === "manifest") || a.name.localeCompare(b.name));
    }
}

export function version(text: string): string {
    let hash = 7;
    for (const unit of text) {
        hash = (hash * 31 + (unit.codePointAt(0) ?? 0)) >>> 0;
    }
    return hash.toString(16);
}

function fileDto(path: string, name: string, text: string): SkillFileDto {
    const isText = !/\.(png|bin)$/.test(name);
    return {
        path,
        name,
        kind: kindOf(name),
        size: text.length,
        tokens: isText ? tokens(text) : null,
        text: isText,
        leadsTo: null,
        outside: false,
    };
}

function kindOf(name: string): FileKind {
    if (name === "SKILL.md") {
        return "manifest";
    }
    if (name.startsWith("references/")) {
        return "reference";
    }
    if (name.startsWith("scripts/")) {
        return "script";
    }
    return name.startsWith("assets/") ? "asset" : "other";
}
