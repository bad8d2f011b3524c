/** Other programs that a file or a skill is shown in: the file manager, and the editor of the settings. */
import type { OutsideEditor } from "../generated/api";
import { host, toApiError } from "../host";
import { app } from "./app.svelte";
import { toasts } from "./toasts.svelte";

export class Outside {
    /** The choice of an editor is open. */
    choosing = $state(false);
    /** Editors found on this machine; `null`: not searched yet. */
    found = $state.raw<readonly OutsideEditor[] | null>(null);
    /** The path to open once an editor is chosen. */
    waiting = $state.raw<string | null>(null);

    async reveal(path: string): Promise<void> {
        await toasts.guard(() => host.call("path_reveal", { path }));
    }

    /** Asks first which editor, if none is set or the one that is does not start. */
    async edit(path: string): Promise<void> {
        if (app.settings.editor.trim() === "") {
            await this.choose(path);
            return;
        }
        try {
            await host.call("path_edit", { path });
        } catch (thrown) {
            toasts.error(thrown);
            if (toApiError(thrown).code === "unknown") {
                await this.choose(path);
            }
        }
    }

    async choose(path: string | null = null): Promise<void> {
        this.waiting = path;
        this.choosing = true;
        this.found ??= await toasts.guard(() => host.call("editor_list", {}));
    }

    /** Keeps the command, and opens what waits for it. */
    async take(command: string): Promise<void> {
        const { waiting } = this;
        this.cancel();
        await app.change({ editor: command.trim() });
        if (waiting !== null && command.trim() !== "") {
            await this.edit(waiting);
        }
    }

    cancel(): void {
        this.choosing = false;
        this.waiting = null;
    }
}

export const outside = new Outside();
