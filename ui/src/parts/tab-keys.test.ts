import { fireEvent } from "@testing-library/svelte";
import { expect, it } from "vitest";
import { tabKeys } from "./tab-keys";

it("chooses the tab that the key leads to, and gives it the focus", async () => {
    const list = document.body.appendChild(document.createElement("div"));
    const tabs = ["a", "b", "c"].map((name) => {
        const tab = list.appendChild(document.createElement("button"));
        tab.setAttribute("role", "tab");
        tab.textContent = name;
        tab.onclick = () => tabs.forEach((each) => each.setAttribute("aria-selected", String(each === tab)));
        return tab;
    });
    tabs[0]?.click();
    list.addEventListener("keydown", tabKeys);
    const after = async (key: string) => {
        await fireEvent.keyDown(list, { key });
        return [list.querySelector("[aria-selected=true]")?.textContent, document.activeElement?.textContent];
    };
    expect(await after("ArrowRight")).toEqual(["b", "b"]);
    expect(await after("End")).toEqual(["c", "c"]);
    expect(await after("ArrowRight"), "there is none after the last").toEqual(["c", "c"]);
    expect(await after("Home")).toEqual(["a", "a"]);
    list.remove();
});
