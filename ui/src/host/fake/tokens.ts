/** About what a tokenizer says: enough for a sample. */
export function tokens(text: string): number {
    const wide = Array.from(text).filter((unit) => unit > "\u2e80").length;
    return Math.ceil((text.length - wide) / 4 + wide * 0.8);
}
