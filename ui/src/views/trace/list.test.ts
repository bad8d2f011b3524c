import { fireEvent, render, screen, within } from "@testing-library/svelte";
import { expect, test } from "vitest";
import { setHost } from "../../host";
import { fakeHost } from "../../host/fake";
import { pairing } from "../../state/pair.svelte";
import { runs } from "../../state/runs.svelte";
import TracePlace from "./TracePlace.svelte";

test("the list of runs comes back to the run that was opened, with the focus on it", async () => {
    setHost(fakeHost());
    runs.list = null;
    runs.walk = null;
    pairing.shown = null;
    render(TracePlace);
    const [, second] = await screen.findAllByTestId("run-row");
    const run = second?.dataset["run"] ?? "";
    const [open] = within(second ?? document.body).getAllByRole("button");
    await fireEvent.click(open ?? document.body);
    await screen.findByTestId("run-view");
    await fireEvent.click(screen.getByText("All runs"));
    const rows = await screen.findAllByTestId("run-row");
    expect(rows.filter((row) => row.getAttribute("aria-current") === "true").map((row) => row.dataset["run"])).toEqual([run]);
    expect(document.activeElement?.closest<HTMLElement>("[data-run]")?.dataset["run"]).toBe(run);
});
