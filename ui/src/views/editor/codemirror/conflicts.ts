/** Places that two sides changed, between the markers of a merge: which is which, and a choice at each. */
import { type EditorState, type Extension, RangeSetBuilder, StateField, type Text, type Transaction } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import { t } from "../../../i18n";
import { chosen, conflictsIn, type Conflict, type Side } from "../../../state/conflicts";

class Choice extends WidgetType {
    constructor(
        private readonly at: number,
        private readonly locale: string,
        private readonly readOnly: boolean,
    ) {
        super();
    }

    override eq(other: Choice): boolean {
        return this.at === other.at && this.locale === other.locale && this.readOnly === other.readOnly;
    }

    override toDOM(view: EditorView): HTMLElement {
        const bar = document.createElement("div");
        bar.className = "conflict-choice";
        bar.setAttribute("role", "group");
        bar.setAttribute("aria-label", t("editor.conflict.choose", { n: this.at + 1 }));
        for (const side of ["mine", "theirs", "both"] as const) {
            const button = document.createElement("button");
            button.type = "button";
            button.textContent = t(`editor.conflict.${side}`);
            button.disabled = this.readOnly;
            button.dataset["testid"] = `conflict-${side}`;
            button.addEventListener("click", () => settle(view, this.at, side));
            bar.append(button);
        }
        return bar;
    }

    override ignoreEvent(): boolean {
        return true;
    }
}

/** Replaces a conflict by one side, or by both. */
function settle(view: EditorView, at: number, side: Side): void {
    const text = view.state.doc.toString();
    const conflict = conflictsIn(text)[at];
    if (conflict !== undefined) {
        const insert = chosen(text, conflict, side);
        view.dispatch({
            changes: { from: conflict.from, to: conflict.to, insert },
            selection: { anchor: conflict.from },
            userEvent: "input.merge",
        });
        view.focus();
    }
}

const line = (name: string) => Decoration.line({ class: `conflict-${name}` });
const [MARK, MINE, THEIRS] = [line("mark"), line("mine"), line("theirs")];

function decorations(state: EditorState): DecorationSet {
    const builder = new RangeSetBuilder<Decoration>();
    // Most texts have none, and one search for a marker shows that.
    conflictsIn(state.doc.toString()).forEach((conflict, at) => {
        const locale = t("editor.conflict.mine");
        const widget = new Choice(at, locale, state.readOnly);
        builder.add(conflict.from, conflict.from, Decoration.widget({ widget, side: -1, block: true }));
        for (let from = conflict.from; from < conflict.to;) {
            const here = state.doc.lineAt(from);
            builder.add(here.from, here.from, kindOf(conflict, here.from));
            from = here.to + 1;
        }
    });
    return builder.finish();
}

function kindOf({ mine, theirs }: Conflict, at: number): Decoration {
    if (at >= mine.from && at < mine.to) {
        return MINE;
    }
    return at >= theirs.from && at < theirs.to ? THEIRS : MARK;
}

/** How the lines of a conflict begin that belong to neither side. */
const MARKERS = /^(<<<<<<<|\|\|\|\|\|\|\||=======|>>>>>>>)/;

/** Whether a change can make a conflict, unmake or move one: most keys cannot, and no long text is read for them. */
function matters(value: DecorationSet, { changes, startState, newDoc }: Transaction): boolean {
    const touches = (doc: Text, from: number, to: number): boolean => {
        for (let line = doc.lineAt(from); ; line = doc.line(line.number + 1)) {
            if (MARKERS.test(line.text)) {
                return true;
            }
            if (line.to >= to) {
                return false;
            }
        }
    };
    let found = value.size > 0;
    changes.iterChangedRanges((fromBefore, toBefore, from, to) => {
        found ||= touches(startState.doc, fromBefore, toBefore) || touches(newDoc, from, to);
    });
    return found;
}

const shown = StateField.define<DecorationSet>({
    create: decorations,
    update: (value, transaction) =>
        transaction.reconfigured || (transaction.docChanged && matters(value, transaction)) ? decorations(transaction.state) : value,
    provide: (field) => EditorView.decorations.from(field),
});

export const conflicts: Extension = shown;
