/** New file, rename, delete: which of them is being asked about, and doing it. */
import type { ApiError } from "../generated/api";
import { host, toApiError } from "../host";
import { editor } from "./editor.svelte";
import { join } from "./names";
import { skills } from "./skills.svelte";

export interface Target {
    /** Absolute. */
    path: string;
    /** The last part, as shown. */
    name: string;
    /** The skill it is, or belongs to. */
    skill: string;
    isSkill: boolean;
}

export type Asked = { type: "newFile" | "rename" | "duplicate" | "delete"; target: Target };

export class FileActions {
    asked = $state.raw<Asked | null>(null);
    /** Why the last try did not work; shown beside the field. */
    failed = $state.raw<ApiError | null>(null);

    ask(type: Asked["type"], target: Target): void {
        this.failed = null;
        this.asked = { type, target };
    }

    cancel(): void {
        this.asked = null;
    }

    newFile(target: Target, name: string): Promise<void> {
        return this.#try(async () => {
            await editor.open(await skills.createFile(target.skill, name));
        });
    }

    rename(target: Target, name: string): Promise<void> {
        return this.#try(async () => {
            editor.moved(target.path, await skills.rename(target.path, name));
        });
    }

    /** Another skill with the same files; it is opened. */
    duplicate(target: Target, name: string): Promise<void> {
        return this.#try(async () => {
            const { id } = await host.call("skill_copy", { skill: target.skill, name });
            skills.toggled.add(`skill:${id}`);
            await skills.load();
            await skills.select(id);
            await editor.open(join(id, "SKILL.md"));
        });
    }

    async trash(target: Target): Promise<void> {
        this.asked = null;
        if (await skills.trash(target.path)) {
            editor.trashed(target.path);
        }
    }

    async #try(work: () => Promise<void>): Promise<void> {
        try {
            await work();
            this.asked = null;
        } catch (thrown) {
            this.failed = toApiError(thrown);
        }
    }
}

export const fileActions = new FileActions();
