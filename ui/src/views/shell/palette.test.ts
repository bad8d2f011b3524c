import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { expect, it } from "vitest";
import { setHost } from "../../host";
import { fakeHost } from "../../host/fake";
import { indexOf } from "../../host/fake/run-index";
import type { Action } from "../../state/actions";
import { app } from "../../state/app.svelte";
import { runs } from "../../state/runs.svelte";
import { summary } from "../../trace/sample";
import PaletteList from "./PaletteList.svelte";

it("finds runs by what is typed, however many newer ones there are", async () => {
    const fake = fakeHost();
    const all = Array.from({ length: 900 }, (_, at) => {
        const run = summary({ id: `run-${at}` });
        return { ...run, setup: { ...run.setup, prompt: at % 450 === 449 ? `How far is Köln? ${at}` : `Question ${at}` } };
    });
    fake.on("run_index", (args) => indexOf(all, args));
    setHost(fake);
    runs.list = null;
    app.go("skills");
    const chosen: string[] = [];
    render(PaletteList, { onchoose: (entry: { action: Action }) => chosen.push(entry.action.id) });
    await waitFor(() => expect(runs.list?.length).toBe(500));
    await fireEvent.input(screen.getByTestId("palette-input"), { target: { value: "köln" } });
    const offered = () => screen.getAllByTestId("palette-entry").map((entry) => entry.querySelector("span")?.textContent);
    await waitFor(() => expect(offered()).toEqual(["How far is Köln? 449", "How far is Köln? 899"]));
    await fireEvent.click(screen.getAllByTestId("palette-entry")[1] ?? document.body);
    expect(chosen).toEqual(["run:run-899"]);
});
