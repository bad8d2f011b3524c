/** Who sees what of one skill: fetched when it is opened, and copied or saved as a document. */
import type { ApiError, CardFormat, SkillCard } from "../generated/api";
import { host, toApiError } from "../host";
import { inLocale } from "../i18n";
import { toasts } from "./toasts.svelte";

export type CardDocument = "markdown" | "svg";

const ENDINGS: Record<CardDocument, string> = { markdown: "md", svg: "svg" };

export class Card {
    /** The skill's folder. */
    readonly skill: string;
    card = $state.raw<SkillCard | null>(null);
    error = $state.raw<ApiError | null>(null);

    constructor(skill: string) {
        this.skill = skill;
    }

    async look(): Promise<void> {
        try {
            this.card = await host.call("skill_card", { skill: this.skill });
            this.error = null;
        } catch (thrown) {
            this.error = toApiError(thrown);
        }
    }

    copy(document: CardDocument, said: () => string): void {
        void toasts.copy(host.call("skill_card_text", { skill: this.skill, format: format(document) }), said);
    }

    /** Writes the document to a place that the user chooses; `null` if they cancel. */
    async save(document: CardDocument, title: string): Promise<string | null> {
        const name = (this.card?.name.split("/").at(-1) ?? "") || "skill";
        const path = await host.pickSave(title, `${name}.${ENDINGS[document]}`);
        if (path !== null) {
            try {
                await host.call("skill_card_save", { skill: this.skill, format: format(document), path });
            } catch (thrown) {
                this.error = toApiError(thrown);
                return null;
            }
        }
        return path;
    }
}

/** In the language of the window. */
function format(document: CardDocument): CardFormat {
    return document === "markdown" ? inLocale("markdown", "markdownChinese") : inLocale("svg", "svgChinese");
}
