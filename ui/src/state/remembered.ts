/** Choices kept from one start to the next, apart for each project: the folders that are open. */
import { app } from "./app.svelte";
import { skills } from "./skills.svelte";

const PREFIX = "skill-workbench";

/** The folders that are open, the bundled one aside. */
export function project(): string {
    const folders = skills.list?.folders ?? app.bench?.folders ?? [];
    return folders
        .filter((folder) => !folder.bundled)
        .map((folder) => folder.path)
        .sort()
        .join("\n");
}

/** `null`: nothing was saved, or it cannot be read. */
export function recall(what: string): unknown {
    try {
        return JSON.parse(localStorage.getItem(key(what)) ?? "null");
    } catch {
        return null;
    }
}

/** If the browser cannot save it, the choice lasts as long as the window. */
export function remember(what: string, value: unknown): void {
    try {
        localStorage.setItem(key(what), JSON.stringify(value));
    } catch {
        return;
    }
}

function key(what: string): string {
    return `${PREFIX}:${what}:${project()}`;
}
