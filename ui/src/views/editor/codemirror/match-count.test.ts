import { SearchQuery, search, setSearchQuery } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { expect, it } from "vitest";
import { matches, MOST } from "./match-count";

function found(doc: string, query: string, selected: { anchor: number; head: number }) {
    const state = EditorState.create({ doc, selection: selected, extensions: search() });
    return matches(state.update({ effects: setSearchQuery.of(new SearchQuery({ search: query })) }).state);
}

it("counts what is found, and says which of it is selected", () => {
    expect(found("one two one", "one", { anchor: 8, head: 11 })).toEqual({ n: 2, at: 2 });
    expect(found("one two one", "one", { anchor: 0, head: 0 })).toEqual({ n: 2, at: 0 });
    expect(found("one", "two", { anchor: 0, head: 0 })).toEqual({ n: 0, at: 0 });
    expect(found("one", "", { anchor: 0, head: 0 })).toBeNull();
    expect(found("a".repeat(5000), "a", { anchor: 0, head: 0 })).toEqual({ n: MOST, at: 0 });
});
