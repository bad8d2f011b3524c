/** One text view that shows one file at a time and keeps undo, selection and scroll of each. */
import { foldEffect, unfoldEffect, foldedRanges } from "@codemirror/language";
import { setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { openSearchPanel } from "@codemirror/search";
import { EditorState, type StateEffect } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { problemText, t } from "../../../i18n";
import type { ProblemDto } from "../../../generated/api";
import { newState, phrases, words } from "./setup";

export interface Shown {
    readonly name: string;
    readonly text: string;
    readonly readOnly: unknown;
}

export interface TextEvents<File> {
    onText: (file: File, text: string) => void;
    onCaret: (file: File, at: number) => void;
}

export class TextView<File extends Shown> {
    readonly #view: EditorView;
    readonly #events: TextEvents<File>;
    readonly #kept = new WeakMap<File, { state: EditorState; scroll: StateEffect<unknown> }>();
    #file: File | null = null;

    constructor(parent: HTMLElement, events: TextEvents<File>) {
        this.#events = events;
        this.#view = new EditorView({ parent });
    }

    /** Shows `file` as it was left, or brings in what was written to it from outside the view, as one step of undo. */
    show(file: File): void {
        if (this.#file !== file) {
            this.#keep();
            const kept = this.#kept.get(file);
            this.#view.setState(kept?.state ?? this.#start(file));
            this.#file = file;
            this.translate();
            this.#view.dispatch({ effects: kept?.scroll ?? EditorView.scrollIntoView(0, { y: "start" }) });
        }
        const current = this.#view.state.doc.toString();
        if (current !== file.text) {
            this.#view.dispatch({ changes: difference(current, file.text) });
        }
    }

    setProblems(problems: readonly ProblemDto[]): void {
        const { state } = this.#view;
        const end = state.doc.length;
        const diagnostics = problems
            .filter((problem) => problem.range !== null)
            .map((problem): Diagnostic => {
                const from = Math.min(problem.range?.from ?? 0, end);
                const to = Math.min(Math.max(problem.range?.to ?? from, from), end);
                return { from, to, severity: problem.severity, message: problemText(problem.kind) };
            });
        this.#view.dispatch(setDiagnostics(state, diagnostics));
    }

    goTo(from: number, to: number): void {
        const end = this.#view.state.doc.length;
        const anchor = Math.min(from, end);
        this.#view.dispatch({
            selection: { anchor, head: Math.min(to, end) },
            effects: EditorView.scrollIntoView(anchor, { y: "center" }),
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
        this.#view.dispatch({ effects: words.reconfigure(phrases()) });
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
                this.#events.onText(this.#file, update.state.doc.toString());
            }
            if (update.selectionSet || update.docChanged) {
                this.#events.onCaret(this.#file, update.state.selection.main.head);
            }
        });
        return newState(file.text, { name: file.name, label: t("editor.area", { name: file.name }), readOnly: file.readOnly !== null, onUpdate });
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

/** The smallest change that turns `before` into `after`, so that the caret stays where it can. */
export function difference(before: string, after: string): { from: number; to: number; insert: string } {
    const shorter = Math.min(before.length, after.length);
    let from = 0;
    while (from < shorter && before[from] === after[from]) {
        from++;
    }
    let end = 0;
    while (end < shorter - from && before[before.length - 1 - end] === after[after.length - 1 - end]) {
        end++;
    }
    return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}

/** From the end of the first `---` to the end of the second. */
export function frontmatter(text: string): { from: number; to: number } | null {
    const match = /^---[ \t]*\n(?:[\s\S]*?\n)?---[ \t]*(?=\n|$)/.exec(text);
    return match ? { from: text.indexOf("\n"), to: match[0].length } : null;
}
