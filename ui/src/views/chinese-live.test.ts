/** Runs in Chinese that go on: one that asks, and rehearsals under several frameworks. */
import { fireEvent, screen, waitFor, within } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { FakeHost } from "../host/fake";
import { app } from "../state/app.svelte";
import { compare } from "../state/compare.svelte";
import { launch } from "../state/launch.svelte";
import { rehearsal } from "../state/rehearsal.svelte";
import { click, closeWindow, found, look, openWindow, settled, type } from "../test-chinese";

let fake: FakeHost;

beforeEach(async () => {
    fake = await openWindow();
});
afterEach(closeWindow);

it("has no English in a run that goes on, asks and ends", async () => {
    app.go("run");
    launch.play((await fake.call("screenplay_list", {}))[0]?.path ?? null);
    await click("run-button");
    await screen.findByTestId("approval-card", undefined, { timeout: 5000 });
    await settled();
    look("approval");
    await type("approval-arguments", "{");
    look("arguments that are broken");
    await type("approval-arguments", '{"value": 2}');
    look("arguments that are edited");
    await click("approve-stub");
    look("a result of the user's");
    await click("approve-deny");
    await screen.findByTestId("open-trace", undefined, { timeout: 5000 });
    await settled();
    look("a run that is over");
    expect(found()).toEqual({});
});

/** Until a run of it asks. */
async function rehearse(): Promise<void> {
    app.go("compare");
    await waitFor(() => expect(compare.columns.length).toBeGreaterThan(0));
    await compare.all();
    await click("compare-tab-rehearsal");
    await waitFor(() => expect(rehearsal.ready).toBe(true));
    look("before a rehearsal");
    await click("rehearse-start");
    await screen.findByTestId("rehearse-approvals", undefined, { timeout: 5000 });
    await settled();
    look("a rehearsal that asks");
}

it("has no English in a rehearsal under several frameworks", async () => {
    await rehearse();
    await click("rehearse-stop");
    await waitFor(() => expect(screen.getByTestId("aligned-table").dataset["aligned"]).toBe("true"));
    await settled();
    look("a rehearsal that is over");
    expect(found()).toEqual({});
});

it("has no English in a rehearsal that is answered for all, and in columns that came since", async () => {
    await rehearse();
    await click("rehearse-for-all");
    while (rehearsal.answered === 0) {
        const asks = await screen.findByTestId("rehearse-approvals");
        await fireEvent.click(within(asks).getAllByTestId("approve-deny")[0] ?? document.body);
        await settled();
        look("an answer for all");
    }
    look("another run that was answered");
    await click("rehearse-stop");
    await waitFor(() => expect(screen.getByTestId("aligned-table").dataset["aligned"]).toBe("true"));
    // The first one of these only presents skills.
    await compare.add();
    await compare.add();
    await settled();
    look("columns that came since");
    expect(screen.getByTestId("aligned-table").textContent).toContain("不在本次排练中");
    expect(found()).toEqual({});
});
