/** What allows a style sheet that is made while the window runs: the policy of the window takes no others. */
import { EditorView } from "@codemirror/view";

/** Of the page's own empty style. */
export const styleNonce = EditorView.cspNonce.of(document.querySelector<HTMLStyleElement>("style[nonce]")?.nonce ?? "");
