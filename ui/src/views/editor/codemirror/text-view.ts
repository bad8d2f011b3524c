/** One text view that shows one file at a time and keeps undo, selection and scroll of each. */
import { isolateHistory } from "@codemirror/commands";
import { foldEffect, unfoldEffect, foldedRanges } from "@codemirror/language";
import { setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { openSearchPanel } from "@codemirror/search";
import { EditorState, type StateEffect } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { differences } from "../../../state/edits";
import { card, type Mark } from "./card";
import type { Ask } from "./completion";
import { styleNonce } from "./nonce";
import { shareOf, stops } from "../preview-sync";
import { newState, words, wordsFor } from "./setup";

export interface Shown {
    readonly name: string;
    readonly text: string;
    /** The text on disk: undo ends there. */
    readonly base: string;
    readonly readOnly: unknown;
}

export interface TextEvents<File> {
    onText: (file: File, text: string) => void;
    onCaret: (file: File, at: number) => void;
    /** Something else is selected; from and to are one if nothing is. */
    onSelect?: (file: File, selected: { from: number; to: number }) => void;
    onScroll?: () => void;
    /** What can come next at a place in the text. */
    complete: (file: File, text: string, at: number) => ReturnType<Ask>;
}

export class TextView<File extends Shown> {
    readonly #view: EditorView;
    readonly #events: TextEvents<File>;
    readonly #kept = new WeakMap<File, { state: EditorState; scroll: StateEffect<unknown> }>();
    #file: File | null = null;
    /** The text that this view reported last: the same string is not compared with the document again, which may be long. */
    #told: string | null = null;

    constructor(parent: HTMLElement, events: TextEvents<File>) {
        this.#events = events;
        this.#view = new EditorView({ parent, extensions: styleNonce });
        this.#view.scrollDOM.addEventListener("scroll", () => this.#events.onScroll?.());
    }

    /** Shows `file` as it was left, or applies changes from outside the view, as one step of undo. */
    show(file: File): void {
        if (this.#file !== file) {
            this.#keep();
            const kept = this.#kept.get(file);
            this.#view.setState(kept?.state ?? this.#start(file));
            this.#file = file;
            this.#told = null;
            this.translate();
            this.#view.dispatch({ effects: kept?.scroll ?? EditorView.scrollIntoView(0, { y: "start" }) });
        }
        if (file.text === this.#told) {
            return;
        }
        const current = this.#view.state.doc.toString();
        if (current !== file.text) {
            this.#view.dispatch({ changes: differences(current, file.text), annotations: isolateHistory.of("full") });
        }
    }

    setMarks(marks: readonly Mark[]): void {
        const { doc } = this.#view.state;
        const diagnostics = marks.map((mark): Diagnostic => {
            const from = Math.min(mark.from, doc.length);
            // The first line shows the place; underlining more lines adds nothing.
            const to = Math.min(Math.max(mark.to, from), doc.lineAt(from).to);
            return { from, to, severity: mark.severity, message: mark.message || mark.title, renderMessage: () => card(mark) };
        });
        this.#view.dispatch(setDiagnostics(this.#view.state, diagnostics));
    }

    /** Where the caret is on the screen; `null`: out of sight. */
    caretPlace(): { left: number; top: number; bottom: number } | null {
        return this.#view.coordsAtPos(this.#view.state.selection.main.head);
    }

    /** How far it is scrolled, as a share of the way between these places in the text. */
    scrolled(places: readonly number[]): number {
        const { scrollDOM, state } = this.#view;
        const tops = places.map((at) => this.#view.lineBlockAt(Math.min(at, state.doc.length)).top);
        return shareOf(stops(tops, scrollDOM.scrollHeight - scrollDOM.clientHeight), scrollDOM.scrollTop);
    }

    focus(): void {
        this.#view.focus();
    }

    /** Selects it, with the caret at its beginning: the next problem may be inside, the one before must be ahead of it. */
    goTo(from: number, to: number): void {
        const end = this.#view.state.doc.length;
        const head = Math.min(from, end);
        this.#view.dispatch({
            selection: { anchor: Math.min(to, end), head },
            effects: EditorView.scrollIntoView(head, { y: "center" }),
        });
        this.#view.focus();
    }

    search(): void {
        openSearchPanel(this.#view);
    }

    /** Folds the frontmatter away, or shows it. */
    foldFrontmatter(fold: boolean): void {
        const range = frontmatter(this.#view.state.doc.toString());
        if (range) {
            this.#view.dispatch({ effects: fold ? foldEffect.of(range) : this.#foldsAt(range.from) });
        }
    }

    /** Takes up the language that is on. */
    translate(): void {
        if (this.#file !== null) {
            this.#view.dispatch({ effects: words.reconfigure(wordsFor(this.#file.name)) });
        }
    }

    destroy(): void {
        this.#keep();
        this.#view.destroy();
    }

    #start(file: File): EditorState {
        const onUpdate = EditorView.updateListener.of((update) => {
            if (this.#file === null) {
                return;
            }
            if (update.docChanged) {
                this.#told = update.state.doc.toString();
                this.#events.onText(this.#file, this.#told);
            }
            if (update.selectionSet || update.docChanged) {
                const { from, to, head } = update.state.selection.main;
                this.#events.onCaret(this.#file, head);
                this.#events.onSelect?.(this.#file, { from, to });
            }
        });
        const complete: Ask = (text, at) => this.#events.complete(file, text, at);
        return newState(file.base, { name: file.name, readOnly: file.readOnly !== null, onUpdate, complete });
    }

    #keep(): void {
        if (this.#file !== null) {
            this.#kept.set(this.#file, { state: this.#view.state, scroll: this.#view.scrollSnapshot() });
        }
    }

    #foldsAt(from: number): ReturnType<typeof unfoldEffect.of>[] {
        const effects: ReturnType<typeof unfoldEffect.of>[] = [];
        foldedRanges(this.#view.state).between(from, from, (start, end) => {
            effects.push(unfoldEffect.of({ from: start, to: end }));
        });
        return effects;
    }
}

/** From the end of the first `---` to the end of the second. */
export function frontmatter(text: string): { from: number; to: number } | null {
    const match = /^---[ \t]*\n(?:[\s\S]*?\n)?---[ \t]*(?=\n|$)/.exec(text);
    return match ? { from: text.indexOf("\n"), to: match[0].length } : null;
}
