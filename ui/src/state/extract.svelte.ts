/** Moves the selection into a new file below `references/`, and leaves a link in its place. */
import type { ApiError } from "../generated/api";
import { host, toApiError } from "../host";
import { t } from "../i18n";
import { deleted } from "./deleted.svelte";
import { editor } from "./editor.svelte";
import { headed, linkTo, movedLinks, suggested } from "./extracting";
import { baseName } from "./names";
import type { OpenFile } from "./open-file.svelte";
import { skills } from "./skills.svelte";
import { toasts } from "./toasts.svelte";

export interface Asked {
    file: OpenFile;
    /** The skill's id. */
    skill: string;
    from: number;
    to: number;
    part: string;
}

export class Extract {
    asked = $state.raw<Asked | null>(null);
    /** Why the last try did not work. */
    failed = $state.raw<ApiError | null>(null);

    ask(): void {
        const found = selectedPart();
        if (typeof found === "string") {
            toasts.note(() => t(`extract.${found}`));
            return;
        }
        void skills.fetch(found.skill);
        this.failed = null;
        this.asked = found;
    }

    /** Whether whole lines are selected that can be extracted: words within a line are selected for something else. */
    offered(): boolean {
        const found = selectedPart();
        if (typeof found === "string") {
            return false;
        }
        const { text, selected } = found.file;
        const marked = text.slice(selected.from, selected.to);
        return marked.includes("\n") || marked === found.part.replace(/\n$/, "");
    }

    cancel(): void {
        this.asked = null;
    }

    /** The suggested path of the file. */
    suggestion({ part, skill }: Asked): string {
        const taken = (skills.detail(skill)?.files ?? []).map(({ name }) => name);
        return suggested(part, taken);
    }

    async go(asked: Asked, name: string): Promise<void> {
        const { file, skill, from, to, part } = asked;
        if (file.text.slice(from, to) !== part) {
            this.asked = null;
            toasts.note(() => t("extract.changed"));
            return;
        }
        try {
            const path = await skills.createFile(skill, name);
            const { version } = await host.call("file_read", { path });
            const here = file.path.slice(skill.length + 1).replaceAll("\\", "/");
            const text = movedLinks(part.trim(), here, name) + "\n";
            await host.call("file_save", { path, text, base: version, force: false });
            const before = file.text;
            const link = linkTo(headed(part) ?? baseName(name), here, name);
            const after = alone(before.slice(0, from), link, before.slice(to));
            file.write(after);
            await skills.fresh;
            await editor.recheck();
            this.asked = null;
            // Else the line that the selection ended in stays selected.
            const at = after.indexOf(link, from);
            editor.jump = { file, range: { from: at, to: at + link.length } };
            toasts.note(() => t("extract.done", { name }), {
                label: () => t("lint.undo"),
                run: () => void this.#undo(file, before, after, path),
            });
        } catch (thrown) {
            this.failed = toApiError(thrown);
        }
    }

    /** If the user has typed since then, that stays, and so does the file. */
    async #undo(file: OpenFile, before: string, after: string, path: string): Promise<void> {
        if (file.text !== after) {
            toasts.note(() => t("lint.undonePartly"));
            return;
        }
        file.write(before);
        await deleted.put(path);
    }
}

export const extract = new Extract();

/** Whole lines count: half a line would not be a complete text. A string is the reason why there is none. */
function selectedPart(): Asked | "onlyMarkdown" | "nothing" {
    const file = editor.active;
    const skill = file === null ? null : skills.skillOf(file.path);
    if (file === null || skill === null || !file.isMarkdown || file.readOnly !== null) {
        return "onlyMarkdown";
    }
    const { from, to } = lines(file.text, file.selected);
    const part = file.text.slice(from, to);
    return file.selected.from === file.selected.to || part.trim() === "" ? "nothing" : { file, skill: skill.id, from, to, part };
}

function lines(text: string, { from, to }: { from: number; to: number }): { from: number; to: number } {
    const start = text.lastIndexOf("\n", from - 1) + 1;
    const last = to > from && text[to - 1] === "\n" ? to - 1 : to;
    const end = text.indexOf("\n", last);
    return { from: start, to: end < 0 ? text.length : end + 1 };
}

/** A separate paragraph between the texts before and after it. */
function alone(before: string, link: string, after: string): string {
    const above = before === "" || before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n";
    const below = after === "" || after.startsWith("\n") ? "\n" : "\n\n";
    return before + above + link + below + after;
}
