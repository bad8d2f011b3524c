/**
 * The blinking of the caret. Not by an animation, as the library has it: WebKit draws the window again for each frame of
 * one, sixty times a second, for as long as the text has the focus. A clock draws it when the caret comes or goes, and
 * like that of GTK's own fields it stays on when nothing has happened for a while.
 */
import { drawSelection, EditorView, type PluginValue, ViewPlugin, type ViewUpdate } from "@codemirror/view";

/** Milliseconds that it is on, and off. */
export const HALF = 600;
/** How often it goes off before it stays. */
export const BLINKS = 8;

class Blink implements PluginValue {
    #timer: ReturnType<typeof setTimeout> | undefined;

    constructor(private readonly view: EditorView) {
        this.#begin();
    }

    update(update: ViewUpdate): void {
        if (update.focusChanged || update.docChanged || update.selectionSet) {
            this.#begin();
        }
    }

    destroy(): void {
        clearTimeout(this.#timer);
    }

    #begin(): void {
        clearTimeout(this.#timer);
        this.#show(true);
        if (this.view.hasFocus && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
            this.#goOn(true, BLINKS);
        }
    }

    #goOn(isOn: boolean, left: number): void {
        if (left > 0) {
            this.#timer = setTimeout(() => {
                this.#show(!isOn);
                this.#goOn(!isOn, isOn ? left : left - 1);
            }, HALF);
        }
    }

    #show(on: boolean): void {
        const layer = this.view.scrollDOM.querySelector<HTMLElement>(".cm-cursorLayer");
        if (layer) {
            layer.style.visibility = on ? "" : "hidden";
        }
    }
}

export const caret = [
    drawSelection({ cursorBlinkRate: 0 }),
    EditorView.theme({ "&.cm-focused > .cm-scroller > .cm-cursorLayer": { animation: "none !important" } }),
    ViewPlugin.fromClass(Blink),
];
