/** Completions while the user types. They come from outside; here they become a list under the caret. */
import { autocompletion, completionKeymap, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { Prec, type Extension, type Text } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import type { CompletionItem, TextCompletions } from "../../../generated/api";
import { worded } from "../../../i18n";
import { visible } from "../../../parts/hidden";

/** Answers for a place in the text; `null`: there are none. */
export type Ask = (text: string, at: number) => Promise<TextCompletions | null>;

/** The beginning of a path, a link or code: in plain prose nothing is offered, and no long text is sent. */
const NAMES = /[`/]|\]\(/;

/** Letters behind which a list may come by itself. */
const BEGINS = /[\p{L}\p{N}_\-/.]$|[`(]$|: ?$|, ?$|- $|^$/u;

export function completing(ask: Ask): Extension {
    const source = async (context: CompletionContext): Promise<CompletionResult | null> => {
        const line = context.state.doc.lineAt(context.pos);
        const before = line.text.slice(0, context.pos - line.from);
        if (!context.explicit && !BEGINS.test(before)) {
            return null;
        }
        if (!NAMES.test(before) && !isInFrontmatter(context.state.doc, line.number)) {
            return null;
        }
        const found = await ask(context.state.doc.toString(), context.pos);
        if (found === null || found.items.length === 0 || context.aborted || found.from > context.pos) {
            return null;
        }
        // A list that opens by itself must match some typed text.
        if (!context.explicit && found.from === context.pos && found.items[0]?.kind === "field") {
            return null;
        }
        return { from: found.from, to: found.to, options: found.items.map(option), validFor: /^[\p{L}\p{N}_\-/.]*$/u };
    };
    return [
        autocompletion({ override: [source], icons: false, activateOnTypingDelay: 100, maxRenderedOptions: 60, defaultKeymap: false }),
        Prec.high(keymap.of(completionKeymap)),
    ];
}

/** Between the first line and the one that ends it, or not ended yet. */
function isInFrontmatter(doc: Text, line: number): boolean {
    const isFence = (number: number): boolean => doc.line(number).text.trimEnd() === "---";
    if (line === 1 || !isFence(1)) {
        return false;
    }
    for (let number = 2; number < line; number++) {
        if (isFence(number)) {
            return false;
        }
    }
    return true;
}

function option({ label, insert, detail, kind }: CompletionItem, at: number): Completion {
    return {
        label,
        displayLabel: visible(label),
        ...(insert === null ? {} : { apply: insert }),
        ...(detail === null ? {} : { detail: visible(worded(detail)) }),
        type: kind,
        // In the original order, if they match equally well.
        boost: -Math.min(at, 90),
    };
}
