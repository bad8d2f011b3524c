/**
 * The face of code in the preview: its frame may load nothing, and knows none of the window's faces, so it is handed the bytes.
 * Without it a Chinese page may show code in a proportional face, whatever `monospace` says.
 */
import data from "@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2?inline";

export const CODE_FACE = "JetBrains Mono Variable";

let decoded: Uint8Array<ArrayBuffer> | null = null;

/** Decoded once: each preview that is opened takes the face. */
export function faceBytes(): Uint8Array<ArrayBuffer> {
    decoded ??= Uint8Array.from(atob(data.slice(data.indexOf(",") + 1)), (letter) => letter.charCodeAt(0));
    return decoded;
}

/** Gives a page the face. */
export function addCodeFace(page: Document): void {
    const face = page.defaultView === null ? null : new page.defaultView.FontFace(CODE_FACE, faceBytes(), { weight: "100 800" });
    if (face !== null) {
        page.fonts.add(face);
    }
}
