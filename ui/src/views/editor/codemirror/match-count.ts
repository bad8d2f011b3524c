/** How many places the search panel finds, and which of them is selected. */
import { getSearchQuery, searchPanelOpen } from "@codemirror/search";
import { type EditorState } from "@codemirror/state";
import { type EditorView, type PluginValue, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { t } from "../../../i18n";

/** Counting ends here: every key counts again from the start. */
export const MOST = 1000;

/** `at`: which one is selected, from 1; 0: none. `null`: nothing is searched for. */
export function matches(state: EditorState): { n: number; at: number } | null {
    const query = getSearchQuery(state);
    if (query.search === "" || !query.valid) {
        return null;
    }
    const { from, to } = state.selection.main;
    let [n, at] = [0, 0];
    const cursor = query.getCursor(state);
    for (let next = cursor.next(); !next.done && n < MOST; next = cursor.next()) {
        n += 1;
        at = next.value.from === from && next.value.to === to ? n : at;
    }
    return { n, at };
}

class MatchCount implements PluginValue {
    readonly #shown = document.createElement("span");

    constructor(private readonly view: EditorView) {
        this.#shown.className = "match-count";
        this.#shown.setAttribute("aria-live", "polite");
        this.#shown.dataset["testid"] = "match-count";
    }

    update(update: ViewUpdate): void {
        if (!searchPanelOpen(update.state)) {
            return;
        }
        const changed = getSearchQuery(update.state) !== getSearchQuery(update.startState);
        if (update.docChanged || update.selectionSet || changed || !this.#shown.isConnected) {
            // The panel is made after this update.
            this.view.requestMeasure({ key: this, read: () => matches(this.view.state), write: (found) => this.#show(found) });
        }
    }

    destroy(): void {
        this.#shown.remove();
    }

    #show(found: { n: number; at: number } | null): void {
        if (!this.#shown.isConnected) {
            this.view.dom.querySelector(".cm-search [name=search]")?.after(this.#shown);
        }
        const n = found === null ? "" : found.n === MOST ? t("editor.search.most", { n: MOST }) : String(found.n);
        this.#shown.textContent =
            found === null ? "" : found.at > 0 ? t("editor.search.at", { at: found.at, n }) : t("editor.search.found", { n });
    }
}

export const matchCount = ViewPlugin.fromClass(MatchCount);
