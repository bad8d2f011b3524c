import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it } from "vitest";
import { setHost } from "../../host";
import { fakeHost, type FakeHost } from "../../host/fake";
import { app } from "../../state/app.svelte";
import { handleKey } from "../../state/keys.svelte";
import { runs } from "../../state/runs.svelte";
import { search } from "../../state/search.svelte";
import { toasts } from "../../state/toasts.svelte";
import TracePlace from "./TracePlace.svelte";

let fake: FakeHost;

beforeEach(() => {
    fake = fakeHost();
    setHost(fake);
    runs.walk = null;
    runs.list = null;
    search.type("");
    app.go("traces");
});

async function type(query: string) {
    await fireEvent.input(await screen.findByTestId("run-search"), { target: { value: query } });
}

it("lists the steps that match with the words marked, opens one, and comes back to it", async () => {
    render(TracePlace);
    await type("kind:tool conversion-table");
    const steps = await screen.findAllByTestId("found-step");
    expect(steps[0]?.querySelector("mark")?.textContent).toBe("conversion-table");
    const { step } = steps[0]?.dataset ?? {};
    await fireEvent.click(steps[0] ?? document.body);
    await screen.findByTestId("run-view");
    await waitFor(() => expect(screen.getByTestId("step-detail").dataset["step"]).toBe(step));
    await fireEvent.click(screen.getByTestId("run-back"));
    await waitFor(() => expect(document.activeElement).toBe(screen.getAllByTestId("found-step")[0]));
});

it("asks again as long as runs are being indexed, and says how many are left", async () => {
    let left = 2;
    const released: (() => void)[] = [];
    fake.on("run_search", async () => {
        if (left < 2) {
            await new Promise<void>((resolve) => released.push(resolve));
        }
        return { runs: [], more: false, running: 0, waiting: left-- };
    });
    render(TracePlace);
    await type("公里");
    await waitFor(() => expect(screen.getByTestId("search-told").textContent).toContain("Indexing: 2 runs left"));
    await waitFor(() => expect(released).toHaveLength(1));
    released[0]?.();
    await waitFor(() => expect(screen.getByTestId("search-told").textContent).toContain("Indexing: 1 run left"));
    await waitFor(() => expect(released).toHaveLength(2));
    released[1]?.();
    await waitFor(() => expect(screen.getByTestId("search-told").textContent).toContain("Nothing matches."));
});

it("writes chosen filters into the line, and lists whole runs for a query about runs", async () => {
    render(TracePlace);
    await fireEvent.change(await screen.findByTestId("filter-harness"), { target: { value: "claude-code" } });
    await waitFor(() => expect(screen.getAllByTestId("run-row")).toHaveLength(1));
    expect(screen.getByTestId<HTMLInputElement>("run-search").value).toBe("harness:claude-code");
    await fireEvent.click(screen.getByTestId("search-clear"));
    await waitFor(() => expect(screen.getAllByTestId("run-row").length).toBeGreaterThan(1));
});

it("says what of a query is wrong and what to do, and keeps what was found", async () => {
    render(TracePlace);
    await type("kilogram");
    await screen.findAllByTestId("found-step");
    await type("kilogram stat:x");
    expect((await screen.findByTestId("search-error")).textContent).toMatch(/column 10: there is no filter.*correct it/s);
    expect(screen.getAllByTestId("found-step").length).toBeGreaterThan(0);
});

it("keeps a note with its step, marks its row, and brings it back when its deletion is undone", async () => {
    render(TracePlace);
    await fireEvent.click((await screen.findAllByTestId("run-row"))[0]?.querySelector("button") ?? document.body);
    await fireEvent.click((await screen.findAllByTestId("step-row"))[2] ?? document.body);
    await fireEvent.click(screen.getByTestId("note-add"));
    await fireEvent.input(screen.getByTestId("note-text"), { target: { value: "为什么先读这个？" } });
    await fireEvent.keyDown(screen.getByTestId("note-text"), { key: "Enter", ctrlKey: true });
    expect((await screen.findByTestId("step-note")).textContent).toBe("为什么先读这个？");
    expect(screen.getAllByTestId("row-note")[0]?.closest("[data-step]")?.getAttribute("data-step")).toBe("2");
    await fireEvent.click(screen.getAllByTestId("step-row")[3] ?? document.body);
    expect(screen.queryByTestId("step-note")).toBeNull();
    window.addEventListener("keydown", handleKey);
    await fireEvent.keyDown(document.body, { key: "m" });
    await screen.findByTestId("row-bookmark");
    await fireEvent.keyDown(document.body, { key: "n" });
    window.removeEventListener("keydown", handleKey);
    await fireEvent.click(await screen.findByTestId("note-delete"));
    await waitFor(() => expect(screen.queryByTestId("step-note")).toBeNull());
    const undo = toasts.list.flatMap((toast) => (toast.type === "note" && toast.action !== null ? [toast.action] : []));
    undo.at(-1)?.run();
    expect((await screen.findByTestId("step-note")).textContent).toBe("为什么先读这个？");
});

it("takes a verdict with a line, and shows it in the list", async () => {
    render(TracePlace);
    await fireEvent.click((await screen.findAllByTestId("run-row"))[0]?.querySelector("button") ?? document.body);
    await fireEvent.click(await screen.findByTestId("run-judge"));
    await fireEvent.click(await screen.findByTestId("verdict-fail"));
    await fireEvent.input(screen.getByTestId("verdict-line"), { target: { value: "wrong unit" } });
    await fireEvent.submit(screen.getByTestId("verdict-fail").closest("form") ?? document.body);
    await waitFor(() => expect(screen.getByTestId("run-verdict").textContent).toContain("wrong unit"));
    await fireEvent.click(screen.getByTestId("run-back"));
    await waitFor(() => expect(screen.getAllByTestId("verdict-tag")[0]?.dataset["verdict"]).toBe("fail"));
});
