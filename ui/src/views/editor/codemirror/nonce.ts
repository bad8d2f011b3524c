/** The nonce for style sheets that are made while the window runs: the window's policy allows no others. */
import { EditorView } from "@codemirror/view";

/** Of the page's own empty style. */
export const styleNonce = EditorView.cspNonce.of(document.querySelector<HTMLStyleElement>("style[nonce]")?.nonce ?? "");
