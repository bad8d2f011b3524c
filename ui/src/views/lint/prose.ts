/** A sentence in parts: those between backticks are code. A backtick without a partner is one. */
export function proseParts(text: string): { text: string; code: boolean }[] {
    const parts: { text: string; code: boolean }[] = [];
    let at = 0;
    for (const match of text.matchAll(/`([^`]+)`/g)) {
        parts.push({ text: text.slice(at, match.index), code: false }, { text: match[1] ?? "", code: true });
        at = match.index + match[0].length;
    }
    parts.push({ text: text.slice(at), code: false });
    return parts.filter((part) => part.text !== "");
}
