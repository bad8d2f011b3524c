/** Skills as one file: exported, and imported after a review of the contents. */
import type { ApiError, PackagedSkill, PackageLook, PackageSaved, SkillSummary } from "../generated/api";
import { host, toApiError } from "../host";
import { baseName, nameError, type NameError } from "./names";
import { skills } from "./skills.svelte";
import { toasts } from "./toasts.svelte";

/** The endings of files with skills. */
export function isPackage(path: string): boolean {
    return /\.(?:skill|zip)$/i.test(path);
}

/** A file that is being reviewed. */
export class Incoming {
    readonly path: string;
    /** `null` until it is read. */
    look = $state.raw<PackageLook | null>(null);
    error = $state.raw<ApiError | null>(null);
    /** The open folder that the skills go into; `null`: there is none of the user's own. */
    folder = $state<string | null>(null);
    /** The names that the user typed, by the folders in the file. */
    typed = $state.raw<ReadonlyMap<string, string>>(new Map());
    /** The user's choices about the names in SKILL.md, by the folders in the file. */
    said = $state.raw<ReadonlyMap<string, boolean>>(new Map());
    /** Skills that are left in the file, by their folders in it. */
    without = $state.raw<ReadonlySet<string>>(new Set());
    busy = $state(false);
    readonly chosen: readonly PackagedSkill[] = $derived((this.look?.skills ?? []).filter((skill) => !this.without.has(skill.folder)));
    /** Names that are taken in the folder. */
    readonly #taken = $derived(
        (skills.list?.skills ?? []).filter((skill) => skill.folder === this.folder).map((skill) => skill.relative.split("/").at(-1) ?? ""),
    );
    readonly ready: boolean = $derived(
        this.folder !== null && !this.busy && this.chosen.length > 0 && this.chosen.every((skill) => this.wrong(skill) === null),
    );

    constructor(path: string) {
        this.path = path;
    }

    /** A folder in the file that has no skill's name, such as "parcels (1)", gives way to the name in SKILL.md. */
    name(skill: PackagedSkill): string {
        const odd = nameError(skill.folder, []) !== null && nameError(skill.name, []) === null;
        return this.typed.get(skill.folder) ?? (odd ? skill.name : skill.folder);
    }

    /** The folder has another name than SKILL.md, which could have it too. */
    mismatch(skill: PackagedSkill): boolean {
        const name = this.name(skill);
        return name !== skill.name && nameError(name, []) === null;
    }

    /** SKILL.md gets the folder's name: unless the file itself has two names, a name that the user types is meant for both. */
    renames(skill: PackagedSkill): boolean {
        return this.mismatch(skill) && (this.said.get(skill.folder) ?? this.name(skill) !== skill.folder);
    }

    sayRenames(skill: PackagedSkill, on: boolean): void {
        this.said = new Map(this.said).set(skill.folder, on);
    }

    /** A name that is invalid for a skill is accepted if the file has it. */
    wrong(skill: PackagedSkill): NameError | null {
        const name = this.name(skill);
        const wrong = nameError(name, this.#taken);
        return name === skill.folder && wrong !== "taken" ? null : wrong;
    }

    rename(skill: PackagedSkill, name: string): void {
        this.typed = new Map(this.typed).set(skill.folder, name);
    }

    toggle(skill: PackagedSkill): void {
        const without = new Set(this.without);
        if (!without.delete(skill.folder)) {
            without.add(skill.folder);
        }
        this.without = without;
    }

    async read(): Promise<void> {
        this.error = null;
        try {
            this.look = await host.call("package_look", { path: this.path });
        } catch (thrown) {
            this.error = toApiError(thrown);
        }
    }

    /** `null`: it did not work, and `error` says why. */
    async take(): Promise<readonly SkillSummary[] | null> {
        const { look, folder } = this;
        if (look === null || folder === null) {
            return null;
        }
        this.busy = true;
        this.error = null;
        try {
            const names = Object.fromEntries(this.chosen.map((skill) => [skill.folder, this.name(skill)]));
            const renamed = this.chosen.filter((skill) => this.renames(skill)).map((skill) => skill.folder);
            const taken = await host.call("package_open", { path: this.path, version: look.version, folder, names, renamed });
            await skills.fresh;
            return taken;
        } catch (thrown) {
            this.error = toApiError(thrown);
            return null;
        } finally {
            this.busy = false;
        }
    }
}

export class Packages {
    /** `null`: none is being reviewed. */
    incoming = $state.raw<Incoming | null>(null);
    /** Files that were dropped together with that one, and are reviewed after it. */
    #waiting: string[] = [];

    async pick(title: string): Promise<void> {
        const path = await toasts.guard(() => host.pickFile(title));
        if (path !== null) {
            this.open(path);
        }
    }

    /** After the one that is being reviewed, if there is one. */
    open(path: string): void {
        if (this.incoming === null) {
            this.#look(path);
        } else {
            this.#waiting.push(path);
        }
    }

    /** Ends the look, and begins the next. */
    close(): void {
        this.incoming = null;
        const next = this.#waiting.shift();
        if (next !== undefined) {
            this.#look(next);
        }
    }

    #look(path: string): void {
        const incoming = new Incoming(path);
        const own = (skills.list?.folders ?? []).filter((folder) => !folder.bundled);
        incoming.folder = own.find((folder) => folder.path === skills.summary?.folder)?.path ?? own[0]?.path ?? null;
        this.incoming = incoming;
        void incoming.read();
    }

    /** `null`: nowhere was chosen, or it did not work, which was said. */
    async save(skill: string, title: string): Promise<PackageSaved | null> {
        return toasts.guard(async () => {
            const path = await host.pickSave(title, `${baseName(skill)}.skill`);
            return path === null ? null : host.call("package_save", { skill, path });
        });
    }
}

export const packages = new Packages();
