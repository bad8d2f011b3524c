/**
 * Characters that readers do not see, or that change how the text around them is shown: controls, marks of direction,
 * what has no width. The core says the same (`source::hidden`); `tests/fixtures/hidden.json` is compared with both.
 */
import { t, textOf } from "../i18n";

/** Characters that are hidden in any place. */
export const ALWAYS_HIDDEN =
    /[\0-\x08\v-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{110bd}\u{110cd}\u{13430}-\u{1345f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}]/u;

/** Including those that select a form of the character before them. */
const HIDDEN = new RegExp(`${ALWAYS_HIDDEN.source}|[\\u180b-\\u180d\\u180f\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]`, "gu");

/** A stretch of text, or one hidden character. */
export interface Piece {
    text: string;
    hidden: boolean;
}

/** The text cut at its hidden characters. Line ends and tabs are none. */
export function pieces(text: string): Piece[] {
    const found: Piece[] = [];
    let from = 0;
    for (const match of text.matchAll(HIDDEN)) {
        const [letter] = match;
        if (isForm(letter, before(text, match.index))) {
            continue;
        }
        if (match.index > from) {
            found.push({ text: text.slice(from, match.index), hidden: false });
        }
        found.push({ text: letter, hidden: true });
        from = match.index + letter.length;
    }
    if (from < text.length) {
        found.push({ text: text.slice(from), hidden: false });
    }
    return found;
}

/** For places that can show only text, such as a tooltip: hidden characters as `\u{202e}`. */
export function visible(text: string): string {
    return pieces(text)
        .map((piece) => (piece.hidden ? `\\u{${hex(piece.text)}}` : piece.text))
        .join("");
}

/** `U+202E`. */
export function codePoint(letter: string): string {
    return `U+${digits(letter)}`;
}

/** `202E`. */
function digits(letter: string): string {
    return hex(letter).toUpperCase().padStart(4, "0");
}

/** Its Unicode name, or its name in Chinese, if that is helpful. */
export function unicodeName(letter: string): string | null {
    const code = letter.codePointAt(0) ?? 0;
    const name = textOf(`hidden.${digits(letter)}`);
    if (name !== null) {
        return name;
    }
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) {
        return t("hidden.control");
    }
    if (code > 0xe0020 && code < 0xe007f) {
        return t("hidden.tag", { letter: String.fromCodePoint(code - 0xe0000) });
    }
    return isSelector(code) ? t("hidden.selector") : null;
}

function hex(letter: string): string {
    return (letter.codePointAt(0) ?? 0).toString(16);
}

/** The character that ends at `at`. */
function before(text: string, at: number): string {
    const pair = at > 1 ? text.slice(at - 2, at) : "";
    return (pair.codePointAt(0) ?? 0) > 0xffff ? pair : text.slice(Math.max(0, at - 1), at);
}

/** Whether a selector is visible as the form of the character before it. */
function isForm(letter: string, base: string): boolean {
    const code = letter.codePointAt(0) ?? 0;
    if (code === 0xfe0e || code === 0xfe0f) {
        return hasForms(base) || /^[0-9#*]$/.test(base);
    }
    if (code >= 0xfe00 && code < 0xfe0e) {
        return hasForms(base);
    }
    if (code >= 0xe0100 && code <= 0xe01ef) {
        return /^[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{3fffd}]$/u.test(base);
    }
    return isSelector(code) && /^[\u1820-\u18aa]$/.test(base);
}

/** Symbols, ideographs and the letters that Unicode has several forms of. */
function hasForms(base: string): boolean {
    return /^[\xa9\xae\u1000-\u109f\u2010-\u{10ffff}]$/u.test(base) && !/\s/u.test(base) && base.search(HIDDEN) < 0;
}

function isSelector(code: number): boolean {
    return (
        (code >= 0x180b && code <= 0x180f && code !== 0x180e) || (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef)
    );
}
