/** What every text gets: history, search, lint marks, folding, wrapping. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput, indentUnit } from "@codemirror/language";
import { lintGutter } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import {
    dropCursor,
    EditorView,
    highlightActiveLine,
    highlightActiveLineGutter,
    highlightSpecialChars,
    keymap,
    lineNumbers,
    tooltips,
} from "@codemirror/view";
import { t } from "../../../i18n";
import { ALWAYS_HIDDEN } from "../../../parts/hidden";
import { caret } from "./caret";
import { completing, type Ask } from "./completion";
import { conflicts } from "./conflicts";
import { highlighting, languageOf } from "./language";
import { matchCount } from "./match-count";
import { styleNonce } from "./nonce";
import { theme } from "./theme";

/** What changes with the language. */
export const words = new Compartment();

interface Options {
    name: string;
    readOnly: boolean;
    onUpdate: Extension;
    complete: Ask;
}

export function newState(text: string, { name, readOnly, onUpdate, complete }: Options): EditorState {
    return EditorState.create({
        doc: text,
        extensions: [
            styleNonce,
            // Any other `\r` is a character of the text and must come back out of it.
            EditorState.lineSeparator.of("\n"),
            EditorState.readOnly.of(readOnly),
            EditorView.contentAttributes.of({ "data-testid": "editor-content", spellcheck: "false", tabindex: "0" }),
            lintGutter(),
            // Below the first lines rather than under the toolbar above them.
            tooltips({ position: "absolute", tooltipSpace: (view) => view.scrollDOM.getBoundingClientRect() }),
            lineNumbers(),
            words.of(wordsFor(name)),
            codeFolding(),
            highlightSpecialChars({ addSpecialChars: ALWAYS_HIDDEN }),
            history(),
            caret,
            dropCursor(),
            EditorState.allowMultipleSelections.of(true),
            indentOnInput(),
            indentUnit.of(/\.py$/i.test(name) ? "    " : "  "),
            bracketMatching(),
            highlightActiveLine(),
            highlightActiveLineGutter(),
            highlightSelectionMatches(),
            search({ top: true }),
            matchCount,
            EditorView.lineWrapping,
            languageOf(name),
            readOnly ? [] : completing(complete),
            highlighting,
            theme,
            keymap.of([...searchKeymap, ...historyKeymap, ...foldKeymap, ...defaultKeymap, indentWithTab]),
            onUpdate,
        ],
    });
}

/** For the text of a file, in the language that is on. */
export function wordsFor(name: string): Extension {
    // A gutter that is there already keeps its words.
    const says = { "aria-label": t("editor.area", { name }), "aria-description": t("editor.leaveHow") };
    return [EditorView.contentAttributes.of(says), phrases(), foldGutter(), conflicts];
}

/** What the libraries of the editor say themselves. */
export function phrases(): Extension {
    return EditorState.phrases.of({
        Find: t("editor.search.find"),
        Replace: t("editor.search.replace"),
        next: t("editor.search.next"),
        previous: t("editor.search.previous"),
        all: t("editor.search.all"),
        "match case": t("editor.search.matchCase"),
        regexp: t("editor.search.regexp"),
        "by word": t("editor.search.byWord"),
        replace: t("editor.search.replaceOne"),
        "replace all": t("editor.search.replaceAll"),
        close: t("editor.search.close"),
        "current match": t("editor.search.currentMatch"),
        "on line": t("editor.search.onLine"),
        "replaced $ matches": t("editor.search.replacedMatches"),
        "replaced match on line $": t("editor.search.replacedOn"),
        "Fold line": t("editor.fold"),
        "Unfold line": t("editor.unfold"),
        unfold: t("editor.unfold"),
        "folded code": t("editor.folded"),
        // "Folded lines 3 to 5.", for screen readers.
        "Folded lines": t("editor.foldedLines"),
        "Unfolded lines": t("editor.unfoldedLines"),
        to: t("editor.toLine"),
        "Control character": t("editor.controlCharacter"),
        "Go to line": t("editor.goToLine"),
        go: t("editor.go"),
        Completions: t("editor.completions"),
        "Selection deleted": t("editor.selectionDeleted"),
    });
}
