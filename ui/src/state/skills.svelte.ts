/** The open folders, their skills, and the selection. */
import { SvelteMap, SvelteSet } from "svelte/reactivity";
import type { ApiError, NewSkill, SkillDetail, SkillList, SkillSummary, TemplateInfo, Trashed } from "../generated/api";
import { host, toApiError, type DragEvent, type Unlisten } from "../host";
import { onChange } from "../host/changes";
import { baseName, isWithin, join, parentOf } from "./names";
import { toasts } from "./toasts.svelte";
import { treeRows } from "./tree";

/** How many details of skills that are neither selected nor unfolded are kept, before the oldest are dropped. */
const KEPT_DETAILS = 20;

export class Skills {
    /** `null` until loaded. */
    list = $state.raw<SkillList | null>(null);
    error = $state.raw<ApiError | null>(null);
    filter = $state("");
    /** The path of the skill. */
    selected = $state<string | null>(null);
    templates = $state.raw<readonly TemplateInfo[]>([]);
    newOpen = $state(false);
    dragging = $state(false);
    readonly toggled = new SvelteSet<string>();
    readonly rows = $derived(
        this.list === null
            ? []
            : // A copy: to ask the set itself about thousands of skills would watch it thousands of times.
              treeRows({ list: this.list, filter: this.filter, toggled: new Set(this.toggled), detail: (id) => this.detail(id) }),
    );
    readonly #byId = $derived(new Map(this.list?.skills.map((skill) => [skill.id, skill])));
    readonly summary: SkillSummary | null = $derived(this.selected === null ? null : (this.#byId.get(this.selected) ?? null));

    #details = new SvelteMap<string, SkillDetail>();
    #asked = 0;
    /** Done when the list is as the last command or change on disk left it. */
    #fresh: Promise<void> = Promise.resolve();

    constructor() {
        onChange("skills", () => this.load());
    }

    load(): Promise<void> {
        this.#fresh = this.#load();
        return this.#fresh;
    }

    /** After a command of another store. */
    get fresh(): Promise<void> {
        return this.#fresh;
    }

    async #load(): Promise<void> {
        const asked = ++this.#asked;
        try {
            const list = await host.call("skill_list", {});
            if (asked !== this.#asked) {
                return;
            }
            this.list = list;
            this.error = null;
            await this.#refreshDetails(list.skills);
        } catch (thrown) {
            this.error = toApiError(thrown);
        }
    }

    /** `null` until it is fetched, which `unfold` and `select` do. */
    detail(id: string): SkillDetail | null {
        return this.#details.get(id) ?? null;
    }

    /** The skill that a file belongs to. */
    skillOf(path: string): SkillSummary | null {
        let outermost: SkillSummary | null = null;
        for (let at = path, last = ""; at !== last; [at, last] = [parentOf(at), at]) {
            outermost = this.#byId.get(at) ?? outermost;
        }
        return outermost;
    }

    async select(id: string): Promise<void> {
        this.selected = id;
        await this.fetch(id);
    }

    async toggle(key: string): Promise<void> {
        if (!this.toggled.delete(key)) {
            this.toggled.add(key);
            if (key.startsWith("skill:")) {
                await this.fetch(key.slice("skill:".length));
            }
        }
    }

    async fetch(id: string): Promise<void> {
        await toasts.guard(async () => {
            const detail = await host.call("skill_get", { id });
            // The last in the order.
            this.#details.delete(id);
            this.#details.set(id, detail);
            this.#forget();
        });
    }

    /** Each change on disk fetches all details again that are known. */
    #forget(): void {
        const idle = [...this.#details.keys()].filter((id) => id !== this.selected && !this.toggled.has(`skill:${id}`));
        for (const id of idle.slice(0, Math.max(0, idle.length - KEPT_DETAILS))) {
            this.#details.delete(id);
        }
    }

    async pickAndOpen(title: string): Promise<string | null> {
        const path = await toasts.guard(() => host.pickFolder(title));
        return path === null || !(await this.openFolder(path)) ? null : path;
    }

    async openFolder(path: string): Promise<boolean> {
        const folders = await toasts.guard(() => host.call("folder_open", { path }));
        await this.#fresh;
        return folders !== null;
    }

    async closeFolder(path: string): Promise<void> {
        await toasts.guard(() => host.call("folder_close", { path }));
        if (this.selected !== null && isWithin(this.selected, path)) {
            this.selected = null;
        }
        await this.#fresh;
    }

    async loadTemplates(): Promise<void> {
        this.templates = (await toasts.guard(() => host.call("template_list", {}))) ?? [];
    }

    /** Selects what it made. */
    async create(skill: NewSkill): Promise<SkillSummary | ApiError> {
        try {
            const made = await host.call("skill_new", skill);
            this.toggled.add(`skill:${made.id}`);
            await this.#fresh;
            await this.select(made.id);
            return made;
        } catch (thrown) {
            return toApiError(thrown);
        }
    }

    /** Rejects with an `ApiError`. The answer is the file's path. */
    async createFile(skill: string, name: string): Promise<string> {
        const file = await host.call("file_create", { path: join(skill, name) });
        this.toggled.add(`skill:${skill}`);
        await this.#fresh;
        return file.path;
    }

    /** Gives the file or folder at `from` another last part. Rejects with an `ApiError`. */
    async rename(from: string, name: string): Promise<string> {
        const to = join(parentOf(from), name);
        await host.call("file_move", { from, to });
        if (this.selected === from) {
            this.selected = to;
        }
        if (this.toggled.delete(`skill:${from}`)) {
            this.toggled.add(`skill:${to}`);
        }
        await this.#fresh;
        return to;
    }

    /** The answer says how to put it back; `null`: it was not deleted, and users know why. */
    async trash(path: string): Promise<Trashed | null> {
        const trashed = await toasts.guard(() => host.call("file_trash", { path }));
        if (trashed !== null && this.selected === path) {
            this.selected = null;
        }
        await this.#fresh;
        return trashed;
    }

    /** Folders dropped on the window are opened, save what `taken` takes; the answer stops it. */
    async acceptDrops(onDrop: () => void, taken: (path: string) => boolean): Promise<Unlisten> {
        return host.onDrag((event: DragEvent) => {
            this.dragging = event.type === "over";
            if (event.type === "drop") {
                onDrop();
                void this.#openAll(event.paths.filter((path) => !taken(path)));
            }
        });
    }

    async #openAll(paths: readonly string[]): Promise<void> {
        for (const path of paths) {
            // A dropped SKILL.md means the folder it is in.
            await this.openFolder(baseName(path) === "SKILL.md" ? parentOf(path) : path);
        }
    }

    async #refreshDetails(present: readonly SkillSummary[]): Promise<void> {
        const wanted = present.filter((skill) => this.#details.has(skill.id) || this.toggled.has(`skill:${skill.id}`));
        const there = new Set(present.map((skill) => skill.id));
        for (const id of [...this.#details.keys()].filter((known) => !there.has(known))) {
            this.#details.delete(id);
        }
        await Promise.all(wanted.map((skill) => this.fetch(skill.id)));
    }
}

export const skills = new Skills();
