/** Folders, skills and files of the sample, in memory. */
import type {
    FileText,
    Folder,
    Settings,
    SkillDetail,
    SkillFileDto,
    SkillList,
    Trashed,
    TrustState,
    UnsavedText,
} from "../../generated/api";
import { asked } from "./asked";
import { SAMPLE_FILES, SAMPLE_FOLDERS } from "./files";

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
    /** The newest first. */
    deleted: { trashed: Trashed; files: [string, string][] }[] = [];
    #trashed = 0;
    files = new Map<string, string>(Object.entries(SAMPLE_FILES));
    /** Links, and their targets. */
    links = new Map<string, string>();

    list(): SkillList {
        return { ...asked(this, "skill_list", {}), folders: this.folders };
    }

    /** Everything that differs from the sample. */
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

    /** The files in the open folders, with the editor's texts in place of those on disk. */
    open(unsaved: readonly UnsavedText[] = []): ReadonlyMap<string, string> {
        const drafts = unsaved.map(({ path, text }) => [path, text] as const);
        return new Map([...this.files, ...drafts].filter(([path]) => this.folders.some((folder) => path.startsWith(`${folder.path}/`))));
    }

    detail(id: string): SkillDetail {
        const detail = asked(this, "skill_get", { id });
        return { ...detail, files: detail.files.map((file) => this.linked(file)) };
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

    trash(target: string): Trashed {
        const gone = [...this.files].filter(([path]) => path === target || path.startsWith(`${target}/`));
        gone.forEach(([path]) => this.files.delete(path));
        const deletedAt = Date.UTC(2026, 0, 2);
        const trashed = {
            id: `${deletedAt}-${++this.#trashed}`,
            path: target,
            deletedAt,
            isFolder: !this.files.has(target) && gone.length > 1,
        };
        this.deleted = [{ trashed, files: gone }, ...this.deleted];
        return trashed;
    }

    restore(id: string): Trashed {
        const found = this.take(id);
        if (this.files.has(found.trashed.path)) {
            this.deleted = [found, ...this.deleted];
            throw { code: "exists", message: `${found.trashed.path} already exists`, hint: "rename it first", path: null, why: null };
        }
        found.files.forEach(([path, text]) => this.files.set(path, text));
        return found.trashed;
    }

    /** Takes it out of what was deleted. */
    take(id: string): { trashed: Trashed; files: [string, string][] } {
        const found = this.deleted.find(({ trashed }) => trashed.id === id);
        if (found === undefined) {
            throw { code: "notFound", message: "it is not among the deleted files", hint: null, path: null, why: null };
        }
        this.deleted = this.deleted.filter((other) => other !== found);
        return found;
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
}

export function version(text: string): string {
    let hash = 7;
    for (const unit of text) {
        hash = (hash * 31 + (unit.codePointAt(0) ?? 0)) >>> 0;
    }
    return hash.toString(16);
}
