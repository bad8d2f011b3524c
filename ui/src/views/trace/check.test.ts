import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it } from "vitest";
import { setHost } from "../../host";
import { fakeHost, type FakeHost } from "../../host/fake";
import { app } from "../../state/app.svelte";
import { runs } from "../../state/runs.svelte";
import TracePlace from "./TracePlace.svelte";

let fake: FakeHost;

beforeEach(() => {
    fake = fakeHost();
    setHost(fake);
    runs.walk = null;
    runs.list = null;
    app.place = "traces";
});

async function openCheck() {
    render(TracePlace);
    await fireEvent.click((await screen.findAllByTestId("run-check-open"))[0] ?? document.body);
    await screen.findByTestId("check-told");
}

it("says of each call what it comes to now, shows what changed, and opens its step", async () => {
    await openCheck();
    expect(screen.getByTestId("check-told").dataset["bad"]).toBe("1");
    const results = screen.getAllByTestId("checked-call").map((call) => call.dataset["result"]);
    expect(results).toEqual(["same", "changed", "notRun"]);
    await fireEvent.click(screen.getByTestId("check-diff"));
    expect((await screen.findByTestId("check-text")).textContent).toContain("Factors");
    await fireEvent.click(screen.getAllByTestId("check-step")[1] ?? document.body);
    await screen.findByTestId("run-view");
    const { step } = (await screen.findByTestId("step-detail")).dataset;
    expect(step).toBe("4");
});

it("plays a run again with scripts where runs ask, and compares it with its record then", async () => {
    await openCheck();
    await fireEvent.click(screen.getByTestId("check-scripts"));
    await waitFor(() => expect(app.place).toBe("run"));
    const asked = fake.calls.find((call) => call.name === "run_play_again");
    expect(asked?.args).toMatchObject({ roots: null, askAll: false });
    expect(runs.current).not.toBeNull();
});

it("goes back to the row of the run", async () => {
    await openCheck();
    await fireEvent.click(screen.getByTestId("check-back"));
    await waitFor(() => expect(document.activeElement?.closest("tr")).toBe(screen.getAllByTestId("run-row")[0]));
});
