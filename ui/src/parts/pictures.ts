import type { Image, ImageKind } from "../generated/api";

/** What the core takes; it looks at the bytes itself. */
const KINDS: readonly ImageKind[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** For the choice of files. */
export const ACCEPTED = KINDS.join(",");

/** As people call it: PNG. */
export function pictureKind(image: Image): string {
    return image.mediaType.replace("image/", "").toUpperCase();
}

/** About how many kB its file has. */
export function kilobytes(image: Image): number {
    return Math.ceil((image.data.length * 3) / 4 / 1000);
}

/** A file that the user chose; `null`: it is not a picture of these kinds. */
export async function pictureOf(file: File): Promise<Image | null> {
    const mediaType = KINDS.find((kind) => kind === file.type);
    return mediaType === undefined ? null : { mediaType, data: base64(new Uint8Array(await file.arrayBuffer())) };
}

function base64(bytes: Uint8Array): string {
    const PIECE = 0x8000;
    let text = "";
    for (let at = 0; at < bytes.length; at += PIECE) {
        text += String.fromCharCode(...bytes.subarray(at, at + PIECE));
    }
    return btoa(text);
}
