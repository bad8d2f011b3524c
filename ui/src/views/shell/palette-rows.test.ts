import { expect, it } from "vitest";
import { PaletteRows } from "./palette-rows";

const rows = new PaletteRows([
    { group: "places", found: ["Skills"] },
    { group: "skills", found: ["a", "b"] },
]);
const all = [
    { type: "heading", group: "places" },
    { type: "entry", place: 0, group: "places", entry: "Skills" },
    { type: "heading", group: "skills" },
    { type: "entry", place: 1, group: "skills", entry: "a" },
    { type: "entry", place: 2, group: "skills", entry: "b" },
];

it("has a heading above the entries of each group", () => {
    expect([rows.length, rows.entries, rows.slice(0, 5)]).toEqual([5, 3, all]);
    expect([rows.slice(3, 99), rows.slice(7, 9), rows.at(-1), rows.at(5)]).toEqual([all.slice(3), [], undefined, undefined]);
});

it("knows the row of each entry", () => {
    expect([-1, 0, 1, 2, 3].map((place) => rows.rowOf(place))).toEqual([-1, 1, 3, 4, -1]);
});

it("has no row where nothing is found", () => {
    const none = new PaletteRows<string, string>([]);
    expect([none.length, none.entries, none.slice(0, 9), none.rowOf(0)]).toEqual([0, 0, [], -1]);
});

it("makes no row that nobody looks at", () => {
    const asked: string[] = [];
    const found = new Proxy(Array<string>(10_000).fill("skill"), {
        get: (list, name, itself): unknown => {
            asked.push(String(name));
            return Reflect.get(list, name, itself);
        },
    });
    const many = new PaletteRows([{ group: "skills", found }]);
    many.slice(5000, 5003);
    expect(asked.filter((name) => name !== "length")).toEqual(["4999", "5000", "5001"]);
});
