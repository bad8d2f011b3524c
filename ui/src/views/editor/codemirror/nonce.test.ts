import { EditorView } from "@codemirror/view";
import { expect, it } from "vitest";

it("gives the editor's styles the nonce of the page's own", async () => {
    document.head.innerHTML = '<style nonce="abc"></style>';
    const { styleNonce } = await import("./nonce");
    const view = new EditorView({ parent: document.body, extensions: styleNonce });
    const made = [...document.querySelectorAll("style")].filter((style) => style.textContent !== "");
    expect(made.map((style) => style.nonce)).toEqual(["abc"]);
    view.destroy();
});
