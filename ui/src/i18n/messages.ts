/** What a catalogue is: flat keys, texts with `{name}`, and `{n|file|files}` for one and for more. */

type Names<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
    ? (Name extends `${infer Bare}|${string}` ? Bare : Name) | Names<Rest>
    : never;

/** The values that a text asks for. */
export type Values<Text> = [Names<Text>] extends [never] ? [] : [values: { [Name in Names<Text>]: string | number }];

export type Translation<Catalogue> = { readonly [Key in keyof Catalogue]: string };

/** Keeps the texts as types, so that `t` knows which values each of them asks for. */
export function messages<const Catalogue extends Readonly<Record<string, string>>>(catalogue: Catalogue): Catalogue {
    return catalogue;
}

export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
    return text.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (whole, name: string, one?: string, many?: string) => {
        const value = values[name];
        if (value === undefined) {
            return whole;
        }
        return one === undefined || many === undefined ? String(value) : value === 1 ? one : many;
    });
}
