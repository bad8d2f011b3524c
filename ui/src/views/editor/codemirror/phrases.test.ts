import { EditorState } from "@codemirror/state";
import { expect, it } from "vitest";
import { setLocale } from "../../../i18n";
import { phrases } from "./setup";

const sources = import.meta.glob<string>("/node_modules/@codemirror/{autocomplete,commands,language,search,view}/dist/index.js", {
    query: "?raw",
    import: "default",
    eager: true,
});

it("says all that the libraries say in both languages", () => {
    const calls = Object.values(sources).flatMap((source) => [
        ...source.matchAll(/phrase\((?:view, |[\w.]+ \? )?"([^"]+)"(?: : "([^"]+)")?/g),
    ]);
    const said = [...new Set(calls.flatMap(([, first, second]) => [first, second].filter((text) => text !== undefined)))];
    expect(said.length).toBeGreaterThan(20);
    setLocale("zh-CN");
    const state = EditorState.create({ extensions: phrases() });
    setLocale("en");
    expect(said.filter((text) => !/\p{Script=Han}/u.test(state.phrase(text)))).toEqual([]);
});
